"""Lays out a small directed graph in layers, from top to bottom.

Steps: edges that close a cycle are turned round; each node goes one layer below the lowest of what leads to it, and
nodes without such are pulled down to what they lead to; an edge over several layers gets a bend in each; the order
within layers is swept by the mean place of neighbours, the order with the fewest crossings is kept; places are the
best fit, by least squares, to the means of the neighbours at the least distance (pool adjacent violators).
K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system structures", has the idea.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

Point = tuple[float, float]

_SWEEPS = 12
_BEND_WEIGHT = 4.0
"""How much straighter an edge is pulled than a node to the middle of its neighbours."""
_BEND_WIDTH = 10.0


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a box."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Gaps:
    """Least distances: between boxes of one layer, and between layers."""

    across: float
    down: float


@dataclass(frozen=True, slots=True)
class Route(Generic[K]):
    """How an edge runs: from the border of its source to that of its target. turned: it runs upwards."""

    source: K
    target: K
    points: tuple[Point, ...]
    turned: bool


@dataclass(frozen=True, slots=True)
class Layout(Generic[K]):
    """corners: of each box the upper left one."""

    corners: Mapping[K, Point]
    routes: tuple[Route[K], ...]
    width: float
    height: float


def layered(sizes: Mapping[K, Size], edges: Sequence[tuple[K, K]], gaps: Gaps, widest: float = 1500) -> Layout[K]:
    """Lay out nodes and edges. Edges from a node to itself are left out; the order of both decides ties.

    Parts that are not connected stand side by side, in rows up to the width `widest`.
    """
    links = [e for e in dict.fromkeys(edges) if e[0] != e[1]]
    corners: dict[K, Point] = {}
    routes: list[Route[K]] = []
    x = y = width = tall = 0.0
    for part in _parts(sizes, links):
        layout = _Layered({n: sizes[n] for n in part}, [e for e in links if e[0] in part], gaps).run()
        if x and x + layout.width > widest:
            x, y, tall = 0.0, y + tall + gaps.down, 0.0
        corners |= {node: (a + x, b + y) for node, (a, b) in layout.corners.items()}
        for route in layout.routes:
            routes.append(dataclasses.replace(route, points=tuple((a + x, b + y) for a, b in route.points)))
        width, tall = max(width, x + layout.width), max(tall, layout.height)
        x += layout.width + 2 * gaps.across
    return Layout(corners, tuple(routes), width, y + tall)


def _parts(nodes: Iterable[K], edges: Sequence[tuple[K, K]]) -> list[dict[K, None]]:
    """The nodes of each connected part, in their order."""
    near: dict[K, list[K]] = {}
    for source, target in edges:
        near.setdefault(source, []).append(target)
        near.setdefault(target, []).append(source)
    part: dict[K, int] = {}
    order = list(nodes)
    for root in order:
        queue = [root] if root not in part else []
        for node in queue:
            if node not in part:
                part[node] = part.get(root, len(part))
                queue += near.get(node, ())
    found: dict[int, dict[K, None]] = {}
    for node in order:
        found.setdefault(part[node], {})[node] = None
    return list(found.values())


@dataclass(slots=True)
class _Cell(Generic[K]):
    """A node, or a bend of an edge (node is None)."""

    node: K | None
    width: float
    height: float
    layer: int
    above: list[int] = field(default_factory=list[int])
    below: list[int] = field(default_factory=list[int])
    center: float = 0.0


class _Layered(Generic[K]):
    def __init__(self, sizes: Mapping[K, Size], edges: Sequence[tuple[K, K]], gaps: Gaps) -> None:
        self.sizes, self.edges, self.gaps = sizes, edges, gaps
        self.cells: list[_Cell[K]] = []
        self.chains: list[list[int]] = []

    def run(self) -> Layout[K]:
        turned = _closing(list(self.sizes), self.edges)
        downward = [(t, s) if (s, t) in turned else (s, t) for s, t in self.edges]
        layers = _layers(list(self.sizes), downward)
        rows = self._make_cells(layers, downward)
        rows = self._ordered(rows)
        self._place(rows)
        tops = self._tops(rows)
        corners = {
            c.node: (c.center - c.width / 2, tops[c.layer] + (self._height(rows[c.layer]) - c.height) / 2)
            for c in self.cells
            if c.node is not None
        }
        routes = tuple(self._routes(tops, rows, turned))
        width = max((c.center + c.width / 2 for c in self.cells), default=0.0)
        height = tops[-1] + self._height(rows[-1]) if rows else 0.0
        return Layout(corners, routes, width, height)

    def _make_cells(self, layers: Mapping[K, int], downward: Sequence[tuple[K, K]]) -> list[list[int]]:
        number: dict[K, int] = {}
        for node, size in self.sizes.items():
            number[node] = len(self.cells)
            self.cells.append(_Cell(node, size.width, size.height, layers[node]))
        for source, target in downward:
            chain = [number[source]]
            for layer in range(layers[source] + 1, layers[target]):
                chain.append(len(self.cells))
                self.cells.append(_Cell(None, _BEND_WIDTH, 0.0, layer))
            chain.append(number[target])
            self.chains.append(chain)
            for upper, lower in itertools.pairwise(chain):
                self.cells[upper].below.append(lower)
                self.cells[lower].above.append(upper)
        rows: list[list[int]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
        for at, cell in enumerate(self.cells):
            rows[cell.layer].append(at)
        return rows

    # -- order ----------------------------------------------------------------------------------------------------

    def _ordered(self, rows: list[list[int]]) -> list[list[int]]:
        best, fewest = [list(row) for row in rows], self._crossings(rows)
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            for at in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
                place = {c: k for k, c in enumerate(rows[at - 1 if down else at + 1])}
                own = {c: k for k, c in enumerate(rows[at])}

                def mean(c: int, place: dict[int, int] = place, own: dict[int, int] = own, down: bool = down) -> float:  # noqa: FBT001
                    near = self.cells[c].above if down else self.cells[c].below
                    return sum(place[n] for n in near) / len(near) if near else float(own[c])

                rows[at].sort(key=mean)
            crossings = self._crossings(rows)
            if crossings < fewest:
                best, fewest = [list(row) for row in rows], crossings
        return best

    def _crossings(self, rows: Sequence[Sequence[int]]) -> int:
        total = 0
        for upper, lower in itertools.pairwise(rows):
            place = {c: k for k, c in enumerate(lower)}
            ends = [(k, place[b]) for k, c in enumerate(upper) for b in self.cells[c].below]
            total += (
                sum((a[0] < b[0] and a[1] > b[1]) or (a[0] > b[0] and a[1] < b[1]) for a in ends for b in ends) // 2
            )
        return total

    # -- places ---------------------------------------------------------------------------------------------------

    def _place(self, rows: Sequence[Sequence[int]]) -> None:
        for row in rows:
            x = 0.0
            for c in row:
                self.cells[c].center = x + self.cells[c].width / 2
                x += self.cells[c].width + self.gaps.across
        for sweep in range(2 * _SWEEPS):
            for row in rows if sweep % 2 == 0 else reversed(rows):
                wanted = [self._wanted(self.cells[c]) for c in row]
                weights = [1.0 if self.cells[c].node is not None else _BEND_WEIGHT for c in row]
                for c, x in zip(row, self._apart(row, wanted, weights), strict=True):
                    self.cells[c].center = x
        left = min((c.center - c.width / 2 for c in self.cells), default=0.0)
        for cell in self.cells:
            cell.center -= left

    def _wanted(self, cell: _Cell[K]) -> float:
        near = [self.cells[n].center for n in (*cell.above, *cell.below)]
        return sum(near) / len(near) if near else cell.center

    def _apart(self, row: Sequence[int], wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
        """The centers nearest to those wanted that keep the order and the distances."""
        offsets = [0.0]
        for before, after in itertools.pairwise(row):
            both = (self.cells[before].width + self.cells[after].width) / 2
            offsets.append(offsets[-1] + both + self.gaps.across)
        pools: list[tuple[float, float, int]] = []
        for want, offset, weight in zip(wanted, offsets, weights, strict=True):
            pools.append((want - offset, weight, 1))
            while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
                (a, wa, na), (b, wb, nb) = pools[-2], pools[-1]
                pools[-2:] = [((a * wa + b * wb) / (wa + wb), wa + wb, na + nb)]
        flat = [value for value, _, count in pools for _ in range(count)]
        return [x + offset for x, offset in zip(flat, offsets, strict=True)]

    def _height(self, row: Sequence[int]) -> float:
        return max((self.cells[c].height for c in row), default=0.0)

    def _tops(self, rows: Sequence[Sequence[int]]) -> list[float]:
        tops = [0.0]
        for row in rows[:-1]:
            tops.append(tops[-1] + self._height(row) + self.gaps.down)
        return tops

    def _routes(self, tops: Sequence[float], rows: Sequence[Sequence[int]], turned: set[tuple[K, K]]) -> list[Route[K]]:
        leaving = self._ports(0, 1)
        arriving = self._ports(-1, -2)
        routes: list[Route[K]] = []
        for edge, chain, start, end in zip(self.edges, self.chains, leaving, arriving, strict=True):
            points: list[Point] = []
            for at, c in enumerate(chain):
                cell = self.cells[c]
                tall = self._height(rows[cell.layer])
                top, middle = tops[cell.layer], tops[cell.layer] + tall / 2
                if at == 0:
                    points.append((start, middle + cell.height / 2))
                elif at == len(chain) - 1:
                    points.append((end, middle - cell.height / 2))
                else:
                    points += [(cell.center, top), (cell.center, top + tall)]
            back = edge in turned
            routes.append(Route(edge[0], edge[1], tuple(points[::-1] if back else points), back))
        return routes

    def _ports(self, end: int, neighbour: int) -> list[float]:
        """Where on the border of its box each edge starts or ends: spread in the order of where they lead."""
        sides: dict[int, list[int]] = {}
        for at, chain in enumerate(self.chains):
            sides.setdefault(chain[end], []).append(at)
        ports = [0.0] * len(self.chains)
        for c, ends in sides.items():
            cell = self.cells[c]
            ends.sort(key=lambda at: (self.cells[self.chains[at][neighbour]].center, at))
            room = cell.width / 2 - 8
            for place, at in enumerate(ends):
                straight = self.cells[self.chains[at][neighbour]].center
                share = (place + 1) / (len(ends) + 1) - 0.5
                free = straight if len(ends) == 1 else cell.center + share * cell.width * 0.8
                ports[at] = min(max(free, cell.center - room), cell.center + room)
        return ports


def _closing(nodes: Iterable[K], edges: Sequence[tuple[K, K]]) -> set[tuple[K, K]]:
    """Edges that lead back to a node on the way to them: without these there are no cycles."""
    below: dict[K, list[K]] = {}
    for source, target in edges:
        below.setdefault(source, []).append(target)
    has_above = {target for _, target in edges}
    closing: set[tuple[K, K]] = set()
    open_: set[K] = set()
    done: set[K] = set()
    # from the roots, so that what is turned round is what leads back to them
    for root in sorted(nodes, key=lambda n: n in has_above):
        if root in done:
            continue
        open_.add(root)
        stack = [(root, iter(below.get(root, ())))]
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in done), None)
            if following is None:
                stack.pop()
                open_.discard(node)
                done.add(node)
            elif following in open_:
                closing.add((node, following))
            else:
                open_.add(following)
                stack.append((following, iter(below.get(following, ()))))
    return closing


def _layers(nodes: Sequence[K], edges: Sequence[tuple[K, K]]) -> dict[K, int]:
    above: dict[K, list[K]] = {n: [] for n in nodes}
    below: dict[K, list[K]] = {n: [] for n in nodes}
    for source, target in edges:
        above[target].append(source)
        below[source].append(target)
    layers: dict[K, int] = {}
    ready = [n for n in nodes if not above[n]]
    waiting = {n: len(above[n]) for n in nodes}
    for node in ready:
        layers[node] = max((layers[p] + 1 for p in above[node]), default=0)
        for following in below[node]:
            waiting[following] -= 1
            if not waiting[following]:
                ready.append(following)
    for node in reversed(ready):
        if not above[node] and below[node]:
            layers[node] = min(layers[n] for n in below[node]) - 1
    least = min(layers.values(), default=0)
    return {node: layers[node] - least for node in nodes}
