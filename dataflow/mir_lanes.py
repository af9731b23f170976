"""MIR of any stage as the lane graph sees it.

Spelling of locations: as `lanes.Locations` does, `%12.sub1`, `$sgpr4`, `%stack.3+8` (bytes), `%84[5]`; a lane of a
physical vector register that scalars are spilled to is `$vgpr254[5]`.
Calls are not modelled: what a register mask says to be overwritten keeps its definition here.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cfg import build_cfg
from .findings import Place
from .graph import EdgeKind, LaneProgram, Step
from .lanes import LaneMap, Locations
from .mir.debug import DebugInfo
from .mir.model import Instruction, MachineFunction, MirFile, Register, Role
from .targets.base import Target

_KINDS = {
    Role.COPY: EdgeKind.COPY,
    Role.CONSTANT: EdgeKind.COPY,
    Role.UNDEFINE: EdgeKind.COPY,
    Role.SAVE: EdgeKind.SPILL,
    Role.LANE_SAVE: EdgeKind.SPILL,
    Role.RESTORE: EdgeKind.RELOAD,
    Role.LANE_RESTORE: EdgeKind.RELOAD,
}
_Flows = tuple[tuple[str, tuple[str, ...]], ...]


def mir_program(file: MirFile, function: MachineFunction, target: Target) -> LaneProgram:
    """The lanes of one function. Raises TargetError for registers the target does not know."""
    cfg = build_cfg(function)
    blocks = {b.number: b for b in function.blocks}
    steps_of = _Steps(function, target)
    debug = DebugInfo(file.ir)
    steps: dict[int, Sequence[Step]] = {n: [steps_of.of(i) for i in blocks[n].instructions] for n in cfg.order}

    def place(block: int, index: int) -> Place:
        found = blocks[block]
        instruction = found.instructions[index]
        return Place(file.path, found.lines[index], found.label, instruction.text, debug.resolve(instruction.debug))

    labels = {number: block.label for number, block in blocks.items()}
    return LaneProgram(function.name, cfg, labels, steps, place, is_slot)


def instruction_step(function: MachineFunction, instruction: Instruction, target: Target) -> Step:
    """One instruction of a function, as its step of the whole program would be. Raises TargetError."""
    return _Steps(function, target).of(instruction)


def is_slot(location: str) -> bool:
    """A word of a stack slot or a lane of a vector register that holds scalars."""
    return "stack." in location or location.endswith("]")


class _Steps:
    """Makes a step of each distinct instruction of a function."""

    def __init__(self, function: MachineFunction, target: Target) -> None:
        granule = 16 if function.uses_half_lanes else 32
        self._locations = Locations(target, granule)
        self._lanes = LaneMap(self._locations)
        self._lanes.adopt(function)
        self._known: dict[int, Step] = {}
        self._bytes = granule // 8

    def of(self, i: Instruction) -> Step:
        found = self._known.get(id(i))
        if found is None:
            found = self._known[id(i)] = self._make(i)
        return found

    def _make(self, i: Instruction) -> Step:
        if i.role is Role.NOTHING:
            return Step(EdgeKind.COMPUTE, (), ())
        flows = self._moves(i)
        if flows is not None:
            return Step(_KINDS[i.role], flows, tuple(dict.fromkeys(s for _, given in flows for s in given)))
        uses = [r for r in i.uses if not r.undef]
        uses += [r for r in i.implicit_uses if not (r.undef or self._says_who(r) or self._lanes.is_bookkeeping(r, i))]
        reads = tuple(dict.fromkeys(s for r in uses for s in self._spelled(r)))
        defs = [*i.defs, *(d for d in i.implicit_defs if d.virtual or not self._lanes.is_bookkeeping(d, i))]
        written = dict.fromkeys(s for d in defs for s in self._spelled(d))
        return Step(EdgeKind.COMPUTE, tuple((w, reads) for w in written), reads, memory=bool(i.memory))

    def _says_who(self, register: Register) -> bool:
        """EXEC as an implicit operand says which threads take part, not what is computed."""
        return register.name in ("exec", "exec_lo", "mode")

    def _moves(self, i: Instruction) -> _Flows | None:
        """Lane-by-lane flows of an instruction that only moves; None for all others."""
        if i.role is Role.ORDINARY:
            return None
        if i.role is Role.SAVE:
            given = self._spelled(i.uses[0])
            return self._pair([self._word(i.slot, k) for k in range(len(given))], given, i.uses[0])
        if i.role is Role.LANE_SAVE:
            lane = f"{i.defs[0].spelling}[{i.slot}]"
            return self._pair([lane], self._spelled(i.uses[0])[:1], i.uses[0])
        results = self._spelled(i.defs[0])
        if i.role is Role.RESTORE:
            return tuple((r, (self._word(i.slot, k),)) for k, r in enumerate(results))
        if i.role is Role.LANE_RESTORE:
            return tuple((r, (f"{i.uses[0].spelling}[{i.slot}]",)) for r in results[:1])
        if i.role is Role.COPY:
            return self._pair(results, self._spelled(i.uses[0]), i.uses[0])
        return tuple((r, ()) for r in results)

    def _pair(self, results: Sequence[str], given: Sequence[str], source: Register) -> _Flows:
        if source.undef:
            return tuple((r, ()) for r in results)
        known = tuple((r, (g,)) for r, g in zip(results, given, strict=False))
        return (*known, *((r, ()) for r in results[len(known) :]))

    def _word(self, slot: str, unit: int) -> str:
        return f"{slot}+{unit * self._bytes}"

    def _spelled(self, register: Register) -> list[str]:
        return [self._locations.spell(u) for u in self._lanes.units(register)]
