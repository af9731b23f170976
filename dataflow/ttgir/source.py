"""A text with places in it, and the error that names one."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from functools import cached_property


class TtgirError(Exception):
    """The text is not TTGIR that can be understood, or what it says makes no sense.

    Attributes: path (as given by the caller), line and column (1-based), message; source_line: the line's text.
    """

    def __init__(self, path: str, line: int, column: int, message: str, source_line: str = "") -> None:
        self.path, self.line, self.column, self.message = path, line, column, message
        self.source_line = source_line
        super().__init__(f"{path}:{line}:{column}: error: {message}")


@dataclass(frozen=True, slots=True)
class Span:
    """A range of the text: offsets in characters, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """A file's text. Offsets count characters from its beginning."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both 1-based."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (1-based), without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)]

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def error(self, offset: int, message: str) -> TtgirError:
        """The error that names this offset; the caller raises it."""
        line, column = self.position(min(offset, len(self.text)))
        return TtgirError(self.path, line, column, message, self.line(line))
