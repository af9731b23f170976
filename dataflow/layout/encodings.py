"""The layouts that Triton's GPU dialects name, as data. `linear.py` says what each of them means.

Names and parameters are those of the textual form, in snake case. A parameter that Triton leaves out where it
has its default has that default here.

The blocks of a cluster (CTAs of a CGA) are described by bases: bit b of the block's number moves the tile by
`cga[b]` tiles, a zero vector being a block that holds a copy. Older versions of Triton describe the same by
three lists; `cga_bases` converts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Bases = tuple[tuple[int, ...], ...]
"""One vector, in elements per tensor dimension, for each bit of an index; bit 0 first."""


class LayoutError(Exception):
    """The layout, or the question asked of it, makes no sense. The text is one clause, without a place."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """`#ttg.blocked`: registers, lanes and warps tile the tensor, one inside the other.

    size_per_thread, threads_per_warp, warps_per_cta: tiles along each dimension; order: dimensions, the one
    that is filled first at the front.
    """

    size_per_thread: tuple[int, ...]
    threads_per_warp: tuple[int, ...]
    warps_per_cta: tuple[int, ...]
    order: tuple[int, ...]
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class Slice:
    """`#ttg.slice`: the parent's layout with dimension `dim` taken out."""

    dim: int
    parent: Distributed


@dataclass(frozen=True, slots=True)
class DotOperand:
    """`#ttg.dot_op`: operand A (op_idx 0) or B (1) of a dot whose result has the parent's layout.

    k_width: consecutive elements along K in a lane; 0 where the parent is blocked.
    """

    op_idx: int
    parent: Distributed
    k_width: int = 0


@dataclass(frozen=True, slots=True)
class Linear:
    """`#ttg.linear`: bases of the element's coordinates over GF(2), for each bit of each hardware index."""

    register: Bases
    lane: Bases
    warp: Bases
    block: Bases = ()


@dataclass(frozen=True, slots=True)
class NvidiaMma:
    """`#ttg.nvidia_mma`: the accumulator of mma.sync (version 2) or wgmma (version 3)."""

    version_major: int
    version_minor: int
    warps_per_cta: tuple[int, ...]
    instr_shape: tuple[int, ...]
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class AmdMfma:
    """`#ttg.amd_mfma`: the accumulator of CDNA's matrix cores. version: 1 gfx908, 2 gfx90a, 3 gfx942, 4 gfx950.

    instr_shape: M, N and, since Triton 3.5, K.
    """

    version: int
    warps_per_cta: tuple[int, ...]
    instr_shape: tuple[int, ...]
    is_transposed: bool
    tiles_per_warp: tuple[int, ...] = ()
    element_bit_width: int = 32
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class AmdWmma:
    """`#ttg.amd_wmma`: the accumulator of RDNA's and gfx1250's. version: 1 gfx11, 2 gfx12, 3 gfx1250.

    register, warp: bases of whole instruction tiles.
    """

    version: int
    is_transposed: bool
    register: Bases
    warp: Bases
    instr_shape: tuple[int, ...] = (16, 16, 16)
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class Dpas:
    """`#ttig.dpas` (`#triton_intel_gpu.dpas`): the accumulator of Intel's systolic array."""

    repeat_count: int
    systolic_depth: int
    execution_size: int
    ops_per_channel: int
    threads_per_warp: int
    warps_per_cta: tuple[int, ...]
    rep_cluster: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SwizzledShared:
    """`#ttg.swizzled_shared`: rows of shared memory; groups of vec elements of a row change place with its phase.

    Row r has phase (r // per_phase) % max_phase.
    """

    vec: int
    per_phase: int
    max_phase: int
    order: tuple[int, ...]
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class RotatingShared:
    """`#ttg.amd_rotating_shared`: swizzled, the pattern rotating with every per_phase * max_phase rows."""

    vec: int
    per_phase: int
    max_phase: int
    order: tuple[int, ...]
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class PaddedShared:
    """`#ttg.padded_shared`: after every `interval` elements, `padding` unused ones.

    intervals: (interval, padding) pairs. offset: bases of the element stored at each bit of the offset before
    padding; None where the elements lie in `order`.
    """

    intervals: tuple[tuple[int, int], ...]
    order: tuple[int, ...] | None
    offset: Bases | None
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class NvMmaShared:
    """`#ttg.nvmma_shared`: the swizzles that wgmma, tcgen05 and the tensor memory accelerator read and write."""

    swizzling_byte_width: int
    transposed: bool
    element_bit_width: int
    fp4_padded: bool = False
    cga: Bases = ()


@dataclass(frozen=True, slots=True)
class SharedLinear:
    """`#ttg.shared_linear`: bases of the element stored at each bit of the offset, in elements."""

    offset: Bases
    block: Bases = ()
    alignment: int = 16


@dataclass(frozen=True, slots=True)
class UnknownEncoding:
    """An attribute that is no layout known here, as written."""

    text: str


Distributed = Blocked | Slice | DotOperand | Linear | NvidiaMma | AmdMfma | AmdWmma | Dpas
"""Layouts of tensors in registers."""

Shared = SwizzledShared | RotatingShared | PaddedShared | NvMmaShared | SharedLinear
"""Layouts of buffers in shared memory."""

Encoding = Distributed | Shared | UnknownEncoding


def cga_bases(ctas_per_cga: Sequence[int], split: Sequence[int], order: Sequence[int]) -> Bases:
    """The bases that CTAsPerCGA, CTASplitNum and CTAOrder stand for; none of them for a single block.

    Raises LayoutError if the three do not fit together.
    """
    rank = len(order)
    if len(ctas_per_cga) != rank or len(split) != rank or sorted(order) != list(range(rank)):
        raise LayoutError("CTAsPerCGA, CTASplitNum and CTAOrder do not describe the same dimensions")
    bases: list[tuple[int, ...]] = []
    for dim in order:
        ctas, parts = ctas_per_cga[dim], split[dim]
        if ctas < 1 or ctas & (ctas - 1) or parts < 1 or parts & (parts - 1) or parts > ctas:
            raise LayoutError(f"a dimension cannot be split in {parts} among {ctas} blocks")
        step = 1
        while step < parts:
            bases.append(tuple(step if d == dim else 0 for d in range(rank)))
            step *= 2
        bases.extend([(0,) * rank] * (ctas // parts).bit_length())
        bases.pop()
    return tuple(bases)
