"""Intel's own compiler and Triton for XPU, fetched and asked again what the records say."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from regtriage.dataflow.intel.devices import DEVICES
from regtriage.dataflow.intel.dots import Form, find_dots
from regtriage.dataflow.intel.gates import design_gates
from regtriage.dataflow.intel.staging import Plan, stage
from regtriage.dataflow.ttgir.parser import read
from regtriage.tools.intel.install import install_ocloc
from regtriage.tools.intel.measure import Toolchain, measure
from regtriage.tools.intel.ocloc import private_ocloc
from regtriage.tools.intel.study import read_module
from regtriage.tools.intel.triton_xpu import TritonXpu
from regtriage.tools.llc.errors import InputError

from .conftest import run_or_fail

pytestmark = [pytest.mark.network, pytest.mark.ocloc]

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "tests" / "data" / "intel" / "kernels"
RECORDED = {
    row["name"]: row["spill_bytes"]
    for row in map(json.loads, (ROOT / "tests/data/intel/measured.jsonl").read_text().splitlines())
}
DEVICE = next(device for device in DEVICES if device.name == "arl-s")


@pytest.fixture(scope="session")
def tools(cache: Path) -> Toolchain:
    """A private ocloc, and a Python with triton-xpu."""
    ocloc = private_ocloc(cache / "ocloc") or install_ocloc(cache / "ocloc", lambda step: None)
    environment = cache / "triton-xpu"
    python = environment / "bin" / "python"
    if not (environment / "complete").exists():
        run_or_fail(sys.executable, "-m", "venv", "--clear", environment)
        run_or_fail(python, "-m", "pip", "install", "--quiet", "--no-deps", "triton-xpu==3.3.0b1")
        (environment / "complete").touch()
    return Toolchain(ocloc, python)


@pytest.mark.parametrize(
    "name", ["dot_32x32x64_fp16_w4_t32", "dot_64x64x32_fp16_w4_t32", "matmul_64x64x32_fp16_w4_t32"]
)
def test_a_recorded_kernel_is_measured_again(tools: Toolchain, name: str):
    kernel = KERNELS / f"{name}.ttgir"
    (found,) = measure(kernel, DEVICE, tools, read_module(kernel))
    # The compiler moves on; the same version gives the same figure.
    if "IGC 2.40.14" in found.tools:
        assert found.scratch == RECORDED[name]
    assert abs(found.scratch / RECORDED[name] - 1) < 0.15


def test_the_overflow_and_its_cure(tools: Toolchain, tmp_path: Path):
    name = "dot_64x128x128_fp16_w4_t32"
    kernel = KERNELS / f"{name}.ttgir"
    module = read_module(kernel)
    (found,) = measure(kernel, DEVICE, tools, module)
    assert found.is_over
    (dot,) = find_dots(module)
    out = tmp_path / f"{name}.staged.ttgir"
    out.write_text(stage(module, [Plan(dot, design_gates(dot, DEVICE).k_tile)], Form.LOOP))
    (after,) = measure(out, DEVICE, tools, read_module(out))
    assert after.scratch < DEVICE.ptss_cap // 4


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("name", ["dot_64x64x128_fp16_w4_t32", "matmul_64x64x128_fp16_w4_t32"])
def test_staged_kernels_compute_the_same_once_lowered(tools: Toolchain, tmp_path: Path, name: str, form: Form):
    """The IR that Triton for XPU makes of both, executed on the CPU: see the script."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    kernel = KERNELS / f"{name}.ttgir"
    module = read_module(kernel)
    staged = tmp_path / f"{name}.staged.ttgir"
    staged.write_text(stage(module, [Plan(dot, 32) for dot in find_dots(module)], form))
    files: list[str] = []
    for number, text in enumerate((kernel, staged)):
        out = tmp_path / str(number)
        out.mkdir()
        lowered = TritonXpu(tools.triton_python).lower(text, out, warps=4, threads_per_warp=32)
        files.append(str(lowered.llir.rename(tmp_path / f"{text.stem}.llir")))
    script = ROOT / "reproducers" / "intel" / "execute_llir.py"
    done = subprocess.run([sys.executable, str(script), *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(done.stdout)
    assert results[1]["differ_from_first"] == 0
    assert results[1]["largest_error_against_float64"] < 0.1


def test_what_triton_does_not_take_has_its_place(tools: Toolchain, tmp_path: Path):
    kernel = tmp_path / "k.ttgir"
    kernel.write_text((KERNELS / "dot_32x32x32_fp16_w4_t32.ttgir").read_text().replace("arith.muli", "arith.mulX", 1))
    with pytest.raises(InputError, match=r"k\.ttgir:\d+:\d+: error: "):
        TritonXpu(tools.triton_python).lower(kernel, tmp_path, warps=4, threads_per_warp=32)
    read(kernel.read_text(), str(kernel))  # the reader takes ops that it does not know


def test_the_table_of_devices_says_what_the_compiler_says(tools: Toolchain):
    answers = {device.name: tools.ocloc.has_dpas(device.name) for device in DEVICES}
    assert {name for name, answer in answers.items() if answer is None} == set()
    assert answers == {device.name: device.has_dpas for device in DEVICES}
