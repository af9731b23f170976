"""Other people's kernels from PyPI: they can be collected, and the check finds them right or names what it cannot prove."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import TritonPython, run_or_fail

pytestmark = pytest.mark.network

ROOT = Path(__file__).parents[2]
REGTRIAGE = (sys.executable, "-m", "regtriage.tools.cli")
KERNELS = (("softmax", "_softmax_kernel_online"), ("gemm_a16w16", "_gemm_a16_w16_kernel"), ("gmm", "gmm_kernel"))


def test_guessed_kernels_compile_and_are_right(triton_python: TritonPython, unpacked_aiter: Path, tmp_path: Path):
    modules = [unpacked_aiter / "aiter/ops/triton/_triton_kernels" / f"{module}.py" for module, _ in KERNELS]
    names = [word for _, kernel in KERNELS for word in ("--kernel", kernel)]
    python = triton_python("3.9.0")
    run_or_fail(
        *REGTRIAGE,
        "collect",
        *modules,
        "--root",
        unpacked_aiter,
        "--guess",
        1,
        *names,
        "-o",
        tmp_path,
        "--triton",
        python,
    )
    items = json.loads((tmp_path / "index.json").read_text())["kernels"]
    assert {item["kernel"] for item in items} == {kernel for _, kernel in KERNELS}
    for item in items:
        assert str(unpacked_aiter) not in (tmp_path / item["file"]).read_text()
        run_or_fail(*REGTRIAGE, "run", tmp_path / item["file"], "--variant", "off", "--variant", "private")


@pytest.mark.corpus
def test_the_whole_corpus(triton_python: TritonPython, cache: Path):
    """Takes hours. See docs/trust.md for what it printed."""
    command = (
        sys.executable,
        ROOT / "benchmarks" / "corpus.py",
        "--cache",
        cache / "corpus",
        "--triton",
        triton_python("3.9.0"),
    )
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
