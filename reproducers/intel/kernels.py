"""Two matmul kernels as Triton source, and a command that writes their TTGIR and SPIR-V for an Intel GPU.

Needs triton-xpu (3.3.0b1 was used), no GPU and no driver:

    python kernels.py OUT dot:64x128x128:fp16 matmul:64x128x128:fp16:w2 dot:64x64x128:bf16:t16

A kernel is KIND:MxNxK:TYPE, then wWARPS (4) and tTHREADS-PER-WARP (32). `dot` multiplies two tiles once;
`matmul` is the usual loop over K with masked loads. Both ask for IEEE products, which keeps float32 off the
tensor units.
"""

from __future__ import annotations

import json
import os
import sys
import types
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("TRITON_CACHE_DIR", "/tmp/regtriage-triton-xpu")

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def dot(a_ptr, b_ptr, c_ptr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    a = tl.load(a_ptr + m[:, None] * BK + k[None, :])
    b = tl.load(b_ptr + k[:, None] * BN + n[None, :])
    tl.store(c_ptr + m[:, None] * BN + n[None, :], tl.dot(a, b, input_precision="ieee"))


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ap = a_ptr + rm[:, None] * sam + rk[None, :]
    bp = b_ptr + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(ap, mask=rk[None, :] < K - k, other=0.0)
        b = tl.load(bp, mask=rk[:, None] < K - k, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
        ap += BK
        bp += BK * sbk
    cp = c_ptr + rm[:, None] * scm + rn[None, :]
    tl.store(cp, acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@dataclass(frozen=True)
class Shape:
    kind: str
    m: int
    n: int
    k: int
    dtype: str
    warps: int = 4
    threads: int = 32
    dpas: bool = False

    @property
    def name(self) -> str:
        tail = "_dpas" if self.dpas else ""
        return f"{self.kind}_{self.m}x{self.n}x{self.k}_{self.dtype}_w{self.warps}_t{self.threads}{tail}"

    @staticmethod
    def parse(text: str) -> Shape:
        kind, tile, dtype, *rest = text.split(":")
        m, n, k = map(int, tile.split("x"))
        options = {word[0]: word[1:] for word in rest}
        return Shape(kind, m, n, k, dtype, int(options.get("w", 4)), int(options.get("t", 32)), "d" in options)


def target(shape: Shape) -> GPUTarget:
    """What Triton asks the driver for on Arc graphics of Arrow Lake-S, here without a driver."""
    sizes = (16, 32) if shape.dpas else (8, 16, 32)
    return GPUTarget("xpu", {
        "name": "Intel(R) Arc(TM) Graphics", "platform_name": "Level-Zero", "vendor": "Intel", "version": "12.70.4",
        "driver_version": "1.6.33578", "gpu_eu_count": 64, "gpu_subslice_count": 8, "max_work_group_size": 1024,
        "max_num_sub_groups": 128, "sub_group_sizes": list(sizes), "has_fp64": True, "architecture": 0,
        "has_subgroup_matrix_multiply_accumulate": shape.dpas, "has_subgroup_2d_block_io": False,
        "has_subgroup_matrix_multiply_accumulate_tensor_float32": False, "has_bfloat16_conversions": True,
    }, shape.threads)  # fmt: skip


def compile_shape(shape: Shape):
    if shape.kind == "dot":
        function, types_ = dot, {"a_ptr": f"*{shape.dtype}", "b_ptr": f"*{shape.dtype}", "c_ptr": "*fp32"}
    else:
        function, types_ = matmul, {"a_ptr": f"*{shape.dtype}", "b_ptr": f"*{shape.dtype}", "c_ptr": "*fp16"}
        types_ |= dict.fromkeys(("M", "N", "K", "sam", "sbk", "scm"), "i32")
    attributes = {(at,): [["tt.divisibility", 16]] for at in range(len(types_))}
    tile = {"BM": shape.m, "BN": shape.n, "BK": shape.k}
    source = ASTSource(function, types_ | dict.fromkeys(tile, "constexpr"), tile, attributes)
    options = {"num_warps": shape.warps, "threads_per_warp": shape.threads}
    return triton.compile(source, target=target(shape), options=options)


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    # The backend would build a C++ helper against SYCL's headers only to name the architecture.
    backend = triton.backends.backends["intel"].compiler
    backend.__init__.__globals__["compile_module_from_src"] = lambda src, name: types.SimpleNamespace(
        parse_device_arch=lambda number: ""
    )
    for text in sys.argv[2:]:
        shape = Shape.parse(text)
        kernel = compile_shape(shape)
        (out / f"{shape.name}.ttgir").write_text(kernel.asm["ttgir"])
        (out / f"{shape.name}.llir").write_text(kernel.asm["llir"])
        (out / f"{shape.name}.spv").write_bytes(kernel.asm["spv"])
        print(json.dumps({"name": shape.name, "shared": kernel.metadata.shared}), flush=True)


if __name__ == "__main__":
    main()
