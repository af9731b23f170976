"""What a warp's accesses to memory cost: sectors of global memory, banks of shared memory.

Global memory is moved in aligned pieces: sectors of 32 bytes on NVIDIA, lines of 64 or 128 bytes elsewhere. An
access is what a load or store does for one group of registers that follow each other: each lane takes `group`
elements. Where these lie side by side in memory and are aligned, it is one vector instruction of at most 16
bytes a lane, else several. Its efficiency is the bytes that are used over the bytes that are moved.

Shared memory has 32 banks of 4 bytes. An instruction of up to 4 bytes a lane serves all lanes of a warp at
once, one of 8 bytes half as many, one of 16 a quarter; each such phase takes as many cycles as there are
different words in the busiest bank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .encodings import LayoutError, PaddedShared
from .linear import BLOCK, LANE, OFFSET, REGISTER, WARP, LinearLayout, log2

VECTOR_BYTES = 16
"""The widest access of a lane, on every GPU here."""

BANKS = 32
BANK_BYTES = 4


@dataclass(frozen=True)
class Accesses:
    """The accesses of a block (CTA) to a tensor in global memory.

    width: bytes of a piece. group: elements a lane takes in one access. vector: elements a lane takes in one
    instruction. touched, used: pieces and different bytes of each access, `[warp, access]`.
    """

    width: int
    group: int
    vector: int
    touched: NDArray[np.int64]
    used: NDArray[np.int64]

    @property
    def instructions(self) -> int:
        """Instructions of one access."""
        return self.group // self.vector

    @property
    def efficiency(self) -> float:
        """Bytes used over bytes moved, of all accesses together."""
        return float(self.used.sum() / (self.touched.sum() * self.width))

    @property
    def worst(self) -> tuple[int, int]:
        """Warp and number of the access with the lowest efficiency; of several the first."""
        ratio = self.used / self.touched
        warp, access = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
        return int(warp), int(access)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense tensor, the last dimension fastest."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def column_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense tensor, the first dimension fastest: the transposed case."""
    return tuple(reversed(row_major(tuple(reversed(shape)))))


def group_of(layout: LinearLayout, element_bytes: int) -> int:
    """Elements that follow each other in a lane's registers along one dimension, 16 bytes of them at most."""
    bases = layout.of_index(REGISTER)
    count = 1
    while (
        count * element_bytes < VECTOR_BYTES
        and (bit := log2(count)) < len(bases)
        and layout.vector(bases[bit]) == tuple(c * count for c in layout.vector(bases[0]))
        and sum(layout.vector(bases[0])) == 1
    ):
        count *= 2
    return count


def accesses(
    layout: LinearLayout,
    strides: Sequence[int],
    element_bytes: int,
    *,
    alignment: int = 128,
    width: int = 32,
    group: int | None = None,
) -> Accesses:
    """The pieces of global memory that each access touches.

    strides: elements between neighbours of each dimension; alignment: of the tensor's first byte: it is taken to lie
    that many bytes past a boundary of 128, so 128 is the best case and 4 a bad one. Registers that repeat others
    are not accessed. Raises LayoutError if strides or sizes make no sense.
    """
    if len(strides) != len(layout.shape):
        raise LayoutError(f"{len(strides)} strides for a tensor of {len(layout.shape)} dimensions")
    log2(width)
    log2(alignment)
    layout = layout.without_repeated_registers()
    group = group_of(layout, element_bytes) if group is None else group
    if group > layout.count(REGISTER) or group < 1:
        raise LayoutError(f"an access of {group} elements a lane: a lane holds {layout.count(REGISTER)}")
    log2(group)
    start = alignment % 128
    vector = _vector(layout, strides, element_bytes, group, start)
    size = vector * element_bytes
    starts = LinearLayout({**layout.bases, REGISTER: layout.of_index(REGISTER)[log2(vector) :]}, layout.shape)
    address = _addresses(layout.shape, strides, element_bytes, start)[starts.elements(WARP, LANE, REGISTER)]
    warps, lanes = starts.count(WARP), starts.count(LANE)
    each = group // vector
    rows = np.sort(address.reshape(warps, lanes, -1, each).swapaxes(1, 2).reshape(-1, lanes * each), axis=1)
    used = _fresh(rows).sum(axis=1) * size
    first = rows // width
    if size <= width and not start % size:  # a vector that is aligned lies in one piece
        touched = _fresh(first).sum(axis=1)
    else:
        last = (rows + size - 1) // width
        before = np.maximum.accumulate(last, axis=1)[:, :-1]
        fresh = last - first + 1
        fresh[:, 1:] = np.maximum(0, last[:, 1:] - np.maximum(first[:, 1:] - 1, before))
        touched = fresh.sum(axis=1)
    return Accesses(width, group, vector, touched.reshape(warps, -1), used.reshape(warps, -1))


def _fresh(rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """In sorted rows, the entries that differ from the one before."""
    found = np.ones(rows.shape, dtype=np.bool_)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=found[:, 1:])
    return found


def _addresses(shape: Sequence[int], strides: Sequence[int], element_bytes: int, start: int) -> NDArray[np.int64]:
    """The address of every element, in row-major order."""
    table = np.array([start], dtype=np.int64)
    for extent, stride in zip(shape, strides, strict=True):
        table = (table[:, None] + np.arange(extent, dtype=np.int64) * (stride * element_bytes)).reshape(-1)
    return table


def _vector(layout: LinearLayout, strides: Sequence[int], element_bytes: int, group: int, start: int) -> int:
    """The longest run of registers that are neighbours in memory, aligned to its own length in every lane."""

    def offset(element: int) -> int:
        return sum(c * s for c, s in zip(layout.vector(element), strides, strict=True)) * element_bytes

    bases = [basis for index in (REGISTER, LANE, WARP) for basis in layout.of_index(index)]
    count = 1
    while count < group and 2 * count * element_bytes <= VECTOR_BYTES:
        wide = 2 * count * element_bytes
        if offset(bases[log2(count)]) != count * element_bytes or start % wide:
            break
        if any(offset(basis) % wide for basis in bases[log2(2 * count) :]):
            break
        count *= 2
    return count


# Shared memory


@dataclass(frozen=True)
class BankAccesses:
    """The accesses of a block's warps to a buffer in shared memory.

    vector: elements a lane takes in one instruction. cycles, ideal: what each instruction takes, and would take
    without conflicts, `[warp, instruction]`.
    """

    vector: int
    cycles: NDArray[np.int64]
    ideal: int

    @property
    def conflicts(self) -> int:
        """Cycles lost to conflicts, of all instructions."""
        return int((self.cycles - self.ideal).sum())

    @property
    def worst(self) -> int:
        """The most cycles that an instruction takes."""
        return int(self.cycles.max())


def offsets(buffer: LinearLayout) -> NDArray[np.int64]:
    """The offset of every element of a buffer, in elements, padding left out.

    Raises LayoutError if two offsets hold the same element, or an element has none.
    """
    table = buffer.elements(*(() if BLOCK not in buffer.bases else (BLOCK, OFFSET))).reshape(-1)
    if table.size != buffer.size or buffer.rank != buffer.bits:
        raise LayoutError("the layout of shared memory is not one to one")
    found = np.empty(buffer.size, dtype=np.int64)
    found[table] = np.arange(buffer.size) & (buffer.count(OFFSET) - 1)
    return found


def padded(offset: NDArray[np.int64], encoding: PaddedShared) -> NDArray[np.int64]:
    """Offsets with the unused elements of a padded layout counted."""
    found = offset.copy()
    for interval, padding in encoding.intervals:
        found += offset // interval * padding
    return found


def buffer_bytes(buffer: LinearLayout, element_bytes: int, padding: PaddedShared | None = None) -> int:
    """Bytes of shared memory that a block needs for a buffer; padding after the last element is not needed."""
    last = np.array([buffer.count(OFFSET) - 1], dtype=np.int64)
    return (int((padded(last, padding) if padding else last)[0]) + 1) * element_bytes


def bank_accesses(
    layout: LinearLayout, buffer: LinearLayout, element_bytes: int, padding: PaddedShared | None = None
) -> BankAccesses:
    """How the lanes of each warp meet in the banks when a tensor is stored to, or loaded from, a buffer.

    Every instruction is as wide as the layouts allow when the bits of the register's number are put in the order of
    the offsets. Raises LayoutError if the buffer is not of the tensor's shape.
    """
    if layout.shape != buffer.shape:
        raise LayoutError("the buffer is of another shape than the tensor")
    layout = layout.without_repeated_registers()
    where = offsets(buffer)
    if padding:
        where = padded(where, padding)
    bases = [int(where[basis]) for basis in layout.of_index(REGISTER)]
    order = sorted(range(len(bases)), key=bases.__getitem__)
    registers = tuple(layout.of_index(REGISTER)[bit] for bit in order)
    layout = LinearLayout({**layout.bases, REGISTER: registers}, layout.shape)
    byte = where[layout.elements(WARP, LANE, REGISTER)] * element_bytes
    vector = _widest(byte, element_bytes)
    warps, lanes = byte.shape[:2]
    starts = byte[:, :, ::vector].swapaxes(1, 2).reshape(-1, lanes)
    cycles, ideal = _cycles(starts, vector * element_bytes)
    return BankAccesses(vector, cycles.reshape(warps, -1), ideal)


def _widest(byte: NDArray[np.int64], element_bytes: int) -> int:
    """The longest run of registers that lie side by side in every lane, aligned to its own length."""
    registers = byte.shape[2]
    vector = 1
    while 2 * vector <= registers and 2 * vector * element_bytes <= VECTOR_BYTES:
        runs = byte.reshape(*byte.shape[:2], registers // (2 * vector), 2 * vector)
        aligned = runs[..., 0] % (2 * vector * element_bytes) == 0
        if not (aligned.all() and (runs[..., vector] - runs[..., 0] == vector * element_bytes).all()):
            break
        vector *= 2
    return vector


def _cycles(byte: NDArray[np.int64], width: int) -> tuple[NDArray[np.int64], int]:
    """Cycles of instructions whose lanes access `width` bytes from `byte[instruction, lane]` on."""
    instructions, lanes = byte.shape
    words = max(1, width // BANK_BYTES)
    phase_lanes = min(lanes, BANKS // words) if lanes >= BANKS // words else lanes
    word = byte // BANK_BYTES
    all_words = (word[..., None] + np.arange(words)).reshape(instructions, lanes // phase_lanes, -1)
    all_words = np.sort(all_words, axis=2).reshape(instructions * (lanes // phase_lanes), -1)
    keys = np.arange(len(all_words))[:, None] * BANKS + all_words % BANKS
    busy = np.bincount(keys[_fresh(all_words)], minlength=len(all_words) * BANKS)
    by_bank = busy.reshape(instructions, lanes // phase_lanes, BANKS)
    return by_bank.max(axis=2).sum(axis=1), lanes // phase_lanes
