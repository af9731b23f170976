"""The trace of the spiller: it must account for every instruction of spill code in the MIR, with its cause."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import AMDGPU, Driver, debug_info

Event = dict[str, Any]


@pytest.fixture
def traced(driver: Driver, miscompiles: Path, tmp_path: Path) -> Callable[..., list[Event]]:
    """Compile the largest miscompile; its stages are left in tmp_path."""

    def run(*flags: str, kernel: Path = miscompiles / "insert_spill_large.ll") -> list[Event]:
        trace = tmp_path / "trace.jsonl"
        finished = driver(
            kernel,
            *AMDGPU,
            f"-spiller-trace={trace}",
            f"-emit-stages={tmp_path}",
            *flags,
            "-o",
            tmp_path / "x.s",
        )
        assert finished.status == 0, finished.stderr
        return [json.loads(line) for line in trace.read_text().splitlines()]

    return run


def _of(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event["event"] == kind]


def _spill_code(mir: str) -> Counter[tuple[str, int]]:
    found = re.findall(r"SI_SPILL_S\d+_(SAVE|RESTORE).*?%stack\.(\d+)", mir)
    return Counter(("save" if kind == "SAVE" else "reload", int(slot)) for kind, slot in found)


@pytest.mark.parametrize(
    "flags",
    [(), ("-hoist-spill-guard=subranges",), ("-private-slot=on",), ("-no-post-optimization",)],
    ids=["off", "guard", "private", "no-post"],
)
def test_insertions_less_removals_are_the_spill_code_of_the_mir(
    traced: Callable[..., list[Event]], tmp_path: Path, flags: tuple[str, ...]
) -> None:
    left: Counter[tuple[str, int]] = Counter()
    for event in traced(*flags):
        if event["event"] in ("insert", "remove") and event["what"] in ("save", "reload"):
            left[event["what"], event["slot"]] += 1 if event["event"] == "insert" else -1
    assert +left == _spill_code((tmp_path / "01-after-greedy-0.mir").read_text())


def test_each_hoist_that_is_not_refused_is_a_store_of_the_sibling(traced: Callable[..., list[Event]]) -> None:
    events = traced()
    allowed = [(e["call"], e["sibling"], e["slot"]) for e in _of(events, "hoist") if not e["refused"]]
    stores = [(e["call"], e["register"], e["slot"]) for e in _of(events, "insert") if e["cause"] == "hoist-inside-bb"]
    assert len(allowed) == 17
    assert allowed == stores


def test_a_refused_hoist_stores_nothing(traced: Callable[..., list[Event]]) -> None:
    events = traced("-hoist-spill-guard=subranges")
    (refused,) = [e for e in _of(events, "hoist") if e["refused"]]
    assert refused["partial_by_subranges"] == 0
    assert refused["dead"] != "0"
    assert refused["dead_names"]
    causes = [
        e["cause"] for e in _of(events, "insert") if (e["call"], e["register"]) == (refused["call"], refused["sibling"])
    ]
    assert "hoist-inside-bb" not in causes


def test_both_phases_and_all_causes_are_told(traced: Callable[..., list[Event]]) -> None:
    events = traced()
    causes = {(e["event"], e["phase"], e["what"], e["cause"]) for e in events if "cause" in e}
    assert {
        ("insert", "spill", "save", "insert-spill"),
        ("insert", "spill", "save", "hoist-inside-bb"),
        ("insert", "spill", "save", "fold"),
        ("insert", "spill", "reload", "insert-reload"),
        ("insert", "spill", "reload", "fold"),
        ("insert", "post-optimization", "save", "hoist-cross-bb"),
        ("remove", "spill", "reload", "coalesced"),
        ("remove", "post-optimization", "save", "redundant-spill"),
    } <= causes


def test_a_removed_store_shows_what_it_was(traced: Callable[..., list[Event]]) -> None:
    removed = [e for e in _of(traced(), "remove") if e["cause"] == "redundant-spill"]
    assert removed
    for event in removed:
        assert event["text"].startswith(event["opcode"])
        assert event["opcode"].endswith("_SAVE")
        assert f"%{event['register']}" in event["text"]
        assert f"%stack.{event['slot']}" in event["text"]


def test_without_post_optimization_nothing_happens_there(traced: Callable[..., list[Event]]) -> None:
    events = traced("-no-post-optimization")
    assert not [e for e in events if e.get("phase") == "post-optimization"]
    assert _of(events, "summary")


def test_private_slots_differ_from_the_shared_one(traced: Callable[..., list[Event]]) -> None:
    events = traced("-private-slot=on", "-private-skip=2", "-private-count=3")
    private = _of(events, "private")
    assert [e["n"] for e in private if e["granted"]] == [2, 3, 4]
    assert [e["n"] for e in private] == list(range(len(private)))
    for event in private:
        assert (event["private_slot"] >= 0) is event["granted"]
        assert event["private_slot"] != event["shared_slot"]
        assert event["missing_names"]
    calls = {e["call"]: e for e in _of(events, "spill")}
    for event in private:
        assert calls[event["call"]]["main"] == event["main"]
        assert calls[event["call"]]["private"] is event["granted"]


def test_the_summary_counts_what_the_events_show(traced: Callable[..., list[Event]]) -> None:
    events = traced("-hoist-spill-guard=lanes")
    summary = _of(events, "summary")[0]
    assert summary["calls"] == len(_of(events, "spill"))
    assert summary["hoist_candidates"] == len(_of(events, "hoist"))
    assert summary["refused"] == sum(e["refused"] for e in _of(events, "hoist"))
    assert summary["private_candidates"] == len(_of(events, "private"))
    assert summary["saves"] == sum(e["what"] == "save" for e in _of(events, "insert"))
    assert summary["reloads"] == sum(e["what"] == "reload" for e in _of(events, "insert"))
    assert summary["redundant_spills"] == sum(e["cause"] == "redundant-spill" for e in _of(events, "remove"))


def test_two_runs_write_the_same(traced: Callable[..., list[Event]]) -> None:
    assert traced() == traced()


def test_another_target(traced: Callable[..., list[Event]], data: Path) -> None:
    events = traced("-mcpu=x86-64", kernel=data / "x86_spills.ll")
    assert {e["class"] for e in _of(events, "spill")} == {"GR64"}
    assert {e["opcode"] for e in _of(events, "insert") if e["what"] == "save"} == {"MOV64mr"}


def test_locations_come_from_the_instruction_that_computed_the_value(
    traced: Callable[..., list[Event]], data: Path, tmp_path: Path
) -> None:
    text = (data / "x86_spills.ll").read_text()
    text = text.replace("ptr %p) {", "ptr %p) !dbg !4 {").replace(
        "%v = mul i64 %u, %z", "%v = mul i64 %u, %z, !dbg !30"
    )
    kernel = tmp_path / "kernel.ll"
    kernel.write_text(text + debug_info(30))
    saves = [e for e in _of(traced("-mcpu=x86-64", kernel=kernel), "insert") if e["what"] == "save"]
    assert [e["loc"] for e in saves] == [[{"file": "kernel.py", "line": 30, "column": 3}]]
