"""Maps of owners, as text and as SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from regtriage.dataflow.layout.encodings import Blocked
from regtriage.dataflow.layout.forms import linear_form
from regtriage.tools.layout.picture import Thread, plane, svg_map, text_map

FORM = linear_form(Blocked((1, 4), (8, 4), (2, 1), (1, 0)), (16, 16))


def test_a_map_names_the_owner_of_each_element():
    drawn = plane(FORM, (), Thread(1, 5))
    lines = [line.plain for line in text_map(drawn, 200, registers=False)]
    assert lines[0].split() == [str(n) for n in range(16)]
    assert lines[1 + 9].split() == ["9", *(f"1:{4 + c // 4}" for c in range(16))]
    with_registers = [line.plain for line in text_map(drawn, 200, registers=True)]
    assert with_registers[1 + 9].split()[5:9] == ["1:5.0", "1:5.1", "1:5.2", "1:5.3"]


def test_the_highlighted_thread_is_marked():
    drawn = plane(FORM, (), Thread(1, 5))
    assert [tuple(map(int, at)) for at in zip(*drawn.held.nonzero(), strict=True)] == [(9, c) for c in range(4, 8)]
    row = list(text_map(drawn, 200, registers=False))[10]
    marked = [row.plain[s.start : s.end] for s in row.spans if "reverse" in str(s.style)]
    assert marked == [" 1:5"] * 4


def test_copies_are_marked_and_the_first_owner_shown():
    drawn = plane(linear_form(Blocked((1,), (32,), (4,), (0,)), (8,)), (), None)
    assert drawn.copies == 16
    assert [line.plain for line in text_map(drawn, 80, registers=False)][1].split()[1:] == [f"0:{n}+" for n in range(8)]


def test_what_does_not_fit_is_said():
    drawn = plane(linear_form(Blocked((1, 1), (1, 32), (4, 1), (1, 0)), (4, 256)), (), None)
    lines = [line.plain for line in text_map(drawn, 80, registers=False)]
    assert re.fullmatch(r"4 of 4 rows, \d+ of 256 columns", lines[-1])
    assert all(len(line) <= 80 for line in lines)


def test_a_plane_of_more_dimensions():
    form = linear_form(Blocked((1, 1, 1), (1, 4, 8), (2, 1, 1), (2, 1, 0)), (4, 4, 8))
    assert plane(form, (1,), None).warp.tolist() == [[1] * 8] * 4
    assert plane(form, (2,), None).register.tolist() == [[1] * 8] * 4


def test_svg_has_a_cell_for_each_element_and_a_frame_for_the_thread():
    drawn = plane(FORM, (), Thread(1, 5))
    root = ET.fromstring(svg_map(drawn, "a < b"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "a < b"
    cells = [r for r in root.iter(f"{space}rect") if r.find(f"{space}title") is not None]
    assert len(cells) == 256
    assert len({cell.get("fill") for cell in cells}) == 2
    assert cells[9 * 16 + 4].findtext(f"{space}title") == "(9,4): warp 1, lane 5, register 0"
    assert sum(r.get("stroke-width") == "2.5" for r in root.iter(f"{space}rect")) == 4
