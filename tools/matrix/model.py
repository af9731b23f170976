"""What a matrix says. Nothing here computes."""

from __future__ import annotations

from dataclasses import dataclass

from regtriage.dataflow.findings import Verdict
from regtriage.tools.llc.run import LlcIdentity

from .axes import Axis


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A lane that an instruction needs and does not get, whatever registers were assigned: a finding's gist.

    needed: the lane, or the finding's kind. opcode, block, source: of the instruction; source may be "".
    """

    function: str
    block: str
    needed: str
    opcode: str
    source: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One compile. values: on each axis. verdict: the worst of all functions; None if the compiler failed.

    uses: what is wrong with the code after register assignment, in order. code: a digest of the assembly; equal
    ones are of equal code. failure: the compiler's words, or "".
    """

    values: tuple[str, ...]
    verdict: Verdict | None
    uses: tuple[Use, ...]
    code: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class MatrixReport:
    """One kernel, every cell. uses: those of any cell with how many have it, those of most first.

    idle: axes on which no step ever changes the code.
    """

    input: str
    llc: LlcIdentity
    axes: tuple[Axis, ...]
    cells: tuple[Cell, ...]
    uses: tuple[tuple[Use, int], ...]
    idle: tuple[str, ...]

    @property
    def everywhere(self) -> tuple[Use, ...]:
        """Those that every cell has."""
        return tuple(use for use, count in self.uses if count == len(self.cells))
