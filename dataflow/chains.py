"""Walks the lane graph from one definition to where its value was made, or to what becomes of it, step by step.

A chain follows copies, spills, reloads and merges to their ends, and computations up to a depth; what memory returns
starts a value of its own, so a load ends a chain. Where several definitions meet, or several operands are needed,
the chain branches. A definition that has been shown is not walked twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import networkx as nx

from .findings import Place
from .graph import Definition, EdgeKind, LaneGraph


class Direction(StrEnum):
    """BACKWARD: to the definitions. FORWARD: to the uses."""

    BACKWARD = "backward"
    FORWARD = "forward"


class LinkKind(StrEnum):
    """What a step of a chain is. The first four move a value unchanged."""

    COPY = "copy"
    SPILL = "spill"
    RELOAD = "reload"
    MERGE = "merge"
    CONSTANT = "constant"
    UNDEFINED = "undefined"
    """MIR's IMPLICIT_DEF: no value of the function."""
    COMPUTE = "compute"
    LOAD = "load"
    USE = "use"
    """Reads the value and defines no lane: a store, a branch."""
    ENTRY = "entry"
    """The location's content when the function starts."""


@dataclass(frozen=True, slots=True)
class Link:
    """One step. depth: how many branchings it lies behind. place: None for merges and entry values.

    over_back_edge: reached along a loop's back edge. seen: shown before, and not walked again. cut: there is more
    behind it, left out for depth or length. argument: the byte of the kernel's arguments that is loaded, or None.
    """

    kind: LinkKind
    location: str
    block: str
    place: Place | None
    depth: int
    over_back_edge: bool = False
    seen: bool = False
    cut: bool = False
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """What one lane is made of, or becomes. reader: the instruction that the walk starts from, or None."""

    location: str
    reader: Place | None
    links: tuple[Link, ...]


@dataclass(slots=True)
class Walker:
    """Makes chains over one graph. computes: computations that a chain goes through; most: links of a chain.

    nodes and edges collect what all chains went over.
    """

    graph: LaneGraph
    direction: Direction
    computes: int
    most: int
    nodes: dict[Definition, None] = field(default_factory=dict[Definition, None])
    edges: dict[tuple[Definition, Definition], EdgeKind] = field(
        default_factory=dict[tuple[Definition, Definition], EdgeKind]
    )

    def chain(self, start: Definition, reader: Place | None) -> Chain:
        """The chain of one definition."""
        links: list[Link] = []
        seen: set[Definition] = set()
        stack = [_Visit(start, 0, self.computes, over_back_edge=False)]
        while stack:
            visit = stack.pop()
            node = visit.node
            known = node in seen
            following = [] if known else self._following(visit)
            full = len(links) + 1 >= self.most
            cut = not known and ((full and bool(following)) or (not following and self._has_more(visit)))
            links.append(self._link(visit, seen=known, cut=cut))
            seen.add(node)
            self.nodes.setdefault(node)
            if full:
                break
            branches = len(following) > 1
            for neighbour, kind, back in reversed(following):
                edge = (neighbour, node) if self.direction is Direction.BACKWARD else (node, neighbour)
                self.edges[edge] = kind
                left = visit.computes - (kind is EdgeKind.COMPUTE)
                stack.append(_Visit(neighbour, visit.depth + branches, left, over_back_edge=back))
            if self.direction is Direction.FORWARD and not known:
                links += self._uses(node, visit.depth + branches)
        return Chain(start.location, reader, tuple(links))

    def slice(self) -> nx.DiGraph[Definition]:
        """All that the chains went over, with the attributes of `LaneGraph.describe`."""
        graph: nx.DiGraph[Definition] = nx.DiGraph(name=self.graph.program.name)
        graph.add_nodes_from(self.nodes)
        for (source, target), kind in self.edges.items():
            if source in self.nodes and target in self.nodes:
                graph.add_edge(source, target, kind=kind)
        self.graph.describe(graph)
        return graph

    def _following(self, visit: _Visit) -> list[tuple[Definition, EdgeKind, bool]]:
        found = self._neighbours(visit.node)
        if visit.computes <= 0:
            found = [f for f in found if f[1] is not EdgeKind.COMPUTE]
        return [(node, kind, self._is_back(visit.node, node, kind)) for node, kind in found]

    def _neighbours(self, node: Definition) -> list[tuple[Definition, EdgeKind]]:
        if self.direction is Direction.FORWARD:
            return [(d, kind) for d, kind in self.graph.outputs(node) if not d.is_merge or self._is_needed(d)]
        return [] if self._loads(node) else self.graph.inputs(node)

    def _is_needed(self, merge: Definition) -> bool:
        """Some instruction reads a merge, maybe behind others: merges stand wherever definitions meet, read or not."""
        queue = [merge]
        for node in queue:
            if self.graph.readers(node):
                return True
            queue += [d for d, _ in self.graph.outputs(node) if d not in queue]
        return False

    def _has_more(self, visit: _Visit) -> bool:
        return bool(self._neighbours(visit.node))

    def _is_back(self, node: Definition, neighbour: Definition, kind: EdgeKind) -> bool:
        """The value comes into a merge around the loop that starts there."""
        if kind is not EdgeKind.PHI or self.direction is Direction.FORWARD:
            return False
        cfg = self.graph.program.cfg
        sources = [p for p in cfg.predecessors[node.block] if self.graph.at_exit(p, node.location) == neighbour]
        return bool(sources) and all(cfg.is_back_edge(p, node.block) for p in sources)

    def _loads(self, node: Definition) -> bool:
        return not (node.is_merge or node.is_live_in) and self.graph.program.steps[node.block][node.position].memory

    def _uses(self, node: Definition, depth: int) -> list[Link]:
        program = self.graph.program
        readers = [(b, i) for b, i in self.graph.readers(node) if not program.steps[b][i].flows]
        return [Link(LinkKind.USE, node.location, program.labels[b], program.place(b, i), depth) for b, i in readers]

    def _link(self, visit: _Visit, *, seen: bool, cut: bool) -> Link:
        node, program = visit.node, self.graph.program
        back, depth = visit.over_back_edge, visit.depth
        if node.is_live_in:
            return Link(LinkKind.ENTRY, node.location, "", None, depth, back, seen)
        label = program.labels[node.block]
        if node.is_merge:
            return Link(LinkKind.MERGE, node.location, label, None, depth, back, seen, cut)
        place = program.place(node.block, node.position)
        kind = self._kind(node, place)
        argument = self._argument(node, place) if kind is LinkKind.LOAD else None
        return Link(kind, node.location, label, place, depth, back, seen, cut and kind is not LinkKind.LOAD, argument)

    def _kind(self, node: Definition, place: Place) -> LinkKind:
        step = self.graph.program.steps[node.block][node.position]
        if step.memory:
            return LinkKind.LOAD
        if step.kind is EdgeKind.COPY and not any(given for _, given in step.flows):
            return LinkKind.UNDEFINED if "IMPLICIT_DEF" in place.text else LinkKind.CONSTANT
        return LinkKind(step.kind.value)

    def _argument(self, node: Definition, place: Place) -> int | None:
        """The byte of the kernel's arguments: a scalar load from where the kernel was told that they are."""
        found = _SCALAR_LOAD.search(place.text)
        if found is None:
            return None
        step = self.graph.program.steps[node.block][node.position]
        if not all(d.is_live_in for s in step.reads for d in self.graph.origins(self._reaching(node, s))):
            return None
        lane = [location for location, _ in step.flows].index(node.location)
        return int(found["asm"] or found["mir"], 0) + 4 * lane

    def _reaching(self, node: Definition, location: str) -> Definition:
        return self.graph.reaching(node.block, node.position, location)


_SCALAR_LOAD = re.compile(
    r"^s_load_\w+ [^,]+, s\[[^,]+, (?P<asm>0x[0-9a-f]+|\d+)|S_LOAD_DWORD(?:X\d+)?_IMM(?:_ec)? [^,]+, (?P<mir>\d+),"
)


@dataclass(frozen=True, slots=True)
class _Visit:
    node: Definition
    depth: int
    computes: int
    over_back_edge: bool


def origins_of(chain: Chain) -> Sequence[Link]:
    """The ends of a chain."""
    moving = (LinkKind.COPY, LinkKind.SPILL, LinkKind.RELOAD, LinkKind.MERGE)
    return [link for link in chain.links if link.kind not in moving and not link.seen]
