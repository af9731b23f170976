"""The interpreter: against numpy, and that it would notice a rewrite that is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from regtriage.dataflow.intel.dots import Form
from regtriage.dataflow.intel.evaluate import CannotEvaluate, Memory, evaluate, same
from regtriage.dataflow.intel.staging import Plan, stage
from regtriage.dataflow.ttgir.parser import read
from regtriage.dataflow.ttgir.types import Scalar

from .kernels import CONVERTED, DOT, dot, module, small

F16 = Scalar("f16")


def test_a_dot_is_the_product():
    name = "dot_64x64x32_fp16_w4_t32"
    found = module(name)
    memory = evaluate(found, found.functions[0], 3, 0)
    a = memory_of(0, 64, 32)
    b = memory_of(1, 32, 64)
    c = np.array([memory.written[2, i] for i in range(64 * 64)]).reshape(64, 64)
    assert np.abs(c - a @ b).max() < 1e-4


def memory_of(buffer: int, rows: int, columns: int):
    offsets = np.arange(rows * columns).reshape(rows, columns)
    return Memory(3).load(buffer, offsets, F16).astype(np.float64)


def test_a_matmul_with_masks_is_the_product_of_what_is_inside():
    name = "matmul_64x64x32_fp16_w4_t32"
    found = module(name)
    size = 50  # of M, N, K and of the strides: two passes over K, the second one mostly masked
    memory = evaluate(found, found.functions[0], 3, size)
    a, b = memory_of(0, size, size), memory_of(1, size, size)
    c = np.array([memory.written[2, i] for i in range(size * size)]).reshape(size, size)
    assert len(memory.written) == size * size
    assert np.abs(c - a @ b).max() < 2e-2  # stored as f16


def test_the_block_number_moves_the_tile():
    found = module("matmul_64x64x32_fp16_w4_t32")
    assert evaluate(found, found.functions[0], 3, 50, program=1).written == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%staged_36_step = arith.constant 16", "%staged_36_step = arith.constant 32"),
        ("%staged_36_end = arith.constant 128", "%staged_36_end = arith.constant 112"),
        ("%staged_36_b[%staged_36_k, %staged_36_zero]", "%staged_36_b[%staged_36_zero, %staged_36_zero]"),
        ("local_alloc %16", "local_alloc %25x"),
    ],
)
def test_a_wrong_rewrite_is_noticed(old: str, new: str):
    name = "dot_64x128x128_fp16_w4_t32"
    before = module(name)
    text = stage(before, [Plan(dot(name), 16)], Form.LOOP)
    assert old in text
    if new.endswith("x"):
        # A as twice its values: a rewrite that staged the wrong tensor.
        text = text.replace(
            "    %staged_36_a = ", "    %25x = arith.addf %16, %16 : tensor<64x128xf16, #blocked1>\n    %staged_36_a = "
        )
    after = read(text.replace(old, new), "wrong.ttgir")
    assert not same(evaluate(before, before.functions[0], 1, 0), evaluate(after, after.functions[0], 1, 0))


def test_sums_in_another_order_are_noticed():
    name = "dot_64x128x128_fp16_w4_t32"
    before = module(name)
    text = stage(before, [Plan(dot(name), 64)], Form.UNROLLED)
    swapped = text.replace("k0 = arith.constant 0 ", "k0 = arith.constant 7 ").replace(
        "k1 = arith.constant 64 ", "k1 = arith.constant 0 "
    )
    after = read(swapped.replace("k0 = arith.constant 7 ", "k0 = arith.constant 64 "), "swapped.ttgir")
    one, other = (evaluate(m, m.functions[0], 1, 0) for m in (before, after))
    assert not same(one, other)
    difference = max(abs(one.written[at] - other.written[at]) for at in one.written)
    assert difference < 1e-4


def test_the_sign_of_zero_counts_and_nan_equals_nan():
    def memory(value: float) -> Memory:
        return Memory(0, {(0, 0): value})

    assert not same(memory(0.0), memory(-0.0))
    assert same(memory(float("nan")), memory(float("nan")))
    assert not same(memory(1.0), Memory(0, {(0, 1): 1.0}))


def test_bfloat16_is_rounded_to_even():
    loaded = Memory(5).load(0, np.arange(1000), Scalar("bf16"))
    assert loaded.dtype == np.float32
    assert not np.any(loaded.view(np.uint32) & 0xFFFF)


def test_an_unknown_op_is_named():
    found = small(CONVERTED + "\n" + DOT.replace("tt.dot", "tt.dotty"))
    with pytest.raises(CannotEvaluate, match="an argument of type"):
        evaluate(found, found.functions[0], 0, 0)
