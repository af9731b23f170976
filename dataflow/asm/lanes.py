"""Assembly as the lane graph sees it."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Place
from ..graph import EdgeKind, LaneProgram, Step
from ..mir.model import Role
from .model import AsmFile, AsmFunction, AsmInstruction, Flow
from .parser import cfg_of

_KINDS = {
    Role.COPY: EdgeKind.COPY,
    Role.CONSTANT: EdgeKind.COPY,
    Role.SAVE: EdgeKind.SPILL,
    Role.LANE_SAVE: EdgeKind.SPILL,
    Role.RESTORE: EdgeKind.RELOAD,
    Role.LANE_RESTORE: EdgeKind.RELOAD,
}
_MEMORY = ("s_load", "s_buffer", "buffer_", "tbuffer_", "global_", "flat_", "ds_", "image_", "s_store", "s_atomic")
_NOTHING = Step(EdgeKind.COMPUTE, (), ())


def asm_program(file: AsmFile, function: AsmFunction) -> LaneProgram:
    """The lanes of one function.

    A vector register with spill lanes is written and read as a whole by everything that is not a lane access, so such
    an instruction defines, and reads, each of its lanes too.
    """
    cfg = cfg_of(function)
    lanes = _spill_lanes(function)
    known: dict[int, Step] = {}
    steps: dict[int, Sequence[Step]] = {}
    for number in cfg.order:
        row: list[Step] = []
        for i in function.blocks[number].instructions:
            step = known.get(id(i))
            if step is None:
                step = known[id(i)] = _step(i, lanes)
            row.append(step)
        steps[number] = row
    labels = {b.number: b.label for b in function.blocks}

    def place(block: int, index: int) -> Place:
        return place_of(file, function, block, index)

    return LaneProgram(function.name, cfg, labels, steps, place, is_spill_memory)


def place_of(file: AsmFile, function: AsmFunction, block: int, index: int) -> Place:
    """Where an instruction stands, and its source lines."""
    found = function.blocks[block]
    return Place(
        file.path, found.lines[index], found.label, found.instructions[index].text, file.locations[found.debug[index]]
    )


def is_spill_memory(location: str) -> bool:
    """A lane of a vector register or a dword of scratch memory."""
    return location.endswith("]") or location.startswith("scratch")


def _spill_lanes(function: AsmFunction) -> dict[str, list[str]]:
    """By vector register, the lanes that are accessed one by one."""
    found: dict[str, dict[str, None]] = {}
    for block in function.blocks:
        for i in block.instructions:
            if i.role is Role.LANE_SAVE:
                lane = i.flows[0][0]
            elif i.role is Role.LANE_RESTORE and i.flows:
                lane = i.flows[0][1][0]
            else:
                continue
            found.setdefault(lane[: lane.index("[")], {})[lane] = None
    return {register: list(lanes) for register, lanes in found.items()}


def _step(i: AsmInstruction, lanes: dict[str, list[str]]) -> Step:
    if i.role is Role.UNDEFINE:
        # no code comes of it: the register keeps what it held
        return _NOTHING
    kind = _KINDS.get(i.role, EdgeKind.COMPUTE)
    flows = i.flows
    reads = i.reads
    if lanes and i.role not in (Role.LANE_SAVE, Role.LANE_RESTORE):
        if any(r in lanes for r in reads):
            reads = tuple(dict.fromkeys(x for r in reads for x in (r, *lanes.get(r, ()))))
        if any(w in lanes or any(s in lanes for s in given) for w, given in flows):
            flows = tuple(x for flow in flows for x in _with_lanes(flow, lanes))
    return Step(kind, flows, reads, memory=i.mnemonic.startswith(_MEMORY))


def _with_lanes(flow: Flow, lanes: dict[str, list[str]]) -> list[Flow]:
    written, given = flow
    found: list[Flow] = [(written, tuple(x for s in given for x in (s, *lanes.get(s, ()))))]
    for lane in lanes.get(written, ()):
        number = lane[len(written) :]
        # a copy of the whole register takes each lane along
        found.append((lane, tuple(s + number if s in lanes else s for s in given)))
    return found
