"""What a reader looks at to believe a finding: the code at every step of the loss, in all its forms.

Steps
  From the finding's witness, in the order of its path: where the needed value is made; the store that saved it last
  (the last write, on the path, of the place that is run over); the store that runs over it, or stores without it; the
  moves from there to the use; the use.
Excerpts
  A step is shown in up to four panes: the source, MIR before allocation, MIR after it, the assembly. Before and after
  are joined by `pairing`; where one side has no counterpart (spill code), the place in between is shown. Assembly is
  joined by `asm.join`.
Names
  An excerpt's line says which locations of it stand for which lane that was lost: of a wide save, those words that
  matter. They are followed from the use back to the clobber over the flows of `mir_lanes`.
Slice
  The lane graph, backwards from the use, and from what the clobber ran over, through everything that moves a value
  unchanged, nearest first; of one lane, for those of a group move together.
Decisions
  Every event of the spiller's trace about the slot.
What it proves
  Nothing: the finding is proved. Only what is on the witness's path is called right or wrong.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import networkx as nx

from .asm.join import AsmLines
from .asm.model import AsmFile
from .asm.registers import location_of_unit
from .brackets import find_brackets
from .cures import bad_stores
from .findings import Finding, Place, SourceLocation
from .graph import Definition, EdgeKind, LaneGraph, LaneProgram
from .graph import Step as LaneStep
from .grouping import Group
from .mir.model import Block, MachineFunction, MirFile, Role
from .mir_lanes import instruction_step, mir_program
from .pairing import pair_blocks
from .targets.base import Target
from .trace import Event, SpillerTrace, event_location
from .translate import LANE_ROLES

_CONTEXT = 2
"""Lines shown on either side of one that matters."""
_MOST_NODES = 32
_MOST_DECISIONS = 200
_MOST_STEPS = 16

SourceReader = Callable[[str], Sequence[str] | None]
"""The lines of a source file by the name that the debug info has for it, or None."""


class StepKind(enum.StrEnum):
    """What happens to the value."""

    DEFINED = "defined"
    SAVED = "saved"
    OVERWRITTEN = "overwritten"
    INCOMPLETE = "stored without it"
    MOVED = "moved"
    RELOADED = "reloaded"
    READ = "read"


class Pane(enum.StrEnum):
    """A form of the kernel."""

    SOURCE = "source"
    BEFORE = "before"
    AFTER = "after"
    ASM = "asm"


class LineKind(enum.StrEnum):
    """KEY: the line that the step is about. GAP: something is left out here. MISSING: the line would stand here."""

    CONTEXT = "context"
    KEY = "key"
    GAP = "gap"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. number: in its file, 0 where it has none. column: of the source location, from 1, else 0.

    names: (location as the pane's text spells it, lane), lane being an index into `Evidence.lanes`.
    """

    kind: LineKind
    number: int = 0
    text: str = ""
    column: int = 0
    names: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of one file around a step. block: the label of the block that they stand in, or ""."""

    pane: Pane
    file: str
    block: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step. block: of MIR. over_back_edge: the path takes a back edge since the step before.

    lanes: those concerned, as indices. wrong: they do not hold the value any more. debug: the source locations.
    """

    kind: StepKind
    block: str
    over_back_edge: bool
    lanes: tuple[int, ...]
    wrong: bool
    debug: tuple[SourceLocation, ...]
    excerpts: tuple[Excerpt, ...]


class DecisionKind(enum.StrEnum):
    """An event of the spiller's trace."""

    SPILL = "spill"
    PRIVATE = "private"
    HOIST = "hoist"
    SAVE = "save"
    RELOAD = "reload"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the spiller about the slot. call: of spill(), from 0; -1 for clean-up after allocation.

    register: what is spilled, stored, or reloaded into. original: whose values the slot holds (SPILL, PRIVATE, HOIST).
    block: -1 where there is none. lanes: those not defined, or not live (PRIVATE, HOIST). granted: the private slot was
    given, or the hoist refused. cause: the trace's own word. guilty: it is what the finding names.
    """

    kind: DecisionKind
    call: int
    register: str
    original: str
    block: int
    lanes: tuple[str, ...]
    granted: bool
    cause: str
    location: SourceLocation | None
    guilty: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """All of one group of findings. ids: the findings that it tells of, the first one first.

    before, after: the stages that were compared, `greedy,0` as in llc's -stop-before, `virtregrewriter,0` as in its
    -stop-after; "" where they are not known. lanes: the lanes that are lost, `%1.sub5`, by which steps name them.
    slice: nodes have the attributes of `LaneGraph.describe` and `step`: what happens there ("" for nothing, else a
    `StepKind`); the use is a node of kind "use". left: so many more definitions flow in. decisions: none without a
    trace.
    """

    ids: tuple[str, ...]
    before: str
    after: str
    lanes: tuple[str, ...]
    steps: tuple[Step, ...]
    slice: nx.DiGraph[Definition]
    left: int
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of one function. before and after: the two stages that were compared. asm: None where there is none.

    stages: the names of the two, as `Evidence` has them.
    """

    name: str
    before: MirFile
    after: MirFile
    target: Target
    asm: tuple[AsmFile, AsmLines] | None = None
    source: SourceReader = lambda _: None
    stages: tuple[str, str] = ("", "")


class Gatherer:
    """Gathers the evidence for groups of findings about one pair of stages."""

    def __init__(self, forms: Forms, trace: SpillerTrace | None = None) -> None:
        """Raises TargetError for registers that the target does not know."""
        self._forms, self._trace = forms, trace
        self._before, self._after = forms.before.function(forms.name), forms.after.function(forms.name)
        self._program = mir_program(forms.after, self._after, forms.target)
        self._graph = LaneGraph(self._program)
        self._panes = _Panes(forms, self._before, self._after)

    def gather(self, group: Group) -> Evidence:
        """The evidence for one group, all of whose findings are about this pair of stages."""
        told = group.at_first_use
        first = group.first
        lanes = tuple(str(f.needed) for f in told if f.needed is not None)
        followers = [_Follower(lane, f, self._program, self._panes) for lane, f in enumerate(told)]
        sites = _shortened(_merged([f.sites() for f in followers]))
        steps = tuple(self._panes.step(site, told) for site in sites)
        graph, left = self._slice(told[0], sites)
        ids = dict.fromkeys((first.id, *(f.id for f in group.findings)))
        decisions = tuple(_decisions(first, self._trace))
        return Evidence(tuple(ids), *self._forms.stages, lanes, steps, graph, left, decisions)

    def _slice(self, finding: Finding, sites: Sequence[_Site]) -> tuple[nx.DiGraph[Definition], int]:
        """The slice that ends at the use, and how many definitions flow into it from outside."""
        graph: nx.DiGraph[Definition] = nx.DiGraph(name=self._program.name)
        use = next((s for s in sites if s.kind is StepKind.READ and s.at is not None), None)
        if use is None or use.at is None or not finding.location:
            return graph, 0
        start = self._graph.reaching(*use.at, finding.location)
        queue = list(dict.fromkeys((start, *self._run_over(sites))))
        seen, left = set(queue), set[Definition]()
        for node in queue:
            for source, kind in self._inputs(node):
                if source not in seen and len(queue) >= _MOST_NODES:
                    left.add(source)
                    continue
                if source not in seen:
                    seen.add(source)
                    queue.append(source)
                graph.add_edge(source, node, kind=kind)
        graph.add_nodes_from(queue)
        self._graph.describe(graph)
        happens = {site.at: site.kind for site in sites if site.at is not None}
        for node in graph.nodes:
            graph.nodes[node]["step"] = str(happens.get((node.block, node.position), ""))
        end = Definition(*use.at, "")
        place = self._program.place(*use.at)
        graph.add_node(
            end, location=finding.location, kind="use", text=place.text, block=place.block, line=place.line,
            file=place.file, source=" < ".join(map(str, place.debug)), step=str(StepKind.READ),
        )  # fmt: skip
        graph.add_edge(start, end, kind=EdgeKind.COMPUTE)
        return graph, len(left)

    def _run_over(self, sites: Sequence[_Site]) -> Iterator[Definition]:
        """What the clobber runs over, of the first lane."""
        for site in sites:
            if site.kind is StepKind.OVERWRITTEN and site.at is not None and site.names:
                yield self._graph.reaching(*site.at, site.names[0][0])

    def _inputs(self, node: Definition) -> list[tuple[Definition, EdgeKind]]:
        return [(d, kind) for d, kind in self._graph.inputs(node) if kind is not EdgeKind.COMPUTE]


def _shortened(sites: list[_Site]) -> list[_Site]:
    """Without the middle of a long row of moves."""
    more = len(sites) - _MOST_STEPS
    return sites if more <= 0 else [*sites[: _MOST_STEPS - 2], *sites[-2:]]


# -- following the value ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Site:
    """Where a step happens. at: (block, index) in the function after allocation, None where it is not there.

    place: the instruction, of the function before allocation where that defines the value. names: (location, lane) on
    the line after allocation. visit: which block of the path.
    """

    kind: StepKind
    place: Place
    at: tuple[int, int] | None
    visit: int
    over_back_edge: bool
    wrong: bool
    lanes: tuple[int, ...]
    names: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class _Follower:
    """Follows one lane along the path of its finding."""

    lane: int
    finding: Finding
    program: LaneProgram
    panes: _Panes

    def sites(self) -> list[_Site]:
        """The steps in order."""
        finding = self.finding
        moves = [p for p in (finding.clobber, *finding.carriers, finding.use) if p is not None]
        locations = self._locations(moves)
        clobbered = self._visit_of("overwritten", "stored without it")
        visits = self._visits(moves, clobbered or 0)
        found = [self._defined(finding.definition)] if finding.definition is not None else []
        if finding.clobber is not None and clobbered is not None:
            found += self._saved(finding.clobber, locations[0], clobbered)
        wrong = finding.clobber is None
        for place, names, visit in zip(moves, locations, visits, strict=True):
            kind = self._kind(place)
            wrong = wrong or kind in (StepKind.OVERWRITTEN, StepKind.INCOMPLETE)
            before = found[-1].visit if found else visit
            found.append(self._site(kind, place, self.panes.at(place), (before, visit), names, wrong=wrong))
        return found

    def _site(
        self,
        kind: StepKind,
        place: Place,
        at: tuple[int, int] | None,
        visits: tuple[int, int],
        names: Sequence[str],
        *,
        wrong: bool,
    ) -> _Site:
        """visits: of the step before, and of this one."""
        back = any(step.back_edge for step in self.finding.path[visits[0] + 1 : visits[1] + 1])
        return _Site(
            kind=kind, place=place, at=at, visit=visits[1], over_back_edge=back, wrong=wrong, lanes=(self.lane,),
            names=tuple((name, self.lane) for name in names),
        )  # fmt: skip

    def _defined(self, place: Place) -> _Site:
        at, name = self.panes.made(place, str(self.finding.needed))
        return self._site(StepKind.DEFINED, place, at, (0, 0), (name,) if name else (), wrong=False)

    def _kind(self, place: Place) -> StepKind:
        if place is self.finding.clobber:
            return StepKind.INCOMPLETE if self._visit_of("overwritten") is None else StepKind.OVERWRITTEN
        if place is self.finding.use:
            return StepKind.READ
        step = self._step(place)
        return StepKind.RELOADED if step is not None and step.kind is EdgeKind.RELOAD else StepKind.MOVED

    def _step(self, place: Place) -> LaneStep | None:
        at = self.panes.at(place)
        return self.program.steps[at[0]][at[1]] if at is not None and at[0] in self.program.steps else None

    def _locations(self, moves: Sequence[Place]) -> list[tuple[str, ...]]:
        """For each move the locations on its line that stand for the lane, the written one first."""
        found: list[tuple[str, ...]] = []
        location = self.finding.location
        for place in reversed(moves):
            step = None if place is self.finding.use else self._step(place)
            given = _given(step, location) if step is not None and step.kind is not EdgeKind.COMPUTE else None
            found.append(tuple(x for x in (location, *(given or ())[:1]) if x))
            location = given[0] if given else location
        return found[::-1]

    def _saved(self, clobber: Place, names: Sequence[str], visit: int) -> Iterator[_Site]:
        """The last store, on the path, into the place that the clobber runs over."""
        at = self.panes.at(clobber)
        if at is None or not names or self._visit_of("overwritten") is None:
            return
        for earlier in range(visit, -1, -1):
            block = self.panes.number_of(self.finding.path[earlier].block)
            steps = self.program.steps.get(block, ())
            for index in range((at[1] if earlier == visit else len(steps)) - 1, -1, -1):
                given = _given(steps[index], names[0])
                if given is None:
                    continue
                if steps[index].kind is EdgeKind.SPILL:
                    place = self.program.place(block, index)
                    known = (names[0], *given[:1])
                    yield self._site(StepKind.SAVED, place, (block, index), (0, earlier), known, wrong=False)
                return

    def _visits(self, moves: Sequence[Place], start: int) -> list[int]:
        """Which block of the path each move stands in; the use is at its end."""
        path = self.finding.path
        found: list[int] = []
        visit, line = start, 0
        for place in moves:
            candidates = range(visit + (bool(found) and place.line <= line), len(path))
            visit = next((v for v in candidates if path[v].block == place.block), visit)
            line = place.line
            found.append(visit)
        if found and path:
            found[-1] = len(path) - 1
        return found

    def _visit_of(self, *notes: str) -> int | None:
        found = (at for at, step in enumerate(self.finding.path) if any(note in step.note for note in notes))
        return next(found, None)


def _given(step: LaneStep, location: str) -> tuple[str, ...] | None:
    """What an instruction writes to a location is made of; None if it does not write it."""
    return next((given for written, given in step.flows if written == location), None)


def _merged(by_lane: Sequence[Sequence[_Site]]) -> list[_Site]:
    """The steps of several lanes, one where they share the instruction, in the order of the path."""
    found: dict[tuple[StepKind, str, int], _Site] = {}
    for sites in by_lane:
        for site in sites:
            key = (site.kind, site.place.file, site.place.line)
            known = found.get(key)
            if known is None:
                found[key] = site
                continue
            names = tuple(dict.fromkeys((*known.names, *site.names)))
            lanes = tuple(dict.fromkeys((*known.lanes, *site.lanes)))
            found[key] = dataclasses.replace(known, names=names, lanes=lanes)
    return sorted(found.values(), key=lambda site: (_ORDER[site.kind], site.visit))


_ORDER = {
    StepKind.DEFINED: 0,
    StepKind.SAVED: 1,
    StepKind.OVERWRITTEN: 2,
    StepKind.INCOMPLETE: 2,
    StepKind.MOVED: 3,
    StepKind.RELOADED: 3,
    StepKind.READ: 4,
}


# -- excerpts -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Panes:
    """Cuts the excerpts of steps."""

    forms: Forms
    before: MachineFunction
    after: MachineFunction
    _pairs: dict[int, list[tuple[int, int]]] = field(default_factory=dict[int, list[tuple[int, int]]])

    def step(self, site: _Site, told: Sequence[Finding]) -> Step:
        """The step with its excerpts."""
        number = self.number_of(site.place.block)
        before, after = self._block(self.before, number), self._block(self.after, number)
        needed = tuple((str(f.needed), lane) for lane, f in enumerate(told) if f.needed is not None)
        excerpts: list[Excerpt | None] = [self._source(site.place.debug, site.lanes)]
        if site.place.file == self.forms.before.path and before is not None:
            index = before.lines.index(site.place.line)
            excerpts.append(self._mir(Pane.BEFORE, self.forms.before, before, index, needed))
            if after is not None and site.at is not None:
                excerpts.append(self._mir(Pane.AFTER, self.forms.after, after, site.at[1], site.names))
        elif after is not None:
            index = after.lines.index(site.place.line)
            if before is not None:
                excerpts.append(self._opposite(before, number, index, needed))
            excerpts.append(self._mir(Pane.AFTER, self.forms.after, after, index, site.names))
        excerpts.append(self._asm(site))
        shown = tuple(e for e in excerpts if e is not None)
        return Step(
            site.kind, site.place.block, site.over_back_edge, site.lanes, site.wrong, site.place.debug, shown
        )  # fmt: skip

    def at(self, place: Place) -> tuple[int, int] | None:
        """(block, index) of a place of the function after allocation."""
        block = self._block(self.after, self.number_of(place.block))
        if block is None or place.file != self.forms.after.path or place.line not in block.lines:
            return None
        return block.number, block.lines.index(place.line)

    def made(self, definition: Place, lane: str) -> tuple[tuple[int, int] | None, str]:
        """Where a definition of the function before allocation is after it, and what holds the lane there."""
        number = self.number_of(definition.block)
        before, after = self._block(self.before, number), self._block(self.after, number)
        if before is None or after is None or definition.line not in before.lines:
            return None, ""
        index = before.lines.index(definition.line)
        there = self._counterpart(number, index, from_before=True)
        if there is None:
            return None, ""
        wanted = [w for w, _ in instruction_step(self.before, before.instructions[index], self.forms.target).flows]
        got = [w for w, _ in instruction_step(self.after, after.instructions[there], self.forms.target).flows]
        known = dict(zip(wanted, got, strict=False))
        return (number, there), known.get(lane, "")

    def number_of(self, label: str) -> int:
        """7 of `bb.7.for.body`; -1 where it is no such label."""
        part = label.split(".")[1] if "." in label else ""
        return int(part) if part.isdigit() else -1

    def _block(self, function: MachineFunction, number: int) -> Block | None:
        return next((b for b in function.blocks if b.number == number), None)

    def _opposite(self, before: Block, number: int, index: int, needed: tuple[tuple[str, int], ...]) -> Excerpt:
        """What stands before allocation in the place of an instruction after it."""
        there = self._counterpart(number, index, from_before=False)
        if there is not None:
            return self._mir(Pane.BEFORE, self.forms.before, before, there, needed)
        above = max((i for i, j in self._paired(number) if j < index), default=-1)
        texts = [i.text for i in before.instructions]
        lines = _window(before.lines, texts, {above + 1}, needed, _CONTEXT, everywhere=True)
        keyless = [Line(LineKind.CONTEXT, x.number, x.text, 0, x.names) if x.kind is LineKind.KEY else x for x in lines]
        at = next((k for k, x in enumerate(keyless) if x.number > _line_at(before, above)), len(keyless))
        keyless.insert(at, Line(LineKind.MISSING))
        return Excerpt(Pane.BEFORE, self.forms.before.path, before.label, tuple(keyless))

    def _mir(self, pane: Pane, file: MirFile, block: Block, index: int, names: tuple[tuple[str, int], ...]) -> Excerpt:
        texts = [i.text for i in block.instructions]
        everywhere = pane is Pane.BEFORE
        lines = _window(block.lines, texts, {index}, names, _CONTEXT, everywhere=everywhere)
        return Excerpt(pane, file.path, block.label, tuple(lines))

    def _asm(self, site: _Site) -> Excerpt | None:
        if self.forms.asm is None:
            return None
        file, lines = self.forms.asm
        keys: dict[int, list[tuple[str, int]]] = {}
        label = ""
        for name, lane in site.names:
            place = lines.line_of(site.place, name if name.startswith("$") else "")
            if place is None or (label and place.block != label):
                continue
            if not name.startswith("$") and self._is_wide(site, lane):
                # a word of a slot: its line is that of the register that is moved there
                continue
            label = place.block
            keys.setdefault(place.line, []).append((location_of_unit(name.lstrip("$")), lane))
        block = file.function(self.forms.name).block_named(label)
        if block is None:
            return None
        for line, names in keys.items():
            i = block.instructions[block.lines.index(line)]
            slots = {x for w, given in i.flows for x in (w, *given) if x.endswith("]") or x.startswith("scratch")}
            names += [(slot, names[0][1]) for slot in sorted(slots)]
        texts = [i.text for i in block.instructions]
        chosen = {block.lines.index(line): tuple(names) for line, names in keys.items()}
        found = _window(block.lines, texts, set(chosen), (), 1, by_index=chosen)
        return Excerpt(Pane.ASM, file.path, label, tuple(found))

    def _is_wide(self, site: _Site, lane: int) -> bool:
        return any(n.startswith("$") and other == lane for n, other in site.names)

    def _source(self, debug: Sequence[SourceLocation], lanes: Sequence[int]) -> Excerpt | None:
        """Of the innermost location whose file is known."""
        for location in debug:
            text = self.forms.source(location.file)
            if text is not None and 0 < location.line <= len(text):
                found = _window(range(1, len(text) + 1), text, {location.line - 1}, (), _CONTEXT)
                names = tuple(("", lane) for lane in lanes)
                marked = tuple(
                    Line(x.kind, x.number, x.text, location.column, names) if x.kind is LineKind.KEY else x
                    for x in found
                )
                return Excerpt(Pane.SOURCE, location.file, "", marked)
        return None

    def _counterpart(self, block: int, index: int, *, from_before: bool) -> int | None:
        pairs = self._paired(block)
        return next((p[from_before] for p in pairs if p[not from_before] == index), None)

    def _paired(self, number: int) -> list[tuple[int, int]]:
        """(before, after) of the instructions of a block that correspond."""
        found = self._pairs.get(number)
        if found is None:
            before, after = self._block(self.before, number), self._block(self.after, number)
            assert before is not None
            assert after is not None
            has_lanes = any(i.role in LANE_ROLES for b in self.before.blocks for i in b.instructions)
            roles = LANE_ROLES if has_lanes else frozenset[Role]()
            brackets = find_brackets(before, self.forms.target), find_brackets(after, self.forms.target)
            pairs = pair_blocks(before, after, roles, brackets).pairs
            found = [(p.before, p.after) for p in pairs if p.before is not None and p.after is not None]
            self._pairs[number] = found
        return found


def _window(
    numbers: Sequence[int],
    texts: Sequence[str],
    keys: set[int],
    names: tuple[tuple[str, int], ...],
    context: int,
    *,
    everywhere: bool = False,
    by_index: Mapping[int, tuple[tuple[str, int], ...]] | None = None,
) -> list[Line]:
    """The lines at indices `keys` with some around them. names hold on the key lines, or everywhere."""
    shown = sorted({i for k in keys for i in range(max(0, k - context), min(len(texts), k + context + 1))})
    lines: list[Line] = []
    for at, index in enumerate(shown):
        if at and shown[at - 1] != index - 1:
            lines.append(Line(LineKind.GAP))
        key = index in keys
        here = (by_index or {}).get(index, names if key or everywhere else ())
        lines.append(Line(LineKind.KEY if key else LineKind.CONTEXT, numbers[index], texts[index], 0, here))
    return lines


def _line_at(block: Block, index: int) -> int:
    return block.lines[index] if index >= 0 else 0


# -- decisions ----------------------------------------------------------------------------------------------------


def _decisions(finding: Finding, trace: SpillerTrace | None) -> Iterator[Decision]:
    """What the spiller did about the slot that the finding names, in order."""
    if trace is None or finding.store is None:
        return
    allocation, _, slot, _ = finding.store
    guilty = [id(e) for e in bad_stores(finding, trace)]
    count = 0
    for event in trace.events:
        if event.get("allocation") != allocation or slot not in (event.get("slot"), event.get("shared_slot")):
            continue
        kind = _decision_kind(event)
        if kind is not None and count < _MOST_DECISIONS:
            count += 1
            yield _decision(event, kind, guilty=id(event) in guilty)


def _decision_kind(event: Event) -> DecisionKind | None:
    name, what = event.get("event"), str(event.get("what", ""))
    if name == "insert":
        return DecisionKind.SAVE if what.endswith("save") else DecisionKind.RELOAD
    if name == "remove":
        return DecisionKind.REMOVED
    return {"spill": DecisionKind.SPILL, "private": DecisionKind.PRIVATE, "hoist": DecisionKind.HOIST}.get(str(name))


def _decision(event: Event, kind: DecisionKind, *, guilty: bool) -> Decision:
    register = event.get("sibling") if kind is DecisionKind.HOIST else event.get("register", event.get("main"))
    chain = event_location(event)
    return Decision(
        kind=kind,
        call=int(event.get("call", -1)),
        register=f"%{register}",
        original=f"%{event['original']}" if "original" in event else "",
        block=int(event.get("block", -1)),
        lanes=tuple(event.get("missing_names") or event.get("dead_names") or ()),
        granted=bool(event.get("granted") or event.get("refused")),
        cause=str(event.get("cause", "")),
        location=chain[0] if chain else None,
        guilty=guilty,
    )
