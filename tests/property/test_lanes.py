"""The algebra of lanes: what sub-registers, masks and tuples select, in words and in halves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from regtriage.dataflow.lanes import LaneMap, Locations
from regtriage.dataflow.mir.model import Flag, Register
from regtriage.dataflow.targets import AMDGPU

WIDTHS = (1, 2, 3, 4, 5, 6, 7, 8, 16, 32)
GRANULES = st.sampled_from((16, 32))


@st.composite
def spans(draw: st.DrawFn) -> tuple[int, range]:
    """A register's width in words, and a run of words in it."""
    width = draw(st.sampled_from(WIDTHS))
    first = draw(st.integers(0, width - 1))
    return width, range(first, draw(st.integers(first, width - 1)) + 1)


def sub_index(words: range, spelling: str) -> str:
    """LLVM spells an index by words, or by the halves of each."""
    if spelling == "words":
        return "_".join(f"sub{w}" for w in words)
    return "_".join(f"sub{w}_{half}" if w else half for w in words for half in ("lo16", "hi16"))


def operand(name: str, sub: str, cls: str) -> Register:
    return Register(name, True, sub, cls, Flag.NONE, -1, "", False, False)  # noqa: FBT003


def lane_mask(words: range) -> int:
    return sum(0b11 << 2 * w for w in words)


@given(spans(), GRANULES, st.sampled_from(("words", "halves")))
def test_an_index_selects_what_its_lane_mask_selects(span: tuple[int, range], granule: int, spelling: str):
    _, words = span
    units = AMDGPU.sub_units(sub_index(words, spelling), granule)
    assert set(units) == AMDGPU.mask_units(lane_mask(words), granule)
    assert list(units) == sorted(units)


@given(spans(), GRANULES)
def test_an_operand_and_what_it_leaves_out_are_the_whole(span: tuple[int, range], granule: int):
    width, words = span
    lanes = LaneMap(Locations(AMDGPU, granule))
    part = operand("5", sub_index(words, "words"), f"vreg_{32 * width}")
    units, others, whole = lanes.units(part), lanes.others(part), lanes.units(operand("5", "", f"vreg_{32 * width}"))
    assert set(units).isdisjoint(others)
    assert sorted((*units, *others)) == sorted(whole)
    assert len(whole) == 32 * width // granule
    assert lanes.others(operand("5", "", f"vreg_{32 * width}")) == ()


@given(spans(), spans(), GRANULES)
def test_indices_overlap_where_their_words_do(one: tuple[int, range], two: tuple[int, range], granule: int):
    lanes = LaneMap(Locations(AMDGPU, granule))
    a, b = (set(lanes.units(operand("5", sub_index(w, "words"), "vreg_1024"))) for _, w in (one, two))
    common = range(max(one[1].start, two[1].start), min(one[1].stop, two[1].stop))
    assert len(a & b) == len(common) * 32 // granule
    assert a.isdisjoint(lanes.units(operand("6", "", "vreg_1024")))


@given(st.sampled_from(("sgpr", "vgpr", "agpr")), st.integers(0, 60), st.sampled_from(WIDTHS), GRANULES)
def test_tuples_are_their_members(kind: str, first: int, width: int, granule: int):
    members = [f"{kind}{n}" for n in range(first, first + width)]
    units = AMDGPU.physical_units("_".join(members), granule)
    assert units == tuple(u for m in members for u in AMDGPU.physical_units(m, granule))
    assert len(set(units)) == len(units) == 32 * width // granule


@given(st.lists(st.tuples(st.sampled_from("vps"), st.integers(0, 3), st.integers(0, 7)), max_size=40), GRANULES)
def test_locations_are_numbered_once_each(asked: list[tuple[str, int, int]], granule: int):
    locations = Locations(AMDGPU, granule)
    numbers: dict[tuple[str, int, int], int] = {}
    for kind, which, unit in asked:
        if kind == "p":
            number = locations.physical(f"sgpr{which}")
            unit = 0
        else:
            number = locations.number((kind, str(which), unit))
        assert numbers.setdefault((kind, which, unit), number) == number
    assert sorted(numbers.values()) == list(range(len(locations)))
    assert len({locations.spell(n) for n in numbers.values()}) == len(numbers)
