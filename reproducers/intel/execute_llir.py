"""Does the staged kernel compute the same once Triton for XPU has lowered it? Executes its LLVM IR on the CPU.

    python execute_llir.py KERNEL.llir STAGED.llir...       needs numpy, gcc and regtriage's llc, no GPU

The IR that the SPIR-V is made of calls little besides arithmetic: the lane's and the block's number, and a barrier.
It is compiled for this machine, and each lane of a block becomes a thread. The first kernel and the others get the
same inputs; what they store is compared bit by bit, and with a product in float64. Names are those of kernels.py.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HARNESS = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static __thread long local_id, group_id[3];
static pthread_barrier_t barrier;
long _Z12get_local_idj(unsigned axis) { return axis == 0 ? local_id : 0; }
long _Z12get_group_idj(unsigned axis) { return group_id[axis]; }
void _Z7barrierj(unsigned flags) { (void)flags; pthread_barrier_wait(&barrier); }
static void *A, *B, *C, *shared; static int *I; static long block[2];
#ifdef MATMUL
extern void matmul(void *, void *, void *, int, int, int, int, int, int, void *);
#else
extern void dot(void *, void *, void *, void *);
#endif
static void *lane(void *id) {
  local_id = (long)id; group_id[0] = block[0]; group_id[1] = block[1];
#ifdef MATMUL
  matmul(A, B, C, I[0], I[1], I[2], I[3], I[4], I[5], shared);
#else
  dot(A, B, C, shared);
#endif
  return 0;
}
int run(void *a, void *b, void *c, int *integers, int blocks_x, int blocks_y, int lanes, long bytes) {
  pthread_t threads[1024];
  A = a; B = b; C = c; I = integers;
  for (block[0] = 0; block[0] < blocks_x; ++block[0])
    for (block[1] = 0; block[1] < blocks_y; ++block[1]) {
      if (posix_memalign(&shared, 4096, bytes)) return 1;
      memset(shared, 0xff, bytes);  // NaN, in any float
      pthread_barrier_init(&barrier, 0, lanes);
      for (long i = 0; i < lanes; ++i) if (pthread_create(&threads[i], 0, lane, (void *)i)) return 1;
      for (long i = 0; i < lanes; ++i) pthread_join(threads[i], 0);
      pthread_barrier_destroy(&barrier);
      free(shared);
    }
  return 0;
}
"""
SHARED_BYTES = 128 << 10


def build(llir: Path, out: Path, kind: str) -> ctypes.CDLL:
    text = llir.read_text()
    text = re.sub(r"(?m)^target (?:triple|datalayout) = .*$", "", text)
    text = re.sub(r"\bspir_(?:kernel|func) ", "", text)
    (out / "kernel.ll").write_text(text)
    (out / "harness.c").write_text(HARNESS)
    llc = shutil.which("regtriage-llc") or str(Path(sys.executable).parent / "regtriage-llc")
    machine = ["-mtriple=x86_64-unknown-linux-gnu", "-mattr=+avx2,+fma,+f16c", "-relocation-model=pic"]
    subprocess.run(
        [llc, str(out / "kernel.ll"), "-O1", *machine, "-filetype=obj", "-o", str(out / "kernel.o")], check=True
    )
    define = ["-DMATMUL"] if kind == "matmul" else []
    library = out / f"{llir.stem}.so"
    subprocess.run(
        ["gcc", "-O1", "-shared", "-fPIC", "-pthread", *define, str(out / "harness.c"), str(out / "kernel.o"), "-o", str(library)],
        check=True,
    )  # fmt: skip
    return ctypes.CDLL(str(library))


def inputs(kind: str, m: int, n: int, k: int, dtype: str):
    """A, B as numbers, and as stored; the sizes and the grid."""
    if kind == "dot":
        rows, columns, depth, grid = m, n, k, (1, 1)
    else:  # not whole tiles, so that the masks matter, and several steps of the loop over K
        rows, columns, depth, grid = 2 * m - 16, 2 * n - 16, 2 * k - 16, (2, 2)
    random = np.random.default_rng(7)
    numbers = [random.standard_normal(shape).astype(np.float32) for shape in ((rows, depth), (depth, columns))]
    if dtype == "bf16":
        numbers = [((x.view(np.uint32) + 0x8000) & 0xFFFF0000).view(np.float32) for x in numbers]
        stored = [(x.view(np.uint32) >> 16).astype(np.uint16) for x in numbers]
    else:
        numbers = stored = [x.astype(np.float16 if dtype == "fp16" else np.float32) for x in numbers]
    return numbers, stored, (rows, columns, depth), grid


def execute(llir: Path):
    kind, tile, dtype, warps, threads = llir.stem.partition(".")[0].split("_")[:5]
    m, n, k = map(int, tile.split("x"))
    numbers, stored, (rows, columns, depth), grid = inputs(kind, m, n, k, dtype)
    output = np.full((rows, columns), np.nan, np.float32 if kind == "dot" else np.float16)
    integers = (ctypes.c_int * 6)(rows, columns, depth, depth, columns, columns)
    with tempfile.TemporaryDirectory() as directory:
        library = build(llir, Path(directory), kind)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*stored, output)]
        lanes = int(warps[1:]) * int(threads[1:])
        if library.run(*pointers, integers, *grid, lanes, ctypes.c_long(SHARED_BYTES)):
            raise SystemExit(f"{llir}: error: the lanes could not be started")
    exact = numbers[0].astype(np.float64) @ numbers[1].astype(np.float64)
    return output, float(np.abs(output.astype(np.float64) - exact).max())


def main(files: list[Path]) -> int:
    reference, results = None, []
    for file in files:
        output, error = execute(file)
        reference = output if reference is None else reference
        bits = np.uint32 if output.dtype == np.float32 else np.uint16
        different = int((output.view(bits) != reference.view(bits)).sum())
        results.append(
            {
                "kernel": file.stem,
                "elements": output.size,
                "differ_from_first": different,
                "largest_error_against_float64": error,
            }
        )
    print(json.dumps(results, indent=1))
    return int(any(result["differ_from_first"] for result in results))


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
