"""Reads the spiller's trace: one JSON object a line, written by the llc that comes with regtriage.

Events: `hoist` (a candidate for the same-block hoist and whether it was refused), `private` (a partly defined
register and whether it got a slot of its own), `insert` and `remove` (spill code, with its cause), `spill`
(one call of the spiller), `summary`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .findings import SourceLocation

Event = dict[str, Any]


class TraceError(Exception):
    """A line of the trace is not a JSON object."""


@dataclass(slots=True)
class SpillerTrace:
    """The events of one function, by kind and all together, in the order in which they happened."""

    events: list[Event] = field(default_factory=list[Event])
    hoists: list[Event] = field(default_factory=list[Event])
    privates: list[Event] = field(default_factory=list[Event])
    inserts: list[Event] = field(default_factory=list[Event])
    removes: list[Event] = field(default_factory=list[Event])
    spills: list[Event] = field(default_factory=list[Event])
    summaries: list[Event] = field(default_factory=list[Event])

    def total(self, key: str) -> int:
        """A counter of the summaries, over all allocations of the function."""
        return sum(int(s.get(key, 0)) for s in self.summaries)

    def store(self, allocation: int, block: int, slot: int, register: str) -> Event | None:
        """The insertion of the store of a register into a slot in a block; the last if there were several."""
        for event in reversed(self.inserts):
            if (
                event.get("allocation") == allocation
                and event.get("block") == block
                and event.get("slot") == slot
                and str(event.get("register")) == register
                and str(event.get("what", "")).endswith("save")
            ):
                return event
        return None

    def removed_stores(self, allocation: int, slot: int) -> list[Event]:
        """Stores to a slot that the spiller removed because it found them redundant."""
        return [
            e
            for e in self.removes
            if e.get("allocation") == allocation and e.get("slot") == slot and e.get("cause") == "redundant-spill"
        ]

    def call(self, allocation: int, ordinal: object) -> Event | None:
        """The spill() call of that ordinal."""
        for event in self.spills:
            if event.get("allocation") == allocation and event.get("call") == ordinal:
                return event
        return None


def parse_trace(lines: Iterable[str]) -> dict[str, SpillerTrace]:
    """The trace of each function. Raises TraceError naming the line that is not a JSON object."""
    result: dict[str, SpillerTrace] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event: Event = json.loads(line)
            kind, name = str(event["event"]), str(event["function"])
        except (ValueError, KeyError, TypeError):
            raise TraceError(f"line {number}: not an event of the spiller's trace") from None
        trace = result.setdefault(name, SpillerTrace())
        bucket: list[Event] | None = {
            "hoist": trace.hoists,
            "private": trace.privates,
            "insert": trace.inserts,
            "remove": trace.removes,
            "spill": trace.spills,
            "summary": trace.summaries,
        }.get(kind)
        if bucket is not None:
            bucket.append(event)
            trace.events.append(event)
    return result


def event_location(event: Event) -> tuple[SourceLocation, ...]:
    """The source location chain of an event, innermost first."""
    return tuple(
        SourceLocation(str(e.get("file", "")), int(e.get("line", 0)), int(e.get("column", 0)))
        for e in event.get("loc") or ()
    )
