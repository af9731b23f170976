"""Writes a lane graph for other programs and for people: GraphML, DOT, SVG.

The SVG needs no other program: definitions stand in rows, each below what flows into it, and are shifted within
their row towards what they are joined to.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import networkx as nx
from regtriage.dataflow.graph import Definition, EdgeKind, compact_key
from regtriage.tools.llc.run import InputError

if TYPE_CHECKING:
    Graph = nx.DiGraph[Definition]

EDGE_COLORS = {
    EdgeKind.COPY: "#6b7280",
    EdgeKind.SPILL: "#b45309",
    EdgeKind.RELOAD: "#0e7490",
    EdgeKind.COMPUTE: "#7c3aed",
    EdgeKind.PHI: "#15803d",
    EdgeKind.CLOBBER: "#dc2626",
}
"""By kind; legible on light and on dark ground."""


def write_graph(graph: Graph, path: Path) -> None:
    """Write to a file in the format that its name says. Raises InputError for another name, OSError."""
    formats = {".graphml": graphml, ".dot": dot, ".gv": dot, ".svg": svg}
    make = formats.get(path.suffix)
    if make is None:
        raise InputError(f"{path}: error: a graph is written to a file called .graphml, .dot or .svg")
    path.write_text(make(graph), encoding="utf-8")


def graphml(graph: Graph) -> str:
    """The graph with all attributes; nodes are named as in `compact_key`."""
    plain: nx.DiGraph[str] = nx.DiGraph()
    for node, attributes in graph.nodes(data=True):
        plain.add_node(compact_key(node), **attributes)
    for source, target, attributes in graph.edges(data=True):
        plain.add_edge(compact_key(source), compact_key(target), kind=str(attributes["kind"]))
    lines: Iterable[str] = nx.generate_graphml(plain)  # pyright: ignore[reportUnknownMemberType]
    return "\n".join(lines) + "\n"


def dot(graph: Graph) -> str:
    """For Graphviz: a box a definition, edges coloured by kind."""
    lines = ["digraph lanes {", '  node [shape=box fontname="monospace" fontsize=10]', "  edge [fontsize=9]"]
    for node, attributes in graph.nodes(data=True):
        label = "\\n".join(_dot_text(line) for line in node_text(attributes))
        lines.append(f'  "{_dot_text(compact_key(node))}" [label="{label}"]')
    for source, target, attributes in graph.edges(data=True):
        kind = EdgeKind(attributes["kind"])
        style = " style=dashed constraint=false" if kind is EdgeKind.CLOBBER else ""
        lines.append(
            f'  "{_dot_text(compact_key(source))}" -> "{_dot_text(compact_key(target))}" '
            f'[color="{EDGE_COLORS[kind]}" label="{kind}"{style}]'
        )
    return "\n".join([*lines, "}"]) + "\n"


def node_text(attributes: Mapping[str, Any]) -> list[str]:
    """What a node says: its instruction or what it stands for, and where it is from."""
    if attributes["kind"] == "entry":
        return [f"{attributes['location']} as the function starts"]
    if attributes["kind"] == "phi":
        return [f"{attributes['location']} merged at {attributes['block']}"]
    source = str(attributes["source"]).split(" < ")[0]
    where = f"line {attributes['line']}" + (f"  {PurePath(source).name}" if source else "")
    return [str(attributes["text"]), where]


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


# -- SVG --------------------------------------------------------------------------------------------------------------

_CHARACTER, _LINE, _PADDING = 6.6, 14, 6
_ROW_GAP, _BOX_GAP, _MARGIN = 34, 18, 12
_LONGEST = 56
_SWEEPS = 4
_STYLE = """
text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #111827 }
.box { fill: #f9fafb; stroke: #9ca3af } .where { fill: #6b7280 }
.phi .box { fill: #dcfce7; stroke: #15803d } .entry .box { fill: #e0f2fe; stroke: #0369a1 }
.spill .box { fill: #ffedd5 } .reload .box { fill: #cffafe } .ground { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb } .where { fill: #9ca3af } .ground { fill: #111827 } .box { fill: #1f2937; stroke: #6b7280 }
  .phi .box { fill: #14532d } .entry .box { fill: #0c4a6e } .spill .box { fill: #7c2d12 }
  .reload .box { fill: #164e63 }
}
"""


@dataclass(slots=True)
class _Box:
    lines: list[str]
    kind: str
    row: int
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        return max(len(line) for line in self.lines) * _CHARACTER + 2 * _PADDING

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + _PADDING

    @property
    def center(self) -> float:
        return self.x + self.width / 2


def svg(graph: Graph) -> str:
    """A drawing that stands alone, for light and dark ground."""
    boxes = _laid_out(graph)
    width = max((b.x + b.width for b in boxes.values()), default=0) + _MARGIN + 60
    height = max((b.y + b.height for b in boxes.values()), default=0) + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="lane graph of {html.escape(str(graph.graph.get("name", "")))}">',
        f"<style>{_STYLE}</style>",
        _markers(),
        '<rect class="ground" width="100%" height="100%"/>',
    ]
    parts += [_edge(boxes[s], boxes[t], EdgeKind(a["kind"]), width) for s, t, a in graph.edges(data=True)]
    parts += [_box(box) for box in boxes.values()]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _laid_out(graph: Graph) -> dict[Definition, _Box]:
    rows = _rows(graph)
    boxes = {
        n: _Box([_short(line) for line in node_text(a)], str(a["kind"]), rows[n]) for n, a in graph.nodes(data=True)
    }
    order: dict[int, list[Definition]] = {}
    for node in graph.nodes:
        order.setdefault(rows[node], []).append(node)
    for sweep in range(_SWEEPS):
        for row in sorted(order, reverse=bool(sweep % 2)):
            _place(order[row], boxes)
            neighbours = graph.predecessors if sweep % 2 == 0 else graph.successors
            order[row].sort(key=lambda n: _middle([boxes[m].center for m in neighbours(n)], boxes[n].center))
            _place(order[row], boxes)
    y = float(_MARGIN)
    widest = max((boxes[r[-1]].x + boxes[r[-1]].width for r in order.values()), default=0.0)
    for row in sorted(order):
        last = boxes[order[row][-1]]
        shift = (widest - (last.x + last.width)) / 2
        for node in order[row]:
            boxes[node].x += shift
            boxes[node].y = y
        y += max(boxes[n].height for n in order[row]) + _ROW_GAP
    return boxes


def _place(row: Sequence[Definition], boxes: Mapping[Definition, _Box]) -> None:
    x = float(_MARGIN)
    for node in row:
        boxes[node].x = x
        x += boxes[node].width + _BOX_GAP


def _middle(centers: Sequence[float], otherwise: float) -> float:
    return sum(centers) / len(centers) if centers else otherwise


def _rows(graph: Graph) -> dict[Definition, int]:
    """A row for each node, below everything that flows into it except around a loop."""
    forward: Graph = nx.DiGraph()
    forward.add_nodes_from(graph.nodes)
    closing = _closing_edges(graph)
    forward.add_edges_from(
        (s, t) for s, t, a in graph.edges(data=True) if (s, t) not in closing and a["kind"] != EdgeKind.CLOBBER
    )
    rows: dict[Definition, int] = {}
    for node in nx.topological_sort(forward):
        rows[node] = max((rows[p] + 1 for p in forward.predecessors(node)), default=0)
    return rows


def _closing_edges(graph: Graph) -> set[tuple[Definition, Definition]]:
    """Edges that lead back to a node on the way to them: without these there are no cycles."""
    closing: set[tuple[Definition, Definition]] = set()
    state: dict[Definition, int] = {}
    for root in graph.nodes:
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(list(graph.successors(root))))]
        while stack:
            node, rest = stack[-1]
            for following in rest:
                if state.get(following) == 1:
                    closing.add((node, following))
                elif following not in state:
                    state[following] = 1
                    stack.append((following, iter(list(graph.successors(following)))))
                    break
            else:
                state[node] = 2
                stack.pop()
    return closing


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


def _markers() -> str:
    arrows = [
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 8 4 0 8z" fill="{color}"/></marker>'
        for kind, color in EDGE_COLORS.items()
    ]
    return "<defs>" + "".join(arrows) + "</defs>"


def _edge(source: _Box, target: _Box, kind: EdgeKind, width: float) -> str:
    start, end = (source.center, source.y + source.height), (target.center, target.y)
    if target.row > source.row:
        bend = (end[1] - start[1]) / 2
        path = f"M{start[0]:.0f} {start[1]:.0f}C{start[0]:.0f} {start[1] + bend:.0f} "
        path += f"{end[0]:.0f} {end[1] - bend:.0f} {end[0]:.0f} {end[1]:.0f}"
    else:
        # around the side: a loop's back edge, or what a store ends
        side = min(width - 6, max(source.x + source.width, target.x + target.width) + 50)
        start = (source.x + source.width, source.y + source.height / 2)
        end = (target.x + target.width, target.y + target.height / 2)
        path = f"M{start[0]:.0f} {start[1]:.0f}C{side:.0f} {start[1]:.0f} {side:.0f} {end[1]:.0f} "
        path += f"{end[0]:.0f} {end[1]:.0f}"
    dash = ' stroke-dasharray="4 3"' if kind is EdgeKind.CLOBBER else ""
    return (
        f'<path d="{path}" fill="none" stroke="{EDGE_COLORS[kind]}" stroke-width="1.3"{dash} '
        f'marker-end="url(#{kind})"><title>{kind}</title></path>'
    )


def _box(box: _Box) -> str:
    lines = [
        f'<text x="{box.x + _PADDING:.0f}" y="{box.y + _PADDING + 8 + k * _LINE:.0f}"'
        f"{' class=' + chr(34) + 'where' + chr(34) if k else ''}>{html.escape(line)}</text>"
        for k, line in enumerate(box.lines)
    ]
    rectangle = (
        f'<rect class="box" x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="4"/>'
    )
    return f'<g class="{box.kind}">{rectangle}{"".join(lines)}</g>'
