from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.llc.run import InputError
from regtriage.tools.report.look import Look, render
from regtriage.tools.sweep.diff import Change, Difference, Side, diff, parse_side
from regtriage.tools.sweep.diff_text import difference_lines
from regtriage.tools.sweep.model import Outcome, Unit
from regtriage.tools.sweep.store import open_store

from .make import bug, failure, right, unit


def store(file: Path, *recorded: tuple[Unit, Outcome]) -> Path:
    with open_store(file, create=True) as made:
        for what, outcome in recorded:
            made.record(what, outcome)
    return file


def changes(difference: Difference) -> list[tuple[str, Change | None]]:
    return [(pair.kernel, pair.change) for pair in difference.pairs]


def test_two_stores(tmp_path: Path):
    before = store(
        tmp_path / "a",
        (unit("new"), right(code="1")),
        (unit("gone"), bug()),
        (unit("same"), bug()),
        (unit("exit"), bug()),
        (unit("failed"), right()),
        (unit("only"), right()),
        (unit("right"), right(code="2")),
    )
    after = store(
        tmp_path / "b",
        (unit("new"), bug(code="3")),
        (unit("gone"), right()),
        (unit("same"), bug()),
        (unit("exit"), bug("redundant-spill")),
        (unit("failed"), failure()),
        (unit("right"), right(code="2")),
    )
    found = diff(Side(before, {}), Side(after, {}))
    assert changes(found) == [
        ("new", Change.NEW),
        ("gone", Change.GONE),
        ("exit", Change.EXIT),
        ("failed", Change.OTHER),
    ]
    assert (found.same, found.same_code, found.only_before, found.only_after) == (2, 1, 1, 0)
    assert found.compared == ()


def test_what_each_side_has_one_of_is_compared(tmp_path: Path):
    file = store(
        tmp_path / "a",
        *[(unit("k", variant, flags), right()) for variant in ("off", "guard") for flags in ("", "-y")],
        *[(unit("k", "private", flags), bug()) for flags in ("", "-x")],
    )
    found = diff(Side(file, {"variant": "off"}), Side(file, {"variant": "private"}))
    # Of the flags each side has two: only what has equal ones is compared.
    assert [(pair.settings, pair.change) for pair in found.pairs] == [("", Change.NEW)]
    assert found.compared == (("variant", "off", "private"),)
    assert (found.only_before, found.only_after) == (1, 1)


def test_two_compilers(tmp_path: Path):
    before = store(tmp_path / "a", (unit("k", version="22"), right()), (unit("k", "guard", version="22"), right()))
    after = store(tmp_path / "b", (unit("k", version="23"), bug()), (unit("k", "guard", version="23"), right()))
    found = diff(Side(before, {}), Side(after, {}))
    assert found.compared == (("version", "22", "23"),)
    assert [(pair.kernel, pair.settings) for pair in found.pairs] == [("k", "off")]
    assert found.same == 1


def test_a_kernel_that_was_made_again_is_known_by_its_name_and_one_that_moved_by_its_content(tmp_path: Path):
    before = store(tmp_path / "a", (unit("k", content="1"), right()), (unit("old/j", content="2"), right()))
    after = store(tmp_path / "b", (unit("k", content="3"), bug()), (unit("new/j", content="2"), bug()))
    found = diff(Side(before, {}), Side(after, {}))
    assert changes(found) == [("k", Change.NEW), ("new/j", Change.NEW)]


def test_of_two_contents_with_one_name_the_same_content_is_taken(tmp_path: Path):
    before = store(tmp_path / "a", (unit("k", content="1"), right()), (unit("k", content="2"), bug()))
    after = store(tmp_path / "b", (unit("k", content="2"), bug()), (unit("k", content="1"), right()))
    assert diff(Side(before, {}), Side(after, {})).same == 2


@pytest.mark.parametrize(
    ("text", "path", "selection"),
    [
        ("a.sqlite", "a.sqlite", {}),
        ("a.sqlite:variant=off", "a.sqlite", {"variant": "off"}),
        ("a.sqlite:flags=x=1,2 -y,variant=off", "a.sqlite", {"flags": "x=1,2 -y", "variant": "off"}),
        ("a:b.sqlite", "a:b.sqlite", {}),
        ("a:b.sqlite:flags=", "a:b.sqlite", {"flags": ""}),
    ],
)
def test_a_side_is_a_store_and_a_selection(text: str, path: str, selection: dict[str, str]):
    side = parse_side(text)
    assert (side.path, side.selection) == (Path(path), selection)
    assert str(side) == text


def test_a_side_without_units_is_wrong(tmp_path: Path):
    file = store(tmp_path / "a", (unit("k"), right()))
    with pytest.raises(InputError, match="variant=guard: error: no such units in the store"):
        diff(Side(file, {}), Side(file, {"variant": "guard"}))
    with pytest.raises(InputError, match="none: error: no such file"):
        diff(Side(file, {}), Side(tmp_path / "none", {}))


def test_text(tmp_path: Path):
    file = store(
        tmp_path / "a",
        *[(unit("k", flags=flags), right()) for flags in ("", "-x")],
        *[(unit("k", "private", flags), bug()) for flags in ("", "-x")],
        (unit("j"), bug()),
        (unit("j", "private"), failure()),
    )
    found = diff(Side(file, {"variant": "off"}), Side(file, {"variant": "private"}))
    assert render(difference_lines(found, Look()), colored=False).splitlines() == [
        f"{file}:variant=off -> {file}:variant=private",
        "  compares variant: off -> private",
        "  3 pairs: the same 0, newly hit 2, otherwise changed 1",
        "",
        "newly hit: 2 pairs",
        "  k  CLEAN -> BUG (insert-spill)  -; -x",
        "",
        "otherwise changed: 1 pair",
        "  j  BUG -> error (compiler)",
    ]
