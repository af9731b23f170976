"""How a command ends, and what the process that called it gets to see."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from regtriage.tools.cli.app import execute, toolkit
from regtriage.tools.cli.commands import COMMANDS, Entry
from regtriage.tools.cli.exits import ExitCode
from regtriage.tools.cli.options import Session, command
from regtriage.tools.llc.run import InputError, ToolFailure

Body = Callable[[Session], ExitCode]
Install = Callable[[Body], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Makes a function the body of the only command, `try`."""

    def install_body(body: Body) -> None:
        module = types.ModuleType("command_under_test")
        module.__dict__["attempt"] = command("try", "regtriage try")(body)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(toolkit, "entries", (Entry("try", f"{module.__name__}:attempt", "Tries."),))

    return install_body


def raising(error: BaseException) -> Body:
    def body(session: Session) -> ExitCode:
        raise error

    return body


@pytest.mark.parametrize("code", list(ExitCode))
def test_a_command_returns_its_exit_code(install: Install, code: ExitCode):
    install(lambda session: code)
    assert execute(["try"]) is code


def test_input_error_is_one_line(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(InputError("k.ll:3:7: error: expected type")))
    assert execute(["try"]) is ExitCode.INPUT
    out, err = capsys.readouterr()
    assert (out, err) == ("", "k.ll:3:7: error: expected type\n")


def test_input_error_with_source_line_is_cut_to_one_line(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(InputError("k.ll: warning: old\nk.ll:3:7: error: expected type\n  foo\n  ^")))
    assert execute(["try"]) is ExitCode.INPUT
    assert capsys.readouterr().err == "k.ll:3:7: error: expected type\n"


def test_input_error_without_a_place_is_about_the_call(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(InputError("error: no function 'f'")))
    assert execute(["try"]) is ExitCode.INPUT
    assert capsys.readouterr().err == "regtriage: error: no function 'f'\n"


def test_an_interrupt_that_breaks_the_cleaning_up_is_an_interrupt(install: Install, capsys: pytest.CaptureFixture[str]):
    def body(session: Session) -> ExitCode:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("cannot join thread before it is started")

    install(body)
    assert execute(["try"]) is ExitCode.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_tool_failure_keeps_its_own_words(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(ToolFailure("llc: ran out of registers\nin function k")))
    assert execute(["try"]) is ExitCode.FAILURE
    assert capsys.readouterr().err == "llc: ran out of registers\nin function k\n"


def test_nothing_of_what_a_tool_said_is_lost(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(ToolFailure("llc: error: crashed (SIGSEGV)", ("llc",), -11, "PLEASE submit a bug\n#0 0x1\n")))
    assert execute(["try"]) is ExitCode.FAILURE
    assert capsys.readouterr().err == "llc: error: crashed (SIGSEGV)\nPLEASE submit a bug\n#0 0x1\n"


def test_full_disk_is_a_failure_and_no_fault_of_the_program(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(OSError(28, "No space left on device", "/tmp/x")))
    assert execute(["try"]) is ExitCode.FAILURE
    assert capsys.readouterr().err == "regtriage: error: /tmp/x: No space left on device\n"


@pytest.mark.parametrize("error", [KeyError("x"), BrokenPipeError(32, "Broken pipe"), RecursionError("deep")])
def test_unexpected_error_is_one_line_that_asks_for_a_report(
    install: Install, capsys: pytest.CaptureFixture[str], error: Exception
):
    install(raising(error))
    assert execute(["try"]) is ExitCode.FAILURE
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"internal error: {type(error).__name__}" in err
    assert "test_app.py:" in err
    assert "please report" in err


@pytest.mark.parametrize("arguments", [["-v", "try"], ["try", "-v"]])
def test_verbose_adds_the_traceback(install: Install, capsys: pytest.CaptureFixture[str], arguments: list[str]):
    install(raising(KeyError("x")))
    assert execute(arguments) is ExitCode.FAILURE
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_debug_variable_adds_the_traceback(
    install: Install, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("REGTRIAGE_DEBUG", "1")
    install(raising(ValueError("x")))
    assert execute(["try"]) is ExitCode.FAILURE
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_interrupt_is_130_and_silent(install: Install, capsys: pytest.CaptureFixture[str]):
    install(raising(KeyboardInterrupt()))
    assert execute(["try"]) is ExitCode.INTERRUPTED
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bogus"], "regtriage: error: No such command 'bogus' (see 'regtriage --help')\n"),
        (
            ["try", "extra"],
            "regtriage try: error: Got unexpected extra argument (extra) (see 'regtriage try --help')\n",
        ),
    ],
)
def test_a_wrong_call_is_one_line(
    install: Install, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
):
    install(lambda session: ExitCode.CLEAN)
    assert execute(arguments) is ExitCode.INPUT
    assert capsys.readouterr() == ("", message)


def test_no_command_is_help_and_never_clean(capsys: pytest.CaptureFixture[str]):
    assert execute([]) is ExitCode.INPUT
    assert "Commands:" in capsys.readouterr().out


def test_every_command_of_the_table_loads_and_has_examples():
    for entry in COMMANDS:
        loaded = entry.load()
        assert loaded.name == entry.name
        assert "Examples:" in (loaded.epilog or "")
        assert loaded.help


def test_help_imports_no_command():
    program = (
        "import sys; from regtriage.tools.cli.app import execute; execute(['--help']);"
        "print([m for m in ('rich', 'networkx', 'numpy', 'regtriage.tools.cli.run') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("error", [None, ValueError("x"), KeyboardInterrupt()])
def test_temporary_files_of_a_command_and_its_processes_go(install: Install, error: BaseException | None):
    made: list[Path] = []

    def body(session: Session) -> ExitCode:
        made.append(Path(tempfile.mkdtemp()))
        child = subprocess.run(["mktemp"], capture_output=True, text=True, check=True)
        made.append(Path(child.stdout.strip()))
        if error is not None:
            raise error
        return ExitCode.CLEAN

    install(body)
    before = tempfile.gettempdir(), os.environ.get("TMPDIR")
    execute(["try"])
    assert len(made) == 2
    assert not [path for path in made if path.exists()]
    assert (tempfile.gettempdir(), os.environ.get("TMPDIR")) == before
