"""Runs the units that the store has no outcome of, and records each outcome as it comes."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .executors import Executor, Job
from .kernels import content_digest
from .model import Answer, ErrorKind, Kernel, Limits, Outcome, Task, Unit
from .store import Store

_COMPRESSION = 6


@dataclass(slots=True)
class Progress:
    """How far a sweep is. total: its units; known: of these, those that the store had; ran: those run since.

    answers, errors: of those that ran.
    """

    total: int
    known: int = 0
    ran: int = 0
    answers: Counter[Answer] = field(default_factory=Counter[Answer])
    errors: Counter[ErrorKind] = field(default_factory=Counter[ErrorKind])

    @property
    def done(self) -> int:
        """Units with an outcome."""
        return self.known + self.ran

    @property
    def hits(self) -> int:
        """What was found by the units that ran."""
        return self.answers[Answer.BUG] + self.answers[Answer.SUSPECT] + self.answers[Answer.OVER]

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.ran += 1
        if outcome.answer is not None:
            self.answers[outcome.answer] += 1
        if outcome.error is not None:
            self.errors[outcome.error] += 1


def run_campaign(
    units: Sequence[Unit],
    store: Store,
    executor: Callable[[], Executor],
    limits: Limits,
    *,
    again: frozenset[ErrorKind] = frozenset({ErrorKind.LOST}),
    show: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Run what is missing. again: kinds of errors that do not count as an outcome.

    executor is called only if there is something to run, and closed. show is called after each outcome, and every
    so often when none comes. Raises OSError if an outcome cannot be recorded, ToolFailure if nothing can run any more.
    """
    missing = [unit for unit in units if not store.done(unit, again)]
    progress = Progress(len(units), len(units) - len(missing))
    show(progress)
    if not missing:
        return progress
    runs = executor()
    try:
        for done in runs.run(_jobs(missing, store, limits, again, progress)):
            if done is not None:
                unit, outcome = done
                store.record(unit, outcome)
                progress.add(outcome)
            show(progress)
    finally:
        runs.close()
    return progress


def _jobs(
    missing: Sequence[Unit], store: Store, limits: Limits, again: frozenset[ErrorKind], progress: Progress
) -> Iterator[Job]:
    last: tuple[Kernel, bytes] | None = None
    for unit in _unclaimed(missing, store):
        # Asked again: another sweep may have been there in the meantime.
        if store.done(unit, again):
            progress.known += 1
            continue
        if last is None or last[0] is not unit.kernel:
            last = unit.kernel, _content(unit.kernel)
        yield (
            unit,
            Task(
                name=unit.kernel.name,
                content=last[1],
                method=unit.kernel.method,
                cpu=unit.kernel.cpu,
                tool=unit.configuration.tool,
                compiler=unit.compiler,
                options=unit.options,
                limits=limits,
            ),
        )


def _unclaimed(missing: Sequence[Unit], store: Store) -> Iterator[Unit]:
    """The units, those that another sweep is about to run last: by then it has run them, or is gone."""
    later: list[Unit] = []
    for unit in missing:
        if store.claim(unit):
            yield unit
        else:
            later.append(unit)
    yield from later


def _content(kernel: Kernel) -> bytes:
    """As it travels; nothing, which no unit takes for a kernel, of a file that is not what it was."""
    try:
        content = kernel.path.read_bytes()
    except OSError:
        return b""
    if content_digest(content, kernel.cpu) != kernel.digest:
        return b""
    return zlib.compress(content, _COMPRESSION)
