"""What is read of a dot from the text."""

from __future__ import annotations

import pytest
from regtriage.dataflow.intel.dots import Tile, Unit, find_dots
from regtriage.dataflow.ttgir.source import TtgirError

from .kernels import CONVERTED, DOT, WITH_FMA, dot, lines, small


@pytest.mark.parametrize(
    ("name", "tile"),
    [
        ("dot_64x128x128_fp16_w4_t32", Tile(16, 4, 128)),
        ("seed_8x8", Tile(8, 8, 128)),
        ("dot_64x128x128_fp16_w2_t32", Tile(32, 4, 128)),
        ("dot_16x16x16_fp16_w4_t32", Tile(2, 1, 16)),
    ],
)
def test_the_tile_of_a_lane(name: str, tile: Tile):
    shape = dot(name).shape
    assert shape is not None
    assert shape.tile == tile


def test_a_small_tensor_is_covered_once():
    # 16x128 on a layout whose tile is 16x128: each lane has its 4x4, however many warps there are.
    shape = dot("matmul_16x128x128_fp16_w4_t32").shape
    assert shape is not None
    assert (shape.tile.m, shape.tile.n) == (4, 4)


@pytest.mark.parametrize("row", lines("fma.jsonl"), ids=lambda row: row["name"])
def test_multiply_adds_of_a_lane_are_those_in_the_ir(row: dict[str, object]):
    # Counted in the LLVM IR that Triton made of the kernel.
    shape = dot(str(row["name"])).shape
    assert shape is not None
    assert shape.tile.fma == row["fma"]


def test_half_precision_operands_are_promoted_behind_a_barrier():
    found = dot("dot_64x128x128_fp16_w4_t32")
    assert found.shape is not None
    assert (found.a.stored_bits, found.a.bits, found.shape.operand) == (16, 32, 4)
    assert [op.name for op in found.a.casts] == ["tt.fp_to_fp"]
    assert found.shape.pinned
    assert found.stored_bytes == 16384 + 32768


def test_single_precision_operands_are_free():
    shape = dot("dot_64x128x128_fp32_w4_t32").shape
    assert shape is not None
    assert not shape.pinned


def test_one_warp_needs_no_barrier():
    shape = dot("dot_64x128x64_fp32_w1_t32").shape
    assert shape is not None
    assert not shape.pinned


def test_a_loop_carries_the_accumulator_and_runs_of_pointers():
    shape = dot("matmul_64x128x128_fp16_w4_t32").shape
    assert shape is not None
    assert shape.live_accumulator
    # 64x128 and 128x128 pointers over 128 lanes, 8 side by side in a lane: 8 + 16 addresses.
    assert shape.carried == (8 + 16) * 8
    straight = dot("dot_64x128x128_fp16_w4_t32").shape
    assert straight is not None
    assert (straight.live_accumulator, straight.carried) == (False, 0)


def test_a_matrix_unit_is_told_by_the_layout():
    found = dot("dot_64x128x64_fp16_w4_t16_dpas")
    assert (found.unit, found.shape) == (Unit.MATRIX, None)


def test_every_recorded_kernel_has_one_dot_on_the_fma_path():
    assert all(dot(row.name).unit is Unit.FMA for row in WITH_FMA)


def test_shapes_that_do_not_multiply_are_an_error_with_a_place():
    wrong = DOT.replace("-> tensor<16x16xf32", "-> tensor<16x32xf32")
    with pytest.raises(
        TtgirError, match=r"k\.ttgir:\d+:\d+: error: the shapes 16x32 \* 32x16 -> 16x32 do not multiply"
    ):
        find_dots(small(CONVERTED + "\n" + wrong))
