"""Which lanes hold a value, as the compiler's LiveIntervals knew before allocation.

Text alone cannot say it: the register coalescer erases IMPLICIT_DEF, after which an older definition of the
lane seems to reach a use that in fact reads nothing. The llc that comes with regtriage writes, for each
allocation, three kinds of lines (masks are LLVM's LaneBitmask in hexadecimal, instructions count from 0):

    function NAME ALLOCATION
    in BLOCK REGISTER MASK           lanes live into the block, where some but not all lanes are
    edge FROM BLOCK REGISTER MASK    lanes live into BLOCK that have no value along this edge
    read BLOCK INDEX REGISTER MASK   lanes that this instruction reads and that have no value there

Another llc's dumps come without, and the check then takes every textual definition at its word.
"""

from __future__ import annotations

from dataclasses import dataclass, field


class LivenessError(Exception):
    """The text is not a lane liveness file."""


@dataclass(slots=True)
class LaneLiveness:
    """live_in: (block, register) -> live lane mask; edges: (from, block, register) -> mask without a value.

    reads: (block, index of the instruction, register) -> mask without a value.
    """

    live_in: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    edges: dict[tuple[int, int, int], int] = field(default_factory=dict[tuple[int, int, int], int])
    reads: dict[tuple[int, int, int], int] = field(default_factory=dict[tuple[int, int, int], int])


def parse_lane_liveness(text: str) -> dict[tuple[str, int], LaneLiveness]:
    """All functions and allocations of one file. Raises LivenessError naming the line that cannot be read."""
    result: dict[tuple[str, int], LaneLiveness] = {}
    current = LaneLiveness()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        try:
            match words:
                case ["function", _, *_]:
                    # names may hold spaces
                    name, allocation = line.split(" ", 1)[1].rsplit(" ", 1)
                    current = result.setdefault((name, int(allocation)), LaneLiveness())
                case ["in", block, register, mask]:
                    current.live_in[int(block), int(register)] = int(mask, 16)
                case ["edge", source, block, register, mask]:
                    current.edges[int(source), int(block), int(register)] = int(mask, 16)
                case ["read", block, index, register, mask]:
                    current.reads[int(block), int(index), int(register)] = int(mask, 16)
                case []:
                    pass
                case _:
                    raise LivenessError(f"line {number}: cannot read '{line[:60]}'")
        except ValueError:
            raise LivenessError(f"line {number}: cannot read '{line[:60]}'") from None
    return result
