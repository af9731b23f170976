"""The command: what it exits with, how it stops, what it says while it runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from regtriage.tools.cli import sweep as command
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode
from regtriage.tools.cli.sweep_progress import Pace, duration
from regtriage.tools.sweep.campaign import Progress
from regtriage.tools.sweep.executors import Done, Job
from regtriage.tools.sweep.model import Answer, ErrorKind, Outcome
from regtriage.tools.sweep.store import open_store

from .make import MISCOMPILED, bug, failure, gone, right


class Fake:
    """Gives every unit one outcome, or raises it."""

    workers = 1

    def __init__(self, outcome: Outcome | BaseException) -> None:
        self.outcome = outcome

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
        for unit, _ in jobs:
            if isinstance(self.outcome, BaseException):
                raise self.outcome
            yield unit, self.outcome

    def close(self) -> None:
        pass


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Sweeps one kernel that has this outcome."""

    def run(outcome: Outcome | BaseException, *arguments: str) -> int:
        monkeypatch.setattr(command, "Serial", lambda: Fake(outcome))
        return execute(
            ["sweep", str(MISCOMPILED), "--scheduler", "none", "--store", str(tmp_path / "s.sqlite"), *arguments]
        )

    return run


@pytest.mark.parametrize(
    ("outcome", "codes"),
    [
        (bug(), (1, 1, 1, 0)),
        (Outcome(Answer.SUSPECT), (1, 1, 1, 0)),
        (Outcome(Answer.OVER), (1, 1, 1, 0)),
        (right(Answer.UNPROVEN), (0, 3, 3, 0)),
        (right(Answer.BORDERLINE), (0, 3, 3, 0)),
        (failure(), (0, 0, 3, 0)),
        (right(), (0, 0, 0, 0)),
        (right(Answer.HAZARD), (0, 0, 0, 0)),
    ],
)
def test_what_it_exits_with(sweep: Callable[..., int], outcome: Outcome, codes: tuple[int, ...]):
    found = tuple(sweep(outcome, "--fail-on", name) for name in ("bug", "unproven", "error", "never"))
    assert found == codes
    assert sweep(outcome) == codes[2]


def test_when_it_is_stopped_it_says_how_to_go_on(
    sweep: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert sweep(KeyboardInterrupt()) == ExitCode.INTERRUPTED
    said = capsys.readouterr()
    assert said.err == (
        f"regtriage: stopped: 0 of 1 units are in {tmp_path}/s.sqlite; the same command goes on from there\n"
    )
    assert said.out == ""


def test_each_way_to_name_kernels_and_settings_is_asked_for(sweep: Callable[..., int], tmp_path: Path):
    sweep(
        right(), "--vary", "waves-per-eu=,1:4", "--vary", "O=2", "--variant", "guard", "--llc-arg=-x", "--mcpu=gfx942"
    )
    with open_store(tmp_path / "s.sqlite", create=False) as store:
        rows = store.connection.execute("SELECT variant, flags FROM configuration ORDER BY flags").fetchall()
    assert rows == [("guard", "-mcpu=gfx942 -O2 -x"), ("guard", "amdgpu-waves-per-eu=1,4 -mcpu=gfx942 -O2 -x")]


def test_guard_flags_are_for_a_compiler_of_ones_own(sweep: Callable[..., int], tmp_path: Path):
    llc = tmp_path / "llc"
    llc.write_text("#!/bin/sh\necho LLVM version 9\n")
    llc.chmod(0o755)
    both = ("--llc", "builtin", "--llc", str(llc), "--variant", "guard")
    sweep(right(), *both, "--guard-flag", "on=-g,off=")
    sweep(right(), *both, "--guard-flag", "on=-h,off=")
    with open_store(tmp_path / "s.sqlite", create=False) as store:
        rows = store.connection.execute("SELECT compiler, build FROM configuration ORDER BY id").fetchall()
    assert [compiler for compiler, _ in rows] == ["builtin", "external", "external"]
    assert [build.partition(" ")[2] for _, build in rows] == ["", "on=-g,off=", "on=-h,off="]


def test_json_takes_the_place_of_the_report(sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    sweep(bug(), "--json")
    assert capsys.readouterr().out.startswith('{\n  "schema": 1,')


def test_a_page_is_written_whole(sweep: Callable[..., int], tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text("mine")
    sweep(bug(), "--html", str(page))
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "s.sqlite"]


def test_ctrl_c_ends_the_unit_too_and_the_next_call_goes_on(tmp_path: Path):
    """With real processes: the second kernel's compiler hangs until there is a file that says it need not."""
    llc = tmp_path / "llc"
    llc.write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) echo "LLVM version 9"; exit 0;; *b.ll*) ;; *) exit 1;; esac\n'
        f"[ -e {tmp_path}/go ] && exit 1\necho $$ > {tmp_path}/part; mv {tmp_path}/part {tmp_path}/pid; sleep 60\n"
    )
    llc.chmod(0o755)
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    for name in ("a.ll", "b.ll"):
        (kernels / name).write_text(f"; {name}\n{MISCOMPILED.read_text()}")
    call: list[Any] = [
        sys.executable,
        "-m",
        "regtriage.tools.cli",
        "sweep",
        kernels,
        "--llc",
        llc,
        "--scheduler",
        "none",
        "--store",
        tmp_path / "s.sqlite",
    ]
    first = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while not (tmp_path / "pid").exists() and time.monotonic() < end:
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGINT)
    out, err = first.communicate()
    assert (first.returncode, out) == (ExitCode.INTERRUPTED, "")
    assert err == f"regtriage: stopped: 1 of 2 units are in {tmp_path}/s.sqlite; the same command goes on from there\n"
    assert gone(int((tmp_path / "pid").read_text()))
    (tmp_path / "go").touch()
    second = subprocess.run(call, capture_output=True, text=True, check=False)
    assert second.returncode == ExitCode.FAILURE
    assert second.stdout.startswith(f"{kernels}: 1 of 2 units run, 1 were in {tmp_path}/s.sqlite\n")


def test_pace():
    now = [0.0]
    pace = Pace(lambda: now[0])
    progress = Progress(total=100, known=40)
    assert pace.words(progress) == "0 hit, 0 failed"
    now[0] = 10.0
    for outcome in [bug()] * 2 + [right()] * 17 + [failure(ErrorKind.CRASH)]:
        progress.add(outcome)
    assert pace.words(progress) == "2 hit, 1 failed, 2.0 a second, 20 s left"
    now[0] = 60.0
    assert pace.words(progress) == "2 hit, 1 failed, 20.0 a minute, 2 min left"


@pytest.mark.parametrize(
    ("seconds", "words"), [(4.4, "4 s"), (89, "89 s"), (90, "2 min"), (5000, "83 min"), (11100, "3 h 05 min")]
)
def test_durations(seconds: float, words: str):
    assert duration(seconds) == words
