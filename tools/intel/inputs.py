"""Tells LLVM IR for an Intel GPU from that for others, by a look at the file's beginning."""

from __future__ import annotations

import re
from pathlib import Path

_TRIPLE = re.compile(rb'^target triple = "(?P<triple>[^"]*)"', re.M)
_INTEL = re.compile(r"spir(?:v)?(?:32|64)?-")
_ENOUGH = 1 << 16


def is_intel_ir(file: Path, triple: str | None = None) -> bool:
    """Whether a file is textual IR whose target speaks SPIR-V. triple: what the user says it is, instead."""
    if triple is not None:
        return _INTEL.match(triple) is not None
    try:
        with file.open("rb") as stream:
            found = _TRIPLE.search(stream.read(_ENOUGH))
    except OSError:
        return False  # whoever reads the file for its contents says what is wrong with it
    return found is not None and _INTEL.match(found["triple"].decode(errors="replace")) is not None
