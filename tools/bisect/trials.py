"""Compiles with a choice of the spiller's decisions changed, each judged in one allocation of one function.

A trial stops right after the allocation in question. Whether it is right takes one comparison, of the function
before that allocation with the function at the end of it; what is wrong is looked at only when asked.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from regtriage.dataflow.analyse import Allocation, Analyser, Loader, StageKey
from regtriage.dataflow.check import check
from regtriage.dataflow.findings import Finding, Layer, LayerResult, Verdict
from regtriage.dataflow.judge import overall
from regtriage.dataflow.mir.model import MirError, MirFile
from regtriage.dataflow.targets import TargetError
from regtriage.dataflow.trace import SpillerTrace
from regtriage.dataflow.translate import ShapeMismatchError
from regtriage.tools.llc.run import Compilation, CompileRequest, Llc, PrivateRegister, StageWhen, Variant
from regtriage.tools.triage import Stages, read_liveness, read_trace

_STRANGE = (MirError, ShapeMismatchError, TargetError)
_GUARDS = (Variant.GUARD, Variant.GUARD_LANES)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which decisions of the spiller are changed, and how.

    From the skip-th on, counted over the module, at most count of those that the variant changes; or the private
    slots of just the registers in only. flags: further ones for the compiler.
    """

    variant: Variant = Variant.OFF
    skip: int = 0
    count: int | None = None
    only: tuple[PrivateRegister, ...] = ()
    flags: tuple[str, ...] = ()

    def apply(self, request: CompileRequest) -> CompileRequest:
        """The request with this choice in place of its own."""
        guard = self.variant in _GUARDS
        return dataclasses.replace(
            request,
            variant=self.variant,
            extra_args=(*request.extra_args, *self.flags),
            guard_skip=self.skip if guard else 0,
            guard_count=self.count if guard else None,
            private_skip=0 if guard else self.skip,
            private_count=None if guard else self.count,
            private_only=self.only,
        )

    def arguments(self) -> tuple[str, ...]:
        """The options of `regtriage run` that do the same."""
        name = "guard" if self.variant in _GUARDS else "private"
        flags = [f"-{name}-skip={self.skip}"] if self.skip else []
        flags += [f"-{name}-count={self.count}"] if self.count is not None else []
        flags += ["-private-only=" + ",".join(map(str, self.only))] if self.only else []
        return ("--variant", str(self.variant), *(f"--llc-arg={flag}" for flag in (*flags, *self.flags)))


@dataclass(frozen=True, slots=True)
class Trial:
    """One compile. is_right: nothing differs, and nothing was not understood. trace: the function's."""

    choice: Choice
    compilation: Compilation
    is_right: bool
    trace: SpillerTrace


@dataclass(slots=True)
class Trials:
    """The trials of one allocation of one function; each choice is compiled once.

    baseline: the whole compile with nothing changed. stages: what it left. jobs: compiles at a time. All methods
    raise InputError or ToolFailure if a compile fails.
    """

    llc: Llc
    baseline: Compilation
    stages: Stages
    name: str
    allocation: Allocation
    folder: Path
    jobs: int = 1
    _before: MirFile = field(init=False)
    _before_text: bytes = field(init=False)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _known: dict[Choice, Trial] = field(default_factory=dict[Choice, Trial])
    _explained: dict[Choice, Sequence[LayerResult]] = field(default_factory=dict[Choice, Sequence[LayerResult]])

    def __post_init__(self) -> None:
        self._before = self.stages.loaders()[self.allocation.start]()
        self._before_text = _path(self.baseline, self.allocation.start).read_bytes()
        self._known[Choice()] = self._judge(Choice(), self.baseline)

    @property
    def unchanged(self) -> Trial:
        """The trial with nothing changed."""
        return self._known[Choice()]

    @property
    def count(self) -> int:
        """How many different compiles were judged."""
        return len(self._known)

    def judge(self, choice: Choice) -> Trial:
        """Compile one way."""
        return next(self.judge_each([choice]))

    def judge_each(self, choices: Iterable[Choice]) -> Iterator[Trial]:
        """Compile each way, in this order, while others ahead are being compiled too. May be left early."""
        waiting: deque[tuple[Choice, Future[Compilation] | None]] = deque()
        coming = iter(choices)
        pool = concurrent.futures.ThreadPoolExecutor(self.jobs)
        try:
            while True:
                for choice in itertools.islice(coming, self.jobs - len(waiting)):
                    known = choice in self._known
                    waiting.append((choice, None if known else pool.submit(self._compile, choice, next(self._numbers))))
                if not waiting:
                    return
                choice, compiling = waiting.popleft()
                if compiling is not None:
                    self._known[choice] = self._judge(choice, compiling.result())
                yield self._known[choice]
        finally:
            pool.shutdown(cancel_futures=True)

    def verdict(self, trial: Trial) -> Verdict:
        """The verdict about a trial, as far as the end of the allocation."""
        by_layer = {layer.layer: layer.verdict for layer in self._layers(trial)}
        return overall(by_layer.get(Layer.MIR), by_layer.get(Layer.REWRITTEN))

    def findings(self, trial: Trial) -> tuple[Finding, ...]:
        """What is wrong with a trial at the end of the allocation."""
        return self._layers(trial)[-1].findings

    def rewritten(self, trial: Trial) -> Path:
        """The MIR right after registers were assigned."""
        stages = self.allocation.rest or (self.allocation.greedy or self.allocation.start,)
        return _path(trial.compilation, stages[0])

    @property
    def _last(self) -> StageKey:
        return (self.allocation.greedy, *self.allocation.rest)[-1] or self.allocation.start

    def _compile(self, choice: Choice, number: int) -> Compilation:
        request = choice.apply(self.baseline.request)
        request = dataclasses.replace(
            request, extra_args=(*request.extra_args, f"-stop-after={self._last.pass_name},{self._last.index}")
        )
        return self.llc.compile(request, self.folder / f"{number:03}")

    def _judge(self, choice: Choice, compilation: Compilation) -> Trial:
        trace = read_trace(compilation).get(self.name, SpillerTrace())
        loaders = self._loaders(compilation)
        try:
            before = loaders[self.allocation.start]().function(self.name)
            liveness = (read_liveness(compilation) or {}).get((self.name, self.allocation.index))
            result = check(before, loaders[self._last]().function(self.name), self.stages.target, liveness)
            wrong = bool(result.violations or result.program.faults or result.unknown)
        except _STRANGE:
            wrong = True
        return Trial(choice, compilation, not wrong, trace)

    def _layers(self, trial: Trial) -> Sequence[LayerResult]:
        known = self._explained.get(trial.choice)
        if known is None:
            loaders = self._loaders(trial.compilation)
            # Mostly the first stage after greedy is wrong already; then the later ones need no comparison.
            early = {key: loader for key, loader in loaders.items() if key not in self.allocation.rest[1:]}
            known = self._analyse(trial, loaders if trial.is_right else early)
            if not trial.is_right and known[-1].verdict is not Verdict.BUG and len(early) < len(loaders):
                known = self._analyse(trial, loaders)
            self._explained[trial.choice] = known
        return known

    def _analyse(self, trial: Trial, loaders: Mapping[StageKey, Loader]) -> Sequence[LayerResult]:
        try:
            liveness = read_liveness(trial.compilation)
            return Analyser(self.name, loaders, self.stages.target, liveness, trial.trace).run()
        except _STRANGE as error:
            return [LayerResult(Layer.REWRITTEN, Verdict.UNPROVEN, (), (), (str(error),), 0)]

    def _loaders(self, compilation: Compilation) -> Mapping[StageKey, Loader]:
        """The allocation's stages. The one before it is mostly the same in every trial."""
        wanted = (self.allocation.start, self.allocation.greedy, *self.allocation.rest)
        loaders: dict[StageKey, Loader] = {
            k: v for k, v in Stages(compilation, self.stages.reader).loaders().items() if k in wanted
        }
        if _path(compilation, self.allocation.start).read_bytes() == self._before_text:
            loaders[self.allocation.start] = lambda: self._before
        return loaders


def _path(compilation: Compilation, key: StageKey) -> Path:
    when = StageWhen.BEFORE if key.before else StageWhen.AFTER
    stage = compilation.stage(when, key.pass_name, key.index)
    assert stage is not None, f"no stage {key}"
    return stage.path
