"""Runs one concrete path through a program of ops, to turn a failing demand into a witness.

The fix-point says that some path breaks a demand; this module executes a given path, gives every executed
definition a new name, and says whether the demand fails on it, and, walking the record backwards, which write
put the wrong value there. A finding whose path does not fail here is not a fact and is never called a BUG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .check import Solver, Violation
from .exec_mask import ENTRY
from .mir.model import Role
from .names import Names
from .translate import Kind, Op, Program
from .values import Mismatch, NameSet, State, mismatch, run_ops

_LAST_BLOCKS = 64
"""Of a path, that are executed to see whether it is worth while to execute all of it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One executed op: visit is the index into the path, op the index into the block's ops."""

    visit: int
    op: int


@dataclass(frozen=True, slots=True)
class Write:
    """A change of one location. name 0: it holds nothing afterwards. origin: where a move read, else -1."""

    moment: Moment
    name: int
    origin: int


@dataclass(slots=True)
class Replay:
    """The record of a path on which the demand fails.

    wanted: the name the lane has at the use; found: the name in the location (0: nothing). born: the moment
    at which the wanted value was made, None for a value from the entry.
    """

    program: Program
    path: tuple[int, ...]
    use: Moment
    lane: int
    place: int
    wanted: int
    found: int
    born: Moment | None
    holds: int | None
    """A source lane that has the found value at the use, or None."""
    writes: dict[int, list[Write]]

    def op(self, moment: Moment) -> Op:
        """The op that was executed at a moment."""
        return self.program.ops[self.path[moment.visit]][moment.op]

    def last_write(self, place: int, before: Moment) -> Write | None:
        """The last change of a location strictly before a moment."""
        for write in reversed(self.writes.get(place, ())):
            if (write.moment.visit, write.moment.op) < (before.visit, before.op):
                return write
        return None

    def content(self, place: int, before: Moment) -> int:
        """The name a location has just before a moment."""
        write = self.last_write(place, before)
        if write is None:
            return self.program.entry_names.get(place, 0)
        return write.name


def may_fail(solver: Solver, entries: Mapping[int, State], violation: Violation, path: Sequence[int]) -> bool:
    """Whether the demand fails at the end of the path by all that is known: if not, replaying it is a waste of time.

    entries: by block what holds at its start on every path. Its last blocks alone are executed, from there.
    """
    start = max(0, len(path) - _LAST_BLOCKS)
    known = entries.get(path[start])
    if known is None:
        return True
    runner = _Runner(solver.program)
    runner.state = known.copy()
    _follow(solver, runner, violation, path[start:])
    wanted = runner.state.lanes.get(violation.lane)
    return wanted is None or _fails(solver, runner.state, violation, wanted)


def _follow(solver: Solver, runner: _Runner, violation: Violation, path: Sequence[int]) -> None:
    """Execute the blocks of a path, the last one up to the demand."""
    previous: int | None = None
    for visit, block in enumerate(path):
        if previous is not None:
            for lane in solver.dead_on_edge.get((previous, block), ()):
                runner.state.lanes.pop(lane, None)
        solver.drop_dead(block, runner.state)
        runner.run_block(block, visit, violation.op if visit == len(path) - 1 else None)
        previous = block


def _fails(solver: Solver, state: State, violation: Violation, wanted: NameSet) -> bool:
    """Whether the location holds another value. That lanes are missing which EXEC disabled is not shown by this."""
    if state.holds(violation.place, violation.lane):
        return False
    content = state.places.get(violation.place)
    return mismatch(content, wanted, ENTRY, solver.program.names) is Mismatch.VALUE


def replay(solver: Solver, violation: Violation, path: Sequence[int]) -> Replay | None:
    """Execute the path; None if the demand of its last block holds there (or the path is not in the CFG)."""
    if any(block not in solver.cfg.successors[previous] for previous, block in pairwise(path)):
        return None
    runner = _Runner(solver.program)
    _follow(solver, runner, violation, path)
    state = runner.state
    wanted = state.lanes.get(violation.lane)
    if wanted is None or not _fails(solver, state, violation, wanted):
        return None
    names = solver.program.names
    content = state.places.get(violation.place)
    name = names.base(wanted if isinstance(wanted, int) else min(wanted, default=0))
    found = names.base(content or 0)
    holds = next((lane for lane in sorted(state.lanes) if found and _is(state.lanes[lane], found, names)), None)
    return Replay(
        solver.program, tuple(path), Moment(len(path) - 1, violation.op), violation.lane, violation.place,
        name, found, runner.born.get(name), holds, runner.writes,
    )  # fmt: skip


def _is(value: NameSet, name: int, names: Names) -> bool:
    return isinstance(value, int) and names.base(value) == name


@dataclass(slots=True)
class _Runner:
    program: Program
    state: State = field(default_factory=State)
    writes: dict[int, list[Write]] = field(default_factory=dict[int, list[Write]])
    born: dict[int, Moment] = field(default_factory=dict[int, Moment])

    def __post_init__(self) -> None:
        self.state = State(dict(self.program.entry_names), dict(self.program.entry_names))

    def run_block(self, block: int, visit: int, stop: int | None) -> None:
        for index, op in enumerate(self.program.ops[block][:stop]):
            self._step(op, Moment(visit, index))

    def _step(self, op: Op, moment: Moment) -> None:
        state, names = self.state, self.program.names
        run_ops((op,), state, names)
        if op.kind is Kind.PAIR and op.expression is None:
            for lane, place, _ in op.binds:
                state.lanes[lane] = state.places[place] = name = names.fresh()
                self.born[name] = moment
        elif op.kind in (Kind.BEFORE_SET, Kind.BEFORE_EXPRESSION, Kind.PAIR):
            lanes = [t for t, _ in op.sets] or [b[0] for b in op.binds] or op.places
            for lane in lanes:
                name = state.lanes.get(lane)
                if isinstance(name, int):
                    self.born[names.base(name)] = moment
        origins = dict(op.moves) if op.kind is Kind.AFTER_MOVE else {}
        for place in written_places(op):
            write = Write(moment, names.base(state.places.get(place, 0)), origins.get(place, -1))
            self.writes.setdefault(place, []).append(write)


def written_places(op: Op) -> list[int]:
    """Locations whose content the op changes, after allocation."""
    found = list(op.clobbers)
    if op.kind is Kind.PAIR:
        found += [place for _, place, _ in op.binds]
    elif op.kind is Kind.AFTER_MOVE:
        found += [target for target, _ in op.moves]
    elif op.kind is Kind.AFTER_SET:
        found += [target for target, _ in op.sets]
    elif op.kind is Kind.AFTER_EXPRESSION:
        found += op.places
    return found


@dataclass(frozen=True, slots=True)
class Blame:
    """Which write is at fault on a replayed path.

    clobber: the write that lost the value, None if nothing ever wrote the location. overwrote: the location
    that it changed held the wanted value before (otherwise the value never arrived there). place: that location.
    carriers: the moves that brought the wrong value from there to the use, in order of execution.
    """

    clobber: Moment | None
    place: int
    overwrote: bool
    carriers: tuple[Moment, ...]


def blame(record: Replay) -> Blame:
    """Walk back from the use: through moves, to the write that ran over the wanted value.

    A reload that replaces the right value in a register by a wrong one from memory is followed into memory:
    the fault is with what memory holds, not with reading it.
    """
    place, before = record.place, record.use
    chain: list[tuple[Moment, int]] = []
    fallback: Blame | None = None
    while True:
        write = record.last_write(place, before)
        if write is None:
            break
        lost = record.content(place, write.moment) == record.wanted
        block, op = record.path[write.moment.visit], record.op(write.moment)
        found = Blame(write.moment, place, overwrote=True, carriers=tuple(m for m, _ in reversed(chain)))
        if lost and not is_reload(record.program, block, op):
            return found
        if lost and fallback is None:
            fallback = found
        if write.origin < 0:
            break
        chain.append((write.moment, place))
        place, before = write.origin, write.moment
    for at in range(len(chain) - 1, -1, -1):
        moment, word = chain[at]
        if is_store(record.program, record.path[moment.visit], record.op(moment)):
            return Blame(moment, word, overwrote=False, carriers=tuple(m for m, _ in reversed(chain[:at])))
    if fallback is not None:
        return fallback
    last = record.last_write(place, before)
    return Blame(last.moment if last else None, place, overwrote=False, carriers=tuple(m for m, _ in reversed(chain)))


def is_store(program: Program, block: int, op: Op) -> bool:
    """Tell whether the op is a spill store."""
    return _role(program, block, op) in (Role.SAVE, Role.LANE_SAVE)


def is_reload(program: Program, block: int, op: Op) -> bool:
    """Tell whether the op reads spill memory."""
    return _role(program, block, op) in (Role.RESTORE, Role.LANE_RESTORE)


def _role(program: Program, block: int, op: Op) -> Role:
    if op.kind is not Kind.AFTER_MOVE:
        return Role.ORDINARY
    return program.after.block(block).instructions[op.after].role
