"""Lanes that nobody defined: poison before allocation, arbitrary after it."""

from __future__ import annotations

from regtriage.dataflow.liveness import LaneLiveness

from .mir import DEF, USE, always, function, run, same


def test_an_undefined_lane_matches_anything_and_its_neighbour_does_not():
    before = f"undef %1.sub0:sgpr_64 = S_MOV_B32 5\n{USE}%1\nS_ENDPGM 0"
    assert same(run(before, f"$sgpr4 = S_MOV_B32 5\n{USE}$sgpr4_sgpr5\nS_ENDPGM 0"))
    assert always(run(before, f"$sgpr4 = S_MOV_B32 6\n{USE}$sgpr4_sgpr5\nS_ENDPGM 0"))


def test_what_is_defined_before_must_be_after():
    before = f"{DEF}%1:sgpr_64\n{USE}%1\nS_ENDPGM 0"
    assert always(run(before, f"{DEF}$sgpr4_sgpr5\n{USE}$sgpr5_sgpr6\nS_ENDPGM 0"))
    assert always(run(before, f"{DEF}%1:sgpr_64\nundef %2.sub0:sgpr_64 = COPY %1.sub0\n{USE}%2\nS_ENDPGM 0"))


def test_a_physical_register_holds_on_to_what_it_held():
    before = f"{DEF}%1:sgpr_64\n{USE}%1.sub1\nS_ENDPGM 0"
    after = (
        f"{DEF}$sgpr4_sgpr5\n$sgpr4 = S_MOV_B32 0, implicit-def $sgpr4_sgpr5\n$sgpr5 = IMPLICIT_DEF\n"
        f"{USE}undef $sgpr5\nS_ENDPGM 0"
    )
    assert same(run(before, after))


def test_poison_spreads_through_operations_but_not_through_effects():
    head = "%1:sreg_32 = IMPLICIT_DEF\n%2:sreg_32 = S_ADD_I32 %1, 4, implicit-def dead $scc\n"
    asm = 'INLINEASM &"; op", sideeffect attdialect, regdef:SGPR, def {}, reguse:SGPR, {}\n'
    before = f"{head}{USE}%2\n{asm.format('%3:sreg_32', '%2')}{USE}%3\nS_ENDPGM 0"
    after = f"{USE}$sgpr9\n{asm.format('$sgpr4', '$sgpr9')}{USE}{{}}\nS_ENDPGM 0"
    assert same(run(before, after.format("$sgpr4")))
    assert always(run(before, after.format("$sgpr9")))


def test_undef_uses():
    before = f"{USE}undef %1:sreg_32\n{DEF}%2:sreg_32\n{USE}%2\nS_ENDPGM 0"
    assert same(run(before, f"{USE}$sgpr7\n{DEF}$sgpr4\n{USE}$sgpr4\nS_ENDPGM 0"))
    assert always(run(before, f"{USE}$sgpr7\n{DEF}%2:sreg_32\n{USE}undef %2\nS_ENDPGM 0"))


def test_selects_read_only_what_they_choose():
    """The arm not taken is undefined; the packed operation reads the low half twice."""
    before = (
        "%1:sreg_32 = S_CSELECT_B32 7, undef %9:sreg_32, implicit $scc\n"
        f"undef %2.sub0:vreg_64 = COPY %1\n%3:vreg_64 = V_PK_MUL_F32 0, %2, 0, %2, 0, 0, 0, 0, 0, implicit $exec\n{USE}%3\nS_ENDPGM 0"
    )
    head = "S_CMP_EQ_U32 0, {}, implicit-def $scc\n"
    after = before.replace("7,", "8,")
    assert always(run(head.format(0) + before, head.format(0) + after))
    assert same(run(head.format(1) + before, head.format(1) + after)), "the other arm is undefined"


def test_lanes_the_compiler_knows_to_be_undefined():
    """The text alone lets the loop's old value reach the use; live intervals say there is none on that edge."""
    before = function(
        "-> 1\n%1:sgpr_64 = S_MOV_B64 3\n",
        f"-> 1 2\n{USE}%1.sub1\n%1.sub0:sgpr_64 = S_MOV_B32 4\nS_CBRANCH_SCC1 %bb.1, implicit undef $scc\n",
        "S_ENDPGM 0",
    )
    after = function(
        "-> 1\n$sgpr4_sgpr5 = S_MOV_B64 3\n",
        f"-> 1 2\n{USE}$sgpr5\n$sgpr5 = S_MOV_B32 4\nS_CBRANCH_SCC1 %bb.1, implicit undef $scc\n",
        "S_ENDPGM 0",
    )
    assert run(before, after).differ
    assert same(run(before, after, liveness=LaneLiveness(edges={(1, 1, 1): 0b1100})))
    assert same(run(before, after, liveness=LaneLiveness(live_in={(1, 1): 0b0011})))


def test_lanes_that_are_read_without_a_value():
    before = function(f"{DEF}%1:sgpr_64\n{USE}%1.sub1\n{USE}%1\nS_ENDPGM 0")
    after = function(f"{DEF}$sgpr4_sgpr5\n{USE}$sgpr5\n$sgpr5 = S_MOV_B32 4\n{USE}$sgpr4_sgpr5\nS_ENDPGM 0")
    assert run(before, after).differ
    assert same(run(before, after, liveness=LaneLiveness(reads={(0, 2, 1): 0b1100})))
    assert run(before, after, liveness=LaneLiveness(reads={(0, 2, 1): 0b0011})).differ


def test_an_undef_implicit_use_reads_nothing():
    """A branch on a condition that nobody made goes either way, also where the register holds something else."""
    compare = "S_CMP_EQ_U32 {}, 0, implicit-def $scc\n"
    branch = f"-> 1 2\n{DEF}$sgpr4\n{{}}S_CBRANCH_SCC1 %bb.2, implicit {{}}$scc\nS_BRANCH %bb.1"
    ends = ("-> 2\nS_NOP 0", f"{USE}$sgpr4\nS_ENDPGM 0")
    undefined = function(branch.format(compare.format("$sgpr4"), "undef "), *ends)
    assert same(run(undefined, function(branch.format("", "undef "), *ends)))
    defined = function(branch.format(compare.format("$sgpr4"), ""), *ends)
    assert always(run(defined, function(branch.format("S_CMP_EQ_U32 $sgpr4, 1, implicit-def $scc\n", ""), *ends)))
