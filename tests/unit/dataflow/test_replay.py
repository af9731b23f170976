"""What is executed of a path before all of it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from regtriage.dataflow import replay as replaying
from regtriage.dataflow.check import CheckResult, Violation, check
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.replay import may_fail, replay
from regtriage.dataflow.targets import AMDGPU

PAIRS = Path(__file__).parents[3] / "reproducers" / "mir"
WRONG = ("lost-over-back-edge", "lost-over-outer-back-edge")


def checked(name: str) -> CheckResult:
    reader = Reader(AMDGPU)
    texts = [(PAIRS / f"{name}.{side}.mir").read_text() for side in ("before", "after")]
    before, after = (reader.read(text, name).functions[0] for text in texts)
    return check(before, after, AMDGPU)


def paths_to(result: CheckResult, violation: Violation, most: int) -> Iterator[tuple[int, ...]]:
    """Every path from the entry to a demand that has at most so many blocks."""
    cfg = result.program.cfg
    waiting: list[tuple[int, ...]] = [(cfg.entry,)]
    for path in waiting:
        if path[-1] == violation.block:
            yield path
        if len(path) < most:
            waiting += [(*path, following) for following in cfg.successors[path[-1]]]


@pytest.mark.parametrize("last", [1, 2, 3, 64])
@pytest.mark.parametrize("name", WRONG)
def test_no_path_that_fails_is_given_up(name: str, last: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replaying, "_LAST_BLOCKS", last)
    result = checked(name)
    assert result.violations
    for violation in result.violations:
        told = [
            (may_fail(result.solver, result.entry_states, violation, path), replay(result.solver, violation, path))
            for path in paths_to(result, violation, 9)
        ]
        assert {may for may, record in told if record is not None} == {True}
        if last == 64:
            # executed from the entry, that is all there is to know
            assert {may for may, record in told if record is None} == {False}
