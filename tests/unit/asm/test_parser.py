from __future__ import annotations

import pytest
from regtriage.dataflow.asm.metadata import kernel_arguments
from regtriage.dataflow.asm.model import AsmError, AsmFunction
from regtriage.dataflow.asm.parser import cfg_of, parse_asm
from regtriage.dataflow.findings import SourceLocation
from regtriage.dataflow.mir.model import Role

from .asmtext import HEAD, parse

LOOP = """; %bb.0:                                ; %entry
s_mov_b32 s0, 8
.LBB0_1:                                ; %loop
                                        ; =>This Inner Loop Header: Depth=1
s_add_i32 s0, s0, -1
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 .LBB0_1
; %bb.2:
s_cbranch_vccz .LBB0_4
s_nop 0
s_branch .LBB0_1
.LBB0_4:
s_endpgm
s_code_end
"""


def blocks(function: AsmFunction) -> dict[str, list[str]]:
    """Labels, with those of the successors."""
    return {b.label: [function.blocks[s].label for s in b.successors] for b in function.blocks}


def test_blocks_and_jumps():
    function = parse(LOOP).functions[0]
    assert blocks(function) == {
        "%bb.0": [".LBB0_1"],
        ".LBB0_1": [".LBB0_1", "%bb.2"],
        "%bb.2": [".LBB0_4", "%bb.2+1"],
        "%bb.2+1": [".LBB0_1"],
        ".LBB0_4": [],
        ".LBB0_4+1": [],
    }
    loops = dict(cfg_of(function).natural_loops())
    assert loops == {1: frozenset({1, 2, 3})}


def test_labels_that_nothing_jumps_to_divide_no_block():
    function = parse("s_nop 0\n.Ltmp3:\ns_nop 1\n.Lpost_getpc0:\ns_endpgm").functions[0]
    assert blocks(function) == {"k": []}
    assert function.blocks[0].lines == [6, 8, 10]


def test_source_locations_with_what_they_are_inlined_at():
    body = """	.loc	1 35 18 prologue_end            ; k.py:35:18 @[ k.py:138:13 @[ other.py:666:25 ] ]
s_nop 0
	.loc	1 0 0 is_stmt 0                 ; :0:0
s_nop 1
	.loc	1 7 2
s_nop 2
s_endpgm"""
    file = parse(body)
    block = file.functions[0].blocks[0]
    chains = [file.locations[d] for d in block.debug]
    assert chains[0] == (
        SourceLocation("/src/k.py", 35, 18),
        SourceLocation("/src/k.py", 138, 13),
        SourceLocation("other.py", 666, 25),
    )
    assert chains[1] == ()
    assert chains[2] == chains[3] == (SourceLocation("/src/k.py", 7, 2),)


def test_several_functions_and_what_is_none():
    text = HEAD + "\ts_endpgm\n.Lfunc_end0:\n\t.section .rodata\n\t.amdhsa_kernel k\n\t.end_amdhsa_kernel\n"
    text += (
        "\t.text\n\t.type\tg,@function\ng:\n\ts_nop 0\n\ts_setpc_b64 s[30:31]\n\t.section .debug\nvalue:\n\t.byte 1\n"
    )
    file = parse_asm(text, "k.s")
    assert [(f.name, f.instruction_count) for f in file.functions] == [("k", 1), ("g", 2)]
    assert file.functions[1].unresolved == [], "a return is no unknown jump"
    assert file.processor == "gfx950"
    with pytest.raises(KeyError):
        file.function("value")


DISASSEMBLY = """
k.co:\tfile format elf64-amdgpu

Disassembly of section .text:

0000000000001900 <k>:
; k():
; /src/k.py:12
\ts_mov_b32 s0, 8                                            // 000000001900: BE800088
; a.py:1:2 @[ b.py:3:4 ]
\ts_add_i32 s0, s0, -1                                       // 000000001904: 8100C100
\ts_cbranch_scc1 65534                                       // 000000001908: BF85FFFE <k+0x4>
; :0:0
\ts_cbranch_vccz 1                                           // 00000000190C: BF860001 <k+0x14>
\ts_nop 0                                                    // 000000001910: BF800000
\ts_endpgm                                                   // 000000001914: BF810000
"""


def test_disassembly_has_addresses_for_labels():
    file = parse_asm(DISASSEMBLY, "k.co")
    function = file.functions[0]
    assert blocks(function) == {
        "k": ["k+0x4"],
        "k+0x4": ["k+0x4", "k+0xc"],
        "k+0xc": ["k+0x14", "k+0x10"],
        "k+0x10": ["k+0x14"],
        "k+0x14": [],
    }
    chains = [file.locations[d] for b in function.blocks for d in b.debug]
    assert chains[0] == (SourceLocation("/src/k.py", 12, 0),)
    assert chains[1] == chains[2] == (SourceLocation("a.py", 1, 2), SourceLocation("b.py", 3, 4))
    assert chains[3] == ()


def test_long_jumps_by_label_and_by_distance():
    body = """s_getpc_b64 s[4:5]
.Lpost_getpc0:
s_add_u32 s4, s4, (.LBB0_9-.Lpost_getpc0)&4294967295
s_addc_u32 s5, s5, (.LBB0_9-.Lpost_getpc0)>>32
s_setpc_b64 s[4:5]
s_nop 0
.LBB0_9:
s_endpgm"""
    function = parse(body).functions[0]
    assert blocks(function)["k"] == [".LBB0_9"]
    assert not function.unresolved
    text = """0000000000000000 <k>:
\ts_getpc_b64 s[4:5]                                         // 000000000000: BE841C00
\ts_add_u32 s4, s4, 0x18                                     // 000000000004: 8004FF04 00000018
\ts_addc_u32 s5, s5, 0                                       // 00000000000C: 82058005
\ts_setpc_b64 s[4:5]                                         // 000000000010: BE801D04
\ts_nop 0                                                    // 000000000014: BF800000
\ts_nop 0                                                    // 000000000018: BF800000
\ts_endpgm                                                   // 00000000001C: BF810000
"""
    function = parse_asm(text, "k.co").functions[0]
    assert blocks(function)["k"] == ["k+0x1c"]


def test_a_jump_to_nowhere_known_is_reported():
    assert parse("s_setpc_b64 s[8:9]").functions[0].unresolved == [6]
    assert parse("s_branch elsewhere\ns_endpgm").functions[0].unresolved == [6]


def test_comments_of_the_compiler():
    body = """                                        ; implicit-def: $vgpr254 : SGPR spill to VGPR lane
                                        ; implicit-def: $sgpr4_sgpr5
buffer_store_dword v1, off, s[96:99], 0 offset:4 ; 4-byte Folded Spill
\t;;#ASMSTART
\t; use s[4:5]
\t;;#ASMEND
\t; use s9
s_endpgm"""
    instructions = parse(body).functions[0].blocks[0].instructions
    assert [i.mnemonic for i in instructions] == ["implicit-def", "buffer_store_dword", "inline-asm", "s_endpgm"]
    assert instructions[0].role is Role.UNDEFINE
    assert [w for w, _ in instructions[0].flows] == ["s4", "s5"]
    assert instructions[1].role is Role.SAVE
    assert instructions[2].reads == ("s4", "s5")


def test_registers_that_need_more_bits_than_the_encoding_has():
    body = "v_add3_u32 v22 /*v278*/, s27, v183, v[8:9] /*v[264:265]*/\ns_endpgm"
    (flow,) = parse(body).functions[0].blocks[0].instructions[0].flows
    assert flow == ("v278", ("s27", "v183", "v264", "v265"))


def test_the_private_segments_descriptor_is_found_where_the_kernel_starts():
    body = "s_add_u32 s0, s0, s17\ns_addc_u32 s1, s1, 0\nbuffer_store_dword v1, off, s[0:3], 0 offset:8\ns_endpgm"
    assert parse(body).functions[0].blocks[0].instructions[2].role is Role.SAVE
    later = "s_add_u32 s20, s20, s17\n" * 8 + body
    assert parse(later).functions[0].blocks[0].instructions[10].role is Role.ORDINARY


def test_unknown_mnemonics_are_told_once_with_their_lines():
    file = parse("v_what_b32 v0, v1\nv_what_b32 v0, v1\nx_new v2, v3\ns_endpgm")
    assert file.unknown == {"v_what_b32": [6, 7], "x_new": [8]}


def test_registers_renamed_in_disassembly_are_not_understood():
    line = "\ts_set_vgpr_msb 64                                          // 000000000000: BF860040\n"
    end = "\ts_endpgm                                                   // 000000000004: BF810000\n"
    assert parse_asm(f"0000000000000000 <k>:\n{line}{end}", "k.co").unknown == {"s_set_vgpr_msb": [2]}
    assert parse("s_set_vgpr_msb 64                       ;  msbs: dst=1\ns_endpgm").unknown == {}


def test_errors_have_a_place():
    with pytest.raises(AsmError) as caught:
        parse("s_nop 0\nv_mov_b32_e32 v[0:1, v(2\ns_endpgm")
    assert (caught.value.line, caught.value.column) == (7, 26)
    with pytest.raises(AsmError, match=r"k.s:6:2: error: expected an instruction, found 'Hello,'"):
        parse("Hello, world")
    with pytest.raises(AsmError, match=r"^none.s: error: no function with AMDGPU instructions"):
        parse_asm("\t.text\n", "none.s")
    with pytest.raises(AsmError):
        parse_asm("", "none.s")


def test_arguments_of_a_kernel():
    text = """	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .name:           n
        .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .name:           k
    .sgpr_count:     8
...
	.end_amdgpu_metadata
"""
    found = kernel_arguments(text)
    assert [(a.number, a.offset, a.size, a.kind, a.name) for a in found["k"]] == [
        (0, 0, 8, "global_buffer", ""),
        (1, 8, 4, "by_value", "n"),
    ]
    assert kernel_arguments("nothing") == {}


def test_a_file_that_was_cut_off_is_none():
    whole = "\t.type\tk,@function\nk:\n\ts_mov_b32 s0, 1\n\tv_writelane_b32 v0, s0, 1\n\ts_endpgm\n.Lfunc_end0:\n"
    assert [f.name for f in parse_asm(whole, "k.s").functions] == ["k"]
    with pytest.raises(AsmError, match=r"k\.s:4:1: error: the file ends in the middle of k"):
        parse_asm(whole[: whole.index("\ts_endpgm")], "k.s")
