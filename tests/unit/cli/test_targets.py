"""Outputs: what would lose an input, or could not be written, is refused in one line before any work is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

import pytest
from regtriage.tools.cli.app import execute

from .program import RIGHT_AFTER, RIGHT_BEFORE

CONTENT = "not a kernel, nor anything else: reading it would fail with other words\n"


class Refuses(Protocol):
    def __call__(self, line: str) -> str: ...


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refuses:
    """Runs a command line that has to be refused, in a folder with inputs; gives what is said about it."""
    monkeypatch.chdir(tmp_path)
    for name in ("k.ll", "a.mir", "b.mir", "a.s", "s.sqlite", "k.ttgir", "lanes"):
        Path(name).write_text(CONTENT)
    Path("link").symlink_to("k.ll")
    os.link("k.ll", "hard")
    Path("folder").mkdir()

    def run(line: str) -> str:
        before = sorted(tmp_path.rglob("*"))
        code = execute(line.split())
        out, err = capsys.readouterr()
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert sorted(tmp_path.rglob("*")) == before
        assert all(p.read_text() == CONTENT for p in before if p.is_file())
        return err

    return run


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run k.ll --html k.ll", "k.ll: error: --html would overwrite the input"),
        ("run k.ll --sarif k.ll", "k.ll: error: --sarif would overwrite the input"),
        ("run k.ll --markdown=k.ll", "k.ll: error: --markdown would overwrite the input"),
        ("run k.ll --json=k.ll", "k.ll: error: --json would overwrite the input"),
        ("run k.ll --json=link", "link: error: --json would overwrite the input"),
        ("run link --json=k.ll", "k.ll: error: --json would overwrite the input"),
        ("run k.ll --json=hard", "hard: error: --json would overwrite the input"),
        ("run k.ll --json=folder/../k.ll", "folder/../k.ll: error: --json would overwrite the input"),
        ("run k.ll --llc ./a.s --json=a.s", "a.s: error: --json would overwrite the file of --llc"),
        ("check a.mir b.mir --html a.mir", "a.mir: error: --html would overwrite the input"),
        ("check a.mir b.mir --json=b.mir", "b.mir: error: --json would overwrite the input"),
        ("check a.mir b.mir --live-lanes lanes --json=lanes", "lanes: error: --json would overwrite the file of --live-lanes"),
        ("asm a.s --json=a.s", "a.s: error: --json would overwrite the input"),
        ("matrix k.ll --vary O=1,2 --json=k.ll", "k.ll: error: --json would overwrite the input"),
        ("matrix k.ll --vary O=1,2 --svg k.ll", "k.ll: error: --svg would overwrite the input"),
        ("bisect k.ll --json=k.ll", "k.ll: error: --json would overwrite the input"),
        ("reduce k.ll -o k.ll", "k.ll: error: --output would overwrite the input"),
        ("trace a.s --at v1 --graph a.s", "a.s: error: --graph would overwrite the input"),
        ("ptss k.ttgir --csv k.ttgir", "k.ttgir: error: --csv would overwrite the input"),
        ("stage k.ttgir -o k.ttgir", "k.ttgir: error: -o would overwrite the input"),
        ("layout explain k.ttgir --json=k.ttgir", "k.ttgir: error: --json would overwrite the input"),
        ("layout show k.ttgir:%1 --svg k.ttgir", "k.ttgir: error: --svg would overwrite the input"),
        ("sweep report s.sqlite --html s.sqlite", "s.sqlite: error: --html would overwrite the input"),
        ("sweep diff a.s s.sqlite:variant=off --json=s.sqlite", "s.sqlite: error: --json would overwrite the input"),
        ("sweep export s.sqlite -o s.sqlite", "s.sqlite: error: -o would overwrite the input"),
        ("sweep k.ll --json=k.ll", "k.ll: error: --json would overwrite the input"),
        ("sweep . --html new.s", "new.s: error: --html would be taken for a kernel of ."),
        ("sweep . --html k.ll", "k.ll: error: --html would overwrite a kernel of ."),
        ("sweep folder/.. --json=link", "link: error: --json would overwrite a kernel of folder/.."),
        ("sweep k.ll --store s.sqlite --html s.sqlite", "s.sqlite: error: --html would overwrite the file of --store"),
        ("sweep k.ll --json=results.sqlite", "results.sqlite: error: --json would overwrite the file of --store"),
        ("run k.ll --html x --json=x", "x: error: --html and --json name the same file"),
        ("run k.ll --html x --json=folder/../x", "folder/../x: error: --html and --json name the same file"),
        ("trace a.s --at v1 --graph x.svg --graph x.svg", "x.svg: error: --graph names the same file twice"),
    ],
)  # fmt: skip
def test_what_would_lose_a_file(refused: Refuses, line: str, said: str):
    assert refused(line) == f"{said}\n"


@pytest.mark.parametrize(
    "line",
    [
        "run k.ll --html {}", "run k.ll --sarif {}", "run k.ll --markdown={}", "check a.mir b.mir --html {}",
        "asm a.s --json={}", "matrix k.ll --vary O=1,2 --svg {}", "reduce k.ll -o {}", "bisect k.ll --json={}",
        "trace a.s --at v1 --graph {}", "ptss k.ttgir --csv {}", "ptss k.ttgir --plot {}", "stage k.ttgir -o {}",
        "layout show k.ttgir:%1 --svg {}", "fuzz --json={}", "sweep k.ll --html {}", "sweep k.ll --json={}",
        "sweep report s.sqlite --html {}", "sweep export s.sqlite -o {}", "sweep diff a.s s.sqlite --json={}",
    ],
)  # fmt: skip
def test_what_cannot_be_written(refused: Refuses, line: str):
    assert ": cannot write none/x.svg: there is no such directory (see" in refused(line.format("none/x.svg"))
    assert ": cannot write folder: it is a directory (see" in refused(line.format("folder"))
    assert ": cannot write k.ll/x.svg: there is no such directory (see" in refused(line.format("k.ll/x.svg"))


def test_a_link_into_a_folder_that_is_not_there(refused: Refuses):
    Path("dangling").symlink_to("none/x.json")
    assert ": cannot write dangling: there is no such directory (see" in refused_line(refused, "dangling")


def refused_line(refused: Refuses, name: str) -> str:
    return refused(f"run k.ll --json={name}")


def test_a_link_to_itself_and_a_name_that_is_too_long(refused: Refuses):
    Path("loop").symlink_to("loop")
    assert ": cannot write loop: " in refused_line(refused, "loop")
    assert ": File name too long (see" in refused_line(refused, "x" * 300)


@pytest.mark.parametrize("line", ["run k.ll --keep {}", "fuzz --keep {}"])
def test_a_folder_that_is_a_file(refused: Refuses, line: str):
    assert ": b.mir is a file, not a folder (see" in refused(line.format("b.mir"))
    assert "/b.mir is a file, not a folder (see" in refused(line.format("b.mir/deep/er"))


def test_what_is_no_plain_file_may_be_written_to_twice(tmp_path: Path):
    assert execute(["check", str(RIGHT_BEFORE), str(RIGHT_AFTER), "--html", "/dev/null", "--json=/dev/null"]) == 0


def test_outputs_of_their_own_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text("old")
    line = ["check", str(RIGHT_BEFORE), str(RIGHT_AFTER), "--html", "new.html", "--sarif", "new.sarif"]
    assert execute([*line, "--json=old.json"]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new.html", "new.sarif", "old.json"]
    assert "completed_save" in Path("old.json").read_text()
