"""From the spiller's trace to decisions: which there are, which a variant changed, which made a bad store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regtriage.dataflow.cures import bad_stores
from regtriage.dataflow.findings import Finding, SourceLocation
from regtriage.dataflow.trace import Event, SpillerTrace, event_location
from regtriage.tools.llc.run import PrivateRegister, Variant

from .model import Decision, DecisionKind

_ORDINALS = {Variant.GUARD: "partial_by_subranges", Variant.GUARD_LANES: "partial_by_lanes", Variant.PRIVATE: "n"}


def events(trace: SpillerTrace, variant: Variant) -> list[Event]:
    """The decisions that a variant can change, in the order in which they were made."""
    found = trace.privates if variant is Variant.PRIVATE else trace.hoists
    return [e for e in found if ordinal(e, variant) is not None]


def ordinal(event: Event, variant: Variant) -> int | None:
    """The number of a decision among those of the module that the variant changes; None if it is not one."""
    number = event.get(_ORDINALS[variant])
    return number if isinstance(number, int) else None


def is_changed(event: Event) -> bool:
    """Whether the decision was made otherwise than an unchanged compiler makes it."""
    return bool(event.get("refused") or event.get("granted"))


def like(event: Event, trace: SpillerTrace, variant: Variant) -> Event | None:
    """The same decision in another run, in which registers may be numbered otherwise."""
    keys = ("allocation", "original", "class") + (("missing",) if variant is Variant.PRIVATE else ("block", "dead"))
    same = [e for e in events(trace, variant) if all(e[key] == event[key] for key in keys)]
    # The numbers are equal too, unless an earlier decision shifted them.
    return min(same, key=lambda e: abs(int(e["main"]) - int(event["main"])), default=None)


def spilled_for(findings: Sequence[Finding], trace: SpillerTrace) -> list[Event]:
    """The private-slot decisions about the registers whose spilling made the findings' bad stores, in order.

    Where that register has all its lanes, those about its siblings.
    """
    chosen: dict[int, Event] = {}
    for finding in findings:
        for store in bad_stores(finding, trace)[:1]:
            call = trace.call(int(store["allocation"]), store.get("call"))
            if call is None:
                continue
            open_ = [e for e in trace.privates if e["allocation"] == store["allocation"] and not e["granted"]]
            direct = [e for e in open_ if e["main"] == call["main"]]
            for event in direct or [e for e in open_ if e["original"] == call["original"]]:
                chosen.setdefault(int(event["n"]), event)
    return [chosen[n] for n in sorted(chosen)]


def private_register(event: Event) -> PrivateRegister:
    """The name of a private-slot decision for the compiler."""
    return PrivateRegister(int(event["allocation"]), int(event["main"]), str(event["function"]))


def describe(
    event: Event, variant: Variant, trace: SpillerTrace, findings: Sequence[Finding], wrong: SpillerTrace
) -> Decision:
    """A decision, from its event and the trace that has it.

    findings, wrong: of the run that differs in it and is wrong; where the event has no place in the source, that of
    a bad store made for it is taken.
    """
    private = variant is Variant.PRIVATE
    allocation, register, original = int(event["allocation"]), int(event["main"]), int(event["original"])
    slot = int(event["shared_slot" if private else "slot"])
    stores = [e for e in trace.inserts if _is_store_of(e, event)]
    siblings = dict.fromkeys(
        int(e["main"]) for e in trace.spills if (e["allocation"], e["original"]) == (allocation, original)
    )
    return Decision(
        kind=DecisionKind.PRIVATE_SLOT if private else DecisionKind.REFUSED_HOIST,
        allocation=allocation,
        register=register,
        original=original,
        slot=slot if slot >= 0 else None,
        own_slot=int(event["private_slot"]) if private and event["granted"] else None,
        sibling=None if private else int(event["sibling"]),
        siblings=tuple(s for s in siblings if s != register),
        register_class=str(event["class"]),
        lanes=tuple(event["missing_names" if private else "dead_names"]),
        block=int(event["block"]) if not private else int(stores[0]["block"]) if stores else None,
        source=_source(event, stores, findings, wrong),
    )


def _is_store_of(insert: Event, event: Event) -> bool:
    same_call = all(insert.get(key) == event[key] for key in ("allocation", "call"))
    return same_call and str(insert["what"]).endswith("save")


def _source(
    event: Event, stores: Sequence[Event], findings: Sequence[Finding], wrong: SpillerTrace
) -> tuple[SourceLocation, ...]:
    if event_location(event):
        return event_location(event)
    for finding in findings:
        for store in bad_stores(finding, wrong)[:1]:
            call = wrong.call(int(store["allocation"]), store.get("call"))
            if call is not None and call["main"] == event["main"] and event_location(store):
                return event_location(store)
    return next((event_location(store) for store in stores if event_location(store)), ())


def of_module(traces: Mapping[str, SpillerTrace], variant: Variant) -> list[Event]:
    """The decisions of all functions that a variant can change, by number."""
    found = [e for trace in traces.values() for e in events(trace, variant)]
    return sorted(found, key=lambda e: ordinal(e, variant) or 0)
