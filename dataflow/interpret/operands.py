"""Which places an instruction reads and writes.

Explicit operands are what they say. Implicit ones need judgement: the rewriter adds mentions of whole tuples
(`implicit-def $sgpr4_sgpr5`) that move no value. An implicit operand counts

  * where general registers can be passed implicitly: calls and returns;
  * otherwise if it is a special register (VCC, SCC, M0, ...; EXEC and MODE are modelled otherwise), and every
    instruction of that opcode and those immediates in the function *before* allocation has it.

Bookkeeping overlaps an explicit definition of the same instruction, and is dropped.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import cast

from ..mir.model import Flag, Instruction, MachineFunction, Register, Role
from ..targets.base import Target
from . import amdgpu
from .words import fingerprint

Words = tuple[int, ...]
Getter = Callable[[list[int]], Words]


class Side(enum.Enum):
    """Which of the two functions is meant. They differ in what an undefined lane holds."""

    BEFORE = "before"
    AFTER = "after"


class ImplicitOperands:
    """Names of the implicit operands that count, by instruction key, learnt from one function."""

    def __init__(self, target: Target, function: MachineFunction) -> None:
        self._target = target
        self._uses: dict[int, tuple[str, ...]] = {}
        self._defs: dict[int, tuple[str, ...]] = {}
        seen: set[int] = set()
        for block in function.blocks:
            for instruction in block.instructions:
                if id(instruction) not in seen and instruction.role is Role.ORDINARY:
                    seen.add(id(instruction))
                    self._learn(instruction)

    def _learn(self, i: Instruction) -> None:
        key = event_key(i)
        for table, operands in ((self._uses, i.implicit_uses), (self._defs, i.implicit_defs)):
            names = self._candidates(i, operands)
            known = table.get(key)
            table[key] = names if known is None else tuple([n for n in known if n in names])

    def uses(self, i: Instruction) -> tuple[str, ...]:
        """Registers that it reads by implication."""
        known = self._uses.get(event_key(i))
        return self._candidates(i, i.implicit_uses) if known is None else known

    def defs(self, i: Instruction) -> tuple[str, ...]:
        """Registers that it writes by implication."""
        known = self._defs.get(event_key(i))
        return self._candidates(i, i.implicit_defs) if known is None else known

    def _candidates(self, i: Instruction, operands: tuple[Register, ...]) -> tuple[str, ...]:
        if not operands:
            return ()
        passes = amdgpu.is_call(i) or self._target.ends_block(i.opcode) or amdgpu.is_inline_asm(i.opcode)
        explicit = {u for d in i.defs if not d.virtual for u in self._target.physical_units(d.name, 32)}
        found: list[str] = []
        for operand in operands:
            units = () if operand.virtual else self._target.physical_units(operand.name, 32)
            general = all(amdgpu.is_general_unit(u) for u in units)
            if units and (passes or not general) and explicit.isdisjoint(units):
                found.append(operand.name)
        return tuple(dict.fromkeys(found))


def event_key(instruction: Instruction) -> int:
    """Opcode and immediates: what both sides must agree on."""
    return fingerprint(f"{instruction.key[0]} {instruction.immediates}")


@dataclass(frozen=True, slots=True)
class Access:
    """uses: places of each explicit use; implicit_uses and implicit_defs: places by register name."""

    defs: tuple[Words, ...]
    uses: tuple[Words, ...]
    implicit_defs: tuple[tuple[str, Words], ...]
    implicit_uses: tuple[tuple[str, Words], ...]

    @property
    def read(self) -> Words:
        """All places read, explicit ones first."""
        return tuple([p for places in self.uses for p in places]) + tuple(
            [p for _, places in self.implicit_uses for p in places]
        )

    @property
    def written(self) -> Words:
        """All places written, explicit ones first."""
        return tuple([p for places in self.defs for p in places]) + tuple(
            [p for _, places in self.implicit_defs for p in places]
        )


class Places:
    """Numbers the places of one function: a place is one unit (see `targets.base`) of whatever holds values.

    names: ("%5", 2) virtual register, ("$sgpr4", 0) physical register unit, ("%stack.1", 3) stack slot,
    ("=7", 0) the number 7. undefined: a place that never holds anything.
    """

    def __init__(
        self, function: MachineFunction, target: Target, granule: int, side: Side, implicit: ImplicitOperands
    ) -> None:
        self.function, self.target, self.granule, self.side = function, target, granule, side
        self.names: list[tuple[str, int]] = []
        self.constants: dict[int, int] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        self._registers: dict[tuple[str, str], tuple[Words, Words]] = {}
        self._vectors: dict[tuple[str, str, bool], bool] = {}
        self._accesses: dict[int, Access] = {}
        self._implicit = implicit
        self.undefined = self._number("undefined", 0)
        self.exec = tuple([self.physical(n)[0] for n in amdgpu.EXEC])
        self.scc = self.physical("scc")

    def __len__(self) -> int:
        return len(self.names)

    def _number(self, name: str, unit: int) -> int:
        found = self._numbers.get((name, unit))
        if found is None:
            found = self._numbers[name, unit] = len(self.names)
            self.names.append((name, unit))
        return found

    def physical(self, name: str) -> Words:
        """The units of a physical register."""
        return tuple([self._number("$" + u, 0) for u in self.target.physical_units(name, self.granule)])

    def slot(self, name: str, count: int) -> Words:
        """The first units of a stack slot."""
        return tuple([self._number(name, k) for k in range(count)])

    def virtual(self, name: str, cls: str) -> Words:
        """All units of a virtual register of a class."""
        count = max(1, -(-self.target.class_bits(cls) // self.granule))
        return tuple([self._number("%" + name, k) for k in range(count)])

    def constant(self, value: int) -> int:
        """A place that always holds this."""
        place = self.constants.get(value)
        if place is None:
            place = self.constants[value] = self._number(f"={value}", 0)
        return place

    def units(self, operand: Register) -> Words:
        """The places an operand stands for, least significant first."""
        return self._split(operand)[0] if operand.virtual else self.physical(operand.name)

    def others(self, operand: Register) -> Words:
        """The places of the same virtual register that its sub-register index leaves out."""
        return self._split(operand)[1] if operand.virtual else ()

    def _split(self, operand: Register) -> tuple[Words, Words]:
        key = (operand.name, operand.sub)
        found = self._registers.get(key)
        if found is None:
            whole = self.virtual(operand.name, operand.cls or self.function.register_classes.get(operand.name, ""))
            chosen = self.target.sub_units(operand.sub, self.granule) if operand.sub else range(len(whole))
            rest = [place for k, place in enumerate(whole) if k not in chosen]
            found = self._registers[key] = (tuple([whole[k] for k in chosen]), tuple(rest))
        return found

    def is_vector(self, operand: Register) -> bool:
        """The operand has one value a thread."""
        key = (operand.name, operand.cls, operand.virtual)
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors[key] = self._has_threads(operand)
        return found

    def _has_threads(self, operand: Register) -> bool:
        if operand.virtual:
            return amdgpu.is_vector_class(operand.cls or self.function.register_classes.get(operand.name, ""))
        units = self.target.physical_units(operand.name, 32)
        return bool(units) and amdgpu.is_vector_unit(units[0])

    def use(self, operand: Register) -> Words:
        """Places that an explicit use reads. What is marked undef is read for real from a physical register."""
        units = self.units(operand)
        if operand.undef and (operand.virtual or self.side is Side.BEFORE):
            return (self.undefined,) * len(units)
        return units

    def access(self, i: Instruction) -> Access:
        """Everything the instruction reads and writes, in an order that both sides share."""
        # the function keeps its instructions, so an id stands for one
        found = self._accesses.get(id(i))
        if found is None:
            found = self._accesses[id(i)] = self._access(i)
        return found

    def _access(self, i: Instruction) -> Access:
        defs = tuple([self.units(d) for d in i.defs])
        uses = tuple([self.use(u) for u in i.uses])
        if self.side is Side.AFTER:
            uses = self._as_encoded(i, defs, uses)
        return Access(
            defs,
            uses,
            tuple([(n, self.physical(n)) for n in self._implicit.defs(i)]),
            tuple([(n, self._implied(n, i)) for n in self._implicit.uses(i) if n not in ("exec", *amdgpu.NOT_DATA)]),
        )

    def _implied(self, name: str, i: Instruction) -> Words:
        """Places that an implicit use of that name reads; before allocation none, if it is marked undef."""
        units = self.physical(name)
        if self.side is Side.BEFORE and any(u.undef and u.name == name for u in i.implicit_uses):
            return (self.undefined,) * len(units)
        return units

    def _as_encoded(self, i: Instruction, defs: tuple[Words, ...], uses: tuple[Words, ...]) -> tuple[Words, ...]:
        """A tied use is read from the register of its definition, and an early-clobbered one is gone."""
        result = list(uses)
        early = [d for d, r in zip(defs, i.defs, strict=True) if r.flags & Flag.EARLY_CLOBBER and not r.virtual]
        for k, operand in enumerate(i.uses):
            if 0 <= operand.tied < len(defs) and not operand.virtual and not amdgpu.is_inline_asm(i.opcode):
                result[k] = defs[operand.tied]
            for gone in early:
                if result[k] != gone and not operand.virtual:
                    result[k] = tuple([self.undefined if p in gone else p for p in result[k]])
        return tuple(result)


def getter(places: Words) -> Getter:
    """Reads the words of some places."""
    if not places:
        return lambda words: ()
    if len(places) == 1:
        place = places[0]
        return lambda words: (words[place],)
    return cast("Getter", itemgetter(*places))


def hash_input(places: Words) -> Getter:
    """Like getter, but quicker and only fit to be hashed: a single word comes twice."""
    return getter(places * 2) if len(places) == 1 else getter(places)
