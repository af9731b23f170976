"""Vector registers that hold one value in some lanes of the wave and another in the rest: right ones, and like wrong ones.

Every case is a variable or a move around a divergent branch. The wrong one differs from the right one in a move.
"""

from __future__ import annotations

from regtriage.dataflow.check import CheckResult

from .mirtext import compare, wrong

BRANCH = """
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vcc, $sgpr0_sgpr1
    {start}
    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def $scc, implicit $exec
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    successors: %bb.2
    {then}
  bb.2:
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    {end}
    S_ENDPGM 0
"""
LOAD = "{} = GLOBAL_LOAD_DWORD_SADDR $vgpr0, $sgpr0_sgpr1, {}, 0, implicit $exec :: (load (s32))"
USE = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:VGPR_32, {}'
SAVE = "SI_SPILL_V32_SAVE {}, %stack.{}, $sgpr32, 0, implicit $exec"
RELOAD = "{}:vgpr_32 = SI_SPILL_V32_RESTORE %stack.{}, $sgpr32, 0, implicit $exec"
ZERO = "{} = V_MOV_B32_e32 0, implicit $exec"
COPY = "{} = COPY {}"
NEW = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:VGPR_32, def {}'
NONE = "S_NOP 0"


def branch(start: list[str], then: list[str], end: list[str]) -> str:
    return BRANCH.format(start="\n    ".join(start), then="\n    ".join(then), end="\n    ".join(end))


def straight(text: str) -> str:
    """The branch is never jumped around: what is missing in lanes that are off is all that is wrong then."""
    jump = "    S_CBRANCH_EXECZ %bb.2, implicit $exec\n"
    return text.replace("successors: %bb.1, %bb.2", "successors: %bb.1").replace(jump, "")


def is_proved(result: CheckResult) -> bool:
    return not wrong(result) and not result.unknown


def test_a_phi_of_a_constant_is_spilled_where_the_branches_have_met():
    load, use = LOAD.format("%1:vgpr_32", 0), USE.format
    before = branch([load], [ZERO.format("%1:vgpr_32")], [use("%1")])
    good = branch([load], [ZERO.format("%1:vgpr_32")], [SAVE.format("%1", 0), RELOAD.format("%2", 0), use("%2")])
    assert is_proved(compare(before, good))


def test_a_phi_is_spilled_in_both_places_where_it_is_written():
    """The slot keeps what the branch does not enable; another slot, or a register with other lanes, does not."""
    other = LOAD.format("%2:vgpr_32", 4)
    before = branch([LOAD.format("%1:vgpr_32", 0), other], [ZERO.format("%1:vgpr_32")], [USE.format("%1")])
    start = [LOAD.format("%1:vgpr_32", 0), SAVE.format("%1", 0), other]
    end = [RELOAD.format("%4", 0), USE.format("%4")]
    assert is_proved(compare(before, branch(start, [ZERO.format("%2:vgpr_32"), SAVE.format("%2", 0)], end)))
    assert not is_proved(compare(before, branch(start, [ZERO.format("%2:vgpr_32"), SAVE.format("%2", 1)], end)))
    late = [ZERO.format("%2:vgpr_32")], [SAVE.format("%2", 0), *end]
    assert wrong(compare(before, branch(start, *late))), "on the path around the branch %2 is something else"
    result = compare(straight(before), straight(branch(start, *late)))
    assert (wrong(result), len(result.unknown)) == ([], 1), "in the branch it is, in other lanes"


def test_the_same_value_is_copied_again_in_the_branch():
    load = LOAD.format("%1:vgpr_32", 0)
    before = branch([load], [USE.format("%1")], [USE.format("%1")])
    copy, use = COPY.format("%2:vgpr_32", "%1"), USE.format("%2")
    assert is_proved(compare(before, branch([load, copy], [copy, use], [use])))
    other = LOAD.format("%2:vgpr_32", 4)
    result = compare(straight(before), straight(branch([load, other], [copy, use], [use])))
    assert (wrong(result), len(result.unknown)) == ([], 1)


def test_a_register_is_saved_around_a_clobber_in_the_branch():
    """Only lanes that EXEC enables are clobbered, so those alone must come back."""
    clobber = 'INLINEASM &"; clobber", sideeffect attdialect, clobber, implicit-def dead early-clobber $vgpr5'
    load, physical = LOAD.format("%1:vgpr_32", 0), LOAD.format("renamable $vgpr5", 0)
    save = COPY.format("renamable $vgpr6", "renamable $vgpr5")
    restore = COPY.format("renamable $vgpr5", "renamable $vgpr6")
    use = USE.format("renamable $vgpr5")
    before = branch([load], [NONE, clobber], [USE.format("%1")])
    assert is_proved(compare(before, branch([physical], [NONE, save, clobber, restore], [use])))
    assert wrong(compare(before, branch([physical], [NONE, clobber, save, restore], [use])))
    early = branch([load, clobber], [NONE], [USE.format("%1")])
    restored_in_part = branch([physical, save, clobber], [NONE, restore], [use])
    result = compare(straight(early), straight(restored_in_part))
    assert (wrong(result), len(result.unknown)) == ([], 1)


def test_a_value_that_was_moved_in_the_branch_only_is_not_there_in_other_lanes():
    start = [LOAD.format("%1:vgpr_32", 0), LOAD.format("%2:vgpr_32", 4)]
    copy = [NONE, COPY.format("%2:vgpr_32", "%1")]
    before = straight(branch(start, [NONE], [USE.format("%1")]))
    after = straight(branch(start, copy, [USE.format("%2")]))
    result = compare(before, after)
    assert (wrong(result), len(result.unknown)) == ([], 1)
    # the same copy in the source means those very lanes, also of what is there otherwise
    copied = straight(branch(start, copy, [USE.format("%2")]))
    assert is_proved(compare(copied, after))
    assert is_proved(compare(copied, after.replace("%2", "%7")))
    again = [*copy, COPY.format("%8:vgpr_32", "%2")]
    result = compare(copied, straight(branch(start, again, [USE.format("%8")])))
    assert (wrong(result), len(result.unknown)) == ([], 1)


def test_a_register_is_reloaded_where_fewer_lanes_are_on_than_where_it_was_overwritten():
    """What LLVM does to seed 107386 of the fuzz campaign; execution shows it there."""
    load, other = LOAD.format("%1:vgpr_32", 0), LOAD.format("%3:vgpr_32", 4)
    before = straight(branch([load, other, USE.format("%3")], [NONE], [USE.format("%1")]))
    start = [load, SAVE.format("%1", 0), LOAD.format("%1:vgpr_32", 4), USE.format("%1")]
    reload, use = RELOAD.format("%1", 0), USE.format("%1")
    assert is_proved(compare(before, straight(branch(start, [NONE], [reload, use]))))
    result = compare(before, straight(branch(start, [NONE, reload], [use])))
    assert (wrong(result), len(result.unknown)) == ([], 1)


ARMS = """
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vcc, $sgpr0_sgpr1
    {start}
    $sgpr2_sgpr3 = COPY $exec, implicit-def $exec
    $sgpr4_sgpr5 = S_AND_B64 $sgpr2_sgpr3, $vcc, implicit-def dead $scc
    $sgpr2_sgpr3 = S_XOR_B64 $sgpr4_sgpr5, $sgpr2_sgpr3, implicit-def dead $scc
    $exec = S_MOV_B64_term $sgpr4_sgpr5
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    successors: %bb.2
    {then}
  bb.2:
    successors: %bb.3, %bb.4
    $sgpr2_sgpr3 = S_OR_SAVEEXEC_B64 $sgpr2_sgpr3, implicit-def $exec, implicit-def $scc, implicit $exec
    {flow}
    $exec = S_XOR_B64_term $exec, $sgpr2_sgpr3, implicit-def $scc
    S_CBRANCH_EXECZ %bb.4, implicit $exec
  bb.3:
    successors: %bb.4
    {otherwise}
  bb.4:
    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc
    {end}
    S_ENDPGM 0
"""


def arms(**code: str) -> str:
    return ARMS.format_map(dict.fromkeys(("start", "then", "flow", "otherwise", "end"), NONE) | code)


def test_a_variable_that_both_arms_write():
    """The then-arm's lanes must outlive the else-arm, in the register that both write."""
    start, use = LOAD.format("%1:vgpr_32", 0), USE.format
    before = arms(start=start, then=ZERO.format("%2:vgpr_32"), otherwise=COPY.format("%2:vgpr_32", "%1"), end=use("%2"))
    in_slot = arms(
        start=start,
        then=ZERO.format("%2:vgpr_32") + "\n    " + SAVE.format("%2", 0),
        otherwise=SAVE.format("%1", 0),
        end=RELOAD.format("%3", 0) + "\n    " + use("%3"),
    )
    assert is_proved(compare(before, in_slot))
    two_slots = in_slot.replace("SAVE %2, %stack.0", "SAVE %2, %stack.1")
    assert not is_proved(compare(before, two_slots))
    moved = arms(
        start=start,
        then=ZERO.format("%2:vgpr_32"),
        flow=COPY.format("%5:vgpr_32", "%2"),
        otherwise=COPY.format("%5:vgpr_32", "%1"),
        end=use("%5"),
    )
    assert is_proved(compare(before, moved)), "moved while all lanes are on"
    late = moved.replace("S_NOP 0\n    S_ENDPGM", "S_ENDPGM").replace(
        "%5:vgpr_32 = COPY %2\n    $exec = S_XOR_B64_term $exec, $sgpr2_sgpr3, implicit-def $scc",
        "$exec = S_XOR_B64_term $exec, $sgpr2_sgpr3, implicit-def $scc\n    %5:vgpr_32 = COPY %2",
    )
    assert not is_proved(compare(before, late)), "moved while only the else-arm's lanes are on"
