"""Brackets in which all lanes of the wave are on, around nothing but moves.

The allocator puts them around a copy of a whole-wave register: EXEC is saved, all lanes are turned on, EXEC is
restored. That is no effect of the program: all that a bracket overwrites is the register that EXEC is saved in, which
dies with it (and SCC, if it says so). A bracket with anything but moves in it is the program's own.
"""

from __future__ import annotations

from .mir.model import Block, Role
from .targets.base import Target, WholeWaveStep


def find_brackets(block: Block, target: Target) -> frozenset[int]:
    """Indices of the instructions that open and close brackets."""
    found: set[int] = set()
    started: list[int] = []
    saved, is_open = "", False
    for index, i in enumerate(block.instructions):
        if i.role is not Role.ORDINARY:
            continue
        step, register = target.whole_wave_step(i) or (None, "")
        if step is WholeWaveStep.CLOSE and is_open and register == saved:
            found.update((*started, index))
        if step is WholeWaveStep.OPEN and started == [index - 1] and not is_open:
            started.append(index)
            is_open = True
        elif step in (WholeWaveStep.SAVE, WholeWaveStep.SAVE_AND_OPEN):
            started, saved, is_open = [index], register, step is WholeWaveStep.SAVE_AND_OPEN
        else:
            started, saved, is_open = [], "", False
    return frozenset(found)
