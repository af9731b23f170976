"""EXEC: what a thread keeps and loses while others execute."""

from __future__ import annotations

from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.mir.model import MachineFunction

from .mir import function, run, same

ADDRESS = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR_64, def $sgpr0_sgpr1'
VALUE = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:VGPR_32, def {}'
STORE = "GLOBAL_STORE_DWORD_SADDR {}, {}, $sgpr0_sgpr1, 0, 0, implicit $exec :: (store (s32), addrspace 1)"
SAVE = "SI_SPILL_{}_SAVE {}, %stack.0, $sgpr32, 0, implicit $exec"
RELOAD = "{} = SI_SPILL_{}_RESTORE %stack.0, $sgpr32, 0, implicit $exec"


def branch(head: str, then: str, joined: str, *, first: str = "KILL $vgpr99") -> MachineFunction:
    """`if` for some threads: head with all, then with those that compare equal, joined with all again.

    first: what comes after the branch before all are on.
    """
    return function(
        f"-> 1 2\n{ADDRESS}\n{VALUE.format('$vgpr0')}\n{VALUE.format('$vgpr1')}\n{head}\n"
        "$sgpr4_sgpr5 = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec\n"
        "$sgpr6_sgpr7 = S_AND_SAVEEXEC_B64 $sgpr4_sgpr5, implicit-def $exec, implicit-def $scc, implicit $exec\n"
        "S_CBRANCH_EXECZ %bb.2, implicit $exec",
        f"-> 2\n{then}",
        f"{first}\n$exec = S_OR_B64 $exec, $sgpr6_sgpr7, implicit-def $scc\n{joined}\nS_ENDPGM 0",
    )


def stores(value: str) -> str:
    return STORE.format("$vgpr0", value)


NOTHING = "KILL $vgpr99"
PLAIN = branch(NOTHING, NOTHING, stores("$vgpr1"))


def test_a_copy_among_all_threads_keeps_the_value():
    assert same(run(PLAIN, branch("$vgpr5 = COPY $vgpr1", NOTHING, stores("$vgpr5"))))


def test_a_copy_among_some_threads_loses_it_for_the_others():
    before = branch(NOTHING, stores("$vgpr1"), stores("$vgpr1"))
    result = run(before, branch("$vgpr5 = COPY $vgpr1", "$vgpr6 = COPY $vgpr5\n" + stores("$vgpr6"), stores("$vgpr6")))
    assert result.differ > 0
    there_and_back = "$vgpr6 = COPY $vgpr5\n$vgpr7 = V_MOV_B32_e32 0, implicit $exec\n$vgpr5 = COPY $vgpr6\n"
    assert same(run(before, branch("$vgpr5 = COPY $vgpr1", there_and_back + stores("$vgpr5"), stores("$vgpr5"))))


def test_a_spill_among_some_threads():
    late = SAVE.format("V32", "$vgpr1")
    reload = RELOAD.format("$vgpr5", "V32") + "\n" + stores("$vgpr5")
    assert same(run(PLAIN, branch(late, NOTHING, reload)))
    assert run(PLAIN, branch(NOTHING, late, reload)).differ
    whole = [text.replace("V32", "WWM_V32") for text in (late, reload)]
    result = run(PLAIN, branch(NOTHING, whole[0], whole[1]), 60)
    assert result.differ < run(PLAIN, branch(NOTHING, late, reload), 60).differ, "only where the branch is skipped"


def test_a_reload_before_the_others_are_on_again():
    head = SAVE.format("V32", "$vgpr1")
    reload = RELOAD.format("$vgpr5", "V32")
    assert same(run(PLAIN, branch(head, NOTHING, f"{reload}\n{stores('$vgpr5')}")))
    assert run(PLAIN, branch(head, NOTHING, stores("$vgpr5"), first=reload)).differ


def test_whoever_is_off_keeps_what_others_overwrite():
    """The result of `if` and `else` is one register before allocation; each thread has its own part of it."""
    text = "{0} = V_MOV_B32_e32 1, implicit $exec\n"
    before = branch(text.format("%9:vgpr_32"), "%9:vgpr_32 = COPY $vgpr1", stores("%9"))
    assert same(run(before, branch(text.format("$vgpr3"), "$vgpr3 = COPY $vgpr1", stores("$vgpr3"))))
    assert run(before, branch(text.format("$vgpr3"), "$vgpr4 = COPY $vgpr1", stores("$vgpr4"))).differ


def reuse(value: str, other: str, value_def: str, other_def: str) -> MachineFunction:
    """A value that only some threads define, and another that all define where the first is dead."""
    return function(
        f"-> 1\n{ADDRESS}\n{VALUE.format('$vgpr0')}\n{VALUE.format('$vgpr1')}\n"
        f"{value_def} = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec\n{stores(value)}",
        f"-> 2 3\n{other_def} = V_XOR_B32_e32 $vgpr0, $vgpr1, implicit $exec\n{stores(other)}\n"
        "$sgpr4_sgpr5 = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec\n"
        "$sgpr6_sgpr7 = S_AND_SAVEEXEC_B64 $sgpr4_sgpr5, implicit-def $exec, implicit-def $scc, implicit $exec\n"
        "S_CBRANCH_EXECZ %bb.3, implicit $exec",
        f"-> 3\n{value_def} = COPY $vgpr1",
        f"$exec = S_OR_B64 $exec, $sgpr6_sgpr7, implicit-def $scc\n{stores(value)}\nS_ENDPGM 0",
    )


def test_a_dead_register_may_be_reused_by_threads_that_are_on():
    """A thread that skips a definition reads what the register held; where that was dead, anything will do."""
    before = reuse("%9", "%8", "%9:vgpr_32", "%8:vgpr_32")
    shared = reuse("$vgpr3", "$vgpr3", "$vgpr3", "$vgpr3")
    apart = reuse("$vgpr3", "$vgpr4", "$vgpr3", "$vgpr4")
    assert same(run(before, apart))
    assert run(before, shared).differ, "by the text it is live around the branch"
    undefined = LaneLiveness(edges={(1, 3, 9): 3})
    assert same(run(before, apart, liveness=undefined))
    assert same(run(before, shared, liveness=undefined))


def test_scalars_of_a_wave_do_not_depend_on_the_followed_thread():
    """What a thread that is off holds is stale, and must not reach a scalar."""
    read = "$sgpr8 = V_READFIRSTLANE_B32 {}, implicit $exec\n$m0 = COPY $sgpr8"
    before = branch(NOTHING, f"$vgpr5 = COPY $vgpr1\n{read.format('$vgpr5')}", stores("$vgpr1"))
    after = branch(NOTHING, f"$vgpr3 = COPY $vgpr1\n$vgpr2 = COPY $vgpr3\n{read.format('$vgpr2')}", stores("$vgpr1"))
    assert same(run(before, after, 60))
    assert run(before, branch(NOTHING, f"$vgpr5 = COPY $vgpr0\n{read.format('$vgpr5')}", stores("$vgpr1")), 60).differ


def test_a_wrong_mask_is_seen():
    assert run(PLAIN, branch(NOTHING, "$sgpr7 = S_MOV_B32 0\n$sgpr6 = S_MOV_B32 0", stores("$vgpr1"))).differ


def test_a_spill_register_under_a_narrow_mask():
    lanes = "$vgpr9 = IMPLICIT_DEF\n$sgpr9 = S_MOV_B32 1234\n$vgpr9 = SI_SPILL_S32_TO_VGPR $sgpr9, 40, $vgpr9"
    before = branch("$sgpr9 = S_MOV_B32 1234", NOTHING, "$m0 = COPY $sgpr9")
    joined = "$sgpr10 = SI_RESTORE_S32_FROM_VGPR $vgpr8, 40\n$m0 = COPY $sgpr10"
    for copy, where, good in (("WWM_COPY", 0, True), ("COPY", 0, True), ("COPY", 1, False)):
        move = f"$vgpr8 = {copy} $vgpr9"
        after = branch(f"{lanes}\n{move}" if where == 0 else lanes, move if where else NOTHING, joined)
        assert same(run(before, after, 40)) is good


def test_a_select_chooses_by_the_bit_of_the_thread():
    select = "{0} = V_CNDMASK_B32_e32 {1}, $vgpr1, implicit $vcc, implicit $exec"
    compare = "$vcc = V_CMP_LT_U32_e64 $vgpr0, $vgpr1, implicit $exec\n"
    before = branch(compare + select.format("%2:vgpr_32", 1), NOTHING, stores("%2"))
    assert same(run(before, branch(compare + select.format("$vgpr2", 1), NOTHING, stores("$vgpr2"))))
    result = run(before, branch(compare + select.format("$vgpr2", 2), NOTHING, stores("$vgpr2")))
    assert 0 < result.differ < result.runs


def test_the_allocators_own_whole_wave_brackets_are_no_events():
    """Around a copy; a thread that is off takes part in it, and stays off."""
    bracket = (
        "$sgpr8_sgpr9 = S_OR_SAVEEXEC_B64 -1, implicit-def $exec, implicit-def dead $scc, implicit $exec\n"
        "$vgpr5 = COPY $vgpr1\n$exec = S_MOV_B64 killed $sgpr8_sgpr9"
    )
    long_way = bracket.replace(
        "S_OR_SAVEEXEC_B64 -1, implicit-def $exec, implicit-def dead $scc, implicit $exec",
        "S_MOV_B64 $exec\n$exec = S_MOV_B64 -1",
    )
    plain = branch("", stores("$vgpr0"), stores("$vgpr1"))
    for moves in (bracket, long_way):
        assert same(run(plain, branch("", f"{moves}\n{stores('$vgpr0')}", stores("$vgpr5"))))
    masked = branch("", f"$vgpr5 = COPY $vgpr1\n{stores('$vgpr0')}", stores("$vgpr5"))
    assert run(plain, masked).differ, "without one, threads that are off do not get the copy"
    kept = bracket.replace("killed ", "")
    assert run(plain, branch("", f"{kept}\n{stores('$vgpr0')}", stores("$vgpr5"))).differ, "no bracket: EXEC is written"


def test_whole_wave_code_of_the_program_ends_as_it_began():
    """Inside a branch, where only the followed thread's bit of EXEC is known."""
    whole = (
        "$sgpr8_sgpr9 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec\n"
        "$vgpr5 = V_ADD_U32_e32 $vgpr1, $vgpr1, implicit $exec\n$exec = EXIT_STRICT_WWM killed $sgpr8_sgpr9\n"
    )
    program = branch("", f"{whole}{stores('$vgpr0')}", stores("$vgpr1"))
    result = run(program, program)
    assert (result.differ, result.completed) == (0, result.runs)
    assert run(program, branch("", f"{whole}{stores('$vgpr1')}", stores("$vgpr1"))).differ
    other = whole.replace("killed $sgpr8_sgpr9", "killed $sgpr10_sgpr11")
    assert run(program, branch("", f"{other}{stores('$vgpr0')}", stores("$vgpr1"))).differ
