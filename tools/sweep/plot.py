"""Spills against hits as a picture: SVG without scripts or fonts, coloured by the page that it is in.

A bar for each range of spills, as high as the share of its units that are hit; below, how many units there are. The
whiskers are Wilson's 95 % interval of the share, since a range with three units says little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from .figures import SpillBin

_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 16, 56
_Z = 1.96
"""Of a normal distribution 95 % lie within so many standard deviations."""

_LINES = 4


def spills_svg(bins: Sequence[SpillBin]) -> str:
    """The picture. There has to be a bin."""
    top = _top(bins)
    wide = (_WIDTH - _LEFT - _RIGHT) / len(bins)
    parts = [
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">',
        "<title>Share of units that are hit, by how many spills the compiler counts</title>",
    ]
    for step in range(_LINES + 1):
        share = top * step / _LINES
        y = _y(share, top)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{100 * share:.3g} %", "end"))
    for at, bin_ in enumerate(bins):
        parts.append(_bar(bin_, _LEFT + wide * at, wide, top))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 4, "spills, this many or more; below: units", "middle"))
    parts.append("</svg>")
    return "\n".join(parts)


def interval(hits: int, units: int) -> tuple[float, float]:
    """Wilson's interval of a share (E. B. Wilson, 1927), from 0 to 1; the whole of it where there are no units."""
    if not units:
        return 0.0, 1.0
    share, square = hits / units, _Z * _Z
    middle = share + square / (2 * units)
    half = _Z * math.sqrt(share * (1 - share) / units + square / (4 * units * units))
    scale = 1 + square / units
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def _top(bins: Sequence[SpillBin]) -> float:
    """The share at the upper end of the picture: the next round one above all bars and whiskers."""
    highest = max(interval(b.hits, b.units)[1] if b.hits else 0.0 for b in bins)
    return next((share for share in (0.01, 0.02, 0.04, 0.1, 0.2, 0.4) if share >= highest), 1.0)


def _bar(bin_: SpillBin, x: float, wide: float, top: float) -> str:
    share = bin_.hits / bin_.units if bin_.units else 0.0
    middle, y, floor = x + wide / 2, _y(share, top), _y(0.0, top)
    between = _between(bin_)
    title = f"{between} spills: {bin_.hits} of {bin_.units} units hit"
    parts = [
        f"<g><title>{escape(title)}</title>",
        f'<rect class="bar" x="{x + wide * 0.2:.1f}" y="{y:.1f}" width="{wide * 0.6:.1f}" height="{floor - y:.1f}"/>',
    ]
    if bin_.hits:
        low, high = (_y(min(end, top), top) for end in interval(bin_.hits, bin_.units))
        parts.append(f'<line class="whisker" x1="{middle:.1f}" x2="{middle:.1f}" y1="{high:.1f}" y2="{low:.1f}"/>')
        parts.append(_text(middle + 4, y - 4, str(bin_.hits), "start"))
    parts.append(_text(middle, floor + 16, str(bin_.least), "middle"))
    parts.append(_text(middle, floor + 30, str(bin_.units), "middle", "count"))
    return "".join([*parts, "</g>"])


def _between(bin_: SpillBin) -> str:
    return str(bin_.least) if bin_.least == bin_.most else f"{bin_.least}-{bin_.most}"


def _y(share: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share / top


def _text(x: float, y: float, text: str, anchor: str, kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
