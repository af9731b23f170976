from __future__ import annotations

import pytest
from regtriage.tools.report import words


@pytest.mark.parametrize(
    ("names", "spelling"),
    [
        ([], ""),
        (["%5.sub2"], "%5.sub2"),
        (["%5.sub2", "%5.sub3", "%5.sub4"], "%5.sub2..sub4"),
        (["%5.sub2", "%5.sub4"], "%5.sub2, %5.sub4"),
        (["%5.sub2", "%6.sub3"], "%5.sub2, %6.sub3"),
        (["$sgpr9", "$sgpr10", "$vgpr11"], "$sgpr9..sgpr10, $vgpr11"),
        (["%stack.1+8", "%stack.1+12"], "%stack.1+8..12"),
        (["%stack.1+8", "%stack.1+9"], "%stack.1+8, %stack.1+9"),
        (["%84[5]", "%84[6]"], "%84[5..6]"),
        (["%5.sub2_lo16", "%5.sub2_hi16"], "%5.sub2_lo16, %5.sub2_hi16"),
        (["a", "a"], "a"),
        (["%1.sub0", "%3.sub0", "%5.sub0", "%7.sub0", "%9.sub0"], "%1.sub0, %3.sub0, %5.sub0 and 2 more"),
    ],
)
def test_lanes(names: list[str], spelling: str):
    assert words.lanes(names) == spelling


def test_instruction_is_short_but_keeps_operands():
    text = (
        "SI_SPILL_S128_SAVE killed renamable $sgpr4_sgpr5_sgpr6_sgpr7, %stack.3, implicit $exec, implicit-def dead $scc"
    )
    assert words.instruction(text) == "SI_SPILL_S128_SAVE $sgpr4_..._sgpr7, %stack.3"
    assert words.instruction("%1:sgpr_64 = COPY $sgpr4_sgpr5") == "%1:sgpr_64 = COPY $sgpr4_sgpr5"
    assert words.instruction('INLINEASM &"; use $0", 1 /* sideeffect */, 9 /* reguse */, %1') == (
        'INLINEASM &"; use $0", 1, 9, %1'
    )


def test_block_without_its_ir_name():
    assert words.block("bb.7.for.body") == "bb.7"
    assert words.block("bb.7") == "bb.7"


def test_cutting():
    assert words.cut("abcdefgh", 8) == "abcdefgh"
    assert words.cut("abcdefghi", 8) == "abcde..."
    assert words.cut_front("a/long/name.py:3", 10) == "...me.py:3"


def test_count():
    assert words.count(1, "finding") == "1 finding"
    assert words.count(0, "finding") == "0 findings"
