from __future__ import annotations

import pytest
from regtriage.dataflow.mir.model import Effect, Flag, MirError, Role
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import AMDGPU

from .mirtext import function, read


def one(line: str):
    block = function(f"  bb.0:\n    {line}\n").blocks[0]
    assert len(block.instructions) == 1
    return block.instructions[0]


def test_operands_flags_and_classes():
    i = one(
        "dead early-clobber renamable %5.sub2_sub3:sgpr_128 = S_AND_B64 killed undef %6, $exec, implicit-def dead $scc"
    )
    assert i.opcode == "S_AND_B64"
    (d,) = i.defs
    assert (d.name, d.virtual, d.sub, d.cls) == ("5", True, "sub2_sub3", "sgpr_128")
    assert d.flags == Flag.DEAD | Flag.EARLY_CLOBBER | Flag.RENAMABLE
    assert [u.spelling for u in i.uses] == ["%6", "$exec"]
    assert i.uses[0].undef
    assert [r.spelling for r in i.implicit_defs] == ["$scc"]


def test_tied_operand_and_type():
    i = one("%1:vgpr_32 = V_MAC_F32_e32 %2(s32), %3, killed %1(tied-def 0), implicit $mode, implicit $exec")
    assert i.uses[2].tied == 0
    assert i.uses[0].name == "2"


def test_inline_asm_defines_and_uses():
    i = one('INLINEASM &"; def $0, (a, b)", sideeffect attdialect, regdef:SGPR_512, def %4, reguse:SReg_32, %1.sub6')
    assert [d.spelling for d in i.defs] == ["%4"]
    assert [u.spelling for u in i.uses] == ["%1.sub6"]
    assert i.effect is Effect.EFFECT


def test_memory_and_debug_location_are_split_off():
    i = one(
        "%1:sgpr_32 = S_LOAD_DWORD_IMM %0, 8, 0, debug-location !12 :: (dereferenceable invariant load (s32), addrspace 4)"
    )
    assert i.debug == "!12"
    assert i.memory == "(dereferenceable invariant load (s32), addrspace 4)"
    assert i.effect is Effect.NONE


@pytest.mark.parametrize(
    ("line", "role", "slot"),
    [
        ("%1:sgpr_128 = lr-split COPY %2", Role.COPY, ""),
        ("SI_SPILL_S128_SAVE %1:sgpr_128, %stack.3, implicit $exec, implicit $sgpr32", Role.SAVE, "%stack.3"),
        ("%1:av_64 = SI_SPILL_AV64_RESTORE %stack.12, $sgpr32, 0, implicit $exec", Role.RESTORE, "%stack.12"),
        ("%9:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 17, %9", Role.LANE_SAVE, "17"),
        ("$sgpr4 = SI_RESTORE_S32_FROM_VGPR %9, 17", Role.LANE_RESTORE, "17"),
        ("%1:sreg_64 = S_MOV_B64 -1", Role.CONSTANT, ""),
        ("%1:sgpr_32 = IMPLICIT_DEF", Role.UNDEFINE, ""),
        ("KILL %1:sgpr_32", Role.NOTHING, ""),
        ("$exec = S_MOV_B64 -1", Role.ORDINARY, ""),
    ],
)
def test_roles(line: str, role: Role, slot: str):
    i = one(line)
    assert (i.role, i.slot) == (role, slot)


def test_constants_are_unsigned_lanes():
    assert one("%1:sreg_64 = S_MOV_B64 -2").constants == (0xFFFFFFFE, 0xFFFFFFFF)


def test_bundles_with_and_without_header():
    f = function(
        "  bb.0:\n"
        "    BUNDLE implicit-def $sgpr0, implicit $sgpr2 {\n      $sgpr0 = S_MOV_B32 1\n      internal $sgpr1 = COPY internal $sgpr0\n    }\n"
        "    %1:sgpr_32 = COPY %2:sgpr_32 {\n      %3:sgpr_32 = COPY %4:sgpr_32\n    }\n"
    )
    assert [i.opcode for i in f.blocks[0].instructions] == ["BUNDLE", "S_MOV_B32", "COPY", "COPY", "COPY"]


def test_blocks_names_and_successors():
    f = function(
        "  bb.0.entry:\n    successors: %bb.2(0x40000000), %bb.1(0x40000000)\n    liveins: $sgpr0_sgpr1, $vgpr3:0x3\n\n"
        '    S_CBRANCH_SCC1 %bb.2, implicit $scc\n  bb.1."odd name" (align 4):\n    S_BRANCH %bb.3\n  bb.2:\n  bb.3:\n    S_ENDPGM 0\n'
    )
    assert [b.label for b in f.blocks] == ["bb.0.entry", "bb.1.odd name", "bb.2", "bb.3"]
    assert f.blocks[0].successors == [2, 1]
    assert f.blocks[0].live_ins == ["sgpr0_sgpr1", "vgpr3"]
    assert f.blocks[1].successors == [3], "branch target without a list"
    assert f.blocks[2].successors == [3], "fall-through without a list"
    assert f.blocks[3].successors == []


def test_half_lanes_are_seen_only_where_a_half_is_named():
    whole = "  bb.0:\n    %1.lo16_hi16_sub1_lo16_sub1_hi16:vreg_128 = COPY %2:vreg_64\n"
    assert not function(whole).uses_half_lanes
    assert function("  bb.0:\n    %1.sub1_lo16:vreg_128 = COPY %2:vgpr_16\n").uses_half_lanes
    assert function("  bb.0:\n    $vgpr1_hi16 = COPY %2:vgpr_16\n").uses_half_lanes
    assert not function("  bb.0:\n    %1.sub16:vreg_1024 = COPY %2:vgpr_32\n").uses_half_lanes


def test_several_functions_and_ir():
    text = (
        '--- |\n  target triple = "amdgcn-amd-amdhsa"\n  define void @a() {\n    ret void\n  }\n...\n'
        "---\nname: a\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n---\nname: b\nstack:\n"
        "  - { id: 1, name: '', type: spill-slot, offset: 0, size: 16, alignment: 4,\n      stack-id: sgpr-spill }\n"
        "body: |\n  bb.0:\n    S_ENDPGM 0\n...\n"
    )
    file = Reader(AMDGPU).read(text, "two.mir")
    assert [f.name for f in file.functions] == ["a", "b"]
    assert file.triple == "amdgcn-amd-amdhsa"
    assert file.function("b").stack[1].size == 16
    assert file.function("b").stack[1].stack_id == "sgpr-spill"


def test_equal_lines_are_one_object_across_files():
    reader = Reader(AMDGPU)
    line = "  bb.0:\n    %1:sgpr_32 = S_ADD_I32 %1, 1, implicit-def $scc\n"
    a, b = (read(line, reader=reader).functions[0].blocks[0].instructions[0] for _ in range(2))
    assert a is b


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        ("  bb.0:\n    %1:sgpr_32 = S_ADD_I32 %2, (1\n", ":5:32: ", "unbalanced"),
        ("  bb.0:\n    = S_MOV_B32 1\n", ":5:5: ", "expected an opcode"),
        ("    S_ENDPGM 0\n", ":4:5: ", "outside of a basic block"),
        ("  bb.0:\n    }\n", ":5:5: ", "without a bundle"),
        ("  bb.0:\n    successors: %bb.7\n", ":4:1: ", "not there"),
        ("  bb.0:\n  bb.0:\n", ":2:1: ", "two blocks"),
        ('  bb.0:\n    INLINEASM &"; use $0, sideeffect\n', ":5:15: ", "unterminated"),
        ("  bb.0:\n    5 = S_MOV_B32 1\n", ":5:5: ", "expected a register"),
    ],
)
def test_errors_have_a_place(body: str, place: str, message: str):
    with pytest.raises(MirError) as error:
        read(body)
    assert str(error.value).startswith(f"f.mir{place}error: "), error.value
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "define void @f() {\n  ret void\n}\n", "---\nname: f\n...\n", "\x7fELF\x01"])
def test_what_is_no_mir(text: str):
    with pytest.raises(MirError, match="no machine function"):
        Reader(AMDGPU).read(text, "x.mir")
