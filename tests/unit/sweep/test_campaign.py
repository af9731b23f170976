from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from regtriage.tools.llc.run import ToolFailure
from regtriage.tools.sweep.campaign import Progress, run_campaign
from regtriage.tools.sweep.executors import Done, Job
from regtriage.tools.sweep.kernels import find_kernels
from regtriage.tools.sweep.model import Answer, ErrorKind, Limits, Outcome, Unit
from regtriage.tools.sweep.store import Store, open_store

from .make import bug, failure, right, unit


class Fake:
    """Hands out outcomes in turn; what is an exception is raised."""

    workers = 1

    def __init__(self, outcomes: Sequence[Outcome | BaseException | None]) -> None:
        self.outcomes = list(outcomes)
        self.jobs: list[Job] = []
        self.closed = 0

    def __call__(self) -> Fake:
        return self

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
        for job in jobs:
            self.jobs.append(job)
            while (outcome := self.outcomes.pop(0)) is None:
                yield None
            if isinstance(outcome, BaseException):
                raise outcome
            yield job[0], outcome

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "s", create=True) as made:
        yield made


UNITS = [unit("a"), unit("b"), unit("c")]


def names(jobs: Iterable[Job]) -> list[str]:
    return [u.kernel.name for u, _ in jobs]


def test_a_second_time_nothing_is_run_or_even_started(store: Store):
    first = run_campaign(UNITS, store, Fake([bug(), right(), failure()]), Limits())
    assert (first.total, first.known, first.ran, first.hits) == (3, 0, 3, 1)
    assert first.errors == {ErrorKind.COMPILER: 1}

    def never() -> Fake:
        raise AssertionError

    second = run_campaign(UNITS, store, never, Limits())
    assert (second.total, second.known, second.ran) == (3, 3, 0)


def test_a_sweep_that_is_stopped_goes_on_where_it_was(store: Store):
    stopped = Fake([bug(), KeyboardInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        run_campaign(UNITS, store, stopped, Limits())
    assert stopped.closed == 1
    rest = Fake([right(), right()])
    progress = run_campaign(UNITS, store, rest, Limits())
    assert (progress.known, progress.ran) == (1, 2)
    assert names(rest.jobs) == ["b", "c"]


def test_when_nothing_can_run_any_more_what_came_is_kept(store: Store):
    with pytest.raises(ToolFailure, match="gone away"):
        run_campaign(UNITS, store, Fake([bug(), ToolFailure("the scheduler has gone away")]), Limits())
    assert len(store) == 1


def test_what_was_lost_is_run_again_and_other_errors_only_if_asked(store: Store):
    run_campaign(UNITS, store, Fake([failure(ErrorKind.LOST), failure(ErrorKind.TIME_OUT), right()]), Limits())
    again = Fake([right()])
    run_campaign(UNITS, store, again, Limits())
    assert names(again.jobs) == ["a"]
    retried = Fake([bug()])
    run_campaign(UNITS, store, retried, Limits(), again=frozenset(ErrorKind))
    assert names(retried.jobs) == ["b"]


def test_a_unit_that_another_sweep_did_in_the_meantime_is_not_run(store: Store, tmp_path: Path):
    class Other(Fake):
        def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
            for done in super().run(jobs):
                with open_store(tmp_path / "s", create=False) as shared:
                    shared.record(UNITS[1], right(Answer.HAZARD))
                yield done

    executor = Other([right(), right()])
    progress = run_campaign(UNITS, store, executor, Limits())
    assert names(executor.jobs) == ["a", "c"]
    assert (progress.known, progress.ran, progress.done) == (1, 2, 3)


def test_what_another_sweep_is_about_to_run_comes_last(store: Store):
    assert store.claim(UNITS[0])
    store.connection.execute("UPDATE claim SET pid = ?", (os.getppid(),))
    executor = Fake([right(), right(), right()])
    run_campaign(UNITS, store, executor, Limits())
    assert names(executor.jobs) == ["b", "c", "a"]


def test_progress_is_shown_also_when_nothing_comes(store: Store):
    seen: list[tuple[int, int]] = []

    def show(progress: Progress) -> None:
        seen.append((progress.done, progress.hits))

    run_campaign(UNITS, store, Fake([None, right(), bug(), right()]), Limits(), show=show)
    assert seen == [(0, 0), (0, 0), (1, 0), (2, 1), (3, 1)]


def test_kernels_travel_by_content_and_one_that_changed_is_not_taken_for_the_other(store: Store, tmp_path: Path):
    for name in ("a.ll", "b.ll", "c.ll"):
        (tmp_path / name).write_text(f"define void @{name[0]}() {{ ret void }}\n")
    kernels = find_kernels([tmp_path]).kernels
    (tmp_path / "b.ll").write_text("something else")
    (tmp_path / "c.ll").unlink()
    executor = Fake([right(), right(), right()])
    units: list[Unit] = [replace(unit(k.name), kernel=k) for k in kernels]
    run_campaign(units, store, executor, Limits(5, 6))
    assert [bool(task.content) for _, task in executor.jobs] == [True, False, False]
    assert executor.jobs[0][1].limits == Limits(5, 6)
