"""The evidence for the findings of one compile or one pair of files: `dataflow.evidence`, fed from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.analyse import Loader, StageKey, allocations
from regtriage.dataflow.asm.join import AsmLines
from regtriage.dataflow.asm.model import AsmError, AsmFile
from regtriage.dataflow.asm.parser import parse_asm
from regtriage.dataflow.evidence import Evidence, Forms, Gatherer, SourceReader
from regtriage.dataflow.findings import Finding, Layer, LayerResult, Verdict
from regtriage.dataflow.grouping import group
from regtriage.dataflow.mir.model import MirFile
from regtriage.dataflow.targets import Target
from regtriage.dataflow.trace import SpillerTrace

MOST_GROUPS = 12
"""Groups of findings that evidence is gathered for; more are listed without."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What there is of one function. asm: None if there is no assembly, or it is of another target."""

    name: str
    stages: Mapping[StageKey, Loader]
    target: Target
    asm: Path | None
    trace: SpillerTrace | None
    source: SourceReader


def telling_layer(layers: Sequence[LayerResult]) -> LayerResult | None:
    """The layer whose findings make a verdict BUG: of those with MIR the one nearest to the machine."""
    wrong = [layer for layer in layers if layer.verdict is Verdict.BUG and layer.findings]
    order = (Layer.REWRITTEN, Layer.MIR, Layer.ASM)
    return min(wrong, key=lambda layer: order.index(layer.layer), default=None)


def gather_evidence(compiled: Compiled, layers: Sequence[LayerResult]) -> tuple[Evidence, ...]:
    """The evidence for the findings of the telling layer, a group after the other.

    Raises TargetError for registers that the target does not know.
    """
    layer = telling_layer(layers)
    if layer is None:
        return ()
    asm = _read_asm(compiled)
    gatherers: dict[str, Gatherer | None] = {}
    found: list[Evidence] = []
    for member in group(layer.findings)[:MOST_GROUPS]:
        stage = member.first.stage
        if stage not in gatherers:
            gatherers[stage] = _gatherer(compiled, member.first, asm)
        gatherer = gatherers[stage]
        if gatherer is not None:
            found.append(gatherer.gather(member))
    return tuple(found)


def pair_evidence(
    before: MirFile, after: MirFile, name: str, target: Target, layer: LayerResult, source: SourceReader
) -> tuple[Evidence, ...]:
    """The same for two files of MIR."""
    telling = telling_layer([layer])
    if telling is None:
        return ()
    gatherer = Gatherer(Forms(name, before, after, target, source=source))
    return tuple(gatherer.gather(member) for member in group(telling.findings)[:MOST_GROUPS])


def _gatherer(compiled: Compiled, finding: Finding, asm: tuple[AsmFile, AsmLines] | None) -> Gatherer | None:
    """For the pair of stages that a finding is about."""
    pass_name, _, index = finding.stage.partition(",")
    wanted = StageKey(before=False, pass_name=pass_name, index=int(index))
    for allocation in allocations(list(compiled.stages)):
        if wanted in (allocation.greedy, *allocation.rest):
            before, after = compiled.stages[allocation.start](), compiled.stages[wanted]()
            names = (f"{allocation.start.pass_name},{allocation.start.index}", finding.stage)
            forms = Forms(compiled.name, before, after, compiled.target, asm, compiled.source, names)
            return Gatherer(forms, compiled.trace)
    return None


def _read_asm(compiled: Compiled) -> tuple[AsmFile, AsmLines] | None:
    if compiled.asm is None or compiled.target.name != "AMDGPU":
        return None
    try:
        file = parse_asm(compiled.asm.read_text(encoding="utf-8", errors="surrogateescape"), compiled.asm.name)
        stages = [load() for load in compiled.stages.values()]
        return file, AsmLines(stages, compiled.name, compiled.target, file)
    except (AsmError, KeyError):
        return None
