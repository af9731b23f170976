"""Runs both functions on the same inputs, and says what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..liveness import LaneLiveness
from ..mir.model import MachineFunction
from ..targets.base import Target
from .explore import Explorer
from .machine import Run
from .match import Difference, first_difference
from .operands import ImplicitOperands, Side
from .program import Program

_WATCHED_RUNS = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """steps: instructions of the function before allocation in one run, rounded down to whole blocks."""

    steps: int = 60_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """runs; differ: runs in which the sides differed; completed: those in which both came to the same end.

    first: of the first run that differed. note: where none did, what the runs had a chance to see.
    """

    runs: int
    differ: int
    completed: int
    first: Difference | None
    note: str


class Recording:
    """Runs of the function before allocation, to hold any number of allocations of it against.

    focus: the number of a block that most runs should reach. liveness: lanes known to be undefined where blocks
    meet. granule: the unit's width in bits (see `targets.base`) if some allocation needs a smaller one than the
    function before it. Raises TargetError where the function has a register that the target does not know.
    """

    def __init__(
        self,
        before: MachineFunction,
        target: Target,
        runs: int,
        seed: int = 0,
        *,
        focus: int | None = None,
        limits: Limits | None = None,
        liveness: LaneLiveness | None = None,
        granule: int | None = None,
    ) -> None:
        self._before, self._target, self._focus, self._liveness = before, target, focus, liveness
        self._limits = limits or Limits()
        self._granule = granule or (16 if before.uses_half_lanes else 32)
        self._implicit = ImplicitOperands(target, before)
        self._seeds = range(seed, seed + runs)
        self.runs = self._record(self._seeds)

    def compare(self, after: MachineFunction) -> Comparison:
        """Follow every recorded run in the function after allocation.

        Raises TargetError where that has a register that the target does not know.
        """
        if _shape(self._before) != _shape(after):
            return Comparison(0, 0, 0, None, "the functions do not have the same blocks and edges")
        if after.uses_half_lanes and self._granule == 32:
            self._granule = 16
            self.runs = self._record(self._seeds)
        program = self._compile_after(after, None)
        differ = completed = 0
        first: Difference | None = None
        for run in self.runs:
            other = program.follow(run)
            found = first_difference(run, other)
            if found is not None:
                differ += 1
                first = first or found
            elif other.outcome is run.outcome:
                completed += 1
        note = "" if differ else self._explain(after, completed)
        return Comparison(len(self.runs), differ, completed, first, note)

    def _record(self, seeds: Iterable[int], watch: int | None = None) -> list[Run]:
        program = Program(
            self._before,
            self._target,
            self._granule,
            Side.BEFORE,
            self._implicit,
            liveness=self._liveness,
            watch=watch,
        )
        explorer = Explorer(self._before, self._focus)
        runs: list[Run] = []
        for seed in seeds:
            explorer.begin(seed)
            runs.append(program.run(seed, explorer.takes, self._limits.steps))
        return runs

    def _compile_after(self, after: MachineFunction, watch: int | None) -> Program:
        return Program(after, self._target, self._granule, Side.AFTER, self._implicit, watch=watch)

    # -- why nothing differed --------------------------------------------------------------------------------

    def _explain(self, after: MachineFunction, completed: int) -> str:
        parts: list[str] = []
        if self._focus is not None:
            reached = [r for r in self.runs if r.visits.get(self._focus)]
            if not reached:
                return f"bb.{self._focus} was never reached in {len(self.runs)} runs"
            times = sum(r.visits[self._focus] for r in reached)
            parts.append(f"bb.{self._focus} was reached {times} times in {len(reached)} of {len(self.runs)} runs")
            parts.append(self._inside(after, self._focus, [r.seed for r in reached[:_WATCHED_RUNS]]))
        if completed < len(self.runs):
            parts.append(f"{len(self.runs) - completed} runs were cut short or did not come to the same end")
        return "; ".join(parts)

    def _inside(self, after: MachineFunction, block: int, seeds: list[int]) -> str:
        """What the instructions of a block compute on both sides, whether or not it has an effect."""
        program = self._compile_after(after, block)
        lines: set[int] = set()
        defined: set[int] = set()
        for run in self._record(seeds, block):
            line = _hidden_difference(run, program.follow(run))
            if line:
                return f"line {line} before allocation computes another value there, which reaches no effect"
            lines |= {s.line for s, _ in run.results}
            defined |= {s.line for s, words in run.results if min(words) >= 0}
        if lines == defined:
            return "every instruction there computes the same values"
        return f"{len(lines - defined)} of {len(lines)} instructions there only ever computed undefined lanes"


def compare(
    before: MachineFunction,
    after: MachineFunction,
    target: Target,
    runs: int,
    seed: int = 0,
    *,
    focus: int | None = None,
    limits: Limits | None = None,
    liveness: LaneLiveness | None = None,
) -> Comparison:
    """Run both functions from seeds seed, seed+1, ... and compare what reaches the outside.

    focus: the number of a block that most runs should reach. liveness: what the compiler knew of undefined lanes;
    without it every definition in the text is taken at its word, and differences in lanes that nobody ever
    defined on that path may be reported. Raises TargetError where a function has a register that the target does
    not know.
    """
    granule = 16 if before.uses_half_lanes or after.uses_half_lanes else 32
    recording = Recording(before, target, runs, seed, focus=focus, limits=limits, liveness=liveness, granule=granule)
    return recording.compare(after)


def _shape(function: MachineFunction) -> list[tuple[int, list[int]]]:
    return [(b.number, sorted(b.successors)) for b in function.blocks]


def _hidden_difference(run: Run, other: Run) -> int:
    """The line of an instruction that computes, before allocation only, some defined value. 0 if there is none.

    Only instructions that ran equally often are held against each other: one that was repeated elsewhere or
    moved says nothing.
    """
    counts = Counter(s.key for s, _ in run.results)
    counts.subtract(s.key for s, _ in other.results)
    computed = {(s.key, words) for s, words in other.results}
    for site, words in run.results:
        if counts[site.key] == 0 and min(words) >= 0 and (site.key, words) not in computed:
            return site.line
    return 0
