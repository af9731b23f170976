"""What decides a verdict besides the kernel: this program, and the compilers.

The version of this program alone does not: somebody who works on it changes the check more often than the number. So
the sources that decide are part of it, and the program of a compiler is part of the compiler's.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
from pathlib import Path

import regtriage.dataflow
import regtriage.tools
from regtriage.tools.llc.run import GuardFlags, Llc, LlcKind, resolve_llc

from .model import Compiler

_DIGITS = 8
_TOOLS = ("*.py", "llc/*.py", "sweep/check.py")
"""Of `tools`, what a verdict depends on; all of `dataflow` does."""


@functools.cache
def tool_version() -> str:
    """The installed version and a digest of the sources that decide a verdict: `0.1.0+5f0c2a19`."""
    try:
        version = importlib.metadata.version("regtriage")
    except importlib.metadata.PackageNotFoundError:
        version = "unknown"
    dataflow, tools = Path(next(iter(regtriage.dataflow.__path__))), Path(next(iter(regtriage.tools.__path__)))
    files = [(dataflow, file) for file in dataflow.rglob("*.py")]
    files += [(tools, file) for pattern in _TOOLS for file in tools.glob(pattern)]
    digest = hashlib.sha256()
    for root, file in sorted(files):
        digest.update(f"{root.name}/{file.relative_to(root)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"{version}+{digest.hexdigest()[:_DIGITS]}"


@functools.cache
def compiler_of(spec: str, guard: GuardFlags | None = None) -> tuple[Compiler, Llc]:
    """A compiler of this machine, as `resolve_llc` names them. Raises InputError, ToolFailure."""
    llc = resolve_llc(spec, guard)
    identity = llc.identity
    build = ""
    if identity.kind is not LlcKind.TRITON:
        with identity.path.open("rb") as program:
            build = hashlib.file_digest(program, "sha256").hexdigest()[:_DIGITS]
    if guard is not None:
        build += f" on={guard.on},off={guard.off}"
    # A worker runs in another folder.
    where = str(identity.path) if identity.kind is LlcKind.EXTERNAL else spec
    return Compiler(where, guard, str(identity.kind), identity.version, build), llc
