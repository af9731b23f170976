"""Finds, in a line of code, what stands for the lanes that were lost, and cuts the line into marked pieces.

A line is shown in short, as `words.instruction` does, except that of a long register tuple the parts that matter stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regtriage.dataflow.asm.registers import locations_of
from regtriage.dataflow.evidence import Line, Pane

from . import words

_MIR_TOKEN = re.compile(r"\$\w+|%(?:fixed-)?stack\.\d+|%\w+(?:\.\w+)?(?!\w)")
_ASM_TOKEN = re.compile(
    r"\b(?:acc|ttmp|[sva])(?:\d+\b|\[\d+(?::\d+)?\])|\b(?:vcc|exec|flat_scratch|m0|scc)(?:_lo|_hi)?\b|offset:\d+"
)
_LAST_NUMBER = re.compile(r"\d+$")
_SHORT_TUPLE = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line. lanes: the lanes it stands for, as indices; none for most."""

    text: str
    lanes: tuple[int, ...] = ()


def pieces(pane: Pane, line: Line) -> list[Piece]:
    """The line in pieces."""
    if pane is Pane.SOURCE:
        return _joined(_source(line))
    if pane is Pane.ASM:
        return _joined(_asm(line))
    return _joined(_mir(line))


def plain(found: Sequence[Piece]) -> str:
    """The text alone."""
    return "".join(piece.text for piece in found)


def _source(line: Line) -> Iterator[Piece]:
    lanes = tuple(dict.fromkeys(lane for _, lane in line.names))
    text = line.text.rstrip()
    if not lanes or not 0 < line.column <= len(text):
        yield Piece(text)
        return
    start, end = line.column - 1, _end_of_expression(text, line.column - 1)
    yield from (Piece(text[:start]), Piece(text[start:end], lanes), Piece(text[end:]))


def _end_of_expression(text: str, start: int) -> int:
    """Where the call or name that begins at `start` ends; the end of the line if its brackets do not close there."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth <= 0:
                return at + (depth == 0)
        elif depth == 0 and not (text[at].isalnum() or text[at] in "_."):
            return at if at > start else start + 1
    return len(text)


def _mir(line: Line) -> Iterator[Piece]:
    hot: dict[str, dict[str, list[int]]] = {}
    for name, lane in line.names:
        base, part = _split(name)
        hot.setdefault(base, {}).setdefault(part, []).append(lane)
    text = words.flagless(line.text)
    if not any(base in text[len(words.explicit(text)) :] for base in hot):
        text = words.explicit(text)
    at = 0
    for found in _MIR_TOKEN.finditer(text):
        yield Piece(text[at : found.start()])
        yield from _mir_token(found.group(), hot)
        at = found.end()
    yield Piece(text[at:])


def _split(name: str) -> tuple[str, str]:
    """`%1`, `sub5` of `%1.sub5`; `%stack.0`, `+8` of `%stack.0+8`; `%84`, `[5]` of `%84[5]`."""
    found = re.fullmatch(r"(\$\w+|%(?:fixed-)?stack\.\d+|%\w+)(?:\.(\w+)|(\+\d+)|(\[.*))?", name)
    return (found[1], found[2] or found[3] or found[4] or "") if found else (name, "")


def _mir_token(token: str, hot: dict[str, dict[str, list[int]]]) -> Iterator[Piece]:
    if token.startswith("$"):
        yield from _physical(token, hot)
        return
    base, sub = _split(token)
    parts = hot.get(base, {})
    wanted = set(re.findall(r"sub\d+(?:_(?:lo|hi)16)?", sub))
    lanes = [lane for part, known in parts.items() if not wanted or part in wanted for lane in known]
    yield Piece(token, tuple(dict.fromkeys(lanes)))


def _physical(token: str, hot: dict[str, dict[str, list[int]]]) -> Iterator[Piece]:
    if token in hot:
        yield Piece(token, tuple(hot[token][""]))
        return
    parts = token[1:].split("_")
    lanes = [tuple(hot.get(f"${part}", {}).get("", ())) for part in parts]
    shown = {at for at, known in enumerate(lanes) if known} | {0, len(parts) - 1}
    if len(parts) <= _SHORT_TUPLE:
        shown = set(range(len(parts)))
    yield Piece("$")
    for at, part in enumerate(parts):
        if at not in shown:
            continue
        if at:
            yield Piece("_" if at - 1 in shown else "_..._")
        yield Piece(part, lanes[at])


def _asm(line: Line) -> Iterator[Piece]:
    hot: dict[str, list[int]] = {}
    ends: list[int] = []
    for name, lane in line.names:
        holder, bracket, number = name.rstrip("]").partition("[")
        if bracket:
            hot.setdefault(holder, []).append(lane)
            ends += [lane] if re.search(rf", {number}$", line.text) else []
        elif name.startswith("scratch+"):
            hot.setdefault(f"offset:{name.partition('+')[2]}", []).append(lane)
        else:
            hot.setdefault(name, []).append(lane)
    last = _LAST_NUMBER.search(line.text) if ends else None
    text = line.text[: last.start()] if last else line.text
    at = 0
    for found in _ASM_TOKEN.finditer(text):
        yield Piece(text[at : found.start()])
        token = found.group()
        known = [lane for location in (token, *locations_of(token)) for lane in hot.get(location, ())]
        yield Piece(token, tuple(dict.fromkeys(known)))
        at = found.end()
    yield Piece(text[at:])
    if last:
        yield Piece(last.group(), tuple(dict.fromkeys(ends)))


def _joined(parts: Iterator[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for part in parts:
        if part.text and not part.lanes and found and not found[-1].lanes:
            found[-1] = Piece(found[-1].text + part.text)
        elif part.text:
            found.append(part)
    return found
