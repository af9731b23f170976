"""Asks the real compiler: a kernel as TTGIR, LLVM IR or SPIR-V in, what IGC spills out."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.intel.devices import Device
from regtriage.dataflow.ttgir.model import Module
from regtriage.tools.llc.errors import ToolFailure

from .install import private_folder
from .ocloc import Ocloc, find_ocloc
from .spirv import to_spirv
from .triton_xpu import TritonXpu
from .zebin import ZebinKernel


@dataclass(frozen=True, slots=True)
class Toolchain:
    """ocloc, and the Python of a Triton for XPU (None: this one). time_limit: seconds of one compilation."""

    ocloc: Ocloc
    triton_python: Path | None = None
    time_limit: float | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One kernel, as compiled for `compiled_for` with the limit on scratch raised.

    tools: every version that matters. shared: bytes of shared local memory that Triton lays out, None if not known.
    cap: of the device that was asked for.
    """

    kernel: ZebinKernel
    compiled_for: str
    cap: int
    tools: str
    shared: int | None
    seconds: float

    @property
    def scratch(self) -> int:
        """Bytes that are compared with the cap: the spill, or where the compiler does not say, its rounded size."""
        return self.kernel.scratch_bytes if self.kernel.spill_bytes is None else self.kernel.spill_bytes

    @property
    def is_over(self) -> bool:
        """Whether the driver, or a compiler with its usual limit, refuses the kernel."""
        return self.scratch > self.cap


def find_toolchain(ocloc: str | None, triton_python: Path | None, time_limit: float | None) -> Toolchain | None:
    """The compiler at hand; None if there is none. Raises InputError if one is named that is not there."""
    found = find_ocloc(ocloc, private_folder(), os.environ.get("REGTRIAGE_OCLOC"))
    if triton_python is None and os.environ.get("REGTRIAGE_TRITON_XPU"):
        triton_python = Path(os.environ["REGTRIAGE_TRITON_XPU"])
    return None if found is None else Toolchain(found, triton_python, time_limit)


def measure(kernel: Path, device: Device, tools: Toolchain, module: Module | None = None) -> tuple[Measurement, ...]:
    """Compile a kernel. module: the file's contents, for TTGIR.

    Raises InputError for a kernel that a compiler refuses to read, ToolFailure if a tool is missing or fails.
    """
    with tempfile.TemporaryDirectory(prefix="regtriage-intel-") as directory:
        out = Path(directory)
        words: list[str] = []
        shared = None
        if module is not None:
            triton = TritonXpu(tools.triton_python)
            lowered = triton.lower(
                kernel, out, warps=module.num_warps, threads_per_warp=module.threads_per_warp,
                dpas=_uses_dpas(module),
            )  # fmt: skip
            words.append(f"triton-xpu {lowered.version}")
            spirv, shared = lowered.spirv, lowered.shared
        elif kernel.suffix == ".spv":
            spirv = kernel
        else:
            spirv = to_spirv(kernel, out)
            words.append("LLVM's SPIR-V backend")
        build = tools.ocloc.compile(spirv, device, time_limit=tools.time_limit)
    words.append(str(tools.ocloc.version))
    found = tuple(
        Measurement(k, build.device, device.ptss_cap, "; ".join(words), shared, build.seconds) for k in build.kernels
    )
    if not found:
        raise ToolFailure(f"{kernel}: error: the compiler left no kernel")
    return found


def _uses_dpas(module: Module) -> bool:
    return "dpas" in module.source.text
