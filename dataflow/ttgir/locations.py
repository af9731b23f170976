"""What `loc(…)` says: the line of the user's program, and the calls that led there."""

from __future__ import annotations

from dataclasses import dataclass, field

from .attributes import Cursor, unquote
from .lexer import Kind
from .source import Span


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's program. name: of the variable, empty if none is given.

    callers: where the function was called from, innermost first.
    """

    file: str
    line: int
    column: int
    name: str = ""
    callers: tuple[Location, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(slots=True)
class Locations:
    """Resolves the locations of one file. starts: the token at each offset that a location starts at."""

    cursor: Cursor
    starts: dict[int, int] = field(default_factory=dict[int, int])
    _aliases: dict[str, Location | None] = field(default_factory=dict[str, "Location | None"])

    def of(self, span: Span) -> Location | None:
        """The location that `loc(…)` at this span stands for; None for `unknown`.

        Raises TtgirError if it is malformed.
        """
        self.cursor.at = self.starts[span.start]
        return self._outer()

    def _outer(self) -> Location | None:
        """`loc(…)`."""
        self.cursor.next()
        self.cursor.expect("(")
        found = self._location()
        self.cursor.expect(")")
        return found

    def _location(self) -> Location | None:
        cursor = self.cursor
        token = cursor.token
        if token.kind is Kind.ATTRIBUTE:
            cursor.next()
            return self._alias(token.text)
        if token.kind is Kind.STRING:
            cursor.next()
            return self._file_or_name(unquote(token.text))
        if token.kind is Kind.WORD and token.text == "callsite":
            return self._call_site()
        if token.kind is Kind.WORD and token.text == "fused":
            return self._fused()
        if token.kind is Kind.WORD and token.text == "loc":
            return self._outer()
        cursor.skip_balanced()
        return None

    def _alias(self, name: str) -> Location | None:
        if name not in self._aliases:
            if name not in self.cursor.aliases:
                raise self.cursor.source.error(self.cursor.token.start, f"'{name}' is not defined")
            self._aliases[name] = None  # what defines itself is nowhere
            back, self.cursor.at = self.cursor.at, self.cursor.aliases[name]
            self._aliases[name] = self._outer()
            self.cursor.at = back
        return self._aliases[name]

    def _file_or_name(self, text: str) -> Location | None:
        cursor = self.cursor
        if cursor.takes(":"):
            line = int(cursor.next().text)
            cursor.expect(":")
            column = int(cursor.next().text)
            if cursor.token.kind is Kind.WORD and cursor.token.text == "to":  # a range
                while not cursor.sees(")") and not cursor.sees(","):
                    cursor.next()
            return Location(text, line, column)
        if not cursor.takes("("):
            return None
        child = self._location()
        cursor.expect(")")
        return child and Location(child.file, child.line, child.column, text, child.callers)

    def _call_site(self) -> Location | None:
        cursor = self.cursor
        cursor.next()
        cursor.expect("(")
        callee = self._location()
        cursor.next()  # at
        caller = self._location()
        cursor.expect(")")
        if callee is None or caller is None:
            return callee or caller
        outer = (Location(caller.file, caller.line, caller.column, caller.name), *caller.callers)
        return Location(callee.file, callee.line, callee.column, callee.name, (*callee.callers, *outer))

    def _fused(self) -> Location | None:
        cursor = self.cursor
        cursor.next()
        if cursor.sees("<"):
            cursor.skip_balanced()
        cursor.expect("[")
        found: Location | None = None
        while not cursor.takes("]"):
            part = self._location()
            found = found or part
            cursor.takes(",")
        return found
