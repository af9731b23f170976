"""From the text of one line to what it reads and writes, lane by lane.

Rules
  Results come first and the assembly spells their width (`mnemonics` says how many there are). Each result location
  is made of all source locations, except where lanes move unchanged: plain moves and spill traffic.
  Spill traffic is `v_writelane_b32` and `v_readlane_b32` with a literal lane, scratch accesses, and buffer accesses
  with an offset but no address register through the private segment's descriptor. A wide access moves one dword a
  lane. An access of less than a dword is a change of that dword.
  EXEC says which threads an instruction changes, not what it computes: it counts as an input only where it is
  written or named. A result that some threads do not write is taken to be written.
  Registers that are chosen at run time (`v_movreld`, `s_set_gpr_idx_on`) are taken to be the ones named.
"""

from __future__ import annotations

import re

from ..mir.model import Role
from ..targets.amdgpu import AMDGPU
from .mnemonics import Shape, shape_of, without_encoding
from .model import AsmInstruction, Flow, Jump, Location
from .registers import is_half, location_of_unit, locations_of

_MODIFIER = re.compile(r"\s+(?=[a-z_0-9]+:|(?:[a-z][a-z_0-9]*)(?:\s|$))")
_WORDS_THAT_ARE_OPERANDS = frozenset(("off", "null"))
_BRACKETS = re.compile(r"[\[(][^\])]*,")
_HIGH_REGISTER = re.compile(r"[vsa](?:\d+|\[[\d:]+\]) /\*([^*]+)\*/")
_SCRATCH = re.compile(r"scratch_(load|store)_(?!lds|block)(\w+)$")
_BUFFER = re.compile(r"buffer_(load|store)_(?!lds|format|d16_format)(\w+)$")
_OFFSET = re.compile(r"(?:inst_)?offset:(-?(?:0x[\da-fA-F]+|\d+))")
_SMALL = re.compile(r"byte|short|_?[bui](?:8|16)(?:_|$)|d16")


_REGISTER = re.compile(r"(?<![\w.\[])(?:[vsa]\d+|[vsa]\[\d+:\d+\]|vcc|exec|m0)(?![\w\[])")


class EffectError(Exception):
    """A line whose operands cannot be told apart. column is 0-based within the line's text."""

    def __init__(self, column: int, message: str) -> None:
        self.column, self.message = column, message
        super().__init__(message)


def read_instruction(text: str, *, folded: bool, private: frozenset[str]) -> AsmInstruction:
    """What a line of assembly says, without its comment.

    folded: the compiler calls it spill code. private: descriptors of scratch memory, such as `s[0:3]`.
    Raises EffectError for unbalanced brackets.
    """
    if "/*" in text:
        text = _HIGH_REGISTER.sub(lambda m: m[1].strip(), text)
    if " :: " in text:
        return _both(text, folded=folded, private=private)
    mnemonic, _, rest = text.partition(" ")
    rest = rest.strip()
    operands, modifiers = _split(rest, len(mnemonic) + 1)
    shape = shape_of(mnemonic, len(operands), modifiers)
    stem = without_encoding(mnemonic)
    spill = _spill_traffic(stem, operands, modifiers, folded=folded, private=private)
    if spill is not None:
        role, flows, extra = spill
        reads = tuple(dict.fromkeys((*(s for _, sources in flows for s in sources), *extra)))
        return AsmInstruction(mnemonic, operands, text, flows, reads, role, folded)
    if shape.jump is Jump.NONE:
        return _ordinary(mnemonic, operands, text, shape, folded=folded)
    target = operands[-1] if operands and shape.jump is not Jump.END else ""
    address = operands[:1] if shape.jump is Jump.INDIRECT else ()
    reads = (*shape.reads, *(location for operand in address for location in locations_of(operand)))
    return AsmInstruction(mnemonic, operands, text, (), reads, Role.ORDINARY, folded, shape.jump, target)


def undefine(registers: str) -> AsmInstruction:
    """The compiler's comment `implicit-def: $sgpr4_sgpr5`: from here the registers hold nothing in particular."""
    flows = tuple((location, ()) for location in _mir_locations(registers))
    return AsmInstruction("implicit-def", (registers,), f"implicit-def {registers}", flows, (), Role.UNDEFINE)


def inline_comment(text: str) -> AsmInstruction | None:
    """A comment inside of inline assembly that stands for code, as compiler tests have it: `; use s4`, `; def s[0:7]`.

    One that begins with `def` writes the registers that it names, all others read them; None if it names none.
    """
    words = " ".join(text.lstrip("; ").split())
    named = tuple(dict.fromkeys(x for operand in _REGISTER.findall(words) for x in locations_of(operand)))
    if not named:
        return None
    flows = tuple((location, ()) for location in named) if words.startswith("def") else ()
    return AsmInstruction("inline-asm", (), f"; {words}", flows, () if flows else named)


def _mir_locations(spelling: str) -> tuple[Location, ...]:
    """The locations of a register as MIR spells it: `$sgpr4_sgpr5`, `$vcc`."""
    return tuple(location_of_unit(u) for u in AMDGPU.physical_units(spelling.lstrip("$"), 32))


def _split(rest: str, start: int) -> tuple[tuple[str, ...], frozenset[str]]:
    """Operands and modifiers. Modifiers follow the last operand, divided by blanks."""
    if not rest:
        return (), frozenset()
    parts = rest.split(",") if not _BRACKETS.search(rest) else _split_nested(rest, start)
    parts = [p.strip() for p in parts]
    last, *modifiers = _words(parts[-1])
    # `tbuffer_load … format:[…]`, `exp mrt0 v0, v1`, `s_waitcnt vmcnt(0) lgkmcnt(0)`: words without a comma
    first = parts[0].split(" ")
    if len(parts) > 1 and len(first) > 1 and " " in parts[0]:
        parts[0:1] = first
    parts[-1] = last
    return tuple(parts), frozenset(modifiers)


def _words(text: str) -> list[str]:
    """Divide at blanks outside of brackets."""
    if " " not in text:
        return [text]
    if "(" not in text and "[" not in text:
        return text.split()
    words: list[str] = []
    depth = 0
    current = ""
    for c in text:
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        if c == " " and depth == 0:
            if current:
                words.append(current)
            current = ""
        else:
            current += c
    return [*words, current] if current else words


def _split_nested(rest: str, start: int) -> list[str]:
    parts: list[str] = []
    depth = begin = 0
    for at, c in enumerate(rest):
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
            if depth < 0:
                raise EffectError(start + at, f"'{c}' without a bracket to close")
        elif c == "," and depth == 0:
            parts.append(rest[begin:at])
            begin = at + 1
    if depth:
        raise EffectError(start + len(rest), "a bracket is not closed")
    parts.append(rest[begin:])
    return parts


def _ordinary(mnemonic: str, operands: tuple[str, ...], text: str, shape: Shape, *, folded: bool) -> AsmInstruction:
    results = [locations_of(o) for o in operands[: shape.results]]
    given = [locations_of(o) for o in operands[shape.results :]]
    if _PACKED.match(mnemonic):
        given = _selected(given, text)
    if shape.moves and not shape.keeps and len(results) == 1 and len(given) == 1:
        return _move(mnemonic, operands, text, results[0], given[0], folded=folded)
    sources = [*shape.reads, *(s for g in given for s in g)]
    keeps = shape.keeps or any(is_half(o) for o in operands[: shape.results])
    if mnemonic.startswith("v_swap_b") and len(results) == 2:
        flows = tuple((a, (b,)) for a, b in (*zip(*results, strict=False), *zip(*results[::-1], strict=False)))
        return AsmInstruction(mnemonic, operands, text, flows, tuple(a for a, _ in flows), Role.COPY, folded)
    if keeps:
        sources += [r for result in results for r in result]
    everything = tuple(dict.fromkeys(sources))
    written = dict.fromkeys((*(r for result in results for r in result), *shape.writes))
    flows = tuple((w, everything) for w in written)
    return AsmInstruction(mnemonic, operands, text, flows, everything, Role.ORDINARY, folded, known=shape.known)


_PACKED = re.compile(r"v_pk_(add|mul|fma)_f32\b")
_SELECT = {0: re.compile(r"\bop_sel:\[([01,]+)\]"), 1: re.compile(r"\bop_sel_hi:\[([01,]+)\]")}
"""Which dword of each operand makes the low result, and which the high one. Said only where it is not 0 and 1."""


def _selected(given: list[tuple[Location, ...]], text: str) -> list[tuple[Location, ...]]:
    """The dwords that a packed operation takes of its operands: often one alone, and the other is undefined."""
    chosen: list[set[int]] = [set() for _ in given]
    for plain, pattern in _SELECT.items():
        said = pattern.search(text)
        bits = [int(bit) for bit in said[1].split(",")] if said else []
        for k, choice in enumerate(chosen):
            choice.add(bits[k] if k < len(bits) else plain)
    return [
        tuple(location for k, location in enumerate(locations) if k in choice) if len(locations) == 2 else locations
        for locations, choice in zip(given, chosen, strict=True)
    ]


def _move(
    mnemonic: str,
    operands: tuple[str, ...],
    text: str,
    result: tuple[Location, ...],
    given: tuple[Location, ...],
    *,
    folded: bool,
) -> AsmInstruction:
    if not given:
        flows: tuple[Flow, ...] = tuple((r, ()) for r in result)
        return AsmInstruction(mnemonic, operands, text, flows, (), Role.CONSTANT, folded)
    flows = tuple((r, (g,)) for r, g in zip(result, given, strict=False))
    return AsmInstruction(mnemonic, operands, text, flows, given, Role.COPY, folded)


# -- spill traffic --------------------------------------------------------------------------------------------------

_Traffic = tuple[Role, tuple[Flow, ...], tuple[Location, ...]]


def _spill_traffic(
    stem: str, operands: tuple[str, ...], modifiers: frozenset[str], *, folded: bool, private: frozenset[str]
) -> _Traffic | None:
    """Role, flows, and what else is read; None for everything that is not spill traffic."""
    if stem in ("v_writelane_b32", "v_readlane_b32"):
        return _lane_traffic(stem, operands)
    found = _SCRATCH.match(stem)
    if found:
        return _scratch_traffic(found[1], found[2], operands, modifiers)
    found = _BUFFER.match(stem)
    if found and len(operands) == 4 and operands[1] == "off" and (folded or operands[2] in private):
        return _buffer_traffic(found[1], found[2], operands, modifiers)
    return None


def _lane_traffic(stem: str, operands: tuple[str, ...]) -> _Traffic | None:
    if len(operands) != 3 or not operands[2].isdigit():
        return None
    lane = int(operands[2])
    if stem == "v_writelane_b32":
        sources = locations_of(operands[1])
        return Role.LANE_SAVE, ((f"{operands[0]}[{lane}]", sources[:1]),), ()
    result = locations_of(operands[0])
    return Role.LANE_RESTORE, tuple((r, (f"{operands[1]}[{lane}]",)) for r in result), ()


def _scratch_traffic(
    direction: str, width: str, operands: tuple[str, ...], modifiers: frozenset[str]
) -> _Traffic | None:
    if len(operands) != 3 or "lds" in modifiers:
        return None
    data, address = (operands[0], operands[1]) if direction == "load" else (operands[1], operands[0])
    base = operands[2]
    if address != "off":
        return _unknown_address(direction, width, data, locations_of(address) + locations_of(base))
    where = "" if base == "off" else base
    return _memory_traffic(direction, width, data, where, _offset(modifiers))


def _buffer_traffic(direction: str, width: str, operands: tuple[str, ...], modifiers: frozenset[str]) -> _Traffic:
    where = operands[3] if locations_of(operands[3]) else ""
    constant = int(operands[3], 0) if re.match(r"\d|0x", operands[3]) else 0
    return _memory_traffic(direction, width, operands[0], where, constant + _offset(modifiers))


def _memory_traffic(direction: str, width: str, data: str, where: str, offset: int) -> _Traffic:
    registers = locations_of(data)
    words = [scratch_word(where, offset + 4 * k) for k in range(max(1, len(registers)))]
    small = bool(_SMALL.search(width))
    if direction == "store":
        extra = [(w,) if small else () for w in words]
        flows = tuple((w, (r, *e)) for w, r, e in zip(words, registers, extra, strict=False))
        return (Role.ORDINARY if small else Role.SAVE), flows, ()
    flows = tuple((r, (w, r) if "d16" in width else (w,)) for r, w in zip(registers, words, strict=False))
    return (Role.ORDINARY if small else Role.RESTORE), flows, ()


def _unknown_address(direction: str, width: str, data: str, address: tuple[Location, ...]) -> _Traffic:
    """An array in scratch memory: what is read may come from any store, so it is a source of its own."""
    registers = locations_of(data)
    if direction == "store":
        return Role.ORDINARY, (), (*registers, *address)
    kept = registers if "d16" in width else ()
    return Role.ORDINARY, tuple((r, (*address, *kept)) for r in registers), ()


def scratch_word(base: str, offset: int) -> Location:
    """The location of the scratch dword at a byte offset, from a register or from the start of the frame."""
    return f"scratch({base})+{offset // 4 * 4}" if base else f"scratch+{offset // 4 * 4}"


def _offset(modifiers: frozenset[str]) -> int:
    for modifier in modifiers:
        found = _OFFSET.match(modifier)
        if found:
            return int(found[1], 0)
    return 0


def _both(text: str, *, folded: bool, private: frozenset[str]) -> AsmInstruction:
    """Two instructions of one bundle, `v_dual_… :: v_dual_…`: both read before either writes."""
    halves = [
        read_instruction(half.replace("v_dual_", "v_", 1).strip(), folded=folded, private=private)
        for half in text.split(" :: ")
    ]
    flows = tuple(flow for half in halves for flow in half.flows)
    reads = tuple(dict.fromkeys(r for half in halves for r in half.reads))
    role = Role.COPY if all(h.role is Role.COPY for h in halves) else Role.ORDINARY
    return AsmInstruction(
        text.split(" ", 1)[0], tuple(o for h in halves for o in h.operands), text, flows, reads, role, folded,
        known=all(h.known for h in halves),
    )  # fmt: skip
