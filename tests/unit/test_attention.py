"""The repository's own attention kernel through the whole triage: what its README table says is what is found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from regtriage.dataflow.findings import Finding, Layer, Place, Verdict
from regtriage.tools.llc.run import BuiltinLlc, Variant
from regtriage.tools.results import Conclusion, FunctionReport, How
from regtriage.tools.triage import TriageRequest, triage

ATTENTION = Path(__file__).parents[2] / "reproducers" / "attention"
SOURCE = (ATTENTION / "kernel.py").read_text().splitlines()
VARIANTS = (Variant.OFF, Variant.GUARD, Variant.PRIVATE)


@dataclass(frozen=True, slots=True)
class Case:
    """reads: the source lines that read lost lanes; none where every variant is right."""

    kernel: str
    reads: tuple[str, ...]

    def __str__(self) -> str:
        return self.kernel


ROPE = Case("rope-triton-3.9.0", ("k = tl.load(k_tile", "k_rope = tl.load(k_rope_tile"))
CASES = (
    Case("grouped-triton-3.9.0", ("k = tl.load(k_tile",)),
    Case("grouped-triton-3.8.0", ()),
    pytest.param(ROPE, marks=pytest.mark.slow),
)


@pytest.fixture(scope="module", params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(scope="module")
def report(case: Case) -> FunctionReport:
    request = TriageRequest(ATTENTION / f"{case.kernel}.llir", VARIANTS, confirm=0)
    (function,) = triage(request, BuiltinLlc()).functions
    return function


def rewritten(report: FunctionReport, variant: Variant) -> tuple[Finding, ...]:
    (found,) = (v for v in report.variants if v.variant is variant)
    (layer,) = (x for x in found.layers if x.layer is Layer.REWRITTEN)
    return layer.findings


def source_line(place: Place) -> str:
    at = next(at for at in place.debug if Path(at.file).name == "kernel.py")
    return SOURCE[at.line - 1].strip()


def test_the_verdicts(case: Case, report: FunctionReport) -> None:
    wrong = Verdict.BUG if case.reads else Verdict.CLEAN
    verdicts = {v.variant: v.verdict for v in report.variants}
    assert verdicts == {Variant.OFF: wrong, Variant.GUARD: wrong, Variant.PRIVATE: Verdict.CLEAN}
    assert report.conclusion is (Conclusion.MISCOMPILED if case.reads else Conclusion.CLEAN)


def test_nothing_is_left_unproven(report: FunctionReport) -> None:
    for variant in report.variants:
        assert {x.layer for x in variant.layers} >= {Layer.MIR, Layer.REWRITTEN}
        assert [reason for x in variant.layers for reason in x.unproven] == []


def test_the_address_of_k_is_overwritten_where_dropout_writes_its_mask(case: Case, report: FunctionReport) -> None:
    findings = rewritten(report, Variant.OFF)
    lost = {(source_line(f.use), str(f.needed).partition(".")[2]) for f in findings}
    assert {(line.partition(",")[0], lane) for line, lane in lost} == {
        (line, lane) for line in case.reads for lane in ("sub0", "sub1")
    }
    for finding in findings:
        assert finding.loop_carried
        assert finding.replayed
        assert finding.clobber is not None
        assert source_line(finding.clobber) == "tl.store(mask_tile, kept, mask=written)"


def test_only_private_slots_are_a_cure(case: Case, report: FunctionReport) -> None:
    expected = {Variant.GUARD: How.NONE, Variant.PRIVATE: How.CAUSE} if case.reads else {}
    assert {cure.variant: cure.how for cure in report.cures} == expected
