"""Events of a spiller's trace, made by hand: a partly defined register and a whole one of %1 share %stack.0."""

from __future__ import annotations

from typing import Any

from regtriage.dataflow.findings import Exit, ExitBasis, Finding, FindingKind, Layer, Place
from regtriage.dataflow.trace import Event, SpillerTrace

USE = Place("after.mir", 9, "bb.4", "S_USE $sgpr4", ())


def spill(call: int, main: int, original: int, slot: int, *, private: bool = False) -> Event:
    return {"allocation": 0, "call": call, "main": main, "original": original, "slot": slot, "private": private}


def private(call: int, main: int, original: int, n: int, *, granted: bool = False, missing: str = "f0") -> Event:
    return {
        "allocation": 0, "function": "k", "call": call, "main": main, "original": original, "n": n, "granted": granted,
        "private_slot": 5 if granted else -1, "shared_slot": 0, "class": "SGPR_128", "missing": missing,
        "missing_names": ["sub2", "sub3"], "loc": [],
    }  # fmt: skip


def save(call: int, block: int, register: int, slot: int, cause: str = "insert-spill", **more: Any) -> Event:
    text = f"SI_SPILL_S128_SAVE %{register}, %stack.{slot}, implicit $exec :: (store (s128) into %stack.{slot})"
    return {
        "allocation": 0, "call": call, "what": "save", "cause": cause, "slot": slot, "register": register,
        "block": block, "opcode": "SI_SPILL_S128_SAVE", "text": text, "loc": [], **more,
    }  # fmt: skip


def hoist(call: int, main: int, sibling: int, block: int, original: int = 1, n: int | None = None) -> Event:
    return {
        "allocation": 0, "function": "k", "call": call, "main": main, "original": original, "slot": 0,
        "register": main, "sibling": sibling, "partial_by_subranges": n, "partial_by_lanes": n, "refused": False,
        "class": "SGPR_128", "dead": "f", "dead_names": ["sub0", "sub1"], "block": block, "loc": [],
    }  # fmt: skip


def finding(exit_: Exit, store: tuple[int, int, int, str] | None) -> Finding:
    """%1.sub0 is lost by a store: allocation, block, slot, register."""
    return Finding(
        "f", FindingKind.VALUE, Layer.REWRITTEN, "virtregrewriter,0", exit_, ExitBasis.TRACE, None, "$sgpr4", None,
        None, None, USE, (), loop_carried=False, loop=(), path=(), replayed=True, explanation="", store=store,
    )  # fmt: skip


def shared() -> SpillerTrace:
    """%10 is whole and stored in bb.1, %20 is partly defined and stored in bb.2, both into the slot of %1."""
    return SpillerTrace(
        privates=[private(1, 20, 1, 0)],
        inserts=[save(0, 1, 11, 0), save(1, 2, 21, 0)],
        spills=[spill(0, 10, 1, 0), spill(1, 20, 1, 0), spill(2, 30, 2, 1)],
    )


def separate() -> SpillerTrace:
    """The same, with a private slot for %20."""
    return SpillerTrace(
        privates=[private(1, 20, 1, 0, granted=True)],
        inserts=[save(0, 1, 11, 0), save(1, 2, 21, 5)],
        spills=[spill(0, 10, 1, 0), spill(1, 20, 1, 5, private=True), spill(2, 30, 2, 1)],
    )
