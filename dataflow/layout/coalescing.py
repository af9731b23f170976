"""The layout that makes accesses through a tensor of pointers wide and contiguous: Triton's rule.

What is known of the pointers, along each dimension:
- contiguity: so many neighbours lie side by side in memory, for each aligned group of so many;
- divisibility: the address of the first of each group is a multiple of so many bytes.

The dimension with the greatest contiguity is fed first. A thread takes as many neighbours as the alignment
allows, at most 128 bits, and no more than there are elements for each thread. A load takes as many as the
widest access of the same order and shape that it is connected with by uses and definitions, unless a loop
hands its pointers over; a store or an atomic never takes more than its own, and an atomic no more than one
atomic instruction of the target. Lanes, then warps, are spent along the dimensions in order; the last one
takes the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .encodings import Bases, Blocked, LayoutError
from .linear import log2

VECTOR_BITS = 128


@dataclass(frozen=True, slots=True)
class PointerFacts:
    """A tensor of pointers: its shape, the bits of what they point to, and what is known along each dimension."""

    shape: tuple[int, ...]
    element_bits: int
    contiguity: tuple[int, ...]
    divisibility: tuple[int, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """Dimensions by contiguity, the greatest first; of equals the last dimension first."""
        return tuple(sorted(range(len(self.shape)), key=lambda dim: (-self.contiguity[dim], -dim)))


@dataclass(frozen=True, slots=True)
class Width:
    """How many elements a thread takes, and why no more.

    by_alignment, by_contiguity, by_vector: what each alone would allow; limit: the name of the smallest. by_target:
    what the target's atomics allow, for an atomic.
    """

    elements: int
    by_alignment: int
    by_contiguity: int
    by_vector: int
    by_target: int | None = None

    @property
    def limit(self) -> str:
        """`divisibility`, `contiguity`, `vector width` or `atomics`."""
        limits = {
            "vector width": self.by_vector, "divisibility": self.by_alignment, "contiguity": self.by_contiguity,
        }  # fmt: skip
        if self.by_target is not None:
            limits["atomics"] = self.by_target
        return min(limits, key=lambda name: limits[name])


def access_width(
    facts: PointerFacts, order: Sequence[int], share: Sequence[int], by_target: int | None = None
) -> Width:
    """The elements that one access of a thread may take, as seen from its own pointers.

    share: the shape of a block's part of the tensor. by_target: the cap of an atomic.
    """
    dim = order[0]
    element_bytes = max(1, facts.element_bits // 8)
    by_alignment = max(1, facts.divisibility[dim] // element_bytes)
    by_contiguity = min(facts.contiguity[dim], share[dim])
    by_vector = max(1, VECTOR_BITS // facts.element_bits)
    elements = min(by_alignment, by_contiguity, by_vector, by_vector if by_target is None else by_target)
    return Width(elements, by_alignment, by_contiguity, by_vector, by_target)


def atomic_elements(operation: str, element: str, target: str) -> int:
    """The elements that one atomic instruction takes of a lane.

    operation: `fadd`, `max`, `cas` and so on; element: `f16`; target: as modules name it, `cuda:90` or `hip:gfx950`.
    Only floating-point addition has vectors: NVIDIA's since sm_90 (red.global.v*), and f16x2 before; AMD's packed
    f16 and bf16.
    """
    if operation != "fadd":
        return 1
    vendor, _, arch = target.partition(":")
    if vendor == "hip":
        return 2 if element in ("f16", "bf16") else 1
    if vendor == "cuda" and arch.isdigit() and int(arch) < 90:
        return 2 if element == "f16" else 1
    return {"f16": 8, "bf16": 8, "f32": 4}.get(element, 1)


def share_of(shape: Sequence[int], cga: Bases) -> tuple[int, ...]:
    """The part of a tensor that each block of a cluster has."""
    parts = [1] * len(shape)
    for vector in cga:
        parts = [max(part, coordinate << 1) for part, coordinate in zip(parts, vector, strict=True)]
    return tuple(max(1, extent // part) for extent, part in zip(shape, parts, strict=True))


def elements_per_thread(
    width: int, share: Sequence[int], warps: int, threads_per_warp: int, own: int | None = None
) -> int:
    """Elements of a thread's access: at most those there are for each thread.

    width: of the widest connected access. own: of the access itself, which a store or an atomic never exceeds.
    """
    per_thread = max(1, math.prod(share) // (warps * threads_per_warp))
    return min(width, per_thread) if own is None else min(width, per_thread, own)


def blocked_layout(
    share: Sequence[int],
    size_per_thread: Sequence[int],
    order: Sequence[int],
    warps: int,
    threads_per_warp: int,
    cga: Bases = (),
) -> Blocked:
    """Spend lanes, then warps, along the dimensions in order; the last dimension takes what is left.

    Raises LayoutError if a number is no power of two, or order is no permutation.
    """
    rank = len(share)
    if sorted(order) != list(range(rank)) or len(size_per_thread) != rank:
        raise LayoutError("order and sizes do not fit the tensor's dimensions")
    for count in (*share, *size_per_thread, warps, threads_per_warp):
        log2(count)
    lanes_of, warps_of = [1] * rank, [1] * rank
    lanes, threads, left = threads_per_warp, warps * threads_per_warp, warps
    for dim in order[:-1]:
        wanted = min(max(1, share[dim] // size_per_thread[dim]), threads)
        lanes_of[dim] = min(wanted, lanes)
        warps_of[dim] = min(max(1, wanted // lanes_of[dim]), left)
        lanes //= lanes_of[dim]
        left //= warps_of[dim]
        threads //= wanted
    lanes_of[order[-1]] = lanes
    warps_of[order[-1]] = left
    return Blocked(tuple(size_per_thread), tuple(lanes_of), tuple(warps_of), tuple(order), cga)


def coalesced_layout(
    facts: PointerFacts, warps: int, threads_per_warp: int, order: Sequence[int] | None = None, cga: Bases = ()
) -> Blocked:
    """The layout for one access that is connected with no other. Raises LayoutError as `blocked_layout` does."""
    order = facts.order if order is None else tuple(order)
    share = share_of(facts.shape, cga)
    width = access_width(facts, order, share).elements
    size = [1] * len(share)
    size[order[0]] = elements_per_thread(width, share, warps, threads_per_warp)
    return blocked_layout(share, size, order, warps, threads_per_warp, cga)
