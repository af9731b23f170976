from __future__ import annotations

import pytest
from regtriage.dataflow.evidence import Line, LineKind, Pane
from regtriage.tools.report.marking import pieces, plain


def marked(pane: Pane, text: str, *names: tuple[str, int], column: int = 0) -> str:
    """The line with `<piece|lanes>` for what is marked."""
    found = pieces(pane, Line(LineKind.KEY, 1, text, column, names))
    return "".join(f"<{p.text}|{','.join(map(str, p.lanes))}>" if p.lanes else p.text for p in found)


WIDE = "_".join(f"sgpr{n}" for n in range(8, 16))


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (
            f"SI_SPILL_S256_SAVE killed renamable ${WIDE}, %stack.0, implicit $exec",
            [("%stack.0+20", 0), ("$sgpr13", 0), ("%stack.0+24", 1), ("$sgpr14", 1)],
            "SI_SPILL_S256_SAVE $sgpr8_..._<sgpr13|0>_<sgpr14|1>_sgpr15, <%stack.0|0,1>",
        ),
        ("%47.sub8:sgpr_512 = S_SUB_I32 %1.sub6, %1.sub5", [("%1.sub5", 0), ("%1.sub6", 1)],
         "%47.sub8:sgpr_512 = S_SUB_I32 <%1.sub6|1>, <%1.sub5|0>"),
        ("%1:sgpr_256 = X %14", [("%1.sub5", 0)], "<%1|0>:sgpr_256 = X %14"),
        ("undef %1.sub4_sub5:sgpr_256 = COPY %10.sub5", [("%1.sub5", 0)], "undef <%1.sub4_sub5|0>:sgpr_256 = COPY %10.sub5"),
        ("%1.sub4 = COPY %stack.01", [("%1.sub5", 0), ("%stack.0+0", 0)], "%1.sub4 = COPY %stack.01"),
        ("S_CBRANCH_SCC1 %bb.4, implicit $scc", [("$scc", 0)], "S_CBRANCH_SCC1 %bb.4, implicit <$scc|0>"),
        ("$sgpr4 = V_READLANE_B32 %84, 5", [("%84[5]", 0), ("$sgpr4", 0)], "<$sgpr4|0> = V_READLANE_B32 <%84|0>, 5"),
        ("$vcc_lo = S_MOV_B32 0", [("$vcc_lo", 0)], "<$vcc_lo|0> = S_MOV_B32 0"),
        ("$sgpr2_sgpr3 = S_MOV_B64 0", [("$sgpr3", 2)], "$sgpr2_<sgpr3|2> = S_MOV_B64 0"),
    ],
)  # fmt: skip
def test_mir(text: str, names: list[tuple[str, int]], expected: str):
    assert marked(Pane.AFTER, text, *names) == expected


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("v_writelane_b32 v0, s13, 5", [("s13", 0), ("v0[5]", 0)], "v_writelane_b32 <v0|0>, <s13|0>, <5|0>"),
        ("v_readlane_b32 s9, v0, 5", [("s9", 1), ("v0[5]", 1)], "v_readlane_b32 <s9|1>, <v0|1>, <5|1>"),
        ("buffer_load_dwordx4 v[34:37], v1, s[20:23], 0 offen", [("s20", 0), ("s21", 1)],
         "buffer_load_dwordx4 v[34:37], v1, <s[20:23]|0,1>, 0 offen"),
        ("scratch_load_dword v2, off, s32 offset:424", [("scratch+424", 0), ("v2", 0)],
         "scratch_load_dword <v2|0>, off, s32 <offset:424|0>"),
        ("s_cselect_b64 vcc, s[1:2], 0", [("vcc_lo", 0), ("s10", 1)], "s_cselect_b64 <vcc|0>, s[1:2], 0"),
        ("; use s2", [("s2", 0)], "; use <s2|0>"),
    ],
)  # fmt: skip
def test_asm(text: str, names: list[tuple[str, int]], expected: str):
    assert marked(Pane.ASM, text, *names) == expected


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("    tl.store(mask, kept)  # x", 5, "    <tl.store(mask, kept)|0>  # x"),
        ("    k = tl.load(p, mask=m[None, :], other=0.0) if EDGE else 0", 9,
         "    k = <tl.load(p, mask=m[None, :], other=0.0)|0> if EDGE else 0"),
        ("x = f(", 5, "x = <f(|0>"),
        ("a + b", 3, "a <+|0> b"),
        ("a", 9, "a"),
        ("a", 0, "a"),
    ],
)  # fmt: skip
def test_source(text: str, column: int, expected: str):
    assert marked(Pane.SOURCE, text, ("", 0), column=column) == expected


def test_without_names_nothing_is_marked_and_nothing_is_lost():
    text = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SGPR_512, $sgpr4'
    found = pieces(Pane.BEFORE, Line(LineKind.CONTEXT, 1, text))
    assert plain(found) == text
    assert not any(p.lanes for p in found)
