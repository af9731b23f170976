from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.dataflow.asm.effects import EffectError, inline_comment, read_instruction
from regtriage.dataflow.asm.mnemonics import shape_of
from regtriage.dataflow.asm.model import AsmInstruction, Jump
from regtriage.dataflow.asm.registers import locations_of
from regtriage.dataflow.mir.model import Role

DATA = Path(__file__).parents[3] / "tests" / "data" / "asm" / "operands.tsv"
PRIVATE = frozenset(("s[0:3]",))


def read(text: str) -> AsmInstruction:
    return read_instruction(text, folded=False, private=PRIVATE)


def written(i: AsmInstruction) -> set[str]:
    return {location for location, _ in i.flows}


# -- against LLVM's own tables ------------------------------------------------------------------------------------


def rows() -> list[tuple[str, str, str, str]]:
    lines = [line.split("\t") for line in DATA.read_text().splitlines() if not line.startswith("#")]
    return [(c[0], c[1], *([*c[2:], "", ""][:2])) for c in lines]  # type: ignore[misc]


def whole(locations: set[str]) -> set[str]:
    """Spill memory as LLVM sees it: the vector register of a lane, nothing for a dword of scratch."""
    return {x.partition("[")[0] for x in locations if not x.startswith("scratch")}


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}: {row[1]}")
def test_operands_are_those_of_llvm(row: tuple[str, str, str, str]):
    _, text, defined, used = row
    i = read_instruction(text, folded=False, private=frozenset())
    ours, theirs = whole(written(i)), set(defined.split())
    if "vcc_lo" in text:
        theirs -= {"vcc_hi"}  # its tables say all of VCC, also where a wave has 32 threads
    assert ours == theirs
    reads, wanted = whole(set(i.reads)), set(used.split())
    if "vcc_lo" in text:
        wanted -= {"vcc_hi"}
    if text.startswith("v_writelane"):
        reads |= ours  # one lane is changed, the others stay
    if text.startswith("v_pk_") and "_f32" in text and "op_sel" in text:
        wanted &= reads  # its tables list both dwords, also where one alone is selected
    assert wanted <= reads
    assert reads - wanted <= ours, "what is written in part counts as read, nothing else is made up"
    assert i.known


@pytest.mark.parametrize(
    ("modifiers", "reads"),
    [
        ("", {"v2", "v3", "s4", "s5"}),
        ("op_sel_hi:[1,0]", {"v2", "v3", "s4"}),
        ("op_sel:[1,1] op_sel_hi:[0,1]", {"v2", "v3", "s5"}),
        ("op_sel_hi:[0,0] neg_lo:[1,0]", {"v2", "s4"}),
    ],
)
def test_packed_operations_read_the_dwords_that_are_selected(modifiers: str, reads: set[str]):
    assert set(read(f"v_pk_mul_f32 v[0:1], v[2:3], s[4:5] {modifiers}".strip()).reads) == reads


def test_the_data_covers_every_family():
    families = {text.partition("_")[0] for _, text, _, _ in rows()}
    assert {"v", "s", "ds", "buffer", "global", "flat", "scratch", "image"} <= families
    assert len(rows()) > 400


# -- what moves lane by lane ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "flows"),
    [
        ("s_mov_b64 s[20:21], s[14:15]", {"s20": ("s14",), "s21": ("s15",)}),
        ("v_mov_b64_e32 v[0:1], v[2:3]", {"v0": ("v2",), "v1": ("v3",)}),
        ("v_accvgpr_write_b32 a3, v2", {"a3": ("v2",)}),
        ("v_swap_b32 v1, v2", {"v1": ("v2",), "v2": ("v1",)}),
        ("v_mov_b32_e32 v278, v1", {"v278": ("v1",)}),
        ("v_writelane_b32 v254, s20, 0", {"v254[0]": ("s20",)}),
        ("v_writelane_b32 v254, 7, 3", {"v254[3]": ()}),
        ("v_readlane_b32 s4, v254, 63", {"s4": ("v254[63]",)}),
        ("scratch_store_dwordx2 off, v[0:1], off offset:1108", {"scratch+1108": ("v0",), "scratch+1112": ("v1",)}),
        ("scratch_load_b64 v[2:3], off, s33 offset:8", {"v2": ("scratch(s33)+8",), "v3": ("scratch(s33)+12",)}),
        ("buffer_store_dword v5, off, s[0:3], 0 offset:16", {"scratch+16": ("v5",)}),
        ("buffer_load_dword v5, off, s[0:3], s33 offset:16", {"v5": ("scratch(s33)+16",)}),
        ("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v0", {"v0": ("v1",), "v2": ("v0",)}),
    ],
)
def test_moves(text: str, flows: dict[str, tuple[str, ...]]):
    found: dict[str, tuple[str, ...]] = dict(read(text).flows)
    assert found == flows


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("s_mov_b32 s2, 0x27000", Role.CONSTANT),
        ("s_mov_b32 s2, s3", Role.COPY),
        ("v_readfirstlane_b32 s0, v1", Role.COPY),
        ("v_mov_b32_dpp v5, v4 row_shr:8 row_mask:0xa bank_mask:0xf", Role.ORDINARY),
        ("v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0", Role.ORDINARY),
        ("v_mov_b16_e32 v0.h, v1.l", Role.ORDINARY),
        ("v_readlane_b32 s0, v1, s2", Role.ORDINARY),
        ("buffer_load_dword v5, off, s[8:11], 0 offset:16", Role.ORDINARY),
        ("scratch_store_dword v3, v1, off", Role.ORDINARY),
        ("scratch_store_byte off, v1, off offset:4", Role.ORDINARY),
        ("scratch_load_dwordx4 v[0:3], off, off", Role.RESTORE),
    ],
)
def test_roles(text: str, role: Role):
    assert read(text).role is role


def test_a_byte_changes_its_dword():
    (flow,) = read("scratch_store_byte off, v1, off offset:5").flows
    assert flow == ("scratch+4", ("v1", "scratch+4"))


def test_spill_code_by_the_compilers_word_where_the_descriptor_is_not_known():
    text = "buffer_store_dword v5, off, s[96:99], 0 offset:16"
    assert read(text).role is Role.ORDINARY
    assert read_instruction(text, folded=True, private=frozenset()).role is Role.SAVE


@pytest.mark.parametrize(
    ("text", "jump", "target"),
    [
        ("s_branch .LBB0_3", Jump.ALWAYS, ".LBB0_3"),
        ("s_cbranch_execz .LBB0_3", Jump.CONDITIONAL, ".LBB0_3"),
        ("s_endpgm", Jump.END, ""),
        ("s_setpc_b64 s[30:31]", Jump.INDIRECT, "s[30:31]"),
        ("s_swappc_b64 s[30:31], s[4:5]", Jump.NONE, ""),
        ("s_setpc_b64", Jump.INDIRECT, ""),
    ],
)
def test_jumps(text: str, jump: Jump, target: str):
    i = read(text)
    assert (i.jump, i.target) == (jump, target)


def test_an_unknown_mnemonic_goes_by_the_order_of_operands():
    i = read("v_frobnicate_b32 v0, v1, v2")
    assert not i.known
    assert i.flows == (("v0", ("v1", "v2")),)
    assert not shape_of("w_mov_b32", 2, frozenset[str]()).known


@pytest.mark.parametrize(
    "text", ["v_mov_b32 v[0:1, v2", "ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0", "v_mov_b32 v0), v[1,2"]
)
def test_unbalanced_brackets_are_an_error(text: str):
    with pytest.raises(EffectError, match="bracket"):
        read(text)


@pytest.mark.parametrize(
    ("operand", "locations"),
    [
        ("s[0:3]", ("s0", "s1", "s2", "s3")),
        ("-|v7|", ("v7",)),
        ("neg(v[2:3])", ("v2", "v3")),
        ("[s4,s5]", ("s4", "s5")),
        ("vcc", ("vcc_lo", "vcc_hi")),
        ("v3.h", ("v3",)),
        ("acc[1:2]", ("a1", "a2")),
        ("src_vccz", ("vcc_lo", "vcc_hi")),
        ("ttmp9", ("ttmp9",)),
        ("off", ()),
        ("null", ()),
        ("0x3f800000", ()),
        ("s[3:0]", ()),
        ("v[0:4294967295]", ()),
        ("hwreg(HW_REG_MODE, 0, 4)", ()),
    ],
)
def test_registers(operand: str, locations: tuple[str, ...]):
    assert locations_of(operand) == locations


def test_comments_that_stand_for_code():
    use, define = inline_comment("; use s[4:5]"), inline_comment("; def v3")
    assert use is not None
    assert define is not None
    assert (use.reads, use.flows) == (("s4", "s5"), ())
    assert (define.reads, define.flows) == ((), (("v3", ()),))
    assert inline_comment("; nothing here") is None
