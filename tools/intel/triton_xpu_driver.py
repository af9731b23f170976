"""Lowers TTGIR with an installed Triton for XPU, without a GPU or a driver. Run by the Python that has this Triton.

usage: triton_xpu_driver.py --version
       triton_xpu_driver.py JOB

JOB is a JSON object: input (a .ttgir file), out (a folder), warps, threads_per_warp, dpas. Writes kernel.llir and
kernel.spv into the folder; prints a JSON object with `name`, `shared` (bytes of shared local memory) and `version`.
"""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import Any

STATUS_NO_TRITON = 4

# Python looks for modules beside its script first.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).resolve().parent]


def _load() -> Any:
    try:
        import triton  # type: ignore
    except ImportError as error:
        sys.stderr.write(f"error: no Triton for {sys.executable}: {error}\n")
        sys.exit(STATUS_NO_TRITON)
    if "intel" not in triton.backends.backends:  # type: ignore
        sys.stderr.write(f"error: the Triton of {sys.executable} is not Triton for XPU (triton-xpu)\n")
        sys.exit(STATUS_NO_TRITON)
    # The backend's constructor builds a helper against SYCL's headers, only to turn a number into an architecture's
    # name. Without a device there is no number. The backend lives in a module that Triton made itself, so its
    # globals are reached through the class.
    backend = triton.backends.backends["intel"].compiler  # type: ignore
    backend.__init__.__globals__["compile_module_from_src"] = lambda src, name: types.SimpleNamespace(  # type: ignore
        parse_device_arch=lambda number: ""  # type: ignore
    )
    return triton  # type: ignore


def _properties(threads_per_warp: int, *, dpas: bool) -> dict[str, Any]:
    """What the driver would say of the device. A wrong smallest sub-group size makes the backend abort."""
    sizes = [threads_per_warp, 32] if dpas and threads_per_warp < 32 else [8, 16, 32]
    return {
        "name": "", "platform_name": "", "vendor": "", "version": "12.70.4", "driver_version": "1.6.33578",
        "gpu_eu_count": 64, "gpu_subslice_count": 8, "max_work_group_size": 1024, "max_num_sub_groups": 128,
        "sub_group_sizes": sizes, "has_fp64": True, "architecture": 0, "has_bfloat16_conversions": True,
        "has_subgroup_matrix_multiply_accumulate": dpas, "has_subgroup_2d_block_io": False,
        "has_subgroup_matrix_multiply_accumulate_tensor_float32": False,
    }  # fmt: skip


def main(argument: str) -> int:
    """Returns the exit status."""
    triton = _load()
    if argument == "--version":
        print(triton.__version__)
        return 0
    job = json.loads(argument)
    os.environ["TRITON_CACHE_DIR"] = str(Path(job["out"]) / "cache")
    from triton.backends.compiler import GPUTarget  # type: ignore

    threads: int = job["threads_per_warp"]
    target = GPUTarget("xpu", _properties(threads, dpas=job["dpas"]), threads)  # type: ignore
    options = {"num_warps": job["warps"], "threads_per_warp": threads}
    kernel = triton.compile(job["input"], target=target, options=options)
    out = Path(job["out"])
    (out / "kernel.llir").write_text(kernel.asm["llir"])
    (out / "kernel.spv").write_bytes(kernel.asm["spv"])
    result = {"name": kernel.metadata.name, "shared": kernel.metadata.shared, "version": triton.__version__}
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
