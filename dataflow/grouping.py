"""Findings with one cause, put together.

One cause: lanes of one register of the function before allocation, lost in one place through one exit. They may be
read in several places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .findings import Finding, Place


@dataclass(frozen=True, slots=True)
class Group:
    """Findings with one cause. Never empty."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The one to tell in full."""
        return self.findings[0]

    @property
    def at_first_use(self) -> list[Finding]:
        """Those that are read where the first one is, by lane."""
        use = _site(self.first.use)
        return sorted((f for f in self.findings if _site(f.use) == use), key=_lane_number)

    @property
    def by_lane(self) -> list[Finding]:
        """All, by lane."""
        return sorted(self.findings, key=_lane_number)

    @property
    def other_uses(self) -> list[Place]:
        """Where else the lanes are read."""
        uses = {_site(f.use): f.use for f in self.findings}
        return list(uses.values())[1:]


def group(findings: Sequence[Finding]) -> list[Group]:
    """Put findings together that have one cause. Keeps the order of the first ones."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        needed = finding.needed.register if finding.needed is not None else finding.id
        place = _site(finding.clobber or finding.use)
        groups.setdefault((finding.kind, finding.layer, finding.exit, needed, place), []).append(finding)
    return [Group(tuple(members)) for members in groups.values()]


def _lane_number(finding: Finding) -> int:
    number = re.search(r"\d+", finding.needed.lane) if finding.needed is not None else None
    return int(number.group()) if number else 0


def _site(place: Place) -> tuple[str, int, str, str]:
    return place.file, place.line, place.block, place.text
