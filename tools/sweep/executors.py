"""What runs units: here one after the other, or the workers of a cluster (`cluster`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from .fork import ForkServer
from .model import Outcome, Task, Unit

Job = tuple[Unit, Task]
Done = tuple[Unit, Outcome]


class Executor(Protocol):
    """Runs jobs. workers: how many units it runs at a time, as far as is known now."""

    @property
    def workers(self) -> int: ...  # noqa: D102

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
        """Outcomes as they come; a job is taken when there is room for it. None: a while has passed, nothing came.

        Raises ToolFailure if there is nothing left that could run a job.
        """
        ...

    def close(self) -> None:
        """End what was started for it."""
        ...


class Serial:
    """One unit after the other, each in a process of its own, on this machine. dask is not needed for it."""

    workers = 1

    def __init__(self) -> None:
        self._server = ForkServer()

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
        """See Executor."""
        for unit, task in jobs:
            yield unit, self._server.run(task)

    def close(self) -> None:
        """See Executor."""
        self._server.close()
