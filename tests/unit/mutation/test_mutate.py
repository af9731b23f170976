"""Each kind of damage: where it is done, what it looks like, and that the original stays whole."""

from __future__ import annotations

from regtriage.dataflow.check import check
from regtriage.dataflow.mir.model import MachineFunction
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.mir.printer import print_instruction, print_operation
from regtriage.dataflow.mutate import MutantKind, describe, find_sites, mutate
from regtriage.dataflow.targets import AMDGPU

DEF = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR_128, def '
USE = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SReg_32, '
HEADER = """---
name: f
registers:
  - { id: 1, class: sgpr_128 }
  - { id: 2, class: sgpr_128 }
  - { id: 3, class: sgpr_64 }
stack:
  - { id: 0, type: spill-slot, size: 16, stack-id: sgpr-spill }
  - { id: 1, type: spill-slot, size: 16, stack-id: sgpr-spill }
  - { id: 2, type: spill-slot, size: 8, stack-id: sgpr-spill }
body: |
"""


def function(*blocks: str) -> MachineFunction:
    body = "\n".join(f"  bb.{n}:\n" + "\n".join(f"    {x}" for x in b.split("\n")) for n, b in enumerate(blocks))
    return Reader(AMDGPU).read(f"{HEADER}{body}\n...\n", "f.mir").functions[0]


NOTHING = function("S_ENDPGM 0")


def mutants(after: MachineFunction, kind: MutantKind, before: MachineFunction = NOTHING) -> list[str]:
    """What became of each damaged instruction: the new one, where it went, or nothing."""
    found: list[str] = []
    for site in find_sites(before, after, AMDGPU):
        if site.kind is kind:
            old = after.blocks[site.block].instructions
            new = mutate(after, site).blocks[site.block].instructions
            changed = [print_instruction(b) for a, b in zip(old, new, strict=False) if a is not b]
            assert len(changed) == 1 or len(new) < len(old) or site.to is not None
            found.append(changed[0] if len(new) == len(old) and site.to is None else f"{len(new) - len(old):+}")
    return found


SAVE = "SI_SPILL_S128_SAVE %1, %stack.0, implicit $exec, implicit $sgpr32 :: (store (s128) into %stack.0, addrspace 5)"
RESTORE = "%2:sgpr_128 = SI_SPILL_S128_RESTORE %stack.0, implicit $exec, implicit $sgpr32"


def test_moves_that_are_not_there():
    after = function(f"{SAVE}\n{RESTORE}\n%3:sgpr_64 = COPY %2.sub0_sub1\n$sgpr4 = COPY $sgpr4\nS_ENDPGM 0")
    assert mutants(after, MutantKind.DROP_SAVE) == ["-1"]
    assert mutants(after, MutantKind.DROP_RESTORE) == ["-1"]
    assert mutants(after, MutantKind.DROP_COPY) == ["-1"], "a copy to itself is nothing"


def test_a_save_of_a_loop_is_a_kind_of_its_own_if_there_is_another_outside():
    loop = "S_CBRANCH_SCC1 %bb.1, implicit $scc"
    after = function(SAVE, f"{SAVE}\n{loop}", "S_ENDPGM 0")
    assert (mutants(after, MutantKind.DROP_LOOP_SAVE), mutants(after, MutantKind.DROP_SAVE)) == (["-1"], ["-1"])
    alone = function("S_NOP 0", f"{SAVE}\n{loop}", "S_ENDPGM 0")
    assert (mutants(alone, MutantKind.DROP_LOOP_SAVE), mutants(alone, MutantKind.DROP_SAVE)) == ([], ["-1"])


def test_another_slot_is_of_the_same_size_and_memory_follows():
    small = "SI_SPILL_S64_SAVE %3, %stack.2, implicit $exec"
    after = function(f"{SAVE}\n{SAVE.replace('stack.0', 'stack.1')}\n{small}")
    first, second = mutants(after, MutantKind.OTHER_SLOT)
    assert first == SAVE.replace("stack.0", "stack.1")
    assert second == SAVE


def test_another_lane_of_a_register_or_of_spill_memory():
    after = function(
        f"{USE}%1.sub3\n%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 5, %9\n$sgpr5 = SI_RESTORE_S32_FROM_VGPR %9, 7"
    )
    assert mutants(after, MutantKind.OTHER_LANE) == [
        f"{USE}%1.sub0", f"{USE}%1.sub1", f"{USE}%1.sub2",
        "%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 7, %9",
        "$sgpr5 = SI_RESTORE_S32_FROM_VGPR %9, 5",
    ]  # fmt: skip


def test_half_of_what_was_saved():
    physical = SAVE.replace("%1,", "killed $sgpr4_sgpr5_sgpr6_sgpr7,")
    vector = "SI_SPILL_V96_SAVE $vgpr1_vgpr2_vgpr3, %stack.0, $sgpr32, 0, implicit $exec"
    after = function(f"{SAVE}\n{physical}\n{vector}\nSI_SPILL_S32_SAVE $sgpr4, %stack.0, implicit $exec")
    assert mutants(after, MutantKind.SHRINK_SAVE) == [
        SAVE.replace("S128", "S64", 1).replace("%1", "%1.sub0_sub1"),
        SAVE.replace("S128", "S64", 1).replace("%1", "$sgpr4_sgpr5"),
        "SI_SPILL_V64_SAVE $vgpr1_vgpr2, %stack.0, $sgpr32, 0, implicit $exec",
    ]


def test_another_register_is_of_the_same_kind_and_width():
    after = function(f"{USE}killed renamable $sgpr4\n{USE}$sgpr5\n{USE}$vgpr4\n{USE}undef $sgpr6\n{USE}$exec_lo")
    assert mutants(after, MutantKind.OTHER_REGISTER) == [
        f"{USE}renamable $sgpr5", f"{USE}renamable $sgpr6", f"{USE}$sgpr6", f"{USE}$sgpr4",
    ]  # fmt: skip


def test_spill_code_keeps_its_stack_pointer():
    after = function(f"SI_SPILL_V32_SAVE $vgpr1, %stack.0, $sgpr32, 0, implicit $exec\n{USE}$sgpr3\n{USE}$vgpr2")
    assert [m for m in mutants(after, MutantKind.OTHER_REGISTER) if "SPILL" in m] == [
        "SI_SPILL_V32_SAVE $vgpr2, %stack.0, $sgpr32, 0, implicit $exec"
    ]


def test_operands_in_each_others_place():
    after = function(
        "%3:sgpr_64 = S_ADD_U64_PSEUDO killed $sgpr4_sgpr5, %1.sub0_sub1\n$sgpr8 = S_SUB_I32 $sgpr1, $sgpr2"
    )
    assert mutants(after, MutantKind.SWAP_OPERANDS) == ["$sgpr8 = S_SUB_I32 $sgpr2, $sgpr1"]
    tied = function("$sgpr8 = S_CSELECT_B32 $sgpr1(tied-def 0), $sgpr2\n$sgpr8 = S_SUB_I32 $sgpr1, $sgpr1")
    assert mutants(tied, MutantKind.SWAP_OPERANDS) == []


def test_a_save_after_the_next_definition():
    after = function(f"{SAVE}\nS_NOP 0\n%1.sub1:sgpr_128 = S_MOV_B32 1\n%1.sub2:sgpr_128 = S_MOV_B32 2")
    (site,) = [s for s in find_sites(NOTHING, after, AMDGPU) if s.kind is MutantKind.LATE_SAVE]
    moved = [i.opcode for i in mutate(after, site).blocks[0].instructions]
    assert moved == ["S_NOP", "S_MOV_B32", "SI_SPILL_S128_SAVE", "S_MOV_B32"]
    assert describe(after, site).endswith("-> after %1.sub1:sgpr_128 = S_MOV_B32 1")


def test_spill_lanes_of_an_earlier_allocation_are_spared():
    lanes = function("%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 5, %9\n$sgpr5 = SI_RESTORE_S32_FROM_VGPR %9, 7")
    assert list(find_sites(lanes, lanes, AMDGPU)) == []
    assert list(find_sites(NOTHING, lanes, AMDGPU))


def test_the_original_is_left_alone_and_mutants_can_be_checked():
    before = function(f"{DEF}%1:sgpr_128\n{USE}%1.sub3\nS_ENDPGM 0")
    after = function(f"{DEF}%1:sgpr_128\n{SAVE}\n{RESTORE}\n{USE}%2.sub3\nS_ENDPGM 0")
    text = [print_operation(i) for i in after.blocks[0].instructions]
    sites = list(find_sites(before, after, AMDGPU))
    wrong = {s.kind for s in sites if check(before, mutate(after, s), AMDGPU).violations}
    assert wrong >= {MutantKind.DROP_SAVE, MutantKind.DROP_RESTORE, MutantKind.SHRINK_SAVE, MutantKind.OTHER_LANE}
    assert [print_operation(i) for i in after.blocks[0].instructions] == text
    assert not check(before, after, AMDGPU).violations
