"""The rewrite that stages a dot: both operands go to shared memory once, and the dot is cut along K.

Of `%d = tt.dot %a, %b, %c` on the FMA path it makes

    %sa = ttg.local_alloc A;  %sb = ttg.local_alloc B              the operands as loaded, before any cast
    for each slice k of K_TILE:
        %va = subview of %sa [:, k];  %vb = subview of %sb [k, :]
        %la = ttg.local_load %va;  %lb = ttg.local_load %vb
        %fa = cast %la;  %fb = cast %lb                             the casts that came before the dot
        %acc = tt.dot %fa, %fb, %acc

as a loop (`scf.for` that carries the accumulator) or unrolled. The last value has the name of the old result, so no
use of it changes. What only the old dot used is removed; all other text stays as it was, character for character.

Sums keep their order: a lane adds the products of one result in the order of K before and after, starting from the
same accumulator, so results are equal to the last bit where the target's dot does the same.

A is stored column by column and B row by row, so that a slice is one run of memory in both. This is not a matter of
taste: Triton 3.3 lowers the load of a part of a buffer with the strides of the part instead of the buffer's, and a
slice of a row-major A came out wrong in all rows but the first, on a GPU.

Triton 3.3 slices a buffer by `ttg.memdesc_subview` at offsets that are values. From 3.4 on it is
`ttg.memdesc_subslice`, whose offsets are constants in the text: there is no loop over them, and only the unrolled
form can be had.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..layout.encodings import SwizzledShared
from ..ttgir.model import Module, Operation, Value
from ..ttgir.source import Span
from ..ttgir.types import MemDesc, Tensor, element_bits
from .dots import Dot, Form, OperandChain


class Dialect(enum.StrEnum):
    """Which Triton the text is for, as far as slices of buffers are spelled."""

    SUBVIEW = "3.3"
    SUBSLICE = "3.4"


class CannotStage(Exception):
    """The rewrite does not apply. The exception's text is one clause that says why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace a range of the text."""

    span: Span
    text: str


_SHARED = (
    "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>",
    "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>",
)
"""Of A and of B: K is the outermost dimension of both, so that a slice is one run of memory."""
_MEMORY = "#ttg.shared_memory"
_TENSOR = re.compile(r"tensor<(?P<dims>(?:\d+x)+)(?P<element>[\w!.]+)(?:, (?P<layout>.*))?>$", re.S)


def dialect_of(module: Module) -> Dialect:
    """What the text itself shows: its ops on buffers, else the name of Intel's dialect, which changed with 3.4."""
    text = module.source.text
    if "ttg.memdesc_subview" in text:
        return Dialect.SUBVIEW
    if "ttg.memdesc_subslice" in text or "ttg.memdesc_index" in text:
        return Dialect.SUBSLICE
    return Dialect.SUBVIEW if "triton_intel_gpu." in text else Dialect.SUBSLICE


def default_form(module: Module) -> Form:
    """The loop where slices at offsets that are values exist: it spills least, and its code is the smallest."""
    return Form.LOOP if dialect_of(module) is Dialect.SUBVIEW else Form.UNROLLED


def other_buffers(dot: Dot) -> int:
    """Bytes of shared memory that hold something across the dot, besides its operands.

    A buffer counts that is filled before the dot and used after it, or by another pass of a loop around the dot.
    """
    function = dot.op
    for function in dot.op.ancestors():
        if function.name in ("tt.func", "func.func"):
            break
    own = {id(op) for op in _only_used_by([dot])} | {id(c.source.definition) for c in (dot.a, dot.b)}
    total = 0
    for op in function.walk():
        if op.name == "ttg.local_alloc" and id(op) not in own and op.span.start < dot.op.span.start:
            of = op.result.type
            last = _last_use(op.result, dot.op)
            if isinstance(of, MemDesc) and last > dot.op.span.start:
                total += math.prod(of.shape) * element_bits(of) // 8
    return total


def _last_use(buffer: Value, dot: Operation) -> int:
    """Where in the text a buffer or a view of it is used last; the end of a loop that it is used in from outside."""
    last = 0
    work = [buffer]
    while work:
        value = work.pop()
        for use in value.uses:
            loops = [op for op in use.user.loops if op in dot.loops and buffer.definition not in set(op.walk())]
            last = max(last, use.user.span.start, *(loop.span.end for loop in loops))
            work += [result for result in use.user.results if isinstance(result.type, MemDesc)]
    return last


@dataclass(frozen=True, slots=True)
class Plan:
    """A dot, and the slices to cut it into."""

    dot: Dot
    k_tile: int


def stage(module: Module, plans: Sequence[Plan], form: Form, dialect: Dialect | None = None) -> str:
    """The text of the module with some of its dots staged; without a plan, the text as it is.

    Raises CannotStage if a dot is not of a form that can be; `check` asks the same of one dot.
    """
    dialect = dialect or dialect_of(module)
    edits = [edit for plan in plans for edit in _replacement(module, plan, form, dialect)]
    removed = _only_used_by([plan.dot for plan in plans])
    edits += [Edit(_whole_line(module.source.text, op.span), "") for op in removed]
    return _apply(module.source.text, edits)


def check(module: Module, plan: Plan, form: Form, dialect: Dialect | None = None) -> None:
    """Raises CannotStage if `stage` would."""
    _replacement(module, plan, form, dialect or dialect_of(module))


def _replacement(module: Module, plan: Plan, form: Form, dialect: Dialect) -> list[Edit]:
    if form is Form.LOOP and dialect is Dialect.SUBSLICE:
        raise CannotStage("from Triton 3.4 on slices of a buffer have constant offsets, so the form is unrolled")
    if module.num_ctas != 1:
        raise CannotStage("the kernel runs in clusters of blocks")
    if not 0 < plan.k_tile < plan.dot.k or plan.dot.k % plan.k_tile:
        raise CannotStage(f"slices of {plan.k_tile} do not divide K = {plan.dot.k}")
    return [_Stager(module, plan.dot, plan.k_tile, form, dialect).edit()]


def _apply(text: str, edits: list[Edit]) -> str:
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.span.start):
        assert edit.span.start >= at, "edits overlap"
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])


class _Stager:
    """Writes the new ops of one dot."""

    def __init__(self, module: Module, dot: Dot, k_tile: int, form: Form, dialect: Dialect) -> None:
        self.module, self.dot, self.k_tile, self.form, self.dialect = module, dot, k_tile, form, dialect
        self.text = module.source.text
        self.shared = tuple(self._alias(attribute) for attribute in _SHARED)
        self.memory = self._alias(_MEMORY)
        self.types = _dot_types(module, dot.op)
        span = dot.op.location_span
        self.location = f" {module.text_of(span)}" if span else ""
        before = self.text[: dot.op.span.start]
        self.indent = before[len(before.rstrip(" 	")) :]
        # Named after the result, so that several staged dots do not meet.
        self.stem = "%staged_" + re.sub(r"\W", "_", dot.op.result.name[1:])
        while re.search(re.escape(self.stem) + r"\w", self.text):
            self.stem += "_"

    def edit(self) -> Edit:
        return Edit(self.dot.op.span, f"\n{self.indent}".join(self._lines()))

    def _alias(self, attribute: str) -> str:
        """The module's own name for an attribute, if it has one."""
        found = re.search(rf"(?m)^(#\w+) = {re.escape(attribute)}$", self.text)
        return found[1] if found else attribute

    def _lines(self) -> Iterator[str]:
        buffers = [_Buffer.of(self, chain, number) for number, chain in enumerate((self.dot.a, self.dot.b))]
        for buffer in buffers:
            if buffer.alloc:
                yield buffer.alloc + self.location
        if self.form is Form.LOOP:
            yield from self._loop(buffers)
        else:
            yield from self._unrolled(buffers)

    def _loop(self, buffers: list[_Buffer]) -> Iterator[str]:
        stem, at = self.stem, self.location
        yield f"{stem}_zero = arith.constant 0 : i32{at}"
        yield f"{stem}_end = arith.constant {self.dot.k} : i32{at}"
        yield f"{stem}_step = arith.constant {self.k_tile} : i32{at}"
        result = self.dot.op.result.name
        start = self.dot.op.operands[2].value.spelling
        kind = self.types[2]
        yield (
            f"{result} = scf.for {stem}_k = {stem}_zero to {stem}_end step {stem}_step"
            f" iter_args({stem}_acc = {start}) -> ({kind})  : i32 {{"
        )
        for line in self._slice(buffers, "", f"{stem}_k", f"{stem}_acc", f"{stem}_sum"):
            yield "  " + line
        yield f"  scf.yield {stem}_sum : {kind}{at}"
        yield f"}}{at}"

    def _unrolled(self, buffers: list[_Buffer]) -> Iterator[str]:
        accumulator = self.dot.op.operands[2].value.spelling
        if self.dialect is Dialect.SUBVIEW:
            yield f"{self.stem}_zero = arith.constant 0 : i32{self.location}"
        for number, k in enumerate(range(0, self.dot.k, self.k_tile)):
            offset = str(k)
            if self.dialect is Dialect.SUBVIEW:
                offset = f"{self.stem}_k{number}"
                yield f"{offset} = arith.constant {k} : i32{self.location}"
            last = k + self.k_tile == self.dot.k
            result = self.dot.op.result.name if last else f"{self.stem}_sum{number}"
            yield from self._slice(buffers, str(number), offset, accumulator, result)
            accumulator = result

    def _slice(self, buffers: list[_Buffer], suffix: str, offset: str, accumulator: str, result: str) -> Iterator[str]:
        zero = f"{self.stem}_zero" if self.dialect is Dialect.SUBVIEW else "0"
        values: list[str] = []
        for buffer, kind in zip(buffers, self.types, strict=False):
            offsets = f"{zero}, {offset}" if buffer.number == 0 else f"{offset}, {zero}"
            yield from (line + self.location for line in buffer.slice_lines(self, suffix, offsets, kind))
            values.append(buffer.last)
        a, b = (_with_k(kind, number, self.k_tile) for number, kind in enumerate(self.types[:2]))
        extra = self._dot_attributes()
        yield (
            f"{result} = tt.dot {values[0]}, {values[1]}, {accumulator}{extra} : {a} * {b} -> {self.types[2]}"
            f"{self.location}"
        )

    def _dot_attributes(self) -> str:
        """What stands between the operands and the colon: precision, and a dictionary."""
        op = self.dot.op
        assert op.signature is not None
        between = self.text[op.operands[2].span.end : op.signature.start]
        return between.rstrip().removesuffix(":").rstrip()


@dataclass(slots=True)
class _Buffer:
    """One operand in shared memory. kind: its type. alloc: the line that makes it, "" if it is there already."""

    number: int
    name: str
    kind: str
    shape: str
    element: str
    alloc: str
    casts: tuple[Operation, ...]
    last: str = ""

    @staticmethod
    def of(stager: _Stager, chain: OperandChain, number: int) -> _Buffer:
        source = chain.source
        if isinstance(source.type, MemDesc):
            return _Buffer._existing(stager, source, chain, number)
        if not isinstance(source.type, Tensor) or not chain.is_staged:
            raise CannotStage(f"operand {'AB'[number]} does not come through shared memory or a change of layout")
        text = _type_text(stager.module, source, chain)
        parts = _TENSOR.match(text)
        if parts is None:
            raise CannotStage(f"the type {text} is not understood")
        shape, element = parts["dims"], parts["element"]
        name = f"{stager.stem}_{'ab'[number]}"
        kind = f"!ttg.memdesc<{shape}{element}, {stager.shared[number]}, {stager.memory}>"
        alloc = f"{name} = ttg.local_alloc {source.spelling} : ({text}) -> {kind}"
        return _Buffer(number, name, kind, shape.rstrip("x"), element, alloc, chain.casts)

    @staticmethod
    def _existing(stager: _Stager, source: Value, chain: OperandChain, number: int) -> _Buffer:
        assert isinstance(source.type, MemDesc)
        load = chain.moves[0]
        text = stager.module.text_of(load.signature) if load.signature else ""
        found = re.match(r"!ttg\.memdesc<(?P<dims>(?:\d+x)+)(?P<element>\w+), (?P<rest>.*)>\s*->", text, re.S)
        if load.name != "ttg.local_load" or found is None or source.type.alloc_shape not in ((), source.type.shape):
            raise CannotStage(f"operand {'AB'[number]} is a part of a buffer that was filled elsewhere")
        if stager.dialect is Dialect.SUBVIEW and not _slices_are_runs(source.type, number):
            raise CannotStage(f"Triton 3.3 would read slices of the buffer of {'AB'[number]} from wrong places")
        kind = text[: text.rindex("->")].rstrip()
        return _Buffer(number, source.spelling, kind, found["dims"].rstrip("x"), found["element"], "", chain.casts)

    def slice_lines(self, stager: _Stager, suffix: str, offsets: str, operand: str) -> Iterator[str]:
        """The view, its load, and the casts; `last` becomes the value at the dot."""
        stem = f"{stager.stem}_{'ab'[self.number]}"
        view, load = f"{stem}_view{suffix}", f"{stem}_load{suffix}"
        dims = self.shape.split("x")
        dims[1 - self.number] = str(stager.k_tile)
        head = f"!ttg.memdesc<{self.shape}x{self.element}"
        part = f"!ttg.memdesc<{'x'.join(dims)}x{self.element}{self.kind[len(head) : -1]}, {self.shape}>"
        name = "memdesc_subview" if stager.dialect is Dialect.SUBVIEW else "memdesc_subslice"
        yield f"{view} = ttg.{name} {self.name}[{offsets}] : {self.kind} -> {part}"
        layout = _TENSOR.match(operand)
        assert layout is not None
        at_k = "x".join(dims)
        kind = f"tensor<{at_k}x{self.element}, {layout['layout']}>"
        yield f"{load} = ttg.local_load {view} : {part} -> {kind}"
        self.last = load
        for number, cast in enumerate(self.casts):
            to = cast.result.type
            assert isinstance(to, Tensor)
            element = _element_text(stager.module, cast)
            after = f"tensor<{at_k}x{element}, {layout['layout']}>"
            value = f"{stem}_cast{number}_{suffix}" if len(self.casts) > 1 else f"{stem}_cast{suffix}"
            arrow = "to" if cast.name.startswith("arith.") else "->"
            between = _attributes_text(stager.module, cast)
            yield f"{value} = {cast.name} {self.last}{between} : {kind} {arrow} {after}"
            self.last, kind = value, after


# -- pieces of text ---------------------------------------------------------------------------------------


def _dot_types(module: Module, op: Operation) -> tuple[str, str, str]:
    """The types of A, B and the result, as written."""
    text = module.text_of(op.signature) if op.signature else ""
    parts = re.fullmatch(r"(tensor<.*>)\s*\*\s*(tensor<.*>)\s*->\s*(tensor<.*>)", text.strip(), re.S)
    if parts is None or not all(_TENSOR.match(part) for part in parts.groups()):
        raise CannotStage("the types of the dot are not written in its usual form")
    return parts[1], parts[2], parts[3]


def _with_k(kind: str, number: int, k_tile: int) -> str:
    """The type of an operand with another K."""
    parts = _TENSOR.match(kind)
    assert parts is not None
    dims = parts["dims"].rstrip("x").split("x")
    dims[1 - number] = str(k_tile)
    return f"tensor<{'x'.join(dims)}x{parts['element']}, {parts['layout']}>"


def _type_text(module: Module, source: Value, chain: OperandChain) -> str:
    """The type of a source as some op of the chain writes it: the first one names it on its left side."""
    user = min((*chain.casts, *chain.moves), key=lambda op: op.span.start)
    assert user.signature is not None
    text = module.text_of(user.signature).strip()
    left = re.split(r"\s+(?:->|to)\s+", text)[0].strip()
    return left.removeprefix("(").removesuffix(")")


def _element_text(module: Module, cast: Operation) -> str:
    assert cast.signature is not None
    right = re.split(r"\s+(?:->|to)\s+", module.text_of(cast.signature).strip())[-1]
    parts = _TENSOR.match(right.strip())
    if parts is None:
        raise CannotStage(f"the type {right} is not understood")
    return parts["element"]


def _attributes_text(module: Module, cast: Operation) -> str:
    """Attributes of a cast, such as its rounding, as written."""
    assert cast.signature is not None
    between = module.source.text[cast.operands[0].span.end : cast.signature.start]
    return between.rstrip().removesuffix(":").rstrip()


def _slices_are_runs(buffer: MemDesc, number: int) -> bool:
    """K, dimension 1 of A and 0 of B, is the outermost one, and nothing is swizzled."""
    layout = buffer.encoding
    k = 1 - number
    return isinstance(layout, SwizzledShared) and layout.max_phase == 1 and layout.order[-1] == k


def _only_used_by(dots: Sequence[Dot]) -> list[Operation]:
    """Ops of the chains that nothing but these dots needs; never the one that makes a chain's source."""
    gone = {id(dot.op) for dot in dots}
    kept = {id(chain.source.definition) for dot in dots for chain in (dot.a, dot.b)}
    removed: list[Operation] = []
    work = [operand.value for dot in dots for operand in dot.op.operands[:2]]
    while work:
        value = work.pop()
        op = value.definition
        if op is None or id(op) in gone or id(op) in kept or not _is_chain_op(op):
            continue
        if any(id(use.user) not in gone for result in op.results for use in result.uses):
            continue
        gone.add(id(op))
        removed.append(op)
        work += [operand.value for operand in op.operands]
    return removed


def _is_chain_op(op: Operation) -> bool:
    if op.name in ("ttg.local_alloc", "ttg.local_load"):
        return len(op.operands) == 1
    return op.name in ("tt.fp_to_fp", "arith.extf", "ttg.convert_layout") and not op.regions


def _whole_line(text: str, span: Span) -> Span:
    """The op with its line, if nothing else stands on it."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end + 1
    if text[start : span.start].strip() or text[span.end : end].strip():
        return span
    return Span(start, end)
