from __future__ import annotations

from regtriage.dataflow.asm.judge import Judgement, judge_asm

from .asmtext import parse

LOSES = """	.loc	1 10 0
s_load_dwordx2 s[4:5], s[0:1], 0x0
s_load_dwordx2 s[6:7], s[0:1], 0x8
v_writelane_b32 v254, s4, 0
.LBB0_1:
	.loc	1 20 0
v_readlane_b32 s8, v254, 0
buffer_load_dword v1, v2, s[8:11], 0 offen
	.loc	1 30 0
v_writelane_b32 v254, s6, 0
s_cbranch_scc1 .LBB0_1
; %bb.2:
s_endpgm
"""


def judged(body: str) -> Judgement:
    (judgement,) = judge_asm(parse(body))
    return judgement


def test_a_value_from_elsewhere_over_one_that_is_needed_again():
    judgement = judged(LOSES)
    (suspect,) = judgement.suspects
    assert suspect.slot == "v254[0]"
    assert suspect.loop == (".LBB0_1",)
    assert suspect.store.text == "v_writelane_b32 v254, s6, 0"
    assert suspect.store.debug[0].line == 30
    assert [o.location for o in suspect.stored] == ["s6"]
    assert [p.text for p in suspect.definitions] == ["v_writelane_b32 v254, s4, 0"]
    assert [o.location for o in suspect.meant] == ["s4"]
    assert suspect.reload.text == "v_readlane_b32 s8, v254, 0"
    assert suspect.use.text.startswith("buffer_load_dword")
    assert (judgement.loops, judgement.spill_lanes, judgement.scratch_dwords) == (1, 1, 0)


def test_the_same_through_scratch_memory():
    body = (
        LOSES.replace("v_writelane_b32 v254, s4, 0", "v_mov_b32_e32 v7, s4\nscratch_store_dword off, v7, off offset:8")
        .replace("v_readlane_b32 s8, v254, 0", "scratch_load_dword v9, off, off offset:8\nv_readfirstlane_b32 s8, v9")
        .replace("v_writelane_b32 v254, s6, 0", "v_mov_b32_e32 v7, s6\nscratch_store_dword off, v7, off offset:8")
    )
    assert [s.slot for s in judged(body).suspects] == ["scratch+8"]


def clean(body: str) -> bool:
    return not judged(body).suspects


WIDE = """s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dwordx2 s[12:13], s[0:1], 0x10
v_writelane_b32 v254, s4, 0
v_writelane_b32 v254, s5, 1
.LBB0_1:
v_readlane_b32 s8, v254, 0
v_readlane_b32 s9, v254, 1
buffer_load_dword v1, v2, s[8:11], 0 offen
v_writelane_b32 v254, s12, 0
v_writelane_b32 v254, s9, 1
s_cbranch_scc1 .LBB0_1
; %bb.2:
s_endpgm
"""


def test_without_source_lines_a_partial_save_is_what_tells():
    (suspect,) = judged(WIDE).suspects
    assert suspect.slot == "v254[0]"
    whole = WIDE.replace("v_writelane_b32 v254, s9, 1", "v_writelane_b32 v254, s13, 1")
    assert clean(whole), "all of a register that changes from iteration to iteration may be a variable of the source"


def test_saving_back_is_right():
    assert clean(LOSES.replace("s_cbranch_scc1", "v_writelane_b32 v254, s8, 0\ns_cbranch_scc1"))


def test_a_counter_is_made_of_what_was_there():
    assert clean(LOSES.replace("v_writelane_b32 v254, s6", "s_add_i32 s6, s8, s7\nv_writelane_b32 v254, s6"))


def test_the_same_value_again_is_right():
    assert clean(LOSES.replace("v_writelane_b32 v254, s6", "s_mov_b32 s6, s4\nv_writelane_b32 v254, s6"))


def test_another_lane_of_the_same_load_is_not_the_same_value():
    assert not clean(LOSES.replace("v_writelane_b32 v254, s6", "v_writelane_b32 v254, s5"))


def test_a_value_fetched_ahead_is_right():
    fetched = "s_load_dword s6, s[2:3], s20\nv_writelane_b32 v254, s6"
    assert clean(LOSES.replace("s_load_dwordx2 s[4:5]", "s_load_dword s4").replace("v_writelane_b32 v254, s6", fetched))
    at_one_line = LOSES.replace("\t.loc\t1 30 0", "\t.loc\t1 10 0\ns_mul_i32 s6, s20, s21")
    assert clean(at_one_line)
    assert not clean(LOSES.replace("\t.loc\t1 30 0", "\t.loc\t1 30 0\ns_mul_i32 s6, s20, s21"))


def test_a_condition_computed_ahead_is_right_in_whatever_encoding():
    compare = "v_cmp_gt_i32_e64 s[4:5], s9, v3"
    made_again = "\t.loc\t1 30 0\nv_cmp_gt_i32_e32 vcc, s9, v4"
    body = LOSES.replace("s_load_dwordx2 s[4:5], s[0:1], 0x0", compare).replace("\t.loc\t1 30 0", made_again)
    body = body.replace("v_writelane_b32 v254, s6, 0", "v_writelane_b32 v254, vcc_lo, 0")
    assert clean(body)
    assert not clean(body.replace("v_cmp_gt_i32_e32", "v_cmp_lt_i32_e32"))


def test_a_first_value_that_is_a_constant():
    body = LOSES.replace("v_writelane_b32 v254, s4, 0", "s_mov_b32 s4, 0\nv_writelane_b32 v254, s4, 0")
    assert clean(body)


def test_a_first_value_that_is_a_short_constant():
    assert clean(LOSES.replace("v_writelane_b32 v254, s4, 0", "s_movk_i32 s4, 0x80\nv_writelane_b32 v254, s4, 0"))


def test_a_word_fetched_ahead_that_the_loop_fetches_with_its_neighbours():
    outside = "buffer_load_dword v7, v3, s[12:15], 0 offen\nscratch_store_dword off, v7, off offset:8"
    inside = "buffer_load_dwordx4 v[10:13], v4, s[12:15], 0 offen\nscratch_store_dword off, v11, off offset:8"
    body = (
        LOSES.replace("v_writelane_b32 v254, s4, 0", outside)
        .replace("v_readlane_b32 s8, v254, 0", "scratch_load_dword v9, off, off offset:8\nv_readfirstlane_b32 s8, v9")
        .replace("v_writelane_b32 v254, s6, 0", inside)
    )
    assert clean(body)
    assert not clean(
        body.replace("buffer_load_dwordx4", "ds_read_b128").replace(", s[12:15], 0 offen\nscratch", "\nscratch")
    )


def test_a_reload_that_nothing_needs():
    assert clean(LOSES.replace("buffer_load_dword v1, v2, s[8:11], 0 offen", "v_writelane_b32 v253, s8, 5"))


def test_a_slot_without_a_value_from_before_the_loop():
    assert clean(LOSES.replace("v_writelane_b32 v254, s4, 0\n", ""))


def test_a_store_that_every_reload_comes_after():
    body = """s_load_dwordx2 s[4:5], s[0:1], 0x0
s_load_dwordx2 s[6:7], s[0:1], 0x8
v_writelane_b32 v254, s4, 0
.LBB0_1:
v_writelane_b32 v254, s6, 0
v_readlane_b32 s8, v254, 0
s_add_i32 s9, s8, 1
s_cbranch_scc1 .LBB0_1
s_endpgm
"""
    assert clean(body)


def test_a_store_on_one_path_of_the_loop():
    body = LOSES.replace("v_writelane_b32 v254, s6, 0", "s_cbranch_vccz .LBB0_2\nv_writelane_b32 v254, s6, 0\n.LBB0_2:")
    assert [s.store.text for s in judged(body).suspects] == ["v_writelane_b32 v254, s6, 0"]


def test_moving_the_whole_vector_register_moves_its_lanes():
    # v253 takes over all lanes and gives them back: what lane 0 holds is what was there
    body = LOSES.replace(
        "v_writelane_b32 v254, s6, 0",
        "v_mov_b32_e32 v253, v254\nv_writelane_b32 v254, s6, 0\nv_readlane_b32 s30, v253, 0\nv_mov_b32_e32 v254, v253",
    )
    assert clean(body)
