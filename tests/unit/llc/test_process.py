from __future__ import annotations

import sys

import pytest
from regtriage.tools.llc.errors import ToolFailure
from regtriage.tools.llc.process import Finished, run_process


def _python(code: str, **limits: float | int | None) -> Finished:
    return run_process((sys.executable, "-c", code), **limits)  # type: ignore[arg-type]


def test_output_and_status() -> None:
    finished = _python("import sys; print(1); sys.stderr.write('two\\n'); sys.exit(3)")
    assert (finished.status, finished.stdout, finished.stderr) == (3, "1\n", "two\n")
    assert str(finished.failure()) == f"{sys.executable}: error: exited with status 3: two"


def test_a_signal_is_named() -> None:
    finished = _python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    failure = finished.failure()
    assert "crashed (SIGSEGV)" in str(failure)
    assert failure.status == -11
    assert failure.command == finished.command


def test_time_limit() -> None:
    with pytest.raises(ToolFailure, match=r"took longer than 0\.2 s"):
        _python("import time; time.sleep(60)", time_limit=0.2)


def test_memory_limit() -> None:
    code = "import time; time.sleep(0.5); x = bytearray(1 << 30)"
    finished = _python(code, memory_limit=512 << 20)
    assert finished.status != 0
    assert "MemoryError" in finished.failure().stderr


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ToolFailure, match="/nonexistent: error: cannot be run: No such file or directory"):
        run_process(("/nonexistent",))


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        ("", ""),
        ("warning: x\nlast words\n", "last words"),
        ("x.ll:1:2: error: bad\nret\n^\n", "x.ll:1:2: error: bad"),
        ("noise\nerror: <unknown>:0:0: ran out of registers\n", "error: <unknown>:0:0: ran out of registers"),
        ("LLVM ERROR: out of memory\nStack dump:\n", "LLVM ERROR: out of memory"),
    ],
)
def test_the_line_that_says_what_is_wrong(stderr: str, line: str) -> None:
    assert Finished(("llc",), 1, "", stderr, 0.0).error_line() == line


@pytest.mark.parametrize(
    ("stderr", "reported"),
    [("error: <unknown>:0:0: ran out of registers\n", True), ("x: warning: no error: y\n", False)],
)
def test_errors_are_told_from_warnings(stderr: str, reported: bool) -> None:  # noqa: FBT001
    assert Finished(("llc",), 0, "", stderr, 0.0).reports_error() is reported
