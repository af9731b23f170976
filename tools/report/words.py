"""Spelling: how lanes, places and MIR are written in little room."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"(?P<stem>(?:.*[^A-Za-z0-9_])?)(?P<word>[A-Za-z_]*)(?P<number>\d+)(?P<tail>\D*)")
_TUPLE = re.compile(r"\$([a-z]+)(\d+)(?:_\1\d+)+_\1(\d+)\b")
_STAGE = re.compile(r"^(\d\d)-(?:before|after)-.*\.mir$")
_FLAGS = re.compile(r"\b(?:renamable|killed|dead|early-clobber) | /\*.*?\*/")
_IMPLICIT = re.compile(r", implicit(?:-def)? .*$")
_MOST_RUNS = 3


def lanes(names: Iterable[str]) -> str:
    """Join names of lanes or locations, runs of numbers as one: `%5.sub2..sub4, $sgpr7`, `%84[5..8]`.

    A run steps by one, or by four bytes for words of a stack slot.
    """
    runs: list[tuple[str, str]] = []
    for name in dict.fromkeys(names):
        if runs and _follows(runs[-1][1], name):
            runs[-1] = (runs[-1][0], name)
        else:
            runs.append((name, name))
    shown = [_run(first, last) for first, last in runs[:_MOST_RUNS]]
    left = len(runs) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")


def _follows(before: str, after: str) -> bool:
    a, b = _NUMBERED.fullmatch(before), _NUMBERED.fullmatch(after)
    if a is None or b is None or a.group("stem", "word", "tail") != b.group("stem", "word", "tail"):
        return False
    step = 4 if a["stem"].endswith("+") else 1
    return int(b["number"]) - int(a["number"]) == step


def _run(first: str, last: str) -> str:
    a, b = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
    if first == last or a is None or b is None:
        return first
    return f"{a['stem']}{a['word']}{a['number']}..{b['word']}{b['number']}{a['tail']}"


def instruction(text: str) -> str:
    """In short: without flags, comments, implicit operands and the middle of long register tuples."""
    return _TUPLE.sub(r"$\1\2_..._\1\3", explicit(flagless(text)))


def flagless(text: str) -> str:
    """Without what is said of operands beside their names."""
    return _FLAGS.sub("", text)


def explicit(text: str) -> str:
    """Without the implicit operands."""
    return _IMPLICIT.sub("", text)


def block(label: str) -> str:
    """`bb.7` of `bb.7.for.body`."""
    return ".".join(label.split(".")[:2])


def cut(text: str, room: int) -> str:
    """The text in at most `room` columns, its end left off."""
    return text if len(text) <= room else text[: max(0, room - 3)] + "..."


def cut_front(text: str, room: int) -> str:
    """The text in at most `room` columns, its beginning left off: of a file's name the end matters."""
    return text if len(text) <= room else "..." + text[len(text) - max(0, room - 3) :]


def count(number: int, thing: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def mir_file(name: str) -> str:
    """The name of a MIR file; of a numbered stage `02-*.mir`, which a shell in its folder expands."""
    return _STAGE.sub(r"\1-*.mir", name)
