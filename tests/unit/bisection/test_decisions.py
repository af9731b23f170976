from __future__ import annotations

from dataclasses import replace

from regtriage.dataflow.findings import Exit, SourceLocation
from regtriage.dataflow.trace import SpillerTrace
from regtriage.tools.bisect import decisions
from regtriage.tools.bisect.model import DecisionKind
from regtriage.tools.llc.run import PrivateRegister, Variant

from .traces import finding, hoist, private, save, separate, shared, spill

LOST = finding(Exit.INSERT_SPILL, (0, 2, 0, "21"))
LOC = [{"file": "k.py", "line": 7, "column": 3}]


def test_a_bad_store_blames_the_register_whose_spilling_made_it():
    blamed = decisions.spilled_for([LOST, LOST], shared())
    assert [decisions.private_register(e) for e in blamed] == [PrivateRegister(0, 20, "k")]


def test_a_bad_store_of_a_whole_register_blames_its_partial_siblings():
    whole = finding(Exit.INSERT_SPILL, (0, 1, 0, "11"))
    assert [e["main"] for e in decisions.spilled_for([whole], shared())] == [20]


def test_a_register_with_a_slot_of_its_own_is_not_blamed_again():
    moved = finding(Exit.INSERT_SPILL, (0, 2, 5, "21"))
    assert decisions.spilled_for([moved], separate()) == []


def test_hoists_that_are_not_partial_are_no_decisions():
    trace = SpillerTrace(hoists=[hoist(0, 1, 2, 3), hoist(1, 4, 5, 6, n=0)])
    assert [e["sibling"] for e in decisions.events(trace, Variant.GUARD)] == [5]


def test_decisions_of_a_module_are_in_order():
    traces = {
        "b": SpillerTrace(privates=[private(0, 1, 1, 2)]),
        "a": SpillerTrace(privates=[private(0, 1, 1, 0), private(1, 2, 1, 1)]),
    }
    assert [e["n"] for e in decisions.of_module(traces, Variant.PRIVATE)] == [0, 1, 2]


def test_a_decision_is_found_again_under_other_numbers():
    trace = SpillerTrace(privates=[private(3, 24, 1, 0), private(5, 60, 1, 1), private(6, 21, 8, 2)])
    found = decisions.like(private(1, 20, 1, 0), trace, Variant.PRIVATE)
    assert found is not None
    assert found["main"] == 24
    assert decisions.like(private(1, 20, 1, 0, missing="1"), trace, Variant.PRIVATE) is None


def test_a_private_slot_is_described():
    trace = separate()
    decision = decisions.describe(trace.privates[0], Variant.PRIVATE, trace, [LOST], shared())
    assert decision.kind is DecisionKind.PRIVATE_SLOT
    assert (decision.register, decision.original, decision.slot, decision.own_slot) == (20, 1, 0, 5)
    assert (decision.siblings, decision.block, decision.source) == ((10,), 2, ())


def test_the_source_is_that_of_the_bad_store_where_the_decision_has_none():
    wrong = replace(shared(), inserts=[save(1, 2, 21, 0, loc=LOC)])
    trace = separate()
    decision = decisions.describe(trace.privates[0], Variant.PRIVATE, trace, [LOST], wrong)
    assert decision.source == (SourceLocation("k.py", 7, 3),)


def test_a_hoist_is_described():
    trace = SpillerTrace(hoists=[hoist(1, 20, 21, 2, n=0)], spills=[spill(1, 20, 1, 0)])
    decision = decisions.describe(trace.hoists[0], Variant.GUARD, trace, [], trace)
    assert decision.kind is DecisionKind.REFUSED_HOIST
    assert (decision.sibling, decision.block, decision.lanes) == (21, 2, ("sub0", "sub1"))
