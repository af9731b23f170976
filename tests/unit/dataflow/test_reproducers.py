"""The MIR pairs in reproducers/mir: what each shows is what the check says."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.dataflow.analyse import analyse_pair
from regtriage.dataflow.findings import LayerResult, Verdict
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import AMDGPU

PAIRS = Path(__file__).parents[3] / "reproducers" / "mir"


def analyse(name: str) -> LayerResult:
    reader = Reader(AMDGPU)
    before, after = (reader.read((PAIRS / f"{name}.{side}.mir").read_text(), side) for side in ("before", "after"))
    return analyse_pair(before, after, before.functions[0].name, AMDGPU, None)


@pytest.mark.parametrize("name", ["completed-save", "completed-save-in-loop"])
def test_completed_partial_saves_are_no_bug(name: str):
    assert analyse(name).verdict in (Verdict.CLEAN, Verdict.HAZARD)


@pytest.mark.parametrize("name", ["counter-in-slot", "wide-counter-in-slot"])
def test_loop_carried_counters_are_clean(name: str):
    assert analyse(name).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("name", "lanes", "edge"),
    [
        ("lost-over-back-edge", ["%1.sub0", "%1.sub1", "%1.sub3"], "bb.1"),
        ("lost-over-outer-back-edge", ["%1.sub0"], "bb.1"),
    ],
)
def test_lanes_lost_over_a_back_edge(name: str, lanes: list[str], edge: str):
    result = analyse(name)
    assert result.verdict is Verdict.BUG
    assert [str(f.needed) for f in result.findings] == lanes
    for finding in result.findings:
        assert finding.replayed
        assert finding.loop_carried
        assert [s.block for s in finding.path if s.back_edge] == [edge]
        assert finding.clobber is not None
        assert "SI_SPILL_S128_SAVE" in finding.clobber.text


def test_the_outer_path_is_told_whole():
    (finding,) = analyse("lost-over-outer-back-edge").findings
    assert [s.block for s in finding.path] == ["bb.0", "bb.1", "bb.2", "bb.3", "bb.4", "bb.1"]
    assert [s.note for s in finding.path] == ["defined", "", "", "overwritten", "", "read"]
