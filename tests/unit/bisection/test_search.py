from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from regtriage.tools.bisect.search import Search, Turn, find_turn, minimise

Outcomes = Callable[[Sequence[int]], Iterator[bool]]


def of(table: Sequence[bool], asked: list[int] | None = None) -> Outcomes:
    """Outcomes 1, 2, … from a table; those that are looked at are noted."""

    def outcomes(numbers: Sequence[int]) -> Iterator[bool]:
        for number in numbers:
            if asked is not None:
                asked.append(number)
            yield table[number - 1]

    return outcomes


def test_a_scan_finds_the_first_of_several_turns():
    assert find_turn(5, of([False, True, False, True, True])) == Turn(2, Search.SCAN)


def test_a_scan_finds_a_turn_that_is_gone_at_the_end():
    assert find_turn(3, of([True, False, False])) == Turn(1, Search.SCAN)


def test_a_scan_stops_at_the_turn():
    asked: list[int] = []
    find_turn(8, of([False, False, True, True, True, True, True, True], asked))
    assert asked == [1, 2, 3]


def test_nothing_to_change_turns_nothing():
    assert find_turn(0, of([])) is None


def test_a_bisection_that_does_not_turn_at_the_end_is_not_begun():
    asked: list[int] = []
    assert find_turn(100, of([False] * 100, asked)) is None
    assert asked == [100]


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 20))
def test_there_is_a_turn_where_one_is_found(table: list[bool], scan_at_most: int):
    turn = find_turn(len(table), of(table), scan_at_most)
    if turn is None:
        assert not any(table) or (len(table) > scan_at_most and not table[-1])
    else:
        assert table[turn.at - 1]
        assert turn.at == 1 or not table[turn.at - 2]
        assert turn.search is Search.BISECTION or not any(table[: turn.at - 1])


@given(st.integers(1, 500))
def test_a_bisection_takes_few_steps(at: int):
    asked: list[int] = []
    table = [number >= at for number in range(1, 501)]
    assert find_turn(500, of(table, asked)) == Turn(at, Search.BISECTION)
    assert len(asked) <= 10


@given(st.sets(st.integers(0, 30), min_size=1))
def test_what_is_needed_is_what_is_kept(needed: set[int]):
    def holds(part: tuple[int, ...]) -> bool:
        assert part, "asked about nothing"
        return needed <= set(part)

    assert minimise(range(31), holds) == tuple(sorted(needed))


@given(st.sets(st.frozensets(st.integers(0, 8), min_size=1), min_size=1, max_size=4))
def test_no_single_item_can_be_left_out(alternatives: set[frozenset[int]]):
    def holds(part: tuple[int, ...]) -> bool:
        return any(alternative <= set(part) for alternative in alternatives)

    kept = minimise(tuple(range(9)), holds)
    assert holds(kept)
    for at in range(len(kept)):
        assert not holds(kept[:at] + kept[at + 1 :])


def test_one_item_is_kept_unasked():
    assert minimise(["a"], lambda part: pytest.fail("asked")) == ("a",)
