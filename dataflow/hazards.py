"""The dangerous pattern: a full-width store of a partly defined register into a slot that other stores share.

It is legal when the missing lanes are completed before anyone reads them, so it is not a bug in itself: only
the check decides that. Reported where (1) the store covers more than one unit, (2) some but not all units of
its register hold nothing, (3) another store of the function writes the same slot, and (4) a word it runs
over held the value of some source lane.
"""

from __future__ import annotations

from collections import Counter

from .check import CheckResult
from .findings import Hazard, Layer, Place
from .mir.debug import DebugInfo
from .mir.model import Role
from .names import Names
from .translate import Kind, Op
from .values import State, run_ops


def find_hazards(result: CheckResult, layer: Layer, stage: str, debug: DebugInfo) -> list[Hazard]:
    """All hazards of one comparison, in block order."""
    program = result.program
    saves = Counter(i.slot for b in program.after.blocks for i in b.instructions if i.role is Role.SAVE)
    found: list[Hazard] = []
    for number in program.cfg.order:
        entry = result.entry_states.get(number)
        if entry is None:
            continue
        block = program.after.block(number)
        ops = program.ops[number]
        wanted = [
            k for k, op in enumerate(ops)
            if op.kind is Kind.AFTER_MOVE and op.after >= 0 and block.instructions[op.after].role is Role.SAVE
            and len(op.moves) > 1 and saves[block.instructions[op.after].slot] > 1
        ]  # fmt: skip
        if not wanted:
            continue
        state = entry.copy()
        at = 0
        for k in wanted:
            run_ops(ops[at:k], state, program.names)
            at = k
            missing = _missing(ops[k], state, program.names)
            if missing:
                instruction = block.instructions[ops[k].after]
                place = Place(program.after.path, block.lines[ops[k].after], block.label, instruction.text,
                              debug.resolve(instruction.debug))  # fmt: skip
                lanes = tuple(program.locations.spell(u) for u in missing)
                found.append(Hazard(layer, stage, place, instruction.slot, lanes))
    return found


def _missing(op: Op, state: State, names: Names) -> list[int]:
    """Origins that hold nothing, if the store is partial and runs over somebody's value."""
    empty = [origin for _, origin in op.moves if origin not in state.places]
    if not empty or len(empty) == len(op.moves):
        return []
    live: set[int] = set()
    for value in state.lanes.values():
        live.update(map(names.base, (value,) if isinstance(value, int) else value))
    over = [
        target for target, origin in op.moves
        if origin not in state.places and names.base(state.places.get(target, 0)) in live
    ]  # fmt: skip
    return empty if over else []
