"""Kernels, units and outcomes for tests, without compiling anything."""

from __future__ import annotations

import time
import zlib
from pathlib import Path

from regtriage.tools.llc.run import Variant
from regtriage.tools.sweep.kernels import content_digest
from regtriage.tools.sweep.model import (
    NO_COMPILER,
    Answer,
    Compiler,
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
from regtriage.tools.sweep.versions import tool_version

REPRODUCERS = Path(__file__).parents[3] / "reproducers"
MISCOMPILED = REPRODUCERS / "miscompiles" / "redundant_spill.ll"

BUILTIN = Compiler("builtin", None, "builtin", "23.1.1", "aa")


def kernel(name: str, method: Method = Method.PROOF, content: str = "") -> Kernel:
    digest = content_digest((content or name).encode(), "")
    return Kernel(digest, name, Path("/nowhere") / name, method, "", 10)


def unit(name: str, variant: str = "off", flags: str = "", *, version: str = "23.1.1", content: str = "") -> Unit:
    return Unit(
        kernel(name, content=content),
        BUILTIN,
        Options(Variant(variant)),
        Configuration("0.1", "builtin", version, "aa", variant, flags),
    )


def unit_of(method: Method, name: str) -> Unit:
    """One for which nothing is compiled."""
    return Unit(kernel(name, method), NO_COMPILER, None, Configuration("0.1", "", "", "", "", ""))


def bug(exit_: str = "insert-spill", *, spills: int = 40, seconds: float = 1.0, code: str = "") -> Outcome:
    found = (
        Found("k", "id1", "value", exit_, "trace", "%1.sub0", "k.py:1:2"),
        Found("k", "id2", "value", exit_, "shape", "%1.sub1", ""),
    )
    return Outcome(Answer.BUG, wrong=2, spills=spills, found=found, result='{"a": 1}', seconds=seconds, code=code)


def right(answer: Answer = Answer.CLEAN, *, spills: int = 8, seconds: float = 1.0, code: str = "") -> Outcome:
    return Outcome(answer, spills=spills, result="{}", seconds=seconds, code=code)


def failure(kind: ErrorKind = ErrorKind.COMPILER, message: str = "llc: error: no") -> Outcome:
    return Outcome(error=kind, message=message)


def task(
    compiler: Compiler, *, name: str = "kernel.ll", content: bytes | None = None, limits: Limits | None = None
) -> Task:
    """A task that this machine is fit for."""
    data = MISCOMPILED.read_bytes() if content is None else content
    return Task(
        name, zlib.compress(data), Method.PROOF, "", tool_version(), compiler, Options(Variant.OFF), limits or Limits()
    )


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def gone(pid: int) -> bool:
    """Whether a process ends; it may take a moment."""
    end = time.monotonic() + 20
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)
