"""The kernels that the other files here were compiled from: `python kernels.py FOLDER`, with triton installed."""

# ruff: noqa: N803
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    a = a_ptr + om[:, None] * sam + ok[None, :]
    b = b_ptr + ok[:, None] * sbk + on[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a, mask=ok[None, :] < K - k, other=0.0)
        y = tl.load(b, mask=ok[:, None] < K - k, other=0.0)
        acc += tl.dot(x, y)
        a += BK
        b += BK * sbk
    tl.store(c_ptr + om[:, None] * scm + on[None, :], acc.to(tl.float16), mask=(om[:, None] < M) & (on[None, :] < N))


@triton.jit
def softmax(o, i, s, n, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    x = tl.load(i + r * s + c, mask=c < n, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    e = tl.exp(x)
    z = tl.sum(e, axis=0)
    tl.store(o + r * s + c, e / z, mask=c < n)
    tl.atomic_add(o + c, e, mask=c < n)


@triton.jit
def mmdesc(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, WS: tl.constexpr):
    d = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    e = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    f = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=WS):
        acc = tl.dot(d.load([m, k]), e.load([n, k]).T, acc)
    f.store([m, n], acc.to(tl.float16))


def save(folder, name, fn, types, constants, target, aligned):
    names = fn.arg_names
    signature = {n: types.get(n, "constexpr" if n in constants else "i32") for n in names}
    attributes = {(names.index(n),): [["tt.divisibility", 16]] for n in aligned}
    source = ASTSource(fn, signature, constexprs={(names.index(n),): v for n, v in constants.items()}, attrs=attributes)
    kernel = triton.compile(source, target=target, options={"num_warps": 4})
    for stage in ("ttir", "ttgir"):
        (Path(folder) / f"{name}.{stage}").write_text(kernel.asm[stage])


def main(folder):
    halves = {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16"}
    abc = {"a": "*fp16", "b": "*fp16", "c": "*fp16"}
    for name, target in (("sm80", GPUTarget("cuda", 80, 32)), ("gfx950", GPUTarget("hip", "gfx950", 64))):
        save(
            folder,
            f"matmul-{name}",
            matmul,
            halves,
            {"BM": 64, "BN": 128, "BK": 64},
            target,
            ("sam", "sbk", "scm", *halves),
        )
        save(folder, f"softmax-{name}", softmax, {"o": "*fp32", "i": "*fp32"}, {"B": 1024}, target, ("o", "i", "s"))
    tile = {"BM": 128, "BN": 128, "BK": 64}
    save(folder, "matmul-descriptor-sm90", mmdesc, abc, tile | {"WS": True}, GPUTarget("cuda", 90, 32), "abcMNK")
    save(
        folder,
        "matmul-descriptor-gfx1250",
        mmdesc,
        abc,
        tile | {"WS": False},
        GPUTarget("hip", "gfx1250", 32),
        "abcMNK",
    )


if __name__ == "__main__":
    main(sys.argv[1])
