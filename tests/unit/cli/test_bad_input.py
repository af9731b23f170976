"""What is wrong with an input is said in one line that names the file; nothing else is said, or written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from regtriage.tools.cli.app import execute

from .program import LOST_AFTER, LOST_BEFORE, MISCOMPILED, PROGRAM, RIGHT_AFTER, RIGHT_BEFORE

MEBIBYTE = 1 << 20


def missing(path: Path) -> None:
    """There is no such file."""


def empty(path: Path) -> None:
    path.touch()


def blank(path: Path) -> None:
    path.write_text("\n  \n\n")


def directory(path: Path) -> None:
    path.mkdir()


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def other_characters(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x80\x81 no text in any encoding that is meant \xf0\n" * 100)


def prose(path: Path) -> None:
    path.write_text("The quick brown fox jumps over the lazy dog.\n" * 10)


def huge(path: Path) -> None:
    line = b"The quick brown fox jumps over the lazy dog, and over the next one.\n"
    block = line * (MEBIBYTE // len(line))
    with path.open("wb") as file:
        for _ in range(200):
            file.write(block)


def one_huge_line(path: Path) -> None:
    path.write_bytes(b"x" * (4 * MEBIBYTE))


def truncated_ir(path: Path) -> None:
    text = MISCOMPILED.read_text()
    path.write_text(text[: len(text) // 2])


def truncated_mir(path: Path) -> None:
    text = LOST_AFTER.read_text()
    path.write_text(text[: text.index("SI_SPILL_S128_RESTORE") + 10])


def mir_without_body(path: Path) -> None:
    path.write_text("---\nname: k\n...\n")


ANY: tuple[Callable[[Path], None], ...] = (
    missing, empty, blank, directory, binary, other_characters, prose, huge, one_huge_line,
)  # fmt: skip
KERNELS = (*ANY, truncated_ir)
MIR = (*ANY, truncated_mir, mir_without_body)


def name_of(make: Callable[[Path], None]) -> str:
    return make.__name__


class Refuses(Protocol):
    def __call__(self, *arguments: str | Path) -> str: ...


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refuses:
    """Runs a command line in tmp_path that has to be refused, and gives what is said about it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))

    def run(*arguments: str | Path) -> str:
        before = sorted(tmp_path.rglob("*"))
        code = execute([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), err
        assert sorted(tmp_path.rglob("*")) == before
        check_message(err)
        return err

    return run


def check_message(text: str) -> None:
    """Fails unless it is one line of moderate length that is an error."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert len(text) < 300
    assert ": error: " in text


@pytest.mark.parametrize("name", ["bad.ll", "bad.bc", "bad.mir"])
@pytest.mark.parametrize("make", KERNELS, ids=name_of)
def test_run_refuses(tmp_path: Path, refused: Refuses, make: Callable[[Path], None], name: str):
    make(tmp_path / name)
    assert refused("run", name, "--jobs=1", "--keep", "kept", "--json=out.json").startswith(f"{name}:")


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("make", MIR, ids=name_of)
def test_check_refuses(tmp_path: Path, refused: Refuses, make: Callable[[Path], None], position: int):
    make(tmp_path / "bad.mir")
    pair: list[str | Path] = [LOST_BEFORE, LOST_AFTER]
    pair[position] = "bad.mir"
    assert refused("check", *pair, "--json=out.json").startswith("bad.mir:")


@pytest.mark.parametrize("make", ANY, ids=name_of)
def test_check_refuses_live_lanes(tmp_path: Path, refused: Refuses, make: Callable[[Path], None]):
    make(tmp_path / "bad.txt")
    message = refused("check", LOST_BEFORE, LOST_AFTER, "--live-lanes", "bad.txt")
    assert message.startswith("bad.txt:")


def test_an_error_in_the_text_is_placed(tmp_path: Path, refused: Refuses):
    kernel = tmp_path / "bad.ll"
    kernel.write_text("define void @k() {\n  ret voit\n}\n")
    assert re.match(r"bad\.ll:2:7: error: ", refused("run", "bad.ll"))


def test_an_error_in_mir_is_placed(tmp_path: Path, refused: Refuses):
    text = LOST_AFTER.read_text()
    (tmp_path / "bad.mir").write_text(text.replace("S_ENDPGM 0", "%oops %oops"))
    line = text[: text.index("S_ENDPGM")].count("\n") + 1
    message = refused("check", LOST_BEFORE, "bad.mir")
    assert re.match(rf"bad\.mir:{line}:\d+: error: ", message)


def test_mir_of_another_function(tmp_path: Path, refused: Refuses):
    message = refused("check", LOST_BEFORE, RIGHT_AFTER)
    assert message.startswith(f"{RIGHT_AFTER}:")
    assert "'completed_save'" in message


def test_another_function_of_the_same_name(tmp_path: Path, refused: Refuses):
    renamed = tmp_path / "renamed.mir"
    renamed.write_text(RIGHT_AFTER.read_text().replace("completed_save", "lost_over_back_edge"))
    assert refused("check", LOST_BEFORE, "renamed.mir").startswith("renamed.mir:")


@pytest.mark.parametrize(("before", "after"), [(LOST_BEFORE, LOST_AFTER), (RIGHT_BEFORE, RIGHT_AFTER)])
def test_before_and_after_swapped(tmp_path: Path, refused: Refuses, before: Path, after: Path):
    message = refused("check", after, before)
    assert message.startswith(f"{after}:")
    assert "swapped" in message


@pytest.mark.parametrize("command", [("run", MISCOMPILED), ("check", LOST_BEFORE, LOST_AFTER)])
def test_a_function_that_is_not_there(tmp_path: Path, refused: Refuses, command: tuple[str | Path, ...]):
    message = refused(*command, "--function", "nowhere")
    assert message.startswith(f"{command[1]}: error: no function 'nowhere' (it has: ")


def test_a_name_that_looks_like_an_option_or_has_odd_characters(tmp_path: Path, refused: Refuses):
    (tmp_path / "-O9.ll").touch()
    assert refused("run", "--", "-O9.ll").startswith("-O9.ll:")
    (tmp_path / "a\nb.ll").touch()
    refused("run", "a\nb.ll")
    odd = os.fsdecode(b"\xff.ll")
    (tmp_path / odd).touch()
    assert refused("run", odd).startswith("\\udcff.ll:")


@pytest.mark.parametrize("command", [["run", "bad.mir"], ["check", "bad.mir", "bad.mir"]])
def test_no_permission_in_a_process_of_its_own(tmp_path: Path, command: list[str]):
    bad = tmp_path / "bad.mir"
    bad.write_text(LOST_BEFORE.read_text())
    bad.chmod(0)
    line = [*PROGRAM, *command, "--json=out.json"]
    if os.geteuid() == 0:
        # Root may read everything; without its capabilities it may not.
        setpriv = shutil.which("setpriv")
        assert setpriv is not None
        line = [setpriv, "--bounding-set=-all", "--inh-caps=-all", *line]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bad.mir: error: Permission denied\n"
    assert list(tmp_path.iterdir()) == [bad]
