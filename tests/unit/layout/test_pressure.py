"""Registers, conversions and what is live at dots."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from regtriage.dataflow.layout.conversion import Means
from regtriage.dataflow.layout.pressure import Explanation, explain
from regtriage.dataflow.ttgir.parser import read

DATA = Path(__file__).parents[2] / "data" / "ttgir"
HEAD = """#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @f(%x: tensor<32x32xf32, #b>, %h: tensor<32x32xf16, #b>, %n: i32) {
"""
T = "tensor<32x32xf32, #b>"
U = "tensor<32x32xf32, #c>"


@cache
def kernel(name: str) -> Explanation:
    (found,) = explain(read((DATA / name).read_text(), name))
    return found


def function(body: str) -> Explanation:
    (found,) = explain(read(f"{HEAD}{body}\n    tt.return\n  }}\n}}\n", "t"))
    return found


def test_the_tile_of_an_fma_dot():
    """64x128x128 on 128 threads: 16 rows of A and 4 columns of B with all of K, 16x4 results: 8192 products."""
    (dot,) = kernel("dot-xpu.ttgir").dots
    assert (dot.operands, dot.result) == ((16 * 128, 4 * 128), 64)
    assert dot.result is not None
    assert dot.result * 128 == 8192
    assert dot.registers == 16 * 128 + 4 * 128 + 128 + 64  # A, B, the pointers of the store, the result


def test_operands_in_shared_memory_take_no_registers():
    for dot in kernel("matmul-descriptor-sm90.ttgir").dots:
        assert dot.operands == (None, None)
        assert dot.registers == 64


def test_registers_of_values():
    found = function(f"%s = tt.splat %n : i32 -> tensor<32x32xi32, #b>\n    %y = arith.addf %x, %x : {T}")
    registers = {holding.value.spelling: holding.registers for holding in found.holdings}
    assert registers == {"%x": 8, "%h": 4, "%s": 1, "%y": 8}


def test_conversions_in_loops_come_first():
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = ttg.convert_layout %x : {T} -> {U}
    %l = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> ({T}) : i32 {{
      %c = ttg.convert_layout %v : {T} -> {U}
      %d = ttg.convert_layout %c : {U} -> {T}
      scf.yield %d : {T}
    }}"""
    found = function(body)
    assert [(c.op.results[0].name, c.depth) for c in found.conversions] == [("%c", 1), ("%d", 1), ("%a", 0)]
    assert all(c.triton.means is Means.SHARED_MEMORY and c.shared_bytes == 4096 for c in found.conversions)


def live(body: str) -> list[str]:
    (dot,) = function(body).dots
    return sorted(holding.value.spelling for holding in dot.live)


DOT = f"tt.dot %p, %q, %acc : {T} * {T} -> {T}"


def test_what_dies_before_a_dot_is_not_live():
    body = f"""
    %dead = arith.addf %x, %x : {T}
    %p = arith.addf %dead, %x : {T}
    %q = arith.mulf %x, %x : {T}
    %acc = arith.subf %q, %x : {T}
    %later = arith.mulf %q, %q : {T}
    %r = {DOT}
    %s = arith.addf %r, %later : {T}"""
    assert live(body) == ["%acc", "%later", "%p", "%q"]


def test_what_a_loop_uses_is_live_all_through_it():
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %begin = arith.addf %x, %x : {T}
    %first = arith.addf %x, %begin : {T}
    %l = scf.for %i = %zero to %n step %one iter_args(%acc = %begin) -> ({T}) : i32 {{
      %p = arith.addf %first, %acc : {T}
      %q = arith.mulf %p, %p : {T}
      %r = {DOT}
      scf.yield %r : {T}
    }}
    %after = arith.addf %l, %x : {T}"""
    assert live(body) == ["%acc", "%first", "%p", "%q", "%x"]


def test_the_other_branch_does_not_count():
    body = f"""
    %c = arith.cmpi slt, %n, %n : i32
    %p = arith.addf %x, %x : {T}
    %q = arith.mulf %p, %p : {T}
    %acc = arith.mulf %q, %p : {T}
    %other = arith.mulf %acc, %p : {T}
    scf.if %c {{
      %r = {DOT}
    }} else {{
      %s = arith.addf %other, %other : {T}
    }}"""
    assert live(body) == ["%acc", "%p", "%q"]


def test_an_accumulator_that_is_needed_again_keeps_its_registers():
    body = f"""
    %p = arith.addf %x, %x : {T}
    %q = arith.mulf %p, %p : {T}
    %acc = arith.mulf %q, %p : {T}
    %r = {DOT}
    %s = arith.addf %acc, %r : {T}"""
    (dot,) = function(body).dots
    assert dot.registers == 4 * 8  # %p, %q, %acc and the result


def test_unknown_layouts_are_named():
    (found,) = explain(
        read(
            'module attributes {"ttg.num-warps" = 4 : i32} {\n  tt.func @f(%x: tensor<8xf32, #other.layout<1>>) {\n'
            "    tt.return\n  }\n}\n",
            "t",
        )
    )
    assert [(value.spelling, why) for value, why in found.skipped] == [("%x", "its layout is not known")]
