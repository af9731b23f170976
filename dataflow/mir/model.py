"""The objects that a MIR file is made of.

An `Instruction` is what one line says, without where it stands: two lines with the same text are one
object, also across the stages of a compile. `Block.lines` holds where each one stands. That makes reading
twelve stages of one kernel cost little more than reading one, and lets the check see at a glance (`is`)
that an instruction was not touched.

Names are those of LLVM's MIR language reference.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class MirError(Exception):
    """The text is not MIR that can be understood.

    Attributes: path (as given by the caller), line and column (1-based; 0 where there is none), message.
    """

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        self.path, self.line, self.column, self.message = path, line, column, message
        place = path if not line else f"{path}:{line}:{column}"
        super().__init__(f"{place}: error: {message}")


class Flag(enum.IntFlag):
    """Register operand flags, as MIR spells them."""

    NONE = 0
    IMPLICIT = 1
    DEF = 2
    DEAD = 4
    KILLED = 8
    UNDEF = 16
    INTERNAL = 32
    RENAMABLE = 64
    EARLY_CLOBBER = 128
    DEBUG_USE = 256


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """One register operand.

    name: without the sigil, `5`, `foo`, `sgpr4_sgpr5`. virtual: spelt with `%`. sub: the sub-register index
    without its dot, or "". cls: the register class or bank written at this operand, or "".
    tied: the index of the def operand this use is tied to, or -1. text: the operand as written.
    undef (it reads or leaves nothing) and implicit (it is not written in the assembly) repeat two flags: they
    are asked for most often.
    """

    name: str
    virtual: bool
    sub: str
    cls: str
    flags: Flag
    tied: int
    text: str
    undef: bool
    implicit: bool

    @property
    def spelling(self) -> str:
        """`%5.sub2`, `$sgpr4`: the operand without flags, class and type."""
        return ("%" if self.virtual else "$") + self.name + (f".{self.sub}" if self.sub else "")


class Role(enum.IntEnum):
    """What the check does with an instruction. Decided by the target, once per distinct line."""

    ORDINARY = 0
    """Paired with its counterpart in the other function."""
    COPY = 1
    CONSTANT = 2
    """Moves immediates only; `Instruction.constants` holds one value per lane."""
    UNDEFINE = 3
    """IMPLICIT_DEF."""
    SAVE = 4
    RESTORE = 5
    LANE_SAVE = 6
    """Writes a scalar register into one lane of a vector register that serves as spill memory."""
    LANE_RESTORE = 7
    NOTHING = 8
    """KILL, debug values, CFI, BUNDLE headers: no value moves."""


class Effect(enum.IntEnum):
    """What an instruction does beyond its register operands."""

    NONE = 0
    LOAD = 1
    """Reads memory that may change: never doubled or moved, removed only when nobody wants the result."""
    EFFECT = 2
    """Stores, inline asm, branches, barriers, writes of EXEC: must happen exactly as before."""


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """What one line of a block says.

    opcode; defs: explicit defs, then explicit ones marked `def` inside inline asm; uses: explicit uses;
    implicit_defs, implicit_uses; immediates: every operand that is no register, as written, with `R` in the
    place of each register (so operand positions stay comparable); memory: the text after ` :: `; debug: the
    text after `debug-location `; flags: instruction flags such as `lr-split`; text: the line without its
    debug location and memory operands.

    role, effect, constants and slot are the target's reading of the line. slot: `%stack.3` of a save or
    restore, or the lane number of a lane save or restore.
    key: what pairing compares. term: the operator of a pure result; load_offset: for a load from memory that never
    changes, the byte offset of its first lane (see `Target.rematerialisable_load`), else None.
    """

    opcode: str
    defs: tuple[Register, ...]
    uses: tuple[Register, ...]
    implicit_defs: tuple[Register, ...]
    implicit_uses: tuple[Register, ...]
    immediates: tuple[str, ...]
    memory: str
    debug: str
    flags: frozenset[str]
    text: str
    role: Role = Role.ORDINARY
    effect: Effect = Effect.NONE
    constants: tuple[object, ...] = ()
    slot: str = ""
    key: tuple[object, ...] = ()
    term: tuple[object, ...] = ()
    load_offset: int | None = None

    def block_targets(self) -> list[int]:
        """The block numbers this line names, in order."""
        return [int(i[4:].split(".")[0]) for i in self.immediates if i.startswith("%bb.")]


@dataclass(slots=True)
class Block:
    """A machine basic block. number as in `bb.7`; name is the IR block's or ""."""

    number: int
    name: str
    line: int
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    lines: list[int] = field(default_factory=list[int])
    successors: list[int] = field(default_factory=list[int])
    live_ins: list[str] = field(default_factory=list[str])

    @property
    def label(self) -> str:
        """`bb.7.name`."""
        return f"bb.{self.number}" + (f".{self.name}" if self.name else "")


@dataclass(frozen=True, slots=True)
class StackObject:
    """A frame object. size in bytes; stack_id is `default`, `sgpr-spill`, …; kind `spill-slot`, …."""

    number: int
    size: int
    stack_id: str
    kind: str


@dataclass(slots=True)
class MachineFunction:
    """One function of a MIR file.

    register_classes maps a virtual register's name to its class or bank. blocks are in layout order; the first
    is the entry. line is that of its `name:` key.
    """

    name: str
    path: str
    line: int
    register_classes: dict[str, str] = field(default_factory=dict[str, str])
    stack: dict[int, StackObject] = field(default_factory=dict[int, StackObject])
    live_ins: list[str] = field(default_factory=list[str])
    blocks: list[Block] = field(default_factory=list[Block])
    uses_half_lanes: bool = False
    """Some operand names a 16-bit half of a lane."""
    _by_number: dict[int, Block] = field(init=False, repr=False, compare=False, default_factory=dict[int, Block])

    def block(self, number: int) -> Block:
        """Raises KeyError if there is none of that number."""
        if len(self._by_number) != len(self.blocks):
            # anew while the function is still being made
            self._by_number = {b.number: b for b in reversed(self.blocks)}
        return self._by_number[number]

    @property
    def instruction_count(self) -> int:
        """Lines in all blocks."""
        return sum(len(b.instructions) for b in self.blocks)


@dataclass(slots=True)
class MirFile:
    """A parsed MIR file: functions in order, and the text of its IR module (which holds the debug info)."""

    path: str
    functions: list[MachineFunction]
    ir: str
    triple: str

    def function(self, name: str) -> MachineFunction:
        """Raises KeyError if there is none of that name."""
        for candidate in self.functions:
            if candidate.name == name:
                return candidate
        raise KeyError(name)

    def by_name(self) -> Mapping[str, MachineFunction]:
        """Functions by name."""
        return {f.name: f for f in self.functions}
