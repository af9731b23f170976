"""Confirms findings by execution: the second method, which knows nothing of the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regtriage.dataflow.analyse import Loader, StageKey, allocations
from regtriage.dataflow.findings import Finding
from regtriage.dataflow.interpret import compare
from regtriage.dataflow.targets import Target
from regtriage.tools.results import Confirmation


def confirm_findings(
    load: Mapping[StageKey, Loader], name: str, target: Target, findings: Sequence[Finding], runs: int
) -> Confirmation:
    """Run the function before allocation and at the stage of the findings on the same random inputs.

    Without findings every allocation's last stage is run. Stages are tried in the order of the findings; the
    counts are those of the first stage where runs differ, else of the last one tried.
    """
    stages = list(load)
    by_name = {f"{s.pass_name},{s.index}": s for s in stages if not s.before}
    starts = {a.index: a for a in allocations(stages)}
    pairs: dict[tuple[StageKey, StageKey], int | None] = {}
    for finding in findings:
        stage = by_name[finding.stage]
        allocation = max(
            (a for a in starts.values() if stages.index(a.start) < stages.index(stage)),
            key=lambda a: stages.index(a.start),
        )
        pairs.setdefault((allocation.start, stage), _block_number(finding.use.block))
    if not findings:
        pairs = {(a.start, a.rest[-1] if a.rest else a.greedy or a.start): None for a in starts.values()}
    result = Confirmation(0, 0, "there was nothing to run")
    for (before, after), focus in pairs.items():
        comparison = compare(load[before]().function(name), load[after]().function(name), target, runs, focus=focus)
        result = Confirmation(comparison.runs, comparison.differ, comparison.note)
        if comparison.differ:
            break
    return result


def _block_number(label: str) -> int:
    return int(label.split(".")[1])
