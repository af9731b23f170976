"""What is known of each target: registers, lanes, spill opcodes. Everything else is target-independent."""

from __future__ import annotations

from .amdgpu import AMDGPU
from .base import Target, TargetError

__all__ = ["AMDGPU", "Target", "TargetError", "target_for"]


def target_for(triple: str) -> Target:
    """The target of a triple such as `amdgcn-amd-amdhsa` or `amdgpu9.50-amd-amdhsa`.

    An empty triple means AMDGPU: hand-written MIR often has no IR module to say so.
    Raises TargetError for a target without register tables.
    """
    arch = triple.split("-", 1)[0]
    if not arch or arch.startswith(("amdgcn", "amdgpu")):
        return AMDGPU
    raise TargetError(f"no register tables for the target of triple '{triple}' (known: AMDGPU)")
