"""What an analysis says: verdicts, findings and their witnesses. Nothing here computes.

The JSON form of these objects (`tools.report.json`) is read by other programs: names and values of the enums
are part of the interface.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Verdict(enum.StrEnum):
    """The answer of one layer of one variant. See the README, "How to read a verdict"."""

    BUG = "BUG"
    HAZARD = "HAZARD"
    CLEAN = "CLEAN"
    UNPROVEN = "UNPROVEN"


class Layer(enum.StrEnum):
    """Where a finding lives: after greedy, after virtual registers were rewritten, in the final text."""

    MIR = "mir"
    REWRITTEN = "rewritten"
    ASM = "asm"


class Exit(enum.StrEnum):
    """The decision of the allocator through which a value was lost."""

    HOIST_INSIDE_BB = "hoist-inside-bb"
    HOIST_CROSS_BB = "hoist-cross-bb"
    REDUNDANT_SPILL = "redundant-spill"
    INSERT_SPILL = "insert-spill"
    SLOT_COLORING = "slot-coloring"
    LANE_LOWERING = "lane-lowering"
    SPLIT = "split"
    REMAT = "remat"
    ASSIGNMENT = "assignment"


class ExitBasis(enum.StrEnum):
    """How the exit is known: from the spiller's own trace, or from the shape of the code."""

    TRACE = "trace"
    SHAPE = "shape"


class FindingKind(enum.StrEnum):
    """VALUE: a lane that is read holds something else. The others are about the instruction itself."""

    VALUE = "value"
    MISSING_EFFECT = "missing-effect"
    EXTRA_EFFECT = "extra-effect"
    CONSTRAINT = "constraint"


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A place in the user's source. column is 0 where it is not known."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Place:
    """One instruction. file and line are of the MIR text; debug is the inlining chain, innermost first."""

    file: str
    line: int
    block: str
    text: str
    debug: tuple[SourceLocation, ...]


@dataclass(frozen=True, slots=True)
class PathStep:
    """A block on a witness path; back_edge: it was entered along one; note: what happens there, or ""."""

    block: str
    back_edge: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Needed:
    """A source lane: a register of the function before allocation and a sub-register index."""

    register: str
    lane: str

    def __str__(self) -> str:
        return f"{self.register}.{self.lane}" if self.lane else self.register


@dataclass(frozen=True, slots=True)
class Finding:
    """One lane that is read and does not hold its value (or one effect that is wrong).

    id: stable across runs and machines: a digest of what the finding says without file names.
    stage: the pass after which it was seen. needed: None where kind is not VALUE. location: where the use
    reads. holds: the source lane whose value is there instead, or None for nothing defined. definition: what
    computed the needed value. clobber: the store that put the wrong value there or ran over the right one.
    carriers: the moves between clobber and use, in order. path: from the definition (or the entry) over the
    clobber to the use. replayed: running exactly this path reproduces the mismatch.
    explanation: one sentence.
    """

    id: str
    kind: FindingKind
    layer: Layer
    stage: str
    exit: Exit | None
    exit_by: ExitBasis | None
    needed: Needed | None
    location: str
    holds: str | None
    definition: Place | None
    clobber: Place | None
    use: Place
    carriers: tuple[Place, ...]
    loop_carried: bool
    loop: tuple[str, ...]
    path: tuple[PathStep, ...]
    replayed: bool
    explanation: str
    decision: str = ""
    """The spiller decision behind it in one line, from the trace; "" without a trace."""
    slot: str = ""
    """The stack slot concerned, `%stack.3`, or ""."""
    store: tuple[int, int, int, str] | None = None
    """The clobbering store as the trace knows it: allocation, block, slot, virtual register."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """A full-width store of a partly defined register into a slot that other stores share."""

    layer: Layer
    stage: str
    store: Place
    slot: str
    undefined_lanes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerResult:
    """One layer of one variant of one function. unproven: what was not understood, one line each."""

    layer: Layer
    verdict: Verdict
    findings: tuple[Finding, ...]
    hazards: tuple[Hazard, ...]
    unproven: tuple[str, ...]
    checked: int
    """Demanded lanes that were compared."""
