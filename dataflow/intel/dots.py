"""The dots of a TTGIR module, with all that decides what they spill.

A dot whose result has a blocked layout has no matrix unit to go to: Triton's lowering gives each lane its m x n part
of the result as m*n chains of K fused multiply-adds, without a loop, on operands that are wholly in registers:
m x K values of A, K x n of B. This module reads from the text, for each dot:

- the tile of a lane (m, n, K), from the layout of the result as Triton tiles it: the per-thread block is repeated
  until it covers the tensor, and at least once;
- each operand's chain: the casts between the value that was loaded and the dot, and the shared memory it passes;
- whether A is *pinned*: its registers are loaded before a barrier that follows, so that the compiler cannot move
  these loads down to their uses. A barrier stands between two uses of shared memory; here, where B is stored into
  shared memory (or converted through it) after A was loaded from there, by a block of several warps: one warp needs
  no barrier, and the compiler drops it;
- whether the accumulator holds values when the dot begins (it is not a constant);
- what else a loop carries past the dot: tensors in its iter_args. Of a tensor of pointers, one 64-bit address
  for each run of elements that lie side by side in a lane is counted, the rest being offsets.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from ..layout.encodings import AmdMfma, AmdWmma, Blocked, Distributed, DotOperand, Dpas, NvidiaMma, Slice
from ..ttgir.model import Block, Module, Operand, Operation, Value
from ..ttgir.types import MemDesc, Pointer, Tensor, Type, element_bits

DOT_OPS = frozenset({"tt.dot"})
CAST_OPS = frozenset({"tt.fp_to_fp", "arith.extf"})
"""Casts that go through element by element, so that they can be done on any part of a tensor."""


class Unit(enum.StrEnum):
    """What computes a dot."""

    FMA = "FMA"
    MATRIX = "matrix unit"
    UNKNOWN = "unknown"


class Form(enum.StrEnum):
    """How the slices of a staged dot follow each other."""

    LOOP = "loop"
    UNROLLED = "unrolled"


@dataclass(frozen=True, slots=True)
class Tile:
    """What one lane holds: m rows and n columns of the result, over k products. All in elements."""

    m: int
    n: int
    k: int

    @property
    def fma(self) -> int:
        """Multiply-adds of a lane."""
        return self.m * self.n * self.k


@dataclass(frozen=True, slots=True)
class OperandChain:
    """How an operand came to the dot.

    source: the tensor in registers it starts from, before any cast, or the buffer in shared memory, if nothing
    earlier is known. casts: from the source on, in order. moves: loads from shared memory, stores into it and
    conversions of layouts between. stored_bits: an element of the source; bits: an element at the dot.
    """

    source: Value
    casts: tuple[Operation, ...]
    moves: tuple[Operation, ...]
    stored_bits: int
    bits: int

    @property
    def is_buffer(self) -> bool:
        """The source is in shared memory already."""
        return isinstance(self.source.type, MemDesc)

    @property
    def is_staged(self) -> bool:
        """The operand reaches the dot through shared memory or a conversion of its layout."""
        return bool(self.moves)


@dataclass(frozen=True, slots=True)
class Shape:
    """What the estimate needs of a dot. Bytes unless said otherwise.

    lanes: of a hardware thread. operand, accumulator: an element at the dot. carried: in registers of a lane, by the
    loop around. pinned: see above. live_accumulator: the accumulator holds values when the dot begins.
    """

    lanes: int
    tile: Tile
    operand: int
    accumulator: int
    pinned: bool
    live_accumulator: bool
    carried: int = 0


@dataclass(frozen=True, slots=True)
class Dot:
    """One dot of a module. m, n, k: of the whole tensors. function: its name. layout: of the result.

    target: what the module is compiled for, `xpu`; empty if it does not say.
    """

    op: Operation
    function: str
    unit: Unit
    m: int
    n: int
    k: int
    layout: Distributed | None
    warps: int
    shape: Shape | None
    a: OperandChain
    b: OperandChain
    why_unknown: str = ""
    target: str = ""

    @property
    def stored_bytes(self) -> int:
        """Bytes of both operands as they were loaded, before any cast."""
        return (self.m * self.k * self.a.stored_bits + self.k * self.n * self.b.stored_bits) // 8


def find_dots(module: Module) -> tuple[Dot, ...]:
    """All dots in the order of the text.

    Raises TtgirError for a dot whose types make no sense.
    """
    return tuple(
        _dot(module, function, op) for function in module.functions for op in function.walk() if op.name in DOT_OPS
    )


def _dot(module: Module, function: Operation, op: Operation) -> Dot:
    if len(op.operands) < 3 or len(op.results) != 1:
        raise module.error(op, "a dot has two factors, an accumulator and one result")
    a, b, c = (_tensor(module, op, operand.value.type) for operand in op.operands[:3])
    result = _tensor(module, op, op.result.type)
    if not (len(a.shape) == len(b.shape) == len(result.shape)) or len(result.shape) not in (2, 3):
        raise module.error(op, "the tensors of a dot have two dimensions, or three with a batch")
    (m, k), (k_of_b, n) = a.shape[-2:], b.shape[-2:]
    if k != k_of_b or result.shape[-2:] != (m, n) or c.shape != result.shape:
        raise module.error(op, f"the shapes {_by(a)} * {_by(b)} -> {_by(result)} do not multiply")
    chains = _chain(op.operands[0]), _chain(op.operands[1])
    layout = result.encoding
    unit, why = _unit(layout)
    shape = None
    if unit is Unit.FMA and isinstance(layout, Blocked):
        if len(result.shape) == 2:
            shape = _shape(module, op, layout, (m, n, k), chains, result)
        else:
            unit, why = Unit.UNKNOWN, "batched dots are not estimated"
    known = layout if isinstance(layout, Distributed) else None
    return Dot(op, function.symbol, unit, m, n, k, known, module.num_warps, shape, *chains, why, module.target)


def _tensor(module: Module, op: Operation, of: Type) -> Tensor:
    if not isinstance(of, Tensor):
        raise module.error(op, "an operand or the result of the dot is not a tensor")
    return of


def _by(tensor: Tensor) -> str:
    return "x".join(map(str, tensor.shape))


def _unit(layout: object) -> tuple[Unit, str]:
    match layout:
        case Blocked():
            return Unit.FMA, ""
        case Dpas() | NvidiaMma() | AmdMfma() | AmdWmma():
            return Unit.MATRIX, ""
        case None:
            return Unit.UNKNOWN, "its tensors have no layouts yet"
        case _:
            return Unit.UNKNOWN, "the layout of its result is neither blocked nor a matrix unit's"


def lane_tile(layout: Blocked, m: int, n: int, k: int) -> Tile:
    """The tile of a lane. The layout's tile is repeated over the tensor, and covers it at least once."""
    return Tile(_per_lane(layout, 0, m), _per_lane(layout, 1, n), k)


def _per_lane(layout: Blocked, dim: int, extent: int) -> int:
    size = layout.size_per_thread[dim]
    tile = size * layout.threads_per_warp[dim] * layout.warps_per_cta[dim]
    return size * max(1, -(-extent // tile))


def _shape(
    module: Module, op: Operation, layout: Blocked, extents: tuple[int, int, int],
    chains: tuple[OperandChain, OperandChain], result: Tensor,
) -> Shape:  # fmt: skip
    return Shape(
        lanes=module.threads_per_warp,
        tile=lane_tile(layout, *extents),
        operand=max(1, chains[0].bits // 8),
        accumulator=max(1, element_bits(result) // 8),
        pinned=module.num_warps > 1 and _is_pinned(op, chains),
        live_accumulator=not _is_constant(op.operands[2].value),
        carried=_carried(op),
    )


# -- operands ---------------------------------------------------------------------------------------------


def _chain(operand: Operand) -> OperandChain:
    bits = element_bits(operand.value.type)
    casts: list[Operation] = []
    moves: list[Operation] = []
    value = operand.value
    while (op := value.definition) is not None:
        if op.name in CAST_OPS and len(op.operands) == 1:
            casts.append(op)
        elif _is_move(op):
            moves.append(op)
        else:
            break
        value = op.operands[0].value
    return OperandChain(value, tuple(reversed(casts)), tuple(reversed(moves)), element_bits(value.type), bits)


def _is_move(op: Operation) -> bool:
    if op.name == "ttg.local_load":
        return len(op.operands) == 1
    if op.name == "ttg.local_alloc":
        return len(op.operands) == 1
    if op.name == "ttg.convert_layout":
        # Only the conversion into the operand's own layout: another one is part of the program before.
        return isinstance(op.result.type, Tensor) and isinstance(op.result.type.encoding, DotOperand)
    return False


def _is_constant(value: Value) -> bool:
    op = value.definition
    return op is not None and op.name == "arith.constant"


def _is_pinned(op: Operation, chains: tuple[OperandChain, OperandChain]) -> bool:
    """B is stored into shared memory after A was loaded from it; both in the dot's own block."""
    load = next((m for m in reversed(chains[0].moves) if m.name in ("ttg.local_load", "ttg.convert_layout")), None)
    store = next((m for m in chains[1].moves if m.name in ("ttg.local_alloc", "ttg.convert_layout")), None)
    if load is None or store is None or load.parent is not op.parent or store.parent is not op.parent:
        return False
    return load.span.start < store.span.start


# -- loops ------------------------------------------------------------------------------------------------


def _carried(op: Operation) -> int:
    """Bytes of a lane for what the innermost loop carries besides the accumulator."""
    block = op.parent
    if block is None or not op.loops or block.region.parent is not op.loops[0]:
        return 0
    accumulator = op.operands[2].value
    return sum(_lane_bytes(value.type) for value in _iterated(block) if value is not accumulator)


def _iterated(block: Block) -> Iterator[Value]:
    return (value for value in block.arguments if isinstance(value.type, Tensor))


def _lane_bytes(of: Type) -> int:
    if not isinstance(of, Tensor):
        return 0
    layout = of.encoding
    while isinstance(layout, Slice):
        layout = layout.parent
    if not isinstance(layout, Blocked) or len(layout.size_per_thread) != len(of.shape):
        return 0
    elements = 1
    for dim, extent in enumerate(of.shape):
        elements *= _per_lane(layout, dim, extent)
    if isinstance(of.element, Pointer):
        run = layout.size_per_thread[layout.order[0]]
        return max(1, elements // run) * element_bits(of.element) // 8
    return elements * element_bits(of.element) // 8
