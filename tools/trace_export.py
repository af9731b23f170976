"""Writes a lane graph for other programs and for people: GraphML, DOT, SVG."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
from regtriage.dataflow.graph import Definition, EdgeKind, compact_key
from regtriage.tools.files import replace
from regtriage.tools.llc.run import InputError
from regtriage.tools.report.lane_svg import node_text, svg

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


def check_graph_name(path: Path) -> None:
    """Raises InputError for a name that says no format."""
    if path.suffix not in _FORMATS:
        raise InputError(f"{path}: error: a graph is written to a file called .graphml, .dot or .svg")


def write_graph(graph: Graph, path: Path) -> None:
    """Write to a file in the format that its name says. Raises InputError for another name, OSError."""
    check_graph_name(path)
    replace(path, _FORMATS[path.suffix](graph))


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


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_FORMATS = {".graphml": graphml, ".dot": dot, ".gv": dot, ".svg": svg}
