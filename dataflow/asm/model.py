"""The objects that an AMDGPU assembly file is made of.

A *location* is where one 32-bit value lives, by its name: `s4`, `v12`, `a3`, `vcc_lo`, `exec_hi`, `m0`, `scc`; a lane
of a vector register that scalars are spilled to, `v254[3]`; a dword of scratch memory, `scratch+424` (bytes), or
`scratch(s33)+8` where it is addressed from a register.

As in `mir.model`, an `AsmInstruction` is what one line says, without where it stands: lines that say the same are
one object.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ..findings import SourceLocation
from ..mir.model import Role

Location = str
Flow = tuple[Location, tuple[Location, ...]]
"""A location that is written, and what the new value is made of."""


class AsmError(Exception):
    """The text is not AMDGPU assembly that can be understood.

    Attributes: path (as given by the caller), line and column (1-based; 0 where there is none), message.
    """

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        self.path, self.line, self.column, self.message = path, line, column, message
        place = path if not line else f"{path}:{line}:{column}"
        super().__init__(f"{place}: error: {message}")


class Jump(enum.IntEnum):
    """Where control goes after an instruction."""

    NONE = 0
    CONDITIONAL = 1
    """To its target or on."""
    ALWAYS = 2
    INDIRECT = 3
    """To the address in a register pair."""
    END = 4


@dataclass(frozen=True, slots=True, eq=False)
class AsmInstruction:
    """What one line says.

    mnemonic: with its encoding suffix. operands: as written, without modifiers. text: the line, with single blanks.
    flows: what is written, and from what. reads: everything read, also by instructions that write nothing. EXEC
    is left out where it only says which threads take part. role: COPY and the four kinds of spill traffic move
    values unchanged; CONSTANT and UNDEFINE read nothing; anything else is ORDINARY. folded: a comment of the
    compiler says that this is spill code. target: the operand of a jump. known: the mnemonic is in the tables.
    """

    mnemonic: str
    operands: tuple[str, ...]
    text: str
    flows: tuple[Flow, ...]
    reads: tuple[Location, ...]
    role: Role = Role.ORDINARY
    folded: bool = False
    jump: Jump = Jump.NONE
    target: str = ""
    known: bool = True


@dataclass(slots=True)
class AsmBlock:
    """A basic block. label: `.LBB0_12`, `%bb.3` from the compiler's comment, or made up from the label before it."""

    number: int
    label: str
    line: int
    instructions: list[AsmInstruction] = field(default_factory=list[AsmInstruction])
    lines: list[int] = field(default_factory=list[int])
    debug: list[int] = field(default_factory=list[int])
    """Per instruction, an index into `AsmFile.locations`."""
    successors: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class AsmFunction:
    """One function. blocks are in layout order and numbered from 0, the entry.

    unresolved: the lines of jumps that go nobody knows where.
    """

    name: str
    line: int
    blocks: list[AsmBlock] = field(default_factory=list[AsmBlock])
    unresolved: list[int] = field(default_factory=list[int])

    @property
    def instruction_count(self) -> int:
        """Lines in all blocks."""
        return sum(len(b.instructions) for b in self.blocks)

    def block_named(self, label: str) -> AsmBlock | None:
        """The block of that label, or None."""
        return next((b for b in self.blocks if b.label == label), None)


@dataclass(slots=True)
class AsmFile:
    """A parsed file. locations: source locations as inlining chains, innermost first; entry 0 is empty.

    unknown: mnemonics that are in no table, with the lines they stand at. lines: how many there are.
    """

    path: str
    functions: list[AsmFunction]
    locations: list[tuple[SourceLocation, ...]]
    unknown: dict[str, list[int]]
    lines: int
    processor: str = ""

    def function(self, name: str) -> AsmFunction:
        """Raises KeyError if there is none of that name."""
        for candidate in self.functions:
            if candidate.name == name:
                return candidate
        raise KeyError(name)
