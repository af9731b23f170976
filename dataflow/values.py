"""The state of the check and how it moves: one transfer function, one join.

State: V maps each source lane to the name of its current value, or to a set of names where a path on which
the lane is undefined was joined in; a lane that is absent is undefined and stands for any value. L maps each
location to one name; an absent location holds nothing. A location holds a source lane's value iff its name
is among the lane's names.

Transfer: see `Op`. Names are fixed per definition, so a value of the previous iteration could be taken for
this one's if it kept its name around a loop. It cannot: at a loop's header every name that differs between
the incoming edges is renamed, and no definition inside the loop reaches the header along an entry edge, so
the names of definitions never survive their own loop's header. (In irreducible cycles every join renames
every name that the cycle itself defines.)

Join: locations with equal tuples of incoming names form a class. A class keeps its name where all incoming
names are equal; otherwise it is named after its least member, or, if the incoming names are terms of one
operator whose operands joined too, as that term of the joined operands. A location that holds nothing on an
edge has the name 0 there. A lane undefined on an edge accepts any name there, 0 included. Blends (see `names`) are
joined layer by layer, each layer as above; and a lane also gets the name of every location that held, in all lanes of
the wave, what the lane was on each edge.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeVar

from .exec_mask import ANYWHERE
from .names import LOST, Names, Term
from .translate import Expression, Kind, Op

NameSet = int | frozenset[int]
_N = TypeVar("_N", int, NameSet)


@dataclass(slots=True)
class State:
    """lanes: V, places: L (see the module's header)."""

    lanes: dict[int, NameSet] = field(default_factory=dict[int, NameSet])
    places: dict[int, int] = field(default_factory=dict[int, int])

    def copy(self) -> State:
        """An independent copy."""
        return State(self.lanes.copy(), self.places.copy())

    def holds(self, place: int, lane: int) -> bool:
        """The location holds the lane's value. True for an undefined lane."""
        names = self.lanes.get(lane)
        if names is None:
            return True
        name = self.places.get(place)
        return name == names or (isinstance(names, frozenset) and name in names)


class Mismatch(enum.Enum):
    """VALUE: another value or none is there. MASK: it is there, but was moved under a narrower EXEC mask."""

    VALUE = enum.auto()
    MASK = enum.auto()


Report = Callable[[int, int, int, Mismatch], None]
"""Called with (op index, source lane, location, how) for each demand that fails."""


def run_ops(ops: Sequence[Op], state: State, names: Names, report: Report | None = None, start: int = 0) -> None:
    """Run a block's ops, changing the state in place."""
    lanes, places = state.lanes, state.places
    for at in range(start, len(ops)):
        op = ops[at]
        kind = op.kind
        if kind is Kind.PAIR:
            _run_pair(op, at, state, names, report)
            continue
        if kind is Kind.AFTER_MOVE:
            if len(op.moves) == 1:
                target, origin = op.moves[0]
                _put(places, target, places.get(origin), op, names)
            else:
                for target, name in [(t, places.get(o)) for t, o in op.moves]:
                    _put(places, target, name, op, names)
        elif kind is Kind.BEFORE_MOVE:
            for target, value in [(t, lanes.get(o)) for t, o in op.moves]:
                _set(lanes, target, value, op, names)
        elif kind is Kind.BEFORE_SET:
            for target, name in op.sets:
                _set(lanes, target, name, op, names)
        elif kind is Kind.AFTER_SET:
            for target, name in op.sets:
                _put(places, target, name, op, names)
        elif kind is Kind.BEFORE_EXPRESSION:
            assert op.expression is not None
            known = before_names(op.expression, len(op.places), state, names, op.mask)
            for target, value in zip(op.places, known, strict=True):
                # nothing is asked of the lanes of the wave that are not written
                lanes.pop(target, None)
                _set(lanes, target, value, op, names)
        else:
            assert op.expression is not None
            found = after_names(op.expression, len(op.places), state, names, op.mask)
            for target, name in zip(op.places, found, strict=True):
                _put(places, target, name, op, names)
        for target in op.kills:
            lanes.pop(target, None)
        for target in op.clobbers:
            places.pop(target, None)


def _bind_in_part(op: Op, state: State, names: Names, old: Sequence[int]) -> None:
    """Name the results of a pair under a mask; old: what is in their locations before."""
    for (lane, place, name), kept in zip(op.binds, old, strict=True):
        if place in op.blended:
            state.lanes[lane] = names.written(name, op.mask, 0)
            state.places[place] = names.written(name, op.mask, kept)
        else:
            state.lanes[lane] = state.places[place] = name


def _put(places: dict[int, int], target: int, name: int | None, op: Op, names: Names) -> None:
    """A location gets a value, in the lanes that the op's mask enables."""
    if name is None:
        places.pop(target, None)
    else:
        places[target] = names.written(name, op.mask, places.get(target, 0)) if op.blended else name


def _set(lanes: dict[int, NameSet], target: int, value: NameSet | None, op: Op, names: Names) -> None:
    """The same for a source lane."""
    if value is None:
        lanes.pop(target, None)
    elif not op.blended:
        lanes[target] = value
    else:
        old = lanes.get(target, 0)
        if isinstance(value, int) and isinstance(old, int):
            lanes[target] = names.written(value, op.mask, old)
        else:
            olds = _each(old) or (LOST,)
            lanes[target] = _one_or_more(names.written(v, op.mask, o) for v in _each(value) for o in olds)


def _each(value: NameSet) -> Collection[int]:
    return (value,) if isinstance(value, int) else value


def _one_or_more(values: Iterable[int]) -> NameSet:
    found = frozenset(values)
    return next(iter(found)) if len(found) == 1 else found


def _run_pair(op: Op, at: int, state: State, names: Names, report: Report | None) -> None:
    lanes, places = state.lanes, state.places
    equal = True
    for lane, place in op.demands:
        wanted = lanes.get(lane)
        if wanted is None:
            continue
        name = places.get(place)
        if name != wanted and (isinstance(wanted, int) or name not in wanted):
            how = mismatch(name, wanted, op.mask, names)
            if how is None:
                continue
            equal = equal and how is Mismatch.MASK
            if report is not None and op.certain:
                report(at, lane, place, how)
    if op.expression is None:
        old = [places.get(place, 0) for _, place, _ in op.binds] if op.blended else []
        for target in op.kills:
            lanes.pop(target, None)
        for target in op.clobbers:
            places.pop(target, None)
        if op.blended:
            _bind_in_part(op, state, names, old)
            return
        for lane, place, name in op.binds:
            lanes[lane] = name
            places[place] = name
        return
    _bind_terms(op, state, names, equal=equal)


def mismatch(name: int | None, wanted: NameSet, mask: int, names: Names) -> Mismatch | None:
    """How a location's name fails a demand under a mask; None if the value is there for every enabled lane."""
    if name is None or names.masks is None:
        return Mismatch.VALUE
    base, each = names.base(name), _each(wanted)
    if all(names.base(w) != base for w in each):
        return Mismatch.VALUE
    return None if any(names.agree(w, name, mask) for w in each) else Mismatch.MASK


def _bind_terms(op: Op, state: State, names: Names, *, equal: bool) -> None:
    """Name a pure pair's results by term, so that a copy of it elsewhere is known to be equal.

    Where the operands are equal, or must be by the pairing's certainty, both sides get the after side's
    term (the before side may know several names). Otherwise each side gets its own.
    """
    assert op.expression is not None
    assert op.expression_after is not None
    width = len(op.places)
    after = after_names(op.expression_after, width, state, names, op.mask)
    agreed = equal or op.certain
    before = before_names(op.expression, width, state, names, op.mask)
    old = [state.places.get(place, 0) for _, place, _ in op.binds] if op.blended else None
    for target in op.kills:
        state.lanes.pop(target, None)
    for target in op.clobbers:
        state.places.pop(target, None)
    for k, (lane, place, fallback) in enumerate(op.binds):
        theirs = after[k] if k < width else fallback
        mine: NameSet | None = before[k] if k < width else fallback
        if agreed:
            theirs = mine = fallback if theirs is None else theirs
        if old is not None and place in op.blended:
            # other lanes than those that are written keep what is there; nothing is asked of the source's
            mine = mine and _one_or_more(names.written(n, op.mask, 0) for n in _each(mine))
            theirs = theirs and names.written(theirs, op.mask, old[k])
        if mine is None:
            state.lanes.pop(lane, None)
        else:
            state.lanes[lane] = mine
        if theirs is None:
            state.places.pop(place, None)
        else:
            state.places[place] = theirs


def after_names(term: Expression, width: int, state: State, names: Names, mask: int) -> list[int | None]:
    """Names of an expression's lanes by the locations it reads; None where an operand holds nothing."""
    operands = tuple(state.places.get(o, 0) for o in term.operands)
    if 0 in operands:
        return [None] * width
    return [names.computed(Term(term.key, operands, term.offset + k), mask) for k in range(width)]


_MANY_NAMES = 16
"""A term whose operands have more combinations of names than this is left undetermined (a wildcard)."""


def before_names(term: Expression, width: int, state: State, names: Names, mask: int) -> list[NameSet | None]:
    """The same by source lanes, with every combination of the operands' names. None where one is undefined."""
    rows: list[tuple[int, ...]] = [()]
    for o in term.operands:
        known = state.lanes.get(o)
        if known is None:
            return [None] * width
        rows = [(*row, name) for row in rows for name in _each(known)]
        if len(rows) > _MANY_NAMES:
            return [None] * width
    return [
        _one_or_more(names.computed(Term(term.key, row, term.offset + k), mask) for row in rows) for k in range(width)
    ]


@dataclass(slots=True)
class JoinNames:
    """Names for the classes that a block's join makes: stable across visits, so that states compare."""

    names: Names

    def of(self, block: int, leader: int, side: str) -> int:
        """The name of the class led by a place or lane at a block's join."""
        return self.names.of(("join", block, side, leader))


def join(
    block: int,
    incoming: Sequence[State],
    dead_on_edge: Sequence[frozenset[int]],
    join_names: JoinNames,
    rename: frozenset[int],
) -> State:
    """Join the states of a block's visited predecessors.

    dead_on_edge: per predecessor, source lanes that have no value along that edge. rename: names that must
    not pass through unchanged (irreducible cycles only).
    """
    if len(incoming) == 1 and not dead_on_edge[0] and not rename:
        return incoming[0].copy()
    splitter = _Splitter(join_names.names)
    places, classes = _join_places(block, incoming, join_names, rename, splitter)
    lanes = _join_lanes(block, incoming, dead_on_edge, classes, join_names, rename, splitter)
    return State(lanes, places)


Classes = dict[tuple[int, ...], int]
Row = list[NameSet | None]
_LAYER = 1 << 40
"""Added to the number of a lane or a location, it stands for the next layer of the blend there."""


@dataclass(slots=True)
class _Splitter:
    """Splits the blends that meet at a block, so that their parts are joined on their own.

    maps, joined: what locations hold on each edge, and after the join. rows, index: the same, made when needed.
    """

    names: Names
    maps: Sequence[Mapping[int, int]] = ()
    joined: Mapping[int, int] = field(default_factory=dict[int, int])
    rows: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])
    index: dict[tuple[int, int], list[tuple[int, ...]]] = field(
        default_factory=dict[tuple[int, int], list[tuple[int, ...]]]
    )

    def split(self, row: Row) -> tuple[list[tuple[int, Row]], Row]:
        """Layers: a mask and the values in its lanes, without those of masks before it. Then the values in the rest.

        An entry is None where there is no value. Of several names of one value the simplest is split.
        """
        layers: list[tuple[int, Row]] = []
        blends = self.names.blends
        if any(not isinstance(x, int) and x is not None and not blends.keys().isdisjoint(x) for x in row):
            row = [x if x is None else self._simplest(x) for x in row]
        while any(x != row[0] for x in row) or not layers:
            each = [[n for n in _each(x) if n in blends] if x is not None else [] for x in row]
            if not any(each):
                break
            mask = self.names.narrowest([n for some in each for n in some])
            layers.append((mask, [None if x is None else _one_or_more(map(self.names.base, _each(x))) for x in row]))
            row = [None if x is None else self._outside(x, mask) for x in row]
        return layers, row

    def _simplest(self, value: NameSet) -> NameSet:
        return value if isinstance(value, int) or not value else min(value, key=lambda n: (self.names.depth(n), n))

    def _outside(self, value: NameSet, mask: int) -> NameSet | None:
        blends = self.names.blends
        rests = {blends[n].rest if n in blends and blends[n].mask == mask else n for n in _each(value)}
        return None if 0 in rests else _one_or_more(rests)

    def alike(self, row: Row) -> frozenset[int]:
        """Names of locations that hold what a source lane does, in all lanes of the wave, on every edge."""
        names = self.names
        edge = next(k for k, x in enumerate(row) if x is not None)
        candidates = {r for n in _each(row[edge] or 0) for r in self._rows_with().get((edge, names.base(n)), ())}

        def is_held(value: NameSet | None, held: int) -> bool:
            return value is None or any(names.agree(n, held, ANYWHERE) for n in _each(value))

        return frozenset(self.rows[c] for c in candidates if all(map(is_held, row, c)))

    def _rows_with(self) -> dict[tuple[int, int], list[tuple[int, ...]]]:
        """By edge and value, the rows in which that value is held."""
        if not self.index:
            for place, name in self.joined.items():
                self.rows[tuple([m.get(place, 0) for m in self.maps])] = name
            for row in self.rows:
                for edge, name in enumerate(row):
                    self.index.setdefault((edge, self.names.base(name)), []).append(row)
        return self.index


def _join_places(
    block: int, incoming: Sequence[State], join_names: JoinNames, rename: frozenset[int], splitter: _Splitter
) -> tuple[dict[int, int], Classes]:
    names = join_names.names
    maps = [s.places for s in incoming]
    result: dict[int, int] = {}
    pending: dict[int, tuple[int, ...]] = {}
    leaders: dict[tuple[int, ...], int] = {}
    limits: dict[int, list[int]] = {}

    def add(place: int, key: tuple[int, ...]) -> None:
        name = key[0]
        if key.count(name) == len(key) and not names.mentions(name, rename):
            result[place] = name
        else:
            pending[place] = key
            if place < leaders.get(key, place + 1):
                leaders[key] = place

    blends = names.blends.keys()
    if not rename:
        # most places hold one value on all edges: these are found without a step of the interpreter for each
        result = dict(_on_all(maps))
    for place in set[int]().union(*maps).difference(result):
        key = tuple([m.get(place, 0) for m in maps])
        if blends and not blends.isdisjoint(key):
            layers, rests = splitter.split([n or None for n in key])
            limits[place] = [mask for mask, _ in layers]
            for depth, part in enumerate([*(bases for _, bases in layers), rests]):
                add(place + depth * _LAYER, tuple([x if isinstance(x, int) else 0 for x in part]))
        else:
            add(place, key)
    classes: Classes = {}
    for key, leader in leaders.items():
        classes[key] = join_names.of(block, leader, "place")
    terms = _JoinedTerms(classes, names, rename)
    for row in list(classes):
        terms.improve(row)
    for place, key in pending.items():
        result[place] = classes[key]
    for place, masks in limits.items():
        whole = result.pop(place + len(masks) * _LAYER)
        for depth in range(len(masks) - 1, -1, -1):
            whole = names.blend(result.pop(place + depth * _LAYER), masks[depth], whole)
        result[place] = whole
    splitter.maps, splitter.joined = maps, result
    return result, classes


def _on_all(maps: Sequence[Mapping[int, _N]]) -> Collection[tuple[int, _N]]:
    """The entries that are the same in all of them."""
    same: Set[tuple[int, _N]] = maps[0].items()
    for other in maps[1:]:
        same = same & other.items()
    return same


@dataclass(slots=True)
class _JoinedTerms:
    """Names classes by terms: one whose members are terms of one operator is that term of the joined operands.

    Not functions within a function: such as call each other are a cycle of objects, and there are many joins.
    """

    classes: Classes
    names: Names
    rename: frozenset[int]
    busy: set[tuple[int, ...]] = field(default_factory=set[tuple[int, ...]])

    def joined(self, row: tuple[int, ...]) -> int | None:
        """The name of what is in a row after the join, None where no class has it."""
        if all(x == row[0] for x in row) and row[0] not in self.rename:
            return row[0]
        if row not in self.classes:
            return None
        self.improve(row)
        return self.classes[row]

    def improve(self, row: tuple[int, ...]) -> None:
        """Name a class by a term, if its operands joined."""
        if row in self.busy:
            return
        self.busy.add(row)
        terms = [self.names.terms.get(x) for x in row]
        head = terms[0]
        if head is None or any(t is None or (t.operator, t.lane) != (head.operator, head.lane) for t in terms):
            return
        rows = [t.operands for t in terms if t is not None]
        if len({len(r) for r in rows}) != 1:
            return
        columns = zip(*rows, strict=True)
        operands = [self.joined(column) for column in columns]
        known = tuple(o for o in operands if o is not None)
        if operands and len(known) == len(operands):
            self.classes[row] = self.names.of(Term(head.operator, known, head.lane))


def _join_lanes(
    block: int,
    incoming: Sequence[State],
    dead_on_edge: Sequence[frozenset[int]],
    classes: Classes,
    join_names: JoinNames,
    rename: frozenset[int],
    splitter: _Splitter,
) -> dict[int, NameSet]:
    names = join_names.names
    result: dict[int, NameSet] = {}
    if not rename:
        same = dict(_on_all([s.lanes for s in incoming]))
        for lane in same.keys() & set[int]().union(*dead_on_edge):
            del same[lane]
        result.update((lane, value) for lane, value in same.items() if isinstance(value, int))
    alone: dict[tuple[NameSet, ...], list[int]] = {}
    limits: dict[int, list[int]] = {}
    alike: dict[int, frozenset[int]] = {}
    index: list[dict[int, set[tuple[int, ...]]]] | None = None
    unchanged: list[set[int]] = []
    rows: list[tuple[int, Row]] = []
    for lane in set[int]().union(*(s.lanes for s in incoming)).difference(result):
        row: Row = [None if lane in dead else s.lanes.get(lane) for s, dead in zip(incoming, dead_on_edge, strict=True)]
        head = row[0]
        if isinstance(head, int) and all(x == head for x in row) and not names.mentions(head, rename):
            result[lane] = head
            continue
        layers: list[tuple[int, Row]] = []
        if names.blends and any(x is not None for x in row):
            layers, rests = splitter.split(row)
            if layers or not all(isinstance(x, int) for x in row):
                alike[lane] = splitter.alike(row)
            row = rests
            limits[lane] = [mask for mask, _ in layers]
        rows += [(lane + depth * _LAYER, part) for depth, part in enumerate([*(bases for _, bases in layers), row])]
    for lane, row in rows:
        head = row[0]
        if isinstance(head, int) and all(x == head for x in row) and not names.mentions(head, rename):
            result[lane] = head
            continue
        if all(isinstance(x, int) for x in row):
            key = tuple(x for x in row if isinstance(x, int))
            found = classes.get(key)
            if found is not None:
                result[lane] = found
            else:
                alone.setdefault(key, []).append(lane)
            continue
        known = [(k, x) for k, x in enumerate(row) if x is not None]
        if not known:
            continue
        if index is None:
            index = _index_classes(classes, len(incoming))
            unchanged = [_parts(s, names) for s in incoming]
        result[lane] = _compatible(known, index, classes, incoming, unchanged, rename, names)
    for lanes in alone.values():
        name = join_names.of(block, min(lanes), "lane")
        for lane in lanes:
            result[lane] = name
    for lane, masks in limits.items():
        if masks:
            parts = [result.pop(lane + depth * _LAYER, 0) for depth in range(len(masks) + 1)]
            result[lane] = _compose(parts, masks, names)
    for lane, found in alike.items():
        result[lane] = _one_or_more(found.union(_each(result[lane])))
    return result


def _compose(parts: Sequence[NameSet], masks: Sequence[int], names: Names) -> NameSet:
    """The blends of some layers, of which each may have more than one name; no name at all is a value that is lost."""
    found = parts[-1]
    for part, mask in zip(reversed(parts[:-1]), reversed(masks), strict=True):
        rests = sorted(_each(found))[:_MANY_NAMES] or [LOST]
        found = _one_or_more(names.blend(base, mask, rest) for base in _each(part) for rest in rests)
    return found


def _parts(state: State, names: Names) -> set[int]:
    """Every name that a location has, and all parts of those that are blends."""
    return set[int]().union(*map(names.parts, set(state.places.values())))


def _index_classes(classes: Classes, edges: int) -> list[dict[int, set[tuple[int, ...]]]]:
    index: list[dict[int, set[tuple[int, ...]]]] = [{} for _ in range(edges)]
    for row in classes:
        for k, name in enumerate(row):
            index[k].setdefault(name, set()).add(row)
    return index


def _compatible(
    known: list[tuple[int, NameSet]],
    index: list[dict[int, set[tuple[int, ...]]]],
    classes: Classes,
    incoming: Sequence[State],
    unchanged: list[set[int]],
    rename: frozenset[int],
    names: Names,
) -> NameSet:
    """Names of every class that holds the lane's value on each edge where the lane has one."""
    rows: set[tuple[int, ...]] | None = None
    same: set[int] | None = None
    for edge, value in known:
        each = _each(value)
        here = set[tuple[int, ...]]()
        for name in each:
            here |= index[edge].get(name, set())
        rows = here if rows is None else rows & here
        same = set(each) if same is None else same & set(each)
    found = {classes[r] for r in rows or ()}
    found |= {n for n in same or () if not names.mentions(n, rename) and all(n in u for u in unchanged)}
    if len(found) == 1:
        return found.pop()
    return frozenset(found)
