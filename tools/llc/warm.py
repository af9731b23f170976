"""The llc of this package, as one process that forks for each compilation (see serve.h): for very many small inputs."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .builtin import BuiltinLlc
from .errors import ToolFailure
from .process import Finished


class WarmLlc(BuiltinLlc):
    """Compiles like BuiltinLlc. The process starts with the first compilation.

    It ends when this one does, at the latest; its CPU time counts for this one's children only if it is closed.
    """

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path)
        self._server: subprocess.Popen[bytes] | None = None
        self._unread = b""

    def close(self) -> None:
        """End the process."""
        if self._server is not None and self._server.stdin is not None:
            self._server.stdin.close()
            self._server.wait()
            self._server = None

    def _run(self, command: tuple[str, ...], time_limit: float | None, memory_limit: int | None) -> Finished:
        """Run a command of the program. There is no memory limit: a fork would share the server's."""
        if memory_limit is not None:
            return super()._run(command, time_limit, memory_limit)
        with tempfile.TemporaryDirectory(prefix="regtriage-") as name:
            stdout, stderr = Path(name) / "stdout", Path(name) / "stderr"
            start = time.monotonic()
            status = self._ask((str(stdout), str(stderr), *command[1:]), time_limit, command)
            seconds = time.monotonic() - start
            texts = [file.read_text(errors="replace") for file in (stdout, stderr)]
        return Finished(command, status, texts[0], texts[1], seconds)

    def _ask(self, fields: tuple[str, ...], time_limit: float | None, command: tuple[str, ...]) -> int:
        server = self._start()
        assert server.stdin is not None
        try:
            server.stdin.write(b"".join(os.fsencode(field) + b"\0" for field in fields) + b"\0")
            server.stdin.flush()
            process = int(self._line(server, None))
            answer = self._line(server, time_limit)
            if answer:
                return int(answer)
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            self._line(server, None)
        except (OSError, ValueError) as error:
            self._server = None
            raise ToolFailure(f"{self.path}: error: the server ended: {error}", command) from None
        raise ToolFailure(f"{self.path}: error: took longer than {time_limit:g} s", command)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._server is None or self._server.poll() is not None:
            try:
                self._server = subprocess.Popen(
                    (str(self.path), "-serve"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
                )
            except OSError as error:
                message = f"{self.path}: error: cannot be run: {error.strerror or error}"
                raise ToolFailure(message, (str(self.path),)) from None
            self._unread = b""
        return self._server

    def _line(self, server: subprocess.Popen[bytes], time_limit: float | None) -> bytes:
        """The next line of the server's answer; nothing if it takes longer. Raises OSError if the server has ended."""
        assert server.stdout is not None
        end = None if time_limit is None else time.monotonic() + time_limit
        while b"\n" not in self._unread:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([server.stdout], [], [], left)[0]:
                return b""
            found = os.read(server.stdout.fileno(), 4096)
            if not found:
                raise OSError("no answer")
            self._unread += found
        line, _, self._unread = self._unread.partition(b"\n")
        return line
