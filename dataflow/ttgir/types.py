"""Types and attribute values, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..layout.encodings import Encoding

POINTER_BITS = 64
"""Of a global pointer, on every target that Triton has."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """`i32`, `bf16`, `f8E5M2`, `index`: a builtin type of one number."""

    name: str

    @property
    def bits(self) -> int:
        """Its width; `index` counts as 64. 0 if the name tells none."""
        return _scalar_bits(self.name)


@dataclass(frozen=True, slots=True)
class Pointer:
    """`!tt.ptr<T, space>`."""

    pointee: Type
    space: int = 1

    @property
    def bits(self) -> int:
        """Its width."""
        return POINTER_BITS


@dataclass(frozen=True, slots=True)
class Tensor:
    """`tensor<64x32xf16, #layout>`. encoding: None before layouts are chosen."""

    shape: tuple[int, ...]
    element: Type
    encoding: Encoding | None = None


@dataclass(frozen=True, slots=True)
class MemDesc:
    """`!ttg.memdesc<…>`: a buffer in shared (or tensor) memory.

    space: the attribute as written, `#ttg.shared_memory`.
    """

    shape: tuple[int, ...]
    element: Type
    encoding: Encoding
    space: str
    mutable: bool = False
    alloc_shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Descriptor:
    """`!tt.tensordesc<…>`: a tensor in global memory, and the shape and layout of the block that is moved."""

    block: Tensor


@dataclass(frozen=True, slots=True)
class Opaque:
    """Any other type, as written; `?` where the text of an op does not tell."""

    text: str


Type = Scalar | Pointer | Tensor | MemDesc | Descriptor | Opaque

UNKNOWN = Opaque("?")


@dataclass(frozen=True, slots=True)
class Symbol:
    """`@name`, without the sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Dense:
    """`dense<…> : T`. value: a splat's number, else what stands between the angle brackets."""

    value: int | float | bool | str
    type: Type


@dataclass(frozen=True, slots=True)
class DialectAttribute:
    """`#dialect.name<…>`. positional: parameters without a name; named: those in braces, or `name = value`."""

    name: str
    positional: tuple[Attribute, ...]
    named: Mapping[str, Attribute]
    text: str


@dataclass(frozen=True, slots=True)
class Raw:
    """An attribute that is kept as written: a bare keyword, an affine map, and so on."""

    text: str


Attribute = (
    int | float | bool | str | tuple["Attribute", ...] | Mapping[str, "Attribute"] | Type | Symbol | Dense
    | DialectAttribute | Raw
)  # fmt: skip

_FLOAT = re.compile(r"(?:bf|tf|f)(\d+)(E\d+M\d+\w*)?")
_INTEGER = re.compile(r"[su]?i(\d+)")


def _scalar_bits(name: str) -> int:
    if name == "index":
        return 64
    found = _INTEGER.fullmatch(name) or _FLOAT.fullmatch(name)
    if not found:
        return 0
    bits = int(found.group(1))
    return 32 if name == "tf32" else bits


def element_bits(of: Type) -> int:
    """The width of a scalar, or of an element of a tensor or buffer; 0 if unknown."""
    match of:
        case Scalar() | Pointer():
            return of.bits
        case Tensor() | MemDesc():
            return element_bits(of.element)
        case Descriptor():
            return element_bits(of.block)
        case _:
            return 0
