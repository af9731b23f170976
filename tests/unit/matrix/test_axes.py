from __future__ import annotations

import pytest
from regtriage.tools.llc.run import InputError, Variant
from regtriage.tools.matrix.axes import AS_IS, MOST_CELLS, Axis, Setting, cells, parse_axis, setting


def test_values_are_kept_in_order_each_once():
    assert parse_axis("num-sgpr=64,48,64").values == ("64", "48")


def test_an_empty_value_leaves_the_kernel_as_it_is():
    axis = parse_axis("llc-arg=,-no-post-optimization")
    assert axis.values == (AS_IS, "-no-post-optimization")
    assert setting([axis], [AS_IS]) == Setting()


@pytest.mark.parametrize(
    "text",
    [
        "waves",
        "waves=1",
        "attr:=1",
        "num-sgpr",
        "num-sgpr=many",
        "waves-per-eu=1:",
        "O=4",
        "variant=of",
        'attr:a="b"',
    ],
)
def test_what_makes_no_sense_is_said(text: str):
    with pytest.raises(InputError, match=r"^--vary .*: error: "):
        parse_axis(text)


def test_the_last_axis_is_the_fastest():
    axes = [Axis("O", ("2", "3")), Axis("mcpu", ("a", "b"))]
    assert list(cells(axes)) == [("2", "a"), ("2", "b"), ("3", "a"), ("3", "b")]


def test_too_many_cells():
    axis = tuple(map(str, range(MOST_CELLS // 2)))
    with pytest.raises(InputError, match="cells"):
        cells([Axis("num-sgpr", axis), Axis("O", ("1", "2", "3"))])


def test_an_axis_cannot_be_varied_twice_but_flags_can():
    with pytest.raises(InputError, match="varied twice"):
        cells([parse_axis("O=1"), parse_axis("O=2")])
    assert len(list(cells([parse_axis("llc-arg=-a,-b"), parse_axis("llc-arg=-c,-d")]))) == 4


def test_a_setting_has_all_that_a_cell_says():
    axes = [
        parse_axis(t)
        for t in ("waves-per-eu=1:4", "attr:x-y=z", "llc-arg=-a -b", "mcpu=gfx942", "O=1", "variant=private")
    ]
    assert setting(axes, [axis.values[0] for axis in axes]) == Setting(
        {"amdgpu-waves-per-eu": "1,4", "x-y": "z"}, ("-a", "-b"), "gfx942", 1, Variant.PRIVATE
    )
