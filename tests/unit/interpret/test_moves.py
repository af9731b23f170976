"""What only moves a value is computed: each allocation that keeps the value is the same, each that does not differs."""

from __future__ import annotations

import pytest

from .mir import DEF, USE, always, run, same

BEFORE = f"{DEF}%1:sgpr_128\n{DEF}%2:sreg_32\n{USE}%1.sub2\n{USE}%2\nS_ENDPGM 0"


def after(reload: str, use: str = "$sgpr14", save: str = "$sgpr4_sgpr5_sgpr6_sgpr7") -> str:
    return (
        f"{DEF}$sgpr4_sgpr5_sgpr6_sgpr7\n{DEF}$sgpr8\n"
        f"SI_SPILL_S128_SAVE {save}, %stack.0, implicit $exec\n"
        "SI_SPILL_S32_SAVE $sgpr8, %stack.1, implicit $exec\n"
        f"{reload}\n{USE}{use}\n{USE}$sgpr8\nS_ENDPGM 0"
    )


RELOAD = "$sgpr12_sgpr13_sgpr14_sgpr15 = SI_SPILL_S128_RESTORE %stack.{}, implicit $exec"


def test_a_spill_and_its_reload_keep_the_value():
    assert same(run(BEFORE, after(RELOAD.format(0))))


@pytest.mark.parametrize(
    ("reload", "use"),
    [
        (RELOAD.format(1), "$sgpr14"),
        (RELOAD.format(0), "$sgpr15"),
        ("S_NOP 0", "$sgpr14"),
        ("$sgpr14 = COPY $sgpr7", "$sgpr14"),
    ],
)
def test_another_slot_another_lane_no_reload(reload: str, use: str):
    assert always(run(BEFORE, after(reload, use)))


def test_the_difference_is_named():
    first = run(BEFORE, after(RELOAD.format(0), "$sgpr15")).first
    assert first is not None
    assert first.before is not None
    assert first.after is not None
    assert (first.seed, first.index, first.block) == (0, 2, 0)
    assert (first.before.line, first.after.line) == (7, 10)
    assert first.operand == ("$sgpr15", 0)
    assert first.before.words != first.after.words


def test_a_narrow_save_leaves_the_rest_of_the_slot():
    before = f"{DEF}%1:sgpr_128\n{USE}%1\nS_ENDPGM 0"
    saved = (
        f"{DEF}$sgpr4_sgpr5_sgpr6_sgpr7\n"
        "SI_SPILL_S128_SAVE $sgpr4_sgpr5_sgpr6_sgpr7, %stack.0, implicit $exec\n"
        "$sgpr6 = S_MOV_B32 7\n"
        "SI_SPILL_S64_SAVE {}, %stack.0, implicit $exec\n"
        "$sgpr4_sgpr5_sgpr6_sgpr7 = SI_SPILL_S128_RESTORE %stack.0, implicit $exec\n"
        f"{USE}$sgpr4_sgpr5_sgpr6_sgpr7\nS_ENDPGM 0"
    )
    assert same(run(before, saved.format("$sgpr4_sgpr5")))
    assert always(run(before, saved.format("$sgpr6_sgpr7")))


def test_a_full_width_save_of_a_partly_defined_register_spoils_the_slot():
    before = f"{DEF}%1:sgpr_64\n{USE}%1.sub0\n{USE}%1.sub1\nS_ENDPGM 0"
    after_split = (
        f"{DEF}%1:sgpr_64\n"
        "SI_SPILL_S64_SAVE %1, %stack.0, implicit $exec\n"
        "undef %2.sub0:sgpr_64 = lr-split COPY %1.sub0\n"
        "{}\n"
        "%3:sgpr_64 = SI_SPILL_S64_RESTORE %stack.0, implicit $exec\n"
        f"{USE}%2.sub0\n{USE}%3.sub1\nS_ENDPGM 0"
    )
    assert same(run(before, after_split.format("KILL %2")))
    bad = run(before, after_split.format("SI_SPILL_S64_SAVE %2, %stack.0, implicit $exec"))
    assert always(bad)
    assert bad.first is not None
    assert bad.first.operand == ("%3.sub1", 0)


def test_completed_before_it_is_needed():
    """The partial full-width save is followed by a read-modify-write: legal."""
    before = f"undef %1.sub0:sgpr_64 = S_MOV_B32 5\n{DEF}%2:sreg_32\n%1.sub1:sgpr_64 = COPY %2\n{USE}%1\nS_ENDPGM 0"
    allocated = (
        "undef %1.sub0:sgpr_64 = S_MOV_B32 5\n"
        "SI_SPILL_S64_SAVE %1, %stack.0, implicit $exec\n"
        f"{DEF}%2:sreg_32\n"
        "%3:sgpr_64 = SI_SPILL_S64_RESTORE %stack.0, implicit $exec\n"
        "%3.sub1:sgpr_64 = COPY %2\n"
        "SI_SPILL_S64_SAVE %3, %stack.0, implicit $exec\n"
        "%4:sgpr_64 = SI_SPILL_S64_RESTORE %stack.0, implicit $exec\n"
        f"{USE}%4\nS_ENDPGM 0"
    )
    assert same(run(before, allocated))


@pytest.mark.parametrize(("lane", "differs"), [(3, False), (4, True)])
def test_lanes_of_a_vector_register_as_spill_memory(lane: int, *, differs: bool):
    before = f"{DEF}%1:sreg_32\n{DEF}%2:sreg_32\n{USE}%1\n{USE}%2\nS_ENDPGM 0"
    allocated = (
        f"$vgpr9 = IMPLICIT_DEF\n{DEF}$sgpr4\n"
        "$vgpr9 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, $vgpr9\n"
        f"{DEF}$sgpr4\n"
        "$vgpr9 = SI_SPILL_S32_TO_VGPR $sgpr4, 4, $vgpr9, implicit-def $sgpr4_sgpr5, implicit $sgpr4_sgpr5\n"
        f"$sgpr5 = SI_RESTORE_S32_FROM_VGPR $vgpr9, {lane}, implicit-def $sgpr4_sgpr5\n"
        f"{USE}$sgpr5\n{USE}$sgpr4\nS_ENDPGM 0"
    )
    assert bool(run(before, allocated).differ) is differs


def test_a_spill_register_moves_with_all_its_lanes():
    before = f"{DEF}%1:sreg_32\n{USE}%1\nS_ENDPGM 0"
    allocated = (
        f"%7:vgpr_32 = IMPLICIT_DEF\n{DEF}$sgpr4\n"
        "%7:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 33, %7\n"
        "SI_SPILL_WWM_V32_SAVE %7, %stack.0, $sgpr32, 0, implicit $exec\n"
        "%8:vgpr_32 = SI_SPILL_WWM_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec\n"
        "$vgpr3 = WWM_COPY %8\n"
        "$sgpr4 = SI_RESTORE_S32_FROM_VGPR $vgpr3, 33\n"
        f"{USE}$sgpr4\nS_ENDPGM 0"
    )
    assert same(run(before, allocated))


def test_constants_are_known():
    before = f"%1:sreg_64 = S_MOV_B64 -4294967291\n{USE}%1\nS_ENDPGM 0"
    parts = f"$sgpr4 = S_MOV_B32 5\n$sgpr5 = S_MOV_B32 {{}}\n{USE}$sgpr4_sgpr5\nS_ENDPGM 0"
    assert same(run(before, parts.format(-1)))
    assert always(run(before, parts.format(-2)))


def test_bundled_copies_and_bookkeeping():
    before = f"{DEF}%1:sgpr_128\n{USE}%1.sub0\n{USE}%1.sub1\nS_ENDPGM 0"
    allocated = (
        f"{DEF}$sgpr4_sgpr5_sgpr6_sgpr7\n"
        "$sgpr8 = COPY $sgpr4, implicit-def $sgpr8_sgpr9 {\n  $sgpr9 = COPY $sgpr5, implicit killed $sgpr4_sgpr5\n}\n"
        f"{USE}$sgpr8\n{USE}$sgpr9\nS_ENDPGM 0"
    )
    assert same(run(before, allocated))
