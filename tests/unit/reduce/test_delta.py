from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from regtriage.dataflow.findings import Finding, PathStep
from regtriage.tools.llc.run import InputError
from regtriage.tools.reduce.delta import Reduction
from regtriage.tools.reduce.interesting import Judge
from regtriage.tools.reduce.ir import IrForm, off_path
from regtriage.tools.reduce.model import Outcome

from .test_ir import KERNEL, setup_for


def reduction_in(folder: Path, key: str = "key", seed: int = 0, jobs: int = 1) -> Reduction:
    return Reduction(IrForm(setup_for()), folder, key, jobs, seed, 1, lambda _: None)


def small_form() -> IrForm:
    """Two passes only: reducing everything takes minutes."""
    return IrForm(setup_for(), coarse=("attributes",), passes=("attributes", "operands-zero"))


def reduced(folder: Path, jobs: int, descents: int) -> Reduction:
    reduction = Reduction(small_form(), folder, "key", jobs, 0, descents, lambda _: None)
    reduction.begin(KERNEL.read_text(), 2)
    reduction.run()
    return reduction


@pytest.mark.slow
def test_workers_do_not_change_the_result(tmp_path: Path):
    one = reduced(tmp_path / "one", 1, 2)
    two = reduced(tmp_path / "two", 2, 2)
    assert one.best.read_text() == two.best.read_text()
    assert one.counts.kept == two.counts.kept > 0
    assert Judge(setup_for()).judge(one.best).outcome is Outcome.KEPT


@pytest.mark.slow
def test_the_smallest_descent_counts(tmp_path: Path):
    found = reduced(tmp_path, 2, 3)
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    sizes = [entry["size"] for entry in log if entry["event"] == "descent"]
    assert len(sizes) == 3
    assert small_form().size(found.best.read_text()) == min(sizes)
    assert not set(sizes) - {entry["size"] for entry in log if entry["event"] in ("begin", "kept")}


@pytest.mark.slow
def test_what_is_interrupted_ends_as_if_it_had_not_been(tmp_path: Path):
    whole = reduced(tmp_path / "whole", 1, 1)
    said: list[str] = []

    def interrupt(text: str) -> None:
        said.append(text)
        if len(said) == 8:
            raise KeyboardInterrupt

    first = Reduction(small_form(), tmp_path / "parts", "key", 1, 0, 1, interrupt)
    first.begin(KERNEL.read_text(), 2)
    with pytest.raises(KeyboardInterrupt):
        first.run()
    assert Judge(setup_for()).judge(first.best).outcome is Outcome.KEPT
    assert not list((tmp_path / "parts").glob("candidate-*"))
    second = Reduction(small_form(), tmp_path / "parts", "key", 2, 0, 1, lambda _: None)
    assert second.resume()
    second.run()
    assert second.best.read_text() == whole.best.read_text()


def test_a_state_is_taken_up_again(tmp_path: Path):
    first = reduction_in(tmp_path)
    first.begin("define void @k() {\n}\n")
    state = json.loads((tmp_path / "state.json").read_text())
    state["cursor"] |= {"round": 2, "place": 3, "chunk": 4, "end": 5}
    (tmp_path / "state.json").write_text(json.dumps(state))
    second = reduction_in(tmp_path)
    assert second.resume()
    assert (second.cursor.round, second.cursor.place, second.cursor.chunk, second.cursor.end) == (2, 3, 4, 5)
    assert second.best == first.best
    assert second.cursor.been == first.cursor.been


def test_nothing_to_take_up(tmp_path: Path):
    assert not reduction_in(tmp_path).resume()


@pytest.mark.parametrize("state", ["", "{}", '{"key": "key", "cursor": {"other": 1}}'])
def test_a_state_that_is_none(tmp_path: Path, state: str):
    (tmp_path / "state.json").write_text(state)
    with pytest.raises(InputError, match="not the state of a reduction"):
        reduction_in(tmp_path).resume()


def test_the_state_of_another_call(tmp_path: Path):
    reduction_in(tmp_path).begin("x\n")
    with pytest.raises(InputError, match="another input or call"):
        reduction_in(tmp_path, key="other").resume()


def test_beginning_again_forgets_what_was(tmp_path: Path):
    reduction_in(tmp_path).begin("x\n")
    (tmp_path / "drifted-1.ll").write_text("")
    reduction_in(tmp_path).begin("y\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["best-0.ll", "log.jsonl", "state.json"]
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize(("lost", "least"), [(19, [6, 3, 1]), (4, [4, 3, 1]), (1, [1, 1, 1])])
def test_fewer_lanes_must_stay_lost_level_by_level(lost: int, least: list[int], tmp_path: Path):
    reduction = reduction_in(tmp_path)
    reduction.begin("x\n", lost)
    seen: list[int] = []
    for level in range(3):
        reduction.cursor.level = level
        seen.append(reduction.least)
    assert seen == least


def test_blocks_off_the_paths_go_first():
    findings = [on_path("bb.0.entry", "bb.4.b2"), on_path("bb.0.entry", "bb.7.b3")]
    hints = [drop for _, drop in off_path("returns", ["entry", "b1", "b2", "b3", "b4"], findings)]
    # all that is off one path, off the other, off both, and parts of the last
    assert hints == [(1, 3, 4), (1, 2, 4), (1, 4), (1,), (4,)]


def on_path(*blocks: str) -> Finding:
    found = Judge(setup_for()).judge(KERNEL).findings[0]
    return dataclasses.replace(found, path=tuple(PathStep(block, back_edge=False) for block in blocks))


def test_steps_are_tidied_away(tmp_path: Path):
    reduction = reduction_in(tmp_path)
    reduction.begin(KERNEL.read_text())
    (tmp_path / "best-1.ll").write_text("old")
    reduction.tidy()
    assert [file.name for file in tmp_path.glob("best-*")] == ["best-0.ll"]


def test_what_does_not_serve_is_not_resumed(tmp_path: Path):
    reduction = reduction_in(tmp_path)
    reduction.begin(KERNEL.read_text())
    assert reduction_in(tmp_path).resume()
    reduction.abandon()
    assert not reduction_in(tmp_path).resume()
