"""Finds a concrete path for a violation, and makes the finding that people read.

Search: walk backwards from the use over blocks and moves, as a breadth-first search over (block, op, source
lane, location), to every place where the location may have got another value: a definition, a clobber, or
the definition of the needed value itself (nothing stored it afterwards). Each gives a candidate: entry ->
definition of the lane -> there -> use, by shortest paths. The first candidate that fails when replayed is
the witness. Candidates come in order of length, so the witness is short.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from .cfg import Cfg
from .check import CheckResult, Violation, defined_lanes
from .findings import Finding, FindingKind, Layer, Needed, PathStep, Place
from .mir.debug import DebugInfo
from .mir.model import Block
from .replay import Blame, Moment, Replay, blame, may_fail, replay, written_places
from .translate import Kind, Op, Program, StructuralFault

_MOST_CANDIDATES = 400
_MOST_NODES = 20000


@dataclass(frozen=True, slots=True)
class Context:
    """What is said of every finding of one comparison."""

    layer: Layer
    stage: str
    before_debug: DebugInfo
    after_debug: DebugInfo


@dataclass(frozen=True, slots=True)
class Witness:
    """A violation with the path that shows it."""

    violation: Violation
    record: Replay
    fault: Blame


def find_witness(result: CheckResult, violation: Violation) -> Witness | None:
    """A path on which the demand fails, or None if none of the candidates does."""
    tried: set[tuple[int, ...]] = set()
    for path in _candidates(result, violation):
        if path in tried:
            continue
        tried.add(path)
        worth = may_fail(result.solver, result.entry_states, violation, path)
        record = replay(result.solver, violation, path) if worth else None
        if record is not None:
            return Witness(violation, record, blame(record))
        if len(tried) >= _MOST_CANDIDATES:
            return None
    return None


# -- candidate paths ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tail:
    """Blocks to the use: this one, and those behind it, which many paths share."""

    block: int
    rest: _Tail | None

    def blocks(self) -> Iterator[int]:
        tail: _Tail | None = self
        while tail is not None:
            yield tail.block
            tail = tail.rest


@dataclass(frozen=True, slots=True)
class _Node:
    """tail: from this block to the use."""

    op: int
    lane: int
    place: int
    tail: _Tail

    @property
    def block(self) -> int:
        return self.tail.block


def _candidates(result: CheckResult, violation: Violation) -> Iterator[tuple[int, ...]]:
    cfg = result.program.cfg
    done: set[tuple[int | None, int, int]] = set()
    for node in _backwards(result, violation):
        definitions = result.definers(node.lane)
        for least in (0, 1):
            for middle in [None, *definitions]:
                # several places of one block make the same path, and so does another edge where there is one anyway
                again = least == 1 and (cfg.entry if middle is None else middle) != node.block
                key = (middle, least, id(node.tail))
                if again or key in done:
                    continue
                done.add(key)
                path = _complete(cfg, middle, node, least)
                if path is not None:
                    yield path


def _complete(cfg: Cfg, middle: int | None, node: _Node, least: int) -> tuple[int, ...] | None:
    head = cfg.shortest_path(cfg.entry, cfg.entry if middle is None else middle)
    if head is None:
        return None
    link = cfg.shortest_path(head[-1], node.block, least_edges=least)
    if link is None:
        return None
    return (*head, *link[1:], *islice(node.tail.blocks(), 1, None))


def _backwards(result: CheckResult, violation: Violation) -> Iterator[_Node]:
    """Places where the location may have got its wrong content, nearest first."""
    program, cfg = result.program, result.program.cfg
    start = _Node(violation.op, violation.lane, violation.place, _Tail(violation.block, None))
    queue = [start]
    seen: set[tuple[int, int, int]] = set()
    for node in queue:
        if len(queue) > _MOST_NODES:
            return
        following, ends = _scan_block(program, node)
        yield from ends
        for n in following:
            if n.op > 0:
                queue.append(n)
                continue
            if n.block == cfg.entry:
                yield n
            for p in dict.fromkeys(cfg.predecessors[n.block]):
                key = (p, n.lane, n.place)
                if key not in seen:
                    seen.add(key)
                    queue.append(_Node(len(program.ops[p]), n.lane, n.place, _Tail(p, n.tail)))


def _scan_block(program: Program, node: _Node) -> tuple[list[_Node], list[_Node]]:
    """Walk a block upwards: (where to go on, with op 0 meaning the block's start; where a value came from)."""
    lane = node.lane
    ends: list[_Node] = []
    ops = program.ops[node.block]
    for index in range(node.op - 1, -1, -1):
        op = ops[index]
        if node.place in written_places(op):
            here = _Node(index, lane, node.place, node.tail)
            origin = dict(op.moves).get(node.place, -1) if op.kind is Kind.AFTER_MOVE else -1
            if origin < 0:
                return [], [*ends, here]
            onward = _Node(index, lane, origin, node.tail)
            rest, more = _scan_block(program, onward)
            return rest, [*ends, here, *more]
        if op.kind is Kind.BEFORE_MOVE:
            lane = dict(op.moves).get(lane, lane)
        elif lane in defined_lanes(op):
            ends.append(_Node(index, lane, node.place, node.tail))
    return [_Node(0, lane, node.place, node.tail)], ends


# -- findings -------------------------------------------------------------------------------------------


def value_finding(result: CheckResult, witness: Witness, context: Context) -> Finding:
    """The finding for a violation whose witness was replayed."""
    program, record, fault = result.program, witness.record, witness.fault
    violation = witness.violation
    locations = program.locations
    use = _after_place(program, violation.block, program.ops[violation.block][violation.op], context)
    register, lane = _split_lane(locations.spell(violation.lane))
    clobber = _moment_place(record, fault.clobber, context) if fault.clobber else None
    definition = _definition(record, context)
    path = _path(record, fault)
    loop = sorted(program.cfg.loop_of(violation.block), key=program.cfg.index.__getitem__)
    return Finding(
        id=_digest(program.after.name, context.layer, register, lane, use.block, use.text),
        kind=FindingKind.VALUE,
        layer=context.layer,
        stage=context.stage,
        exit=None,
        exit_by=None,
        needed=Needed(register, lane),
        location=locations.spell(violation.place),
        holds=locations.spell(record.holds) if record.holds is not None else None,
        definition=definition,
        clobber=clobber,
        use=use,
        carriers=tuple(_moment_place(record, m, context) for m in fault.carriers),
        loop_carried=any(step.back_edge for step in path),
        loop=tuple(program.before.block(b).label for b in loop),
        path=path,
        replayed=True,
        explanation=_explain(record, fault, locations.spell(violation.lane), locations.spell(violation.place)),
        slot=_slot(locations.spell(fault.place)),
    )


def fault_finding(result: CheckResult, fault: StructuralFault, context: Context) -> Finding:
    """The finding for an effect that is missing, extra, or breaks a constraint."""
    program = result.program
    kind = {
        "missing": FindingKind.MISSING_EFFECT,
        "extra": FindingKind.EXTRA_EFFECT,
        "constraint": FindingKind.CONSTRAINT,
    }[fault.kind]
    if fault.after >= 0:
        use = _place(program.after.block(fault.block), fault.after, program.after.path, context.after_debug)
    else:
        use = _place(program.before.block(fault.block), fault.before, program.before.path, context.before_debug)
    path = program.cfg.shortest_path(program.cfg.entry, fault.block) or [fault.block]
    return Finding(
        id=_digest(program.after.name, context.layer, fault.kind, use.block, use.text),
        kind=kind, layer=context.layer, stage=context.stage, exit=None, exit_by=None, needed=None, location="",
        holds=None, definition=None, clobber=None, use=use, carriers=(), loop_carried=False, loop=(),
        path=tuple(PathStep(program.before.block(b).label, back_edge=False) for b in path), replayed=True,
        explanation=f"{fault.detail}: {use.text}",
    )  # fmt: skip


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _split_lane(spelling: str) -> tuple[str, str]:
    register, _, lane = spelling.partition(".")
    return register, lane


def _slot(spelling: str) -> str:
    return spelling.split("+")[0] if "stack." in spelling else ""


def _place(block: Block, index: int, path: str, debug: DebugInfo) -> Place:
    instruction = block.instructions[index]
    return Place(path, block.lines[index], block.label, instruction.text, debug.resolve(instruction.debug))


def _after_place(program: Program, block: int, op: Op, context: Context) -> Place:
    if op.after < 0:
        return _place(program.before.block(block), op.before, program.before.path, context.before_debug)
    return _place(program.after.block(block), op.after, program.after.path, context.after_debug)


def _moment_place(record: Replay, moment: Moment, context: Context) -> Place:
    return _after_place(record.program, record.path[moment.visit], record.op(moment), context)


def _definition(record: Replay, context: Context) -> Place | None:
    """What made the wanted value; for a value that the function starts with, the copy that takes it in."""
    moment = record.born or _taken_in(record)
    if moment is None:
        return None
    op = record.op(moment)
    block = record.path[moment.visit]
    return _place(record.program.before.block(block), op.before, record.program.before.path, context.before_debug)


def _taken_in(record: Replay) -> Moment | None:
    program = record.program
    registers = {number for number, name in program.entry_names.items() if name == record.wanted}
    for visit, block in enumerate(record.path):
        for index, op in enumerate(program.ops[block]):
            if op.kind is Kind.BEFORE_MOVE and any(origin in registers for _, origin in op.moves):
                return Moment(visit, index)
    return None


def _path(record: Replay, fault: Blame) -> tuple[PathStep, ...]:
    """From the definition (or the entry) to the use, with what happens on the way."""
    cfg = record.program.cfg
    start = record.born.visit if record.born else 0
    if fault.clobber is not None:
        start = min(start, fault.clobber.visit)
    steps: list[PathStep] = []
    for visit in range(start, len(record.path)):
        block = record.path[visit]
        back = visit > start and cfg.is_back_edge(record.path[visit - 1], block)
        notes: list[str] = []
        if record.born is not None and record.born.visit == visit:
            notes.append("defined")
        if fault.clobber is not None and fault.clobber.visit == visit:
            notes.append("overwritten" if fault.overwrote else "stored without it")
        if visit == record.use.visit:
            notes.append("read")
        steps.append(PathStep(record.program.before.block(block).label, back, ", ".join(notes)))
    return tuple(steps)


def _explain(record: Replay, fault: Blame, lane: str, place: str) -> str:
    spell = record.program.locations.spell
    instead = f"the value of {spell(record.holds)}" if record.holds is not None else "no value of the function"
    if fault.clobber is None:
        return f"{place} should hold {lane}, but nothing on this path wrote it"
    where = spell(fault.place)
    if fault.overwrote:
        return f"{where} held {lane} and was overwritten; {place} then reads {instead}"
    return f"{lane} never reached {where}; {place} reads {instead}"
