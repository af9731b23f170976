"""Brackets in which all lanes of the wave are on: the allocator puts them around copies of whole-wave registers."""

from __future__ import annotations

import pytest
from regtriage.dataflow.brackets import find_brackets
from regtriage.dataflow.targets import AMDGPU

from .mirtext import compare, function, wrong

USE = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SReg_32, '
DEF = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SReg_32, def '
SAVE_AND_OPEN = "$sgpr37 = S_OR_SAVEEXEC_B32 -1, implicit-def $exec, implicit-def dead $scc, implicit $exec"
SAVE, OPEN = "$sgpr37 = S_MOV_B32 $exec_lo", "$exec_lo = S_MOV_B32 -1"
COPY = "$vgpr5 = COPY $vgpr6, implicit $exec"
CLOSE = "$exec_lo = S_MOV_B32 killed $sgpr37"


def body(*lines: str) -> str:
    return "  bb.0:\n" + "\n".join(f"    {line}" for line in lines)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((SAVE_AND_OPEN, COPY, CLOSE), {0, 2}),
        ((SAVE_AND_OPEN, CLOSE), {0, 1}),
        ((SAVE, OPEN, COPY, CLOSE), {0, 1, 3}),
        ((COPY, SAVE_AND_OPEN, COPY, CLOSE, SAVE_AND_OPEN, CLOSE), {1, 3, 4, 5}),
        ((SAVE_AND_OPEN, "$vgpr5 = V_ADD_U32_e32 $vgpr6, $vgpr7, implicit $exec", CLOSE), set[int]()),
        ((SAVE, "S_NOP 0", OPEN, COPY, CLOSE), set[int]()),
        ((SAVE_AND_OPEN, COPY, CLOSE.replace("killed ", "")), set[int]()),
        ((SAVE_AND_OPEN, COPY, CLOSE.replace("37", "36")), set[int]()),
        ((SAVE_AND_OPEN.replace("-1", "$sgpr2"), COPY, CLOSE), set[int]()),
        ((OPEN, COPY, CLOSE), set[int]()),
        ((SAVE, COPY, CLOSE), set[int]()),
    ],
)
def test_what_is_a_bracket(lines: tuple[str, ...], found: set[int]):
    assert find_brackets(function(body(*lines)).blocks[0], AMDGPU) == found


@pytest.mark.parametrize("opening", [(SAVE_AND_OPEN,), (SAVE, OPEN)])
def test_a_bracket_is_no_effect_and_overwrites_what_it_saves_in(opening: tuple[str, ...]):
    before = body(f"{DEF}%1:sreg_32", f"{USE}%1")
    after = body(f"{DEF}renamable $sgpr4", *opening, COPY, CLOSE, f"{USE}renamable $sgpr4")
    result = compare(before, after)
    assert (wrong(result), result.program.faults) == ([], [])
    lost = compare(before, after.replace("$sgpr4", "$sgpr37"))
    assert (wrong(lost), lost.program.faults) == ([("%1.sub0", "$sgpr37")], [])


def test_exec_is_still_watched():
    before = body("$exec_lo = S_MOV_B32 %1:sreg_32", "S_ENDPGM 0")
    after = body(SAVE_AND_OPEN, "S_NOP 0", CLOSE, "$exec_lo = S_MOV_B32 %1:sreg_32", "S_ENDPGM 0")
    assert {f.kind for f in compare(before, after).program.faults} == {"extra"}
