"""Where lanes of virtual vector registers die in the function before allocation.

Needed only where EXEC is written. A thread that is off keeps the old value of a register that others define,
and may rely on it when it is on again (the value a loop left it with; the value from `then` while others went
through `else`). While it is off nobody can write its part of any register, so a lane that dies then on the way
that the others take is not lost yet. It is if the lane is still dead when the thread is on again, as is every
lane that dies while the thread is on. Where the compiler says that a lane has no value, it is dead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..mir.model import Block, Instruction, Role
from . import amdgpu
from .operands import Places, Words


@dataclass(slots=True)
class Deaths:
    """entering: places dead at a block's start that were live at a predecessor's end.

    after: those that die at an instruction, by block and position; live: those live after it, where it writes EXEC.
    """

    entering: dict[int, Words] = field(default_factory=dict[int, Words])
    after: dict[tuple[int, int], Words] = field(default_factory=dict[tuple[int, int], Words])
    live: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict[tuple[int, int], frozenset[int]])


@dataclass(slots=True)
class Undefined:
    """Places known to hold nothing, as bit sets.

    entering: a block; on_edge: from one block to another; reads: where an instruction (block, position) reads them.
    """

    entering: dict[int, int] = field(default_factory=dict[int, int])
    on_edge: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    reads: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])


def find_deaths(places: Places, undefined: Undefined) -> Deaths:
    """Backward lane liveness, as bit sets over places, then one walk to note the deaths."""
    blocks = {b.number: b for b in places.function.blocks}
    effects = {
        n: [_effect(places, i, undefined.reads.get((n, k), 0)) for k, i in enumerate(b.instructions)]
        for n, b in blocks.items()
    }
    live_in = dict.fromkeys(blocks, 0)
    order = list(blocks.values())[::-1]
    changed = True
    while changed:
        changed = False
        for block in order:
            live = _live_out(block, live_in, undefined)
            for read, written in reversed(effects[block.number]):
                live = live & ~written | read
            live &= ~undefined.entering.get(block.number, 0)
            if live != live_in[block.number]:
                live_in[block.number] = live
                changed = True
    return _note(blocks, effects, live_in, undefined)


def _note(
    blocks: dict[int, Block],
    effects: dict[int, list[tuple[int, int]]],
    live_in: dict[int, int],
    undefined: Undefined,
) -> Deaths:
    deaths = Deaths()
    at_end: dict[int, int] = {}
    for number, block in blocks.items():
        live = _live_out(block, live_in, undefined)
        for following in block.successors:
            at_end[following] = at_end.get(following, 0) | live
        for position in range(len(block.instructions) - 1, -1, -1):
            read, written = effects[number][position]
            dying = (read | written) & ~live
            if dying:
                deaths.after[number, position] = _members(dying)
            if amdgpu.writes_exec(block.instructions[position]):
                deaths.live[number, position] = frozenset(_members(live))
            live = live & ~written | read
    for number in blocks:
        dying = at_end.get(number, 0) & ~live_in[number]
        if dying:
            deaths.entering[number] = _members(dying)
    return deaths


def _live_out(block: Block, live_in: dict[int, int], undefined: Undefined) -> int:
    live = 0
    for following in block.successors:
        live |= live_in[following] & ~undefined.on_edge.get((block.number, following), 0)
    return live


def _effect(places: Places, i: Instruction, undefined: int) -> tuple[int, int]:
    """Bit sets of the places that an instruction reads, where they hold something, and writes."""
    if i.role is Role.NOTHING:
        return 0, 0
    read = written = 0
    for operand in i.uses:
        if operand.virtual and not operand.undef and places.is_vector(operand):
            for place in places.units(operand):
                read |= 1 << place
    for operand in i.defs:
        if operand.virtual and places.is_vector(operand):
            for place in (*places.units(operand), *(places.others(operand) if operand.undef else ())):
                written |= 1 << place
    return read & ~undefined, written


def _members(bits: int) -> Words:
    result: list[int] = []
    while bits:
        lowest = bits & -bits
        result.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(result)
