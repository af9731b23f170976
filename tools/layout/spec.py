"""Layouts as a user writes them.

[1,4]/[2,16]/[4,1]           blocked: elements a thread, lanes, warps; the last dimension fed first
[1,4]/[2,16]/[4,1]/[0,1]     the same with an order
slice:1:LAYOUT               dimension 1 taken out
dot:0:LAYOUT, dot:1:8:LAYOUT an operand of a dot, with kWidth
#ttg.linear<{…}>             any layout as Triton prints it
kernel.ttgir:%12             that of a value in a file, with its shape and type
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.layout.encodings import Blocked, Distributed, DotOperand, Encoding, LayoutError, Shared, Slice
from regtriage.dataflow.layout.forms import linear_form, rank_of
from regtriage.dataflow.layout.linear import LANE, WARP, LinearLayout
from regtriage.dataflow.ttgir.encodings import encoding_of
from regtriage.dataflow.ttgir.model import Module, Value
from regtriage.dataflow.ttgir.parser import read, read_attribute
from regtriage.dataflow.ttgir.source import Source, TtgirError
from regtriage.dataflow.ttgir.spelling import spell_encoding
from regtriage.dataflow.ttgir.types import MemDesc, Scalar, Tensor, element_bits
from regtriage.tools.llc.errors import InputError

_LIST = re.compile(r"\[[\d, ]*\]")
_IN_FILE = re.compile(r"(.+):(%[\w$.-]+(?:#\d+)?)")


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout and, where it came with one, the shape and the element's bits of its tensor. text: as written."""

    text: str
    encoding: Encoding
    shape: tuple[int, ...] | None = None
    bits: int | None = None


def parse_layout(text: str) -> Layout:
    """Read a layout in any of the forms above.

    Raises InputError, one line, if it is in none of them or makes no sense.
    """
    try:
        if found := _IN_FILE.fullmatch(text):
            return _in_file(text, found.group(1), found.group(2))
        return Layout(text, _encoding(text))
    except LayoutError as error:
        raise InputError(f"'{text}': error: {error}") from None
    except TtgirError as error:
        raise InputError(str(error)) from None


def _encoding(text: str) -> Encoding:
    if text.startswith("#"):
        value = read_attribute(text, "<layout>")
        return encoding_of(value, Source("<layout>", text), 0, text)
    head, _, rest = text.partition(":")
    if head == "slice":
        dim, _, parent = rest.partition(":")
        return Slice(_number(dim), _register_layout(parent))
    if head == "dot":
        numbers, _, parent = rest.partition(":")
        width = 0
        if found := re.match(r"(\d+):(.*)", parent):
            width, parent = int(found.group(1)), found.group(2)
        operand = _number(numbers)
        if operand not in (0, 1):
            raise LayoutError("the operand of a dot is 0 or 1")
        return DotOperand(operand, _register_layout(parent), width)
    parts = text.split("/")
    if len(parts) not in (3, 4) or not all(_LIST.fullmatch(part.strip()) for part in parts):
        raise LayoutError("a layout is written [1,4]/[2,16]/[4,1], or as Triton prints it, or FILE:%value")
    lists = [_numbers(part) for part in parts]
    rank = len(lists[0])
    order = lists[3] if len(lists) == 4 else tuple(reversed(range(rank)))
    if any(len(values) != rank for values in lists) or sorted(order) != list(range(rank)) or not rank:
        raise LayoutError("its lists do not describe the same dimensions")
    for count in (count for values in lists[:3] for count in values):
        if count < 1 or count & (count - 1):
            raise LayoutError(f"{count} is no power of two")
    return Blocked(lists[0], lists[1], lists[2], order)


def _register_layout(text: str) -> Distributed:
    encoding = _encoding(text)
    if not isinstance(encoding, Distributed):
        raise LayoutError(f"'{text}' is no layout of registers that is known")
    return encoding


def _number(text: str) -> int:
    if not text.isdigit():
        raise LayoutError(f"'{text}' is no number")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))


def _in_file(text: str, path: str, name: str) -> Layout:
    module = read_module(Path(path))
    value = find_value(module, name)
    type_ = value.type
    if not isinstance(type_, Tensor | MemDesc) or type_.encoding is None:
        raise InputError(f"{path}: error: {name} is no tensor or buffer with a layout")
    rank = rank_of(type_.encoding)
    shape = type_.shape[-rank:] if rank else type_.shape  # a buffer of several stages has more dimensions
    return Layout(f"{text} {short(type_.encoding)}", type_.encoding, shape, element_bits(type_))


def read_module(path: Path) -> Module:
    """Read a TTGIR or TTIR file. Raises InputError if it is none, or cannot be read."""
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: error: this is not text") from None
    except TtgirError as error:
        raise InputError(str(error), error.source_line) from None


def find_value(module: Module, name: str) -> Value:
    """The first value of that name, `%x` or `%x#1`. Raises InputError if there is none."""
    for op in module.walk():
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)):
            if value.spelling == name:
                return value
    raise InputError(f"{module.source.path}: error: there is no value {name}")


def parse_shape(text: str) -> tuple[int, ...]:
    """`64x128`. Raises InputError."""
    parts = text.lower().split("x")
    if not all(part.strip().isdigit() and int(part) > 0 for part in parts):
        raise InputError(f"'{text}': error: a shape is written 64x128")
    shape = tuple(int(part) for part in parts)
    if any(extent & (extent - 1) for extent in shape):
        raise InputError(f"'{text}': error: tensors have powers of two as dimensions")
    return shape


def parse_numbers(text: str, what: str) -> tuple[int, ...]:
    """`1,64`. Raises InputError that names what they are."""
    parts = text.split(",")
    try:
        return tuple(int(part) for part in parts)
    except ValueError:
        raise InputError(f"'{text}': error: {what} is a list of integers, such as 1,64") from None


def parse_type(text: str) -> int:
    """The bits of an element type. Raises InputError if the name tells none."""
    bits = Scalar(text).bits
    if not bits:
        raise InputError(f"'{text}': error: an element type is named f32, bf16, i8 and so on")
    return bits


def shape_of(layouts: Sequence[Layout], given: str | None) -> tuple[int, ...]:
    """The shape that a user gave, or that the layouts came with. Raises InputError if there is none, or two."""
    if given is not None:
        return parse_shape(given)
    shapes = {layout.shape for layout in layouts if layout.shape is not None}
    if len(shapes) > 1:
        raise InputError("error: the layouts are of tensors of different shapes: say which with --shape")
    if not shapes:
        raise InputError("error: no shape: say it with --shape, or name a value of a file")
    return shapes.pop()


def linear(layout: Layout, shape: tuple[int, ...]) -> LinearLayout:
    """The linear form of a layout of registers. Raises InputError if it has none for this shape."""
    if not isinstance(layout.encoding, Distributed):
        kind = "of shared memory" if isinstance(layout.encoding, Shared) else "not known"
        raise InputError(f"'{layout.text}': error: a layout of registers is needed, this one is {kind}")
    try:
        form = linear_form(layout.encoding, shape)
    except LayoutError as error:
        raise InputError(f"'{layout.text}': error: {error}") from None
    for index in (LANE, WARP):
        if form.count(index) > 1 << 12:
            raise InputError(f"'{layout.text}': error: more than {1 << 12} {index}s")
    return form


def short(encoding: Encoding) -> str:
    """A layout in a few characters, where it has a short form; else as Triton prints it."""

    def numbers(values: Sequence[int]) -> str:
        return f"[{','.join(map(str, values))}]"

    match encoding:
        case Blocked(cga=()):
            order = encoding.order
            tail = f"/{numbers(order)}" if order != tuple(reversed(range(len(order)))) else ""
            tiles = (encoding.size_per_thread, encoding.threads_per_warp, encoding.warps_per_cta)
            return "/".join(map(numbers, tiles)) + tail
        case Slice():
            return f"slice:{encoding.dim}:{short(encoding.parent)}"
        case DotOperand():
            width = f"{encoding.k_width}:" if encoding.k_width else ""
            return f"dot:{encoding.op_idx}:{width}{short(encoding.parent)}"
        case _:
            return spell_encoding(encoding)
