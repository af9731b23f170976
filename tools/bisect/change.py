"""What one decision changed: the spill code and the registers of two compiles that differ in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.trace import Event, SpillerTrace

from .model import Change, SpillLine

_SLOT = re.compile(r"%stack\.\d+")
_BLOCK = re.compile(r"^  bb\.")

_CODE = frozenset({"save", "reload", "folded-save", "folded-reload"})


@dataclass(frozen=True, slots=True)
class _Key:
    """Spill code that counts as the same in two runs: registers and slots are numbered anew in each."""

    original: int
    own: bool
    block: int
    what: str
    opcode: str


def compare(
    without: SpillerTrace, with_: SpillerTrace, allocation: int, originals: Collection[int], before: Path, after: Path
) -> Change:
    """Compare two runs, one without and one with a decision changed.

    originals: those of the decision's register. before, after: the MIR of the two right after register assignment.
    """
    left, right = _spill_code(without, allocation), _spill_code(with_, allocation)
    lines: list[SpillLine] = []
    others = 0
    for key in {**left, **right}:
        gone, new = left.get(key, []), right.get(key, [])
        if key.original not in originals:
            others += abs(len(gone) - len(new))
            continue
        common = min(len(gone), len(new))
        lines += [_line(e, key, only_with=False) for e in gone[common:]]
        lines += [_line(e, key, only_with=True) for e in new[common:]]
    lines.sort(key=lambda line: (line.block, line.only_with, line.what, line.register))
    changed, total = _changed_instructions(before, after)
    return Change(tuple(lines), others, changed, total)


def _spill_code(trace: SpillerTrace, allocation: int) -> dict[_Key, list[Event]]:
    """The insertions of an allocation that were not removed again."""
    owners = {
        e["slot"]: (int(e["original"]), bool(e["private"])) for e in trace.spills if e["allocation"] == allocation
    }
    removed = Counter(_place(e) for e in trace.removes if e["allocation"] == allocation)
    found: dict[_Key, list[Event]] = {}
    for event in reversed(trace.inserts):
        if event["allocation"] != allocation or event["what"] not in _CODE:
            continue
        if removed[_place(event)] > 0:
            removed[_place(event)] -= 1
            continue
        original, own = owners.get(event["slot"], (-1, False))
        key = _Key(original, own, int(event["block"]), str(event["what"]), str(event["opcode"]))
        found.setdefault(key, []).insert(0, event)
    return found


def _place(event: Event) -> tuple[object, ...]:
    return event["block"], event["what"], event["slot"], event["register"]


def _line(event: Event, key: _Key, *, only_with: bool) -> SpillLine:
    text = re.sub(r"(?:, implicit .*)?(?: :: .*)?$", "", str(event["text"]))
    return SpillLine(
        only_with, key.block, key.what, int(event["register"]), int(event["slot"]), key.own, str(event["cause"]), text
    )


def _changed_instructions(before: Path, after: Path) -> tuple[int, int]:
    """How many instructions of `after` read otherwise than any in `before` that is not yet matched, and of how many."""
    old, new = _instructions(before), _instructions(after)
    return sum((new - old).values()), sum(new.values())


def _instructions(path: Path) -> Counter[str]:
    """The instruction lines of MIR, slots left unnumbered."""
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    starts = [at for at, line in enumerate(lines) if _BLOCK.match(line)]
    body = lines[starts[0] :] if starts else []
    return Counter(_SLOT.sub("%stack", line) for line in body if line.startswith("    "))
