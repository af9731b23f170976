"""The coalescing rule, the facts it rests on, and why accesses of real kernels have the layouts they have."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.dataflow.layout.axes import Axes, AxisAnalysis
from regtriage.dataflow.layout.choices import Kind, Setting, choices
from regtriage.dataflow.layout.coalescing import (
    PointerFacts,
    access_width,
    atomic_elements,
    blocked_layout,
    coalesced_layout,
)
from regtriage.dataflow.layout.encodings import Blocked, LayoutError
from regtriage.dataflow.ttgir.parser import read

DATA = Path(__file__).parents[2] / "data" / "ttgir"


def facts(shape: tuple[int, ...], bits: int, divisibility: int) -> PointerFacts:
    contiguity = (*(1 for _ in shape[1:]), shape[-1])
    return PointerFacts(shape, bits, contiguity, (divisibility,) * len(shape))


@pytest.mark.parametrize(
    ("shape", "bits", "divisibility", "warps", "expected"),
    [
        ((64, 64), 32, 16, 4, Blocked((1, 4), (2, 16), (4, 1), (1, 0))),
        ((64, 64), 32, 8, 4, Blocked((1, 2), (1, 32), (4, 1), (1, 0))),
        ((128, 64), 16, 16, 4, Blocked((1, 8), (4, 8), (4, 1), (1, 0))),
        ((64,), 32, 16, 4, Blocked((1,), (32,), (4,), (0,))),
        ((16, 16), 32, 16, 2, Blocked((1, 4), (8, 4), (2, 1), (1, 0))),
        ((64, 64), 64, 64, 4, Blocked((1, 2), (1, 32), (4, 1), (1, 0))),
        ((2, 4, 256), 8, 16, 8, Blocked((1, 1, 8), (1, 1, 32), (2, 4, 1), (2, 1, 0))),
    ],
)
def test_the_rule(shape: tuple[int, ...], bits: int, divisibility: int, warps: int, expected: Blocked):
    assert coalesced_layout(facts(shape, bits, divisibility), warps, 32) == expected


@pytest.mark.parametrize("lanes", [8, 16, 32, 64])
@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_all_lanes_and_warps_are_spent(rank: int, lanes: int):
    shape = (4, 2, 8, 2, 16)[-rank:]
    found = coalesced_layout(facts(shape, 32, 16), 4, lanes)
    product = 1
    for a, b in zip(found.threads_per_warp, found.warps_per_cta, strict=True):
        product *= a * b
    assert product == 4 * lanes


def test_of_equal_dimensions_the_last_is_fed_first():
    assert PointerFacts((8, 8, 8), 32, (1, 1, 1), (4, 4, 4)).order == (2, 1, 0)
    assert PointerFacts((8, 8, 8), 32, (8, 1, 8), (4, 4, 4)).order == (2, 0, 1)


def test_what_limits_a_width():
    assert access_width(facts((64, 64), 32, 8), (1, 0), (64, 64)).limit == "divisibility"
    assert access_width(facts((64, 2), 32, 64), (1, 0), (64, 2)).limit == "contiguity"
    assert access_width(facts((64, 64), 32, 64), (1, 0), (64, 64)).limit == "vector width"
    assert access_width(facts((64, 64), 32, 64), (1, 0), (64, 64), 1).limit == "atomics"


@pytest.mark.parametrize(
    ("operation", "element", "target", "elements"),
    [
        ("fadd", "f32", "cuda:90", 4), ("fadd", "f16", "cuda:90", 8), ("fadd", "f16", "cuda:80", 2),
        ("fadd", "bf16", "cuda:80", 1), ("fadd", "bf16", "hip:gfx950", 2), ("fadd", "f32", "hip:gfx950", 1),
        ("add", "i32", "cuda:90", 1), ("cas", "f32", "cuda:90", 1), ("max", "i32", "hip:gfx942", 1),
    ],
)  # fmt: skip
def test_atomics(operation: str, element: str, target: str, elements: int):
    assert atomic_elements(operation, element, target) == elements


def test_orders_and_sizes_that_make_no_sense():
    with pytest.raises(LayoutError, match="do not fit"):
        blocked_layout((8, 8), (1, 1), (0, 0), 4, 32)
    with pytest.raises(LayoutError, match="3 is no power of two"):
        blocked_layout((8, 8), (1, 3), (1, 0), 4, 32)


# Axes


def axes(body: str, name: str, arguments: str = "%n: i32 {tt.divisibility = 16 : i32}") -> Axes:
    text = f"module {{\n tt.func @f({arguments}) {{\n{body}\n tt.return\n }}\n}}"
    module = read(text, "t")
    analysis = AxisAnalysis.run(module)
    for op in module.walk():
        for value in op.results:
            if value.spelling == name:
                return analysis.of(value)
    raise AssertionError(name)


RANGE = "%r = tt.make_range {end = 80 : i32, start = 16 : i32} : tensor<64xi32>\n"
SPLAT = "%s = tt.splat %n : i32 -> tensor<64xi32>\n"


def number(value: int) -> str:
    return f"%c = arith.constant dense<{value}> : tensor<64xi32>\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (RANGE.replace("%r", "%x"), Axes((64,), (16,), (1,))),
        (SPLAT.replace("%s", "%x"), Axes((1,), (16,), (64,))),
        (RANGE + SPLAT + "%x = arith.addi %r, %s : tensor<64xi32>", Axes((64,), (16,), (1,))),
        (RANGE + SPLAT + "%x = arith.subi %s, %r : tensor<64xi32>", Axes((1,), (1,), (1,))),
        (RANGE + "%x = arith.addi %r, %r : tensor<64xi32>", Axes((1,), (2,), (1,))),
        (RANGE + SPLAT + "%x = arith.muli %r, %s : tensor<64xi32>", Axes((1,), (16,), (1,))),
        (RANGE + number(1) + "%x = arith.muli %r, %c : tensor<64xi32>", Axes((64,), (16,), (1,))),
        (RANGE + number(8) + "%x = arith.divsi %r, %c : tensor<64xi32>", Axes((1,), (1,), (8,))),
        (RANGE + number(8) + "%x = arith.remsi %r, %c : tensor<64xi32>", Axes((8,), (8,), (1,))),
        (RANGE + number(32) + "%x = arith.remsi %r, %c : tensor<64xi32>", Axes((16,), (16,), (1,))),
        (number(12) + "%x = arith.shli %c, %c : tensor<64xi32>", Axes((1,), (1 << 14,), (64,), 12 << 12)),
        (RANGE + SPLAT + "%x = arith.cmpi slt, %r, %s : tensor<64xi32>", Axes((1,), (1,), (16,))),
        (RANGE + SPLAT + "%x = arith.maxsi %r, %s : tensor<64xi32>", Axes((1,), (1,), (1,))),
        (
            RANGE + "%x = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>",
            Axes((1, 64), (1, 16), (1, 1)),
        ),
        (
            SPLAT + "%e = tt.expand_dims %s {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"
            "%x = tt.broadcast %e : tensor<64x1xi32> -> tensor<64x8xi32>",
            Axes((1, 1), (16, 16), (64, 8)),
        ),
        ("%x = x.y %n : i32", Axes((1,), (1,), (1,))),
        ("%x = arith.addi %n, %n {tt.divisibility = 64 : i32} : i32", Axes((1,), (64,), (1,))),
        (RANGE + "%x = arith.extsi %r : tensor<64xi32> to tensor<64xi64>", Axes((64,), (16,), (1,))),
    ],
)
def test_what_is_known(body: str, expected: Axes):
    found = axes(body, "%x")
    assert found == expected


def test_pointers_count_in_elements_and_are_divisible_in_bytes():
    body = (
        RANGE
        + "%p = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
        + "%x = tt.addptr %p, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>"
    )
    argument = "%a: !tt.ptr<f32> {tt.divisibility = 32 : i32}"
    assert axes(body, "%x", argument) == Axes((64,), (32,), (1,))


def test_loops_keep_what_every_round_keeps():
    body = """
      %zero = arith.constant 0 : i32
      %eight = arith.constant 8 : i32
      %l:2 = scf.for %i = %zero to %n step %eight iter_args(%a = %n, %b = %n) -> (i32, i32) : i32 {
        %x = arith.addi %a, %eight : i32
        %y = arith.addi %i, %i : i32
        scf.yield %x, %b : i32, i32
      }"""
    assert axes(body, "%l#0").divisibility == (8,)
    assert axes(body, "%l#1").divisibility == (16,)
    assert axes(body, "%y").divisibility == (8,)


def test_branches_join():
    body = """
      %eight = arith.constant 8 : i32
      %c = arith.cmpi slt, %n, %eight : i32
      %x = scf.if %c -> (i32) {
        scf.yield %n : i32
      } else {
        scf.yield %eight : i32
      }"""
    assert axes(body, "%x") == Axes((1,), (8,), (1,))


def test_while_loops_and_blocks():
    body = """
      %two = arith.constant 2 : i32
      %x = scf.while (%a = %n) : (i32) -> i32 {
        %c = arith.cmpi slt, %a, %two : i32
        scf.condition(%c) %a : i32
      } do {
      ^bb0(%b: i32):
        %y = arith.addi %b, %two : i32
        scf.yield %y : i32
      }"""
    assert axes(body, "%x").divisibility == (2,)


# Kernels


def test_ttgir_has_the_layouts_of_the_rule():
    for name in (
        "matmul-xpu.ttgir",
        "matmul-sm80.ttgir",
        "softmax-sm80.ttgir",
        "softmax-gfx950.ttgir",
        "dot-xpu.ttgir",
    ):
        found = choices(read((DATA / name).read_text(), name))
        assert found
        for choice in found:
            if choice.kind is not Kind.COPY:
                assert choice.agrees, (name, choice.reasons)


def test_an_atomic_says_why_it_is_narrow():
    atomic = next(c for c in choices(read((DATA / "softmax-sm80.ttgir").read_text(), "k")) if c.kind is Kind.ATOMIC)
    assert atomic.elements == 1
    assert atomic.reasons == ("one atomic instruction of this target takes 1 of a lane",)


def test_ttir_has_no_layouts_but_the_rule_gives_them():
    module = read((DATA / "matmul-sm80.ttir").read_text(), "k")
    found = choices(module, Setting(4, 32, "cuda:80"))
    assert [c.kind for c in found] == [Kind.LOAD, Kind.LOAD, Kind.STORE]
    assert all(c.chosen is None and c.agrees for c in found)
    assert found[0].rule == Blocked((1, 8), (4, 8), (4, 1), (1, 0))


def test_a_load_takes_the_widest_access_it_is_connected_with_and_a_store_its_own():
    text = """module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @k(%a: !tt.ptr<f32> {tt.divisibility = 4 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %p = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.splat %b : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %x = tt.addptr %p, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %y = tt.addptr %q, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %x : tensor<1024x!tt.ptr<f32>>
    tt.store %y, %v : tensor<1024x!tt.ptr<f32>>
    %w = tt.load %y : tensor<1024x!tt.ptr<f32>>
    tt.store %x, %w : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}"""
    found = choices(read(text, "k"))
    assert [c.elements for c in found] == [4, 4, 4, 1]
    assert found[0].reasons == ("a connected access takes 4 elements, its own pointers allow 1",)
    assert found[3].reasons == ("a store takes no more than its own 1, though a connected access takes 4",)
