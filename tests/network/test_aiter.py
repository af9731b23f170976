"""The fused attention kernel that amd-aiter ships, as its users compile it, through `regtriage run`.

The mask of dropout is written within the loop over keys. Where the check says BUG, the slot that holds the
descriptor of K (its base address is lanes 0 and 1) is overwritten there with the descriptor of the mask.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .conftest import TritonPython, run_or_fail

pytestmark = pytest.mark.network

SCRIPT = Path(__file__).with_name("aiter_attn.py")
VARIANTS = ("off", "guard", "private")
STORES = {"mir": "SI_SPILL_S128_SAVE ", "rewritten": "SI_SPILL_S128_SAVE ", "asm": "v_writelane_b32 "}
LOADS = {"mir": "BUFFER_LOAD_DWORDX", "rewritten": "BUFFER_LOAD_DWORDX", "asm": "buffer_load_dwordx"}
"""Saving a register and reading with a buffer descriptor, as each layer spells it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A configuration, and which variants of it are wrong. cures: how guard and private do where off is wrong."""

    triton: str
    q_heads: int
    k_heads: int
    positional: int
    wrong: tuple[str, ...]
    cures: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"triton-{self.triton}-heads-{self.q_heads}-{self.k_heads}-positional-{self.positional}"


CASES = (
    Case("3.9.0", 8, 1, 0, ("off",), (("guard", "perturbed"), ("private", "cause"))),
    Case("3.9.0", 16, 16, 32, ("off", "guard"), (("guard", "none"), ("private", "cause"))),
    Case("3.8.0", 8, 1, 0, ()),
    Case("3.8.0", 16, 16, 32, ()),
)


@dataclass(frozen=True, slots=True)
class Triaged:
    """What `regtriage run` said. function: the only one of the kernel, as in the JSON."""

    case: Case
    status: int
    function: dict[str, Any]

    def variant(self, name: str) -> dict[str, Any]:
        (found,) = (v for v in self.function["variants"] if v["variant"] == name)
        return found

    def findings(self) -> list[dict[str, Any]]:
        """Of every wrong variant."""
        return [f for name in self.case.wrong for f in self.variant(name)["findings"]]


@pytest.fixture(scope="module", params=CASES, ids=str)
def triaged(
    request: pytest.FixtureRequest,
    unpacked_aiter: Path,
    triton_python: TritonPython,
    tmp_path_factory: pytest.TempPathFactory,
) -> Triaged:
    case: Case = request.param
    folder = tmp_path_factory.mktemp("kernel")
    kernel = folder / "attn_fwd.llir"
    run_or_fail(
        triton_python(case.triton),
        SCRIPT,
        unpacked_aiter,
        kernel,
        f"--q-heads={case.q_heads}",
        f"--k-heads={case.k_heads}",
        f"--positional={case.positional}",
        environment={"TRITON_CACHE_DIR": str(folder / "triton"), "TRITON_DEFAULT_FP_FUSION": "1"},
    )
    asked = [f"--variant={name}" for name in VARIANTS]
    command = [sys.executable, "-m", "regtriage.tools.cli", "run", str(kernel), *asked, "--json"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode not in (0, 1):
        pytest.fail(finished.stderr)
    (function,) = json.loads(finished.stdout)["functions"]
    return Triaged(case, finished.returncode, function)


def source_lines(place: dict[str, Any]) -> list[str]:
    """The line of the source itself and those it was inlined into, innermost first."""
    return [_source_line(Path(at["file"]), at["line"]) for at in place["debug"]]


def _source_line(file: Path, number: int) -> str:
    return file.read_text().splitlines()[number - 1].strip()


def test_the_verdicts(triaged: Triaged) -> None:
    verdicts = {name: triaged.variant(name)["verdict"] for name in VARIANTS}
    assert [name for name in VARIANTS if verdicts[name] == "BUG"] == list(triaged.case.wrong)
    assert "UNPROVEN" not in verdicts.values()
    assert triaged.status == (1 if triaged.case.wrong else 0)
    assert triaged.function["conclusion"] == ("miscompiled" if triaged.case.wrong else "clean")


def test_the_guard_fires_often(triaged: Triaged) -> None:
    assert triaged.variant("off")["spiller"]["fired"] == 0
    assert triaged.variant("guard")["spiller"]["fired"] >= 20


def test_a_cure_is_told_from_a_perturbation(triaged: Triaged) -> None:
    assert tuple((cure["variant"], cure["how"]) for cure in triaged.function["cures"]) == triaged.case.cures


def test_the_base_lanes_of_k_are_lost(triaged: Triaged) -> None:
    for name in triaged.case.wrong:
        findings = triaged.variant(name)["findings"]
        assert {f["layer"] for f in findings} == {"mir", "rewritten", "asm"}
        assert {f["needed"]["lane"] for f in findings} == {"sub0", "sub1"}
        assert len({f["needed"]["register"] for f in findings}) == 1
        loads = {line for f in findings for line in source_lines(f["use"]) if "_load_fn(" in line}
        expected = {"k = _load_fn(k_ptrs, k_offs_k, k_offs_n, BLOCK_DMODEL, seqlen_k)"}
        assert loads == (expected | {"k_pe = _load_fn("} if triaged.case.positional else expected)


def test_they_are_lost_to_the_dropout_path_over_the_back_edge(triaged: Triaged) -> None:
    for finding in triaged.findings():
        assert STORES[finding["layer"]] in finding["clobber"]["text"]
        assert source_lines(finding["clobber"])[0] == "tl.store(dropout_mask_ptrs, dropout_mask, mask=p_mask)"
        assert LOADS[finding["layer"]] in finding["use"]["text"]
        assert finding["loop_carried"]
        assert {finding["clobber"]["block"], finding["use"]["block"]} <= set(finding["loop"])
        assert "back-edge" in finding["path"]
        assert (finding["exit"], finding["exit_by"]) == ("hoist-inside-bb", "trace")


def test_execution_agrees(triaged: Triaged) -> None:
    for name in triaged.case.wrong:
        assert triaged.variant(name)["confirmed"]["differ"] > 0
