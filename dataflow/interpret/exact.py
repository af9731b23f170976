"""Closures for the instructions that are computed, see `amdgpu.meaning`."""

from __future__ import annotations

from collections.abc import Callable

from ..mir.model import Instruction
from .amdgpu import Form, Meaning, meaning
from .machine import Machine
from .operands import Access, Places, Words, event_key, getter
from .steps import Op
from .words import POISON, Bitwise, bit_of, combine, fingerprint, free_bit, is_plain, nonzero


def compute(i: Instruction, access: Access, places: Places, machine: Machine) -> Op | None:
    """What executes this instruction exactly, or None if it has to be hashed."""
    found = meaning(i)
    if found.form is Form.HASH or bool(i.defs) == (found.form is Form.COMPARE):
        return None
    width = len(access.defs[0]) if i.defs else max((len(u) for u in access.uses), default=1)
    sources = _sources(i, access, places, found, width)
    return _BUILDERS[found.form](_Exact(i, access, places, machine, found, sources)) if sources is not None else None


class _Exact:
    """The pieces a builder works with. target: places of the first definition; sources: places of each source."""

    def __init__(
        self, i: Instruction, access: Access, places: Places, machine: Machine, found: Meaning, sources: list[Words]
    ) -> None:
        self.i, self.access, self.places, self.machine = i, access, places, machine
        self.meaning, self.sources, self.target = found, sources, access.defs[0] if access.defs else ()

    def implicit(self, name: str) -> Words:
        for operand, found in self.access.implicit_uses:
            if operand == name:
                return found
        return ()

    def writes_scc(self) -> bool:
        return any(n == "scc" for n, _ in self.access.implicit_defs)


def _sources(i: Instruction, access: Access, places: Places, found: Meaning, width: int) -> list[Words] | None:
    """Places of the operands that the meaning names, as wide as the result. None if some do not fit."""
    registers = iter(access.uses)
    by_position = {k: next(registers) for k, text in enumerate(i.immediates) if text == "R"}
    result: list[Words] = []
    for number, position in enumerate(found.sources):
        operand = by_position.get(position)
        if operand is None:
            operand = _immediate(i.immediates[position], places, width)
        is_mask = found.form is Form.MASK_SELECT and number == 2
        if operand is None or (len(operand) != width and not is_mask):
            return None
        result.append(operand)
    return result


def _immediate(text: str, places: Places, width: int) -> Words | None:
    try:
        value = int(text)
    except ValueError:
        return None
    bits = places.granule
    return tuple([places.constant(value >> bits * k & (1 << bits) - 1) for k in range(width)])


def _move(x: _Exact) -> Op:
    words, get, target = x.machine.words, getter(x.sources[0]), x.target

    def move() -> None:
        for place, word in zip(target, get(words), strict=True):
            words[place] = word

    return move


def _apply(operation: Bitwise, a: Words, b: Words, machine: Machine) -> Callable[[], list[int]]:
    words, mask = machine.words, machine.mask
    pairs = tuple(zip(a, b, strict=True))

    def apply() -> list[int]:
        result: list[int] = []
        for p, q in pairs:
            x, y = words[p], words[q]
            if x >= 0 <= y:
                result.append(operation(x, y) & mask)
            else:
                result.append(combine(operation, x, y, machine.thread, mask, first=not result))
        return result

    return apply


def _bitwise(x: _Exact) -> Op:
    operation = x.meaning.operation
    assert operation is not None
    words, mask, target, scc, writes_scc = x.machine.words, x.machine.mask, x.target, x.places.scc, x.writes_scc()
    apply = _apply(operation, x.sources[0], x.sources[-1], x.machine)

    def bitwise() -> None:
        values = apply()
        for place, value in zip(target, values, strict=True):
            words[place] = value
        if writes_scc:
            _set_all(words, scc, nonzero(values, mask))

    return bitwise


def _save_exec(x: _Exact) -> Op:
    operation = x.meaning.operation
    assert operation is not None
    words, mask, target, scc, writes_scc = x.machine.words, x.machine.mask, x.target, x.places.scc, x.writes_scc()
    threads = tuple([p for n, places in x.access.implicit_defs if n.startswith("exec") for p in places])
    if len(threads) != len(target):
        threads = x.places.physical("exec")[: len(target)]
    apply = _apply(operation, x.sources[0], threads, x.machine)

    def save_exec() -> None:
        values = apply()
        for place, old, value in zip(target, threads, values, strict=True):
            words[place] = words[old]
            words[old] = value
        if writes_scc:
            _set_all(words, scc, nonzero(values, mask))

    return save_exec


def _set_all(words: list[int], places: Words, value: int) -> None:
    for place in places:
        words[place] = value


def _select(x: _Exact) -> Op:
    words, target, scc = x.machine.words, x.target, x.places.scc[0]
    first, second = getter(x.sources[0]), getter(x.sources[1])
    none = (POISON,) * len(target)

    def select() -> None:
        condition = words[scc]
        values = none if condition < 0 else first(words) if condition & 1 else second(words)
        for place, value in zip(target, values, strict=True):
            words[place] = value

    return select


def _compare(x: _Exact) -> Op | None:
    """Numbers that look like the program's own are compared.

    Hashes are compared by a hash, as most comparisons would always come out the same. Its lowest bit is the
    answer, and opposite comparisons of the same numbers have opposite answers.
    """
    relation = x.meaning.relation
    if relation is None or not x.writes_scc():
        return None
    words, mask, scc, key = x.machine.words, x.machine.mask, x.places.scc, fingerprint(relation.base)
    first, second = getter(x.sources[0]), getter(x.sources[1])
    if relation.swapped:
        first, second = second, first
    bits = x.places.granule
    holds = _HOLDS[relation.base]

    def compare() -> None:
        a, b = first(words), second(words)
        if min(a) < 0 or min(b) < 0:
            _set_all(words, scc, POISON)
        elif a == b or all(is_plain(w, mask) for w in (*a, *b)):
            answer = holds(_number(a, bits, signed=relation.signed), _number(b, bits, signed=relation.signed))
            _set_all(words, scc, int(answer != relation.negated))
        else:
            _set_all(words, scc, free_bit(hash((key, a, b)), mask) ^ relation.negated)

    return compare


_HOLDS: dict[str, Callable[[int, int], bool]] = {"eq": lambda a, b: a == b, "lt": lambda a, b: a < b}


def _number(words: Words, bits: int, *, signed: bool) -> int:
    value = sum(word << bits * k for k, word in enumerate(words))
    return value - (1 << bits * len(words)) if signed and value >> (bits * len(words) - 1) else value


def _mask_select(x: _Exact) -> Op | None:
    mask = x.sources[2] if len(x.sources) > 2 else x.implicit("vcc") or x.implicit("vcc_lo")
    if not mask:
        return None
    machine, words, target, chosen = x.machine, x.machine.words, x.target, mask[0]
    first, second = getter(x.sources[0]), getter(x.sources[1])
    none = (POISON,) * len(target)

    def select() -> None:
        bit = bit_of(words[chosen], machine.thread)
        values = none if bit is None else second(words) if bit else first(words)
        for place, value in zip(target, values, strict=True):
            words[place] = value

    return select


def _halves(x: _Exact) -> list[list[Words]]:
    """For each half of the result, the places of what it reads."""
    half = len(x.target) // 2
    if x.meaning.form is Form.PACKED_MOVE:
        (low,), (high,) = x.meaning.halves
        return [[x.sources[0][low * half : (low + 1) * half]], [x.sources[1][high * half : (high + 1) * half]]]
    return [
        [source[h * half : (h + 1) * half] for source, h in zip(x.sources, chosen, strict=True)]
        for chosen in x.meaning.halves
    ]


def _packed_move(x: _Exact) -> Op:
    low, high = _halves(x)
    return _move(_Exact(x.i, x.access, x.places, x.machine, x.meaning, [(*low[0], *high[0])]))


def _packed(x: _Exact) -> Op:
    words, mask, key = x.machine.words, x.machine.mask, event_key(x.i)
    half = len(x.target) // 2
    (low, high) = ([p for places in reads for p in places] for reads in _halves(x))
    get_low, get_high = getter(tuple(low)), getter(tuple(high))
    targets = (x.target[:half], x.target[half:])

    def packed() -> None:
        for places, operands in zip(targets, (get_low(words), get_high(words)), strict=True):
            for k, place in enumerate(places):
                words[place] = POISON if min(operands) < 0 else hash((key, operands, k)) & mask

    return packed


_BUILDERS: dict[Form, Callable[[_Exact], Op | None]] = {
    Form.MOVE: _move,
    Form.BITWISE: _bitwise,
    Form.NOT: _bitwise,
    Form.SAVE_EXEC: _save_exec,
    Form.SELECT: _select,
    Form.MASK_SELECT: _mask_select,
    Form.COMPARE: _compare,
    Form.PACKED: _packed,
    Form.PACKED_MOVE: _packed_move,
}
