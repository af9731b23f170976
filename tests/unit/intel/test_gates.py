"""Both sets of gates, with the numbers they compare; first the walk-through that the design was written around."""

from __future__ import annotations

import dataclasses

import pytest
from regtriage.dataflow.intel.dots import Form, find_dots
from regtriage.dataflow.intel.estimate import Fit, estimate, judge
from regtriage.dataflow.intel.gates import GateSet, Known, choose_slice, design_gates, slices, upstream_gates

from .kernels import CONVERTED, DOT, WITH_FMA, device, dot, small

EXAMPLE = "matmul_64x128x128_fp16_w4_t32"


def numbers(gates: GateSet, name: str) -> str:
    return next(gate.numbers for gate in gates.gates if gate.name == name)


def test_the_walk_through():
    """64x128x128 in half precision by 4 warps, the layout in which a lane has 8x8 results.

    345088 bytes were reported of it, "345 KB", where 256 KiB are permitted; the difference of these two figures,
    89, is counted with one K of 1000 and one of 1024. In bytes it is 82944.
    """
    found = dot("seed_8x8")
    assert found.shape is not None
    assert found.shape.tile.fma == 8192
    assert found.stored_bytes == 16384 + 32768 == 48 << 10
    gpu = device("arl-s")
    assert gpu.ptss_cap == 256 << 10
    assert 345088 // 1000 - gpu.ptss_cap // 1024 == 89
    assert 345088 - gpu.ptss_cap == 82944
    gates = design_gates(found, gpu, known=Known(spill=345088))
    assert gates.passes
    assert gates.k_tile == 16
    assert numbers(gates, "spill over budget") == "345088 B measured, 262144 B permitted"
    assert numbers(gates, "operands fit SLM") == "16384 + 32768 = 49152 of 65536 B"


def test_the_example_passes_both_sets():
    found = dot(EXAMPLE)
    design, upstream = design_gates(found, device()), upstream_gates(found)
    assert design.passes
    assert upstream.passes
    assert (design.k_tile, upstream.k_tile) == (16, 16)
    assert numbers(upstream, "bytes of a lane") == "16*128*4 + 128*4*4 + 16*4*4 = 10496 > 4096 B a lane"


@pytest.mark.parametrize(
    ("name", "gpu", "failed"),
    [
        (EXAMPLE, "acm-g10", {"no DPAS unit"}),
        (EXAMPLE, "adl-s", {"spill over budget"}),  # 2 MiB are permitted there
        ("dot_64x64x128_fp16_w4_t32", "arl-s", {"spill over budget"}),
        ("dot_64x128x128_fp32_w4_t32", "arl-s", {"operands fit SLM"}),
        ("dot_16x16x16_fp16_w4_t32", "arl-s", {"spill over budget", "K divisible"}),
        ("dot_64x128x64_fp16_w4_t16_dpas", "arl-s", {"FMA path"}),
    ],
)
def test_the_gates_of_the_design_that_fail(name: str, gpu: str, failed: set[str]):
    gates = design_gates(dot(name), device(gpu))
    assert {gate.name for gate in gates.failed} == failed


def test_what_the_compiler_reports_goes_before_the_table():
    assert design_gates(dot(EXAMPLE), device("acm-g10"), known=Known(has_dpas=False)).passes
    assert not design_gates(dot(EXAMPLE), device(), known=Known(has_dpas=True)).passes
    assert not design_gates(dot(EXAMPLE), device(), known=Known(spill=262144)).passes


def test_buffers_in_use_count():
    assert design_gates(dot(EXAMPLE), device(), other_buffers=16384).passes
    assert not design_gates(dot(EXAMPLE), device(), other_buffers=16385).passes


def test_kernels_for_other_vendors_are_left_alone():
    (found,) = find_dots(small(CONVERTED + "\n" + DOT, target="hip:gfx950"))
    assert "Intel target" in {gate.name for gate in design_gates(found, device()).failed}


@pytest.mark.parametrize(
    ("name", "k_tile"),
    [
        ("dot_64x128x128_fp16_w4_t32", 16),
        ("seed_8x8", 32),
        ("dot_64x128x128_fp16_w2_t32", 0),  # 1024 bytes hold 8 of K for 32 rows: fewer than 16
        ("matmul_32x64x128_bf16_w4_t32", 64),
    ],
)
def test_the_slice_by_the_rule_that_shipped(name: str, k_tile: int):
    assert upstream_gates(dot(name)).k_tile == k_tile


def test_upstream_permits_56_kib_of_shared_memory_and_the_design_64():
    found = dot("dot_64x64x128_fp32_w2_t32")  # 32768 + 32768
    assert design_gates(found, device()).passes
    assert {gate.name for gate in upstream_gates(found).failed} == {"operands fit SLM"}


def test_upstream_wants_operands_that_come_through_a_conversion():
    a = "    %0 = arith.constant dense<1.0> : tensor<16x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>"
    (found,) = find_dots(small(a + "\n" + CONVERTED.splitlines()[1] + "\n" + DOT))
    assert "operands converted or staged" in {gate.name for gate in upstream_gates(found).failed}


@pytest.mark.parametrize(("k", "sizes"), [(16, ()), (32, (16,)), (128, (16, 32, 64)), (48, (16,)), (40, ())])
def test_slices_divide_k_and_are_smaller(k: int, sizes: tuple[int, ...]):
    assert slices(k) == sizes


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("row", WITH_FMA, ids=lambda row: row.name)
def test_a_chosen_slice_fits_and_the_next_larger_is_explained(row: object, form: Form):
    found = dot(row.name)  # type: ignore[attr-defined]
    choice = choose_slice(found, device(), form)
    if not choice.k_tile:
        assert found.k <= 16
        return
    chosen = next(s for s in choice.slices if s.k_tile == choice.k_tile)
    assert chosen.fit is Fit.FITS
    assert found.k % choice.k_tile == 0
    larger = [s for s in choice.slices if s.k_tile > choice.k_tile]
    assert all(s.refused for s in larger)
    assert str(2 * choice.k_tile) in choice.why_not_larger


def test_a_dot_that_no_slice_makes_fit_has_none():
    found = dot(EXAMPLE)
    assert found.shape is not None
    tile = dataclasses.replace(found.shape.tile, m=4096)
    wide = dataclasses.replace(found, shape=dataclasses.replace(found.shape, tile=tile))
    choice = choose_slice(wide, device())
    assert choice.k_tile == 0
    assert wide.shape is not None
    assert judge(estimate(wide.shape), device()).fit is Fit.OVER
