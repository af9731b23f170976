"""What a campaign says: how the programs ended, and the bugs by exit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from regtriage.tools.report.look import LABEL, NAME, VERDICT_STYLE, columns
from rich.text import Text

from .examine import Ending, Record

_VARIANTS = ("guard", "guard-lanes", "private")
_MOST_SEEDS = 8
_CRASH = re.compile(r"^.*(crashed \(\w+\)).*$")
_PLACE = re.compile(r"^bb\.\S+, line \d+: ")
_NAMES = re.compile(r"[$%][\w.]+|\bbb\.\w+|\b\d+\b")
_STYLES = {Ending(verdict.value): style for verdict, style in VERDICT_STYLE.items()}


def summary_lines(records: Sequence[Record]) -> Iterator[Text]:
    """Tables for people: endings by shape, bugs by exit, and what needs a look."""
    first, last = records[0].seed, records[-1].seed
    head = f"{len(records)} programs, seeds {first} to {last}" if len(records) > 1 else f"1 program, seed {first}"
    yield Text(head, NAME)
    yield Text()
    yield from _by_shape(records)
    bugs = [r for r in records if r.ending is Ending.BUG]
    if bugs:
        yield Text()
        yield from _by_exit(bugs)
    for title, some in (
        ("not confirmed", [r for r in bugs if r.is_unconfirmed]),
        ("not proved", [r for r in records if r.ending is Ending.UNPROVEN]),
        ("not proved, and execution differs", [r for r in records if r.ending is Ending.UNPROVEN and r.differ]),
        ("internal error", [r for r in records if r.ending is Ending.FAILED]),
        ("the compiler crashed", [r for r in records if r.is_crash]),
        ("cured by refusing one hoist", [r for r in bugs if _cured_alone(r)]),
    ):
        if some:
            yield Text()
            yield Text.assemble((f"{title}: ", LABEL), _seeds(some))
            yield from _notes(some)


def _notes(records: Sequence[Record]) -> Iterator[Text]:
    """The reasons, what they have in common first: places and registers are left out."""
    reasons = Counter(_NAMES.sub("_", _PLACE.sub("", _CRASH.sub(r"\1", r.note))) for r in records if r.note)
    for reason, count in reasons.most_common(_MOST_SEEDS):
        yield Text(f"  {count} x {reason}")


def _by_shape(records: Sequence[Record]) -> list[Text]:
    rows = [[Text(t, LABEL) for t in ("shape", "programs", *map(str, Ending), "operands checked")]]
    for shape in [*dict.fromkeys(sorted(r.shape for r in records)), ""]:
        mine = [r for r in records if r.shape == shape or not shape]
        counts = Counter(r.ending for r in mine)
        cells = [Text(shape or "all"), Text(str(len(mine)))]
        cells += [Text(str(counts[e]), _STYLES.get(e, "") if counts[e] else "") for e in Ending]
        rows.append([*cells, Text(str(sum(r.checked for r in mine)))])
    return columns(rows, right=frozenset(range(1, 3 + len(Ending))))


def _by_exit(bugs: Sequence[Record]) -> list[Text]:
    """A program with findings of several exits counts for each."""
    titles = ("exit", "BUG", "confirmed", *(f"right with {v}" for v in _VARIANTS), "seeds")
    rows = [[Text(t, LABEL) for t in titles]]
    exits = Counter(e for r in bugs for e in r.exits)
    for name, count in exits.most_common():
        mine = [r for r in bugs if name in r.exits]
        cells = [Text(name), Text(str(count)), Text(str(sum(r.differ > 0 for r in mine)))]
        for variant in _VARIANTS:
            how = Counter(r.cures.get(variant) for r in mine)
            right = how["cause"] + how["perturbed"]
            cells.append(Text(f"{right} ({how['cause']} by cause)" if right else "0"))
        rows.append([*cells, Text(_seeds(mine))])
    return columns(rows, right=frozenset((1, 2)))


def _seeds(records: Sequence[Record]) -> str:
    more = len(records) - _MOST_SEEDS
    return " ".join(str(r.seed) for r in records[:_MOST_SEEDS]) + (f" and {more} more" if more > 0 else "")


def _cured_alone(record: Record) -> bool:
    return any(end in ("CLEAN", "HAZARD") for end in record.alone.split(", "))


def summary_object(records: Sequence[Record], version: str) -> dict[str, Any]:
    """The same for programs: counts, and the records of what is not clean."""
    bugs = [r for r in records if r.ending is Ending.BUG]
    return {
        "schema": 1,
        "tool": {"name": "regtriage", "version": version},
        "programs": len(records),
        "first_seed": records[0].seed,
        "endings": dict(Counter(str(r.ending) for r in records)),
        "exits": dict(Counter(e for r in bugs for e in r.exits)),
        "confirmed": sum(r.differ > 0 for r in bugs),
        "cured_by_one_hoist": [r.seed for r in bugs if _cured_alone(r)],
        "records": [r.as_json() for r in records if r.ending in (Ending.BUG, Ending.UNPROVEN, Ending.FAILED)],
    }
