"""Compile amd-aiter's fused attention, forward, to LLVM IR. Run by the Python of an environment with Triton.

The wheel is only unpacked, never installed: its package imports torch, of which the kernel's module needs no
more than names. So torch and two modules that ask for a GPU are stubs, and no `__init__` of aiter's is run.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRITON_CODE = "aiter.ops.triton"
KERNEL_MODULE = f"{TRITON_CODE}._triton_kernels.mha"

FIXED_CONSTANTS: dict[str, object] = {
    "IS_CAUSAL": True,
    "PRELOAD_V": True,
    "BLOCK_M": 256,
    "BLOCK_N": 64,
    "BLOCK_DMODEL": 64,
    "BLOCK_DMODEL_POW2": 64,
    "RETURN_SCORES": True,
    "ENABLE_DROPOUT": True,
    "IS_FP8": False,
    "FP8_MAX": 448.0,
    "VARLEN": True,
    "NUM_XCD": 8,
    "USE_INT64_STRIDES": True,
}
ABSENT = ("descale_q_ptr", "descale_k_ptr", "descale_v_ptr", "alibi_slopes_ptr")
UNIT_STRIDES = (
    "stride_qk_in",
    "stride_kk_in",
    "stride_vk_in",
    "stride_on_in",
    "stride_sd_n_in",
    "stride_lse_m_in",
)
STRIDES_OF_ABSENT = ("stride_descale_", "stride_alibi_")
TYPES = {
    "q_ptr": "*bf16",
    "k_ptr": "*bf16",
    "v_ptr": "*bf16",
    "out_ptr": "*bf16",
    "s_dmask_ptr": "*fp32",
    "dropout_mask_ptr": "*u8",
    "softmax_lse_ptr": "*fp32",
    "cu_seqlens_q": "*i32",
    "cu_seqlens_k": "*i32",
    "sm_scale": "fp32",
    "dropout_p": "fp32",
    "philox_seed": "i64",
    "philox_offset_base_in": "i64",
}


@dataclass(frozen=True, slots=True)
class Arguments:
    """What Triton is told of the kernel's arguments, by name and by position."""

    signature: dict[str, str]
    constants: dict[tuple[int], object]
    attributes: dict[tuple[int], list[list[str | int]]]


def describe(names: Sequence[str], constants: dict[str, object]) -> Arguments:
    """Types, constants and alignments of the kernel's arguments."""
    result = Arguments({}, {}, {})
    for position, name in enumerate(names):
        if name in constants:
            result.signature[name] = "constexpr"
            result.constants[(position,)] = constants[name]
            continue
        result.signature[name] = TYPES.get(name, "i32")
        if result.signature[name].startswith("*"):
            result.attributes[(position,)] = [["tt.divisibility", 16], ["tt.pointer_range", 32]]
        elif name.startswith("SEQLEN_") or (name.startswith("stride_") and not name.startswith(STRIDES_OF_ABSENT)):
            result.attributes[(position,)] = [["tt.divisibility", 16]]
    return result


def load_kernel(unpacked: Path) -> Any:
    """The Triton function `_attn_fwd` of the unpacked wheel."""
    torch = types.ModuleType("torch")
    torch.__dict__.update(Tensor=object, dtype=object, float32=None)
    sys.modules["torch"] = torch
    for name in (
        "aiter",
        "aiter.ops",
        TRITON_CODE,
        f"{TRITON_CODE}._triton_kernels",
        f"{TRITON_CODE}.utils",
        f"{TRITON_CODE}.utils._triton",
    ):
        package = types.ModuleType(name)
        package.__path__ = [str(unpacked.joinpath(*name.split(".")))]
        sys.modules[name] = package
    sys.modules[f"{TRITON_CODE}.utils._triton.arch_info"] = types.ModuleType("arch_info")
    core = types.ModuleType("core")
    core.__dict__["AITER_TRITON_CONFIGS_PATH"] = ""
    sys.modules[f"{TRITON_CODE}.utils.core"] = core
    return importlib.import_module(KERNEL_MODULE)._attn_fwd


def compile_kernel(kernel: Any, constants: dict[str, object]) -> str:
    """The LLVM IR that Triton makes for gfx950."""
    # by name, because the environment of the type checker has no Triton
    triton, backends, compiler = (
        importlib.import_module(name) for name in ("triton", "triton.backends.compiler", "triton.compiler")
    )
    arguments = describe(kernel.arg_names, constants)
    source = compiler.ASTSource(
        fn=kernel, signature=arguments.signature, constexprs=arguments.constants, attrs=arguments.attributes
    )
    options = {"num_warps": 8, "waves_per_eu": 2, "num_stages": 1}
    return triton.compile(source, target=backends.GPUTarget("hip", "gfx950", 64), options=options).asm["llir"]


def main() -> None:
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("unpacked", type=Path, help="the wheel's folder")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--q-heads", type=int, required=True)
    parser.add_argument("--k-heads", type=int, required=True)
    parser.add_argument("--positional", type=int, required=True, help="width of the positional part, 0 for none")
    options = parser.parse_args()
    constants = {
        **FIXED_CONSTANTS,
        **dict.fromkeys(ABSENT),
        **dict.fromkeys(UNIT_STRIDES, 1),
        "NUM_Q_HEADS": options.q_heads,
        "NUM_K_HEADS": options.k_heads,
        "BLOCK_DMODEL_PE": options.positional,
    }
    options.out.write_text(compile_kernel(load_kernel(options.unpacked), constants))


if __name__ == "__main__":
    main()
