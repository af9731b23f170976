"""Whether a variant that is right removed the cause, or only moved the allocation.

A variant that changes one decision of the spiller changes everything after it, so "the finding is gone" says
little. The cause is removed only if the very store that the finding names was redirected or refused:

  private slots   the variant gave a private slot to a partly defined register of the same original register
                  as the named store's, or to the register whose spilling inserted that store;
  guard           the named store was made by the same-block hoist, and the variant refused a hoist of the same
                  original register in that block.

Everything else is *perturbed*. Both need the spiller's traces of both variants. Register numbers of originals
are those of the function before allocation, so they mean the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .findings import Exit, Finding
from .trace import Event, SpillerTrace


@dataclass(frozen=True, slots=True)
class Reason:
    """is_cause, and why in one line."""

    is_cause: bool
    why: str


def judge_cure(findings: Sequence[Finding], off: SpillerTrace, cured: SpillerTrace) -> Reason:
    """Compare the traces of the wrong and the right variant for every finding of the wrong one.

    The cure is the cause only if that is so for each of the findings.
    """
    reasons = [_judge_one(f, off, cured) for f in findings]
    failing = next((r for r in reasons if not r.is_cause), None)
    if failing is not None:
        return failing
    if not reasons:
        return Reason(is_cause=False, why="there is no finding to compare with")
    return reasons[0]


def _judge_one(finding: Finding, off: SpillerTrace, cured: SpillerTrace) -> Reason:
    named = find_store(finding, off)
    if named is None:
        return Reason(
            is_cause=False, why="the clobbering write is not a spill store of the trace: the allocation moved"
        )
    original = _original(named, off)
    slot = f"%stack.{named['slot']}"
    for event in cured.privates:
        same = event.get("original") == original and event.get("allocation") == named["allocation"]
        if event.get("granted") and same:
            where = f"%stack.{event['private_slot']}"
            who = f"partly defined %{event['main']} of %{original}"
            return Reason(is_cause=True, why=f"{who} got a slot of its own ({where} there) and no longer shares {slot}")
    hoisted = finding.exit is Exit.HOIST_INSIDE_BB
    refused = [e for e in cured.hoists if e.get("refused")]
    for event in refused:
        same = event.get("original") == original and event.get("block") == named["block"]
        if hoisted and same and event.get("allocation") == named["allocation"]:
            return Reason(
                is_cause=True, why=f"the hoist of %{event['sibling']} into {slot} in bb.{event['block']} was refused"
            )
    if refused:
        kind = "hoists" if len(refused) > 1 else "hoist"
        return Reason(
            is_cause=False,
            why=f"refused {len(refused)} {kind}, none of which made the store of %{named['register']} into {slot} "
            f"in bb.{named['block']}: the allocation moved",
        )
    return Reason(
        is_cause=False, why=f"did not touch the store of %{named['register']} into {slot}: the allocation moved"
    )


def find_store(finding: Finding, trace: SpillerTrace) -> Event | None:
    """The trace's event of the finding's store: its insertion, or its removal for exit redundant-spill."""
    if finding.store is None:
        return None
    allocation, block, slot, register = finding.store
    if finding.exit is Exit.REDUNDANT_SPILL:
        removed = trace.removed_stores(allocation, slot)
        return removed[-1] if removed else None
    return trace.store(allocation, block, slot, register)


def _original(event: Event, trace: SpillerTrace) -> object:
    """The original register whose values a store's slot holds: slots are given per original."""
    call = trace.call(int(event["allocation"]), event.get("call"))
    if call is not None:
        return call.get("original")
    for other in trace.spills:
        if other.get("allocation") == event["allocation"] and other.get("slot") == event["slot"]:
            return other.get("original")
    return None
