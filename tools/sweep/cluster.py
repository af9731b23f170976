"""Units on the workers of dask.distributed: a cluster on this machine, or one that is there already.

A kernel travels inside the task, so that whichever worker comes next can take a task over from one that died, and the
workers need nothing but this package. Only so many tasks are out at a time as keep the workers busy, since each carries
a kernel. The unit itself runs in a process of its own (`fork`), so that a worker outlives it.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import logging
import queue
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from regtriage.tools.llc.errors import InputError, ToolFailure
from regtriage.tools.workers import sigint_blocked

from .executors import Done, Job
from .fork import run_task
from .model import ErrorKind, Outcome, Unit
from .versions import tool_version

_A_WHILE = 1.0
"""Seconds without an outcome after which the caller hears from us."""

_AHEAD = 2
"""Tasks per worker: the one that runs, and one that is there when it ends."""

_CONNECT_SECONDS = 10
_CLOSE_SECONDS = 5


def local_cluster(workers: int) -> Cluster:
    """A cluster of this machine's processes. Raises InputError if dask is not installed, ToolFailure."""
    distributed = _distributed()
    try:
        # so that Ctrl-C ends them in order, by close
        with sigint_blocked():
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                # What needs memory is not the worker but the process of a unit, which has its own limit.
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                local_directory=tempfile.gettempdir(),
            )
        client = distributed.Client(cluster, set_as_default=False)
    except (OSError, RuntimeError) as error:
        raise ToolFailure(f"regtriage: error: no local cluster can be started: {error}") from None
    return Cluster(client, cluster)


def connect(address: str) -> Cluster:
    """The cluster whose scheduler has this address.

    Raises InputError if dask is not installed or the address is none, ToolFailure if there is no scheduler, or a
    worker does not have this very version.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except ValueError as error:
        raise InputError(f"--scheduler {address}: error: {error}") from None
    except (OSError, RuntimeError) as error:
        raise ToolFailure(f"{address}: error: no scheduler answers: {error}") from None
    cluster = Cluster(client, None)
    try:
        _refuse_other_versions(client)
    except BaseException:
        cluster.close()
        raise
    return cluster


class Cluster:
    """See Executor. client: of dask.distributed; cluster: what is to be closed with it, or None."""

    def __init__(self, client: Any, cluster: Any) -> None:
        self._client = client
        self._cluster = cluster

    @property
    def workers(self) -> int:
        """How many units the cluster runs at a time; it may have no worker yet."""
        threads: dict[str, int] = self._client.nthreads()
        return sum(threads.values())

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | None]:
        """See Executor."""
        left = iter(jobs)
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: dict[Any, Unit] = {}
        more = True
        while True:
            room = max(1, _AHEAD * self._workers_now()) - len(running) if more else 0
            for _ in range(room):
                job = next(left, None)
                if job is None:
                    more = False
                    break
                unit, task = job
                future = self._client.submit(run_task, task, pure=False)
                running[future] = unit
                future.add_done_callback(ended.put)
            if not running:
                return
            try:
                future = ended.get(timeout=_A_WHILE)
            except queue.Empty:
                yield None
                continue
            yield running.pop(future), self._outcome(future)

    def _workers_now(self) -> int:
        try:
            return self.workers
        except (OSError, RuntimeError, TimeoutError) as error:
            raise _gone(error) from None

    def _outcome(self, future: Any) -> Outcome:
        if future.status == "finished":
            outcome: Outcome = future.result()
            return outcome
        if future.status == "error":
            error = future.exception()
            return Outcome(error=ErrorKind.LOST, message=f"no worker could run it: {type(error).__name__}: {error}")
        raise _gone(future.status)

    def close(self) -> None:
        """End the cluster, if it was made for this; what still runs is dropped."""
        for part in (self._client, self._cluster):
            if part is not None:
                # On a machine that is busy it may take longer; the processes end with this one at the latest.
                with contextlib.suppress(OSError, TimeoutError):
                    part.close(timeout=_CLOSE_SECONDS)


def _gone(why: object) -> ToolFailure:
    return ToolFailure(f"regtriage: error: the scheduler has gone away ({why})")


def require() -> None:
    """Raises InputError if dask is not installed. Does not import it, which takes half a second."""
    if importlib.util.find_spec("distributed") is None:
        raise InputError(
            "regtriage: error: a sweep over several processes needs dask: pip install 'regtriage[sweep]', "
            "or --scheduler none"
        )


def _distributed() -> Any:
    require()
    distributed = importlib.import_module("distributed")
    # What it would say is about workers that come and go, which is nothing to worry the user with.
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _refuse_other_versions(client: Any) -> None:
    try:
        versions: dict[str, str] = client.run(tool_version)
    except Exception as error:
        raise ToolFailure(
            f"regtriage: error: the workers cannot run this package: {error}: install the same regtriage there"
        ) from None
    for address, version in sorted(versions.items()):
        if version != tool_version():
            raise ToolFailure(f"{address}: error: the worker has regtriage {version}, this is {tool_version()}")
