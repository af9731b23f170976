"""What the analyses ask of a target.

Vocabulary: a *unit* is the smallest piece of a register that is tracked: 32 bits, or 16 where a function
names 16-bit halves. `granule` is that number of bits.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable

from ..mir.model import Instruction, Register


class WholeWaveStep(enum.Enum):
    """A step of turning on all lanes for a while.

    SAVE: EXEC is saved in a register; OPEN: all lanes are turned on; SAVE_AND_OPEN: both; CLOSE: EXEC is restored
    from a register, which dies.
    """

    SAVE = enum.auto()
    OPEN = enum.auto()
    SAVE_AND_OPEN = enum.auto()
    CLOSE = enum.auto()


class TargetError(Exception):
    """A register, class or sub-register index that the target's tables do not know."""


class Target(ABC):
    """Pure tables and rules; no state."""

    name: str

    @abstractmethod
    def classify(self, instruction: Instruction) -> Instruction:
        """The same instruction with role, effect, constants, slot and key filled in."""

    @abstractmethod
    def ends_block(self, opcode: str) -> bool:
        """Control never falls through this opcode."""

    @abstractmethod
    def class_bits(self, register_class: str) -> int:
        """Width of a virtual register of this class, in bits. Raises TargetError if unknown."""

    @abstractmethod
    def sub_units(self, sub: str, granule: int) -> tuple[int, ...]:
        """The units a sub-register index selects, in ascending significance. Raises TargetError if unknown."""

    @abstractmethod
    def mask_units(self, mask: int, granule: int) -> frozenset[int]:
        """The units whose bits are set in LLVM's LaneBitmask."""

    @abstractmethod
    def physical_units(self, name: str, granule: int) -> tuple[str, ...]:
        """The units of a physical register (`sgpr4_sgpr5` -> `sgpr4`, `sgpr5`). Empty for no register."""

    @abstractmethod
    def is_allocatable(self, unit: str) -> bool:
        """The allocator may put a virtual register there."""

    @abstractmethod
    def is_built_in(self, unit: str) -> bool:
        """Allocatable, and yet read and written by opcodes that do not name it."""

    @abstractmethod
    def is_reserved(self, unit: str) -> bool:
        """Never allocated and written by ordinary instructions only, so both functions agree on it."""

    @abstractmethod
    def preserved(self, regmask: str) -> Callable[[str], bool] | None:
        """For a call's register mask operand: which units survive. None if the mask is not known."""

    @abstractmethod
    def is_regmask(self, immediate: str) -> bool:
        """The immediate operand is a register mask."""

    @abstractmethod
    def rematerialisable_load(self, instruction: Instruction) -> tuple[str, int] | None:
        """For a load from memory that never changes: (address space key, byte offset of its first lane).

        Lanes of two such loads with equal key, equal address operands and equal offset are equal, whatever
        the loads' widths. None for every other instruction.
        """

    @abstractmethod
    def is_masked(self, instruction: Instruction, register_class: str, register: Register) -> bool:
        """A move of this register (of that class, if virtual) leaves lanes alone that EXEC disables."""

    @abstractmethod
    def family(self, register_class: str) -> str:
        """Which allocation a class belongs to: `sgpr`, `vgpr`, `agpr` or `av`."""

    @abstractmethod
    def whole_wave_step(self, instruction: Instruction) -> tuple[WholeWaveStep, str] | None:
        """The step that the instruction is, and the register, as spelt, that holds EXEC meanwhile ("" for OPEN)."""
