"""What is known of integers and pointers along each dimension: contiguity, divisibility, constancy.

A forward analysis over TTIR or TTGIR, the one that Triton's coalescing rests on.

Lattice: for each dimension three powers of two (they may be larger than the tensor), and a constant or none.
- contiguity c: each aligned group of c neighbours counts up by one (pointers: by one element);
- divisibility d: the first of each group is a multiple of d (pointers: of d bytes);
- constancy k: each aligned group of k neighbours is the same value.
Join: the greatest common divisor of each; the constant if both are the same.

Transfer: a rule for each op below; an op without a rule knows nothing of its results: 1, 1, 1. Attributes
`tt.contiguity`, `tt.divisibility` and `tt.constancy`, on arguments of functions or on ops, are believed.
Arguments of loops begin with what enters the loop and join what the loop's end yields until nothing changes;
that ends, since a divisor of a power of two can only shrink so often.

What it proves: nothing about overflow. Like Triton, it takes additions and multiplications to be those of the
integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..ttgir.model import Block, Module, Operation, Value
from ..ttgir.types import Attribute, Dense, Pointer, Tensor, Type, element_bits

HUGE = 1 << 62
"""The divisibility of zero."""


@dataclass(frozen=True, slots=True)
class Axes:
    """What is known of a value, one entry for each dimension; a scalar has one. constant: of all its elements."""

    contiguity: tuple[int, ...]
    divisibility: tuple[int, ...]
    constancy: tuple[int, ...]
    constant: int | None = None

    @property
    def rank(self) -> int:
        """Dimensions."""
        return len(self.contiguity)

    def join(self, other: Axes) -> Axes:
        """What holds of either."""
        return Axes(
            _gcds(self.contiguity, other.contiguity),
            _gcds(self.divisibility, other.divisibility),
            _gcds(self.constancy, other.constancy),
            self.constant if self.constant == other.constant else None,
        )


def _gcds(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.gcd(x, y) for x, y in zip(a, b, strict=True))


def largest_power(value: int) -> int:
    """The largest power of two that divides a number."""
    return HUGE if value == 0 else min(value & -value, HUGE)


def _shape(of: Type) -> tuple[int, ...]:
    return of.shape or (1,) if isinstance(of, Tensor) else (1,)


def _nothing(of: Type) -> Axes:
    ones = (1,) * len(_shape(of))
    return Axes(ones, ones, ones)


@dataclass(slots=True)
class AxisAnalysis:
    """The facts of one module; ask `of` for those of a value."""

    module: Module
    _facts: dict[Value, Axes] = field(default_factory=dict[Value, Axes])
    _changed: bool = False

    @staticmethod
    def run(module: Module) -> AxisAnalysis:
        """Analyse all functions of a module."""
        analysis = AxisAnalysis(module)
        for function in module.functions:
            for argument in function.regions[0].entry.arguments:
                analysis._facts[argument] = _believe(_nothing(argument.type), argument.attributes)
            again = True
            while again:
                analysis._changed = False
                analysis._region_of(function)
                again = analysis._changed
        return analysis

    def of(self, value: Value) -> Axes:
        """What is known of a value: nothing if it is defined in no function."""
        return self._facts.get(value) or _nothing(value.type)

    def _region_of(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inside in block.operations:
                    self._visit(inside)
                    self._pass_on(inside, block)

    def _visit(self, op: Operation) -> None:
        if op.name == "scf.for":
            self._enter_loop(op)
        elif op.name == "scf.while":
            self._enter(op.regions[0].entry, [o.value for o in op.operands])
        self._region_of(op)
        if op.name in ("scf.for", "scf.while", "scf.if"):
            return  # their results are what their regions yield
        for result in op.results:
            rule = _RULES.get(op.name)
            facts = rule(op, result, [self.of(o.value) for o in op.operands]) if rule else _nothing(result.type)
            self._set(result, _believe(facts, op.attributes))

    def _set(self, value: Value, facts: Axes) -> None:
        if self._facts.get(value) != facts:
            self._facts[value] = facts
            self._changed = True

    def _join(self, value: Value, facts: Axes) -> None:
        known = self._facts.get(value)
        self._set(value, facts if known is None else known.join(facts))

    def _enter_loop(self, op: Operation) -> None:
        counter, *arguments = op.regions[0].entry.arguments
        lower, _, step, *initial = [o.value for o in op.operands]
        divisor = math.gcd(self.of(lower).divisibility[0], self.of(step).divisibility[0])
        self._set(counter, Axes((1,), (divisor,), (1,)))
        for argument, value in zip(arguments, initial, strict=True):
            self._join(argument, self.of(value))
        for result, value in zip(op.results, initial, strict=True):
            self._join(result, self.of(value))

    def _enter(self, block: Block, values: Sequence[Value]) -> None:
        for argument, value in zip(block.arguments, values, strict=False):
            self._join(argument, self.of(value))

    def _pass_on(self, op: Operation, block: Block) -> None:
        """What a terminator hands over."""
        parent = block.region.parent
        values = [o.value for o in op.operands]
        if op.name == "scf.yield" and parent.name == "scf.for":
            self._enter_all((parent.regions[0].entry.arguments[1:], parent.results), values)
        elif op.name == "scf.yield" and parent.name == "scf.if":
            self._enter_all((parent.results,), values)
        elif op.name == "scf.yield" and parent.name == "scf.while":
            self._enter(parent.regions[0].entry, values)
        elif op.name == "scf.condition":
            self._enter_all((parent.results, parent.regions[1].entry.arguments), values[1:])
        elif op.successors:
            # Which operands go to which block is not told by the model: types and numbers mostly do.
            for label in op.successors:
                for target in block.region.blocks:
                    if target.label == label:
                        for argument in target.arguments:
                            self._set(argument, _nothing(argument.type))

    def _enter_all(self, targets: Sequence[Sequence[Value]], values: Sequence[Value]) -> None:
        for target in targets:
            for value, given in zip(target, values, strict=True):
                self._join(value, self.of(given))


# Hints


def _believe(facts: Axes, attributes: Mapping[str, Attribute]) -> Axes:
    def hint(name: str, known: tuple[int, ...]) -> tuple[int, ...]:
        value = attributes.get(name)
        if isinstance(value, Dense):
            value = value.value
            if isinstance(value, str):
                value = tuple(int(part) for part in value.strip("[] ").split(",") if part.strip())
        if isinstance(value, int):
            return (int(value),) * len(known)
        if isinstance(value, tuple) and len(value) == len(known):
            return tuple(v if isinstance(v, int) else k for v, k in zip(value, known, strict=True))
        return known

    return Axes(
        hint("tt.contiguity", facts.contiguity),
        hint("tt.divisibility", facts.divisibility),
        hint("tt.constancy", facts.constancy),
        facts.constant,
    )


# Rules: (op, result, facts of the operands) -> facts of the result

_Rule = Callable[[Operation, Value, Sequence[Axes]], Axes]


def _of_constant(value: int, of: Type) -> Axes:
    shape = _shape(of)
    return Axes((1,) * len(shape), (largest_power(value),) * len(shape), shape, value)


def _constant(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    value = op.attributes.get("value")
    if isinstance(value, Dense):
        value = value.value
    return _of_constant(int(value), result.type) if isinstance(value, int) else _nothing(result.type)


def _make_range(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    start, end = op.attributes.get("start"), op.attributes.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return _nothing(result.type)
    return Axes((end - start,), (largest_power(start),), (1,))


def _same(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    return operands[0]


def _splat(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    shape = _shape(result.type)
    return Axes((1,) * len(shape), operands[0].divisibility[:1] * len(shape), shape, operands[0].constant)


def _expand_dims(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    (known,) = operands
    axis = op.attributes.get("axis")
    assert isinstance(axis, int)
    if known.constant is not None:
        divisor = largest_power(known.constant)
    else:  # of a group that counts up only the first is divisible
        divisor = math.gcd(*(1 if c > 1 else d for c, d in zip(known.contiguity, known.divisibility, strict=True)))

    def put(values: tuple[int, ...], new: int) -> tuple[int, ...]:
        return (*values[:axis], new, *values[axis:])

    return Axes(put(known.contiguity, 1), put(known.divisibility, divisor), put(known.constancy, 1), known.constant)


def _broadcast(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    (known,) = operands
    before, after = _shape(op.operands[0].value.type), _shape(result.type)
    grown = [b == 1 for b in before]
    return Axes(
        tuple(1 if g else c for g, c in zip(grown, known.contiguity, strict=True)),
        known.divisibility,
        tuple(a if g else k for g, k, a in zip(grown, known.constancy, after, strict=True)),
        known.constant,
    )


def _trans(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    order = op.attributes.get("order")
    (known,) = operands
    if not isinstance(order, tuple):
        return _nothing(result.type)
    dims = [dim for dim in order if isinstance(dim, int)]
    return Axes(
        tuple(known.contiguity[dim] for dim in dims),
        tuple(known.divisibility[dim] for dim in dims),
        tuple(known.constancy[dim] for dim in dims),
        known.constant,
    )


def _zip(a: Axes, b: Axes, rule: Callable[[int], int]) -> tuple[int, ...]:
    return tuple(rule(dim) for dim in range(min(a.rank, b.rank)))


def _add(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    scale = 1
    if op.name == "tt.addptr":
        pointer = op.operands[0].value.type
        element = pointer.element if isinstance(pointer, Tensor) else pointer
        scale = max(1, element_bits(element.pointee) // 8) if isinstance(element, Pointer) else 1
    minus = op.name == "arith.subi"

    def contiguity(dim: int) -> int:
        counting = math.gcd(a.contiguity[dim], b.constancy[dim])
        return counting if minus else max(counting, math.gcd(a.constancy[dim], b.contiguity[dim]))

    def divisibility(dim: int) -> int:
        left, right = a.divisibility[dim], _product(b.divisibility[dim], scale)
        both = math.gcd(left, right)
        if a.contiguity[dim] > 1 and b.contiguity[dim] > 1:
            if minus and a.contiguity[dim] == b.contiguity[dim]:
                return both
            return 2 if both > 1 else 1
        if a.contiguity[dim] > 1 or b.contiguity[dim] > 1:
            # The first of a group of the result may lie inside of a group of the operand.
            return math.gcd(both, _product(contiguity(dim), scale))
        return both

    if a.constant is not None and b.constant is not None:
        constant = a.constant - b.constant if minus else a.constant + b.constant * scale
        return _of_constant(constant, result.type)
    return Axes(_zip(a, b, contiguity), _zip(a, b, divisibility), _gcds(a.constancy, b.constancy))


def _product(a: int, b: int) -> int:
    return min(HUGE, a * b)


def _multiply(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]

    def contiguity(dim: int) -> int:
        return max(a.contiguity[dim] if b.constant == 1 else 1, b.contiguity[dim] if a.constant == 1 else 1)

    def divisibility(dim: int) -> int:
        left = 1 if a.contiguity[dim] > 1 and b.constant != 1 else a.divisibility[dim]
        right = 1 if b.contiguity[dim] > 1 and a.constant != 1 else b.divisibility[dim]
        return _product(left, right)

    if a.constant is not None and b.constant is not None:
        return _of_constant(a.constant * b.constant, result.type)
    return Axes(_zip(a, b, contiguity), _zip(a, b, divisibility), _gcds(a.constancy, b.constancy))


def _counts_over_constant(a: Axes, b: Axes, shape: Sequence[int], dim: int) -> bool:
    """A whole dimension that counts up, against one that is the same all along."""
    return a.contiguity[dim] == shape[dim] and b.constancy[dim] == shape[dim]


def _divide(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    shape = _shape(result.type)

    def constancy(dim: int) -> int:
        both = math.gcd(a.constancy[dim], b.constancy[dim])
        if isinstance(result.type, Tensor) and _counts_over_constant(a, b, shape, dim):
            group = math.gcd(a.contiguity[dim], math.gcd(a.divisibility[dim], b.divisibility[dim]))
            return max(both, group)
        return both

    def divisibility(dim: int) -> int:
        if a.constant == 0 or b.constant == 1:
            return a.divisibility[dim]
        if b.constant is not None and b.constant > 1 and a.contiguity[dim] == 1:
            return (
                max(1, a.divisibility[dim] // largest_power(b.constant))
                if b.constant == largest_power(b.constant)
                else 1
            )
        return 1

    if a.constant is not None and b.constant:
        quotient = int(a.constant / b.constant) if op.name == "arith.divsi" else a.constant // b.constant
        return _of_constant(quotient, result.type)
    contiguity = a.contiguity if b.constant == 1 else (1,) * a.rank
    return Axes(contiguity, _zip(a, b, divisibility), _zip(a, b, constancy))


def _remainder(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    shape = _shape(result.type)

    def contiguity(dim: int) -> int:
        if b.constant == 1:
            return 1
        if isinstance(result.type, Tensor) and _counts_over_constant(a, b, shape, dim):
            return math.gcd(a.contiguity[dim], math.gcd(a.divisibility[dim], b.divisibility[dim]))
        return 1

    def divisibility(dim: int) -> int:
        both = math.gcd(a.divisibility[dim], b.divisibility[dim])
        group = contiguity(dim)
        return math.gcd(both, group) if max(a.contiguity[dim], b.contiguity[dim]) > group else both

    if b.constant == 1:
        return _of_constant(0, result.type)
    if a.constant is not None and b.constant:
        return _of_constant(int(math.fmod(a.constant, b.constant)), result.type)
    return Axes(_zip(a, b, contiguity), _zip(a, b, divisibility), _gcds(a.constancy, b.constancy))


def _compare(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    shape = _shape(result.type)
    ordered = {
        "sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule",
    }.intersection(op.keywords)  # fmt: skip

    def constancy(dim: int) -> int:
        both = math.gcd(a.constancy[dim], b.constancy[dim])
        if not isinstance(result.type, Tensor) or not ordered:
            return both
        group = math.gcd(a.divisibility[dim], b.divisibility[dim])
        if _counts_over_constant(a, b, shape, dim) and {"sge", "slt", "uge", "ult"} & ordered:
            return max(both, math.gcd(a.contiguity[dim], group))
        if _counts_over_constant(b, a, shape, dim) and {"sgt", "sle", "ugt", "ule"} & ordered:
            return max(both, math.gcd(b.contiguity[dim], group))
        return both

    ones = (1,) * a.rank
    return Axes(ones, ones, _zip(a, b, constancy))


def _bitwise(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    if a.constant is not None and b.constant is not None:
        x, y = a.constant, b.constant
        return _of_constant({"arith.andi": x & y, "arith.ori": x | y, "arith.xori": x ^ y}[op.name], result.type)
    ones = (1,) * a.rank
    return Axes(ones, ones, _gcds(a.constancy, b.constancy))


def _shift_left(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    shift = b.constant
    by_nothing = shift == 0

    def divisibility(dim: int) -> int:
        left = 1 if a.contiguity[dim] > 1 and not by_nothing else a.divisibility[dim]
        return _product(left, 1 << min(shift, 62)) if shift is not None and shift >= 0 else 1

    if a.constant is not None and shift is not None and 0 <= shift < 64:
        return _of_constant(a.constant << shift, result.type)
    contiguity = a.contiguity if by_nothing else (1,) * a.rank
    return Axes(contiguity, _zip(a, b, divisibility), _gcds(a.constancy, b.constancy))


def _shift_right(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    a, b = operands[:2]
    shift = b.constant
    by_nothing = shift == 0

    def divisibility(dim: int) -> int:
        if by_nothing:
            return a.divisibility[dim]
        if shift is None or a.contiguity[dim] > 1 or shift < 0:
            return 1
        return max(1, a.divisibility[dim] >> min(shift, 62))

    if a.constant is not None and shift is not None and 0 <= shift < 64:
        return _of_constant(a.constant >> shift, result.type)
    contiguity = a.contiguity if by_nothing else (1,) * a.rank
    return Axes(contiguity, _zip(a, b, divisibility), _gcds(a.constancy, b.constancy))


def _extreme(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    """Minimum and maximum of integers."""
    a, b = operands[:2]
    if a.constant is not None and b.constant is not None:
        return _of_constant((max if "max" in op.name else min)(a.constant, b.constant), result.type)
    # Where an operand counts up, the other may be taken in the middle of a group.
    both = _gcds(a.divisibility, b.divisibility)
    counting = [max(x, y) > 1 for x, y in zip(a.contiguity, b.contiguity, strict=True)]
    divisibility = tuple(1 if counts else d for counts, d in zip(counting, both, strict=True))
    return Axes((1,) * a.rank, divisibility, _gcds(a.constancy, b.constancy))


def _select(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    if len(operands) < 3:
        return _nothing(result.type)
    condition, a, b = operands[:3]
    if condition.rank != a.rank:
        condition = Axes(a.contiguity, a.divisibility, _shape(result.type))

    def group(dim: int, of: tuple[int, ...], other: tuple[int, ...]) -> int:
        return math.gcd(condition.constancy[dim], math.gcd(of[dim], other[dim]))

    def divisibility(dim: int) -> int:
        both = math.gcd(a.divisibility[dim], b.divisibility[dim])
        counts = group(dim, a.contiguity, b.contiguity)
        return math.gcd(both, counts) if max(a.contiguity[dim], b.contiguity[dim]) > counts else both

    return Axes(
        _zip(a, b, lambda dim: group(dim, a.contiguity, b.contiguity)),
        _zip(a, b, divisibility),
        _zip(a, b, lambda dim: group(dim, a.constancy, b.constancy)),
        a.constant if a.constant is not None and a.constant == b.constant else None,
    )


def _load(op: Operation, result: Value, operands: Sequence[Axes]) -> Axes:
    """The same address gives the same value; a mask that changes may give another one."""
    known = operands[0]
    constancy = _gcds(known.constancy, operands[1].constancy) if len(operands) > 1 else known.constancy
    ones = (1,) * known.rank
    return Axes(ones, ones, constancy)


_RULES: Mapping[str, _Rule] = {
    "arith.constant": _constant,
    "tt.make_range": _make_range,
    "tt.splat": _splat,
    "tt.expand_dims": _expand_dims,
    "tt.broadcast": _broadcast,
    "tt.trans": _trans,
    "tt.load": _load,
    "tt.addptr": _add,
    "arith.addi": _add,
    "arith.subi": _add,
    "arith.muli": _multiply,
    "arith.divsi": _divide,
    "arith.divui": _divide,
    "arith.remsi": _remainder,
    "arith.remui": _remainder,
    "arith.cmpi": _compare,
    "arith.andi": _bitwise,
    "arith.ori": _bitwise,
    "arith.xori": _bitwise,
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _shift_right,
    "arith.select": _select,
    **dict.fromkeys(("arith.minsi", "arith.minui", "arith.maxsi", "arith.maxui"), _extreme),
    **dict.fromkeys(
        """arith.extsi arith.extui arith.trunci arith.bitcast arith.index_cast tt.bitcast tt.int_to_ptr tt.ptr_to_int
        ttg.convert_layout builtin.unrealized_conversion_cast""".split(),
        _same,
    ),
}
