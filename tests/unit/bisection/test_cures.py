from __future__ import annotations

from dataclasses import replace

from regtriage.dataflow.cures import judge_cure, judge_harm, judge_hoist, judge_private_slot
from regtriage.dataflow.findings import Exit
from regtriage.dataflow.trace import SpillerTrace

from .traces import finding, hoist, private, save, separate, shared, spill

LOST = finding(Exit.INSERT_SPILL, (0, 2, 0, "21"))


def test_the_slot_of_the_register_that_is_stored_is_the_cause():
    reason = judge_private_slot([LOST], shared(), separate(), separate().privates[0])
    assert reason.is_cause
    assert reason.why == (
        "partly defined %20 of %1 has a slot of its own: its store of %21 into %stack.0 in bb.2 is the one that does it"
    )


def test_the_slot_of_another_value_is_not():
    reason = judge_private_slot([LOST], shared(), shared(), private(2, 30, 2, 1, granted=True))
    assert not reason.is_cause
    assert reason.why.endswith("the store of %21 into %stack.0 in bb.2 is one of %1: the allocation moved")


def test_the_slot_of_a_sibling_is_the_cause_if_partial_and_other_stores_no_longer_meet():
    sibling = private(3, 40, 1, 1, granted=True)
    assert not judge_private_slot([LOST], shared(), shared(), sibling).is_cause
    alone = replace(shared(), inserts=[save(1, 2, 21, 0)])
    assert judge_private_slot([LOST], shared(), alone, sibling).is_cause


def test_a_store_that_was_removed_again_does_not_count():
    removed = replace(shared(), removes=[save(0, 1, 11, 0, "redundant-spill")])
    assert judge_private_slot([LOST], shared(), removed, private(3, 40, 1, 1, granted=True)).is_cause


def test_a_finding_without_a_store_has_no_cause_in_the_spiller():
    lost = finding(Exit.SPLIT, None)
    assert not judge_private_slot([lost], shared(), separate(), separate().privates[0]).is_cause
    assert not judge_hoist([lost], shared(), hoist(1, 20, 21, 2)).is_cause
    assert not judge_cure([lost], shared(), separate()).is_cause


def test_every_finding_must_have_that_cause():
    other = finding(Exit.INSERT_SPILL, (0, 3, 1, "31"))
    wrong = replace(shared(), inserts=[*shared().inserts, save(2, 3, 31, 1)])
    assert not judge_private_slot([LOST, other], wrong, separate(), separate().privates[0]).is_cause


def test_no_finding_has_no_cause():
    assert not judge_private_slot([], shared(), separate(), separate().privates[0]).is_cause


def test_the_incomplete_store_that_stayed_is_a_cause_of_a_redundant_spill():
    wrong = replace(shared(), removes=[save(0, 1, 11, 0, "redundant-spill")])
    lost = finding(Exit.REDUNDANT_SPILL, (0, 2, 0, "21"))
    assert judge_private_slot([lost], wrong, separate(), separate().privates[0]).is_cause


def hoisted() -> SpillerTrace:
    trace = shared()
    return replace(
        trace, inserts=[trace.inserts[0], save(1, 2, 21, 0, "hoist-inside-bb")], hoists=[hoist(1, 20, 21, 2)]
    )


def test_the_hoist_that_made_the_store_is_the_cause():
    lost = finding(Exit.HOIST_INSIDE_BB, (0, 2, 0, "21"))
    reason = judge_hoist([lost], hoisted(), hoist(1, 20, 21, 2))
    assert reason.is_cause
    assert reason.why == "refused the very hoist that makes the store of %21 into %stack.0 in bb.2"


def test_another_hoist_is_not():
    lost = finding(Exit.HOIST_INSIDE_BB, (0, 2, 0, "21"))
    reason = judge_hoist([lost], hoisted(), hoist(1, 20, 22, 2, original=7))
    assert not reason.is_cause
    assert "the hoist of %22 of %7 in bb.2" in reason.why


def test_a_hoist_does_not_cure_an_ordinary_store():
    assert not judge_hoist([LOST], hoisted(), hoist(1, 20, 21, 2)).is_cause


def test_a_variant_is_judged_by_the_decision_that_is_like_the_one_behind_the_store():
    renumbered = SpillerTrace(
        privates=[private(1, 25, 1, 0, granted=True, missing="ff"), private(2, 29, 1, 1, granted=True)],
        spills=[spill(1, 25, 1, 5, private=True), spill(2, 29, 1, 6, private=True)],
    )
    reason = judge_cure([LOST], shared(), renumbered)
    assert reason.is_cause
    assert "%29 of %1" in reason.why


def test_a_variant_that_refuses_other_hoists_has_moved_the_allocation():
    lost = finding(Exit.HOIST_INSIDE_BB, (0, 2, 0, "21"))
    other = replace(hoisted(), hoists=[{**hoist(1, 20, 21, 3), "refused": True}])
    assert not judge_cure([lost], hoisted(), other).is_cause
    same = replace(hoisted(), hoists=[{**hoist(4, 27, 28, 2), "refused": True}])
    assert judge_cure([lost], hoisted(), same).is_cause


def test_a_decision_does_harm_if_the_bad_store_is_of_its_original():
    assert judge_harm([LOST], shared(), hoist(1, 20, 21, 2)).is_cause
    assert not judge_harm([LOST], shared(), hoist(1, 20, 21, 2, original=7)).is_cause
