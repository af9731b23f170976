"""Worker processes that leave Ctrl-C to the one that started them.

A terminal sends SIGINT to all of them. One that is still importing, or waits for work, would end with a traceback; so
each is started with SIGINT blocked, which exec keeps, and takes it only while it does a task. What arrives before waits
until then.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, resource_tracker
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


@contextlib.contextmanager
def sigint_blocked() -> Generator[None]:
    """Until then, this thread does not take SIGINT; processes and threads that it starts in between never do."""
    resource_tracker.ensure_running()  # which else unblocks it, once, in the middle
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers(ProcessPoolExecutor):
    """A pool of fresh interpreters: the caller may run a progress thread, which a forked process would inherit."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, mp_context=get_context("spawn"))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """See Executor.submit."""
        # the whole of it: it may start a worker, and a pool that is half made cannot be closed
        with sigint_blocked():
            return super().submit(_interruptible, fn, *args, **kwargs)


def _interruptible(task: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return task(*args, **kwargs)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
