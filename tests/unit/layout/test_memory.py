"""Sectors and banks: the numbers of the walk-through, and what one access after the other costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from regtriage.dataflow.layout.encodings import Blocked, LayoutError, PaddedShared, SwizzledShared
from regtriage.dataflow.layout.forms import linear_form, shared_form
from regtriage.dataflow.layout.linear import LANE, REGISTER, WARP, LinearLayout
from regtriage.dataflow.layout.memory import (
    accesses,
    bank_accesses,
    buffer_bytes,
    column_major,
    group_of,
    offsets,
    row_major,
)

from .random_layouts import pairs

ROW = linear_form(Blocked((1, 4), (2, 16), (4, 1), (1, 0)), (64, 64))


def test_the_walk_through():
    by_rows = accesses(ROW, (64, 1), 4)
    assert (by_rows.group, by_rows.vector, by_rows.instructions) == (4, 4, 1)
    assert set(by_rows.touched.reshape(-1).tolist()) == {16}
    assert by_rows.efficiency == 1.0
    by_columns = accesses(ROW, (1, 64), 4)
    assert (by_columns.group, by_columns.vector, by_columns.instructions) == (4, 1, 4)
    assert set(by_columns.touched.reshape(-1).tolist()) == {64}
    assert by_columns.efficiency == 0.25


def looked_at(
    layout: LinearLayout, strides: tuple[int, ...], size: int, start: int, width: int, group: int
) -> tuple[list[list[int]], list[list[int]]]:
    """Byte by byte."""
    layout = layout.without_repeated_registers()
    elements = layout.elements(WARP, LANE, REGISTER)
    touched: list[list[int]] = []
    used: list[list[int]] = []
    for warp in elements:
        touched.append([])
        used.append([])
        for first in range(0, warp.shape[1], group):
            byte = {
                start + sum(c * s for c, s in zip(layout.vector(int(e)), strides, strict=True)) * size + b
                for e in warp[:, first : first + group].reshape(-1)
                for b in range(size)
            }
            touched[-1].append(len({b // width for b in byte}))
            used[-1].append(len(byte))
    return touched, used


@settings(max_examples=40, deadline=None)
@given(pairs(), st.data())
def test_any_strides_and_alignment(pair: tuple[LinearLayout, LinearLayout], data: st.DataObject):
    layout = pair[0]
    strides = data.draw(
        st.one_of(
            st.sampled_from((row_major(layout.shape), column_major(layout.shape))),
            st.tuples(*(st.integers(0, 70) for _ in layout.shape)),
        )
    )
    size = data.draw(st.sampled_from((1, 2, 4, 8)))
    alignment = data.draw(st.sampled_from((size, 16, 128)))
    width = data.draw(st.sampled_from((32, 64, 128)))
    found = accesses(layout, strides, size, alignment=alignment, width=width)
    touched, used = looked_at(layout, strides, size, alignment % 128, width, found.group)
    assert found.touched.tolist() == touched
    assert found.used.tolist() == used


def test_a_start_that_is_not_aligned_costs_a_sector_and_the_vectors():
    found = accesses(ROW, (64, 1), 4, alignment=4)
    assert found.vector == 1
    assert set(found.touched.reshape(-1).tolist()) == {17}
    assert accesses(ROW, (64, 1), 4, alignment=8).vector == 2


def test_lines_of_other_vendors():
    assert set(accesses(ROW, (64, 1), 4, width=64).touched.reshape(-1).tolist()) == {8}
    assert set(accesses(ROW, (64, 1), 4, width=128).touched.reshape(-1).tolist()) == {4}


def test_the_worst_access_is_named():
    gap = linear_form(Blocked((1,), (32,), (1,), (0,)), (64,))
    found = accesses(gap, (3,), 4)
    assert found.worst in ((0, 0), (0, 1))
    assert found.touched.reshape(-1)[found.worst[1]] == found.touched.max()


def test_lanes_that_read_the_same_element_use_it_once():
    copies = linear_form(Blocked((1,), (32,), (1,), (0,)), (8,))
    found = accesses(copies, (1,), 4)
    assert (found.touched.tolist(), found.used.tolist()) == ([[1]], [[32]])


def test_group_is_what_lies_side_by_side():
    assert group_of(ROW, 4) == 4
    assert group_of(ROW, 8) == 2
    assert group_of(linear_form(Blocked((2, 2), (2, 16), (4, 1), (1, 0)), (64, 64)), 4) == 2
    assert group_of(linear_form(Blocked((4, 1), (2, 16), (4, 1), (0, 1)), (64, 64)), 4) == 4


def test_strides_by_rows_and_columns():
    assert row_major((2, 4, 8)) == (32, 8, 1)
    assert column_major((2, 4, 8)) == (1, 2, 8)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"strides": (1,)}, "1 strides for a tensor of 2 dimensions"),
        ({"strides": (64, 1), "group": 64}, "a lane holds 32"),
        ({"strides": (64, 1), "width": 48}, "48 is no power of two"),
    ],
)
def test_what_makes_no_sense(arguments: dict[str, object], what: str):
    with pytest.raises(LayoutError, match=what):
        accesses(ROW, element_bytes=4, **arguments)  # type: ignore[arg-type]


# Banks


def plain(shape: tuple[int, ...], vec: int = 1, per_phase: int = 1, max_phase: int = 1) -> LinearLayout:
    return shared_form(SwizzledShared(vec, per_phase, max_phase, (1, 0)), shape, 32)


def test_rows_are_free_of_conflicts_and_columns_are_not():
    by_rows = linear_form(Blocked((1, 1), (1, 32), (4, 1), (1, 0)), (32, 32))
    by_columns = linear_form(Blocked((1, 1), (32, 1), (1, 4), (1, 0)), (32, 32))
    assert bank_accesses(by_rows, plain((32, 32)), 4).conflicts == 0
    found = bank_accesses(by_columns, plain((32, 32)), 4)
    assert (found.worst, found.ideal, found.conflicts) == (32, 1, 32 * 31)
    assert bank_accesses(by_columns, plain((32, 32), 1, 1, 32), 4).conflicts == 0  # swizzled
    padding = PaddedShared(((32, 1),), (1, 0), None)
    assert bank_accesses(by_columns, shared_form(padding, (32, 32), 32), 4, padding).conflicts == 0


def test_wide_instructions_take_more_cycles_but_lose_none():
    found = bank_accesses(ROW, plain((64, 64)), 4)
    assert (found.vector, found.ideal, found.conflicts) == (4, 4, 0)
    assert bank_accesses(ROW, plain((64, 64)), 2).vector == 4


def test_lanes_that_read_the_same_word_share_it():
    copies = linear_form(Blocked((1, 1), (32, 1), (1, 1), (1, 0)), (1, 1))
    assert bank_accesses(copies, plain((1, 1)), 4).worst == 1


def test_offsets_invert_the_layout():
    form = plain((8, 32), 4, 1, 8)
    where = offsets(form)
    assert np.array_equal(form.elements("offset")[where], np.arange(form.size))
    with pytest.raises(LayoutError, match="not one to one"):
        offsets(LinearLayout({"offset": (1, 1)}, (4,)))
    with pytest.raises(LayoutError, match="another shape"):
        bank_accesses(ROW, plain((32, 32)), 4)


def test_bytes_of_buffers():
    assert buffer_bytes(plain((64, 64)), 4) == 64 * 64 * 4
    padding = PaddedShared(((64, 8),), (1, 0), None)
    assert buffer_bytes(shared_form(padding, (64, 64), 16), 2, padding) == (64 * 64 + 63 * 8) * 2
