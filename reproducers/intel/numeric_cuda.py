"""Does the staged kernel compute the same? On an NVIDIA GPU, which has the FMA path for blocked layouts too.

    python numeric_cuda.py compile OUT KERNEL.ttgir STAGED.ttgir...     needs Triton (3.3 for --form loop), no GPU
    python numeric_cuda.py run OUT > result.json                        needs CuPy and a GPU, no Triton

`compile` retargets the text to CUDA (the kernels keep their blocked layouts, so no tensor core is used) and lowers it
with Triton's CUDA backend to machine code. `run` launches the first kernel and each of the others on the same inputs
and compares what they store bit by bit, and with a product in float64. The arguments are those of kernels.py.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

CAPABILITY = int(os.environ.get("CUDA_CAPABILITY", "90"))


def retarget(text: str) -> str:
    """TTGIR for an Intel GPU as TTGIR for CUDA.

    The attributes of the module differ, and the name of the widening cast: the CUDA backend of Triton 3.3 does not
    lower tt.fp_to_fp from 16 bits.
    """
    text = re.sub(
        r"tt\.fp_to_fp (%[\w#]+) : (tensor<[\dx]+xb?f16, .*>) -> (tensor<[\dx]+xf32, .*>)",
        r"arith.extf \1 : \2 to \3", text,
    )  # fmt: skip
    head, module, rest = text.partition("module attributes {")
    attributes, brace, body = rest.partition("} {")
    kept = [a for a in re.split(r", (?=[\w\"])", attributes) if not a.startswith(("triton_intel_gpu.", "ttig."))]
    line = ", ".join(kept).replace('ttg.target = "xpu"', f'ttg.target = "cuda:{CAPABILITY}"')
    return head + module + line + brace + body


def compile_all(out: Path, files: list[Path]) -> None:
    import triton
    from triton.backends.compiler import GPUTarget

    out.mkdir(parents=True, exist_ok=True)
    os.environ["TRITON_CACHE_DIR"] = str(out / "cache")
    for file in files:
        text = file.read_text()
        copy = out / file.name
        copy.write_text(retarget(text))
        warps = int(re.search(r'"ttg.num-warps" = (\d+)', text)[1])
        kernel = triton.compile(str(copy), target=GPUTarget("cuda", CAPABILITY, 32), options={"num_warps": warps})
        (out / f"{file.stem}.cubin").write_bytes(kernel.asm["cubin"])
        facts = {
            "name": kernel.metadata.name, "shared": kernel.metadata.shared, "warps": warps,
            "parameters": len(re.findall(r"\.param ", kernel.asm["ptx"].partition("{")[0])),
            "arguments": len(re.findall(r"%arg\d+: ", text.partition("tt.func")[2].partition(" attributes")[0])),
            "tensor_core": bool(re.search(r"\b(?:mma|wgmma)\.", kernel.asm["ptx"])), "triton": triton.__version__,
        }  # fmt: skip
        (out / f"{file.stem}.json").write_text(json.dumps(facts))
        print(file.stem, facts, file=sys.stderr)


def tile_of(name: str) -> tuple[str, int, int, int, str]:
    kind, tile, dtype = name.split("_")[:3]
    m, n, k = map(int, tile.split("x"))
    return kind, m, n, k, dtype


def run_all(out: Path) -> None:
    import cupy as cp
    import numpy as np

    device = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    results = []
    groups: dict[str, list[str]] = {}
    for file in sorted(out.glob("*.cubin")):
        groups.setdefault(file.stem.partition(".")[0], []).append(file.stem)
    for original, stems in groups.items():
        stored = {stem: launch(cp, np, out, stem, original) for stem in stems}
        reference = stored[original]
        for stem in stems:
            output, facts, error = stored[stem][0], stored[stem][1], stored[stem][2]
            different = int(
                (
                    output.view(cp.uint32 if output.dtype == cp.float32 else cp.uint16)
                    != reference[0].view(cp.uint32 if output.dtype == cp.float32 else cp.uint16)
                ).sum()
            )
            results.append(
                {
                    "kernel": stem,
                    "elements": int(output.size),
                    "differ_from_original": different,
                    "largest_error_against_float64": error,
                    **facts,
                }
            )
    print(json.dumps({"gpu": device, "cupy": cp.__version__, "results": results}, indent=1))


def launch(cp, np, out: Path, stem: str, original: str):
    facts = json.loads((out / f"{stem}.json").read_text())
    kind, m, n, k, dtype = tile_of(original)
    module = cp.RawModule(path=str(out / f"{stem}.cubin"))
    function = module.get_function(facts["name"])
    function.max_dynamic_shared_size_bytes = max(facts["shared"], 1)
    random = np.random.default_rng(7)
    if kind == "dot":
        rows, columns, depth, grid = m, n, k, (1, 1, 1)
    else:  # not whole tiles, so that the masks matter, and several steps of the loop over K
        rows, columns, depth, grid = 2 * m - 16, 2 * n - 16, 3 * k - 16, (2, 2, 1)
    a = random.standard_normal((rows, depth)).astype(np.float32)
    b = random.standard_normal((depth, columns)).astype(np.float32)
    if dtype == "bf16":
        a, b = (np.ascontiguousarray((x.view(np.uint32) + 0x8000) & 0xFFFF0000).view(np.float32) for x in (a, b))
        stored_a, stored_b = ((x.view(np.uint32) >> 16).astype(np.uint16) for x in (a, b))
    else:
        numpy_type = np.float16 if dtype == "fp16" else np.float32
        a, b = a.astype(numpy_type), b.astype(numpy_type)
        stored_a, stored_b = a, b
    c = cp.full((rows, columns), float("nan"), cp.float32 if kind == "dot" else cp.float16)
    arguments = [cp.asarray(stored_a), cp.asarray(stored_b), c]
    if kind == "matmul":
        # Multiples of 16, all of them: the kernel was compiled for that.
        arguments += [np.int32(v) for v in (rows, columns, depth, depth, columns, columns)]
    # Besides the kernel's own arguments Triton's ABI has pointers to scratch that these kernels do not use.
    arguments += [np.uint64(0)] * (facts["parameters"] - facts["arguments"])
    function(grid, (32 * facts["warps"], 1, 1), tuple(arguments), shared_mem=facts["shared"])
    cp.cuda.runtime.deviceSynchronize()
    output = c
    exact = cp.asarray(a.astype(np.float64)) @ cp.asarray(b.astype(np.float64))
    error = float(cp.abs(output.astype(cp.float64) - exact).max())
    facts = {**facts, "registers": function.num_regs, "local_bytes": function.local_size_bytes}
    return output, facts, error


if __name__ == "__main__":
    what, folder, *names = sys.argv[1:]
    if what == "compile":
        compile_all(Path(folder), [Path(name) for name in names])
    else:
        run_all(Path(folder))
