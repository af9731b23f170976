"""What was measured, executed and counted, as recorded: the claims of docs/intel.md."""

from __future__ import annotations

import json

import pytest

from .kernels import DATA, FIRST, LATER, lines

CAP = 262144
BEFORE = {row.name: row.spill for row in FIRST + LATER}
STAGED = lines("staged.jsonl")


def test_kernels_that_overflow_build_after_staging():
    loops = {row["name"]: row["spill_bytes"] for row in STAGED if row["form"] == "loop"}
    recovered = [name for name, spill in loops.items() if BEFORE[name] > CAP >= spill]
    assert len(recovered) >= 9
    assert max(loops.values()) <= CAP // 4


@pytest.mark.parametrize(("form", "spills"), [("loop", (16736, 26912, 48192)), ("unrolled", (37120, 86784, 180288))])
def test_the_example_by_slice(form: str, spills: tuple[int, ...]):
    name = "dot_64x128x128_fp16_w4_t32"
    found = {row["k_tile"]: row["spill_bytes"] for row in STAGED if (row["name"], row["form"]) == (name, form)}
    assert BEFORE[name] == 327872
    assert tuple(found[k] for k in (16, 32, 64)) == spills


def test_every_measurement_names_its_tools():
    for file in ("measured.jsonl", "measured_later.jsonl", "staged.jsonl"):
        for row in lines(file):
            assert "triton-xpu 3.3.0b1; ocloc 26.27.39122.14, IGC 2.40.14" in row["tools"]
            assert row["scratch_bytes"] >= row["spill_bytes"]


def test_staged_kernels_stored_the_same_bits_on_a_gpu():
    found = json.loads((DATA / "numeric_cuda.json").read_text())
    staged = [r for r in found["results"] if "." in r["kernel"]]
    assert len(staged) >= 20
    assert {r["kernel"].partition(".")[2] for r in staged} >= {"loop", "subslice"}
    for result in found["results"]:
        assert result["differ_from_original"] == 0
        assert not result["tensor_core"]
        # Rounding: float32 sums of K products, or the result stored as float16.
        assert result["largest_error_against_float64"] < (1e-3 if result["kernel"].startswith("dot") else 0.1)


def test_staging_as_a_loop_lessens_the_traffic_with_scratch():
    """Of the example, and of kernels that would build without it."""
    rows = [row for row in lines("cost.jsonl") if row["form"] == "loop"]
    assert len({row["name"] for row in rows if BEFORE[row["name"]] <= CAP}) >= 6
    for row in rows:
        before, after = row["before"], row["after"]
        assert before["spill"] == BEFORE[row["name"]]
        assert after["spilled"] + after["filled"] < 0.6 * (before["spilled"] + before["filled"])
        assert after["shared_loaded"] < before["shared_loaded"]
        assert after["instructions"] < before["instructions"]
