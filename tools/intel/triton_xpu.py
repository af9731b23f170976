"""Triton for XPU, which another Python may have: TTGIR in, SPIR-V out, in a process of its own.

Its backend ends the process where it does not like a combination of layouts, so nothing of it is imported here.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from regtriage.tools.llc.errors import InputError, ToolFailure
from regtriage.tools.llc.process import Finished, run_process

_DRIVER = Path(__file__).with_name("triton_xpu_driver.py")
_TIME_LIMIT = 180.0
_PARSE_ERROR = re.compile(
    r"(?m)^(?:loc\()?\"?(?P<place>[^\"\s]+?)\"?:(?P<line>\d+):(?P<column>\d+)\)?: error: (?P<text>.*)$"
)


@dataclass(frozen=True, slots=True)
class Lowered:
    """shared: bytes of shared local memory of a work group. version: of Triton."""

    name: str
    llir: Path
    spirv: Path
    shared: int
    version: str
    seconds: float


class TritonXpu:
    """The Triton for XPU of an interpreter; None means this one."""

    def __init__(self, python: Path | None = None) -> None:
        self.python = python or Path(sys.executable)

    def version(self) -> str | None:
        """None if that Python has none."""
        finished = run_process((str(self.python), str(_DRIVER), "--version"), time_limit=60)
        return finished.stdout.strip() if finished.status == 0 else None

    def lower(self, ttgir: Path, out: Path, *, warps: int, threads_per_warp: int, dpas: bool = False) -> Lowered:
        """Lower a kernel into the folder `out`.

        Raises InputError if Triton does not take the text, with Triton's place and words; ToolFailure if there is no
        Triton for XPU or it fails.
        """
        job = {
            "input": str(ttgir.absolute()), "out": str(out), "warps": warps,
            "threads_per_warp": threads_per_warp, "dpas": dpas,
        }  # fmt: skip
        finished = run_process((str(self.python), str(_DRIVER), json.dumps(job)), time_limit=_TIME_LIMIT)
        if finished.status != 0:
            raise _failure(finished, ttgir)
        result = json.loads(finished.stdout.splitlines()[-1])
        return Lowered(
            result["name"],
            out / "kernel.llir",
            out / "kernel.spv",
            result["shared"],
            result["version"],
            finished.seconds,
        )


def _failure(finished: Finished, ttgir: Path) -> InputError | ToolFailure:
    found = _PARSE_ERROR.search(finished.stderr)
    if found is not None and Path(found["place"]).name == ttgir.name:
        return InputError(f"{ttgir}:{found['line']}:{found['column']}: error: {found['text']}")
    if finished.status == 4:
        words = finished.error_line().removeprefix("error: ")
        return ToolFailure(f"triton-xpu: error: {words} (pip install triton-xpu, or name its Python by --triton-xpu)")
    words = finished.error_line().removeprefix("error: ") or "no reason is given"
    how = "crashed" if finished.status < 0 else f"exited with status {finished.status}"
    return ToolFailure(f"triton-xpu: error: {how}: {words}", finished.command, finished.status, finished.stderr)
