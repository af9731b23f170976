"""The check on small pairs: each test is one thing that allocation does, right and wrong."""

from __future__ import annotations

import pytest
from regtriage.dataflow.check import check
from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import AMDGPU
from regtriage.dataflow.translate import ShapeMismatchError

from .mirtext import compare, function, wrong

USE = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SReg_32, '
DEF = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR_128, def '


def blocks(*bodies: str) -> str:
    return "\n".join(
        f"  bb.{n}:\n" + "\n".join(f"    {line}" for line in b.strip().split("\n")) for n, b in enumerate(bodies)
    )


def test_identical_functions_need_no_ops():
    text = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub2\nS_ENDPGM 0")
    result = compare(text, text)
    assert not result.violations
    assert sum(map(len, result.program.ops.values())) == 0


def test_copy_and_spill_keep_a_value():
    before = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub2\n{USE}%1.sub3")
    after = blocks(
        f"{DEF}renamable $sgpr4_sgpr5_sgpr6_sgpr7\n"
        "SI_SPILL_S128_SAVE renamable $sgpr4_sgpr5_sgpr6_sgpr7, %stack.0, implicit $exec\n"
        "renamable $sgpr8 = COPY renamable $sgpr6\n"
        f"{USE}renamable $sgpr8\n"
        "renamable $sgpr12_sgpr13_sgpr14_sgpr15 = SI_SPILL_S128_RESTORE %stack.0, implicit $exec\n"
        f"{USE}renamable $sgpr15"
    )
    assert wrong(compare(before, after)) == []


@pytest.mark.parametrize(
    ("reload", "use", "expected"),
    [
        ("%stack.1", "$sgpr15", [("%1.sub3", "$sgpr15")]),
        ("%stack.0", "$sgpr14", [("%1.sub3", "$sgpr14")]),
        ("%stack.0", "undef renamable $sgpr15", []),
    ],
)
def test_wrong_slot_wrong_lane(reload: str, use: str, expected: list[tuple[str, str]]):
    before = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub3")
    after = blocks(
        f"{DEF}renamable $sgpr4_sgpr5_sgpr6_sgpr7\n"
        "SI_SPILL_S128_SAVE killed renamable $sgpr4_sgpr5_sgpr6_sgpr7, %stack.0, implicit $exec\n"
        f"renamable $sgpr12_sgpr13_sgpr14_sgpr15 = SI_SPILL_S128_RESTORE {reload}, implicit $exec\n"
        f"{USE}{use}"
    )
    assert wrong(compare(before, after)) == expected


@pytest.mark.parametrize(("address", "expected"), [("undef %2:sreg_64", []), ("%2:sreg_64", [("%1.sub2", "$sgpr6")])])
def test_what_is_loaded_from_an_address_without_a_value_has_none(address: str, expected: list[tuple[str, str]]):
    load = "S_LOAD_DWORDX4_IMM {}, 0, 0 :: (invariant load (s128), addrspace 4)"
    define = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SReg_64, def '
    flag = "undef " if address.startswith("undef") else ""
    before = blocks(f"{define}%2:sreg_64\n%1:sgpr_128 = {load.format(address)}\n{USE}%1.sub0\n{USE}%1.sub2")
    after = blocks(
        f"{define}renamable $sgpr0_sgpr1\n"
        f"renamable $sgpr4_sgpr5_sgpr6_sgpr7 = {load.format(flag + 'renamable $sgpr0_sgpr1')}\n"
        f"{USE}renamable $sgpr4\n"
        f"renamable $sgpr4_sgpr5_sgpr6_sgpr7 = {load.format(flag + 'renamable $sgpr8_sgpr9')}\n"
        f"{USE}renamable $sgpr6"
    )
    assert wrong(compare(before, after)) == expected


def test_constants_are_compared_by_lane_whatever_moves_them():
    before = blocks(f"%1:sreg_64 = S_MOV_B64 4294967299\n{USE}%1.sub0\n{USE}%1.sub1")
    good = blocks(
        f"renamable $sgpr4 = S_MOV_B32 3\n{USE}renamable $sgpr4\nrenamable $sgpr5 = S_MOV_B32 1\n{USE}renamable $sgpr5"
    )
    bad = good.replace("S_MOV_B32 1", "S_MOV_B32 2")
    assert wrong(compare(before, good)) == []
    assert wrong(compare(before, bad)) == [("%1.sub1", "$sgpr5")]


INVARIANT = ":: (dereferenceable invariant load (s{}), addrspace 4)"


def test_narrowed_scalar_load_is_the_same_value():
    before = blocks(
        "%0:sreg_64 = COPY $sgpr0_sgpr1\n"
        f"%1:sgpr_256 = S_LOAD_DWORDX8_IMM %0, 32, 0 {INVARIANT.format(256)}\n{USE}%1.sub1\n{USE}%1.sub5"
    ).replace("bb.0:", "bb.0:\n    liveins: $sgpr0_sgpr1")
    good = blocks(
        f"renamable $sgpr8_sgpr9 = S_LOAD_DWORDX2_IMM renamable $sgpr0_sgpr1, 32, 0 {INVARIANT.format(64)}\n{USE}renamable $sgpr9\n"
        f"renamable $sgpr8_sgpr9 = S_LOAD_DWORDX2_IMM renamable $sgpr0_sgpr1, 48, 0 {INVARIANT.format(64)}\n{USE}renamable $sgpr9"
    )
    assert wrong(compare(before, good)) == []
    assert wrong(compare(before, good.replace("48, 0", "52, 0"))) == [("%1.sub5", "$sgpr9")]


def test_rematerialised_before_and_instead_of_the_original():
    before = blocks(
        f"{DEF}%1:sgpr_128\n%2:sreg_32 = S_BREV_B32 %1.sub0\n{USE}%1.sub1",
        f"{USE}%2\nS_ENDPGM 0",
    )
    after = blocks(
        f"{DEF}%1:sgpr_128\n{USE}%1.sub1",
        f"%3:sreg_32 = S_BREV_B32 %1.sub0\n{USE}%3\nS_ENDPGM 0",
    )
    assert wrong(compare(before, after)) == []
    assert wrong(compare(before, after.replace("S_BREV_B32 %1.sub0", "S_BREV_B32 %1.sub2"))) == [("%2.sub0", "%3.sub0")]


def test_rematerialisation_after_a_join_of_its_operand():
    """x = f(y) on both arms with different y: f(y) after the join is x."""
    before = blocks(
        "S_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}%1:sgpr_128\n%2:sreg_32 = S_BREV_B32 %1.sub0\nS_BRANCH %bb.3",
        f"{DEF}%1:sgpr_128\n%2:sreg_32 = S_BREV_B32 %1.sub0\nS_BRANCH %bb.3",
        f"{USE}%1.sub0\n{USE}%2\nS_ENDPGM 0",
    )
    after = blocks(
        "S_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}%1:sgpr_128\n%2:sreg_32 = S_BREV_B32 %1.sub0\nS_BRANCH %bb.3",
        f"{DEF}%1:sgpr_128\n%2:sreg_32 = S_BREV_B32 %1.sub0\nS_BRANCH %bb.3",
        f"{USE}%1.sub0\n%4:sreg_32 = S_BREV_B32 %1.sub0\n{USE}%4\nS_ENDPGM 0",
    )
    assert wrong(compare(before, after)) == []


def test_undef_sub_register_definition_clobbers_virtual_neighbours_only():
    before = blocks(f"{DEF}%1:sgpr_128\n{DEF}%2:sgpr_128\n{USE}%1.sub0")
    virtual = blocks(f"{DEF}%1:sgpr_128\n{DEF}%2:sgpr_128\nundef %1.sub3:sgpr_128 = COPY %2.sub3\n{USE}%1.sub0")
    assert wrong(compare(before, virtual)) == [("%1.sub0", "%1.sub0")]


def test_wildcard_where_a_lane_is_undefined_on_one_path():
    """The lane is defined on one arm only, so its place after the other arm may hold anything."""
    before = blocks(
        "S_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}%1:sgpr_128\nS_BRANCH %bb.2",
        f"{USE}%1.sub0\nS_ENDPGM 0",
    )
    after = blocks(
        "S_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}renamable $sgpr4_sgpr5_sgpr6_sgpr7\nrenamable $sgpr9 = COPY renamable $sgpr4\nS_BRANCH %bb.2",
        f"{USE}renamable $sgpr9\nS_ENDPGM 0",
    )
    assert wrong(compare(before, after)) == []
    assert wrong(compare(before, after.replace("COPY renamable $sgpr4", "COPY renamable $sgpr5"))) == [
        ("%1.sub0", "$sgpr9")
    ]


def test_live_intervals_make_an_edge_a_wildcard():
    """The text shows an old definition of the lane on the first edge; LiveIntervals know it is dead there."""
    before = blocks(
        f"{DEF}%1:sgpr_128\n{USE}%1.sub0\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}%1:sgpr_128\nS_BRANCH %bb.2",
        f"{USE}%1.sub0\nS_ENDPGM 0",
    )
    after = before.replace(
        "%1:sgpr_128\n    S_BRANCH", "%2:sgpr_128\n    %1.sub0:sgpr_128 = COPY %2.sub0\n    S_BRANCH"
    )
    assert wrong(compare(before, after)) == []
    lost = blocks(
        f"{DEF}%1:sgpr_128\n{USE}%1.sub0\nundef %3.sub0:sgpr_128 = S_MOV_B32 7\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{DEF}%3:sgpr_128\nS_BRANCH %bb.2",
        f"{USE}%3.sub0\nS_ENDPGM 0",
    )
    assert wrong(compare(before, lost)) == [("%1.sub0", "%3.sub0")]
    reader = Reader(AMDGPU)
    known = LaneLiveness(edges={(0, 2, 1): 0x3})
    result = check(function(before, reader=reader), function(lost, reader=reader), AMDGPU, known)
    assert wrong(result) == []


def test_loop_does_not_take_an_old_value_for_the_new_one():
    """The copy is made before the redefinition, so in the next iteration it is one behind."""
    before = blocks(
        f"{DEF}%1:sgpr_128",
        f"{USE}%1.sub0\n{DEF}%1:sgpr_128\nS_CBRANCH_SCC1 %bb.1, implicit $scc",
        "S_ENDPGM 0",
    )
    after = blocks(
        f"{DEF}%1:sgpr_128\n%2:sgpr_128 = COPY %1",
        f"{USE}%2.sub0\n%2:sgpr_128 = COPY %1\n{DEF}%1:sgpr_128\nS_CBRANCH_SCC1 %bb.1, implicit $scc",
        "S_ENDPGM 0",
    )
    assert wrong(compare(before, after)) == [("%1.sub0", "%2.sub0")]
    assert (
        wrong(
            compare(
                before,
                after.replace(
                    f"%2:sgpr_128 = COPY %1\n    {DEF}%1:sgpr_128",
                    f"{DEF}%1:sgpr_128\n    %2:sgpr_128 = COPY %1",
                ),
            )
        )
        == []
    )


def test_irreducible_cycle_keeps_iterations_apart():
    before = blocks(
        f"{DEF}%1:sgpr_128\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{USE}%1.sub0\nS_BRANCH %bb.2",
        f"{DEF}%1:sgpr_128\nS_CBRANCH_SCC1 %bb.1, implicit $scc",
        "S_ENDPGM 0",
    )
    after = blocks(
        f"{DEF}%1:sgpr_128\n%2:sgpr_128 = COPY %1\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"{USE}%2.sub0\nS_BRANCH %bb.2",
        f"%2:sgpr_128 = COPY %1\n{DEF}%1:sgpr_128\nS_CBRANCH_SCC1 %bb.1, implicit $scc",
        "S_ENDPGM 0",
    )
    assert wrong(compare(before, after)) == [("%1.sub0", "%2.sub0")]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ((f"    {USE}%1.sub1\n", ""), "missing"),
        ((f"    {USE}%1.sub1\n", f"    {USE}%1.sub1\n    {USE}%1.sub1\n"), "extra"),
        (("S_CBRANCH_SCC1", "S_CBRANCH_SCC0"), "missing"),
    ],
)
def test_effects_must_happen_as_before(change: tuple[str, str], kind: str):
    before = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub1\nS_CBRANCH_SCC1 %bb.2, implicit $scc", "S_NOP 0", "S_ENDPGM 0")
    faults = compare(before, before.replace(*change)).program.faults
    assert kind in [f.kind for f in faults]


def test_a_lane_that_is_read_without_a_value_may_be_anything():
    """The allocator may reuse its register from there on: here for %2, whose value %1.sub1 seems to get."""
    before = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub1\n{DEF}%2:sgpr_128\n{USE}%1.sub0_sub1\n{USE}%2.sub0")
    after = blocks(
        f"{DEF}%1:sgpr_128\n{USE}%1.sub1\n{DEF}%2:sgpr_128\n%1.sub1:sgpr_128 = COPY %2.sub0\n{USE}%1.sub0_sub1\n{USE}%2.sub0"
    )
    assert wrong(compare(before, after)) == [("%1.sub1", "%1.sub1")]
    for index, expected in ((3, []), (4, [("%1.sub1", "%1.sub1")])):
        known = LaneLiveness(reads={(0, index, 1): 0xC})
        reader = Reader(AMDGPU)
        pair = function(before, reader=reader), function(after, reader=reader)
        assert wrong(check(*pair, AMDGPU, known)) == expected


def test_early_clobber_may_overlap_what_has_no_value():
    change = 'INLINEASM &"; change $0 $1", sideeffect attdialect, regdef-ec:SGPR_128, def early-clobber '
    before = blocks(f"undef %1.sub0:sgpr_128 = S_MOV_B32 7\n{change}%2:sgpr_128, reguse:SGPR_128, %1\n{USE}%2.sub0")
    after = blocks(
        "renamable $sgpr4 = S_MOV_B32 7\n"
        f"{change}renamable $sgpr7_sgpr8_sgpr9_sgpr10, reguse:SGPR_128, renamable $sgpr4_sgpr5_sgpr6_sgpr7\n{USE}renamable $sgpr7"
    )
    assert compare(before, after).program.faults == []
    defined = before.replace("undef %1.sub0", "undef %1.sub3")
    moved = after.replace("$sgpr4 =", "$sgpr7 =")
    assert [f.kind for f in compare(defined, moved).program.faults] == ["constraint"]


def test_early_clobber_and_tied_operands_after_rewriting():
    before = blocks(
        f"{DEF}%1:sgpr_128\nearly-clobber %2:sgpr_128 = S_LOAD_DWORDX4_IMM_ec %1.sub0_sub1, 0, 0 :: (load (s128))\n{USE}%2.sub0"
    )
    after = blocks(
        f"{DEF}renamable $sgpr4_sgpr5_sgpr6_sgpr7\n"
        "early-clobber renamable $sgpr4_sgpr5_sgpr6_sgpr7 = S_LOAD_DWORDX4_IMM_ec renamable $sgpr4_sgpr5, 0, 0 :: (load (s128))\n"
        f"{USE}renamable $sgpr4"
    )
    assert [f.kind for f in compare(before, after).program.faults] == ["constraint"]
    before = blocks("%1:vgpr_32 = V_MAC_F32_e32 %2:vgpr_32, %3:vgpr_32, %1(tied-def 0), implicit $exec\nS_ENDPGM 0")
    after = blocks(
        "renamable $vgpr1 = V_MAC_F32_e32 $vgpr2, $vgpr3, renamable $vgpr4(tied-def 0), implicit $exec\nS_ENDPGM 0"
    )
    assert [f.kind for f in compare(before, after).program.faults] == ["constraint"]


def test_a_clobbered_condition_is_seen():
    before = blocks(
        f"{DEF}%1:sgpr_128\nS_CMP_LG_U32 %1.sub0, 0, implicit-def $scc\nS_CBRANCH_SCC1 %bb.1, implicit $scc",
        "S_ENDPGM 0",
    )
    after = before.replace("S_CBRANCH", "%9:sreg_32 = S_BREV_B32 %1.sub1, implicit-def $scc\n    S_CBRANCH", 1)
    assert wrong(compare(before, after)) == [("$scc", "$scc")]


def test_not_the_same_function():
    with pytest.raises(ShapeMismatchError, match=r"bb\.1"):
        compare(blocks("S_NOP 0", "S_ENDPGM 0"), blocks("S_ENDPGM 0"))


def test_copy_of_exec_belongs_to_its_moment():
    before = blocks(
        f"%1:sreg_64 = COPY $exec\n$exec = S_AND_B64 $exec, %2:sreg_64, implicit-def $scc\n%3:sreg_64 = COPY $exec\n{USE}%1.sub0\n{USE}%3.sub0"
    )
    after = before.replace(f"{USE}%1.sub0", f"{USE}%3.sub0", 1)
    assert wrong(compare(before, after)) == [("%1.sub0", "%3.sub0")]


def test_spill_lanes_of_vector_registers_are_locations():
    before = blocks(f"{DEF}%1:sgpr_128\n{USE}%1.sub0\n{USE}%1.sub1")
    after = blocks(
        f"{DEF}renamable $sgpr4_sgpr5_sgpr6_sgpr7\n%9:vgpr_32 = IMPLICIT_DEF\n"
        "%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 0, %9\n%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr5, 1, %9\n"
        f"$sgpr8 = SI_RESTORE_S32_FROM_VGPR %9, 0\n{USE}renamable $sgpr8\n"
        f"$sgpr8 = SI_RESTORE_S32_FROM_VGPR %9, 1\n{USE}renamable $sgpr8"
    )
    assert wrong(compare(before, after)) == []
    assert wrong(compare(before, after.replace("$sgpr5, 1", "$sgpr5, 0"))) == [
        ("%1.sub0", "$sgpr8"),
        ("%1.sub1", "$sgpr8"),
    ]


def test_half_lanes():
    before = blocks(
        "%1:vgpr_32 = V_MOV_B32_e32 65541, implicit $exec\n%2:vgpr_16 = COPY %1.hi16\nDS_WRITE_B16 %3:vgpr_32, %2, 0, 0, implicit $exec"
    )
    good = blocks(
        "%5:vgpr_32 = V_MOV_B32_e32 65542, implicit $exec\n%2:vgpr_16 = COPY %5.hi16\nDS_WRITE_B16 %3:vgpr_32, %2, 0, 0, implicit $exec"
    )
    assert wrong(compare(before, good)) == [], "the high halves of 65541 and 65542 are equal"
    assert wrong(compare(before, good.replace(".hi16", ".lo16"))) == [("%2.sub0_lo16", "%2.sub0_lo16")]


def test_joining_terms_of_unequal_arity():
    """A scalar load with a register offset and one without have one operator but not as many operands."""
    load = f"S_LOAD_DWORD_IMM %0, 0, 0 {INVARIANT.format(32)}"
    indexed = f"S_LOAD_DWORD_SGPR_IMM %0, %5, 0, 0 {INVARIANT.format(32)}"
    before = blocks(
        f"%0:sreg_64 = COPY $sgpr0_sgpr1\n{DEF}%1:sgpr_128\n%5:sreg_32 = COPY %1.sub0\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        f"%2:sgpr_32 = {load}\nS_BRANCH %bb.3",
        f"%2:sgpr_32 = {indexed}\nS_BRANCH %bb.3",
        f"{USE}%2\nS_ENDPGM 0",
    ).replace("bb.0:", "bb.0:\n    liveins: $sgpr0_sgpr1")
    after = before.replace(f"%2:sgpr_32 = {load}\n", f"%2:sgpr_32 = {load}\n    %3:sgpr_32 = {load}\n")
    assert wrong(compare(before, after)) == []


def test_vcc_is_an_operand_of_opcodes_that_have_it_built_in():
    """Elsewhere an implicit operand of an allocatable register is book-keeping."""
    before = blocks(
        f"{DEF}%1:sgpr_128\n$vcc = COPY %1.sub0_sub1\nS_CBRANCH_VCCNZ %bb.1, implicit killed $vcc", "S_ENDPGM 0"
    )
    assert wrong(compare(before, before)) == []
    lost = compare(before, before.replace("    $vcc = COPY %1.sub0_sub1\n", ""))
    assert wrong(lost) == [("$vcc_lo", "$vcc_lo"), ("$vcc_hi", "$vcc_hi")]
    define = "V_CMP_EQ_U32_e32 %5:vgpr_32, %6:vgpr_32, implicit-def $vcc, implicit $exec"
    twice = blocks(f"{define}\n%2:sreg_64 = COPY $vcc\n{define}\n%3:sreg_64 = COPY $vcc\n{USE}%2.sub0\n{USE}%3.sub0")
    assert wrong(compare(twice, twice.replace(f"{USE}%3", f"{USE}%2"))) == [("%3.sub0", "%2.sub0")]
    spilled = before.replace(
        "S_CBRANCH",
        "%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $vcc_lo, 0, %9, implicit-def $vcc, implicit $vcc\n"
        "    $vcc_lo = SI_RESTORE_S32_FROM_VGPR %9, 0, implicit-def $vcc\n    S_CBRANCH",
    )
    assert wrong(compare(before, spilled)) == []


def test_what_inline_assembly_clobbers_is_lost_whether_or_not_anything_else_differs():
    """Scalars are physical already when vectors are allocated: the copies around the clobber are on both sides."""
    clobber = 'INLINEASM &"; clobber", sideeffect attdialect, clobber, implicit-def dead early-clobber $sgpr5'
    save, back = "$sgpr8_sgpr9 = COPY $sgpr4_sgpr5", "$sgpr4_sgpr5 = COPY $sgpr8_sgpr9"
    lines = (f"{DEF}$sgpr4_sgpr5_sgpr6_sgpr7", save, clobber, back, f"{USE}$sgpr4", f"{USE}$sgpr5")
    before = blocks("\n".join(lines))
    assert wrong(compare(before, before)) == []
    assert wrong(compare(before, blocks("\n".join(x for x in lines if x != back)))) == [("$sgpr5", "$sgpr5")]


def test_two_results_of_one_instruction_are_in_two_registers():
    """Even where one of them is dead: nobody knows which is written last."""
    two = 'INLINEASM &"; def", sideeffect attdialect, regdef:SReg_32, def dead {}, regdef:SReg_32, def {}'
    before = blocks(f"{two.format('%1:sreg_32', '%2:sreg_32')}\n{USE}%2")
    after = "{}\n" + USE + "renamable $sgpr4"
    good = after.format(two.format("renamable $sgpr5", "renamable $sgpr4"))
    assert compare(before, blocks(good)).program.faults == []
    (fault,) = compare(before, blocks(good.replace("$sgpr5", "$sgpr4"))).program.faults
    assert (fault.kind, fault.detail) == ("constraint", "two results in one register: $sgpr4")
    carry = "%1:vgpr_32, dead $sgpr_null = V_ADDC_U32_e64 0, 1, $sgpr_null, 0, implicit $exec"
    assert compare(blocks(carry), blocks(carry)).program.faults == []
