"""Which stages a compiler's pipeline has, read from what `-debug-pass=Arguments` prints.

LLVM prints, for each of its nested pass managers, a line `Pass Arguments:  -pass -pass …` in the order of the
pipeline. Counting the passes of register allocation in it gives the stages that `-stop-before=PASS,N` and
`-stop-after=PASS,N` can show. Asking for a run that does not exist would not fail: LLVM would go on to the end
and print that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .request import StageWhen

SHOW_PIPELINE = "-debug-pass=Arguments"
_LINE = "Pass Arguments:"
_PASSES = frozenset({"greedy", "virtregrewriter", "stack-slot-coloring", "si-lower-sgpr-spills"})


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage that a compiler can be asked for."""

    when: StageWhen
    pass_name: str
    index: int

    def flag(self) -> str:
        """The flag that makes LLVM stop there and print MIR."""
        return f"-stop-{self.when}={self.pass_name},{self.index}"


def plan_stages(stderr: str) -> tuple[PlannedStage, ...]:
    """The stages of a pipeline, in its order; the same ones that the llc of this package writes."""
    runs: Counter[str] = Counter()
    stages: list[PlannedStage] = []
    for line in stderr.splitlines():
        if not line.startswith(_LINE):
            continue
        for argument in line.removeprefix(_LINE).split():
            name = argument.removeprefix("-")
            if name not in _PASSES:
                continue
            if name == "greedy":
                stages.append(PlannedStage(StageWhen.BEFORE, name, runs[name]))
            stages.append(PlannedStage(StageWhen.AFTER, name, runs[name]))
            runs[name] += 1
    return tuple(stages)


def without_pipeline(stderr: str) -> str:
    """What a compiler wrote besides its pipeline."""
    return "".join(line for line in stderr.splitlines(keepends=True) if not line.startswith(_LINE))
