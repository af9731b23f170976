"""Units on a cluster: with a client that only pretends, and, marked slow, with real workers, one of which is killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from regtriage.tools.llc.run import InputError, ToolFailure, Variant, resolve_llc
from regtriage.tools.sweep import cluster as cluster_module
from regtriage.tools.sweep.campaign import run_campaign
from regtriage.tools.sweep.cluster import Cluster, connect, local_cluster
from regtriage.tools.sweep.executors import Executor, Job
from regtriage.tools.sweep.kernels import find_kernels
from regtriage.tools.sweep.model import NO_COMPILER, Answer, ErrorKind, Limits, Outcome
from regtriage.tools.sweep.plan import Plan, Settings, make_plan
from regtriage.tools.sweep.store import open_store
from regtriage.tools.sweep.versions import compiler_of, tool_version

from .make import REPRODUCERS, right, task, unit


@dataclass(eq=False)
class FakeFuture:
    status: str = "finished"
    value: Any = None

    def result(self) -> Any:
        return self.value

    def exception(self) -> Any:
        return self.value

    def add_done_callback(self, callback: Callable[[FakeFuture], None]) -> None:
        callback(self)


@dataclass
class FakeClient:
    """A scheduler whose workers answer at once, as told."""

    futures: list[FakeFuture] = field(default_factory=list[FakeFuture])
    threads: dict[str, int] = field(default_factory=lambda: {"a": 1, "b": 2})
    submitted: int = 0
    closed: bool = False

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def submit(self, function: object, *arguments: object, pure: bool) -> FakeFuture:
        self.submitted += 1
        return self.futures.pop(0)

    def close(self, timeout: float) -> None:
        self.closed = True
        raise TimeoutError


def jobs(count: int) -> Iterator[Job]:
    for number in range(count):
        yield unit(f"k{number}"), task(NO_COMPILER)


def run(client: FakeClient, count: int) -> list[tuple[str, Outcome]]:
    done = Cluster(client, None).run(jobs(count))
    return [(made[0].kernel.name, made[1]) for made in done if made is not None]


def test_outcomes_come_with_their_units():
    outcomes = [replace(right(), wrong=number) for number in range(20)]
    done = run(FakeClient([FakeFuture(value=outcome) for outcome in outcomes]), 20)
    assert sorted(done, key=lambda d: d[1].wrong) == [(f"k{n}", outcome) for n, outcome in enumerate(outcomes)]


def test_only_so_many_are_out_as_keep_the_workers_busy():
    client = FakeClient([FakeFuture(value=right()) for _ in range(20)])
    done = Cluster(client, None).run(jobs(20))
    next(done)
    assert client.submitted == 6
    client.threads = {"a": 1}
    for _ in range(4):
        next(done)
    assert client.submitted == 6, "of the six one is left, which is enough for one worker until it ends"
    client.threads = {}
    next(done)
    next(done)
    assert client.submitted == 7, "without a worker one waits"


def test_what_no_worker_survives_is_lost_and_does_not_stop_the_rest():
    futures = [FakeFuture("error", MemoryError("four workers died")), FakeFuture(value=right())]
    first, second = run(FakeClient(futures), 2)
    assert first[1].error is ErrorKind.LOST
    assert first[1].message == "no worker could run it: MemoryError: four workers died"
    assert second[1].answer is Answer.CLEAN


def test_a_scheduler_that_goes_away_ends_it():
    with pytest.raises(ToolFailure, match="the scheduler has gone away"):
        run(FakeClient([FakeFuture(value=right()), FakeFuture("cancelled")]), 2)


def test_a_cluster_that_takes_its_time_to_close_spoils_nothing():
    client, cluster = FakeClient(), FakeClient()
    Cluster(client, cluster).close()
    assert (client.closed, cluster.closed) == (True, True)


def test_without_dask_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster_module.importlib.util, "find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with pytest.raises(InputError, match=r"pip install 'regtriage\[sweep\]', or --scheduler none"):
        local_cluster(1)


def test_an_address_that_is_none():
    with pytest.raises(InputError, match="--scheduler what://is this: error: "):
        connect("what://is this")


def test_an_address_where_nobody_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 0.2)
    with pytest.raises(ToolFailure, match=r"tcp://127\.0\.0\.1:9: error: no scheduler answers"):
        connect("tcp://127.0.0.1:9")


# -- real ones -------------------------------------------------------------------------------------------------


def miscompiles() -> Plan:
    kernels = find_kernels([REPRODUCERS / "miscompiles"]).kernels
    settings = Settings(variants=(Variant.OFF, Variant.PRIVATE))
    return make_plan(kernels, [(compiler_of("builtin")[0], resolve_llc())], settings, tool_version())


EXPECTED = {
    ("insert_spill_65.ll", "off"): "BUG",
    ("insert_spill_65.ll", "private"): "CLEAN",
    ("insert_spill_large.ll", "off"): "BUG",
    ("insert_spill_large.ll", "private"): "CLEAN",
    ("redundant_spill.ll", "off"): "BUG",
    ("redundant_spill.ll", "private"): "CLEAN",
}


def sweep_and_kill(file: Path, executor: Callable[[], Executor], kill: Callable[[Executor], None]) -> None:
    """Run all units, kill after the first outcome, and see that nothing is lost."""
    made: list[Executor] = []
    seen: list[int] = []

    def start() -> Executor:
        made.append(executor())
        return made[0]

    def show(done: int) -> None:
        seen.append(done)
        if done == 1 and seen.count(1) == 1:
            kill(made[0])

    with open_store(file, create=True) as store:
        progress = run_campaign(
            miscompiles().units, store, start, Limits(seconds=300), show=lambda progress: show(progress.done)
        )
        assert (progress.ran, dict(progress.errors)) == (6, {})
        rows = store.connection.execute(
            "SELECT name, variant, answer FROM unit u JOIN kernel k ON k.id = u.kernel "
            "JOIN configuration c ON c.id = u.configuration"
        )
        assert {(name, variant): answer for name, variant, answer in rows} == EXPECTED


def kill_a_worker(executor: Executor) -> None:
    assert isinstance(executor, Cluster)
    pids: dict[str, int] = executor._client.run(os.getpid)  # pyright: ignore[reportPrivateUsage]
    assert len(pids) == 2
    os.kill(next(iter(pids.values())), signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_of_the_local_cluster_is_killed_and_nothing_is_lost(tmp_path: Path):
    sweep_and_kill(tmp_path / "s", lambda: local_cluster(2), kill_a_worker)


@pytest.fixture
def address() -> Generator[str]:
    """Of a scheduler with two workers, each a process of its own that nobody starts again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    commands = [["scheduler", "--host", "127.0.0.1", "--port", str(port)]]
    commands += [["worker", address, "--nthreads", "1", "--no-nanny"]] * 2
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        yield address
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_worker_of_another_cluster_is_killed_and_nothing_is_lost(tmp_path: Path, address: str):
    def start() -> Executor:
        cluster = connect(address)
        cluster._client.wait_for_workers(2, timeout=60)  # pyright: ignore[reportPrivateUsage]
        return cluster

    sweep_and_kill(tmp_path / "s", start, kill_a_worker)
