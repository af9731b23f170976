"""Compilers, as the rest of regtriage uses them: pick one by name, hand it a request, get a compilation.

llc = resolve_llc("builtin")
compilation = llc.compile(CompileRequest(Path("kernel.llir"), Variant.GUARD), Path("out"))
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .base import Llc
from .builtin import BuiltinLlc
from .errors import InputError, ToolFailure
from .external import ExternalLlc
from .request import (
    Compilation,
    CompileRequest,
    GuardFlags,
    LlcIdentity,
    LlcKind,
    PrivateRegister,
    Stage,
    StageWhen,
    Variant,
)
from .triton import TritonLlc

__all__ = [
    "BuiltinLlc",
    "Compilation",
    "CompileRequest",
    "ExternalLlc",
    "GuardFlags",
    "InputError",
    "Llc",
    "LlcIdentity",
    "LlcKind",
    "PrivateRegister",
    "Stage",
    "StageWhen",
    "ToolFailure",
    "TritonLlc",
    "Variant",
    "resolve_llc",
]


def resolve_llc(spec: str | None = None, guard: GuardFlags | None = None) -> Llc:
    """The compiler that a user names.

    spec: "builtin" or None; "triton", or "triton:PYTHON" for the Triton of another interpreter; else the path
    of an llc, or its name on PATH. guard: the guard flags of an llc of the user's own.

    Raises InputError if there is no such program, or guard flags are given for a compiler that takes none.
    """
    kind, _, python = (spec or "builtin").partition(":")
    if kind == "triton" or spec in (None, "builtin"):
        if guard is not None:
            raise InputError(f"{spec or 'builtin'}: error: guard flags are for an llc of your own")
        if kind == "triton":
            return TritonLlc(Path(_program(python)).absolute() if python else None)
        return BuiltinLlc()
    assert spec is not None
    # Absolute, since "./llc" as a Path is "llc", which would be looked for elsewhere.
    return ExternalLlc(Path(_program(spec)).absolute(), guard)


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is not None:
        return path
    if Path(name).is_dir():
        raise InputError(f"{name}: error: is a directory, not a compiler")
    if os.sep in name and Path(name).exists():
        raise InputError(f"{name}: error: is not an executable file")
    raise InputError(f"{name}: error: no such compiler: use builtin, triton, or the path of an llc")
