"""How far a sweep is: a bar on a terminal, else a line every so often. On stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Generator

from regtriage.tools.sweep.campaign import Progress

from . import output

_EVERY = 30.0
"""Seconds between lines where there is no terminal."""


@contextlib.contextmanager
def sweep_progress() -> Generator[Callable[[Progress], None]]:
    """A function that shows how far the sweep is."""
    if not sys.stderr or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _Lines().show
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    pace = Pace()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda progress: bar.update(
            task, total=progress.total, completed=progress.done, description=pace.words(progress)
        )


class Pace:
    """Rate and time left, of the units that run: those that the store had took no time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()

    def words(self, progress: Progress) -> str:
        """Hits, errors, the rate, and how long it will take."""
        passed = self._clock() - self._started
        parts = [f"{progress.hits} hit", f"{sum(progress.errors.values())} failed"]
        if progress.ran and passed > 0:
            rate = progress.ran / passed
            parts += [f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"]
            parts += [f"{duration((progress.total - progress.done) / rate)} left"]
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 05 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


class _Lines:
    def __init__(self) -> None:
        self._pace = Pace()
        self._last = time.monotonic()

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            output.complain(f"regtriage: {progress.done} of {progress.total} units, {self._pace.words(progress)}")
