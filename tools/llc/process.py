"""Runs a compiler as a child process, with limits, and tells how it ended."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .errors import ToolFailure

_ERROR = re.compile(r"(?m)^(?:.*: )?(?:error|fatal error|LLVM ERROR): .*$")


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that has ended. status: negative for a signal. seconds: wall time."""

    command: tuple[str, ...]
    status: int
    stdout: str
    stderr: str
    seconds: float

    def error_line(self) -> str:
        """The first error message on stderr, else its last line."""
        found = _ERROR.search(self.stderr)
        if found:
            return found.group()
        lines = self.stderr.strip().splitlines()
        return lines[-1] if lines else ""

    def reports_error(self) -> bool:
        """Whether an error message is on stderr, which some compilers print and exit with 0."""
        return _ERROR.search(self.stderr) is not None

    def failure(self) -> ToolFailure:
        """The failure of this process, in its own words."""
        words = self.error_line().removeprefix("error: ")
        if self.status < 0:
            try:
                name = signal.Signals(-self.status).name
            except ValueError:
                name = f"signal {-self.status}"
            how = f"crashed ({name})"
        elif self.status == 0:
            how = "reported an error and exited with status 0"
        else:
            how = f"exited with status {self.status}"
        text = f"{self.command[0]}: error: {how}" + (f": {words}" if words else "")
        return ToolFailure(text, self.command, self.status, self.stderr)


def run_process(
    command: Sequence[str],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command to its end, without input. environment: None means that of this process.

    Raises ToolFailure if it cannot be started or takes longer than time_limit seconds.
    """
    command = tuple(command)
    start = time.monotonic()
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            errors="replace",
        ) as process:
            if memory_limit is not None:
                with contextlib.suppress(ProcessLookupError):
                    resource.prlimit(process.pid, resource.RLIMIT_AS, (memory_limit, memory_limit))
            try:
                stdout, stderr = process.communicate(timeout=time_limit)
            except BaseException:
                process.kill()
                raise
    except subprocess.TimeoutExpired:
        message = f"{command[0]}: error: took longer than {time_limit:g} s"
        raise ToolFailure(message, command) from None
    except OSError as error:
        message = f"{command[0]}: error: cannot be run: {error.strerror or error}"
        raise ToolFailure(message, command) from None
    return Finished(command, process.returncode, stdout, stderr, time.monotonic() - start)
