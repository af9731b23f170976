"""Linear layouts: what the algebra says is what looking at every place says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from regtriage.dataflow.layout.encodings import LayoutError
from regtriage.dataflow.layout.linear import BLOCK, LANE, REGISTER, WARP, LinearLayout, kernel, solve, span

from .random_layouts import pairs


def layout(**bases: tuple[tuple[int, ...], ...]) -> LinearLayout:
    return LinearLayout.of({"register": (), "lane": (), "warp": (), "block": (), **bases}, (4, 8))


@given(pairs())
def test_elements_are_the_xor_of_their_bases(pair: tuple[LinearLayout, LinearLayout]):
    form = pair[0]
    table = form.elements(BLOCK, WARP, LANE, REGISTER)
    assert table.shape == tuple(form.count(i) for i in (BLOCK, WARP, LANE, REGISTER))
    for place in ((0, 0, 0, 0), tuple(extent - 1 for extent in table.shape)):
        names: dict[str, int] = dict(zip((BLOCK, WARP, LANE, REGISTER), place, strict=True))
        assert table[place] == form.element(names)


@given(pairs())
def test_holders_are_all_places_of_an_element(pair: tuple[LinearLayout, LinearLayout]):
    form = pair[0]
    table = form.elements(BLOCK, WARP, LANE, REGISTER)
    for element in {0, form.size - 1, form.size // 2}:
        expected = np.argwhere(table == element)
        found = form.holders(element)
        assert np.array_equal(np.stack([found[i] for i in (BLOCK, WARP, LANE, REGISTER)], axis=1), expected)
        assert len(expected) == form.replication


@given(pairs())
def test_rank_replication_and_repeated_registers(pair: tuple[LinearLayout, LinearLayout]):
    for form in pair:
        table = form.elements(BLOCK, WARP, LANE, REGISTER)
        assert len(np.unique(table)) == 1 << form.rank
        assert form.is_surjective
        smaller = form.without_repeated_registers()
        held = table[0, -1, -1]
        kept = smaller.elements(BLOCK, WARP, LANE, REGISTER)[0, -1, -1]
        assert sorted(set(held.tolist())) == sorted(kept.tolist())


def test_solve_uses_no_column_that_depends_on_those_before():
    columns = (1, 0, 1, 2, 3)
    assert solve(columns, 3) == 0b01001
    assert solve(columns, 4) is None
    assert sorted(span(kernel(columns)).tolist()) == [
        n for n in range(32) if np.bitwise_xor.reduce([c for i, c in enumerate(columns) if n >> i & 1] or [0]) == 0
    ]


def test_coordinates_in_row_major_order():
    form = layout(register=((0, 1), (2, 0)), lane=((1, 4),))
    assert form.bases["lane"] == (1 * 8 + 4,)
    assert form.vectors("lane") == ((1, 4),)
    assert form.vector(8 + 4) == (1, 4)
    rows, columns = form.coordinates(form.elements(LANE, REGISTER))
    assert rows.tolist() == [[0, 0, 2, 2], [1, 1, 3, 3]]
    assert columns.tolist() == [[0, 1, 0, 1], [4, 5, 4, 5]]


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: layout(register=((0, 8),)), "leaves the tensor"),
        (lambda: layout(register=((1,),)), "1 coordinates in a tensor of 2"),
        (lambda: LinearLayout.of({}, (3,)), "3 is no power of two"),
        (lambda: layout().element({"lane": 1}), "there is no lane 1"),
        (lambda: layout().holders(32), "no element 32"),
    ],
)
def test_what_makes_no_sense(make: object, what: str):
    with pytest.raises(LayoutError, match=what):
        make()  # type: ignore[operator]


def test_an_element_that_nobody_holds():
    assert [len(found) for found in layout(register=((0, 1),)).holders(2).values()] == [0, 0, 0, 0]
