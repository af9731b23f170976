"""Writing to stdout and stderr: each may be a terminal, a pipe that nobody reads any more, or closed."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Callable, Generator

PIPED_WIDTH = 100
"""Columns of a report that does not go to a terminal."""


def prepare() -> None:
    """Make both streams accept any text: a file name may hold bytes that are no characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Write to stdout. A reader that has gone away (`| head`) is no error: the exit code still counts.

    Raises OSError if the text cannot be written for another reason, such as a full disk.
    """
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # closed by the caller, `>&-`
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()
    except OSError as error:
        _discard_stdout()
        raise OSError(error.errno, error.strerror, "standard output") from None


def complain(text: str) -> None:
    """Write lines to stderr. Never fails: there is nowhere left to say so."""
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _discard_stdout() -> None:
    # Python flushes stdout once more when it ends, and would complain about the same error again.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def is_color_terminal() -> bool:
    """Stdout is a terminal that may be coloured (https://no-color.org)."""
    return _is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns for a report on stdout: the terminal's within reason, else a fixed number."""
    if not _is_terminal(sys.stdout):
        return PIPED_WIDTH
    return max(80, min(shutil.get_terminal_size().columns, 140))


def _is_terminal(stream: io.TextIOBase | object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


@contextlib.contextmanager
def progress(verbose: bool) -> Generator[Callable[[str], None]]:  # noqa: FBT001
    """A function that says what is being done: one changing line on a terminal, else nothing.

    With verbose, and no terminal, each step is a line on stderr.
    """
    if not _is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield (lambda step: complain(f"regtriage: {step}")) if verbose else (lambda step: None)
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("", spinner="line") as status:
        yield lambda step: status.update(Text(step, "dim"))
