"""Runs units, each in a process of its own with limits, without paying for a new interpreter each time.

A `ForkServer` starts one helper process, which imports everything that a unit needs and then only forks: each unit
runs in a fork, in a process group of its own. A crash of Python or of a compiler, or memory beyond the limit, ends that
fork; a unit that takes too long is killed with all that it started. The helper has one thread and does nothing else, so
that forking it is safe; and when whoever started it is gone it kills the unit at hand and ends.

Orders and answers are lines of JSON on the helper's stdin and stdout. The unit and its outcome are files in a scratch
folder, which the caller makes and removes, so that nothing of a killed unit stays. (multiprocessing has a fork server
too; it does not start from within a worker of dask.distributed, whose processes may not have children.)
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from regtriage.tools.llc.run import InputError, Llc, ToolFailure

from .model import ErrorKind, Limits, Outcome, Task
from .versions import compiler_of, tool_version

_TASK, _OUTCOME, _OUTPUT, _WORK = "task", "outcome", "output", "work"
"""Names in the scratch folder."""

_TIME_OUT = "time-out"


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a fork ended. status: as `os.waitstatus_to_exitcode` has it; None if it was killed for its time."""

    status: int | None


class ForkServer:
    """Runs one unit at a time. To be closed."""

    def __init__(self) -> None:
        self._helper: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the helper, and the unit that it may be running."""
        helper, self._helper = self._helper, None
        if helper is None:
            return
        assert helper.stdin is not None
        assert helper.stdout is not None
        with contextlib.suppress(OSError):
            helper.stdin.close()
        helper.stdout.close()
        helper.wait()

    def run(self, task: Task) -> Outcome:
        """Run a unit. Whatever becomes of it is an outcome, LOST if this machine is not fit for it."""
        if not task.content:
            return Outcome(error=ErrorKind.LOST, message="the file has changed since the sweep began")
        llc, unfit = _compiler(task)
        if unfit:
            return Outcome(error=ErrorKind.LOST, message=unfit)
        with tempfile.TemporaryDirectory(prefix="regtriage-", ignore_cleanup_errors=True) as name:
            scratch = Path(name)
            (scratch / _WORK).mkdir()
            (scratch / _TASK).write_bytes(pickle.dumps((task, llc)))
            try:
                ending = self._order(scratch, task.limits)
            except BaseException:
                self.close()
                raise
            return replace(_outcome(scratch, ending, task.limits), host=os.uname().nodename)

    def _order(self, scratch: Path, limits: Limits) -> _Ending | None:
        """Have a unit run; None if the helper is dead, as the system kills it when memory runs out."""
        helper = self._helper or self._start()
        assert helper.stdin is not None
        assert helper.stdout is not None
        order = {"scratch": str(scratch), "seconds": limits.seconds, "memory": limits.memory}
        try:
            helper.stdin.write(json.dumps(order).encode() + b"\n")
            helper.stdin.flush()
            answer = helper.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            self.close()
            return None
        status = json.loads(answer)
        return _Ending(None if status == _TIME_OUT else int(status))

    def _start(self) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C on the terminal is for the sweep, which then closes this.
        self._helper = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],  # -P: no module is taken from the folder one happens to be in
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        return self._helper


_of_thread = threading.local()


def run_task(task: Task) -> Outcome:
    """Run a unit in a fork server that this thread keeps: what a worker of a cluster is asked for."""
    server: ForkServer | None = getattr(_of_thread, "server", None)
    if server is None:
        server = _of_thread.server = ForkServer()
    return server.run(task)


def _compiler(task: Task) -> tuple[Llc | None, str]:
    """The compiler on this machine, and why this machine is not fit, or ""."""
    if task.tool != tool_version():
        return None, f"the worker has regtriage {tool_version()}, the sweep {task.tool}: install the same"
    if not task.compiler.spec:
        return None, ""
    try:
        found, llc = compiler_of(task.compiler.spec, task.compiler.guard)
    except (InputError, ToolFailure) as error:
        return None, f"on the worker: {error}"
    if found != task.compiler:
        return None, f"{found.spec}: the worker has another build of this compiler: {found.version} {found.build}"
    return llc, ""


def _outcome(scratch: Path, ending: _Ending | None, limits: Limits) -> Outcome:
    file = scratch / _OUTCOME
    if ending is not None and ending.status == 0 and file.exists():
        outcome: Outcome = pickle.loads(file.read_bytes())
        return outcome
    if ending is None:
        return Outcome(error=ErrorKind.LOST, message="the process that runs units was killed")
    if ending.status is None:
        return Outcome(
            error=ErrorKind.TIME_OUT,
            message=f"took longer than {limits.seconds:g} s",
            seconds=limits.seconds or 0.0,
        )
    words = _last_words(scratch / _OUTPUT)
    if "MemoryError" in words:
        return Outcome(error=ErrorKind.MEMORY, message="the check needs more memory than the limit")
    return Outcome(error=ErrorKind.CRASH, message=_death(ending.status) + (f": {words}" if words else ""))


def _death(status: int) -> str:
    if status >= 0:
        return f"the process of the unit exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = ", as the system does when memory runs out" if -status == signal.SIGKILL else ""
    return f"the process of the unit was ended by {name}{hint}"


def _last_words(file: Path) -> str:
    """What a process that died had written: the first line, which says what, and where in this program."""
    try:
        lines = file.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    place = next((line.strip() for line in lines if line.lstrip().startswith("File ")), "")
    return " ".join(part for part in (lines[0] if lines else "", place) if part)


# -- the helper ------------------------------------------------------------------------------------------------


_Check = Callable[[Task, Llc | None, Path], Outcome]


def _serve() -> None:
    # Imported here, once for all forks: whoever only gives orders does not need it.
    from .check import check

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while line := sys.stdin.buffer.readline():
        order = json.loads(line)
        status = _run_fork(check, Path(order["scratch"]), Limits(order["seconds"], order["memory"]))
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.buffer.write(json.dumps(status).encode() + b"\n")
            sys.stdout.buffer.flush()


def _run_fork(check: _Check, scratch: Path, limits: Limits) -> int | str:
    pid = os.fork()
    if pid == 0:
        _unit(check, scratch, limits)
    watched = os.pidfd_open(pid)
    try:
        events = select.poll()
        events.register(watched, select.POLLIN)
        events.register(sys.stdin.fileno(), 0)  # a hang-up is always reported
        timeout = None if limits.seconds is None else limits.seconds * 1000
        ready = dict(events.poll(timeout))
    finally:
        os.close(watched)
    ended = bool(ready.keys() - {sys.stdin.fileno()})
    _kill_group(pid)  # what it left behind, if it ended
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) if ended else _TIME_OUT


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _unit(check: _Check, scratch: Path, limits: Limits) -> NoReturn:
    """The fork: run the unit, leave the outcome in the scratch folder, and end without any of the helper's clean-up."""
    try:
        os.setsid()
        output = os.open(scratch / _OUTPUT, os.O_WRONLY | os.O_CREAT, 0o600)
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        faulthandler.enable(file=2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limits.memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
        work = scratch / _WORK
        os.environ["TMPDIR"] = tempfile.tempdir = str(work)
        task, llc = pickle.loads((scratch / _TASK).read_bytes())
        outcome = check(task, llc, work)
        whole = scratch / (_OUTCOME + ".part")
        whole.write_bytes(pickle.dumps(outcome))
        whole.rename(scratch / _OUTCOME)
        os._exit(0)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
        os._exit(1)


if __name__ == "__main__":
    _serve()
