"""Conversions: by who owns each element, by Triton's rule, and both by looking at every place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from regtriage.dataflow.layout.conversion import (
    Means,
    Moves,
    Release,
    TritonWay,
    by_ownership,
    by_triton,
    counts,
    reads_from,
)
from regtriage.dataflow.layout.encodings import Blocked, LayoutError, Linear
from regtriage.dataflow.layout.forms import linear_form
from regtriage.dataflow.layout.linear import BLOCK, LANE, REGISTER, WARP, LinearLayout

from .random_layouts import pairs

START = Blocked((1, 4), (8, 4), (2, 1), (1, 0))


def blocked(*tiles: tuple[int, ...]) -> LinearLayout:
    return linear_form(Blocked(*tiles), (16, 16))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("destination", "means"),
    [
        (START, Means.REGISTERS),
        (Blocked((1, 2), (8, 4), (2, 1), (1, 0)), Means.WARP_SHUFFLE),
        (Blocked((4, 1), (4, 8), (1, 2), (1, 0)), Means.SHARED_MEMORY),
        (Blocked((1, 4), (8, 4), (2, 1), (0, 1)), Means.WARP_SHUFFLE),
    ],
)
def test_the_walk_through(destination: Blocked, means: Means):
    source = linear_form(START, (16, 16))
    target = linear_form(destination, (16, 16))
    assert by_ownership(source, target) is means
    assert by_triton(source, target).means is means


def looked_at(source: LinearLayout, destination: LinearLayout) -> Moves:
    """Every place of the destination looks for its element: in its lane, its warp, its block, then anywhere."""
    destination = destination.without_repeated_registers()
    wanted = destination.elements(BLOCK, WARP, LANE, REGISTER)
    held = source.elements(BLOCK, WARP, LANE, REGISTER)
    found = [0, 0, 0, 0]
    for block, warp, lane, register in np.ndindex(*wanted.shape):
        element = wanted[block, warp, lane, register]
        reach = [held[block, warp, lane], held[block, warp], held[block], held]
        found[next(at for at, part in enumerate(reach) if element in part)] += 1
    return Moves(*found)


@given(pairs())
def test_algebra_and_enumeration_agree(pair: tuple[LinearLayout, LinearLayout]):
    source, destination = pair
    assume(len(destination.without_repeated_registers().columns) <= 9)
    assert counts(source, destination) == looked_at(source, destination)


@given(pairs())
def test_what_a_place_reads_is_what_it_needs(pair: tuple[LinearLayout, LinearLayout]):
    source, destination = pair
    for index, places in reads_from(source, destination).items():
        for bit, place in enumerate(places):
            assert source.element(place) == destination.element({index: 1 << bit})


@given(pairs())
def test_triton_is_never_laxer_than_ownership(pair: tuple[LinearLayout, LinearLayout]):
    order = list(Means)
    owner = by_ownership(*pair)
    for release in Release:
        means = by_triton(*pair, release).means
        assert means is not None
        assert order.index(means) >= order.index(owner)


def test_two_swaps_go_through_shared_memory():
    """Both register bits become lane bits: everything stays in its warp, yet Triton does not shuffle."""
    source = linear_form(Linear(((1,), (2,)), ((4,), (8,), (16,), (32,), (64,)), ()), (128,))
    one = linear_form(Linear(((4,), (2,)), ((1,), (8,), (16,), (32,), (64,)), ()), (128,))
    two = linear_form(Linear(((4,), (8,)), ((1,), (2,), (16,), (32,), (64,)), ()), (128,))
    assert by_triton(source, one) == TritonWay(Means.WARP_SHUFFLE, 1)
    assert by_ownership(source, two) is Means.WARP_SHUFFLE
    assert by_triton(source, two) == TritonWay(Means.SHARED_MEMORY, 2)


def test_releases_differ_where_every_warp_holds_all():
    """Each warp of the source has the whole tensor; the destination divides it. Up to 3.8 all warps read warp 0."""
    source = linear_form(Blocked((8,), (32,), (4,), (0,)), (256,))
    destination = linear_form(Blocked((4,), (32,), (4,), (0,)), (256,))
    assert by_ownership(source, destination) is Means.WARP_SHUFFLE
    assert by_triton(source, destination, Release.V3_8).means is Means.SHARED_MEMORY
    assert by_triton(source, destination, Release.V3_9) == TritonWay(Means.WARP_SHUFFLE, 1)


def test_a_replicated_source_is_read_from_one_owner():
    """Both lanes of a pair hold the element, but the one that Triton reads from is always the even one."""
    source = linear_form(Linear((), ((0,), (1,), (2,), (4,), (8,)), ()), (16,))
    destination = linear_form(Linear((), ((1,), (0,), (2,), (4,), (8,)), ()), (16,))
    places = reads_from(source, destination)[LANE]
    assert [place[LANE] for place in places] == [2, 0, 4, 8, 16]


def test_clusters():
    source = linear_form(Blocked((1,), (32,), (4,), (0,), cga=((1,),)), (256,))
    destination = linear_form(Blocked((1,), (32,), (4,), (0,), cga=((0,),)), (256,))
    assert counts(source, destination).other_block == 256
    assert by_triton(source, destination).means is Means.CLUSTER
    assert by_triton(destination, destination).means is Means.REGISTERS


def test_layouts_of_different_tensors():
    with pytest.raises(LayoutError, match="different shapes"):
        counts(linear_form(START, (16, 16)), linear_form(START, (16, 32)))
    partial = linear_form(Linear(((1,),), (), ()), (4,))
    with pytest.raises(LayoutError, match="does not hold every element"):
        counts(LinearLayout({"register": (1,)}, (4,)), partial)


def test_no_permutation_of_bits():
    """Lane bits that are sums of bits of the other side: no rule of Triton's is known for it."""
    source = linear_form(Linear(((1,),), ((2,), (4,), (8,)), ()), (16,))
    destination = linear_form(Linear(((1,),), ((3,), (4,), (8,)), ()), (16,))
    assert by_triton(source, destination).means is None
    assert by_ownership(source, destination) is Means.REGISTERS
