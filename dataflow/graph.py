"""The lane graph: which definition of a lane flows into which, for MIR and for assembly alike.

Node
  One definition of one location: an instruction that writes it, a merge of several definitions where control flow
  joins, or what it holds when the function starts. A location is a 32-bit lane of a register, a word of a stack slot,
  or a lane of a vector register that scalars are spilled to, by its name in the text (`s4`, `%12.sub1`, `$sgpr4`,
  `%stack.3+8`, `v254[3]`).
Edge
  "Flows into", with its kind: copy, spill, reload, compute, or phi into a merge; and clobber, which is no flow: from a
  definition of a slot's word to the store that ends it.
Method
  Merges stand where static single assignment form has them: the iterated dominance frontier of a location's
  definitions. So the definition that an operand sees is found by walking up the dominator tree, without a fix-point,
  and only what is asked for is ever built. A networkx graph is made of a slice, not of the function.
What it does not say
  Control dependence; what calls overwrite; which threads an instruction changes. A memory load starts a value of its
  own: it is made of its address.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from .cfg import Cfg
from .findings import Place

AT_ENTRY = -1
"""The position of a merge, and the block of a value that the function starts with."""


class EdgeKind(enum.StrEnum):
    """How a definition flows into another."""

    COPY = "copy"
    SPILL = "spill"
    RELOAD = "reload"
    COMPUTE = "compute"
    PHI = "phi"
    CLOBBER = "clobber"


class Definition(NamedTuple):
    """A node. position: of the instruction in its block; AT_ENTRY for a merge at the start of the block.

    block is AT_ENTRY for what a location holds when the function starts.
    """

    block: int
    position: int
    location: str

    @property
    def is_merge(self) -> bool:
        """Several definitions meet here."""
        return self.block != AT_ENTRY and self.position == AT_ENTRY

    @property
    def is_live_in(self) -> bool:
        """Nothing in the function defines it."""
        return self.block == AT_ENTRY


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction. flows: (what is written, what the new value is made of); reads: everything it reads.

    kind: of the edges into what it writes. memory: it reads or writes memory other than spill slots.
    """

    kind: EdgeKind
    flows: tuple[tuple[str, tuple[str, ...]], ...]
    reads: tuple[str, ...]
    memory: bool = False


@dataclass(slots=True)
class LaneProgram:
    """A function as the lane graph sees it. steps: per block that the entry reaches, one for each instruction.

    place: what to say of the instruction at (block, index). is_slot: the location is spill memory.
    """

    name: str
    cfg: Cfg
    labels: dict[int, str]
    steps: dict[int, Sequence[Step]]
    place: Callable[[int, int], Place]
    is_slot: Callable[[str], bool]


@dataclass(slots=True)
class LaneGraph:
    """Answers what defines a location, and what reads a definition; makes graphs of slices."""

    program: LaneProgram
    _definitions: dict[int, dict[str, list[int]]] = field(init=False)
    _blocks: dict[str, set[int]] = field(init=False)
    _frontiers: dict[int, set[int]] | None = field(init=False, default=None)
    _merges: dict[str, frozenset[int]] = field(init=False, default_factory=dict[str, frozenset[int]])
    _readers: dict[str, list[tuple[int, int]]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._definitions, self._blocks = {}, {}
        for block, steps in self.program.steps.items():
            here: dict[str, list[int]] = {}
            for index, step in enumerate(steps):
                for location, _ in step.flows:
                    known = here.get(location)
                    if known is None:
                        here[location] = [index]
                        self._blocks.setdefault(location, set()).add(block)
                    elif known[-1] != index:
                        known.append(index)
            self._definitions[block] = here

    # -- questions ------------------------------------------------------------------------------------------------

    def reaching(self, block: int, index: int, location: str) -> Definition:
        """The definition that an instruction sees; index may be one past the block's last."""
        known = self._definitions[block].get(location)
        if known:
            at = bisect_left(known, index) - 1
            if at >= 0:
                return Definition(block, known[at], location)
        return self._at_entry(block, location)

    def at_exit(self, block: int, location: str) -> Definition:
        """The definition that leaves a block."""
        known = self._definitions[block].get(location)
        return Definition(block, known[-1], location) if known else self._at_entry(block, location)

    def merged_at(self, block: int, location: str) -> bool:
        """Several definitions of the location meet at the start of the block."""
        return block in self._merges_of(location)

    def inputs(self, node: Definition) -> list[tuple[Definition, EdgeKind]]:
        """What flows into a definition."""
        if node.is_live_in:
            return []
        if node.is_merge:
            found = [self.at_exit(p, node.location) for p in self.program.cfg.predecessors[node.block]]
            if node.block == self.program.cfg.entry:
                found.insert(0, Definition(AT_ENTRY, AT_ENTRY, node.location))
            return [(d, EdgeKind.PHI) for d in dict.fromkeys(found)]
        step = self.program.steps[node.block][node.position]
        sources = dict.fromkeys(s for written, given in step.flows if written == node.location for s in given)
        return [(self.reaching(node.block, node.position, s), step.kind) for s in sources]

    def operands(self, block: int, index: int) -> list[Definition]:
        """The definitions of everything an instruction reads."""
        return [self.reaching(block, index, r) for r in self.program.steps[block][index].reads]

    def readers(self, node: Definition) -> list[tuple[int, int]]:
        """The instructions that read a definition, as (block, index)."""
        return [(b, i) for b, i in self._reads_of(node.location) if self.reaching(b, i, node.location) == node]

    def outputs(self, node: Definition) -> list[tuple[Definition, EdgeKind]]:
        """What a definition flows into."""
        found: list[tuple[Definition, EdgeKind]] = []
        for block, index in self.readers(node):
            step = self.program.steps[block][index]
            found += [
                (Definition(block, index, written), step.kind)
                for written, given in step.flows
                if node.location in given
            ]
        for block in self._merges_of(node.location):
            merge = Definition(block, AT_ENTRY, node.location)
            if any(d == node for d, _ in self.inputs(merge)):
                found.append((merge, EdgeKind.PHI))
        return found

    def origins(self, start: Definition, stop: Callable[[Definition], bool] | None = None) -> list[Definition]:
        """Where a value was made: follows copies, spills, reloads and merges back to everything else.

        stop: do not look behind these. The result is in order of distance.
        """
        found: list[Definition] = []
        seen = {start}
        queue = [start]
        for node in queue:
            inputs = [] if stop is not None and stop(node) else self.inputs(node)
            onward = [d for d, kind in inputs if kind is not EdgeKind.COMPUTE]
            if not onward:
                found.append(node)
            for d in onward:
                if d not in seen:
                    seen.add(d)
                    queue.append(d)
        return found

    def derives_from(self, start: Definition, wanted: Callable[[Definition], bool], most: int) -> bool | None:
        """Tell whether a value is made of a definition for which `wanted` is true; None after so many nodes."""
        seen = {start}
        queue = [start]
        for node in queue:
            if wanted(node):
                return True
            if len(queue) > most:
                return None
            for d, _ in self.inputs(node):
                if d not in seen:
                    seen.add(d)
                    queue.append(d)
        return False

    # -- slices ---------------------------------------------------------------------------------------------------

    def backward(self, starts: Iterable[Definition], most: int) -> nx.DiGraph[Definition]:
        """Everything that flows into the starts, up to so many nodes (nearest first)."""
        return self._slice(starts, most, lambda node: [(d, node, kind) for d, kind in self.inputs(node)])

    def forward(self, starts: Iterable[Definition], most: int) -> nx.DiGraph[Definition]:
        """Everything that the starts flow into, up to so many nodes (nearest first)."""
        return self._slice(starts, most, lambda node: [(node, d, kind) for d, kind in self.outputs(node)])

    def _slice(
        self,
        starts: Iterable[Definition],
        most: int,
        edges: Callable[[Definition], list[tuple[Definition, Definition, EdgeKind]]],
    ) -> nx.DiGraph[Definition]:
        graph: nx.DiGraph[Definition] = nx.DiGraph(name=self.program.name)
        queue = list(dict.fromkeys(starts))
        seen = set(queue)
        graph.add_nodes_from(queue)
        for node in queue:
            for source, target, kind in edges(node):
                for end in (source, target):
                    if end not in seen and len(queue) < most:
                        seen.add(end)
                        queue.append(end)
                if source in seen and target in seen:
                    graph.add_edge(source, target, kind=kind)
        self.describe(graph)
        return graph

    def describe(self, graph: nx.DiGraph[Definition]) -> None:
        """Give each node the attributes that reports show: text, block, line, file, source, kind; and clobber edges."""
        for node in graph.nodes:
            graph.nodes[node].update(self._attributes(node))
        slots = [n for n in graph.nodes if self.program.is_slot(n.location) and not n.is_merge and not n.is_live_in]
        for node in slots:
            before = self.reaching(node.block, node.position, node.location)
            if before in graph and before != node and not graph.has_edge(before, node):
                graph.add_edge(before, node, kind=EdgeKind.CLOBBER)

    def _attributes(self, node: Definition) -> dict[str, str | int]:
        if node.is_live_in:
            return {"location": node.location, "kind": "entry", "text": "", "block": "", "line": 0, "file": "",
                    "source": ""}  # fmt: skip
        label = self.program.labels[node.block]
        if node.is_merge:
            return {"location": node.location, "kind": "phi", "text": "", "block": label, "line": 0, "file": "",
                    "source": ""}  # fmt: skip
        place = self.program.place(node.block, node.position)
        return {
            "location": node.location, "kind": str(self.program.steps[node.block][node.position].kind),
            "text": place.text, "block": label, "line": place.line, "file": place.file,
            "source": " < ".join(map(str, place.debug)),
        }  # fmt: skip

    # -- single assignment ----------------------------------------------------------------------------------------

    def _at_entry(self, block: int, location: str) -> Definition:
        merges = self._merges_of(location)
        dominator = self.program.cfg.immediate_dominator
        while block not in merges:
            above = dominator[block]
            if above == block:
                return Definition(AT_ENTRY, AT_ENTRY, location)
            block = above
            known = self._definitions[block].get(location)
            if known:
                return Definition(block, known[-1], location)
        return Definition(block, AT_ENTRY, location)

    def _merges_of(self, location: str) -> frozenset[int]:
        found = self._merges.get(location)
        if found is None:
            found = self._merges[location] = self._place_merges(location)
        return found

    def _place_merges(self, location: str) -> frozenset[int]:
        if self._frontiers is None:
            self._frontiers = _dominance_frontiers(self.program.cfg)
        merges: set[int] = set()
        queue = list(self._blocks.get(location, ()))
        for block in queue:
            for join in self._frontiers.get(block, ()):
                if join not in merges:
                    merges.add(join)
                    queue.append(join)
        return frozenset(merges)

    def _reads_of(self, location: str) -> list[tuple[int, int]]:
        if self._readers is None:
            self._readers = {}
            for block, steps in self.program.steps.items():
                for index, step in enumerate(steps):
                    for read in dict.fromkeys(step.reads):
                        self._readers.setdefault(read, []).append((block, index))
        return self._readers.get(location, [])


def _dominance_frontiers(cfg: Cfg) -> dict[int, set[int]]:
    frontiers: dict[int, set[int]] = {}
    for block in cfg.order:
        predecessors = cfg.predecessors[block]
        starts = block == cfg.entry
        if len(predecessors) < 2 and not (starts and predecessors):
            continue
        for runner in predecessors:
            # the entry has one more predecessor, outside of the function, so nothing dominates it strictly
            while starts or runner != cfg.immediate_dominator[block]:
                frontiers.setdefault(runner, set()).add(block)
                if runner == cfg.entry:
                    break
                runner = cfg.immediate_dominator[runner]
    return frontiers


def compact_key(node: Definition) -> str:
    """A name of a node that is unique in its graph, for formats whose nodes are strings."""
    if node.is_live_in:
        return f"entry:{node.location}"
    where = "phi" if node.is_merge else str(node.position)
    return f"{node.block}:{where}:{node.location}"
