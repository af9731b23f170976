"""Whatever the streams are, the exit code is the verdict's, and no traceback is seen."""

from __future__ import annotations

import os
import pty
import subprocess

import pytest

from .program import LOST_AFTER, LOST_BEFORE, PROGRAM, RIGHT_AFTER, RIGHT_BEFORE, run, run_in_shell

LOST = ("check", LOST_BEFORE, LOST_AFTER)
RIGHT = ("check", RIGHT_BEFORE, RIGHT_AFTER)


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_reader_that_went_away_is_no_error(json: list[str]):
    """The pipe's reader ends before anything is written."""
    done = run_in_shell('"$@" | true; echo "${PIPESTATUS[0]}"', *LOST, *json)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_reader_that_goes_away_during_help_is_no_error():
    done = run_in_shell('"$@" | true; echo "${PIPESTATUS[0]}"', "check", "--help")
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize(("arguments", "code"), [(LOST, 1), (RIGHT, 0), (("--version",), 0)])
def test_closed_stdout(arguments: tuple[str, ...], code: int):
    done = run_in_shell('"$@" >&-', *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_closed_stderr():
    done = run_in_shell('"$@" 2>&-', "check", "no-such.mir", "no-such.mir")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_a_full_disk_is_a_failure():
    done = run_in_shell('"$@" >/dev/full', *RIGHT)
    assert done.returncode == 3
    assert done.stderr == "regtriage: error: standard output: No space left on device\n"


def test_input_errors_go_to_a_reader_that_went_away():
    done = run_in_shell('"$@" 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"', "check", "no.mir", "no.mir")
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_pipe_gets_no_colour_and_no_progress():
    done = run(*LOST)
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_colour_on_demand():
    assert "\x1b[" in run(*LOST, "--color", "always").stdout


@pytest.mark.parametrize(
    ("variables", "colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_gets_colour_unless_it_is_not_wanted(variables: dict[str, str], *, colored: bool):
    assert ("\x1b[" in on_terminal(*LOST, variables=variables)) is colored
    assert "\x1b[" not in on_terminal(*LOST, "--color=never", variables=variables)


def on_terminal(*arguments: object, variables: dict[str, str]) -> str:
    """What the program prints on a terminal."""
    terminal, end = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | variables
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)], stdin=end, stdout=end, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        os.close(end)
        chunks: list[bytes] = []
        while True:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:  # Linux reports the end of a terminal so
                break
            if not chunk:
                break
            chunks.append(chunk)
        process.wait()
    os.close(terminal)
    return b"".join(chunks).decode()
