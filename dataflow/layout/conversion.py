"""What it takes to convert a tensor from one layout to another.

Two answers are given, because they differ.

By ownership: a place of the destination (block, warp, lane, register) needs an element. If the same lane holds it
in the source, the conversion only renames registers; else if another lane of the same warp does, a shuffle
brings it; else it has to go through shared memory. The nearest of several copies counts, and the worst place
decides.

As Triton does: every place of the destination reads from one fixed place of the source, found by solving
source(x) = destination(y) for the bits of y one by one. An index whose bases are the same on both sides maps to
itself; of other copies the one with no optional bit set is read, however far away it is. The conversion is a
renaming of registers if block, warp and lane map to themselves; if only block and warp do, it stays in the
warp, as a permutation of register and lane bits. That permutation is a product of permutations of register
bits, of lane bits, and of swaps of a register bit with a lane bit. With at most one such swap Triton shuffles;
with two or more it uses shared memory. Release 3.9 stays in the warp, too, where each warp holds what it needs
and only the lane that is read depends on the warp, not the register; 3.8 does not.

Both are linear: a property that holds for each basis holds everywhere, and the number of places that have it is a
power of two. `counts` is that algebra; the tests check it against looking at every place.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .encodings import LayoutError
from .linear import BLOCK, INDICES, LANE, REGISTER, WARP, LinearLayout, solve


class Means(enum.Enum):
    """How a conversion is done, cheapest first. CLUSTER: through the shared memory of another block (CTA)."""

    REGISTERS = "registers"
    WARP_SHUFFLE = "warp_shuffle"
    SHARED_MEMORY = "shared_memory"
    CLUSTER = "cluster"


class Release(enum.Enum):
    """The releases of Triton that were compared with; they convert by different rules."""

    V3_8 = "3.8"
    V3_9 = "3.9"


@dataclass(frozen=True, slots=True)
class Moves:
    """Places of the destination by where their element is: in the same lane, another lane, another warp, another block.

    Registers that repeat another one of the same lane are not counted.
    """

    same_lane: int
    other_lane: int
    other_warp: int
    other_block: int

    @property
    def total(self) -> int:
        """All places."""
        return self.same_lane + self.other_lane + self.other_warp + self.other_block

    @property
    def means(self) -> Means:
        """What the worst place needs."""
        if self.other_block:
            return Means.CLUSTER
        if self.other_warp:
            return Means.SHARED_MEMORY
        return Means.WARP_SHUFFLE if self.other_lane else Means.REGISTERS


@dataclass(frozen=True, slots=True)
class TritonWay:
    """What Triton does. means: None if the layouts are no permutation of each other's bits, for which no rule is known.

    swaps: of a register bit with a lane bit; None unless the conversion stays in the warp.
    """

    means: Means | None
    swaps: int | None


def counts(source: LinearLayout, destination: LinearLayout) -> Moves:
    """How far the elements of a conversion move, by algebra.

    Raises LayoutError if the layouts are of different tensors, or the source does not hold every element.
    """
    _check(source, destination)
    destination = destination.without_repeated_registers()
    places = len(destination.columns)
    same = [
        places - _distance(source, destination, near)
        for near in ((REGISTER,), (REGISTER, LANE), (REGISTER, LANE, WARP))
    ]
    lane, warp, block = (1 << bits for bits in same)
    return Moves(lane, warp - lane, block - warp, (1 << places) - block)


def by_ownership(source: LinearLayout, destination: LinearLayout) -> Means:
    """How the conversion is done if every place takes the nearest copy. Raises LayoutError as `counts` does."""
    return counts(source, destination).means


def _check(source: LinearLayout, destination: LinearLayout) -> None:
    if source.shape != destination.shape:
        raise LayoutError("the two layouts are of tensors of different shapes")
    if not source.is_surjective:
        raise LayoutError("the source does not hold every element")


def _distance(source: LinearLayout, destination: LinearLayout, near: Sequence[str]) -> int:
    """log2 of the fraction of places whose element is farther than the `near` indices of the source reach.

    A place's element, less what the source has at the same far indices, must be in the span of the near ones.
    """
    reach = [basis for index in near for basis in source.of_index(index)]
    rank = _rank(reach)
    differences: list[int] = []
    for index in destination.bases:
        held = source.of_index(index) if index not in near else ()
        for bit, basis in enumerate(destination.of_index(index)):
            differences.append(basis ^ (held[bit] if bit < len(held) else 0))
    return _rank([*reach, *differences]) - rank


def _rank(vectors: Iterable[int]) -> int:
    reduced: dict[int, int] = {}
    for vector in vectors:
        while vector:
            top = vector.bit_length()
            if top not in reduced:
                reduced[top] = vector
                break
            vector ^= reduced[top]
    return len(reduced)


# Triton's way

_Map = dict[str, list[dict[str, int]]]
"""For each bit of each index on one side, the indices on the other."""


def reads_from(source: LinearLayout, destination: LinearLayout) -> _Map:
    """Where in the source each bit of a destination index reads: the map that Triton converts by.

    Raises LayoutError as `counts` does.
    """
    _check(source, destination)
    return _invert_and_compose(source, destination)


def _invert_and_compose(source: LinearLayout, destination: LinearLayout) -> _Map:
    fixed = [i for i in destination.bases if source.of_index(i) == destination.of_index(i)]
    moving = [index for index in source.bases if index not in fixed]
    found: _Map = {}
    for index, bases in destination.bases.items():
        if index in fixed:
            found[index] = [{index: 1 << bit} for bit in range(len(bases))]
        else:
            found[index] = [_place(source, moving, basis) for basis in bases]
    return found


def _place(source: LinearLayout, indices: Sequence[str], element: int) -> dict[str, int]:
    columns = [basis for index in indices for basis in source.of_index(index)]
    bits = solve(columns, element)
    if bits is None:  # it depends on an index that is the same on both sides
        indices = tuple(source.bases)
        bits = solve(source.columns, element)
    if bits is None:
        return {}
    place: dict[str, int] = {}
    for index in indices:
        width = len(source.of_index(index))
        place[index] = bits & ((1 << width) - 1)
        bits >>= width
    return place


def _is_trivial(index: str, reads: _Map, source: LinearLayout, destination: LinearLayout) -> bool:
    """Whether an index maps to itself, and nothing else to it."""
    if len(source.of_index(index)) != len(destination.of_index(index)):
        return False
    for other, places in reads.items():
        for bit, place in enumerate(places):
            expected = 1 << bit if other == index else 0
            if place.get(index, 0) != expected:
                return False
            if other == index and any(place.get(i, 0) for i in INDICES if i != index):
                return False
    return True


def by_triton(source: LinearLayout, destination: LinearLayout, release: Release = Release.V3_9) -> TritonWay:
    """How Triton converts. Raises LayoutError as `counts` does."""
    reads = reads_from(source, destination)
    trivial = {index: _is_trivial(index, reads, source, destination) for index in INDICES}
    if not trivial[BLOCK]:
        return TritonWay(Means.CLUSTER, None)
    if not trivial[WARP] and not (release is Release.V3_9 and _stays_in_warp(source, destination)):
        return TritonWay(Means.SHARED_MEMORY, None)
    if trivial[WARP] and trivial[LANE]:
        return TritonWay(Means.REGISTERS, 0)
    swaps = _swaps(source.without_repeated_registers(), destination.without_repeated_registers())
    if swaps is None:
        return TritonWay(None, None)
    return TritonWay(Means.WARP_SHUFFLE if swaps < 2 else Means.SHARED_MEMORY, swaps)


def _stays_in_warp(source: LinearLayout, destination: LinearLayout) -> bool:
    """Whether every warp finds what it needs in itself, in registers that do not depend on the warp."""
    near = [*source.of_index(REGISTER), *source.of_index(LANE)]
    lanes = source.of_index(LANE)
    held = source.of_index(WARP)
    if len(held) != len(destination.of_index(WARP)):
        return False
    if any(solve(near, basis) is None for index in (REGISTER, LANE) for basis in destination.of_index(index)):
        return False
    return all(solve(lanes, a ^ b) is not None for a, b in zip(destination.of_index(WARP), held, strict=True))


def _swaps(source: LinearLayout, destination: LinearLayout) -> int | None:
    """Register bits that become lane bits; None if the conversion is no permutation of bits."""
    registers = max(len(source.of_index(REGISTER)), len(destination.of_index(REGISTER)))
    lanes = max(len(source.of_index(LANE)), len(destination.of_index(LANE)))
    source, destination = (_padded(layout, registers, lanes) for layout in (source, destination))
    goes_to = _invert_and_compose(destination, source)
    permutation: dict[tuple[str, int], tuple[str, int]] = {}
    free: tuple[list[tuple[str, int]], list[tuple[str, int]]] = ([], [])
    for index in (REGISTER, LANE):
        for bit, (a, b) in enumerate(zip(source.of_index(index), destination.of_index(index), strict=True)):
            lost = not a or not goes_to[index][bit]  # nothing of the destination's registers and lanes reads it
            if lost and not b:
                permutation[index, bit] = index, bit
                continue
            if lost:
                free[0].append((index, bit))
            elif not b:
                free[1].append((index, bit))
            if not lost:
                places = [(i, value) for i, value in goes_to[index][bit].items() if value]
                if len(places) != 1 or places[0][1] & (places[0][1] - 1):
                    return None
                permutation[index, bit] = places[0][0], places[0][1].bit_length() - 1
    permutation.update(zip(*free, strict=False))
    if len(set(permutation.values())) != registers + lanes:
        return None
    return sum(a == REGISTER and b == LANE for (a, _), (b, _) in permutation.items())


def _padded(layout: LinearLayout, registers: int, lanes: int) -> LinearLayout:
    def pad(index: str, count: int) -> tuple[int, ...]:
        bases = layout.of_index(index)
        return bases + (0,) * (count - len(bases))

    return LinearLayout({REGISTER: pad(REGISTER, registers), LANE: pad(LANE, lanes)}, layout.shape)
