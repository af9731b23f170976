"""The layout of small graphs: nothing lies on anything else, and what flows goes down."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from regtriage.tools.report.layered import Gaps, Layout, Size, layered

GAPS = Gaps(across=20, down=30)
SIZE = Size(100, 40)

graphs = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=16))
)


def lay(count: int, edges: list[tuple[int, int]]) -> Layout[int]:
    return layered(dict.fromkeys(range(count), SIZE), edges, GAPS)


@given(graphs)
def test_boxes_keep_their_distance(graph: tuple[int, list[tuple[int, int]]]):
    layout = lay(*graph)
    assert len(layout.corners) == graph[0]
    for (x0, y0), (x1, y1) in itertools.combinations(layout.corners.values(), 2):
        beside = abs(x0 - x1) >= SIZE.width + GAPS.across - 1e-6
        below = abs(y0 - y1) >= SIZE.height + GAPS.down - 1e-6
        assert beside or below
    for x, y in layout.corners.values():
        assert x >= -1e-6
        assert x + SIZE.width <= layout.width + 1e-6
        assert y + SIZE.height <= layout.height + 1e-6


@given(graphs)
def test_edges_join_the_borders_of_their_boxes(graph: tuple[int, list[tuple[int, int]]]):
    layout = lay(*graph)
    assert {(r.source, r.target) for r in layout.routes} == {e for e in graph[1] if e[0] != e[1]}
    for route in layout.routes:
        source, target = layout.corners[route.source], layout.corners[route.target]
        start, end = route.points[0], route.points[-1]
        assert source[0] <= start[0] <= source[0] + SIZE.width
        assert target[0] <= end[0] <= target[0] + SIZE.width
        assert start[1] == source[1] + (0 if route.turned else SIZE.height)
        assert end[1] == target[1] + (SIZE.height if route.turned else 0)


@given(graphs)
def test_what_flows_goes_down_and_without_cycles_nothing_is_turned(graph: tuple[int, list[tuple[int, int]]]):
    count, edges = graph
    downhill = [(min(e), max(e)) for e in edges]
    layout = lay(count, downhill)
    assert not any(route.turned for route in layout.routes)
    for source, target in downhill:
        if source != target:
            assert layout.corners[source][1] < layout.corners[target][1]


def test_a_loop_is_closed_from_below():
    layout = lay(3, [(0, 1), (1, 2), (2, 1)])
    turned = [(r.source, r.target) for r in layout.routes if r.turned]
    assert turned == [(2, 1)]


def test_two_edges_between_the_same_boxes_do_not_lie_on_each_other():
    layout = lay(2, [(0, 1), (1, 0)])
    down, up = layout.routes
    assert down.points[0][0] != up.points[-1][0]


def test_a_crossing_that_can_be_avoided_is():
    layout = lay(4, [(0, 3), (1, 2)])
    crossed = (layout.corners[0][0] < layout.corners[1][0]) != (layout.corners[3][0] < layout.corners[2][0])
    assert not crossed


def test_parts_that_are_not_connected_fill_rows():
    layout = layered(dict.fromkeys(range(6), SIZE), [(0, 1)], GAPS, widest=300)
    assert layout.width <= 300
    assert len({y for _, y in layout.corners.values()}) >= 3
