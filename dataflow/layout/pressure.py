"""What the layouts of a kernel cost in registers: each value, each conversion, and all that is live at each dot.

A value costs what its thread's elements take, copies within a thread not counted, in 32-bit registers: elements
of 16 bits share one, pointers take two. A splat or a constant is one element, however large its tensor.

Live at an op is what an operation before it made and it or one after it still needs; what is made outside of a
loop and used inside is live all through the loop. The result of a dot takes the registers of its accumulator if
that dies there. This is an estimate of what the layouts ask for, not of what the backend will do: it may
compute a value again, keep an address as base and offset, or hold masks elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..ttgir.model import Block, Module, Operation, Value
from ..ttgir.types import MemDesc, Tensor, element_bits
from .conversion import Means, Moves, TritonWay, by_triton, counts
from .encodings import Distributed, LayoutError
from .forms import linear_form
from .linear import REGISTER, LinearLayout

DOTS = frozenset({"tt.dot", "tt.dot_scaled", "ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled"})

_ONE_ELEMENT = frozenset({"tt.splat", "arith.constant"})


@dataclass(frozen=True, slots=True)
class Holding:
    """A tensor in registers. elements: a thread holds so many different ones; registers: of 32 bits, that they take.

    replication: how many threads hold each element.
    """

    value: Value
    layout: LinearLayout
    elements: int
    registers: int
    replication: int


@dataclass(frozen=True, slots=True)
class Conversion:
    """A `ttg.convert_layout`. depth: loops around it. shared_bytes: of scratch memory at most, where it needs any."""

    op: Operation
    depth: int
    moves: Moves
    triton: TritonWay
    shared_bytes: int

    @property
    def by_ownership(self) -> Means:
        """What it takes if every place takes the nearest copy."""
        return self.moves.means


@dataclass(frozen=True, slots=True)
class DotCost:
    """What is live at a dot, the largest first, and the elements that a thread holds of A, B and the result.

    Operands in shared or tensor memory hold None.
    """

    op: Operation
    live: tuple[Holding, ...]
    operands: tuple[int | None, int | None]
    result: int | None
    registers: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one function. skipped: values whose layout has no known linear form, and why."""

    function: Operation
    holdings: tuple[Holding, ...]
    conversions: tuple[Conversion, ...]
    dots: tuple[DotCost, ...]
    buffers: tuple[Value, ...]
    skipped: tuple[tuple[Value, str], ...]


def explain(module: Module) -> list[Explanation]:
    """Of all functions of a module, in the order of the text."""
    return [_Function(function).explain() for function in module.functions]


class _Function:
    def __init__(self, function: Operation) -> None:
        self.function = function
        self.forms: dict[tuple[Distributed, tuple[int, ...]], LinearLayout] = {}
        self.holdings: dict[Value, Holding] = {}
        self.skipped: list[tuple[Value, str]] = []
        self.order = {op: at for at, op in enumerate(function.walk())}
        for value in self._values():
            self._hold(value)

    def _values(self) -> Iterator[Value]:
        for op in self.function.walk():
            yield from op.results
            for region in op.regions:
                for block in region.blocks:
                    yield from block.arguments

    def _hold(self, value: Value) -> None:
        type_ = value.type
        if not isinstance(type_, Tensor) or type_.encoding is None:
            return
        if not isinstance(type_.encoding, Distributed):
            self.skipped.append((value, "its layout is not known"))
            return
        try:
            layout = self._form(type_.encoding, type_.shape)
        except LayoutError as error:
            self.skipped.append((value, str(error)))
            return
        definition = value.definition
        single = definition is not None and definition.name in _ONE_ELEMENT
        elements = 1 if single else layout.without_repeated_registers().count(REGISTER)
        registers = -(-elements * element_bits(type_) // 32)
        self.holdings[value] = Holding(value, layout, elements, registers, layout.replication)

    def _form(self, encoding: Distributed, shape: tuple[int, ...]) -> LinearLayout:
        key = encoding, shape
        if key not in self.forms:
            self.forms[key] = linear_form(encoding, shape)
        return self.forms[key]

    def explain(self) -> Explanation:
        conversions = [c for op in self.function.walk() if (c := self._conversion(op)) is not None]
        conversions.sort(key=lambda c: -c.depth)
        dots = tuple(self._dot(op) for op in self.function.walk() if op.name in DOTS)
        buffers = tuple(
            op.results[0]
            for op in self.function.walk()
            if op.name == "ttg.local_alloc" and isinstance(op.results[0].type, MemDesc)
        )
        return Explanation(
            self.function, tuple(self.holdings.values()), tuple(conversions), dots, buffers, tuple(self.skipped)
        )

    def _conversion(self, op: Operation) -> Conversion | None:
        if op.name != "ttg.convert_layout":
            return None
        source, result = op.operands[0].value, op.results[0]
        if source not in self.holdings or result not in self.holdings:
            return None
        a, b = self.holdings[source].layout, self.holdings[result].layout
        way = by_triton(a, b)
        shared = a.size * max(8, element_bits(result.type)) // 8
        needs = way.means in (Means.SHARED_MEMORY, Means.CLUSTER, None)
        return Conversion(op, len(op.loops), counts(a, b), way, shared if needs else 0)

    def _dot(self, op: Operation) -> DotCost:
        live = sorted(
            (holding for value, holding in self.holdings.items() if self._is_live(value, op)),
            key=lambda holding: -holding.registers,
        )
        result = self.holdings.get(op.results[0]) if op.results else None
        accumulator = self.holdings.get(op.operands[2].value) if len(op.operands) > 2 else None
        total = sum(holding.registers for holding in live)
        if result is not None:
            dies = accumulator is not None and not self._is_needed_after(accumulator.value, op)
            total += result.registers - (accumulator.registers if accumulator is not None and dies else 0)

        def elements(at: int) -> int | None:
            holding = self.holdings.get(op.operands[at].value)
            return holding.elements if holding else None

        return DotCost(op, tuple(live), (elements(0), elements(1)), result.elements if result else None, total)

    def _is_live(self, value: Value, at: Operation) -> bool:
        """Whether a value exists when an op begins and that op or a later one needs it."""
        return self._is_made_before(value, at) and (
            any(use.user is at for use in value.uses) or self._is_needed_after(value, at)
        )

    def _is_made_before(self, value: Value, at: Operation) -> bool:
        home = _home(value)
        if home is None:
            return False
        outer = _in_block(at, home)
        if outer is None:
            return False
        definition = value.definition
        return definition is None or (definition is not outer and self.order[definition] < self.order[outer])

    def _is_needed_after(self, value: Value, at: Operation) -> bool:
        home = _home(value)
        loops = [loop for loop in at.loops if home is not None and _in_block(loop, home) is not None]
        for use in {use.user for use in value.uses}:
            if use is at:
                if loops:  # it is needed again when the loop comes round
                    return True
                continue
            if self.order[use] > self.order[at] and not _excludes(at, use):
                return True
            if any(loop in use.ancestors() for loop in loops):
                return True
        return False


def _home(value: Value) -> Block | None:
    """The block that a value is made in."""
    return value.owner.parent if isinstance(value.owner, Operation) else value.owner


def _in_block(op: Operation, block: Block) -> Operation | None:
    """The op of that block which is, or is around, an op."""
    for at in _outwards(op):
        if at.parent is block:
            return at
    return None


def _outwards(op: Operation) -> Iterable[Operation]:
    yield op
    yield from op.ancestors()


def _excludes(a: Operation, b: Operation) -> bool:
    """Whether the two are in different branches of one `scf.if`."""
    for at in _outwards(a):
        block = at.parent
        if block is None or block.region.parent.name != "scf.if":
            continue
        other = next((o for o in _outwards(b) if o.parent_op is block.region.parent), None)
        if other is not None and other.parent is not None and other.parent.region is not block.region:
            return True
    return False
