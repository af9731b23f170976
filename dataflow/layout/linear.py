"""Linear layouts: hardware indices to elements, over the field of two elements.

A tensor whose dimensions are powers of two has an element for each string of bits, and so has a block of
threads a place for each string of bits: register, lane, warp and block (CTA) number. Every layout that Triton
has takes one to the other by exclusive or: a place's element is the XOR of the basis vectors of the bits set in
its indices. A zero basis is a copy: places that differ in that bit hold the same element. Two bases that are
equal (or any that depend on each other) are copies as well.

An element is counted here in row-major order: the bits of its last coordinate are the lowest. XOR of elements
is XOR of each coordinate, because no coordinate carries into another.

The same form serves shared memory: the index is then the offset, in elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .encodings import Bases, LayoutError

REGISTER, LANE, WARP, BLOCK, OFFSET = "register", "lane", "warp", "block", "offset"
INDICES = (REGISTER, LANE, WARP, BLOCK)

Elements = NDArray[np.int64]


def log2(count: int) -> int:
    """The exponent of a power of two. Raises LayoutError for any other number."""
    if count < 1 or count & (count - 1):
        raise LayoutError(f"{count} is no power of two")
    return count.bit_length() - 1


@dataclass(frozen=True)
class LinearLayout:
    """A map from indices, such as (register, lane, warp, block), to elements of a tensor.

    bases: for each index the elements of its bits, in row-major order, bit 0 first; shape: of the tensor.
    """

    bases: Mapping[str, tuple[int, ...]]
    shape: tuple[int, ...]

    @staticmethod
    def of(bases: Mapping[str, Bases], shape: Sequence[int]) -> LinearLayout:
        """From bases given by coordinates.

        Raises LayoutError if the shape is not of powers of two, or a coordinate does not fit into it.
        """
        shape = tuple(shape)
        for extent in shape:
            log2(extent)
        flat: dict[str, tuple[int, ...]] = {}
        for index, vectors in bases.items():
            flat[index] = tuple(_element(vector, shape) for vector in vectors)
        return LinearLayout(flat, shape)

    def of_index(self, index: str) -> tuple[int, ...]:
        """The bases of an index; none if the layout does not have it."""
        return self.bases.get(index, ())

    def count(self, index: str) -> int:
        """How many values an index has: registers of a thread, lanes of a warp and so on."""
        return 1 << len(self.of_index(index))

    @property
    def slowest_first(self) -> tuple[str, ...]:
        """The names of the indices: block, warp, lane, register."""
        return tuple(self.bases)[::-1]

    @property
    def size(self) -> int:
        """Elements of the tensor."""
        return 1 << self.bits

    @property
    def bits(self) -> int:
        """Bits of an element's number."""
        return sum(log2(extent) for extent in self.shape)

    def coordinates(self, elements: Elements) -> tuple[Elements, ...]:
        """The coordinates of elements, one array for each dimension."""
        found: list[Elements] = []
        for extent in reversed(self.shape):
            found.append(elements & (extent - 1))
            elements = elements >> log2(extent)
        return tuple(reversed(found))

    def vector(self, element: int) -> tuple[int, ...]:
        """The coordinates of one element."""
        found: list[int] = []
        for extent in reversed(self.shape):
            found.append(element & (extent - 1))
            element >>= log2(extent)
        return tuple(reversed(found))

    def vectors(self, index: str) -> Bases:
        """The bases of an index by coordinates, as Triton prints them."""
        return tuple(self.vector(basis) for basis in self.of_index(index))

    def elements(self, *indices: str) -> Elements:
        """The element at each place: an array with an axis for each index named, slowest first.

        Indices that are not named count as 0. Without a name: of all, `[block, warp, lane, register]`.
        """
        table = np.zeros((), dtype=np.int64)
        for index in indices or self.slowest_first:
            table = table[..., None] ^ span(self.of_index(index))
        return table

    def element(self, places: Mapping[str, int]) -> int:
        """The element at one place. Raises LayoutError if an index is out of range."""
        found = 0
        for index, value in places.items():
            if not 0 <= value < self.count(index):
                raise LayoutError(f"there is no {index} {value}: there are {self.count(index)}")
            for bit, basis in enumerate(self.of_index(index)):
                if value >> bit & 1:
                    found ^= basis
        return found

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """All bases, those of the first index first: the matrix's columns."""
        return tuple(basis for bases in self.bases.values() for basis in bases)

    @cached_property
    def rank(self) -> int:
        """Of the matrix: the layout holds 2**rank different elements."""
        return sum(1 for _ in _pivots(self.columns))

    @property
    def is_surjective(self) -> bool:
        """Whether every element has a place."""
        return self.rank == self.bits

    @property
    def replication(self) -> int:
        """How many places hold each element."""
        return 1 << (len(self.columns) - self.rank)

    def without_repeated_registers(self) -> LinearLayout:
        """Without registers that hold a copy of what a lower one of the same lane holds."""
        kept = [at for at, _ in _pivots(self.of_index(REGISTER))]
        registers = tuple(self.bases[REGISTER][at] for at in kept)
        return LinearLayout({**self.bases, REGISTER: registers}, self.shape)

    def holders(self, element: int) -> dict[str, NDArray[np.int64]]:
        """All places that hold an element: for each index an array, sorted by the slowest index.

        Raises LayoutError if the element does not exist.
        """
        if not 0 <= element < self.size:
            raise LayoutError(f"there is no element {element}")
        first = solve(self.columns, element)
        if first is None:
            return {index: np.zeros(0, dtype=np.int64) for index in self.bases}
        places = np.sort(np.int64(first) ^ span(kernel(self.columns)))
        found: dict[str, NDArray[np.int64]] = {}
        for index, bases in self.bases.items():
            found[index] = places & ((1 << len(bases)) - 1)
            places = places >> len(bases)
        return found


def span(bases: Sequence[int]) -> Elements:
    """XOR of every subset of the bases: entry n is that of the bits set in n."""
    found = np.zeros(1 << len(bases), dtype=np.int64)
    for bit, basis in enumerate(bases):
        found[1 << bit : 2 << bit] = found[: 1 << bit] ^ basis
    return found


def _pivots(columns: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The columns that are independent of those before them: (number, column reduced by those)."""
    reduced: dict[int, int] = {}
    for at, column in enumerate(columns):
        while column:
            top = column.bit_length()
            if top not in reduced:
                reduced[top] = column
                yield at, column
                break
            column ^= reduced[top]


def kernel(columns: Sequence[int]) -> list[int]:
    """A basis of the indices (bit n: column n) that the columns take to zero."""
    reduced: dict[int, tuple[int, int]] = {}
    found: list[int] = []
    for at, column in enumerate(columns):
        combination = 1 << at
        while column:
            top = column.bit_length()
            if top not in reduced:
                reduced[top] = column, combination
                break
            column ^= reduced[top][0]
            combination ^= reduced[top][1]
        else:
            found.append(combination)
    return found


def solve(columns: Sequence[int], target: int) -> int | None:
    """Bits of an index that the columns take to the target; None if there are none.

    Of several solutions the one that uses no column which depends on columns before it.
    """
    reduced: dict[int, tuple[int, int]] = {}
    for at, column in enumerate(columns):
        combination = 1 << at
        while column:
            top = column.bit_length()
            if top not in reduced:
                reduced[top] = column, combination
                break
            column ^= reduced[top][0]
            combination ^= reduced[top][1]
    found = 0
    while target:
        top = target.bit_length()
        if top not in reduced:
            return None
        target ^= reduced[top][0]
        found ^= reduced[top][1]
    return found


def _element(vector: Sequence[int], shape: Sequence[int]) -> int:
    if len(vector) != len(shape):
        raise LayoutError(f"a basis of {len(vector)} coordinates in a tensor of {len(shape)} dimensions")
    element = 0
    for coordinate, extent in zip(vector, shape, strict=True):
        if not 0 <= coordinate < extent:
            raise LayoutError(f"the basis [{', '.join(map(str, vector))}] leaves the tensor")
        element = element << log2(extent) | coordinate
    return element
