"""`regtriage bisect` on the two configurations of amd-aiter's fused attention that LLVM 23.1.1 gets wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import TritonPython, run_or_fail

pytestmark = pytest.mark.network

SCRIPT = Path(__file__).with_name("aiter_attn.py")
PROGRAM = (sys.executable, "-m", "regtriage.tools.cli")

CASES = {
    "heads-8-1": (("--q-heads=8", "--k-heads=1", "--positional=0"), "perturbed"),
    "heads-16-16": (("--q-heads=16", "--k-heads=16", "--positional=32"), "none"),
}
"""Options of the kernel, and how the guard does."""


def bisected(kernel: Path) -> str:
    done = subprocess.run([*PROGRAM, "bisect", str(kernel), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_one_register_is_the_cause(case: str, unpacked_aiter: Path, triton_python: TritonPython, tmp_path: Path):
    options, guard = CASES[case]
    kernel = tmp_path / "attn_fwd.llir"
    environment = {"TRITON_CACHE_DIR": str(tmp_path / "triton"), "TRITON_DEFAULT_FP_FUSION": "1"}
    run_or_fail(triton_python("3.9.0"), SCRIPT, unpacked_aiter, kernel, *options, environment=environment)
    said = bisected(kernel)
    (function,) = json.loads(said)["functions"]
    culprit: dict[str, Any] = function["culprit"]
    assert [m["decision"]["lanes"] for m in culprit["members"]] == [["sub0", "sub1"]]
    assert (culprit["how"], culprit["verdict"]) == ("cause", "CLEAN")
    assert {turn["variant"]: turn["how"] for turn in function["turns"]}["guard"] == guard
    hoist = function["probes"][0]
    assert hoist["name"].startswith("only the hoist of")
    assert (hoist["verdict"], "insert-spill" in hoist["says"]) == ("BUG", True)
    alone = subprocess.run([*PROGRAM, "run", str(kernel), *culprit["arguments"]], check=False, capture_output=True)
    assert alone.returncode == 0
    assert bisected(kernel) == said
