from __future__ import annotations

import re
from dataclasses import replace

import pytest
from regtriage.dataflow.findings import Layer, Verdict
from regtriage.dataflow.grouping import Group, group
from regtriage.tools.llc.run import Variant
from regtriage.tools.report.look import Look, columns, paragraph, render
from regtriage.tools.report.text import check_lines, next_lines, run_lines
from regtriage.tools.report.witness import needed_lanes, witness
from regtriage.tools.results import Conclusion, RunReport
from rich.text import Text

from .examples import (
    CLOBBER,
    LOST,
    MISSING_STORE,
    USE,
    function,
    layer,
    lost,
    miscompiled,
    path,
    right,
    run,
    unproven,
    variant,
    wrong,
)

REPORT = """\
k.ll: amdgcn-amd-amdhsa gfx950 -O3, builtin llc, LLVM 23.1.1

k: miscompiled
  variant  mir    rewritten  candidates  partial  fired  private   confirmed
  off      BUG 4  BUG 4              12        3      0        0  200 of 200
  guard    BUG 4  BUG 4              12        3      0        0    0 of 200
  private  CLEAN  HAZARD             12        3      0        0           -
  guard, not confirmed by execution: the use is not observable
  private, rewritten hazard: SI_SPILL_S512_SAVE $sgpr36_..._sgpr39, %stack.3 in bb.7 stores
    sub1..sub2 undefined into %stack.3, which others use; no read of it goes wrong

  off, after virtregrewriter,0:
  %38.sub0..sub3 is lost by insert-spill, by trace; loop-carried                      [5f0c2a1e8b00]
    needed   bb.2  attention.py:120:33  %38:sgpr_512 = S_LOAD_DWORDX16_IMM %4, 0, 0
    clobber  bb.7  attention.py:138:20  SI_SPILL_S512_SAVE $sgpr36_..._sgpr39, %stack.3
             %77 (original %38) is saved at bb.7 with sub4..sub7 only
    use      bb.9  attention.py:141:9   $vgpr1 = BUFFER_LOAD_DWORD_OFFEN $vgpr0, $sgpr36_..._sgpr...
    reads    $sgpr36..sgpr39, which hold %77.sub0..sub3 there
    path     bb.2 (defined) -> bb.3 -> bb.5 -> bb.7 (overwritten) -> bb.8 =back-edge=> bb.5
             -> bb.9 (read)

  cures
    guard    none       still wrong
    private  cause      %77 has a slot of its own
"""


def text_of(report: RunReport, look: Look | None = None) -> str:
    return render(run_lines(report, look or Look()), colored=False)


def test_a_whole_report():
    assert text_of(miscompiled()) == REPORT


@pytest.mark.parametrize("width", [80, 100, 140])
def test_lines_stay_within_the_width(width: int):
    for line in text_of(miscompiled(), Look(width=width)).splitlines()[6:]:
        assert len(line) <= width, line


def test_colour_changes_no_character():
    colored = render(run_lines(miscompiled(), Look()), colored=True)
    assert "\x1b[1;31mBUG\x1b[0m" in colored
    plain = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert [line.rstrip() for line in plain.splitlines()] == REPORT.splitlines()


def test_clean_is_short():
    report = run(function(Conclusion.CLEAN, right(Variant.OFF), right(Variant.GUARD)))
    assert text_of(report).splitlines()[2:] == [
        "k: clean",
        "  variant  mir    rewritten  candidates  partial  fired  private",
        "  off      CLEAN  CLEAN              12        3      0        0",
        "  guard    CLEAN  CLEAN              12        3      0        0",
    ]


def test_unproven_says_why_and_not_too_much():
    report = run(function(Conclusion.UNPROVEN, unproven(Variant.OFF, *(f"reason {n}" for n in range(5)))))
    lines = text_of(report).splitlines()
    assert "  rewritten unproven: reason 0" in lines
    assert "  rewritten unproven: and 2 more reasons" in lines
    assert not any("reason 3" in line for line in lines)


def test_right_by_luck_is_said_to_be():
    layers = (layer(Layer.MIR, Verdict.BUG, LOST), layer(Layer.REWRITTEN, Verdict.CLEAN))
    text = text_of(run(function(Conclusion.HAZARD, variant(Variant.OFF, Verdict.HAZARD, *layers))))
    assert "  off      BUG 4  CLEAN" in text
    assert "  mir hazard: a virtual register is wrong, but the physical one" in text
    assert "is lost" not in text


def test_findings_of_a_variant_that_has_only_known_ones_are_not_told_again():
    assert text_of(miscompiled()).count("is lost by") == 1
    assert text_of(miscompiled(), Look(verbose=True)).count("is lost by") == 2


def test_a_later_variant_tells_what_is_new_in_it():
    other = lost(9)
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, *LOST), wrong(Variant.GUARD, *LOST, other)))
    assert text_of(report).count("is lost by") == 2
    text = text_of(report)
    assert "  guard, after virtregrewriter,0:\n  %38.sub9 is lost" in text


def test_the_first_findings_only_and_how_many_are_left():
    findings = [replace(lost(n), clobber=replace(CLOBBER, line=n)) for n in range(5)]
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, *findings)))
    assert text_of(report).count("is lost by") == 3
    assert "and 2 more findings; -v shows them" in text_of(report)
    assert text_of(report, Look(verbose=True)).count("is lost by") == 5


def test_grouping_puts_lanes_together_but_not_registers_or_effects():
    groups = group([*LOST, MISSING_STORE])
    assert [len(g.findings) for g in groups] == [4, 1]
    assert needed_lanes(groups[0]) == "%38.sub0..sub3"


def test_one_store_that_is_read_in_many_places_is_one_finding_to_read():
    later = [replace(lost(1 + n), use=replace(USE, line=1500 + n, block=f"bb.{20 + n}")) for n in range(4)]
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, lost(0), *later)))
    text = text_of(report)
    assert text.count("is lost by") == 1
    assert "  %38.sub0..sub4 is lost by" in text
    assert "    reads    $sgpr36, which holds %77.sub0 there\n" in text
    assert [line.split()[1] for line in text.splitlines() if line.startswith("    also ")] == ["bb.20", "bb.21"]
    assert "             and 2 more uses\n" in text
    assert text_of(report, Look(verbose=True)).count("    also ") == 4


def test_a_missing_effect_says_what():
    text = text_of(run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, MISSING_STORE))))
    assert "  missing effect  " in text
    assert "    reads    " not in text
    assert "    because  the effect is gone: S_STORE %1" in text


def test_a_path_with_many_blocks_keeps_what_happens():
    steps = path("0 1 2 3 4:defined 5 6 7 8 9 10:overwritten 11 12 13 ^3 4 20 21 22 23 24 25:read")
    finding = replace(lost(0), path=steps)
    line = render(witness(Group((finding,)), Look(width=1000)), colored=False).splitlines()[-1]
    assert line.split(maxsplit=1)[1] == (
        "bb.0 -> bb.1 -> (2 blocks) -> bb.4 (defined) -> (5 blocks) -> bb.10 (overwritten) -> (2 blocks) -> "
        "bb.13 =back-edge=> bb.3 -> (5 blocks) -> bb.24 -> bb.25 (read)"
    )


def test_lines_of_mir_are_named_where_there_is_no_source_and_they_can_be_looked_up():
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, MISSING_STORE)))
    assert "mir:1410" not in text_of(report)
    assert " 01-*.mir:1410 " in text_of(report, Look(mir_names={}))
    assert " post:1410 " in text_of(report, Look(mir_names={MISSING_STORE.use.file: "post"}))


def test_check_tells_layers_of_one_pair():
    functions = [function(Conclusion.MISCOMPILED, wrong(Variant.OFF, *LOST))]
    text = render(check_lines("a.mir", "b.mir", functions, Look()), colored=False)
    assert text.startswith("a.mir -> b.mir\n\nk: miscompiled\n  mir        BUG 4  120 lanes compared\n")
    assert "after virtregrewriter" not in text
    assert "\n\n  %38.sub0..sub3 is lost" in text


def test_next_steps_are_commands_that_exist():
    assert render(next_lines(miscompiled(), {"run"}), colored=False) == (
        "\nnext:  regtriage run k.ll --keep DIR  MIR of every stage, asm and trace to look at\n"
    )
    assert "regtriage bisect k.ll" in render(next_lines(miscompiled(), {"run", "bisect"}), colored=False)
    assert render(next_lines(miscompiled(kept="out"), {"run"}), colored=False) == ""
    clean = run(function(Conclusion.CLEAN, right(Variant.OFF)))
    assert render(next_lines(clean, {"run", "bisect", "reduce"}), colored=False) == ""


def test_columns_and_paragraphs():
    rows = [[Text("a"), Text("1")], [Text("bb"), Text("22")]]
    assert [line.plain for line in columns(rows, right=frozenset({1}))] == ["a    1", "bb  22"]
    label = Text("  label  ")
    assert [line.plain for line in paragraph(label, "one two three four", 30)] == ["  label  one two three four"]
    assert [line.plain for line in paragraph(label, "one two three four five", 30)] == [
        "  label  one two three four",
        "         five",
    ]
    assert [line.plain for line in paragraph(label, "one two three four five", 30, hanging=4)] == [
        "  label  one two three four",
        "    five",
    ]
    assert [line.plain for line in paragraph(label, "", 30)] == ["  label  "]
