"""Locations: the numbered places that values live in.

A location is one unit (see `targets.base`) of a register, of a stack slot, or one lane of a vector register
used as spill memory. Each gets a small integer, the same in the functions before and after allocation, so
that an untouched register has one number on both sides. Registers before allocation are called *source
lanes*, places after it *locations*; both are numbered here.

Keys: ("v", register, unit) virtual; ("p", unit name) physical; ("s", slot, unit) stack word;
("w", register spelling, lane) spill lane of a vector register.
"""

from __future__ import annotations

from .mir.model import Flag, Instruction, MachineFunction, Register
from .targets.base import Target, TargetError

Key = tuple[str, str, int] | tuple[str, str]


class Locations:
    """Numbers locations and spells them. granule is the unit's width in bits, 32 or 16."""

    def __init__(self, target: Target, granule: int) -> None:
        self.target, self.granule = target, granule
        self.keys: list[Key] = []
        self._numbers: dict[Key, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, key: Key) -> int:
        """The number of a key, given out on first sight."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return found

    def physical(self, unit: str) -> int:
        """The location of a physical register unit."""
        return self.number(("p", unit))

    def slot_word(self, slot: str, unit: int) -> int:
        """The location of a word of a stack slot."""
        return self.number(("s", slot, unit))

    def spill_lane(self, register: str, lane: int) -> int:
        """The location of a lane of a vector register that holds spilled scalars."""
        return self.number(("w", register, lane))

    def spell(self, location: int) -> str:
        """`%5.sub2`, `$sgpr4`, `%stack.1+8` (bytes), `%84[5]` (lane 5 of a vector register)."""
        key = self.keys[location]
        if len(key) == 2:
            return "$" + key[1]
        kind, name, unit = key
        if kind == "s":
            return f"{name}+{unit * self.granule // 8}"
        if kind == "w":
            return f"{name}[{unit}]"
        return f"%{name}.{self.unit_name(unit)}"

    def unit_name(self, unit: int) -> str:
        """The sub-register index of a unit: `sub2`, or `sub2_hi16` where halves are tracked."""
        if self.granule == 32:
            return f"sub{unit}"
        return f"sub{unit // 2}_{'hi16' if unit % 2 else 'lo16'}"


class LaneMap:
    """The locations that the operands of a function stand for.

    One map serves all stages of one compile, where a register number keeps its width: `adopt` each stage.
    """

    def __init__(self, locations: Locations) -> None:
        self._locations, self._target = locations, locations.target
        self._classes: dict[str, str] = {}
        self._cache: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._whole: dict[int, frozenset[int]] = {}
        self._kept: list[Register | Instruction] = []
        self._reserved: set[int] = set()
        self._reserved_up_to = 0

    def adopt(self, function: MachineFunction) -> None:
        """Learn the register classes of a function. Raises TargetError where a register changes its width."""
        for name, cls in function.register_classes.items():
            known = self._classes.get(name, cls)
            if known != cls and self._target.class_bits(known) != self._target.class_bits(cls):
                raise TargetError(f"%{name} is of class '{known}' in one stage and of '{cls}' in another")
        self._classes.update(function.register_classes)

    def units(self, operand: Register) -> tuple[int, ...]:
        """The operand's locations, least significant first. Raises TargetError for unknown registers."""
        found = self._cache.get(id(operand))
        return found[0] if found is not None else self._look_up(operand)[0]

    def others(self, operand: Register) -> tuple[int, ...]:
        """The locations of the same virtual register that the operand's sub-register index leaves out."""
        found = self._cache.get(id(operand))
        return found[1] if found is not None else self._look_up(operand)[1]

    def class_of(self, operand: Register) -> str:
        """The register class of a virtual register, or "" where it is not known."""
        return operand.cls or self._classes.get(operand.name, "") if operand.virtual else ""

    def all_units(self, instruction: Instruction) -> frozenset[int]:
        """Every location of the instruction's operands, with the rest of the registers it names in part.

        Left out: reserved registers that are operands by implication only, and implicit operands that are
        book-keeping.
        """
        found = self._whole.get(id(instruction))
        if found is None:
            units: set[int] = set()
            for operand in (*instruction.defs, *instruction.uses):
                units.update(self.units(operand))
                units.update(self.others(operand))
            implied = (
                self.units(operand)
                for operand in (*instruction.implicit_defs, *instruction.implicit_uses)
                if not self.is_bookkeeping(operand, instruction)
            )
            # which are reserved is known once all of them are numbered
            locations = frozenset[int]().union(*implied)
            units |= locations - self.reserved()
            found = self._whole[id(instruction)] = frozenset(units)
            self._kept.append(instruction)
        return found

    def is_bookkeeping(self, operand: Register, instruction: Instruction) -> bool:
        """Implicit operands of allocatable registers keep liveness right; they move nothing.

        Not so what inline assembly clobbers (only that is early-clobber), and a register that the opcode has built
        in, unless it is there as the whole of an explicit operand.
        """
        if operand.virtual or Flag.EARLY_CLOBBER in operand.flags:
            return False
        units = self._target.physical_units(operand.name, 32)
        if not all(map(self._target.is_allocatable, units)):
            return False
        if not any(map(self._target.is_built_in, units)):
            return True
        explicit = (*instruction.defs, *instruction.uses)
        return any(
            not set(units).isdisjoint(self._target.physical_units(x.name, 32)) for x in explicit if not x.virtual
        )

    def reserved(self) -> set[int]:
        """The locations, of those numbered so far, that no allocation touches."""
        keys = self._locations.keys
        for number in range(self._reserved_up_to, len(keys)):
            key = keys[number]
            if len(key) == 2 and self._target.is_reserved(key[1].split(".")[0]):
                self._reserved.add(number)
        self._reserved_up_to = len(keys)
        return self._reserved

    def _look_up(self, operand: Register) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = self._cache[id(operand)] = self._resolve(operand)
        # an id is only good while its object lives
        self._kept.append(operand)
        return found

    def _resolve(self, operand: Register) -> tuple[tuple[int, ...], tuple[int, ...]]:
        granule, number = self._locations.granule, self._locations.number
        if not operand.virtual:
            return tuple(number(("p", u)) for u in self._target.physical_units(operand.name, granule)), ()
        cls = operand.cls or self._classes.get(operand.name, "")
        bits = self._target.class_bits(cls)
        whole = range(max(1, -(-bits // granule)))
        if not operand.sub:
            return tuple(number(("v", operand.name, u)) for u in whole), ()
        chosen = self._target.sub_units(operand.sub, granule)
        rest = tuple(number(("v", operand.name, u)) for u in whole if u not in chosen)
        return tuple(number(("v", operand.name, u)) for u in chosen), rest
