"""The command: what it refuses up front, and what it exits with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from regtriage.tools.cli import fuzz as command
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode
from regtriage.tools.fuzz.campaign import Campaign
from regtriage.tools.fuzz.examine import Ending, Examiner, Record

Fuzz = Callable[..., ExitCode]


def program(seed: int, ending: Ending, note: str = "") -> Record:
    return Record(seed, "sgpr", "gfx950", ending, note=note)


BUG = program(1, Ending.BUG)
CLEAN = program(2, Ending.CLEAN)
REFUSED = program(3, Ending.NOT_COMPILED, "llc: error: exited with status 3: no registers")
CRASHED = program(4, Ending.NOT_COMPILED, "llc: error: crashed (SIGSEGV): #0 0x1 main (llc+0x2)")
UNPROVEN = program(5, Ending.UNPROVEN, "bb.1, line 2: $sgpr1 is odd")


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> Fuzz:
    """A campaign that had these records."""

    def run(*records: Record) -> ExitCode:
        def instead(campaign: Campaign, progress: object) -> list[Record]:
            return list(records)

        monkeypatch.setattr(command, "run_campaign", instead)
        return execute(["fuzz"])

    return run


@pytest.mark.parametrize(
    ("records", "code", "said"),
    [
        ((CLEAN, REFUSED), ExitCode.CLEAN, ""),
        ((CLEAN, CRASHED, BUG, UNPROVEN), ExitCode.BUG, ""),
        ((CRASHED, UNPROVEN), ExitCode.FAILURE, "program 5: error: not proved: bb.1, line 2: $sgpr1 is odd\n"),
        ((CLEAN, CRASHED), ExitCode.FAILURE, f"program 4: {CRASHED.note}\n"),
        ((REFUSED, REFUSED), ExitCode.FAILURE, f"program 3: {REFUSED.note}; nor could another be compiled\n"),
        ((REFUSED,), ExitCode.FAILURE, f"program 3: {REFUSED.note}\n"),
    ],
)
def test_what_it_exits_with(
    fuzz: Fuzz, records: tuple[Record, ...], code: ExitCode, said: str, capsys: pytest.CaptureFixture[str]
):
    assert fuzz(*records) is code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("status", [0, 1])
def test_what_is_no_compiler_is_named_before_anything_is_made(
    tmp_path: Path, status: int, capsys: pytest.CaptureFixture[str]
):
    llc = tmp_path / "llc"
    llc.write_text(f"#!/bin/sh\nexit {status}\n")
    llc.chmod(0o755)
    assert execute(["fuzz", "--llc", str(llc), "--keep", str(tmp_path / "kept")]) is ExitCode.FAILURE
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"{llc}: error: not an llc: --version names no LLVM\n")
    assert not (tmp_path / "kept").exists()


def test_the_program_of_the_example_in_the_help_is_wrong(capsys: pytest.CaptureFixture[str]):
    execute(["fuzz", "--help"])
    assert "fuzz --count 1 --seed 100001 --keep one; regtriage run one/100001.ll" in capsys.readouterr().out
    examiner = Examiner(command.resolve_llc("builtin"), tuple(command.Shape), command.CPUS)
    assert examiner.examine(100001).ending is Ending.BUG
