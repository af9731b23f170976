"""The figures as text, as a page, as JSON."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from regtriage.tools.report.json import dump
from regtriage.tools.report.look import Look, render
from regtriage.tools.sweep.diff import Side, diff
from regtriage.tools.sweep.figures import Figures, SpillBin, figures_of
from regtriage.tools.sweep.html import figures_html
from regtriage.tools.sweep.json import difference_object, figures_object
from regtriage.tools.sweep.model import Answer, ErrorKind, Method, Outcome
from regtriage.tools.sweep.plot import interval, spills_svg
from regtriage.tools.sweep.store import open_store
from regtriage.tools.sweep.text import figures_lines

from .make import bug, failure, right, unit, unit_of

SCHEMA = Path(__file__).parents[3] / "docs" / "schema" / "sweep.schema.json"


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    """Three kernels, one with a name that a page must not take for markup."""
    with open_store(tmp_path / "s", create=True) as store:
        for what, outcome in (
            (unit("<b>&.ll"), right(spills=3)),
            (unit("c.ll"), bug("redundant-spill", spills=40, seconds=9.25)),
            (unit("<b>&.ll", flags="-x"), bug(spills=40)),
            (unit("c.ll", flags="-x"), failure(ErrorKind.COMPILER, "c.ll: error: no <such> flag")),
            (unit("c.ll", "guard"), Outcome(Answer.UNPROVEN, message="S_FOO is strange")),
            (unit_of(Method.ASM, "s.s"), Outcome(Answer.SUSPECT, wrong=1, spills=9)),
        ):
            store.record(what, outcome)
        return figures_of(store)


def test_text(figures: Figures):
    assert render(figures_lines(figures, Look()), colored=False).splitlines() == [
        "3 kernels, 6 units: BUG 2, CLEAN 1, UNPROVEN 1, SUSPECT 1, error 1",
        "",
        "by compiler and flags",
        "  compiler        flags  variant  units  BUG     rate  HAZARD  CLEAN  UNPROVEN  error  spills  new  gone",
        "  builtin 23.1.1  -      off          2    1   50.0 %       0      1         0      0      43",
        "  builtin 23.1.1  -      guard        1    0        -       0      0         1      0       0    0     0",
        "  builtin 23.1.1  -x     off          2    1  100.0 %       0      0         0      1      40    1     0",
        "",
        "newly hit",
        "  off -x, right with off: <b>&.ll",
        "",
        "kernels hit in any and in every configuration",
        "  variant  compiler        configurations  hit in any  hit in every",
        "  all      all                          3           2             0",
        "  off      builtin 23.1.1               2           2             0",
        "",
        "kernels hit",
        "  kernel   hit in  wrong lanes  exits",
        "  <b>&.ll  1 of 2            2  insert-spill",
        "  c.ll     1 of 2            2  redundant-spill",
        "",
        "exits",
        "  exit             findings  by trace  units  kernels",
        "  insert-spill            2         1      1        1",
        "  redundant-spill         2         1      1        1",
        "",
        "spills against hits",
        "    spills  units  BUG     rate",
        "    2 to 3      1    0    0.0 %",
        "    4 to 7      0    0        -",
        "   8 to 15      0    0        -",
        "  16 to 31      0    0        -",
        "  32 to 63      2    2  100.0 %",
        "",
        "assembly, judged alone: SUSPECT 1",
        "  s.s",
        "",
        "slowest",
        "  9.2 s  c.ll     off",
        "  1.0 s  <b>&.ll  off",
        "  1.0 s  <b>&.ll  off -x",
        "",
        "not proved",
        "  S_FOO is strange (1 unit of 1 kernel, as in c.ll)",
        "",
        "without an answer",
        "  compiler 1",
        "    c.ll: error: no <such> flag (1 unit of 1 kernel)",
    ]


def test_long_lists_are_cut_unless_all_is_asked_for(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        for number in range(14):
            store.record(unit(f"k{number:02}"), bug())
        found = figures_of(store)
    short = render(figures_lines(found, Look()), colored=False)
    assert "  and 4 more; -v shows them" in short.splitlines()
    assert "k13" not in short
    assert "k13" in render(figures_lines(found, Look(verbose=True)), colored=False)


class _Page(HTMLParser):
    """What a page has: its tags, what they refer to, its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.tags: set[str] = set()
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        fields = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := fields.get(key)) is not None]
        self.names.add(fields.get("id") or "")
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_page_is_whole_and_needs_nothing_else(figures: Figures):
    page = _Page(figures_html(figures, "my <kernels>", "0.1"))
    assert page.open == []
    assert {link.removeprefix("#") for link in page.links} <= page.names
    assert not page.tags & {"script", "link", "img", "iframe"}
    assert "my <kernels>" in page.words
    assert "<b>&.ll" in page.words
    assert "c.ll: error: no <such> flag" in page.words
    assert "b" not in page.tags


def test_a_page_of_nothing_but_errors(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        store.record(unit("a"), failure())
        page = _Page(figures_html(figures_of(store), "s", "0.1"))
    assert page.open == []
    assert "svg" not in page.tags


def test_json_is_as_its_schema_says(figures: Figures, tmp_path: Path):
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    validator: Any = Draft202012Validator(schema)
    made = json.loads(dump(figures_object(figures, "0.1")))
    validator.validate(made)
    assert made["configurations"][2]["new"] == ["<b>&.ll"]
    side = Side(tmp_path / "s", {"flags": ""}), Side(tmp_path / "s", {"flags": "-x"})
    compared = json.loads(dump(difference_object(diff(*side), "0.1")))
    validator.validate(compared)
    assert [(c["kernel"], c["change"]) for c in compared["changes"]] == [
        ("<b>&.ll", "newly hit"),
        ("c.ll", "otherwise changed"),
    ]
    assert not validator.is_valid({**made, "units": "five"})


def test_a_plot_says_of_each_bar_what_it_is():
    svg = spills_svg([SpillBin(0, 0, 10, 0), SpillBin(1, 1, 0, 0), SpillBin(2, 3, 4, 2)])
    root = ElementTree.fromstring(svg)
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[1:] == [
        "0 spills: 0 of 10 units hit",
        "1 spills: 0 of 0 units hit",
        "2-3 spills: 2 of 4 units hit",
    ]
    heights = [float(bar.attrib["height"]) for bar in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert heights[:2] == [0, 0]
    assert heights[2] > 0


def test_wilsons_interval():
    # Values of the paper's formula, worked out by hand: 2 of 4 is (0.15, 0.85), 0 of 10 is (0, 0.28).
    assert interval(2, 4) == pytest.approx((0.150, 0.850), abs=1e-3)
    assert interval(0, 10) == pytest.approx((0.0, 0.278), abs=1e-3)
    assert interval(0, 0) == (0.0, 1.0)
