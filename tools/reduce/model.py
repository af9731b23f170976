"""What a reduction is asked for, what it holds on to, and what it says of each candidate."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.analyse import StageKey
from regtriage.dataflow.findings import Exit, ExitBasis, Finding, FindingKind
from regtriage.tools.llc.run import CompileRequest, Llc, Variant


class Outcome(enum.StrEnum):
    """What a candidate is. KEPT: wrong for the same cause. DRIFTED: wrong for another one, and refused.

    FEWER: wrong for the same cause, but with fewer lost lanes than are asked for. REFUSED: right, or not fit to be a
    test. SAME: the text did not change, or it was judged before.
    """

    KEPT = "kept"
    DRIFTED = "drifted"
    FEWER = "fewer"
    REFUSED = "refused"
    SAME = "same"


class Spelling(enum.StrEnum):
    """How the MIR before an allocation is written.

    PLAIN: without IR, memory operands and keys that have their defaults. FULL: as LLVM prints it.
    """

    PLAIN = "plain"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Undefined:
    """Reads of undefined lanes in the function before allocation, by the way in which they show.

    reads: instructions that read a lane without a value. edges: registers with a lane live into a block that has no
    value on some way there. operands: uses marked undef. lanes: those of IMPLICIT_DEFs, and those that are
    read and that nothing ever defines.
    """

    reads: int = 0
    edges: int = 0
    operands: int = 0
    lanes: int = 0

    def exceeds(self, other: Undefined) -> bool:
        """Whether some way shows more often here."""
        return (
            self.reads > other.reads
            or self.edges > other.edges
            or self.operands > other.operands
            or self.lanes > other.lanes
        )


@dataclass(frozen=True, slots=True)
class Cause:
    """What every candidate must show: the verdict with its reason.

    function: its name. stage: after which a lane is first wrong; start: the stage before that allocation.
    cures: variants that are right because they change the store that does it.
    """

    function: str
    exit: Exit
    exit_by: ExitBasis
    kind: FindingKind
    start: StageKey
    stage: StageKey
    cures: tuple[Variant, ...]
    undefined: Undefined

    def matches(self, finding: Finding) -> bool:
        """Whether a finding has this cause."""
        by = finding.exit_by is ExitBasis.TRACE or self.exit_by is ExitBasis.SHAPE
        return finding.exit is self.exit and finding.kind is self.kind and by

    def __str__(self) -> str:
        cures = "".join(f", {cure} cures it" for cure in self.cures)
        return f"{self.function}: {self.exit} after {self.stage.pass_name},{self.stage.index}{cures}"


@dataclass(frozen=True, slots=True)
class Setup:
    """How candidates are compiled and judged; the same for all of them.

    args: LLVM's flags without those that stop it. stop: the flag that stops it after the cause's stage, by LLVM's
    count of passes. runs: executions that may be tried to confirm a candidate.
    """

    llc: Llc
    triple: str | None
    cpu: str | None
    opt: int
    args: tuple[str, ...]
    stop: str
    cause: Cause
    runs: int
    time_limit: float = 60.0

    def request(self, file: Path, variant: Variant, args: tuple[str, ...]) -> CompileRequest:
        """The compile of a candidate, with further flags."""
        return CompileRequest(
            file,
            variant,
            self.triple,
            self.cpu,
            self.opt,
            (*self.args, *args),
            time_limit=self.time_limit,
            memory_limit=None,
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """One candidate. why: in one line. findings: those with the cause, of a kept one.

    lost: lanes that are wrong, whatever the cause. spelling: of the MIR that has the cause; None: the candidate itself
    has it.
    """

    outcome: Outcome
    why: str
    findings: tuple[Finding, ...] = ()
    lost: int = 0
    spelling: Spelling | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One candidate to make and judge: the targets of a pass that are dropped from a file, into output.

    least: of the lanes that are wrong. spelling, scout: see Referee.
    """

    file: Path
    pass_name: str
    drop: tuple[int, ...]
    output: Path
    least: int = 1
    spelling: Spelling | None = None
    scout: bool = False


def code_lines(text: str) -> int:
    """Lines that are neither blank nor a comment."""
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith((";", "#")))


def body_lines(text: str) -> int:
    """Lines between `body:` and the end of the document that are neither blank nor a comment."""
    _, _, body = text.partition("\nbody:")
    return code_lines(body.split("\n...", 1)[0]) - (1 if body else 0)
