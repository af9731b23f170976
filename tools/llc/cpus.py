"""Whether a compiler knows a processor, asked before any kernel is: then one line can say that it does not."""

from __future__ import annotations

from pathlib import Path

from .base import Llc, scratch_directory
from .errors import InputError, ToolFailure
from .request import CompileRequest

AMDGPU = "amdgcn-amd-amdhsa"
_TRIPLES = (AMDGPU, "x86_64", "aarch64")
_PROBE = "define void @k() {\n  ret void\n}\n"
_SECONDS = 60.0
_UNKNOWN = ("unknown cpu", "is not a recognized processor")


def require_cpu(llc: Llc, cpu: str, triple: str | None = None) -> None:
    """Raises InputError if the compiler says that it does not know the processor.

    triple: None where the kernels say it: it is then enough that one target of the compiler's knows the processor.
    Whatever else goes wrong is left to the kernels to tell.
    """
    with scratch_directory() as scratch:
        probe = scratch / "cpu.ll"
        probe.write_text(_PROBE)
        for each in (triple,) if triple is not None else _TRIPLES:
            if not _refuses(llc, CompileRequest(probe, triple=each, cpu=cpu, time_limit=_SECONDS), scratch / "out"):
                return
    raise InputError(f"error: unknown cpu '{cpu}'" + (f" for the target {triple}" if triple is not None else ""))


def _refuses(llc: Llc, request: CompileRequest, out: Path) -> bool:
    try:
        llc.compile(request, out)
    except InputError as error:
        return any(words in str(error) for words in _UNKNOWN)
    except ToolFailure:
        return False
    return False
