"""Cuts MLIR text into tokens.

`64x128x` in front of an element type, or of a last extent, is one token: the dimensions of a shaped type.
"""

from __future__ import annotations

import enum
import re
from typing import NamedTuple

from .source import Source


class Kind(enum.Enum):
    """What a token is."""

    VALUE = "value"
    BLOCK = "block"
    SYMBOL = "symbol"
    ATTRIBUTE = "attribute"
    TYPE = "type"
    STRING = "string"
    NUMBER = "number"
    DIMENSIONS = "dimensions"
    WORD = "word"
    PUNCTUATION = "punctuation"
    END = "end"


class Token(NamedTuple):
    """One token. first: nothing but blanks stands before it on its line."""

    kind: Kind
    text: str
    start: int
    first: bool

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+|//[^\n]*)
    |(?P<value>%(?:[\w$.]|-(?!>))+(?:\#\d+)?)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<attribute>\#[A-Za-z_][\w$.]*)
    |(?P<type>![A-Za-z_][\w$.]*)
    |(?P<block>\^[\w$.]+)
    |(?P<symbol>@(?:[\w$.]+|"(?:[^"\\\n]|\\.)*"))
    |(?P<word>[A-Za-z_][\w$.]*)
    |(?P<dimensions>(?!0x)(?:\d+x)+(?=[\w!]))
    |(?P<number>0x[0-9A-Fa-f]+|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)
    |(?P<punctuation>->|::|[-+*/=:,;.?|&()\[\]{}<>])
    """,
    re.X,
)
_KINDS = {kind.value: kind for kind in Kind}


def tokens(source: Source) -> list[Token]:
    """All tokens of a text, the last one of kind END.

    Raises TtgirError at a character that starts no token.
    """
    text = source.text
    found: list[Token] = []
    at, first = 0, True
    match = _TOKEN.match
    while at < len(text):
        token = match(text, at)
        if token is None:
            if text[at] == '"':
                raise source.error(at, "this string has no end")
            raise source.error(at, f"unexpected character {text[at]!r}")
        group = token.lastgroup
        at = token.end()
        if group == "blank":
            first = first or "\n" in token[0]
            continue
        assert group is not None
        found.append(Token(_KINDS[group], token[0], token.start(), first))
        first = False
    found.append(Token(Kind.END, "", len(text), True))  # noqa: FBT003
    return found
