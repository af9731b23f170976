"""From an attribute's parameters to the layout they describe, in the spellings of Triton 3.0 to 3.9."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..layout.encodings import (
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
    SharedLinear,
    Slice,
    SwizzledShared,
    UnknownEncoding,
    cga_bases,
)
from .source import Source
from .types import Attribute, DialectAttribute, Raw

Parameters = Mapping[str, Attribute]


def encoding_of(value: Attribute, source: Source, at: int, text: str) -> Encoding:
    """The layout that an attribute names; UnknownEncoding if it names none that is known.

    Raises TtgirError, at offset `at`, if a known layout lacks a parameter or has one that makes no sense.
    """
    if not isinstance(value, DialectAttribute):
        return UnknownEncoding(value.text if isinstance(value, Raw) else text)
    read = _READERS.get(value.name.partition(".")[2])
    if read is None:
        return UnknownEncoding(value.text)
    try:
        return read(value, lambda inner: encoding_of(inner, source, at, text))
    except LayoutError as error:
        raise source.error(at, f"{value.name}: {error}") from None


_Resolve = Callable[[Attribute], Encoding]


def _integer(named: Parameters, name: str, default: int | None = None) -> int:
    value = named.get(name, default)
    if value is None:
        raise LayoutError(f"{name} is missing")
    if isinstance(value, bool) or not isinstance(value, int):
        raise LayoutError(f"{name} is not an integer")
    return value


def _flag(named: Parameters, *names: str) -> bool:
    for name in names:
        value = named.get(name)
        if value is not None:
            return value is True or value == 1
    return False


def _integers(named: Parameters, name: str) -> tuple[int, ...]:
    if name not in named:
        raise LayoutError(f"{name} is missing")
    return _tuple(named[name], name)


def _tuple(value: Attribute, name: str) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        raise LayoutError(f"{name} is not a list of integers")
    numbers: list[int] = []
    for item in value:
        if isinstance(item, bool) or not isinstance(item, int):
            raise LayoutError(f"{name} is not a list of integers")
        numbers.append(item)
    return tuple(numbers)


def _tile(named: Parameters, name: str, rank: int) -> tuple[int, ...]:
    """Counts along each dimension: positive powers of two."""
    counts = _integers(named, name)
    if len(counts) != rank:
        raise LayoutError(f"{name} has {len(counts)} dimensions, order has {rank}")
    for count in counts:
        if count < 1 or count & (count - 1):
            raise LayoutError(f"{name} holds {count}, which is no power of two")
    return counts


def _order(named: Parameters) -> tuple[int, ...]:
    order = _integers(named, "order")
    if not order or sorted(order) != list(range(len(order))):
        raise LayoutError("order is no permutation of the dimensions")
    return order


def _bases(value: Attribute, name: str) -> Bases:
    if not isinstance(value, tuple):
        raise LayoutError(f"{name} is not a list of bases")
    bases = tuple(_tuple(basis, name) for basis in value)
    if any(len(basis) != len(bases[0]) for basis in bases):
        raise LayoutError(f"the bases of {name} differ in length")
    return bases


def _cga(named: Parameters) -> Bases:
    if "CGALayout" in named:
        return _bases(named["CGALayout"], "CGALayout")
    if "CTAsPerCGA" in named:
        return cga_bases(*(_integers(named, name) for name in ("CTAsPerCGA", "CTASplitNum", "CTAOrder")))
    return ()


def _blocked(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    order = _order(named)
    thread, warp, cta = (_tile(named, name, len(order)) for name in ("sizePerThread", "threadsPerWarp", "warpsPerCTA"))
    return Blocked(thread, warp, cta, order, _cga(named))


def _parent(named: Parameters, resolve: _Resolve) -> Distributed | None:
    """None if the parent is no layout that is known."""
    if "parent" not in named:
        raise LayoutError("parent is missing")
    parent = resolve(named["parent"])
    if isinstance(parent, UnknownEncoding):
        return None
    if not isinstance(parent, Distributed):
        raise LayoutError("parent is a layout of shared memory")
    return parent


def _slice(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    dim = _integer(value.named, "dim")
    if dim < 0:
        raise LayoutError("dim is negative")
    parent = _parent(value.named, resolve)
    return UnknownEncoding(value.text) if parent is None else Slice(dim, parent)


def _dot_operand(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    op_idx = _integer(value.named, "opIdx")
    if op_idx not in (0, 1):
        raise LayoutError("opIdx is neither 0 nor 1")
    parent = _parent(value.named, resolve)
    if parent is None:
        return UnknownEncoding(value.text)
    return DotOperand(op_idx, parent, _integer(value.named, "kWidth", 0))


def _linear(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    found = {name: _bases(value.named.get(name, ()), name) for name in ("register", "lane", "warp", "block")}
    lengths = {len(basis) for bases in found.values() for basis in bases}
    if len(lengths) > 1:
        raise LayoutError("the bases differ in length")
    return Linear(**found)


def _nvidia_mma(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    return NvidiaMma(
        _integer(named, "versionMajor"), _integer(named, "versionMinor", 0), _integers(named, "warpsPerCTA"),
        _integers(named, "instrShape"), _cga(named),
    )  # fmt: skip


def _amd_mfma(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    version = _integer(named, "version") if "version" in named else _integer(named, "versionMajor")
    tiles = _integers(named, "tilesPerWarp") if "tilesPerWarp" in named else ()
    bits = {"f64": 64, "i32": 32, "f32": 32}.get(_element_type(named), _integer(named, "elementBitWidth", 32))
    return AmdMfma(
        version, _integers(named, "warpsPerCTA"), _integers(named, "instrShape"), _flag(named, "isTransposed"),
        tiles, bits, _cga(named),
    )  # fmt: skip


def _element_type(named: Parameters) -> str:
    return str(getattr(named.get("elementType"), "name", ""))


def _amd_wmma(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    version = _integer(named, "version")
    shape = _integers(named, "instrShape") if "instrShape" in named else (16, 16, 16)
    transposed = _flag(named, "isTranspose", "isTransposed")
    placed = named.get("ctaLayout")
    if isinstance(placed, Mapping):
        register, warp = (_bases(placed.get(name, ()), name) for name in ("register", "warp"))
        return AmdWmma(version, transposed, register, warp, shape, _cga(named))
    # Before Triton 3.6 the warps were a grid: of increasing columns first.
    grid = _integers(named, "warpsPerCTA")
    tiles = _integers(named, "tilesPerWarp") if "tilesPerWarp" in named else (1,) * len(grid)
    order = tuple(reversed(range(len(grid))))
    register = _steps(tiles, order, (1,) * len(grid))
    return AmdWmma(version, transposed, register, _steps(grid, order, tiles), shape, _cga(named))


def _steps(counts: tuple[int, ...], order: tuple[int, ...], first: tuple[int, ...]) -> Bases:
    return tuple(
        tuple((first[dim] << bit) if d == dim else 0 for d in range(len(counts)))
        for dim in order
        for bit in range(counts[dim].bit_length() - 1)
    )


def _dpas(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    warps = _integers(named, "warpsPerCTA")
    cluster = _integers(named, "repCluster") if "repCluster" in named else (1,) * len(warps)
    return Dpas(
        _integer(named, "repeatCount"), _integer(named, "systolicDepth"), _integer(named, "executionSize"),
        _integer(named, "opsPerChan"), _integer(named, "threadsPerWarp"), warps, cluster,
    )  # fmt: skip


def _swizzled(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    if _flag(named, "hasLeadingOffset"):  # the spelling of nvmma_shared up to Triton 3.2
        return UnknownEncoding(value.text)
    return SwizzledShared(*_swizzle(named), _order(named), _cga(named))


def _swizzle(named: Parameters) -> tuple[int, int, int]:
    return _integer(named, "vec"), _integer(named, "perPhase"), _integer(named, "maxPhase")


def _rotating(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    return RotatingShared(*_swizzle(named), _order(named), _cga(named))


_INTERVAL = re.compile(r"(\d+)\s*:\s*\+\s*(\d+)")


def _padded(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    pairs: list[tuple[int, int]] = []
    for item in value.positional[0] if value.positional and isinstance(value.positional[0], tuple) else ():
        found = _INTERVAL.fullmatch(item.text) if isinstance(item, Raw) else None
        if not found:
            raise LayoutError("intervals are written `interval:+padding`")
        pairs.append((int(found.group(1)), int(found.group(2))))
    if not pairs:
        raise LayoutError("no interval is given")
    if "offset" in named:
        return PaddedShared(
            tuple(pairs), None, _bases(named["offset"], "offset"), _bases(named.get("block", ()), "block")
        )
    return PaddedShared(tuple(pairs), _order(named), None, _cga(named))


def _nvmma_shared(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    return NvMmaShared(
        _integer(named, "swizzlingByteWidth"), _flag(named, "transposed"), _integer(named, "elementBitWidth"),
        _flag(named, "fp4Padded"), _cga(named),
    )  # fmt: skip


def _shared_linear(value: DialectAttribute, resolve: _Resolve) -> Encoding:
    named = value.named
    return SharedLinear(
        _bases(named.get("offset", ()), "offset"), _bases(named.get("block", ()), "block"),
        _integer(named, "alignment", 16),
    )  # fmt: skip


_READERS: Mapping[str, Callable[[DialectAttribute, _Resolve], Encoding]] = {
    "blocked": _blocked,
    "slice": _slice,
    "dot_op": _dot_operand,
    "linear": _linear,
    "nvidia_mma": _nvidia_mma,
    "amd_mfma": _amd_mfma,
    "amd_wmma": _amd_wmma,
    "dpas": _dpas,
    "shared": _swizzled,
    "swizzled_shared": _swizzled,
    "amd_rotating_shared": _rotating,
    "padded_shared": _padded,
    "nvmma_shared": _nvmma_shared,
    "shared_linear": _shared_linear,
}
