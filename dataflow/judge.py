"""From what the check found to a verdict (see `findings.Verdict`).

BUG needs a witness that was replayed. A violation without one, or anything that was not understood, makes
the layer UNPROVEN, unless a BUG stands beside it: a fact stays a fact.
"""

from __future__ import annotations

from collections.abc import Sequence

from .findings import Finding, Hazard, Verdict


def judge(findings: Sequence[Finding], hazards: Sequence[Hazard], unproven: Sequence[str]) -> Verdict:
    """The verdict of one layer."""
    if findings:
        return Verdict.BUG
    if unproven:
        return Verdict.UNPROVEN
    return Verdict.HAZARD if hazards else Verdict.CLEAN


def overall(mir: Verdict | None, rewritten: Verdict | None) -> Verdict:
    """The verdict about the shipped code.

    The rewritten layer is the truth. Where it is clean although a virtual register was wrong, the code is
    right by luck (a physical register still held the value): HAZARD.
    """
    if rewritten is None:
        return mir if mir is not None else Verdict.UNPROVEN
    if rewritten is Verdict.CLEAN and mir in (Verdict.BUG, Verdict.HAZARD):
        return Verdict.HAZARD
    return rewritten
