"""Run the attention kernel in Triton's interpreter, compare it with plain numpy, print the largest difference.

Run by the Python of an environment with Triton and numpy, with TRITON_INTERPRET=1; takes one JSON object of the
kernel's constants and the lengths of the sequences.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "reproducers" / "attention"))
kernel: Any = __import__("kernel")

HEAD, BLOCK_M, BLOCK_N = 16, 32, 16
SCALE, DROP_RATE, SEED, FIRST_COUNTER = 0.3, 0.25, 1234, 99
UNWRITTEN = 7

Array = np.ndarray[Any, Any]


class Buffer:
    """As much of a torch tensor as the interpreter asks for; device and host are the same memory."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.dtype = array.dtype.name

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def untyped_storage(self) -> Buffer:
        return self

    def cpu(self) -> Buffer:
        return self

    def copy_(self, _host: Buffer) -> None:
        pass

    def new_empty(self, _size: int, device: str) -> Buffer:
        del device
        return Buffer(self.array)

    def set_(self, storage: Buffer, *_view: object) -> None:
        self.array = storage.array

    def storage_offset(self) -> int:
        return 0

    def size(self) -> tuple[int, ...]:
        return self.array.shape

    def stride(self) -> tuple[int, ...]:
        return tuple(bytes_ // self.array.itemsize for bytes_ in self.array.strides)


def largest_difference(
    *, q_lengths: list[int], k_lengths: list[int], q_heads: int, k_heads: int, rope: int, causal: bool, **constants: Any
) -> float:
    """Between the kernel and the reference, over outputs and log-sum-exponentials."""
    random = np.random.default_rng(5)

    def rows(count: int, heads: int, width: int) -> Array:
        return random.standard_normal((count, heads, width), dtype=np.float32)

    batches, longest_q, longest_k = len(q_lengths), max(q_lengths), max(k_lengths)
    q_starts, k_starts = (np.cumsum([0, *lengths], dtype=np.int32) for lengths in (q_lengths, k_lengths))
    q = rows(q_starts[-1], q_heads, HEAD + rope)
    k = rows(k_starts[-1], k_heads, HEAD + rope)
    v = rows(k_starts[-1], k_heads, HEAD)
    out = np.full((q_starts[-1], q_heads, HEAD), UNWRITTEN, np.float32)
    lse = np.full((q_heads, q_starts[-1]), UNWRITTEN, np.float32)
    weights = np.full((batches, q_heads, longest_q, longest_k), UNWRITTEN, np.float32)
    mask = np.full(weights.shape, UNWRITTEN, np.uint8)

    strides: list[int] = []
    for tensor in (q, k, v, out):
        strides += [0, Buffer(tensor).stride()[1], Buffer(tensor).stride()[0]]
    strides += [*Buffer(weights).stride(), 0, *Buffer(lse).stride()]
    kernel.attention_forward[batches * q_heads * -(-longest_q // BLOCK_M),](
        *map(Buffer, (q, k, v, out, weights, mask, lse, q_starts, k_starts)),
        *strides,
        SCALE,
        DROP_RATE,
        SEED,
        FIRST_COUNTER,
        batches,
        longest_q,
        longest_k,
        Q_HEADS=q_heads,
        K_HEADS=k_heads,
        HEAD=HEAD,
        ROPE=rope,
        BLOCK_M=BLOCK_M,
        BLOCK_N=BLOCK_N,
        CAUSAL=causal,
        DROPOUT=True,
        RETURN_WEIGHTS=True,
        VARLEN=True,
        **constants,
    )

    worst = 0.0
    sequences = zip(pairwise(q_starts), pairwise(k_starts), strict=True)
    for batch, ((q_first, q_end), (k_first, k_end)) in enumerate(sequences):
        for head in range(q_heads):
            k_head = head // (q_heads // k_heads)
            kept = mask[batch, head, : q_end - q_first, : k_end - k_first]
            expected = attend(
                q[q_first:q_end, head], k[k_first:k_end, k_head], v[k_first:k_end, k_head], kept == 1, causal=causal
            )
            for got, want in zip((out[q_first:q_end, head], lse[head, q_first:q_end]), expected, strict=True):
                worst = max(worst, float(np.abs(got - want).max()))
    return worst


def attend(q: Array, k: Array, v: Array, kept: Array, *, causal: bool) -> tuple[Array, Array]:
    """Output and log-sum-exponential of one head of one sequence; zero for a query that sees no key."""
    seen = np.ones((len(q), len(k)), dtype=bool)
    if causal:
        seen = np.arange(len(q))[:, None] + len(k) - len(q) >= np.arange(len(k))[None, :]
    exponentials = np.where(seen, np.exp(SCALE * (q.astype(np.float64) @ k.T)), 0)
    total = exponentials.sum(1)
    sighted = total > 0
    weights = exponentials / np.where(sighted, total, 1)[:, None]
    return (weights * kept) @ v / (1 - DROP_RATE), np.log(np.where(sighted, total, 1))


if __name__ == "__main__":
    print(largest_difference(**json.loads(sys.argv[1])))
