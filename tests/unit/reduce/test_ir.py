from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.dataflow.analyse import StageKey
from regtriage.dataflow.findings import Exit, ExitBasis, FindingKind
from regtriage.tools.llc.run import BuiltinLlc, Variant
from regtriage.tools.reduce.interesting import Judge, digest_of
from regtriage.tools.reduce.ir import IrForm
from regtriage.tools.reduce.model import Cause, Outcome, Setup, Task, Undefined, body_lines, code_lines

REPRODUCERS = Path(__file__).parents[3] / "reproducers" / "miscompiles"
KERNEL = REPRODUCERS / "insert_spill_65.ll"


def setup_for(exit_: Exit = Exit.INSERT_SPILL, cures: tuple[Variant, ...] = (Variant.PRIVATE,)) -> Setup:
    cause = Cause(
        "k",
        exit_,
        ExitBasis.TRACE,
        FindingKind.VALUE,
        StageKey(before=True, pass_name="greedy", index=0),
        StageKey(before=False, pass_name="virtregrewriter", index=0),
        cures,
        Undefined(),
    )
    return Setup(BuiltinLlc(), "amdgcn-amd-amdhsa", "gfx950", 3, (), "-stop-after=virtregrewriter,0", cause, 100)


def test_the_original_has_its_cause():
    judgement = Judge(setup_for()).judge(KERNEL)
    assert judgement.outcome is Outcome.KEPT, judgement.why
    assert all(f.exit is Exit.INSERT_SPILL for f in judgement.findings)


def test_lanes_that_must_stay_lost():
    assert Judge(setup_for()).judge(KERNEL, least=2).lost == 2
    judgement = Judge(setup_for()).judge(KERNEL, least=3)
    assert (judgement.outcome, judgement.lost) == (Outcome.FEWER, 2)


def test_another_cause_is_drift():
    judgement = Judge(setup_for(Exit.REDUNDANT_SPILL)).judge(KERNEL)
    assert judgement.outcome is Outcome.DRIFTED
    assert "insert-spill" in judgement.why


def test_a_cure_that_does_not_cure_is_drift():
    judgement = Judge(setup_for(cures=(Variant.GUARD,))).judge(KERNEL)
    assert judgement.outcome is Outcome.DRIFTED
    assert judgement.why.startswith("guard:")


def test_undefined_lanes_are_refused(tmp_path: Path):
    text = KERNEL.read_text().replace("zeroinitializer", "undef", 1)
    file = tmp_path / "undefined.ll"
    file.write_text(text)
    judgement = Judge(setup_for()).judge(file)
    assert judgement.outcome is Outcome.REFUSED


def test_what_is_not_ir_is_refused(tmp_path: Path):
    file = tmp_path / "broken.ll"
    file.write_text("define void @k() {")
    assert Judge(setup_for()).judge(file).outcome is Outcome.REFUSED


@pytest.mark.parametrize("name", IrForm(setup_for()).passes)
def test_every_pass_gives_a_module_that_is_compiled(name: str, tmp_path: Path):
    form = IrForm(setup_for())
    count = form.count(KERNEL, name)
    output = tmp_path / "candidate.ll"
    prepared = form.prepare(Task(KERNEL, name, tuple(range(0, count, 2)), output))
    assert prepared is not None
    judge = Judge(form.setup)
    judgement = judge.judge(*prepared, made=output)
    assert output.exists(), judgement.why
    assert "error" not in judgement.why
    # what was compiled is what was written
    again = judge.judge(output)
    assert (again.outcome, again.why) == (judgement.outcome, judgement.why) or judgement.outcome is Outcome.SAME


def test_reducing_nothing_tidies_only(tmp_path: Path):
    form = IrForm(setup_for())
    first = next(form.beginnings(KERNEL))
    file = tmp_path / "first.ll"
    file.write_text(first)
    again = tmp_path / "again.ll"
    again.write_text(next(form.beginnings(file)))
    assert digest_of(again) == digest_of(file)


def test_lines_that_count():
    assert code_lines("; a\n\ndefine\n  ret ; b\n# c\n") == 2
    assert body_lines("---\nname: k\nbody: |\n  bb.0:\n    ; c\n\n    S_ENDPGM 0\n...\n") == 2


@pytest.mark.parametrize("way", ["reads", "edges", "operands", "lanes"])
def test_one_more_undefined_lane_is_too_many(way: str):
    assert Undefined(**{way: 1}).exceeds(Undefined())
    assert not Undefined().exceeds(Undefined(**{way: 1}))


STATEMENTS = """\
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i32 %a, i64 %b, i1 %c, i64 %d) {
first:
  %x = call <4 x i32> asm sideeffect "; def $0", "=s"()
  call void asm sideeffect "; use $0", "s"(i64 %b)
  %t = trunc i64 %b to i32
  call void asm sideeffect "; use $0", "s"(i32 %t)
  call void asm sideeffect "; use $0", "s"(<4 x i32> %x)
  br i1 %c, label %second, label %third

second:
  call void asm sideeffect "; use $0", "s"(i32 %a)
  br label %third

third:
  %p = phi i32 [ %a, %first ], [ 1, %second ]
  call void asm sideeffect "; use $0 $1", "s,s"(i32 %p, i32 %a)
  %h = lshr i64 %d, 32
  %l = lshr i64 %d, 32
  %q = insertelement <2 x i64> poison, i64 %h, i32 0
  call void asm sideeffect "; use $0 $1", "s,s"(i64 %l, <2 x i64> %q)
  br i1 %c, label %fourth, label %fifth

fourth:
  ret void

fifth:
  ret void
}
"""
CHANGES = [
    # one statement makes what comes before it is read, and reads what is there by then
    ("statements", (0,), '%x = call <4 x i32> asm sideeffect "; def $0, use $1", "=s,s"(i64 %b)'),
    ("statements", (1, 2), 'asm sideeffect "; use $0 $1 $2", "s,s,s"(i64 %b, i32 %t, <4 x i32> %x)'),
    ("sources", (0,), 'asm sideeffect "; use $0", "s"(i64 %b)\n  call void asm sideeffect "; use $0", "s"(<4'),
    ("makers", (0,), '%0 = call i32 asm sideeffect "; def $0", "=s"()'),
    ("reads", (1,), 'asm sideeffect "; use $0", "s"(i32 %p)'),
    ("reads", (0,), 'asm sideeffect "; use $0", "s"(i32 %a)\n  %h'),
    ("phis", (0,), "; use $0 $1\", \"s,s\"(i32 %a, i32 %a)"),
    ("phis", (1,), "; use $0 $1\", \"s,s\"(i32 1, i32 %a)"),
    ("tails", (0,), "(i64 %l, <2 x i64> %q)\n  ret void"),
    ("twins", (0,), "%h = lshr i64 %d, 32\n  %q = insertelement <2 x i64> poison, i64 %h, i32 0\n"),
    ("argument-types", (0,), "void @k(i32 %a, i64 %b, i1 %c, i64 %d) {\nfirst"),
    ("operands-zero", (11,), "insertelement <2 x i64> zeroinitializer, i64 %h, i32 0"),
    ("lifts", (0,), 'asm sideeffect "; use $0", "s"(i32 %a)\n  br i1 %c'),
    ("sinks", (0,), 'phi i32 [ %a, %first ], [ 1, %second ]\n  call void asm sideeffect "; use $0", "s"(i32 %a)'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "drop", "expected"), CHANGES)
def test_what_a_pass_does(name: str, drop: tuple[int, ...], expected: str, tmp_path: Path):
    kernel, output = tmp_path / "kernel.ll", tmp_path / "candidate.ll"
    kernel.write_text(STATEMENTS)
    form = IrForm(setup_for())
    prepared = form.prepare(Task(kernel, name, drop, output))
    assert prepared is not None
    Judge(form.setup).judge(*prepared, made=output)
    assert expected in output.read_text()


def test_only_code_that_dies_with_the_target_goes_with_it(tmp_path: Path):
    text = STATEMENTS.replace("second:\n", "second:\n  %dead = add i32 %a, 1\n", 1)
    kernel, output = tmp_path / "kernel.ll", tmp_path / "candidate.ll"
    kernel.write_text(text)
    form = IrForm(setup_for())
    # the fifth instruction is the last one that reads %x, the sixth is the dead one
    for drop in ((4,), (5,)):
        prepared = form.prepare(Task(kernel, "instructions", drop, output))
        assert prepared is not None
        Judge(form.setup).judge(*prepared, made=output)
        assert ("%dead" in output.read_text()) is (drop == (4,))
    assert "%dead" not in next(form.beginnings(kernel))


TUPLES = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(i32 %a, i32 %b, i1 %c) {
entry:
  %d = call <8 x i32> asm sideeffect "; def $0", "=s"()
  %e = insertelement <8 x i32> %d, i32 %a, i32 6
  %g = insertelement <8 x i32> %e, i32 %b, i32 2
  br label %loop
loop:
  %p = phi <8 x i32> [ %g, %entry ], [ %q, %loop ]
  %x = extractelement <8 x i32> %p, i32 1
  %y = extractelement <8 x i32> %p, i32 7
  %q = call <8 x i32> asm sideeffect "; def $0, use $1 $2", "=s,s,s"(<8 x i32> %p, i32 %x)
  %z = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %y, i32 0
  call void asm sideeffect "; use $0 $1", "s,s"(<8 x i32> %p, <4 x i32> %z)
  br i1 %c, label %loop, label %end
end:
  ret void
}
"""


@pytest.mark.parametrize(("drop", "long", "short"), [((0,), 0, 4), ((1,), 8, 2), ((0, 1), 0, 2)])
def test_tuples_become_half_as_long(drop: tuple[int, ...], long: int, short: int, tmp_path: Path):
    kernel, output = tmp_path / "k.ll", tmp_path / "half.ll"
    kernel.write_text(TUPLES)
    form = IrForm(setup_for())
    assert form.count(kernel, "tuples") == 2
    prepared = form.prepare(Task(kernel, "tuples", drop, output))
    assert prepared is not None
    Judge(setup_for()).judge(prepared[0], prepared[1], made=output)
    text = output.read_text()
    assert ("<8 x i32>" in text) == (long == 8)
    assert f"<{short} x i32>" in text
    if 0 in drop:
        # inserted and extracted beyond what is left
        assert "%e =" not in text
        assert "i32 0, i32 0" in text
        assert '%q = call <4 x i32> asm sideeffect "; def $0, use $1 $2", "=s,s,s"(<4 x i32> %p, i32 %x)' in text
    if 1 in drop:
        assert "<i32 1, i32 2>" in text


def test_tuples_that_nothing_reaches_stay(tmp_path: Path):
    kernel = tmp_path / "k.ll"
    itself = "lost:\n  %l = insertelement <8 x i32> %l, i32 %a, i32 0\n  br label %lost\n}"
    kernel.write_text(TUPLES.replace("\n}", f"\n{itself}"))
    assert IrForm(setup_for()).count(kernel, "tuples") == 2


def test_tuples_that_something_else_reads_stay(tmp_path: Path):
    kernel = tmp_path / "k.ll"
    kernel.write_text(TUPLES.replace("  br i1 %c, ", "  %all = bitcast <8 x i32> %p to <4 x i64>\n  br i1 %c, "))
    assert IrForm(setup_for()).count(kernel, "tuples") == 1
