"""A worker: another Python, with Triton, that imports modules of kernels. See worker.py for what is said."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from regtriage.tools.llc.errors import InputError, ToolFailure

from .model import Configuration, Description, Function, Parameter, Signature

_SCRIPT = Path(__file__).with_name("worker.py")


class WorkerDied(Exception):
    """The worker ended, or was ended, in the middle of a request. Its text says of what."""


@dataclass(frozen=True, slots=True)
class ModuleDescription:
    """A module's kernels. error: why its body ended early, or None."""

    kernels: tuple[Description, ...]
    error: str | None


class Worker:
    """A running worker; a context. time_limit: seconds for one answer.

    Raises InputError if `python` cannot be started, ToolFailure if it has no Triton.
    """

    def __init__(self, python: Path, root: Path, arch: str, time_limit: float) -> None:
        self._time_limit = time_limit
        self._scratch = tempfile.TemporaryDirectory(prefix="regtriage-collect-")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the worker
        self._buffer = b""
        self._command = (str(python), str(_SCRIPT), str(root), arch)
        environment = {**os.environ, "TRITON_CACHE_DIR": self._scratch.name, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # 3.9.0 warns where it is not set
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment,
                cwd=self._scratch.name,
                start_new_session=True,
            )
        except OSError as error:
            self.close_files()
            raise InputError(f"{python}: error: cannot be run: {error.strerror}") from None
        try:
            first = self._read()
        except BaseException:
            self.close()
            raise
        if "no_triton" in first:
            self.close()
            raise ToolFailure(f"{python}: error: {first['no_triton']} (pip install triton)", self._command, 1, "")
        self.triton: str = first["triton"]
        self.package = Path(first["package"])
        """The folder of Triton's own package."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_reason: object) -> None:
        self.close()

    def describe(self, module: str) -> ModuleDescription:
        """Import a module. Raises WorkerDied."""
        answer = self._ask({"import": module})
        return ModuleDescription(_descriptions(answer), answer["error"])

    def compile(self, module: str, signature: Signature) -> dict[str, Any]:
        """The worker's answer: `llir` and `constants`, or `error`. Raises WorkerDied."""
        request: dict[str, Any] = {
            "module": module,
            "kernel": signature.kernel,
            "signature": dict(signature.types),
            "constants": dict(signature.constants),
            "derive": signature.derive,
            "attributes": {name: list(pairs) for name, pairs in signature.attributes.items()},
            "options": signature.options.as_json(),
        }
        return self._ask(request)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerDied(self._last_words()) from None
        return self._read()

    def kill(self) -> None:
        """End it; who waits for an answer gets WorkerDied."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the worker and what it started."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self.close_files()

    def close_files(self) -> None:
        """Drop what the worker wrote."""
        self._errors.close()
        self._scratch.cleanup()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(self._time_limit):
                    raise WorkerDied(f"no answer in {self._time_limit:g} seconds")
                data = os.read(self._process.stdout.fileno(), 1 << 20)
                if not data:
                    raise WorkerDied(self._last_words())
                self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    def _last_words(self) -> str:
        status = self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors.read().decode(errors="replace").splitlines() if line.strip()]
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        said = next((line for line in lines if "error" in line.lower() or "assert" in line.lower()), None)
        return f"Triton ended with {how}" + (f": {said or lines[-1]}" if lines else "")


def _descriptions(first: dict[str, Any]) -> tuple[Description, ...]:
    functions = {
        identity: Function(
            entry["source"], entry["line"], tuple(Parameter(**p) for p in entry["parameters"]), entry["calls"]
        )
        for identity, entry in first["functions"].items()
    }
    return tuple(
        Description(
            kernel=name,
            function=entry["function"],
            functions=functions,
            configurations=tuple(Configuration(**c) for c in entry["configurations"]),
            heuristics=tuple(entry["heuristics"]),
        )
        for name, entry in first["kernels"].items()
    )
