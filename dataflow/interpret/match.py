"""Holds the events of two runs against each other.

Events come in the same order on both sides. What must happen on both is the same thing with the same operands;
words undefined before allocation match anything. Loads may be missing after allocation, where nobody wants what
they load.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .machine import Run


@dataclass(frozen=True, slots=True)
class Event:
    """Something that reached the outside. block: its number; line: in the MIR file; text: the instruction.

    operands: for each word, its operand's spelling and the lane in it; words: what was in it, None if undefined.
    """

    block: int
    line: int
    text: str
    operands: tuple[tuple[str, int], ...]
    words: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where one run first differs. index: of the event before allocation.

    before, after: the events; None where that side has none. word: which word of them differs, -1 if they are
    different things altogether.
    """

    seed: int
    index: int
    before: Event | None
    after: Event | None
    word: int

    @property
    def block(self) -> int:
        """The number of the block it is in."""
        event = self.before or self.after
        return event.block if event else -1

    @property
    def operand(self) -> tuple[str, int] | None:
        """The operand after allocation and the lane in it that differ."""
        return self.after.operands[self.word] if self.after and self.word >= 0 else None


def first_difference(run: Run, other: Run) -> Difference | None:
    """Where a run of the function after allocation first differs from the run before it."""
    if run.events == other.events:
        return None
    theirs = _groups(other)
    for mine in _groups(run):
        group = next(theirs, None)
        found = _missing(run, mine) if group is None else _match(run, other, mine, group)
        if found is not None or group is None:
            return found
    extra = next(theirs, None)
    return None if extra is None else Difference(run.seed, len(run.events), None, _event(other, extra[0]), -1)


def _groups(run: Run) -> Iterator[list[int]]:
    """Indices of events, cut after each event that both sides must have."""
    group: list[int] = []
    for index, site in enumerate(run.sites):
        group.append(index)
        if not site.optional:
            yield group
            group = []
    if group:
        yield group


def _missing(run: Run, group: list[int]) -> Difference | None:
    """The other side has nothing more: only loads may be missing."""
    for index in group:
        if not run.sites[index].optional:
            return Difference(run.seed, index, _event(run, index), None, -1)
    return None


def _match(run: Run, other: Run, mine: list[int], theirs: list[int]) -> Difference | None:
    """The other side's events are mine in order, but for as many loads as it has events less."""
    spare = len(mine) - len(theirs)
    at = 0
    for index in theirs:
        first: Difference | None = None
        while True:
            if at == len(mine):
                return first or Difference(run.seed, mine[-1], None, _event(other, index), -1)
            found = _differ(run, other, mine[at], index)
            at += 1
            if found is None:
                break
            first = first or found
            if spare <= 0 or not run.sites[mine[at - 1]].optional:
                return first
            spare -= 1
    return None


def _differ(run: Run, other: Run, index: int, against: int) -> Difference | None:
    (key, words), (other_key, others) = run.events[index], other.events[against]
    if key != other_key or len(words) != len(others):
        return Difference(run.seed, index, _event(run, index), _event(other, against), -1)
    for k, (a, b) in enumerate(zip(words, others, strict=True)):
        if a != b and a >= 0:
            return Difference(run.seed, index, _event(run, index), _event(other, against), k)
    return None


def _event(run: Run, index: int) -> Event:
    site = run.sites[index]
    words = tuple([w if w >= 0 else None for w in run.events[index][1]])
    return Event(site.block, site.line, site.instruction.text, site.operands, words)
