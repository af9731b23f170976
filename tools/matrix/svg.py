"""A matrix as a picture: SVG without scripts, fonts or anything else from elsewhere."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from regtriage.dataflow.findings import Verdict

from .model import Cell, MatrixReport
from .text import FAILED, grid, label

_COLORS: dict[Verdict | None, tuple[str, str]] = {
    Verdict.BUG: ("#b2182b", "#ffffff"),
    Verdict.HAZARD: ("#f4a582", "#1a1a1a"),
    Verdict.CLEAN: ("#d1e5f0", "#1a1a1a"),
    Verdict.UNPROVEN: ("#8073ac", "#ffffff"),
    None: ("#bababa", "#1a1a1a"),
}
"""Ground and letters. Told apart without red and green, and each cell says its verdict."""

_CHARACTER, _LINE, _MARGIN = 7.3, 24, 12
"""Width of a character and height of a row at 12 pixels, and the space around."""


def matrix_svg(report: MatrixReport) -> str:
    """The picture of a matrix."""
    rows = grid(report)
    row_labels = ["  ".join(_pairs(report, values)) for values, _ in rows]
    across = report.axes[-1]
    left = _MARGIN + _CHARACTER * max((len(text) for text in row_labels), default=0) + 8
    texts = [*across.values, *(label(cell) for cell in report.cells)]
    wide = max(_CHARACTER * max(map(len, texts)) + 12, 48)
    top = _MARGIN + 2 * _LINE + 4
    width = max(left + wide * len(across.values), _CHARACTER * len(report.input)) + _MARGIN
    height = top + _LINE * len(rows) + _LINE + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="12" role="img">',
        f"<title>{escape(report.input)}</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        _text(_MARGIN, _MARGIN + 12, report.input, weight="bold"),
        _text(left, _MARGIN + _LINE + 4, across.name),
    ]
    parts += [
        _text(left + wide * (at + 0.5), top - 8, value, anchor="middle") for at, value in enumerate(across.values)
    ]
    for at, (text, (_, cells)) in enumerate(zip(row_labels, rows, strict=True)):
        y = top + _LINE * at
        parts.append(_text(left - 8, y + 16, text, anchor="end"))
        parts += [_cell(report, cell, left + wide * column, y, wide) for column, cell in enumerate(cells)]
    parts.append(_legend(report, left, top + _LINE * len(rows) + 18))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _cell(report: MatrixReport, cell: Cell, x: float, y: float, wide: float) -> str:
    ground, ink = _COLORS[cell.verdict]
    title = ", ".join(_pairs(report, cell.values)) + f": {label(cell)}"
    return (
        f"<g><title>{escape(title)}</title>"
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{_LINE - 2}" fill="{ground}"/>'
        f"{_text(x + wide / 2, y + 16, label(cell), anchor='middle', fill=ink)}</g>"
    )


def _legend(report: MatrixReport, x: float, y: float) -> str:
    pieces = [
        f"{verdict.value if verdict is not None else FAILED} {count}"
        for verdict in _COLORS
        if (count := sum(cell.verdict is verdict for cell in report.cells))
    ]
    return _text(x, y, ", ".join(pieces) + f" of {len(report.cells)}")


def _pairs(report: MatrixReport, values: tuple[str, ...]) -> list[str]:
    return [f"{axis.name}={value}" for axis, value in zip(report.axes, values, strict=False)]


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", fill: str = "#1a1a1a", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor={quoteattr(anchor)} fill="{fill}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
