"""The two ways in which a compilation fails: the input is wrong, or a tool is."""

from __future__ import annotations

from collections.abc import Sequence


class InputError(Exception):
    """The input or the call is wrong: `file:line:col: error: …`, one line, is the exception's text.

    detail: what the compiler printed below that line (the source line and a caret), possibly empty.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


class ToolFailure(Exception):
    """A tool failed on an input that is not to blame: the exception's text says how, then in the tool's words.

    command: what was run; status: its exit status, negative for a signal, None if it did not end by itself;
    stderr: all that it wrote there.
    """

    def __init__(self, message: str, command: Sequence[str] = (), status: int | None = None, stderr: str = "") -> None:
        super().__init__(message)
        self.command = tuple(command)
        self.status = status
        self.stderr = stderr
