"""The two searches of a bisection: where a sequence of outcomes turns, and which part of a set is needed.

Both know nothing of compilers. An outcome is asked for by number or by set, may be expensive, and is taken to
be the same whenever it is asked for again.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")

SCAN_AT_MOST = 8
"""Prefixes that are tried one after the other, which finds the first turn even if there are several."""


class Search(enum.StrEnum):
    """How a turn was found. SCAN: it is the first one. BISECTION: it is one; there may be others before it."""

    SCAN = "scan"
    BISECTION = "bisection"


@dataclass(frozen=True, slots=True)
class Turn:
    """The outcome at `at` differs from that at 0, the outcome at `at` - 1 does not."""

    at: int
    search: Search


def find_turn(
    total: int, outcomes: Callable[[Sequence[int]], Iterator[bool]], scan_at_most: int = SCAN_AT_MOST
) -> Turn | None:
    """Where the outcome turns between 0, where it is False, and total.

    outcomes: for numbers in 1..total, in that order and as far as they are wanted, whether the outcome differs
    from that at 0. None if no turn is found: by scan there is none; a bisection is not even begun where the
    outcome at total is as at 0.
    """
    if total <= scan_at_most:
        for at, turned in enumerate(outcomes(range(1, total + 1)), 1):
            if turned:
                return Turn(at, Search.SCAN)
        return None
    if not next(outcomes([total])):
        return None
    low, high = 0, total
    while high - low > 1:
        middle = (low + high) // 2
        if next(outcomes([middle])):
            high = middle
        else:
            low = middle
    return Turn(high, Search.BISECTION)


def minimise(items: Sequence[_T], holds: Callable[[tuple[_T, ...]], bool]) -> tuple[_T, ...]:
    """A part of items for which `holds` is true, and which loses that if any single item is left out.

    Zeller and Hildebrandt's ddmin: ever smaller parts are tried alone, then left out. Keeps the order of items.
    `holds` must be true for all of items, and is never asked about none of them.
    """
    kept = tuple(items)
    parts = 2
    while len(kept) > 1:
        size = -(-len(kept) // parts)
        chunks = [kept[at : at + size] for at in range(0, len(kept), size)]
        alone = next((chunk for chunk in chunks if holds(chunk)), None)
        if alone is not None:
            kept, parts = alone, 2
            continue
        # With two chunks, what is left without one is the other one.
        starts = range(0, len(kept), size) if len(chunks) > 2 else range(0)
        rest = next((rest for at in starts if holds(rest := kept[:at] + kept[at + size :])), None)
        if rest is not None:
            kept, parts = rest, max(len(chunks) - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(2 * parts, len(kept))
    return kept
