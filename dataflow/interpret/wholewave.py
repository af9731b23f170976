"""Where the allocator turns on all threads for a move of its own.

Read forwards from each instruction that turns them on: moves, and then the instruction that puts back what was saved.
Anything else in between is the program's own doing. (The check reads the same thing in its own way.)
"""

from __future__ import annotations

from ..mir.model import Block, Role
from ..targets.base import Target, WholeWaveStep


def own_writes_of_exec(block: Block, target: Target) -> set[int]:
    """Indices of the writes of EXEC that begin and end such places."""
    steps = [target.whole_wave_step(i) if i.role is Role.ORDINARY else None for i in block.instructions]
    found: set[int] = set()
    for start, step in enumerate(steps):
        if step is None or step[0] not in (WholeWaveStep.OPEN, WholeWaveStep.SAVE_AND_OPEN):
            continue
        saving = steps[start - 1] if step[0] is WholeWaveStep.OPEN and start else step
        end = start + 1
        while end < len(steps) and block.instructions[end].role is not Role.ORDINARY:
            end += 1
        if saving is not None and saving[1] and steps[end : end + 1] == [(WholeWaveStep.CLOSE, saving[1])]:
            found |= {start, end}
    return found
