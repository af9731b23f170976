"""Damages allocated code on purpose, one small change at a time, to see whether the check notices.

A *site* is a place where a kind of damage can be done, a *mutant* the function with that damage. Sites are found
without making mutants, so that a few of very many can be chosen; a mutant shares all blocks but one with its
original. Every kind is something that a faulty allocator could do:

    drop-save, drop-restore, drop-copy   one move is not there
    drop-loop-save                       a slot is saved inside and outside of a loop, and not inside any more
    other-slot                           a save or a reload of another slot of the same size
    other-lane                           another sub-register of the same width, or another spill lane
    shrink-save                          the upper half of what was saved is not
    other-register                       an operand in another register of the same kind and width
    swap-operands                        two operands of an instruction in each other's place
    late-save                            the save comes after the next definition of what it saves
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .cfg import build_cfg
from .mir.model import Block, Flag, Instruction, MachineFunction, Register, Role
from .mir.printer import print_operation, print_register
from .targets.base import Target

_SAVES = frozenset((Role.SAVE, Role.LANE_SAVE))
_RESTORES = frozenset((Role.RESTORE, Role.LANE_RESTORE))
_MOVED = {Role.SAVE: (0,), Role.RESTORE: (0,), Role.LANE_SAVE: (1,), Role.LANE_RESTORE: (0,)}
"""Which operand of spill code is moved, results first; the others are where it is moved to or from."""
_LANE_MOVES = frozenset((Role.LANE_SAVE, Role.LANE_RESTORE))
_WIDTH = re.compile(r"(?<=[A-Z])\d+(?=_SAVE)")
_MOST_CHOICES = 3
"""Sites at one place of one kind: so many other slots, lanes or registers are tried."""


class MutantKind(enum.StrEnum):
    """What is damaged (see the module's header)."""

    DROP_SAVE = "drop-save"
    DROP_RESTORE = "drop-restore"
    DROP_COPY = "drop-copy"
    DROP_LOOP_SAVE = "drop-loop-save"
    OTHER_SLOT = "other-slot"
    OTHER_LANE = "other-lane"
    SHRINK_SAVE = "shrink-save"
    OTHER_REGISTER = "other-register"
    SWAP_OPERANDS = "swap-operands"
    LATE_SAVE = "late-save"


@dataclass(frozen=True, slots=True)
class Site:
    """A place to damage. block: its position in the function; index: of the instruction; new: what comes instead.

    new is None where the instruction goes; to: where it goes in the block, or None if it stays.
    """

    kind: MutantKind
    block: int
    index: int
    new: Instruction | None
    to: int | None = None


def find_sites(before: MachineFunction, after: MachineFunction, target: Target) -> Iterator[Site]:
    """Every site of a function after an allocation, or after a part of it.

    before: the function before it. Spill lanes that are there already are the work of an earlier allocation: to this
    one they are instructions like others, and moving them is none of its business.
    """
    is_first = not any(i.role in _LANE_MOVES for b in before.blocks for i in b.instructions)
    yield from _Finder(after, target, frozenset[Role]() if is_first else _LANE_MOVES).run()


def mutate(function: MachineFunction, site: Site) -> MachineFunction:
    """The damaged function. Raises IndexError if the site is of another function."""
    block = function.blocks[site.block]
    instructions, lines = list(block.instructions), list(block.lines)
    old, line = instructions.pop(site.index), lines.pop(site.index)
    if site.to is not None:
        instructions.insert(site.to - 1, old)
        lines.insert(site.to - 1, line)
    elif site.new is not None:
        instructions.insert(site.index, site.new)
        lines.insert(site.index, line)
    damaged = dataclasses.replace(block, instructions=instructions, lines=lines)
    blocks = [damaged if k == site.block else b for k, b in enumerate(function.blocks)]
    return dataclasses.replace(function, blocks=blocks)


def describe(function: MachineFunction, site: Site) -> str:
    """`bb.3, line 120: drop-save: SI_SPILL_S64_SAVE …`, with what comes instead."""
    block = function.blocks[site.block]
    old = block.instructions[site.index]
    text = f"{block.label}, line {block.lines[site.index]}: {site.kind}: {print_operation(old)}"
    if site.new is not None:
        return f"{text} -> {print_operation(site.new)}"
    return text if site.to is None else f"{text} -> after {print_operation(block.instructions[site.to - 1])}"


class _Finder:
    def __init__(self, function: MachineFunction, target: Target, spared: frozenset[Role]) -> None:
        self._function, self._target = function, target
        self._spared = spared | {Role.NOTHING, Role.UNDEFINE}
        self._in_loop = _blocks_in_loops(function)
        self._registers: dict[tuple[str, int], list[Register]] = {}
        self._lanes: dict[str, list[str]] = {}
        self._slots: dict[str, list[bool]] = {}
        seen: set[str] = set()
        for block in function.blocks:
            for i in block.instructions:
                self._learn(i, seen, in_loop=block.number in self._in_loop)

    def _learn(self, i: Instruction, seen: set[str], *, in_loop: bool) -> None:
        for operand in (*i.defs, *i.uses):
            key = self._kind_of(operand)
            if key is not None and operand.spelling not in seen:
                seen.add(operand.spelling)
                self._registers.setdefault(key, []).append(operand)
        if i.role in (Role.LANE_SAVE, Role.LANE_RESTORE):
            lanes = self._lanes.setdefault(_vector(i).spelling, [])
            if i.slot not in lanes:
                lanes.append(i.slot)
        if i.role is Role.SAVE:
            self._slots.setdefault(i.slot, []).append(in_loop)

    def run(self) -> Iterator[Site]:
        for number, block in enumerate(self._function.blocks):
            for index, instruction in enumerate(block.instructions):
                if instruction.role in self._spared:
                    continue
                yield from self._drops(number, index, instruction, block)
                if instruction.role is Role.SAVE:
                    yield from self._late(number, index, block)
                for kind, new in self._changes(instruction):
                    if print_operation(new) != print_operation(instruction):
                        yield Site(kind, number, index, self._target.classify(new))

    def _drops(self, number: int, index: int, i: Instruction, block: Block) -> Iterator[Site]:
        if i.role is Role.SAVE and block.number in self._in_loop and False in self._slots[i.slot]:
            yield Site(MutantKind.DROP_LOOP_SAVE, number, index, None)
        elif i.role in _SAVES:
            yield Site(MutantKind.DROP_SAVE, number, index, None)
        elif i.role in _RESTORES:
            yield Site(MutantKind.DROP_RESTORE, number, index, None)
        elif i.role is Role.COPY and i.defs[0].spelling != i.uses[0].spelling:
            yield Site(MutantKind.DROP_COPY, number, index, None)

    def _late(self, number: int, index: int, block: Block) -> Iterator[Site]:
        """Past the next instruction that defines a part of what is saved."""
        saved = set(self._units(block.instructions[index].uses[0]))
        for at in range(index + 1, len(block.instructions)):
            i = block.instructions[at]
            if i.role is not Role.NOTHING and any(not saved.isdisjoint(self._units(d)) for d in i.defs):
                yield Site(MutantKind.LATE_SAVE, number, index, None, at + 1)
                return

    def _changes(self, i: Instruction) -> Iterator[tuple[MutantKind, Instruction]]:
        if i.role in (Role.SAVE, Role.RESTORE):
            for slot in self._other_slots(i.slot):
                yield MutantKind.OTHER_SLOT, _with_slot(i, slot)
        if i.role in (Role.LANE_SAVE, Role.LANE_RESTORE):
            for lane in _neighbours(self._lanes[_vector(i).spelling], i.slot):
                yield MutantKind.OTHER_LANE, _with_immediate(i, i.slot, lane)
        if i.role is Role.SAVE:
            yield from ((MutantKind.SHRINK_SAVE, new) for new in self._shrunk(i))
        operands = (*i.defs, *i.uses)
        for at in _MOVED.get(i.role, range(len(operands))):
            operand = operands[at]
            if operand.undef and at >= len(i.defs):
                continue
            for other in self._other_registers(operand):
                yield MutantKind.OTHER_REGISTER, _with_operand(i, at, _renamed(operand, other.name, other.sub))
            for sub in self._other_subs(operand):
                yield MutantKind.OTHER_LANE, _with_operand(i, at, _renamed(operand, operand.name, sub))
        yield from ((MutantKind.SWAP_OPERANDS, new) for new in self._swapped(i))

    def _other_slots(self, slot: str) -> list[str]:
        stack = self._function.stack
        sizes = {f"%stack.{s.number}": (s.size, s.stack_id) for s in stack.values()}
        same = [s for s in self._slots if s == slot or (s in sizes and sizes[s] == sizes.get(slot))]
        return _neighbours(same, slot)

    def _shrunk(self, i: Instruction) -> Iterator[Instruction]:
        operand = i.uses[0]
        width = _WIDTH.search(i.opcode)
        words = len(self._units(operand))
        if not width or words < 2 or int(width.group()) != 32 * words:
            return
        fewer = 1 << (words - 1).bit_length() - 1
        opcode = f"{i.opcode[: width.start()]}{32 * fewer}{i.opcode[width.end() :]}"
        if operand.virtual:
            name, sub = operand.name, "_".join(f"sub{k}" for k in range(fewer))
        else:
            name, sub = "_".join(self._target.physical_units(operand.name, 32)[:fewer]), ""
        yield dataclasses.replace(_with_operand(i, 0, _renamed(operand, name, sub)), opcode=opcode)

    def _swapped(self, i: Instruction) -> Iterator[Instruction]:
        """Each use with the next one of its kind and width; tied uses stay where they are."""
        for a, first in enumerate(i.uses):
            for b in range(a + 1, len(i.uses)):
                second = i.uses[b]
                if first.tied >= 0 or second.tied >= 0 or first.undef or second.undef:
                    continue
                if first.spelling == second.spelling:
                    continue
                if self._kind_of(first) is not None and self._kind_of(first) == self._kind_of(second):
                    one = _with_operand(i, len(i.defs) + a, _renamed(first, second.name, second.sub))
                    yield _with_operand(one, len(i.defs) + b, _renamed(second, first.name, first.sub))
                    break

    def _other_registers(self, operand: Register) -> list[Register]:
        key = self._kind_of(operand)
        if key is None:
            return []
        known = self._registers[key]
        spelling = [r.spelling for r in known]
        return [known[spelling.index(s)] for s in _neighbours(spelling, operand.spelling)]

    def _other_subs(self, operand: Register) -> list[str]:
        """Sub-registers of the same width, from word 0 on, in the same virtual register."""
        if not operand.virtual or not operand.sub or "16" in operand.sub:
            return []
        words = len(self._target.sub_units(operand.sub, 32))
        whole = self._target.class_bits(self._class_of(operand)) // 32
        subs = ["_".join(f"sub{k + w}" for w in range(words)) for k in range(0, whole - words + 1, words)]
        return _neighbours(subs, operand.sub)

    def _class_of(self, operand: Register) -> str:
        return operand.cls or self._function.register_classes.get(operand.name, "")

    def _kind_of(self, operand: Register) -> tuple[str, int] | None:
        """Operands of the same kind and width can take each other's place. None where that makes no sense."""
        if operand.virtual:
            cls = self._class_of(operand)
            if not cls or "16" in operand.sub:
                return None
            return f"%{self._target.family(cls)}", len(self._units(operand))
        units = self._units(operand)
        if not units or not all(map(self._target.is_allocatable, units)) or "16" in operand.name:
            return None
        return units[0].rstrip("0123456789"), len(units)

    def _units(self, operand: Register) -> list[str]:
        """The words of an operand, by name."""
        if not operand.virtual:
            return list(self._target.physical_units(operand.name, 32))
        if operand.sub:
            words: Iterable[int] = self._target.sub_units(operand.sub, 32)
        else:
            words = range(max(1, self._target.class_bits(self._class_of(operand)) // 32))
        return [f"%{operand.name}.{w}" for w in words]


def _blocks_in_loops(function: MachineFunction) -> frozenset[int]:
    cfg = build_cfg(function)
    return cfg.irreducible.union(*(body for _, body in cfg.natural_loops()))


def _neighbours(choices: list[str], mine: str) -> list[str]:
    """A few other choices: those next to mine, so that different places try different ones."""
    at = choices.index(mine) if mine in choices else 0
    return [c for c in (choices[at + 1 :] + choices[:at])[:_MOST_CHOICES] if c != mine]


def _vector(i: Instruction) -> Register:
    return i.defs[0] if i.role is Role.LANE_SAVE else i.uses[0]


def _with_operand(i: Instruction, at: int, new: Register) -> Instruction:
    if at < len(i.defs):
        return _retold(dataclasses.replace(i, defs=(*i.defs[:at], new, *i.defs[at + 1 :])))
    at -= len(i.defs)
    return _retold(dataclasses.replace(i, uses=(*i.uses[:at], new, *i.uses[at + 1 :])))


def _with_slot(i: Instruction, slot: str) -> Instruction:
    return _retold(
        dataclasses.replace(_with_immediate(i, i.slot, slot), memory=re.sub(rf"{re.escape(i.slot)}\b", slot, i.memory))
    )


def _with_immediate(i: Instruction, old: str, new: str) -> Instruction:
    """The last immediate that is the old one: spill pseudos have the slot or the lane last."""
    at = len(i.immediates) - 1 - i.immediates[::-1].index(old)
    return _retold(dataclasses.replace(i, immediates=(*i.immediates[:at], new, *i.immediates[at + 1 :])))


def _retold(i: Instruction) -> Instruction:
    return dataclasses.replace(i, text=print_operation(i))


def _renamed(operand: Register, name: str, sub: str) -> Register:
    """The operand with another register in it. Whether that is the last use is not known any more."""
    flags = operand.flags & ~Flag.KILLED
    new = dataclasses.replace(operand, name=name, sub=sub, cls="", flags=flags)
    return dataclasses.replace(new, text=print_register(new))
