"""The rewrite: what it changes, what it leaves as it was, and that it computes the same."""

from __future__ import annotations

import re

import pytest
from regtriage.dataflow.intel.dots import Form, find_dots
from regtriage.dataflow.intel.evaluate import evaluate, same
from regtriage.dataflow.intel.gates import design_gates
from regtriage.dataflow.intel.staging import (
    CannotStage,
    Dialect,
    Plan,
    check,
    default_form,
    dialect_of,
    other_buffers,
    stage,
)
from regtriage.dataflow.ttgir.model import Module
from regtriage.dataflow.ttgir.parser import read

from .kernels import CONVERTED, DOT, FIRST, KERNELS, LATER, WITH_FMA, A, B, C, device, dot, module, small

OVERFLOWING = [
    row.name
    for row in FIRST + LATER
    if row.spill > 262144 and row in WITH_FMA and design_gates(dot(row.name), device()).passes
]
UNTOUCHED = sorted(path.stem for path in KERNELS.glob("*.ttgir") if path.stem not in OVERFLOWING)
EXAMPLE = "dot_64x128x128_fp16_w4_t32"


def staged(name: str, form: Form, k_tile: int | None = None, dialect: Dialect | None = None) -> str:
    found = dot(name)
    return stage(module(name), [Plan(found, k_tile or design_gates(found, device(), form).k_tile)], form, dialect)


def runs_alike(before: Module, after: Module, integers: int = 150) -> bool:
    (old,), (new,) = before.functions, after.functions
    return all(
        same(evaluate(before, old, seed, integers, seed), evaluate(after, new, seed, integers, seed))
        for seed in range(2)
    )


def test_there_are_enough_kernels_of_both_groups():
    assert len(OVERFLOWING) >= 9
    assert len(UNTOUCHED) >= 20


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("name", OVERFLOWING)
def test_an_overflowing_kernel_reads_again_and_computes_the_same(name: str, form: Form):
    after = read(staged(name, form), "staged.ttgir")
    assert runs_alike(module(name), after)
    assert {op.name for op in after.walk()} >= {"ttg.local_alloc", "ttg.memdesc_subview", "ttg.local_load", "tt.dot"}
    assert all(other.k < dot(name).k for other in find_dots(after))


@pytest.mark.parametrize("name", UNTOUCHED)
def test_a_kernel_that_fails_a_gate_keeps_every_byte(name: str):
    found = module(name)
    plans = [Plan(d, 16) for d in find_dots(found) if design_gates(d, device()).passes]
    if name == "dot_64x128x64_fp32_w1_t32":
        assert plans  # the estimate is wrong about this one: the compiler would take it as it is
        return
    assert not plans
    assert stage(found, plans, Form.LOOP) == found.source.text


@pytest.mark.parametrize("k_tile", [16, 32, 64])
@pytest.mark.parametrize("form", list(Form))
def test_every_slice_size_computes_the_same(form: Form, k_tile: int):
    after = read(staged(EXAMPLE, form, k_tile), "staged.ttgir")
    assert runs_alike(module(EXAMPLE), after)
    dots = [op for op in after.walk() if op.name == "tt.dot"]
    assert len(dots) == (1 if form is Form.LOOP else 128 // k_tile)


def test_all_text_but_the_operands_and_the_dot_stays():
    before = module(EXAMPLE).source.text.splitlines()
    after = staged(EXAMPLE, Form.LOOP).splitlines()
    gone = [line.strip().split(" = ")[1].split()[0] for line in before if line not in after]
    assert sorted(gone) == sorted(["tt.fp_to_fp", "ttg.local_alloc", "ttg.local_load"] * 2 + ["tt.dot"])
    assert [line for line in after if line in before] == [line for line in before if line in after]
    assert all(
        "staged_" in line or line.strip().startswith(("%36 = scf.for", "scf.yield", "}"))
        for line in after
        if line not in before
    )


def test_the_location_of_the_dot_is_that_of_all_new_ops():
    # The copy among the reproducers has its locations.
    name = "matmul_64x128x128_fp16_w4_t32"
    path = KERNELS.parents[2].parent / "reproducers" / "intel" / f"{name}.ttgir"
    found = read(path.read_text(), str(path))
    (only,) = find_dots(found)
    after = stage(found, [Plan(only, 16)], Form.LOOP)
    new = [line for line in after.splitlines() if "staged" in line and not line.rstrip().endswith("{")]
    assert len(new) == 13
    assert all(line.endswith("loc(#loc28)") for line in new)
    assert runs_alike(found, read(after, "staged.ttgir"))


def test_slices_are_runs_of_memory_in_both_buffers():
    """Triton 3.3 reads a slice with the strides of the slice: right only where these are the buffer's."""
    after = read(staged(EXAMPLE, Form.LOOP), "staged.ttgir")
    views = [op for op in after.walk() if op.name == "ttg.memdesc_subview"]
    orders = [re.search(r"order = \[\d, \d\]", after.text_of(view)) for view in views]
    allocs = [op.result.type for op in after.walk() if op.name == "ttg.local_alloc"]
    assert [t.encoding.order for t in allocs] == [(0, 1), (1, 0)]  # type: ignore[union-attr]
    assert len(orders) == 2


@pytest.mark.parametrize("k_tile", [0, 24, 128, 256])
def test_slices_must_divide_k_and_be_smaller(k_tile: int):
    with pytest.raises(CannotStage, match=r"do not divide K = 128"):
        check(module(EXAMPLE), Plan(dot(EXAMPLE), k_tile), Form.LOOP)


# -- dialects ---------------------------------------------------------------------------------------------


def test_from_triton_3_4_on_offsets_are_in_the_text():
    text = staged(EXAMPLE, Form.UNROLLED, 32, Dialect.SUBSLICE)
    assert "ttg.memdesc_subslice %staged_36_a[0, 96]" in text
    assert "arith.constant 96 : i32" not in text
    assert runs_alike(module(EXAMPLE), read(text, "staged.ttgir"))


def test_from_triton_3_4_on_there_is_no_loop():
    with pytest.raises(CannotStage, match="constant offsets"):
        staged(EXAMPLE, Form.LOOP, 32, Dialect.SUBSLICE)


@pytest.mark.parametrize(
    ("attributes", "dialect"),
    [
        ("triton_intel_gpu.min_sg_size = 8 : i32, ", Dialect.SUBVIEW),
        ("ttig.min_sg_size = 8 : i32, ", Dialect.SUBSLICE),
        ("", Dialect.SUBSLICE),
    ],
)
def test_the_dialect_is_told_by_the_text(attributes: str, dialect: Dialect):
    found = small(CONVERTED, attributes=attributes)
    assert dialect_of(found) is dialect
    assert default_form(found) is (Form.LOOP if dialect is Dialect.SUBVIEW else Form.UNROLLED)


# -- operands ---------------------------------------------------------------------------------------------


def stage_small(found: Module, dialect: Dialect = Dialect.SUBSLICE, form: Form = Form.UNROLLED) -> str:
    return stage(found, [Plan(d, 16) for d in find_dots(found)], form, dialect)


def test_a_converted_operand_is_staged():
    text = stage_small(small(CONVERTED + "\n" + DOT))
    assert "convert_layout" not in text
    assert "ttg.local_alloc %a : (tensor<16x32xf32, #blocked>)" in text
    read(text, "staged.ttgir")


def test_what_others_use_is_kept():
    other = f"    %3 = arith.addf %0, %0 : {A}"
    text = stage_small(small(CONVERTED + "\n" + DOT + "\n" + other))
    assert text.count("ttg.convert_layout") == 1
    assert "ttg.convert_layout %a" in text


def test_what_makes_the_source_is_kept():
    before = "    %5 = ttg.convert_layout %a : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #blocked>\n"
    text = stage_small(small(before + CONVERTED.replace("ttg.convert_layout %a", "ttg.convert_layout %5") + "\n" + DOT))
    assert "%5 = ttg.convert_layout %a" in text
    read(text, "staged.ttgir")


def test_two_dots_are_staged_apart_and_shared_operands_go():
    second = DOT.replace("%2", "%3").replace("%c", "%2", 1)
    text = stage_small(small(CONVERTED + "\n" + DOT + "\n" + second))
    after = read(text, "staged.ttgir")
    assert len([op for op in after.walk() if op.name == "tt.dot"]) == 4
    assert "convert_layout" not in text


def test_the_dots_own_words_are_kept_in_every_slice():
    words = DOT.replace("%c :", "%c, inputPrecision = tf32 {max = 1 : i32} :")
    text = stage_small(small(CONVERTED + "\n" + words))
    assert text.count(", inputPrecision = tf32 {max = 1 : i32} :") == 2


def test_names_that_are_taken_are_not_used_again():
    taken = f"    %staged_2_a = arith.addf %c, %c : {C}"
    text = stage_small(small(taken + "\n" + CONVERTED + "\n" + DOT))
    read(text, "staged.ttgir")


def test_an_operand_that_was_in_its_layout_from_the_start_is_left_alone():
    a = f"    %0 = arith.constant dense<1.0> : {A}"
    found = small(a + "\n" + CONVERTED.splitlines()[1] + "\n" + DOT)
    (only,) = find_dots(found)
    with pytest.raises(CannotStage, match="operand A does not come through"):
        check(found, Plan(only, 16), Form.UNROLLED, Dialect.SUBSLICE)


BUFFERS = f"""    %s = ttg.local_alloc : () -> !ttg.memdesc<16x32xf32, #shared, #smem, mutable>
    ttg.local_store %a, %s : tensor<16x32xf32, #blocked> -> !ttg.memdesc<16x32xf32, #shared, #smem, mutable>
    %0 = ttg.local_load %s : !ttg.memdesc<16x32xf32, #shared, #smem, mutable> -> {A}
    %1 = ttg.convert_layout %b : tensor<32x16xf32, #blocked> -> {B}"""


def test_a_buffer_that_is_filled_already_is_sliced_in_place():
    text = stage_small(small(BUFFERS + "\n" + DOT))
    after = read(text, "staged.ttgir")
    assert text.count("ttg.local_alloc") == 2
    assert "ttg.memdesc_subslice %s[0, 16] : !ttg.memdesc<16x32xf32, #shared, #smem, mutable>" in text
    assert "!ttg.memdesc<16x16xf32, #shared, #smem, mutable, 16x32>" in text
    assert len(find_dots(after)) == 2


def test_triton_3_3_would_misread_slices_of_a_row_major_a():
    found = small(BUFFERS + "\n" + DOT)
    (only,) = find_dots(found)
    with pytest.raises(CannotStage, match=r"Triton 3\.3 would read slices of the buffer of A from wrong places"):
        check(found, Plan(only, 16), Form.LOOP, Dialect.SUBVIEW)


def test_buffers_in_use_across_the_dot_are_counted():
    before = "    %x = ttg.local_alloc %b : (tensor<32x16xf32, #blocked>) -> !ttg.memdesc<32x16xf32, #shared, #smem>\n"
    after = "\n    %y = ttg.local_load %x : !ttg.memdesc<32x16xf32, #shared, #smem> -> tensor<32x16xf32, #blocked>"
    (with_use,) = find_dots(small(before + CONVERTED + "\n" + DOT + after))
    (without,) = find_dots(small(before + CONVERTED + "\n" + DOT))
    assert other_buffers(with_use) == 32 * 16 * 4
    assert other_buffers(without) == 0
    assert other_buffers(dot(EXAMPLE)) == 0
