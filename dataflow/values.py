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
edge has the name 0 there. A lane undefined on an edge accepts any name there, 0 included.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .translate import Expression, Kind, Names, Op, Term

NameSet = int | frozenset[int]


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
                name = places.get(origin)
                if name is None:
                    places.pop(target, None)
                else:
                    places[target] = names.narrowed(name, op.mask, places.get(target)) if op.mask else name
            else:
                for target, name in [(t, places.get(o)) for t, o in op.moves]:
                    if name is None:
                        places.pop(target, None)
                    else:
                        places[target] = names.narrowed(name, op.mask, places.get(target)) if op.mask else name
        elif kind is Kind.BEFORE_MOVE:
            for target, value in [(t, lanes.get(o)) for t, o in op.moves]:
                if value is None:
                    lanes.pop(target, None)
                else:
                    lanes[target] = value
        elif kind is Kind.BEFORE_SET:
            for target, name in op.sets:
                lanes[target] = name
        elif kind is Kind.AFTER_SET:
            for target, name in op.sets:
                places[target] = names.narrowed(name, op.mask, places.get(target)) if op.mask else name
        elif kind is Kind.BEFORE_EXPRESSION:
            assert op.expression is not None
            for target, known in zip(op.places, before_names(op.expression, len(op.places), state, names), strict=True):
                if known is None:
                    lanes.pop(target, None)
                else:
                    lanes[target] = known
        else:
            assert op.expression is not None
            for target, name in zip(op.places, after_names(op.expression, len(op.places), state, names), strict=True):
                if name is None:
                    places.pop(target, None)
                else:
                    places[target] = names.narrowed(name, op.mask, places.get(target)) if op.mask else name
        for target in op.kills:
            lanes.pop(target, None)
        for target in op.clobbers:
            places.pop(target, None)


def _run_pair(op: Op, at: int, state: State, names: Names, report: Report | None) -> None:
    lanes, places = state.lanes, state.places
    equal = True
    for lane, place in op.demands:
        wanted = lanes.get(lane)
        if wanted is None:
            continue
        name = places.get(place)
        if name != wanted and (isinstance(wanted, int) or name not in wanted):
            how = _mismatch(name, wanted, op.mask, names)
            if how is None:
                continue
            equal = equal and how is Mismatch.MASK
            if report is not None and op.certain:
                report(at, lane, place, how)
    if op.expression is None:
        for target in op.kills:
            lanes.pop(target, None)
        for target in op.clobbers:
            places.pop(target, None)
        for lane, place, name in op.binds:
            lanes[lane] = name
            places[place] = name
        return
    _bind_terms(op, state, names, equal=equal)


def _mismatch(name: int | None, wanted: NameSet, mask: int, names: Names) -> Mismatch | None:
    """How a location's name fails a demand under a mask; None if the value is there for every enabled lane."""
    if name is None or name not in names.masked or names.masks is None:
        return Mismatch.VALUE
    base, limit = names.masked[name]
    if base != wanted and (isinstance(wanted, int) or base not in wanted):
        return Mismatch.VALUE
    return Mismatch.MASK if names.masks.is_wider(mask, limit) else None


def _bind_terms(op: Op, state: State, names: Names, *, equal: bool) -> None:
    """Name a pure pair's results by term, so that a copy of it elsewhere is known to be equal.

    Where the operands are equal, or must be by the pairing's certainty, both sides get the after side's
    term (the before side may know several names). Otherwise each side gets its own.
    """
    assert op.expression is not None
    assert op.expression_after is not None
    width = len(op.places)
    after = after_names(op.expression_after, width, state, names)
    agreed = equal or op.certain
    before = before_names(op.expression, width, state, names)
    for target in op.kills:
        state.lanes.pop(target, None)
    for target in op.clobbers:
        state.places.pop(target, None)
    for k, (lane, place, fallback) in enumerate(op.binds):
        theirs = after[k] if k < width else fallback
        mine: NameSet | None = before[k] if k < width else fallback
        if agreed:
            theirs = mine = fallback if theirs is None else theirs
        if mine is None:
            state.lanes.pop(lane, None)
        else:
            state.lanes[lane] = mine
        if theirs is None:
            state.places.pop(place, None)
        else:
            state.places[place] = theirs


def after_names(term: Expression, width: int, state: State, names: Names) -> list[int | None]:
    """Names of an expression's lanes by the locations it reads; None where an operand holds nothing."""
    operands = tuple(names.base(state.places.get(o, 0)) for o in term.operands)
    if 0 in operands:
        return [None] * width
    return [names.of(Term(term.key, operands, term.offset + k)) for k in range(width)]


_MANY_NAMES = 16
"""A term whose operands have more combinations of names than this is left undetermined (a wildcard)."""


def before_names(term: Expression, width: int, state: State, names: Names) -> list[NameSet | None]:
    """The same by source lanes, with every combination of the operands' names. None where one is undefined."""
    rows: list[tuple[int, ...]] = [()]
    for o in term.operands:
        known = state.lanes.get(o)
        if known is None:
            return [None] * width
        each = (known,) if isinstance(known, int) else tuple(known)
        rows = [(*row, name) for row in rows for name in each]
        if len(rows) > _MANY_NAMES:
            return [None] * width
    result: list[NameSet | None] = []
    for k in range(width):
        found = frozenset(names.of(Term(term.key, row, term.offset + k)) for row in rows)
        result.append(next(iter(found)) if len(found) == 1 else found)
    return result


@dataclass(slots=True)
class JoinNames:
    """Names for the classes that a block's join makes: stable across visits, so that states compare."""

    names: Names

    def of(self, block: int, leader: int, side: str) -> int:
        """The name of the class led by a place or lane at a block's join."""
        name = self.names.of(("join", block, side, leader))
        if self.names.masks is not None:
            self.names.made_under[name] = self.names.masks.at_block(block)
        return name


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
    places, classes = _join_places(block, incoming, join_names, rename)
    lanes = _join_lanes(block, incoming, dead_on_edge, classes, join_names, rename)
    return State(lanes, places)


Classes = dict[tuple[int, ...], int]


def _join_places(
    block: int, incoming: Sequence[State], join_names: JoinNames, rename: frozenset[int]
) -> tuple[dict[int, int], Classes]:
    names = join_names.names
    maps = [s.places for s in incoming]
    result: dict[int, int] = {}
    pending: dict[int, tuple[int, ...]] = {}
    leaders: dict[tuple[int, ...], int] = {}
    limits: dict[int, int] = {}
    for place in maps[0] if len(maps) == 1 else set[int]().union(*maps):
        key = tuple([m.get(place, 0) for m in maps])
        if names.masked and not names.masked.keys().isdisjoint(key):
            limits[place] = _narrowest(key, names)
            key = tuple(map(names.base, key))
        name = key[0]
        if key.count(name) == len(key) and name not in rename:
            result[place] = name
        else:
            pending[place] = key
            if place < leaders.get(key, place + 1):
                leaders[key] = place
    classes: Classes = {}
    for key, leader in leaders.items():
        classes[key] = join_names.of(block, leader, "place")
    _name_terms(classes, names, rename)
    for place, key in pending.items():
        result[place] = classes[key]
    for place, mask in limits.items():
        result[place] = names.limited(result[place], mask)
    return result, classes


def _narrowest(row: tuple[int, ...], names: Names) -> int:
    """The EXEC mask for whose lanes a value is there on every edge, as far as masks compare.

    Masks that do not compare are put in a fixed order, or places that change theirs around a loop never settle.
    """
    assert names.masks is not None
    depth = names.masks.depth
    return max((names.masked[n][1] for n in row if n in names.masked), key=lambda mask: (depth(mask), mask))


def _name_terms(classes: Classes, names: Names, rename: frozenset[int]) -> None:
    """A class whose members are terms of one operator is that term of the joined operands, if those joined."""
    busy: set[tuple[int, ...]] = set()

    def joined(row: tuple[int, ...]) -> int | None:
        if all(x == row[0] for x in row) and row[0] not in rename:
            return row[0]
        if row not in classes:
            return None
        improve(row)
        return classes[row]

    def improve(row: tuple[int, ...]) -> None:
        if row in busy:
            return
        busy.add(row)
        terms = [names.terms.get(x) for x in row]
        head = terms[0]
        if head is None or any(t is None or (t.operator, t.lane) != (head.operator, head.lane) for t in terms):
            return
        rows = [t.operands for t in terms if t is not None]
        if len({len(r) for r in rows}) != 1:
            return
        columns = zip(*rows, strict=True)
        operands = [joined(column) for column in columns]
        known = tuple(o for o in operands if o is not None)
        if operands and len(known) == len(operands):
            classes[row] = names.of(Term(head.operator, known, head.lane))

    for row in list(classes):
        improve(row)


def _join_lanes(
    block: int,
    incoming: Sequence[State],
    dead_on_edge: Sequence[frozenset[int]],
    classes: Classes,
    join_names: JoinNames,
    rename: frozenset[int],
) -> dict[int, NameSet]:
    all_lanes = incoming[0].lanes.keys() if len(incoming) == 1 else set[int]().union(*(s.lanes for s in incoming))
    result: dict[int, NameSet] = {}
    alone: dict[tuple[NameSet, ...], list[int]] = {}
    index: list[dict[int, set[tuple[int, ...]]]] | None = None
    unchanged: list[set[int]] = []
    for lane in all_lanes:
        row = [None if lane in dead else s.lanes.get(lane) for s, dead in zip(incoming, dead_on_edge, strict=True)]
        head = row[0]
        if isinstance(head, int) and all(x == head for x in row) and head not in rename:
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
            unchanged = [set(map(join_names.names.base, s.places.values())) for s in incoming]
        result[lane] = _compatible(known, index, classes, incoming, unchanged, rename)
    for lanes in alone.values():
        name = join_names.of(block, min(lanes), "lane")
        for lane in lanes:
            result[lane] = name
    return result


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
) -> NameSet:
    """Names of every class that holds the lane's value on each edge where the lane has one."""
    rows: set[tuple[int, ...]] | None = None
    same: set[int] | None = None
    for edge, names in known:
        each = (names,) if isinstance(names, int) else names
        here = set[tuple[int, ...]]()
        for name in each:
            here |= index[edge].get(name, set())
        rows = here if rows is None else rows & here
        same = set(each) if same is None else same & set(each)
    found = {classes[r] for r in rows or ()}
    found |= {n for n in same or () if n not in rename and all(n in u for u in unchanged)}
    if len(found) == 1:
        return found.pop()
    return frozenset(found)
