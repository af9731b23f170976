"""The linear forms of layouts, by hand from what their parameters say and from the instruction sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from regtriage.dataflow.layout.encodings import (
    AmdMfma,
    AmdWmma,
    Blocked,
    Distributed,
    DotOperand,
    Dpas,
    LayoutError,
    Linear,
    NvidiaMma,
    NvMmaShared,
    PaddedShared,
    RotatingShared,
    Shared,
    SharedLinear,
    Slice,
    SwizzledShared,
)
from regtriage.dataflow.layout.forms import linear_form, rank_of, shared_form
from regtriage.dataflow.layout.linear import BLOCK, LANE, OFFSET, REGISTER, WARP

from .random_layouts import encodings, powers

ROW = Blocked((1, 4), (8, 4), (2, 1), (1, 0))


def held(encoding: Distributed, shape: tuple[int, ...], warp: int, lane: int) -> list[tuple[int, ...]]:
    form = linear_form(encoding, shape)
    base = form.element({WARP: warp, LANE: lane})
    return [form.vector(int(e) ^ base) for e in form.elements(REGISTER)]


def test_the_thread_of_the_walk_through():
    assert held(ROW, (16, 16), 1, 5) == [(9, 4), (9, 5), (9, 6), (9, 7)]


def test_a_tensor_larger_than_the_tile_repeats_it_in_registers_along_the_order():
    assert held(ROW, (32, 32), 0, 0)[::4] == [(0, 0), (0, 16), (16, 0), (16, 16)]
    columns_first = Blocked((1, 4), (8, 4), (2, 1), (0, 1))
    assert held(columns_first, (32, 32), 0, 0)[::4] == [(0, 0), (16, 0), (0, 16), (16, 16)]


def test_a_tensor_smaller_than_the_tile_has_copies_in_lanes_and_warps_but_not_in_registers():
    form = linear_form(ROW, (4, 2))
    assert form.count(REGISTER) == 2
    assert form.vectors(LANE) == ((0, 0), (0, 0), (1, 0), (2, 0), (0, 0))
    assert form.vectors(WARP) == ((0, 0),)
    assert form.replication == 16


def test_blocks_of_a_cluster_divide_the_tensor_first():
    split = Blocked((1, 4), (8, 4), (2, 1), (1, 0), cga=((1, 0), (0, 0)))
    form = linear_form(split, (64, 16))
    assert form.vectors(BLOCK) == ((32, 0), (0, 0))
    assert form.vectors(REGISTER) == ((0, 1), (0, 2), (16, 0))
    assert form.replication == 2


def test_a_slice_leaves_out_its_dimension():
    parent = linear_form(ROW, (16, 16))
    form = linear_form(Slice(1, ROW), (16,))
    assert form.vectors(LANE) == tuple((row,) for row, _ in parent.vectors(LANE))
    assert form.count(REGISTER) == 1


def test_operands_of_an_fma_dot_hold_all_of_k():
    parent = Blocked((4, 4), (1, 32), (4, 1), (1, 0))
    a = linear_form(DotOperand(0, parent), (64, 128))
    b = linear_form(DotOperand(1, parent), (128, 128))
    assert (a.count(REGISTER), b.count(REGISTER)) == (16 * 128, 4 * 128)
    assert not any(any(vector) for vector in a.vectors(LANE))  # 32 lanes along N hold the same rows of A
    assert not any(any(vector) for vector in b.vectors(WARP))


def test_mma_accumulators_and_operands_as_ptx_has_them():
    """PTX ISA, mma.m16n8k16: c0, c1 in row lane/4 and columns 2*(lane%4)…; c2, c3 eight rows below; a likewise."""
    mma = NvidiaMma(2, 0, (1, 1), (16, 8))
    lane = 13
    row, column = lane // 4, lane % 4 * 2
    assert held(mma, (16, 8), 0, lane) == [(row, column), (row, column + 1), (row + 8, column), (row + 8, column + 1)]
    a = held(DotOperand(0, mma, 2), (16, 16), 0, lane)
    assert a == [(row + r, column + k + c) for k in (0, 8) for r in (0, 8) for c in (0, 1)]
    b = held(DotOperand(1, mma, 2), (16, 8), 0, lane)
    assert b == [(column + k + c, row) for k in (0, 8) for c in (0, 1)]


def test_warps_of_wgmma_follow_each_other_along_rows():
    form = linear_form(NvidiaMma(3, 0, (4, 1), (16, 64, 16)), (64, 64))
    assert form.vectors(WARP) == ((16, 0), (32, 0))


def test_mfma_accumulators():
    """AMD's matrix instruction calculator: v_mfma_f32_32x32x8_f16, D[i][j] in lane j + 32*(i/4%2), vgpr i%4 + 4*(i/8)."""
    mfma = AmdMfma(3, (1, 1), (32, 32, 8), is_transposed=False)
    form = linear_form(mfma, (32, 32))
    for i, j in ((0, 0), (5, 7), (13, 31), (31, 16)):
        places = form.holders(i * 32 + j)
        assert (places[LANE].tolist(), places[REGISTER].tolist()) == ([j + 32 * (i // 4 % 2)], [i % 4 + 4 * (i // 8)])
    flipped = linear_form(AmdMfma(3, (1, 1), (32, 32, 8), is_transposed=True), (32, 32))
    assert flipped.vectors(LANE) == tuple((column, row) for row, column in form.vectors(LANE))


def test_wmma_accumulators():
    """RDNA3 ISA: lanes 0-15 hold the even rows of D, lanes 16-31 the odd ones; RDNA4: rows 0-7 and rows 8-15."""
    old = linear_form(AmdWmma(1, is_transposed=False, register=(), warp=()), (16, 16))
    assert held(AmdWmma(1, is_transposed=False, register=(), warp=()), (16, 16), 0, 16 + 3)[:2] == [(1, 3), (3, 3)]
    assert old.replication == 1
    assert held(AmdWmma(2, is_transposed=False, register=(), warp=()), (16, 16), 0, 16 + 3)[:2] == [(8, 3), (9, 3)]


def test_dpas_accumulators():
    """A DPAS of 8 rows and 16 columns: a lane holds a column."""
    dpas = Dpas(8, 8, 16, 2, 16, (2, 1), (1, 2))
    assert held(dpas, (16, 32), 1, 3)[:8] == [(8 + row, 3) for row in range(8)]
    assert held(dpas, (16, 32), 1, 3)[8] == (8, 19)


def test_every_layout_holds_every_element():
    @given(st.data())
    def check(data: st.DataObject):
        rank = data.draw(st.integers(1, 4))
        shape = data.draw(powers(data.draw(st.integers(0, 10)), rank))
        form = linear_form(data.draw(encodings(rank, 2, 5)), shape)
        assert form.is_surjective
        assert (form.count(LANE), form.count(WARP)) == (32, 4)

    check()


@pytest.mark.parametrize(
    ("encoding", "offset", "element"),
    [
        (SwizzledShared(4, 1, 8, (1, 0)), 5 * 64 + 9, (5, 9 ^ 20)),  # row 5: phase 5, groups of 4 change place
        (SwizzledShared(4, 2, 4, (1, 0)), 5 * 64 + 9, (5, 9 ^ 8)),
        (SwizzledShared(1, 1, 1, (0, 1)), 5 * 64 + 9, (9, 5)),
        (RotatingShared(4, 1, 8, (1, 0)), 13 * 64 + 9, (13, 9 ^ (4 * (5 ^ 1)))),
        (PaddedShared(((64, 8),), (1, 0), None), 5 * 64 + 9, (5, 9)),
        (NvMmaShared(128, transposed=False, element_bit_width=16), 5 * 64 + 9, (5, 9 ^ 40)),
        (NvMmaShared(32, transposed=False, element_bit_width=16), 5 * 16 + 9, (5, 9 ^ (8 * (5 // 4 % 2)))),
    ],
)
def test_offsets_in_shared_memory(encoding: Shared, offset: int, element: tuple[int, ...]):
    form = shared_form(encoding, (64, 64), 16)
    assert form.vector(form.element({OFFSET: offset})) == element
    assert form.rank == form.bits


def test_shared_linear_is_its_bases():
    form = shared_form(SharedLinear(((0, 1), (1, 0))), (2, 2), 32)
    assert form.vectors(OFFSET) == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    ("encoding", "shape", "what"),
    [
        (ROW, (16,), "a layout of 2 dimensions for a tensor of 1"),
        (ROW, (16, 12), "12 is no power of two"),
        (DotOperand(0, ROW), (16,), "a layout of 2 dimensions"),
        (DotOperand(0, Slice(0, ROW)), (16,), "neither blocked nor of a matrix instruction"),
        (DotOperand(0, NvidiaMma(2, 0, (1, 1), (16, 8))), (16, 16), "kWidth is missing"),
        (NvidiaMma(1, 0, (1, 1), (16, 8)), (16, 16), "version 1, is not known"),
        (Slice(3, ROW), (16,), "there is no dimension 3"),
        (AmdMfma(3, (1, 1), (8, 8), is_transposed=False), (16, 16), "no matrix instruction of 8x8"),
        (Linear(((0, 1),), (), ()), (4,), "a layout of 2 dimensions"),
    ],
)
def test_what_does_not_fit(encoding: Distributed, shape: tuple[int, ...], what: str):
    with pytest.raises(LayoutError, match=what):
        linear_form(encoding, shape)


def test_ranks():
    assert rank_of(Slice(0, ROW)) == 1
    assert rank_of(DotOperand(0, ROW)) == 2
    assert rank_of(NvMmaShared(128, transposed=False, element_bit_width=16)) is None
    assert rank_of(Linear((), ((1, 0, 0),), ())) == 3
