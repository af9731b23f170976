"""Short ways to write functions and to run two of them."""

from __future__ import annotations

from regtriage.dataflow.interpret import Comparison, compare
from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.mir.model import MachineFunction
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import AMDGPU

DEF = 'INLINEASM &"; def $0", sideeffect attdialect, regdef:SGPR, def '
USE = 'INLINEASM &"; use $0", sideeffect attdialect, reguse:SGPR, '


def function(*blocks: str) -> MachineFunction:
    """A function of these blocks, numbered from 0. A block that starts with `-> 1 2` has these successors."""
    lines = ["---", "name: f", "body: |"]
    for number, block in enumerate(blocks):
        body = [line.strip() for line in block.strip().split("\n")]
        lines.append(f"  bb.{number}:")
        if body[0].startswith("->"):
            lines.append("    successors: " + ", ".join(f"%bb.{n}" for n in body.pop(0)[2:].split()))
        lines += [f"    {line}" for line in body]
    return Reader(AMDGPU).read("\n".join([*lines, "...", ""]), "f.mir").functions[0]


def run(
    before: MachineFunction | str,
    after: MachineFunction | str,
    runs: int = 24,
    *,
    focus: int | None = None,
    liveness: LaneLiveness | None = None,
) -> Comparison:
    """Compare two functions; text is one block."""
    first = function(before) if isinstance(before, str) else before
    second = function(after) if isinstance(after, str) else after
    return compare(first, second, AMDGPU, runs, focus=focus, liveness=liveness)


def same(result: Comparison) -> bool:
    """No run differed, and all of them came to the same end."""
    return result.differ == 0 and result.completed == result.runs > 0


def always(result: Comparison) -> bool:
    """Every run differed."""
    return result.differ == result.runs > 0
