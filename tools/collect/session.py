"""A worker over the modules of one root: started when it is needed, again where it died, ended from outside."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any, Self

from .model import Signature
from .worker_process import ModuleDescription, Worker, WorkerDied


class Stopped(Exception):
    """Nothing is to be started any more."""


class Stop:
    """Ends all sessions at once, whatever they wait for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._workers: set[Worker] = set()

    def add(self, worker: Worker) -> None:
        """A worker that is to be ended. Raises Stopped."""
        with self._lock:
            if self._stopped:
                worker.close()
                raise Stopped
            self._workers.add(worker)

    def remove(self, worker: Worker) -> None:
        """It is ended elsewhere."""
        with self._lock:
            self._workers.discard(worker)

    def now(self) -> None:
        """End the workers, and start no more."""
        with self._lock:
            self._stopped = True
            for worker in self._workers:
                worker.kill()


class Session:
    """A worker that is started anew where it died. module: the one in hand; deaths: over the kernel in hand."""

    def __init__(self, python: Path, root: Path, arch: str, time_limit: float, stop: Stop) -> None:
        self.module = ""
        self.triton = ""
        self.deaths = 0
        self._how = (python, root, arch, time_limit)
        self._root = root
        self._stop = stop
        self._worker: Worker | None = None
        self._imported = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_reason: object) -> None:
        self._drop()

    def described(self) -> ModuleDescription:
        """Import the module in hand. Raises WorkerDied."""
        try:
            found = self._started().describe(self.module)
        except WorkerDied:
            self._drop()
            raise
        self._imported = self.module
        return found

    def compile(self, signature: Signature) -> dict[str, Any]:
        """The worker's answer, `error` also where it died."""
        try:
            worker = self._started()
            if self._imported != self.module:
                self.described()
            answer = worker.compile(self.module, signature)
        except WorkerDied as error:
            self._drop()
            self.deaths += 1
            return {"error": str(error)}
        if "llir" in answer:
            answer["llir"] = without_paths(answer["llir"], self._root, worker.package)
        return answer

    def _started(self) -> Worker:
        if self._worker is None:
            self._worker = Worker(*self._how)
            self._stop.add(self._worker)
            self.triton = self._worker.triton
        return self._worker

    def _drop(self) -> None:
        self._imported = ""
        if self._worker is not None:
            self._stop.remove(self._worker)
            self._worker.close()
            self._worker = None


_DIRECTORY = re.compile(r'(directory: ")(/[^"]*)(")')


def without_paths(llir: str, root: Path, triton: Path) -> str:
    """Debug information without folders of this machine. triton: the folder of Triton's package."""

    def relative(match: re.Match[str]) -> str:
        folder = Path(match.group(2))
        for base, name in ((root, Path()), (triton, Path("triton"))):
            if folder.is_relative_to(base):
                return match.group(1) + str(name / folder.relative_to(base)) + match.group(3)
        return match.group(1) + folder.name + match.group(3)

    return _DIRECTORY.sub(relative, llir)
