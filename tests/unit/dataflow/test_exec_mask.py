"""EXEC masks, and what moves under them do to a value."""

from __future__ import annotations

from regtriage.dataflow.cfg import build_cfg
from regtriage.dataflow.exec_mask import ENTRY, ExecMasks
from regtriage.dataflow.lanes import LaneMap, Locations
from regtriage.dataflow.targets import AMDGPU

from .mirtext import compare, function, wrong

IF = """
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0_sgpr1, $vgpr0

    %1:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR $sgpr0_sgpr1, $vgpr0, 0, 0, implicit $exec :: (load (s32))
    $vcc = V_CMP_LE_I32_e64 1, %1, implicit $exec
    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def dead $scc, implicit $exec
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    successors: %bb.2

    {then}
    GLOBAL_STORE_DWORD_SADDR $vgpr0, %1, $sgpr0_sgpr1, 4, 0, implicit $exec :: (store (s32))
  bb.2:
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    {joined}
    GLOBAL_STORE_DWORD_SADDR $vgpr0, {value}, $sgpr0_sgpr1, 0, 0, implicit $exec :: (store (s32))
    S_ENDPGM 0
"""

SAVE = "SI_SPILL_V32_SAVE %1, %stack.0, $sgpr32, 0, implicit $exec"
RELOAD = "%2:vgpr_32 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec"


def kernel(then: str = "S_NOP 0", joined: str = "S_NOP 0", value: str = "%1") -> str:
    return IF.format(then=then, joined=joined, value=value)


def masks_of(text: str) -> tuple[ExecMasks, dict[int, list[int]]]:
    f = function(text)
    locations = Locations(AMDGPU, 32)
    lanes = LaneMap(locations)
    lanes.adopt(f)
    masks = ExecMasks(f, build_cfg(f), locations, lanes)
    return masks, {b.number: list(masks.within(b.number)) for b in f.blocks}


def test_narrowing_and_restoring():
    masks, at = masks_of(kernel())
    (inner,) = set(at[1])
    assert at[0][:3] == [ENTRY] * 3
    assert at[0][3] == inner
    assert at[2] == [inner, *[ENTRY] * (len(at[2]) - 1)]
    assert masks.is_wider(ENTRY, inner)
    assert not masks.is_wider(inner, ENTRY)


def test_else_is_beside_then_and_both_make_the_whole():
    masks, at = masks_of("""
  bb.0:
    $sgpr2_sgpr3 = COPY $exec, implicit-def $exec
    $sgpr4_sgpr5 = S_AND_B64 $sgpr2_sgpr3, $vcc, implicit-def dead $scc
    $sgpr2_sgpr3 = S_XOR_B64 $sgpr4_sgpr5, $sgpr2_sgpr3, implicit-def dead $scc
    $exec = S_MOV_B64_term $sgpr4_sgpr5
  bb.1:
    SI_SPILL_S64_SAVE $sgpr2_sgpr3, %stack.1, implicit $exec, implicit $sgpr32
    $sgpr8_sgpr9 = SI_SPILL_S64_RESTORE %stack.1, implicit $exec, implicit $sgpr32
    $sgpr2_sgpr3 = S_OR_SAVEEXEC_B64 $sgpr8_sgpr9, implicit-def $exec, implicit-def $scc, implicit $exec
    $exec = S_XOR_B64_term $exec, $sgpr2_sgpr3, implicit-def $scc
  bb.2:
    S_NOP 0
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    S_ENDPGM 0
""")
    then, otherwise = at[1][0], at[2][0]
    assert len({ENTRY, then, otherwise}) == 3
    assert masks.is_wider(ENTRY, then)
    assert masks.is_wider(ENTRY, otherwise)
    assert not masks.is_wider(then, otherwise)
    assert at[1][3] == ENTRY, "S_OR_SAVEEXEC puts both together"
    assert at[2][2] == ENTRY


def test_an_unknown_write_is_never_wider():
    masks, at = masks_of("  bb.0:\n    $exec = S_MOV_B64 -1\n    S_NOP 0\n    S_ENDPGM 0\n")
    assert at[0][1] != ENTRY
    assert not masks.is_wider(at[0][1], ENTRY)


def test_a_mask_that_shrinks_in_a_loop_stays_below_the_entry():
    masks, at = masks_of("""
  bb.0:
    S_NOP 0
  bb.1:
    successors: %bb.1, %bb.2
    S_NOP 0
    $exec = S_ANDN2_B64_term $exec, $sgpr0_sgpr1, implicit-def $scc
    S_CBRANCH_EXECNZ %bb.1, implicit $exec
  bb.2:
    S_ENDPGM 0
""")
    assert at[1][0] != ENTRY
    assert masks.is_wider(ENTRY, at[1][0])
    assert masks.is_wider(at[1][0], at[2][0])


def test_a_mask_saved_before_a_loop_is_known_in_each_iteration():
    _, at = masks_of("""
  bb.0:
    $sgpr2_sgpr3 = COPY $exec
  bb.1:
    successors: %bb.2
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    S_NOP 0
  bb.2:
    successors: %bb.1, %bb.3
    $exec = S_AND_B64 $exec, $vcc, implicit-def $scc
    S_CBRANCH_EXECNZ %bb.1, implicit $exec
  bb.3:
    S_ENDPGM 0
""")
    assert at[1][0] != ENTRY
    assert at[1][1] == ENTRY, "the last read is before the latch, but the latch goes back to it"


def test_spill_and_reload_inside_the_branch():
    result = compare(
        kernel(),
        kernel(then=f"{SAVE}\n    {RELOAD}").replace("$vgpr0, %1, $sgpr0_sgpr1, 4", "$vgpr0, %2, $sgpr0_sgpr1, 4"),
    )
    assert wrong(result) == []
    assert result.unknown == []


def test_spill_in_the_branch_and_reload_after_it_loses_disabled_lanes():
    result = compare(kernel(), kernel(then=SAVE, joined=RELOAD, value="%2"))
    # the path around bb.1 never stores it, so it is plainly wrong
    assert wrong(result) == [("%1.sub0", "%2.sub0")]


def test_reload_before_exec_is_restored():
    """The reload stands above the S_OR that enables the other lanes again."""
    before = kernel()
    good = kernel(joined=RELOAD, value="%2").replace("$vcc = V_CMP", f"{SAVE}\n    $vcc = V_CMP")
    assert wrong(compare(before, good)) == []
    assert compare(before, good).unknown == []
    bad = good.replace(f"    {RELOAD}\n", "").replace("    $exec = S_OR", f"    {RELOAD}\n    $exec = S_OR")
    result = compare(before, bad)
    assert wrong(result) == []
    (line,) = result.unknown
    assert "%2.sub0 holds %1.sub0 only for the lanes that were enabled" in line


def test_moving_back_what_was_there_loses_nothing():
    result = compare(
        kernel(), kernel(then=f"{SAVE}\n    %1:vgpr_32 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec")
    )
    assert wrong(result) == []
    assert result.unknown == []


def test_whole_wave_moves_are_not_masked():
    whole = kernel(
        then=SAVE.replace("_V32_", "_WWM_V32_"),
        joined="%2:vgpr_32 = SI_SPILL_WWM_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec",
        value="%2",
    )
    straight = whole.replace("successors: %bb.1, %bb.2", "successors: %bb.1").replace(
        "    S_CBRANCH_EXECZ %bb.2, implicit $exec\n", "    S_NOP 0\n"
    )
    before = (
        kernel()
        .replace("successors: %bb.1, %bb.2", "successors: %bb.1")
        .replace("    S_CBRANCH_EXECZ %bb.2, implicit $exec\n", "    S_NOP 0\n")
    )
    result = compare(before, straight)
    assert wrong(result) == []
    assert result.unknown == []
    result = compare(before, straight.replace("WWM_", ""))
    assert wrong(result) == []
    assert len(result.unknown) == 1


def test_spill_lanes_do_not_care_about_exec():
    save = "%8:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 5, %8"
    restore = "$sgpr5 = SI_RESTORE_S32_FROM_VGPR %8, 5"
    use = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SReg_32, {}'
    straight = (
        kernel()
        .replace("successors: %bb.1, %bb.2", "successors: %bb.1")
        .replace("    S_CBRANCH_EXECZ %bb.2, implicit $exec\n", "    $sgpr4 = S_MOV_B32 7\n")
    )
    before = straight.replace("    S_ENDPGM 0", f"    {use.format('$sgpr4')}\n    S_ENDPGM 0")
    after = straight.replace("    S_NOP 0", f"    {save}", 1).replace(
        "    S_ENDPGM 0", f"    {restore}\n    {use.format('$sgpr5')}\n    S_ENDPGM 0"
    )
    result = compare(before.replace("    S_NOP 0\n", "", 1), after)
    assert (wrong(result), result.unknown) == ([], [])


def test_a_constant_made_under_masks_on_every_path_is_that_constant():
    """%1 has no value on the path over bb.2, where its register holds the same constant for %2."""
    store = "GLOBAL_STORE_DWORD_SADDR $vgpr0, {}, $sgpr0_sgpr1, 0, 0, implicit $exec :: (store (s32))"
    before = f"""
  bb.0:
    successors: %bb.1, %bb.2
    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def $scc, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit $scc
  bb.1:
    successors: %bb.3
    %1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_BRANCH %bb.3
  bb.2:
    successors: %bb.3
    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    {store.format("%2")}
  bb.3:
    {store.format("%1")}
    S_ENDPGM 0
"""
    after = before.replace("%1:vgpr_32", "renamable $vgpr5").replace("%2:vgpr_32", "renamable $vgpr5")
    after = after.replace("$vgpr0, %1", "$vgpr0, renamable $vgpr5").replace("$vgpr0, %2", "$vgpr0, renamable $vgpr5")
    assert wrong(compare(before, after)) == []
    assert wrong(compare(before, after.replace("e32 0", "e32 1", 1))) == [("%1.sub0", "$vgpr5")]


def test_places_that_change_their_masks_around_a_loop_settle():
    """%2 and %3 get the value under masks that do not compare, in a block that may be left out, and trade it."""
    text = """
  bb.0:
    liveins: $vgpr0, $vcc
    %1:vgpr_32 = COPY $vgpr0
    {entry}
  bb.1:
    successors: %bb.2, %bb.3
    S_CBRANCH_SCC1 %bb.3, implicit $scc
  bb.2:
    successors: %bb.3
    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def $scc, implicit $exec
    {one}
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def $scc, implicit $exec
    {two}
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
  bb.3:
    successors: %bb.1, %bb.4
    {trade}
    S_CBRANCH_SCC1 %bb.1, implicit $scc
  bb.4:
    GLOBAL_STORE_DWORD_SADDR $vgpr0, {value}, $sgpr0_sgpr1, 0, 0, implicit $exec :: (store (s32))
    GLOBAL_STORE_DWORD_SADDR $vgpr0, {other}, $sgpr0_sgpr1, 4, 0, implicit $exec :: (store (s32))
    S_ENDPGM 0
"""
    before = text.format(entry="", one="", two="", trade="", value="%1", other="%1")
    after = text.format(
        entry="%2:vgpr_32 = COPY %1\n    %3:vgpr_32 = COPY %1",
        one="%8:vgpr_32 = IMPLICIT_DEF\n    %8:vgpr_32 = COPY %1\n    %2:vgpr_32 = WWM_COPY %8",
        two="%9:vgpr_32 = IMPLICIT_DEF\n    %9:vgpr_32 = COPY %1\n    %3:vgpr_32 = WWM_COPY %9",
        trade="%5:vgpr_32 = COPY %2\n    %2:vgpr_32 = COPY %3\n    %3:vgpr_32 = COPY %5",
        value="%2",
        other="%3",
    )
    result = compare(before, after)
    assert wrong(result) == []
    assert result.unknown
    assert not [line for line in result.unknown if "converge" in line]
