"""The control-flow graph of a machine function: orders, dominators, back edges.

A back edge goes to a block that dominates its source (a natural loop's latch). An edge that closes a cycle
without that is *irreducible*; `Cfg.irreducible` holds the blocks of such cycles. Dominators by Cooper,
Harvey and Kennedy, "A simple, fast dominance algorithm".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import networkx as nx

from .mir.model import MachineFunction

_MOST_STARTS = 32


@dataclass(slots=True)
class Cfg:
    """Blocks by number. order is reverse post-order of what the entry reaches."""

    entry: int
    order: list[int]
    index: dict[int, int]
    successors: dict[int, list[int]]
    predecessors: dict[int, list[int]]
    immediate_dominator: dict[int, int]
    irreducible: frozenset[int]
    _parents: dict[int, dict[int, int]] = field(default_factory=dict[int, dict[int, int]], repr=False, compare=False)
    """By start where a breadth-first search reached each block from; of the entry and the starts asked for last."""

    def dominates(self, a: int, b: int) -> bool:
        """Every path from the entry to b passes a."""
        while self.index[b] > self.index[a]:
            b = self.immediate_dominator[b]
        return a == b

    def is_back_edge(self, source: int, target: int) -> bool:
        """Tell whether the edge closes a natural loop."""
        return self.dominates(target, source)

    def shortest_path(self, start: int, goal: int, *, least_edges: int = 0) -> list[int] | None:
        """Blocks from start to goal, both included, with at least that many edges (0 or 1). None if there is none."""
        if start == goal and least_edges == 0:
            return [start]
        if start == goal:
            parents, last = self._search(start, goal)
        else:
            parents = self._parents.get(start)
            if parents is None:
                parents = self._remember(start)
            last = parents.get(goal)
        if last is None:
            return None
        path = [goal, last]
        while path[-1] != start:
            path.append(parents[path[-1]])
        return path[::-1]

    def _remember(self, start: int) -> dict[int, int]:
        """Search from a start, and forget the oldest one but the entry if there are many."""
        if len(self._parents) > _MOST_STARTS:
            del self._parents[next(s for s in self._parents if s != self.entry)]
        parents, _ = self._search(start, None)
        self._parents[start] = parents
        return parents

    def _search(self, start: int, goal: int | None) -> tuple[dict[int, int], int | None]:
        """Breadth first, until the goal is reached: where each block but start is reached from, and so the goal."""
        parents: dict[int, int] = {}
        queue = [start]
        for block in queue:
            for following in self.successors[block]:
                if following == goal:
                    return parents, block
                if following not in parents and following != start:
                    parents[following] = block
                    queue.append(following)
        return parents, None

    def loop_of(self, block: int) -> frozenset[int]:
        """Blocks of the innermost natural loop around a block, empty if there is none."""
        best: frozenset[int] = frozenset()
        for header, body in self.natural_loops():
            if block in body and (not best or len(body) < len(best)):
                best = body | {header}
        return best

    def natural_loops(self) -> Iterator[tuple[int, frozenset[int]]]:
        """(header, blocks) of each natural loop, loops with one header merged, in reverse post-order of headers."""
        latches: dict[int, list[int]] = {}
        for source in self.order:
            for target in self.successors[source]:
                if self.is_back_edge(source, target):
                    latches.setdefault(target, []).append(source)
        for header in sorted(latches, key=self.index.__getitem__):
            body = {header}
            queue = list(latches[header])
            while queue:
                block = queue.pop()
                if block not in body:
                    body.add(block)
                    queue.extend(self.predecessors[block])
            yield header, frozenset(body)


def build_cfg(function: MachineFunction) -> Cfg:
    """The control-flow graph of the blocks that the entry reaches."""
    all_successors = {b.number: list(b.successors) for b in function.blocks}
    entry = function.blocks[0].number
    order = _reverse_post_order(entry, all_successors)
    index = {b: i for i, b in enumerate(order)}
    successors = {b: all_successors[b] for b in order}
    predecessors: dict[int, list[int]] = {b: [] for b in order}
    for block in order:
        for following in successors[block]:
            predecessors[following].append(block)
    dominator = _dominators(entry, order, index, predecessors)
    cfg = Cfg(entry, order, index, successors, predecessors, dominator, frozenset())
    cfg.irreducible = _irreducible_blocks(cfg)
    return cfg


def _reverse_post_order(entry: int, successors: dict[int, list[int]]) -> list[int]:
    done: list[int] = []
    seen = {entry}
    stack: list[tuple[int, Iterator[int]]] = [(entry, iter(successors[entry]))]
    while stack:
        block, rest = stack[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                stack.append((following, iter(successors[following])))
                break
        else:
            done.append(block)
            stack.pop()
    return done[::-1]


def _dominators(
    entry: int, order: list[int], index: dict[int, int], predecessors: dict[int, list[int]]
) -> dict[int, int]:
    dominator = {entry: entry}

    def meet(blocks: Iterable[int]) -> int:
        known = [b for b in blocks if b in dominator]
        result = known[0]
        for other in known[1:]:
            while result != other:
                if index[result] > index[other]:
                    result = dominator[result]
                else:
                    other = dominator[other]
        return result

    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            new = meet(predecessors[block])
            if dominator.get(block) != new:
                dominator[block] = new
                changed = True
    return dominator


def _irreducible_blocks(cfg: Cfg) -> frozenset[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    for source in cfg.order:
        for target in cfg.successors[source]:
            if not cfg.is_back_edge(source, target):
                graph.add_edge(source, target)
    found: set[int] = set()
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1:
            found |= component
    return frozenset(found)
