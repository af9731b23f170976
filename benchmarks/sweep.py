"""What a sweep costs besides its units: a query of a large store, and what a second process gains.

Usage: python benchmarks/sweep.py query [--units N]
       python benchmarks/sweep.py scaling [KERNEL] [--units N] [--rounds R]

`query` fills a store with N made-up units (100,000: 8,333 kernels under 12 settings, one in twenty BUG) and prints how
long the whole report takes, as a function and as a command, and how long it takes to find that nothing has to be run.

`scaling` runs N units of a kernel on a local dask cluster of one and of two workers, and beside each the same units by
one and by two plain threads that each order them from a process of their own: that is what the machine gives at the
time, and what it cannot give no cluster can. Rounds are interleaved and the best of each counts. The cluster's start is
not counted.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from regtriage.tools.llc.run import Variant
from regtriage.tools.sweep.cluster import local_cluster
from regtriage.tools.sweep.executors import Job
from regtriage.tools.sweep.figures import figures_of
from regtriage.tools.sweep.fork import ForkServer
from regtriage.tools.sweep.model import (
    Answer,
    Configuration,
    ErrorKind,
    Found,
    Kernel,
    Limits,
    Method,
    Options,
    Outcome,
    Task,
    Unit,
)
from regtriage.tools.sweep.plan import flags_of
from regtriage.tools.sweep.store import open_store
from regtriage.tools.sweep.versions import compiler_of, tool_version

KERNEL = Path(__file__).parents[1] / "reproducers" / "miscompiles" / "insert_spill_large.ll"
_SETTINGS = [
    Options(variant, attributes=attributes)
    for variant in (Variant.OFF, Variant.GUARD, Variant.PRIVATE)
    for attributes in ((), *((("amdgpu-waves-per-eu", n),) for n in "123"))
]


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Seconds that pass, and seconds of this process's and its children's processor time."""
    started, used = time.perf_counter(), processor_time()
    action()
    return time.perf_counter() - started, processor_time() - used


def processor_time() -> float:
    """Of this process and of its children that have ended, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def best(action: Callable[[], object]) -> str:
    """The best of five calls, in words."""
    passed, used = zip(*(timed(action) for _ in range(5)), strict=True)
    return f"{min(passed):.2f} s, of the processor {min(used):.2f} s"


# -- query ---------------------------------------------------------------------------------------------------------


def made_up(count: int) -> Iterator[tuple[Unit, Outcome]]:
    """Units with outcomes as they are seen in real sweeps: mostly clean, some wrong, some failed."""
    dice = random.Random(1)
    compiler, _ = compiler_of("builtin")
    for number in range(count):
        at, setting = divmod(number, len(_SETTINGS))
        options = _SETTINGS[setting]
        kernel = Kernel(f"{at:064x}", f"package/kernel-{at}.llir", Path(), Method.PROOF, "", 30_000)
        configuration = Configuration(
            tool_version(), compiler.kind, compiler.version, compiler.build, str(options.variant), flags_of(options)
        )
        yield Unit(kernel, compiler, options, configuration), outcome(dice)


def outcome(dice: random.Random) -> Outcome:
    """Of one unit."""
    kind = dice.random()
    spills, seconds = int(dice.expovariate(1 / 60)), dice.expovariate(1.0)
    if kind < 0.05:
        found = tuple(
            Found("k", f"{dice.getrandbits(48):012x}", "value", "insert-spill", "trace", "%1.sub0", "k.py:1:2")
            for _ in range(4)
        )
        return Outcome(
            Answer.BUG, wrong=4, spills=spills, runs=50, differ=50, found=found, result="{}", seconds=seconds
        )
    if kind < 0.06:
        return Outcome(error=ErrorKind.COMPILER, message=f"llc: error: number {dice.randrange(20)}", seconds=seconds)
    answer = Answer.HAZARD if kind < 0.08 else Answer.UNPROVEN if kind < 0.09 else Answer.CLEAN
    return Outcome(answer, spills=spills, result="{}", seconds=seconds)


def query(count: int) -> None:
    """Print how long a report over so many units takes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "units.sqlite"
        with open_store(file, create=True) as store:
            # Of a scratch file nothing has to survive a power cut, so filling it need not wait for the disk.
            store.connection.execute("PRAGMA synchronous = OFF")
            units = list(made_up(count))
            filling, _ = timed(lambda: [store.record(*pair) for pair in units])
            planning, _ = timed(lambda: all(store.done(unit, frozenset()) for unit, _ in units))
        size = file.stat().st_size >> 20
        print(f"{count} units, {size} MiB, recorded in {filling:.0f} s; load {os.getloadavg()[0]:.1f}")
        print(f"  found that nothing is to be run: {planning:.2f} s")
        with open_store(file, create=False) as store:
            print(f"  the whole report: {best(lambda: figures_of(store))}")
            print(f"  of one variant: {best(lambda: figures_of(store, {'variant': 'off'}))}")
        command = [sys.executable, "-m", "regtriage.tools.cli", "sweep", "report", str(file)]
        called = best(lambda: subprocess.run(command, check=True, capture_output=True))
        print(f"  `regtriage sweep report`, with Python's start: {called}")


# -- scaling -------------------------------------------------------------------------------------------------------


def jobs(kernel: Path, count: int) -> list[Job]:
    """So many units of one kernel."""
    compiler, _ = compiler_of("builtin")
    text = kernel.read_bytes()
    made: list[Job] = []
    for number in range(count):
        options = Options(Variant.PRIVATE)
        task = Task(
            f"{number}-{kernel.name}",
            zlib.compress(text),
            Method.PROOF,
            "",
            tool_version(),
            compiler,
            options,
            Limits(),
        )
        unit = Unit(
            Kernel(str(number), task.name, kernel, Method.PROOF, "", len(text)),
            compiler,
            options,
            Configuration(task.tool, compiler.kind, compiler.version, compiler.build, "private", ""),
        )
        made.append((unit, task))
    return made


def on_cluster(work: list[Job], workers: int) -> float:
    """Seconds on a local cluster. Raises SystemExit if a unit has no answer."""
    cluster = local_cluster(workers)
    try:
        # Each worker imports what it needs with its first unit.
        list(cluster.run(work[: 2 * workers]))
        started = time.perf_counter()
        done = [outcome for made in cluster.run(work) if made is not None for outcome in made[1:]]
        seconds = time.perf_counter() - started
    finally:
        cluster.close()
    if any(outcome.answer is None for outcome in done) or len(done) != len(work):
        raise SystemExit(f"a unit has no answer: {next(o.message for o in done if o.answer is None)}")
    return seconds


def by_threads(work: list[Job], workers: int) -> float:
    """Seconds by plain threads, each with a fork server."""
    left: queue.SimpleQueue[Task] = queue.SimpleQueue()
    servers = [ForkServer() for _ in range(workers)]
    for server in servers:
        server.run(replace(work[0][1]))
    for _, task in work:
        left.put(task)

    def drain(server: ForkServer) -> None:
        while not left.empty():
            try:
                server.run(left.get_nowait())
            except queue.Empty:
                return

    threads = [threading.Thread(target=drain, args=(server,)) for server in servers]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    for server in servers:
        server.close()
    return seconds


def scaling(kernel: Path, count: int, rounds: int) -> None:
    """Print what a second process gains, on a cluster and without one."""
    work = jobs(kernel, count)
    shortest: dict[tuple[str, int], float] = {}
    for _ in range(rounds):
        for name, run in (("cluster", on_cluster), ("plain", by_threads)):
            for workers in (1, 2):
                seconds = run(work, workers)
                shortest[name, workers] = min(seconds, shortest.get((name, workers), seconds))
    cores = len(os.sched_getaffinity(0))
    print(f"{count} units of {kernel.name}, {cores} cores, load {os.getloadavg()[0]:.1f}, best of {rounds}")
    for name, words in (("cluster", "dask cluster"), ("plain", "without dask")):
        one, two = shortest[name, 1], shortest[name, 2]
        print(f"  {words}: one process {one:.1f} s, two {two:.1f} s, ratio {one / two:.2f}")
    gained = shortest["cluster", 1] / shortest["cluster", 2] / (shortest["plain", 1] / shortest["plain", 2])
    print(f"  of what the machine gives the cluster gets {100 * gained:.0f} %")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("query")
    part.add_argument("--units", type=int, default=100_000)
    part = parts.add_parser("scaling")
    part.add_argument("kernel", nargs="?", type=Path, default=KERNEL)
    part.add_argument("--units", type=int, default=12)
    part.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    if options.part == "query":
        query(options.units)
    else:
        scaling(options.kernel, options.units, options.rounds)


if __name__ == "__main__":
    main()
