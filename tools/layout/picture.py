"""Who owns which element, as a map: text for a terminal, SVG for a page.

A map shows a plane of the tensor: its last two dimensions (a tensor of one is a single row), the others at a
fixed index. An element that several threads hold shows the first of them; `+` says that there are more.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray
from regtriage.dataflow.layout.linear import BLOCK, LANE, REGISTER, WARP, LinearLayout
from rich.text import Text

_STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red", "bright_cyan", "bright_green")
_HIGHLIGHT = "reverse"
MOST_CELLS = 128
"""The longest side of a drawn plane."""


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread of a block."""

    warp: int
    lane: int


@dataclass(frozen=True)
class Plane:
    """The first owner of each element of a plane: warp, lane and register, `[row, column]`; copies of each element.

    held: whether the highlighted thread holds it.
    """

    warp: NDArray[np.int64]
    lane: NDArray[np.int64]
    register: NDArray[np.int64]
    copies: int
    held: NDArray[np.bool_]


def plane(layout: LinearLayout, at: Sequence[int], thread: Thread | None) -> Plane:
    """The owners of a plane. at: the index along each dimension but the last two."""
    rows, columns = (1, *layout.shape)[-2:]
    owners = _first_owners(layout)
    start = 0
    for index, extent in zip(at, layout.shape, strict=False):
        start = start * extent + index
    part = owners[start * rows * columns :][: rows * columns].reshape(rows, columns)
    registers, lanes, warps = (layout.count(index) for index in (REGISTER, LANE, WARP))
    held = np.zeros(layout.size, dtype=np.bool_)
    if thread is not None:
        base = layout.element({WARP: thread.warp, LANE: thread.lane})
        held[layout.elements(REGISTER) ^ base] = True
    return Plane(
        part // (registers * lanes) % warps,
        part // registers % lanes,
        part % registers,
        layout.replication,
        held[start * rows * columns :][: rows * columns].reshape(rows, columns),
    )


def _first_owners(layout: LinearLayout) -> NDArray[np.int64]:
    """The number of the first place that holds each element, registers counted fastest; -1 where none does."""
    places = layout.elements(BLOCK, WARP, LANE, REGISTER).reshape(-1)
    owners = np.full(layout.size, -1, dtype=np.int64)
    owners[places[::-1]] = np.arange(places.size)[::-1]
    return owners


def text_map(of: Plane, width: int, *, registers: bool) -> Iterator[Text]:
    """Rows of `warp:lane` (and `.register`), coloured by warp; what does not fit is left out and said."""
    rows, columns = of.warp.shape
    cells = [
        [_cell(of, row, column, registers=registers) for column in range(min(columns, MOST_CELLS))]
        for row in range(min(rows, MOST_CELLS))
    ]
    size = max(len(cell) for line in cells for cell in line)
    margin = len(str(rows - 1)) + 2
    shown = max(1, min(columns, (width - margin) // (size + 1)))
    head = " ".join(str(column).rjust(size) for column in range(shown))
    yield Text(" " * margin + head, "dim")
    for row, line in enumerate(cells):
        text = Text(f"{row:>{margin - 2}}  ", "dim")
        for column in range(shown):
            style = _STYLES[int(of.warp[row, column]) % len(_STYLES)]
            if of.held[row, column]:
                style = f"{style} {_HIGHLIGHT}"
            text.append(" " if column else "")
            text.append(line[column].rjust(size), style)
        yield text
    if shown < columns or len(cells) < rows:
        yield Text(f"{len(cells)} of {rows} rows, {shown} of {columns} columns", "dim")


def _cell(of: Plane, row: int, column: int, *, registers: bool) -> str:
    cell = f"{of.warp[row, column]}:{of.lane[row, column]}"
    if registers:
        cell += f".{of.register[row, column]}"
    return cell + ("+" if of.copies > 1 else "")


def svg_map(of: Plane, title: str) -> str:
    """The plane as an SVG picture: colours by warp, lane numbers in cells, the highlighted thread framed."""
    rows, columns = (min(extent, MOST_CELLS) for extent in of.warp.shape)
    warps = int(of.warp.max()) + 1
    cell, left, top = 22, 34, 44
    width, height = left + columns * cell + 10, top + rows * cell + 34
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="monospace" font-size="9">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="16" font-size="12">{escape(title)}</text>',
    ]
    for column in range(0, columns, max(1, columns // 16)):
        lines.append(f'<text x="{left + column * cell + cell // 2}" y="{top - 6}" text-anchor="middle">{column}</text>')
    for row in range(0, rows, max(1, rows // 16)):
        lines.append(f'<text x="{left - 5}" y="{top + row * cell + 14}" text-anchor="end">{row}</text>')
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * cell, top + row * cell
            warp, lane, register = (int(a[row, column]) for a in (of.warp, of.lane, of.register))
            label = f"({row},{column}): warp {warp}, lane {lane}, register {register}"
            lines.append(
                f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{_color(warp, warps)}" stroke="#999" '
                f'stroke-width="0.5"><title>{label}</title></rect>'
            )
            lines.append(f'<text x="{x + cell // 2}" y="{y + 14}" text-anchor="middle">{lane}</text>')
    for row, column in zip(*np.nonzero(of.held[:rows, :columns]), strict=True):
        x, y = left + int(column) * cell, top + int(row) * cell
        lines.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{cell - 2}" fill="none" stroke="black" '
            'stroke-width="2.5"/>'
        )
    for warp in range(min(warps, 16)):
        x = left + warp * 64
        lines.append(
            f'<rect x="{x}" y="{height - 24}" width="12" height="12" fill="{_color(warp, warps)}" stroke="#999"/>'
        )
        lines.append(f'<text x="{x + 16}" y="{height - 14}">warp {warp}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _color(warp: int, warps: int) -> str:
    red, green, blue = colorsys.hls_to_rgb(warp / max(1, warps), 0.8, 0.65)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
