"""Bisections of real kernels, end to end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from regtriage.dataflow.findings import Verdict
from regtriage.tools.bisect import BisectRequest, bisect
from regtriage.tools.bisect.json import bisect_object
from regtriage.tools.bisect.model import BisectReport, FunctionBisection, RegisterSet
from regtriage.tools.bisect.text import bisect_lines
from regtriage.tools.llc.run import BuiltinLlc, Compilation, CompileRequest, InputError, Variant, resolve_llc
from regtriage.tools.report.json import dump
from regtriage.tools.report.look import Look, render
from regtriage.tools.results import How
from regtriage.tools.triage import TriageRequest, triage

REPOSITORY = Path(__file__).parents[3]
MISCOMPILES = REPOSITORY / "reproducers" / "miscompiles"
ATTENTION = REPOSITORY / "reproducers" / "attention"
SCHEMAS = REPOSITORY / "docs" / "schema"


def bisected(kernel: Path, **options: Any) -> BisectReport:
    return bisect(BisectRequest(kernel, **options), resolve_llc())


def culprit(report: BisectReport) -> tuple[FunctionBisection, RegisterSet]:
    (function,) = report.functions
    assert function.culprit is not None
    return function, function.culprit


def registers(found: RegisterSet) -> list[tuple[int, int]]:
    return [(m.decision.register, m.decision.original) for m in found.members]


def rerun(kernel: Path, found: RegisterSet) -> Verdict:
    """The cure, named alone, by the command for everybody."""
    arguments = tuple(a.removeprefix("--llc-arg=") for a in found.choice.arguments() if a.startswith("--llc-arg="))
    report = triage(TriageRequest(kernel, (Variant.PRIVATE,), llc_args=arguments, jobs=1), resolve_llc())
    return report.functions[0].variants[0].verdict


def test_one_register_of_insert_spill_65():
    kernel = MISCOMPILES / "insert_spill_65.ll"
    report = bisected(kernel)
    _, found = culprit(report)
    assert registers(found) == [(73, 1)]
    assert (found.how, found.verdict) == (How.CAUSE, Verdict.CLEAN)
    assert rerun(kernel, found) is Verdict.CLEAN
    assert dump(bisect_object(report, "1")) == dump(bisect_object(bisected(kernel), "1"))


def test_json_is_as_the_schema_says():
    schemas = {name: json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")) for name in ("run", "bisect")}
    Draft202012Validator.check_schema(schemas["bisect"])
    registry = Registry[Any]().with_resource("run.schema.json", Resource[Any].from_contents(schemas["run"]))
    validator = Draft202012Validator(schemas["bisect"], registry=registry)
    for kernel in (MISCOMPILES / "redundant_spill.ll", REPOSITORY / "tests" / "data" / "llc" / "two_kernels.ll"):
        value = json.loads(dump(bisect_object(bisected(kernel), "1.2")))
        validator.validate(value)  # pyright: ignore[reportUnknownMemberType]


def test_the_prefixes_of_one_variant_by_bisection():
    report = bisected(MISCOMPILES / "insert_spill_65.ll", variants=(Variant.PRIVATE,), scan_at_most=0)
    (turn,) = report.functions[0].turns
    assert (turn.decisions, turn.at, turn.search) == (2, 1, "bisection")


def test_a_function_that_is_right_whatever_is_changed():
    report = bisected(REPOSITORY / "tests" / "data" / "llc" / "two_kernels.ll")
    assert {(f.verdict, f.allocation, f.culprit) for f in report.functions} == {(Verdict.CLEAN, None, None)}


def test_no_such_function():
    with pytest.raises(InputError, match="no function 'nothing'"):
        bisected(MISCOMPILES / "insert_spill_65.ll", functions=("nothing",))


@pytest.mark.slow
def test_two_registers_of_a_whole_kernel():
    kernel = MISCOMPILES / "insert_spill_large.ll"
    function, found = culprit(bisected(kernel))
    assert registers(found) == [(2143, 391), (2235, 279)]
    assert [m.without for m in found.members] == [3, 16]
    assert (found.how, found.verdict) == (How.CAUSE, Verdict.CLEAN)
    assert rerun(kernel, found) is Verdict.CLEAN
    how = {turn.variant: turn.how for turn in function.turns}
    assert how == {Variant.GUARD: How.NONE, Variant.GUARD_LANES: How.NONE, Variant.PRIVATE: How.CAUSE}


@pytest.mark.slow
def test_the_attention_kernel():
    kernel = ATTENTION / "rope-triton-3.9.0.llir"
    _, found = culprit(bisected(kernel))
    assert len(found.members) == 1
    assert (found.how, found.verdict) == (How.CAUSE, Verdict.CLEAN)
    assert rerun(kernel, found) is Verdict.CLEAN


class GuardBreaks(BuiltinLlc):
    """A compiler that is right unless its guard is on."""

    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        guarded = request.variant is Variant.GUARD
        return super().compile(replace(request, variant=Variant.OFF if guarded else Variant.PRIVATE), out_dir)


def test_a_variant_that_breaks_a_function():
    request = BisectRequest(MISCOMPILES / "insert_spill_65.ll", variants=(Variant.GUARD,))
    report = bisect(request, GuardBreaks())
    (function,) = report.functions
    assert (function.verdict, function.allocation, function.culprit) == (Verdict.CLEAN, 0, None)
    assert len(function.findings) == 2
    assert [turn.verdict for turn in function.turns] == [Verdict.BUG]
    lines = render(bisect_lines(report, Look()), colored=False).splitlines()
    assert lines[2].startswith("k: CLEAN, and guard breaks it in allocation 0; 2 findings")
