"""The evidence for a finding, on pairs written by hand: which steps, on which lines, with which names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regtriage.dataflow.evidence import Evidence, Excerpt, LineKind, Pane, Step, StepKind
from regtriage.tools.sources import SourceFiles
from regtriage.tools.triage import check_files

MIR = Path(__file__).parents[3] / "reproducers" / "mir"


def gathered(name: str) -> Evidence:
    before, after = (MIR / f"{name}.{side}.mir" for side in ("before", "after"))
    (report,) = check_files(before, after, evidence=SourceFiles())
    return report.variants[0].evidence[0]


def pane(step: Step, which: Pane) -> Excerpt:
    return next(e for e in step.excerpts if e.pane is which)


def keys(excerpt: Excerpt) -> list[str]:
    return [line.text for line in excerpt.lines if line.kind is LineKind.KEY]


def kinds(steps: Sequence[Step]) -> list[StepKind]:
    return [step.kind for step in steps]


def test_the_steps_are_those_of_the_path_and_say_where_the_value_is_gone():
    found = gathered("lost-over-back-edge")
    assert kinds(found.steps)[0] is StepKind.DEFINED
    assert kinds(found.steps)[-1] is StepKind.READ
    at = next(k for k, s in enumerate(found.steps) if s.kind in (StepKind.OVERWRITTEN, StepKind.INCOMPLETE))
    assert [s.wrong for s in found.steps] == [k >= at for k in range(len(found.steps))]
    assert any(s.over_back_edge for s in found.steps[at:]), "it is lost over a back edge"


def test_what_runs_over_the_value_comes_after_what_saved_it():
    found = gathered("lost-over-back-edge")
    assert kinds(found.steps).index(StepKind.SAVED) < kinds(found.steps).index(StepKind.OVERWRITTEN)
    saved = next(s for s in found.steps if s.kind is StepKind.SAVED)
    assert not saved.wrong
    assert "SAVE" in keys(pane(saved, Pane.AFTER))[0]


def test_lines_are_those_of_the_files():
    found = gathered("lost-over-back-edge")
    for step in found.steps:
        for excerpt in step.excerpts:
            texts = Path(excerpt.file).read_text().splitlines()
            for line in excerpt.lines:
                if line.number:
                    assert line.text in " ".join(texts[line.number - 1].split())


def test_before_allocation_spill_code_has_a_place_but_no_line():
    found = gathered("lost-over-back-edge")
    store = next(s for s in found.steps if s.kind is StepKind.OVERWRITTEN)
    excerpt = pane(store, Pane.BEFORE)
    assert not keys(excerpt)
    assert [line.kind for line in excerpt.lines].count(LineKind.MISSING) == 1


def test_a_wide_store_names_only_the_words_that_are_lost():
    found = gathered("lost-over-back-edge")
    store = next(s for s in found.steps if s.kind is StepKind.OVERWRITTEN)
    (line,) = [x for x in pane(store, Pane.AFTER).lines if x.kind is LineKind.KEY]
    names = {name for name, _ in line.names}
    assert {lane for _, lane in line.names} == set(range(len(found.lanes)))
    assert sum("stack." in name for name in names) == len(found.lanes)
    assert all(name.startswith(("%stack.", "$", "%")) for name in names)


def test_the_slice_has_the_steps_and_ends_at_the_use():
    found = gathered("lost-over-back-edge")
    steps = [a["step"] for _, a in found.slice.nodes(data=True)]
    assert steps.count("read") == 1
    assert "overwritten" in steps
    assert "saved" in steps
    (use,) = [n for n, a in found.slice.nodes(data=True) if a["kind"] == "use"]
    assert found.slice.out_degree(use) == 0
    assert found.slice.in_degree(use) == 1


def test_a_pair_without_findings_has_no_evidence():
    before, after = (MIR / f"counter-in-slot.{side}.mir" for side in ("before", "after"))
    (report,) = check_files(before, after, evidence=SourceFiles())
    assert report.variants[0].evidence == ()


def test_evidence_is_gathered_only_where_it_is_asked_for():
    before, after = (MIR / f"lost-over-back-edge.{side}.mir" for side in ("before", "after"))
    (report,) = check_files(before, after)
    assert report.variants[0].evidence == ()
    assert report.variants[0].layers[0].findings


def test_sources_are_found_by_the_longest_end_of_their_path(tmp_path: Path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "k.py").write_text("top\n")
    (tmp_path / "a" / "b" / "k.py").write_text("deep\n")
    (tmp_path / "binary.py").write_bytes(b"\0\1")
    files = SourceFiles(tmp_path, base=tmp_path / "none")
    assert files.lines("/home/user/a/b/k.py") == ["deep"]
    assert files.lines("/home/user/other/k.py") == ["top"]
    assert files.lines("/home/user/missing.py") is None
    assert files.lines("binary.py") is None
    assert files.lines("") is None
    assert files.lines("../k.py") == ["top"], "never above the folder"
