"""One function through all its allocations: which layer is right, and where the first wrong stage is.

An allocation is one run of greedy with the passes that finish it, up to the next one: on AMDGPU scalar
registers (0), whole-wave vector registers (1), vector registers (2). For each, the function before greedy is
compared with the function after greedy (layer `mir`) and with the last stage (layer `rewritten`). If the last
stage is right, so is what the stages before it made of it together; only if it is wrong are they looked at
one by one, to find the pass that broke it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .check import CheckResult, check
from .exits import structural_exit, with_exit
from .findings import Finding, Hazard, Layer, LayerResult
from .hazards import find_hazards
from .judge import judge
from .liveness import LaneLiveness
from .mir.debug import DebugInfo
from .mir.model import MachineFunction, MirFile, Role
from .targets.base import Target
from .trace import SpillerTrace
from .translate import Numbering, is_rewritten
from .witness import Context, fault_finding, find_witness, value_finding

_MOST_FINDINGS = 64
"""Witnesses made per comparison; what is beyond is counted in one line."""


@dataclass(frozen=True, slots=True)
class StageKey:
    """A stage's place in the pipeline: e.g. before greedy 0, after virtregrewriter 0."""

    before: bool
    pass_name: str
    index: int

    def __str__(self) -> str:
        return f"{'before' if self.before else 'after'} {self.pass_name},{self.index}"


Loader = Callable[[], MirFile]


@dataclass(frozen=True, slots=True)
class Allocation:
    """One allocation's stages. last are the stages after greedy, in pipeline order."""

    index: int
    start: StageKey
    greedy: StageKey | None
    rest: tuple[StageKey, ...]


@dataclass(slots=True)
class _Layered:
    findings: list[Finding] = field(default_factory=list[Finding])
    hazards: list[Hazard] = field(default_factory=list[Hazard])
    unproven: list[str] = field(default_factory=list[str])
    checked: int = 0
    seen: bool = False

    def result(self, layer: Layer) -> LayerResult:
        verdict = judge(self.findings, self.hazards, self.unproven)
        return LayerResult(
            layer,
            verdict,
            tuple(self.findings),
            tuple(self.hazards),
            tuple(dict.fromkeys(self.unproven)),
            self.checked,
        )


def allocations(stages: Sequence[StageKey]) -> list[Allocation]:
    """Group stages, given in pipeline order, by allocation."""
    found: list[Allocation] = []
    starts = [k for k, s in enumerate(stages) if s.before and s.pass_name == "greedy"]
    for n, at in enumerate(starts):
        end = starts[n + 1] if n + 1 < len(starts) else len(stages)
        following = [s for s in stages[at + 1 : end] if not s.before]
        greedy = next((s for s in following if s.pass_name == "greedy"), None)
        rest = tuple(s for s in following if s.pass_name != "greedy")
        found.append(Allocation(stages[at].index, stages[at], greedy, rest))
    return found


def analyse_pair(
    before_file: MirFile, after_file: MirFile, name: str, target: Target, liveness: LaneLiveness | None
) -> LayerResult:
    """Compare one function of two files of unknown stages: `mir` while the result has virtual registers only.

    Raises ShapeMismatchError, TargetError.
    """
    before, after = before_file.function(name), after_file.function(name)
    layer = Layer.REWRITTEN if is_rewritten(after) else Layer.MIR
    layered = _Layered()
    result = check(before, after, target, liveness)
    context = Context(layer, "as given", DebugInfo(before_file.ir), DebugInfo(after_file.ir))
    analyser = Analyser(name, {}, target, None, None)
    analyser.add(
        layered, result, context, Allocation(0, StageKey(before=True, pass_name="greedy", index=0), None, ()), None, ""
    )
    layered.hazards += find_hazards(result, layer, context.stage, context.after_debug)
    return layered.result(layer)


@dataclass(slots=True)
class Analyser:
    """Analyses one function of one compile. load gives the MIR of a stage."""

    name: str
    load: Mapping[StageKey, Loader]
    target: Target
    liveness: Mapping[tuple[str, int], LaneLiveness] | None
    trace: SpillerTrace | None
    _debug: dict[int, DebugInfo] = field(default_factory=dict[int, DebugInfo])
    _numbering: Numbering = field(init=False)

    def __post_init__(self) -> None:
        self._numbering = Numbering(self.target, shared=True)

    def run(self) -> list[LayerResult]:
        """Results of the layers that the stages allow: mir, rewritten.

        Raises MirError, ShapeMismatchError, TargetError.
        """
        mir, rewritten = _Layered(), _Layered()
        for allocation in allocations(list(self.load)):
            self._allocation(allocation, mir, rewritten)
        pairs = ((Layer.MIR, mir), (Layer.REWRITTEN, rewritten))
        return [layered.result(layer) for layer, layered in pairs if layered.seen]

    def _allocation(self, allocation: Allocation, mir: _Layered, rewritten: _Layered) -> None:
        before_file = self.load[allocation.start]()
        before = before_file.function(self.name)
        liveness = self.liveness.get((self.name, allocation.index)) if self.liveness else None
        greedy: MachineFunction | None = None
        if allocation.greedy is not None:
            mir.seen = True
            after_file = self.load[allocation.greedy]()
            greedy = after_file.function(self.name)
            result = check(before, greedy, self.target, liveness, self._numbering)
            context = self._context(Layer.MIR, allocation.greedy, before_file, after_file)
            self.add(mir, result, context, allocation, greedy, "greedy")
            hazards = find_hazards(result, Layer.MIR, context.stage, context.after_debug)
            mir.hazards += hazards
            if allocation.rest:
                rewritten.hazards += hazards
        if allocation.rest:
            rewritten.seen = True
            self._rewritten(allocation, before_file, before, liveness, greedy, rewritten)

    def _rewritten(
        self,
        allocation: Allocation,
        before_file: MirFile,
        before: MachineFunction,
        liveness: LaneLiveness | None,
        greedy: MachineFunction | None,
        rewritten: _Layered,
    ) -> None:
        stage, after_file, result = self._first_wrong(allocation, before, liveness)
        context = self._context(Layer.REWRITTEN, stage, before_file, after_file)
        self.add(rewritten, result, context, allocation, greedy, stage.pass_name)

    def _first_wrong(
        self, allocation: Allocation, before: MachineFunction, liveness: LaneLiveness | None
    ) -> tuple[StageKey, MirFile, CheckResult]:
        """The last stage if it is right, else the first stage that is wrong."""

        def compare(stage: StageKey) -> tuple[StageKey, MirFile, CheckResult]:
            after_file = self.load[stage]()
            return (
                stage,
                after_file,
                check(before, after_file.function(self.name), self.target, liveness, self._numbering),
            )

        last = compare(allocation.rest[-1])
        if not _is_wrong(last[2]):
            return last
        for stage in allocation.rest[:-1]:
            earlier = compare(stage)
            if _is_wrong(earlier[2]):
                return earlier
        return last

    def add(
        self,
        layered: _Layered,
        result: CheckResult,
        context: Context,
        allocation: Allocation,
        greedy: MachineFunction | None,
        pass_name: str,
    ) -> None:
        """Turn one comparison into findings of a layer."""
        layered.checked += result.checked
        layered.unproven += result.unknown
        for fault in result.program.faults:
            layered.findings.append(structural_exit(fault_finding(result, fault, context)))
        missing = 0
        for violation in result.violations[:_MOST_FINDINGS]:
            witness = find_witness(result, violation)
            if witness is None:
                missing += 1
                continue
            finding = value_finding(result, witness, context)
            layered.findings.append(with_exit(finding, witness, allocation.index, greedy, self.trace, pass_name))
        if missing:
            layered.unproven.append(f"{context.stage}: {missing} operands differ, but no concrete path shows it")
        if len(result.violations) > _MOST_FINDINGS:
            more = len(result.violations) - _MOST_FINDINGS
            layered.unproven.append(f"{context.stage}: {more} more operands differ and were not examined")

    def _context(self, layer: Layer, stage: StageKey, before: MirFile, after: MirFile) -> Context:
        return Context(layer, f"{stage.pass_name},{stage.index}", self._debug_of(before), self._debug_of(after))

    def _debug_of(self, file: MirFile) -> DebugInfo:
        found = self._debug.get(id(file))
        if found is None:
            found = self._debug[id(file)] = DebugInfo(file.ir)
        return found


def _is_wrong(result: CheckResult) -> bool:
    return bool(result.violations or result.program.faults)


def spill_code_seen(function: MachineFunction) -> bool:
    """Tell whether the allocator has been here: spill code, split copies or rewritten registers."""
    return is_rewritten(function) or any(
        i.role in (Role.SAVE, Role.RESTORE) or "lr-split" in i.flags for b in function.blocks for i in b.instructions
    )
