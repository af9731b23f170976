"""Whether a change of the spiller that makes a kernel right removed the cause, or only moved the allocation.

Changing one decision of the spiller changes everything after it, so "the finding is gone" says little. A change is
the cause only if it concerns the very store that the finding names (for exit redundant-spill: the incomplete store
that stayed, or the complete one that was dropped):

  a refused hoist   made that store;
  a private slot    is that of the register whose spilling made that store; or that of one of the same original
                    register, and the slot that they shared no longer has both partial and other stores.

Everything else is *perturbed*. `judge_hoist` and `judge_private_slot` judge one decision, from the run that is wrong
without it and the one that is right with it: up to the decision, registers have equal numbers in both. `judge_cure`
judges a variant that changes many decisions, where only originals have equal numbers: those of the function before
allocation. There a decision is that of the store if originals, classes and undefined lanes are equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .findings import Exit, Finding
from .trace import Event, SpillerTrace

_NO_STORE = "the wrong value does not come from a spill store of the trace: the allocation moved"


@dataclass(frozen=True, slots=True)
class Reason:
    """is_cause, and why in one line."""

    is_cause: bool
    why: str


def judge_hoist(findings: Sequence[Finding], wrong: SpillerTrace, hoist: Event) -> Reason:
    """Judge one refused hoist that makes all findings of the wrong run go away. hoist: its event."""
    return _all(_judge_hoist(f, wrong, hoist) for f in findings)


def judge_private_slot(findings: Sequence[Finding], wrong: SpillerTrace, right: SpillerTrace, private: Event) -> Reason:
    """Judge one private slot that makes all findings of the wrong run go away. private: its event."""
    return _all(_judge_private_slot(f, wrong, right, private) for f in findings)


def judge_harm(findings: Sequence[Finding], wrong: SpillerTrace, decision: Event) -> Reason:
    """Judge one changed decision that makes findings appear. wrong: the run that has them."""
    return _all(_judge_harm(f, wrong, decision) for f in findings)


def judge_cure(findings: Sequence[Finding], off: SpillerTrace, cured: SpillerTrace) -> Reason:
    """Judge a variant that is right where the unchanged compiler is wrong."""
    return _all(_judge_variant(f, off, cured) for f in findings)


def bad_stores(finding: Finding, trace: SpillerTrace) -> tuple[Event, ...]:
    """The events of the store that a finding names, as it was inserted, and for redundant-spill that was dropped."""
    if finding.store is None:
        return ()
    allocation, _, slot, _ = finding.store
    inserted = trace.store(*finding.store)
    removed = trace.removed_stores(allocation, slot)[-1:] if finding.exit is Exit.REDUNDANT_SPILL else []
    return (*([inserted] if inserted is not None else []), *removed)


def original_of(event: Event, trace: SpillerTrace) -> object:
    """The original register whose values a store's slot holds: slots are given per original."""
    call = trace.call(int(event["allocation"]), event.get("call"))
    if call is not None:
        return call.get("original")
    for other in trace.spills:
        if other.get("allocation") == event["allocation"] and other.get("slot") == event["slot"]:
            return other.get("original")
    return None


def hoist_of(store: Event, trace: SpillerTrace) -> Event | None:
    """The hoist that made a store, if one did."""
    for event in trace.hoists:
        same_place = all(event[key] == store[key] for key in ("allocation", "block", "call"))
        if same_place and store.get("cause") == "hoist-inside-bb" and event["sibling"] == store["register"]:
            return event
    return None


def _all(reasons: Iterable[Reason]) -> Reason:
    """The cause only if that is so for every finding; then the reason of the first one."""
    judged = list(reasons)
    failing = next((r for r in judged if not r.is_cause), None)
    if failing is not None:
        return failing
    return judged[0] if judged else Reason(is_cause=False, why="there is no finding to compare with")


def _judge_hoist(finding: Finding, wrong: SpillerTrace, hoist: Event) -> Reason:
    stores = bad_stores(finding, wrong)
    if not stores:
        return Reason(is_cause=False, why=_NO_STORE)
    store = stores[0]
    same_place = all(hoist[key] == store[key] for key in ("allocation", "block"))
    if finding.exit is Exit.HOIST_INSIDE_BB and same_place and hoist["sibling"] == store["register"]:
        return Reason(is_cause=True, why=f"refused the very hoist that makes the {_spell(store)}")
    return Reason(
        is_cause=False,
        why=f"refused the hoist of %{hoist['sibling']} of %{hoist['original']} in bb.{hoist['block']}, and the "
        f"{_spell(store)} is one of %{original_of(store, wrong)}: the allocation moved",
    )


def _judge_private_slot(finding: Finding, wrong: SpillerTrace, right: SpillerTrace, private: Event) -> Reason:
    stores = bad_stores(finding, wrong)
    if not stores:
        return Reason(is_cause=False, why=_NO_STORE)
    allocation, original = private["allocation"], private["original"]
    who = f"partly defined %{private['main']} of %{original} has a slot of its own"
    for store in stores:
        call = wrong.call(int(store["allocation"]), store.get("call"))
        if call is not None and (allocation, private["main"]) == (store["allocation"], call["main"]):
            return Reason(is_cause=True, why=f"{who}: its {_spell(store)} is the one that does it")
    store = stores[0]
    shared = original_of(store, wrong)
    if (allocation, original) != (store["allocation"], shared):
        return Reason(
            is_cause=False,
            why=f"{who}, and the {_spell(store)} is one of %{shared}: the allocation moved",
        )
    if _mixes(right, int(allocation), original):
        return Reason(
            is_cause=False,
            why=f"{who}, but the slot of %{original} still has partial and other stores: the allocation moved",
        )
    return Reason(is_cause=True, why=f"{who}: that of %{original} no longer has partial and other stores")


def _judge_harm(finding: Finding, wrong: SpillerTrace, decision: Event) -> Reason:
    stores = bad_stores(finding, wrong)
    if not stores:
        return Reason(is_cause=False, why=_NO_STORE)
    shared = original_of(stores[0], wrong)
    if (decision["allocation"], decision["original"]) == (stores[0]["allocation"], shared):
        return Reason(is_cause=True, why=f"the {_spell(stores[0])} is one of %{shared}, as the decision is about")
    return Reason(
        is_cause=False,
        why=f"the {_spell(stores[0])} is one of %{shared}, the decision is about %{decision['original']}: "
        "the allocation moved",
    )


def _judge_variant(finding: Finding, off: SpillerTrace, cured: SpillerTrace) -> Reason:
    stores = bad_stores(finding, off)
    if not stores:
        return Reason(is_cause=False, why=_NO_STORE)
    store = stores[0]
    slot, allocation = f"%stack.{store['slot']}", store["allocation"]
    granted = _granted_like(store, off, cured)
    if granted is not None:
        who = f"partly defined %{granted['main']} of %{granted['original']}"
        where = f"%stack.{granted['private_slot']}"
        return Reason(is_cause=True, why=f"{who} got a slot of its own ({where} there) and no longer shares {slot}")
    refused = [e for e in cured.hoists if e.get("refused")]
    hoist = hoist_of(store, off)
    for event in refused:
        if hoist is not None and all(event.get(key) == hoist.get(key) for key in _HOIST_KEYS):
            why = f"the hoist of %{event['sibling']} into {slot} in bb.{event['block']} was refused"
            return Reason(is_cause=True, why=why)
    if refused:
        kind = "hoists" if len(refused) > 1 else "hoist"
        return Reason(
            is_cause=False,
            why=f"refused {len(refused)} {kind}, none of which made the {_spell(store)}: the allocation moved",
        )
    where = "" if any(e["allocation"] == allocation for e in cured.privates) else f" of allocation {allocation}"
    return Reason(is_cause=False, why=f"did not touch the {_spell(store)}{where}: the allocation moved")


_HOIST_KEYS = ("allocation", "original", "block", "class", "dead")
_PRIVATE_KEYS = ("class", "missing")


def _granted_like(store: Event, off: SpillerTrace, cured: SpillerTrace) -> Event | None:
    """The private slot of the register whose spilling made the store, else of one that shared its slot."""
    same = [
        e for e in cured.privates
        if e.get("granted") and e["allocation"] == store["allocation"] and e["original"] == original_of(store, off)
    ]  # fmt: skip
    candidate = next(
        (e for e in off.privates if (e["allocation"], e["call"]) == (store["allocation"], store["call"])), None
    )
    if candidate is not None:
        for event in same:
            if all(event[key] == candidate[key] for key in _PRIVATE_KEYS):
                return event
    if same and not _mixes(cured, int(store["allocation"]), original_of(store, off)):
        return same[0]
    return None


def _mixes(trace: SpillerTrace, allocation: int, original: object) -> bool:
    """Whether the slot that an original's siblings share has stores of partly defined registers beside others."""
    calls = {e["call"]: e for e in trace.spills if e["allocation"] == allocation}
    slots = {e["slot"] for e in calls.values() if e["original"] == original and not e["private"]}
    partial = {e["call"] for e in trace.privates if e["allocation"] == allocation and not e["granted"]}
    stores: Counter[tuple[object, object, object]] = Counter()
    for sign, events in ((1, trace.inserts), (-1, trace.removes)):
        for event in events:
            if event["allocation"] == allocation and event["slot"] in slots and event["what"].endswith("save"):
                stores[event["slot"], event["block"], event["register"]] += sign
    makers = {(e["slot"], e["block"], e["register"]): e["call"] for e in trace.inserts if e["allocation"] == allocation}
    kept = [makers.get(store) for store, count in stores.items() if count > 0]
    return len(kept) > 1 and any(call in partial for call in kept)


def _spell(store: Event) -> str:
    return f"store of %{store['register']} into %stack.{store['slot']} in bb.{store['block']}"
