"""Draws a lane graph: a box a definition, an edge what flows from one into another, from top to bottom.

What colours say is also written: a box has its kind above its text, an edge its kind beside it, and an edge around a
loop is dashed and says so. The drawing has no ids, so that several fit in one page; as a part of a page it takes the
page's colours (`STYLE`), alone it brings them.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from regtriage.dataflow.evidence import StepKind
from regtriage.dataflow.graph import Definition, EdgeKind

from . import words
from .layered import Gaps, Point, Route, Size, layered

if TYPE_CHECKING:
    import networkx as nx

    Graph = nx.DiGraph[Definition]

_CHARACTER, _LINE, _PADDING, _MARGIN = 6.65, 15, 9, 14
_GAPS = Gaps(across=26, down=44)
_LONGEST = 58

STYLE = """
.lanes { --ink: #1c2230; --faint: #5b6474; --ground: #ffffff; --box: #f6f7f9; --line: #a7afbd;
  --copy: #5b6474; --spill: #a04a00; --reload: #0b6b83; --compute: #6d3bd1; --phi: #1f7a3d; --clobber: #c4161c;
  --wrong-ground: #fdeeee; --right-ground: #eaf6ee;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
@media (prefers-color-scheme: dark) { .lanes { --ink: #e4e7ee; --faint: #a0a9b8; --ground: #14171d; --box: #1d222b;
  --line: #566072; --copy: #a0a9b8; --spill: #eea45f; --reload: #5cc3dd; --compute: #b79bf5; --phi: #6fcf8e;
  --clobber: #ff7b7b; --wrong-ground: #3a1d20; --right-ground: #18301f } }
.lanes text { font: 11px var(--mono); fill: var(--ink) }
.lanes .flag { font-weight: 600; fill: var(--faint) }
.lanes .where, .lanes .edge-name { fill: var(--faint) }
.lanes .edge-name { font-size: 10px; paint-order: stroke; stroke: var(--ground); stroke-width: 4px }
.lanes .box { fill: var(--box); stroke: var(--line) }
.lanes .ground { fill: var(--ground) }
.lanes .defined .box, .lanes .saved .box { fill: var(--right-ground); stroke: var(--phi) }
.lanes .overwritten .box, .lanes .incomplete .box { fill: var(--wrong-ground); stroke: var(--clobber); stroke-width: 2 }
.lanes .overwritten .flag, .lanes .incomplete .flag { fill: var(--clobber) }
.lanes .saved .flag, .lanes .defined .flag { fill: var(--phi) }
.lanes .read .box { stroke: var(--ink); stroke-width: 2 } .lanes .read .flag { fill: var(--ink) }
"""
"""For a page that has drawings in it."""


@dataclass(frozen=True, slots=True)
class _Box:
    flag: str
    lines: tuple[str, ...]
    css: str

    @property
    def size(self) -> Size:
        longest = max(len(line) for line in (self.flag, *self.lines))
        return Size(longest * _CHARACTER + 2 * _PADDING, (len(self.lines) + 1) * _LINE + 2 * _PADDING - 4)


def svg(graph: Graph) -> str:
    """A drawing that stands alone, for light and dark ground."""
    text = drawing(graph)
    end = text.index(">") + 1
    return f'{text[:end]}\n<style>{STYLE}</style>\n<rect class="ground" width="100%" height="100%"/>{text[end:]}\n'


def drawing(graph: Graph, label: str = "") -> str:
    """A drawing for a page that has STYLE. label: what a screen reader says of it."""
    boxes = {node: _box(attributes) for node, attributes in graph.nodes(data=True)}
    layout = layered({n: b.size for n, b in boxes.items()}, list(graph.edges), _GAPS)
    names = _Names([_Area(*layout.corners[n], b.size.width, b.size.height) for n, b in boxes.items()])
    edges = [_edge(route, *_named(graph, route), names) for route in layout.routes]
    left, right = min((0.0, *names.lefts)), max((layout.width, *names.rights))
    width, height = right - left + 2 * _MARGIN, layout.height + 2 * _MARGIN
    label = label or f"lane graph of {graph.graph.get('name', '')}: {words.count(len(boxes), 'definition')}"
    parts = [
        f'<svg class="lanes" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{html.escape(label)}">',
        f'<g transform="translate({_MARGIN - left:.0f} {_MARGIN})">',
        *edges,
        *(_drawn(box, layout.corners[node]) for node, box in boxes.items()),
        "</g></svg>",
    ]
    return "\n".join(parts)


def node_text(attributes: Mapping[str, Any]) -> list[str]:
    """What a node says: its instruction or what it stands for, and where it is from."""
    if attributes["kind"] == "entry":
        return [f"{attributes['location']} as the function starts"]
    if attributes["kind"] == "phi":
        return [f"{attributes['location']} merged at {attributes['block']}"]
    source = str(attributes["source"]).split(" < ")[0]
    where = f"line {attributes['line']}" + (f"  {PurePath(source).name}" if source else "")
    return [str(attributes["text"]), where]


def _box(attributes: Mapping[str, Any]) -> _Box:
    kind, step = str(attributes["kind"]), str(attributes.get("step", ""))
    location, block = str(attributes["location"]), words.block(str(attributes["block"]))
    if kind == "entry":
        return _Box("entry", (f"{location}, as the function starts",), "entry")
    if kind == "phi":
        return _Box("merge", (f"{location} at {block}",), "phi")
    source = PurePath(str(attributes["source"]).split(" < ")[0]).name
    where = f"{block}, line {attributes['line']}" + (f", {source}" if source else "")
    flag = step or {"spill": "stored", "reload": "reloaded", "compute": "computed", "copy": "copied"}.get(kind, kind)
    shown = f"{flag}: {location}" if location else flag
    css = "incomplete" if step == StepKind.INCOMPLETE else step or kind
    return _Box(shown, (words.cut(words.instruction(str(attributes["text"])), _LONGEST), where), css)


def _drawn(box: _Box, corner: Point) -> str:
    x, y, size = corner[0], corner[1], box.size
    texts = [("flag", box.flag), ("", box.lines[0]), *(("where", line) for line in box.lines[1:])]
    lines = [
        f'<text x="{x + _PADDING:.0f}" y="{y + _PADDING + 9 + k * _LINE:.0f}"'
        + (f' class="{css}"' if css else "")
        + f">{html.escape(line)}</text>"
        for k, (css, line) in enumerate(texts)
    ]
    box_size = f'width="{size.width:.0f}" height="{size.height:.0f}"'
    rectangle = f'<rect class="box" x="{x:.0f}" y="{y:.0f}" {box_size} rx="5"/>'
    return f'<g class="{box.css}">{rectangle}{"".join(lines)}</g>'


@dataclass(frozen=True, slots=True)
class _Area:
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: _Area) -> bool:
        beside = self.x + self.width <= other.x or other.x + other.width <= self.x
        return not (beside or self.y + self.height <= other.y or other.y + other.height <= self.y)


@dataclass(slots=True)
class _Names:
    """Places the names of edges where they cover neither a box nor each other. taken: what is there already."""

    taken: list[_Area]
    lefts: list[float] = field(default_factory=list[float])
    rights: list[float] = field(default_factory=list[float])

    def place(self, start: Point, end: Point, name: str) -> Point:
        """The lower left corner of a name beside a line."""
        width = len(name) * _CHARACTER * 10 / 11
        tried: list[_Area] = []
        for share in (0.5, 0.7, 0.3, 0.85, 0.15):
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            tried += [_Area(x + 5, y - 6, width, 11), _Area(x - 5 - width, y - 6, width, 11)]
        free = next((area for area in tried if not any(area.meets(other) for other in self.taken)), tried[0])
        self.taken.append(free)
        self.lefts.append(free.x)
        self.rights.append(free.x + free.width)
        return free.x, free.y + 9


def _named(graph: Graph, route: Route[Definition]) -> tuple[EdgeKind, str]:
    """The kind of an edge and what is written beside it."""
    kind = EdgeKind(graph.edges[route.source, route.target]["kind"])
    name = {EdgeKind.CLOBBER: "runs over", EdgeKind.PHI: "merges"}.get(kind, str(kind))
    if graph.nodes[route.target]["kind"] == "use":
        name = "read"
    return kind, name + (" around the loop" if route.turned else "")


def _edge(route: Route[Definition], kind: EdgeKind, name: str, names: _Names) -> str:
    points = route.points
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = (y1 - y0) / 2
        path += f"C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 - bend:.1f} {x1:.1f} {y1:.1f}"
    dash = ' stroke-dasharray="5 4"' if route.turned or kind is EdgeKind.CLOBBER else ""
    color = f"var(--{kind})"
    x, y = names.place(*_first_gap(points), name)
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.6"{dash}/>{_arrow(points, color)}'
        f'<text class="edge-name" x="{x:.0f}" y="{y:.0f}">{name}</text>'
    )


def _first_gap(points: tuple[Point, ...]) -> tuple[Point, Point]:
    """The part of an edge next to its lower end, between two layers: there is room for its name."""
    ends = points if points[0][1] < points[-1][1] else points[::-1]
    return ends[-2], ends[-1]


def _arrow(points: tuple[Point, ...], color: str) -> str:
    x, y = points[-1]
    back = -7 if points[-2][1] < y else 7
    return f'<path d="M{x:.1f} {y:.1f}l-4 {back}h8z" fill="{color}"/>'
