"""Confirms findings by execution: the second method, which knows nothing of the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regtriage.dataflow.analyse import Allocation, Loader, StageKey, allocations
from regtriage.dataflow.findings import Finding
from regtriage.dataflow.interpret import compare
from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.targets import Target
from regtriage.tools.results import Confirmation

_BATCH = 50
"""A real finding shows in most batches of this size; few do not, and these get all the runs."""

Liveness = Mapping[tuple[str, int], LaneLiveness]


def confirm_findings(
    load: Mapping[StageKey, Loader],
    name: str,
    target: Target,
    liveness: Liveness | None,
    findings: Sequence[Finding],
    runs: int,
) -> Confirmation:
    """Run the function before allocation and at the stage of the findings on the same random inputs.

    runs: at most so many for a pair of stages; they are made in batches, and a batch in which some differ is
    the last. Without findings every allocation's last stage is run. The counts are those of the first pair of
    stages where runs differ, else of the last one tried.
    """
    result = Confirmation(0, 0, "there was nothing to run")
    for allocation, stage, focus in _pairs(list(load), findings):
        before, after = load[allocation.start]().function(name), load[stage]().function(name)
        lanes = liveness.get((name, allocation.index)) if liveness else None
        done = 0
        while done < runs:
            batch = min(_BATCH if done == 0 else runs, runs - done)
            comparison = compare(before, after, target, batch, done, focus=focus, liveness=lanes)
            done += batch
            result = Confirmation(done, comparison.differ, comparison.note)
            if comparison.differ:
                return result
            if not comparison.runs:
                break
    return result


def _pairs(stages: Sequence[StageKey], findings: Sequence[Finding]) -> list[tuple[Allocation, StageKey, int | None]]:
    """What to run: the allocation, the stage to compare with, and the block that runs should reach."""
    found = allocations(stages)
    if not findings:
        return [(a, a.rest[-1], None) for a in found if a.rest]
    pairs: dict[StageKey, tuple[Allocation, StageKey, int | None]] = {}
    for finding in findings:
        for allocation in found:
            for stage in (allocation.greedy, *allocation.rest):
                if stage is not None and f"{stage.pass_name},{stage.index}" == finding.stage:
                    pairs.setdefault(stage, (allocation, stage, _block_number(finding.use.block)))
    return list(pairs.values())


def _block_number(label: str) -> int:
    return int(label.split(".")[1])
