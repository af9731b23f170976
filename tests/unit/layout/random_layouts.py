"""Random layouts for property tests, as hypothesis strategies."""

from __future__ import annotations

from hypothesis import strategies as st
from regtriage.dataflow.layout.encodings import Blocked, Distributed, DotOperand, NvidiaMma, Slice
from regtriage.dataflow.layout.forms import linear_form
from regtriage.dataflow.layout.linear import LinearLayout


@st.composite
def powers(draw: st.DrawFn, bits: int, count: int) -> tuple[int, ...]:
    """`count` powers of two whose product is 2**bits."""
    parts = [0] * count
    for _ in range(bits):
        parts[draw(st.integers(0, count - 1))] += 1
    return tuple(1 << part for part in parts)


@st.composite
def blocked(draw: st.DrawFn, rank: int, warps: int, lanes: int) -> Blocked:
    """A blocked layout for so many warps of so many lanes (log2)."""
    order = draw(st.permutations(range(rank)))
    size = draw(powers(draw(st.integers(0, 3)), rank))
    return Blocked(size, draw(powers(lanes, rank)), draw(powers(warps, rank)), tuple(order))


@st.composite
def encodings(draw: st.DrawFn, rank: int, warps: int, lanes: int) -> Distributed:
    """Any layout of registers that suits a tensor of this rank."""
    kind = draw(st.sampled_from(("blocked", "slice", "dot", "mma")))
    if kind == "slice":
        return Slice(draw(st.integers(0, rank)), draw(blocked(rank + 1, warps, lanes)))
    if kind == "dot" and rank >= 2:
        return DotOperand(draw(st.integers(0, 1)), draw(blocked(rank, warps, lanes)))
    if kind == "mma" and rank == 2 and lanes == 5:
        return NvidiaMma(2, 0, draw(powers(warps, 2)), (16, 8))
    return draw(blocked(rank, warps, lanes))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[LinearLayout, LinearLayout]:
    """Two layouts of the same tensor, of the same block of threads."""
    rank = draw(st.integers(1, 3))
    warps, lanes = draw(st.integers(0, 2)), draw(st.sampled_from((3, 4, 5, 6)))
    shape = draw(powers(draw(st.integers(0, 9)), rank))
    first, second = (linear_form(draw(encodings(rank, warps, lanes)), shape) for _ in range(2))
    return first, second
