from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from regtriage.dataflow.evidence import Decision, DecisionKind
from regtriage.dataflow.findings import Exit, FindingKind
from regtriage.dataflow.grouping import group
from regtriage.tools.llc.run import LlcIdentity, LlcKind, Variant
from regtriage.tools.report import telling
from regtriage.tools.results import Conclusion, Cure, Given, How, RunReport

from .examples import LOST, MISSING_STORE
from .shown import evidence, shown_run


def commands(report: RunReport) -> list[str]:
    (member,) = group(LOST)
    return [line for c in telling.commands(report, "k", member, evidence()) for line in c.lines]


def test_commands_do_what_the_user_did():
    report = replace(
        shown_run(),
        input="my kernels/k.ll",
        given=Given(triple=None, cpu="gfx942", llc_args=("-stress-regalloc=4",)),
    )
    assert commands(report) == [
        "regtriage run 'my kernels/k.ll' --mcpu gfx942 --llc-arg=-stress-regalloc=4",
        "llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stress-regalloc=4 'my kernels/k.ll' -stop-before=greedy,0 -o pre.mir",
        "llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 -stress-regalloc=4 'my kernels/k.ll' -stop-after=virtregrewriter,0 -o post.mir",
        "regtriage check pre.mir post.mir --function k",
        "regtriage bisect 'my kernels/k.ll' --mcpu gfx942 --llc-arg=-stress-regalloc=4",
        "regtriage reduce 'my kernels/k.ll' --mcpu gfx942 --llc-arg=-stress-regalloc=4 -o small.ll",
    ]


def test_another_compiler_is_named_and_its_spiller_not_bisected():
    report = replace(shown_run(), llc=LlcIdentity(LlcKind.EXTERNAL, "23.1.1", Path("/opt/my llc")))
    lines = commands(report)
    assert "regtriage run kernels/k.ll --llc '/opt/my llc'" in lines
    assert not any("bisect" in line or "reduce" in line for line in lines)


def test_everything_has_its_words():
    assert set(telling.EXIT_TEXT) == set(Exit)
    assert set(telling.KIND_TEXT) == set(FindingKind)
    assert set(telling.VARIANT_TEXT) == set(Variant)
    assert set(telling.CONCLUSION_TEXT) == set(Conclusion)


def test_what_happened():
    (member,) = group(LOST)
    assert telling.plain(telling.happened(member)) == (
        "%38.sub0..sub3 is made in bb.2 (attention.py:120:33). It was saved in %stack.3, and in bb.7 "
        "(attention.py:138:20) the store SI_SPILL_S512_SAVE $sgpr36_..._sgpr39, %stack.3 puts something else there. In a "
        "later round of the loop, $vgpr1 = BUFFER_LOAD_DWORD_OFFEN $vgpr0, $sgpr36_..._sgpr39, 0, 0 in bb.9 "
        "(attention.py:141:9) reads $sgpr36..sgpr39, which hold %77.sub0..sub3."
    )
    (member,) = group([MISSING_STORE])
    assert telling.plain(telling.happened(member)) == "the effect is gone: S_STORE %1."
    assert telling.plain(telling.title(member)) == "Missing effect in bb.9"


@pytest.mark.parametrize(
    ("how", "wanted"),
    [(How.CAUSE, "removes the cause"), (How.PERTURBED, "the cause is still there"), (How.NONE, "does not cure it")],
)
def test_cures_are_called_what_they_are(how: How, wanted: str):
    assert wanted in telling.plain(telling.cured(Cure(Variant.PRIVATE, how, "because")))


def test_reloads_in_a_row_are_told_at_once():
    def decision(kind: DecisionKind, call: int, register: int) -> Decision:
        return Decision(kind, call, f"%{register}", "%1", 3, (), granted=False, cause="", location=None, guilty=False)

    reloads = [decision(DecisionKind.RELOAD, 4, n) for n in range(5)]
    found = [decision(DecisionKind.SAVE, 4, 9), *reloads, decision(DecisionKind.RELOAD, 5, 7)]
    assert [telling.plain(told.said) for told in telling.decisions(found)] == [
        "stores %9 whole, in bb.3",
        "reloads into %0, in bb.3, and 4 more times",
        "reloads into %7, in bb.3",
    ]
