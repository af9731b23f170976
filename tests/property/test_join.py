"""The laws of the join: it claims what holds on every edge, and nothing else.

A state claims that a location holds a source lane's value if their names say so. A lane that has no value on an edge is
held by every location there.
"""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from regtriage.dataflow.names import Names, Term
from regtriage.dataflow.values import JoinNames, State, join

LANES = range(5)
PLACES = range(10, 16)
ATOMS = range(1, 5)
NOTHING: frozenset[int] = frozenset()


def names_with_atoms() -> Names:
    """Names of which the first few, from 2 on, stand for themselves."""
    names = Names()
    for _ in ATOMS:
        names.fresh()
    return names


def atom(number: int) -> int:
    return number + 1


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any state whose values are atoms; lanes and places may be missing."""
    lanes = draw(st.dictionaries(st.sampled_from(LANES), st.sampled_from(ATOMS).map(atom)))
    places = draw(st.dictionaries(st.sampled_from(PLACES), st.sampled_from(ATOMS).map(atom)))
    return State(dict(lanes), places)


def claims(state: State) -> set[tuple[int, int]]:
    return {(p, v) for p, v in product(PLACES, LANES) if state.holds(p, v)}


def joined(block: int, incoming: list[State], names: Names, dead: list[frozenset[int]] | None = None) -> State:
    return join(block, incoming, dead or [NOTHING] * len(incoming), JoinNames(names), NOTHING)


@given(st.lists(states(), min_size=1, max_size=3))
def test_it_claims_what_every_edge_claims(incoming: list[State]):
    result = joined(1, incoming, names_with_atoms())
    assert claims(result) == set[tuple[int, int]].intersection(*map(claims, incoming))


@given(states())
def test_it_is_idempotent(state: State):
    result = joined(1, [state, state.copy()], names_with_atoms())
    assert (result.lanes, result.places) == (state.lanes, state.places)


@given(states(), states())
def test_order_does_not_matter(a: State, b: State):
    assert claims(joined(1, [a, b], names_with_atoms())) == claims(joined(1, [b, a], names_with_atoms()))


@given(states(), states(), states())
def test_neither_does_grouping(a: State, b: State, c: State):
    left, right = names_with_atoms(), names_with_atoms()
    one = joined(2, [joined(1, [a, b], left), c], left)
    two = joined(2, [a, joined(1, [b, c], right)], right)
    assert claims(one) == claims(two) == claims(a) & claims(b) & claims(c)


@given(states(), states(), st.sets(st.sampled_from(LANES)))
def test_a_lane_that_is_dead_on_an_edge_accepts_anything_there(a: State, b: State, dead: set[int]):
    bare = State({k: v for k, v in b.lanes.items() if k not in dead}, b.places)
    with_edge = joined(1, [a, b], names_with_atoms(), [NOTHING, frozenset(dead)])
    assert claims(with_edge) == claims(joined(1, [a, bare], names_with_atoms()))


@given(states(), states())
def test_it_names_no_two_values_alike(a: State, b: State):
    """Places with one name held one value on each edge: the name stands for it there."""
    result = joined(1, [a, b], names_with_atoms())
    for p, q in product(PLACES, PLACES):
        if p in result.places and result.places.get(p) == result.places.get(q):
            assert a.places.get(p) == a.places.get(q)
            assert b.places.get(p) == b.places.get(q)


@given(states(), states(), st.sets(st.sampled_from(ATOMS).map(atom)))
def test_names_of_an_irreducible_cycle_never_come_through(a: State, b: State, cycle: set[int]):
    result = join(1, [a, b], [NOTHING, NOTHING], JoinNames(names_with_atoms()), frozenset(cycle))
    assert cycle.isdisjoint(result.places.values())
    assert claims(result) == claims(a) & claims(b)


# -- terms ---------------------------------------------------------------------------------------------------------

Shape = tuple[str, tuple[int, ...]]


@st.composite
def states_with_terms(draw: st.DrawFn, names: Names) -> State:
    """A state in which some values are results of operations on other values."""
    known = [atom(n) for n in ATOMS]
    for _ in range(draw(st.integers(0, 4))):
        operands = tuple(draw(st.lists(st.sampled_from(known), min_size=1, max_size=2)))
        known.append(names.of(Term((draw(st.sampled_from(("f", "g"))),), operands, draw(st.integers(0, 1)))))
    lanes = draw(st.dictionaries(st.sampled_from(LANES), st.sampled_from(known)))
    return State(dict(lanes), draw(st.dictionaries(st.sampled_from(PLACES), st.sampled_from(known))))


@given(st.data())
def test_with_terms_it_claims_nothing_that_is_false_on_an_edge(data: st.DataObject):
    """It may claim more than the names of an edge do, as f(x) == f(y) where x == y; it must be true all the same."""
    names = names_with_atoms()
    incoming = [data.draw(states_with_terms(names)) for _ in range(2)]
    result = joined(1, incoming, names)
    assert claims(result) >= set[tuple[int, int]].intersection(*map(claims, incoming))
    for state in incoming:
        for place, lane in claims(result):
            if lane in state.lanes:
                assert state.places.get(place) == state.lanes[lane]
