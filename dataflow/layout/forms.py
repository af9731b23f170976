"""Every layout in its linear form.

A layout of registers is a tile, made of registers, lanes and warps, and the tile is then fitted to the tensor:
- a tensor larger than the tile repeats it, in registers, along the dimensions in the tile's order;
- a tensor smaller than the tile has copies: the largest steps along that dimension become zero. A blocked or
  linear layout has no registers for copies (blocked: since Triton 3.9; before, a thread held them as well);
- blocks of a cluster divide the tensor first, each gets a contiguous part.

Which element the lanes of matrix instructions hold is stated by the instruction sets: NVIDIA's PTX ISA (mma.sync,
wgmma), AMD's matrix instruction calculator (MFMA, WMMA), Intel's vISA (DPAS). Which parameters select what is
Triton's; the tests compare with Triton's own answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .encodings import (
    AmdMfma,
    AmdWmma,
    Bases,
    Blocked,
    Distributed,
    DotOperand,
    Dpas,
    Encoding,
    LayoutError,
    Linear,
    NvidiaMma,
    NvMmaShared,
    PaddedShared,
    RotatingShared,
    Shared,
    SharedLinear,
    Slice,
    SwizzledShared,
    UnknownEncoding,
)
from .linear import BLOCK, LANE, OFFSET, REGISTER, WARP, LinearLayout, log2

Shape = Sequence[int]


def rank_of(encoding: Encoding) -> int | None:
    """The dimensions of the tensors that it is for; None if it does not say."""
    match encoding:
        case Blocked() | SwizzledShared() | RotatingShared():
            return len(encoding.order)
        case Slice():
            rank = rank_of(encoding.parent)
            return None if rank is None else rank - 1
        case DotOperand():
            return rank_of(encoding.parent)
        case Linear():
            vectors = (*encoding.register, *encoding.lane, *encoding.warp, *encoding.block)
            return len(vectors[0]) if vectors else None
        case NvidiaMma() | AmdMfma() | Dpas():
            return len(encoding.warps_per_cta)
        case AmdWmma():
            vectors = (*encoding.register, *encoding.warp)
            return len(vectors[0]) if vectors else 2
        case PaddedShared():
            return len(encoding.order) if encoding.order is not None else _length(encoding.offset or ())
        case SharedLinear():
            return _length(encoding.offset)
        case NvMmaShared() | UnknownEncoding():
            return None


def _length(bases: Bases) -> int | None:
    return len(bases[0]) if bases else None


@dataclass(slots=True)
class _Tile:
    """A tile under construction: what it covers, and the coordinates of its bases.

    order: dimensions, the one that is repeated first at the front. copies: whether a register stays when all it
    held was outside of the tensor, and so repeats what another one holds.
    """

    order: tuple[int, ...]
    extents: list[int]
    copies: bool = True
    bases: dict[str, list[list[int]]] = field(default_factory=lambda: {REGISTER: [], LANE: [], WARP: [], BLOCK: []})

    @staticmethod
    def empty(order: Sequence[int]) -> _Tile:
        return _Tile(tuple(order), [1] * len(order))

    def step(self, index: str, dim: int, count: int) -> None:
        """Put `count` copies of the tile side by side along a dimension, told apart by an index."""
        for _ in range(log2(count)):
            vector = [0] * len(self.extents)
            vector[dim] = self.extents[dim]
            self.bases[index].append(vector)
            self.extents[dim] *= 2

    def steps(self, index: str, counts: Sequence[int], order: Iterable[int]) -> None:
        """The same along several dimensions, in that order."""
        for dim in order:
            self.step(index, dim, counts[dim])

    def repeat(self, index: str, count: int) -> None:
        """`count` copies of the same elements, told apart by an index."""
        self.bases[index] += [[0] * len(self.extents) for _ in range(log2(count))]

    def place(self, index: str, vectors: Bases) -> None:
        """Copies of the tile at multiples of it."""
        unit = list(self.extents)
        for vector in vectors:
            self.bases[index].append([v * u for v, u in zip(vector, unit, strict=True)])
        for dim, extent in enumerate(unit):
            largest = max((vector[dim] for vector in vectors), default=0)
            self.extents[dim] = extent << largest.bit_length()

    def fit(self, shape: Shape, cga: Bases = (), grouped_from: int | None = None) -> LinearLayout:
        """The tile laid over a tensor, which the blocks of a cluster have divided.

        grouped_from: registers from this bit on are sorted by the dimension they move along, in the tile's order.
        """
        if len(shape) != len(self.extents):
            raise LayoutError(f"a layout of {len(self.extents)} dimensions for a tensor of {len(shape)}")
        parts = [1] * len(shape)
        blocks: list[list[int]] = []
        for vector in cga:
            if len(vector) != len(shape):
                raise LayoutError("CGALayout has another number of dimensions than the tensor")
            blocks.append([v if v < extent else 0 for v, extent in zip(vector, shape, strict=True)])
            parts = [max(p, v << 1) for p, v in zip(parts, blocks[-1], strict=True)]
        share = [extent // part for extent, part in zip(shape, parts, strict=True)]
        for dim in self.order:
            self.step(REGISTER, dim, max(1, share[dim] // self.extents[dim]))
        if grouped_from is not None:
            registers = self.bases[REGISTER]
            registers[grouped_from:] = sorted(
                registers[grouped_from:],
                key=lambda vector: next(at for at, dim in enumerate(self.order) if vector[dim]),
            )
        if not self.copies:
            inside = [
                v for v in self.bases[REGISTER] if not any(v) or any(a < b for a, b in zip(v, share, strict=True) if a)
            ]
            self.bases[REGISTER] = inside
        for vectors in self.bases.values():
            for vector in vectors:
                for dim, extent in enumerate(share):
                    vector[dim] = vector[dim] if vector[dim] < extent else 0
        self.bases[BLOCK] = [[v * s for v, s in zip(vector, share, strict=True)] for vector in blocks]
        return LinearLayout.of({i: tuple(map(tuple, vectors)) for i, vectors in self.bases.items()}, shape)


def linear_form(encoding: Distributed, shape: Shape) -> LinearLayout:
    """The linear form of a layout of registers, for a tensor of that shape.

    Raises LayoutError if the shape does not suit it, or the form is not known.
    """
    shape = tuple(shape)
    for extent in shape:
        log2(extent)
    match encoding:
        case Blocked():
            return _blocked(encoding, shape)
        case Slice():
            return _slice(encoding, shape)
        case DotOperand():
            return _dot_operand(encoding, shape)
        case Linear():
            return _linear(encoding, shape)
        case NvidiaMma():
            return _nvidia_mma(encoding, shape)
        case AmdMfma():
            return _amd_mfma(encoding, shape)
        case AmdWmma():
            return _amd_wmma(encoding, shape)
        case Dpas():
            return _dpas(encoding, shape)


def _blocked(encoding: Blocked, shape: Shape) -> LinearLayout:
    tile = _Tile(encoding.order, [1] * len(encoding.order), copies=False)
    tile.steps(REGISTER, encoding.size_per_thread, encoding.order)
    tile.steps(LANE, encoding.threads_per_warp, encoding.order)
    tile.steps(WARP, encoding.warps_per_cta, encoding.order)
    return tile.fit(shape, encoding.cga)


def _slice(encoding: Slice, shape: Shape) -> LinearLayout:
    if encoding.dim > len(shape):
        raise LayoutError(f"there is no dimension {encoding.dim} to take out")
    parent = linear_form(encoding.parent, (*shape[: encoding.dim], 1, *shape[encoding.dim :]))
    bases = {index: parent.bases[index] for index in parent.bases}
    bases[REGISTER] = tuple(basis for basis in bases[REGISTER] if basis)
    return LinearLayout(bases, tuple(shape))


def _linear(encoding: Linear, shape: Shape) -> LinearLayout:
    bases = {REGISTER: encoding.register, LANE: encoding.lane, WARP: encoding.warp, BLOCK: encoding.block}
    rank = rank_of(encoding)
    if rank is not None and rank != len(shape):
        raise LayoutError(f"a layout of {rank} dimensions for a tensor of {len(shape)}")
    tile = _Tile(tuple(reversed(range(len(shape)))), [1] * len(shape), copies=False)
    for index, vectors in bases.items():
        tile.bases[index] = [list(vector) for vector in vectors]
    for dim in range(len(shape)):
        largest = max((v[dim] for vectors in bases.values() for v in vectors), default=0)
        tile.extents[dim] = 1 << largest.bit_length()
    blocks = tile.bases[BLOCK]
    fitted = tile.fit(shape)
    if any(v >= s for vector in blocks for v, s in zip(vector, shape, strict=True)):
        raise LayoutError("a basis of the blocks leaves the tensor")
    return LinearLayout(
        {**fitted.bases, BLOCK: LinearLayout.of({BLOCK: tuple(map(tuple, blocks))}, shape).bases[BLOCK]}, fitted.shape
    )


# Operands of dots


def _dot_operand(encoding: DotOperand, shape: Shape) -> LinearLayout:
    parent = encoding.parent
    match parent:
        case Blocked():
            return _fma_operand(encoding.op_idx, parent, shape)
        case NvidiaMma():
            return _nvidia_operand(encoding, parent, shape)
        case AmdMfma():
            return _mfma_operand(encoding, parent, shape)
        case AmdWmma():
            return _wmma_operand(encoding, parent, shape)
        case Dpas():
            return _dpas_operand(encoding, parent, shape)
        case _:
            raise LayoutError("an operand of a dot whose layout is neither blocked nor of a matrix instruction")


def _reduced(op_idx: int, rank: int) -> int:
    """The dimension that a dot sums over, in operand A (0) or B (1)."""
    return rank - 1 if op_idx == 0 else rank - 2


def _operand_warps(tile: _Tile, warps: Sequence[int], order: Iterable[int], k: int, index: str = WARP) -> None:
    """Along the summed dimension all warps need the same elements."""
    for dim in order:
        if dim == k:
            tile.repeat(index, warps[dim])
        else:
            tile.step(index, dim, warps[dim])


def _operand_cga(cga: Bases, k: int) -> Bases:
    return tuple(tuple(0 if dim == k else v for dim, v in enumerate(vector)) for vector in cga)


def _fma_operand(op_idx: int, parent: Blocked, shape: Shape) -> LinearLayout:
    k = _reduced(op_idx, len(shape))
    size = list(parent.size_per_thread)
    if len(size) != len(shape):
        raise LayoutError(f"a layout of {len(size)} dimensions for a tensor of {len(shape)}")
    size[k] = shape[k]
    tile = _Tile.empty(parent.order)
    tile.steps(REGISTER, size, parent.order)
    _operand_warps(tile, parent.threads_per_warp, parent.order, k, LANE)
    _operand_warps(tile, parent.warps_per_cta, parent.order, k)
    return tile.fit(shape, _operand_cga(parent.cga, k))


# NVIDIA


def _nvidia_tile(rank: int, rows: int, columns: int, k_width: int, inner: int, outer: int) -> _Tile:
    """What a warp holds of one tile: 4 lanes along the inner dimension, each k_width elements; 8 along the outer."""
    batch = tuple(range(rank - 2))
    tile = _Tile.empty((inner, outer, *batch))
    tile.step(REGISTER, inner, k_width)
    tile.step(LANE, inner, 4)
    tile.step(LANE, outer, 8)
    tile.step(REGISTER, outer, rows // 8)
    tile.step(REGISTER, inner, columns // (4 * k_width))
    return tile


def _nvidia_warp_order(encoding: NvidiaMma) -> tuple[int, ...]:
    """Warps of wgmma follow each other along M, those of mma.sync along N."""
    rank = len(encoding.warps_per_cta)
    rows, columns = rank - 2, rank - 1
    pair = (rows, columns) if encoding.version_major == 3 else (columns, rows)
    return (*pair, *reversed(range(rank - 2)))


def _nvidia_mma(encoding: NvidiaMma, shape: Shape) -> LinearLayout:
    if encoding.version_major not in (2, 3):
        raise LayoutError(f"the layout of NVIDIA's matrix instructions, version {encoding.version_major}, is not known")
    rank = len(encoding.warps_per_cta)
    rows, columns = encoding.instr_shape[:2] if encoding.version_major == 3 else encoding.instr_shape[-2:]
    tile = _nvidia_tile(rank, rows, columns, 2, rank - 1, rank - 2)
    tile.steps(WARP, encoding.warps_per_cta, _nvidia_warp_order(encoding))
    return tile.fit(shape, encoding.cga)


def _nvidia_operand(encoding: DotOperand, parent: NvidiaMma, shape: Shape) -> LinearLayout:
    rank = len(parent.warps_per_cta)
    k = _reduced(encoding.op_idx, rank)
    other = rank - 2 if encoding.op_idx == 0 else rank - 1
    if encoding.k_width < 1:
        raise LayoutError("kWidth is missing")
    rows = 16 if encoding.op_idx == 0 else 8
    tile = _nvidia_tile(rank, rows, 8 * encoding.k_width, encoding.k_width, k, other)
    _operand_warps(tile, parent.warps_per_cta, _nvidia_warp_order(parent), k)
    return tile.fit(shape, _operand_cga(parent.cga, k))


# AMD


def _mfma_shape(encoding: AmdMfma) -> tuple[int, int]:
    rows, columns = encoding.instr_shape[:2]
    if (rows, columns) not in ((32, 32), (16, 16), (64, 4), (4, 64)):
        raise LayoutError(f"no matrix instruction of {rows}x{columns} is known")
    return rows, columns


def _amd_mfma(encoding: AmdMfma, shape: Shape) -> LinearLayout:
    rank = len(encoding.warps_per_cta)
    rows, columns = _mfma_shape(encoding)
    m, n = (rank - 1, rank - 2) if encoding.is_transposed else (rank - 2, rank - 1)
    order = (rank - 1, rank - 2, *reversed(range(rank - 2)))
    tile = _Tile.empty(order)
    if encoding.is_transposed:
        rows, columns = columns, rows
    if encoding.element_bit_width == 64:  # v_mfma_f64_16x16x4: a lane's registers are four rows apart
        tile.step(LANE, n, 16)
        tile.step(LANE, m, 4)
        tile.step(REGISTER, m, 4)
    else:
        tile.step(REGISTER, m, 4)
        tile.step(LANE, n, min(columns, 64))
        tile.step(LANE, m, 64 // min(columns, 64))
        tile.step(REGISTER, m, max(1, rows // tile.extents[m]))
    instruction = len(tile.bases[REGISTER])
    tile.steps(REGISTER, encoding.tiles_per_warp or (1,) * rank, order)
    tile.steps(WARP, encoding.warps_per_cta, order)
    return tile.fit(shape, encoding.cga, grouped_from=instruction)


def _mfma_operand(encoding: DotOperand, parent: AmdMfma, shape: Shape) -> LinearLayout:
    rank = len(parent.warps_per_cta)
    k = _reduced(encoding.op_idx, rank)
    other = rank - 2 if encoding.op_idx == 0 else rank - 1
    lanes = _mfma_shape(parent)[encoding.op_idx]
    tile = _Tile.empty((k, other, *reversed(range(rank - 2))))
    tile.step(REGISTER, k, encoding.k_width)
    tile.step(LANE, other, lanes)
    tile.step(LANE, k, 64 // lanes)
    if lanes == 64:  # sixteen 4x4 blocks, each of which takes its own part of K
        tile.step(REGISTER, k, 16)
    tiles = parent.tiles_per_warp or (1,) * rank
    warp_order = (rank - 1, rank - 2, *reversed(range(rank - 2)))
    instruction = len(tile.bases[REGISTER])
    tile.step(REGISTER, other, tiles[other])
    _operand_warps(tile, parent.warps_per_cta, warp_order, k)
    return tile.fit(shape, _operand_cga(parent.cga, k), grouped_from=instruction)


def _amd_wmma(encoding: AmdWmma, shape: Shape) -> LinearLayout:
    rank = len(shape)
    m, n = (rank - 1, rank - 2) if encoding.is_transposed else (rank - 2, rank - 1)
    rows, columns = encoding.instr_shape[:2]
    if encoding.is_transposed:
        rows, columns = columns, rows
    tile = _Tile.empty((rank - 1, rank - 2, *reversed(range(rank - 2))))
    if encoding.version == 1:  # the two halves of a wave hold even and odd rows
        tile.step(LANE, n, 16)
        tile.step(LANE, m, 2)
        tile.step(REGISTER, m, rows // 2)
    else:
        tile.step(REGISTER, m, 8)
        tile.step(LANE, n, 16)
        tile.step(LANE, m, 2)
        tile.step(REGISTER, m, rows // 16)
    tile.step(REGISTER, n, columns // 16)
    tile.place(REGISTER, encoding.register)
    _place_warps(tile, encoding, None)
    return tile.fit(shape, encoding.cga)


def _place_warps(tile: _Tile, encoding: AmdWmma, k: int | None) -> None:
    """Bases of registers and warps count whole instructions, both from the same tile."""
    unit = [
        extent >> max((v[dim] for v in encoding.register), default=0).bit_length()
        for dim, extent in enumerate(tile.extents)
    ]
    for vector in encoding.warp:
        tile.bases[WARP].append([0 if d == k else v * unit[d] for d, v in enumerate(vector)])
    for dim in range(len(unit)):
        largest = max((v[dim] for v in encoding.warp), default=0) if dim != k else 0
        tile.extents[dim] = max(tile.extents[dim], unit[dim] << largest.bit_length())


def _wmma_operand(encoding: DotOperand, parent: AmdWmma, shape: Shape) -> LinearLayout:
    rank = len(shape)
    k = _reduced(encoding.op_idx, rank)
    other = rank - 2 if encoding.op_idx == 0 else rank - 1
    tile = _Tile.empty((k, other, *reversed(range(rank - 2))))
    tile.step(REGISTER, k, encoding.k_width)
    tile.step(LANE, other, 16)
    if parent.version == 1:
        tile.repeat(LANE, 2)
    else:
        tile.step(LANE, k, 2)
    depth = parent.instr_shape[2] if len(parent.instr_shape) > 2 else 16
    tile.step(REGISTER, k, max(1, depth // tile.extents[k]))
    tile.step(REGISTER, other, parent.instr_shape[encoding.op_idx] // 16)
    registers = tuple(tuple(0 if d == k else v for d, v in enumerate(vector)) for vector in parent.register)
    tile.place(REGISTER, tuple(vector for vector in registers if any(vector)))
    _place_warps(tile, parent, k)
    return tile.fit(shape, _operand_cga(parent.cga, k))


# Intel


def _dpas(encoding: Dpas, shape: Shape) -> LinearLayout:
    rank = len(encoding.warps_per_cta)
    rows, columns = rank - 2, rank - 1
    tile = _Tile.empty((columns, rows, *reversed(range(rank - 2))))
    tile.step(LANE, columns, encoding.execution_size)
    tile.step(LANE, rows, encoding.threads_per_warp // encoding.execution_size)
    tile.step(REGISTER, rows, max(1, encoding.repeat_count // tile.extents[rows]))
    cluster = encoding.rep_cluster or (1,) * rank
    tile.steps(REGISTER, cluster, (columns, rows))
    tile.steps(WARP, encoding.warps_per_cta, (columns, rows, *reversed(range(rank - 2))))
    return tile.fit(shape)


def _dpas_operand(encoding: DotOperand, parent: Dpas, shape: Shape) -> LinearLayout:
    raise LayoutError("the layout of DPAS operands is not known")


# Shared memory


def shared_form(encoding: Shared, shape: Shape, element_bits: int) -> LinearLayout:
    """The linear form of a buffer's layout: the element at each offset, in elements, padding left out.

    Raises LayoutError if the shape does not suit it, or the form is not known.
    """
    shape = tuple(shape)
    for extent in shape:
        log2(extent)
    match encoding:
        case SwizzledShared():
            return _swizzled(encoding, shape, rotating=0)
        case RotatingShared():
            return _swizzled(encoding, shape, rotating=1)
        case PaddedShared():
            return _padded(encoding, shape)
        case NvMmaShared():
            return _nvmma_shared(encoding, shape, element_bits)
        case SharedLinear():
            return LinearLayout.of({OFFSET: encoding.offset, BLOCK: encoding.block}, shape)


def _share(shape: Shape, cga: Bases) -> tuple[list[int], list[list[int]]]:
    """The part of the tensor that each block of a cluster holds, and the blocks' bases."""
    parts = [1] * len(shape)
    blocks: list[list[int]] = []
    for vector in cga:
        blocks.append([v if v < extent else 0 for v, extent in zip(vector, shape, strict=True)])
        parts = [max(p, v << 1) for p, v in zip(parts, blocks[-1], strict=True)]
    share = [extent // part for extent, part in zip(shape, parts, strict=True)]
    return share, [[v * s for v, s in zip(vector, share, strict=True)] for vector in blocks]


def _swizzled(encoding: SwizzledShared | RotatingShared, shape: Shape, *, rotating: int) -> LinearLayout:
    rank = len(shape)
    if rank != len(encoding.order):
        raise LayoutError(f"a layout of {len(encoding.order)} dimensions for a buffer of {rank}")
    share, blocks = _share(shape, encoding.cga)
    inner = encoding.order[0]
    offset: list[tuple[int, ...]] = []
    for at, dim in enumerate(encoding.order):
        for bit in range(log2(share[dim])):
            vector = [0] * rank
            vector[dim] = 1 << bit
            if at == 1:
                row = 1 << bit
                phase = row // encoding.per_phase % encoding.max_phase
                if rotating:
                    phase ^= row // encoding.per_phase // encoding.max_phase % encoding.max_phase
                vector[inner] = encoding.vec * phase % share[inner]
            offset.append(tuple(vector))
    return LinearLayout.of({OFFSET: tuple(offset), BLOCK: tuple(map(tuple, blocks))}, shape)


def _padded(encoding: PaddedShared, shape: Shape) -> LinearLayout:
    if encoding.offset is not None:
        return LinearLayout.of({OFFSET: encoding.offset, BLOCK: encoding.cga}, shape)
    assert encoding.order is not None
    share, blocks = _share(shape, encoding.cga)
    offset = tuple(
        tuple(1 << bit if d == dim else 0 for d in range(len(shape)))
        for dim in encoding.order
        for bit in range(log2(share[dim]))
    )
    return LinearLayout.of({OFFSET: offset, BLOCK: tuple(map(tuple, blocks))}, shape)


def _nvmma_shared(encoding: NvMmaShared, shape: Shape, element_bits: int) -> LinearLayout:
    """Columns of at most the swizzle's width, each with all rows; 16-byte groups of a row change place with row % 8."""
    if len(shape) < 2 or encoding.fp4_padded:
        raise LayoutError("this form of nvmma_shared is not known")
    rank = len(shape)
    share, blocks = _share(shape, encoding.cga)
    inner, outer = (rank - 2, rank - 1) if encoding.transposed else (rank - 1, rank - 2)
    width = encoding.swizzling_byte_width
    group = max(1, 128 // element_bits)
    columns = min(share[inner], width * 8 // element_bits if width else 256)
    phases = {128: 8, 64: 4, 32: 2, 0: 1}.get(width)
    if phases is None:
        raise LayoutError(f"no swizzle of {width} bytes is known")
    offset: list[tuple[int, ...]] = []

    def add(dim: int, value: int, swizzle: int = 0) -> None:
        vector = [0] * rank
        vector[dim] = value
        vector[inner] ^= swizzle
        offset.append(tuple(vector))

    for bit in range(log2(columns)):
        add(inner, 1 << bit)
    for bit in range(log2(share[outer])):
        row = 1 << bit
        phase = row // (8 // phases) % phases
        add(outer, row, group * phase % columns)
    for bit in range(log2(columns), log2(share[inner])):
        add(inner, 1 << bit)
    for dim in reversed(range(rank - 2)):
        for bit in range(log2(share[dim])):
            add(dim, 1 << bit)
    return LinearLayout.of({OFFSET: tuple(offset), BLOCK: tuple(map(tuple, blocks))}, shape)
