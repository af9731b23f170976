"""Translation validation of register allocation, lane by lane, over every path and loop.

Specification
  Given one function before and after (part of) register allocation, show that every operand that an
  instruction reads after allocation holds the value it held before, on every path; or name the operands for
  which some path breaks that.
Method
  `pairing` says which instructions are the same one, `translate` makes ops of them, `values` has the lattice
  (must-hold equalities between source lanes and locations), transfer and join. This module finds the
  greatest fix-point over the CFG, in the manner of the symbolic checker of regalloc2, then walks every block
  once more and collects each demand that fails. Vector registers are written in the lanes of the wave that EXEC
  enables (`names`, `exec_mask`): where the value is there, but not known to be in every lane that is read, that is
  not called wrong, since the lanes may happen not to differ: it is named as not proved.
What it proves
  With no violation, no fault and nothing unknown: every ordinary instruction after allocation computes on
  equal operands, and effects happen in equal order, whatever the opcodes mean.
What it does not
  Anything about opcodes, about memory written through aliases of spill slots, or about passes outside the two stages.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from .liveness import LaneLiveness
from .mir.model import MachineFunction
from .targets.base import Target
from .translate import Kind, Numbering, Op, Program, StructuralFault, translate
from .values import JoinNames, Mismatch, State, join, run_ops

_MOST_VISITS = 200
"""Visits of one block after which the fix-point is given up as not converging. Real kernels need 2 to 10."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A demand that fails: the op (by block and index) needs the lane's value in the location."""

    block: int
    op: int
    lane: int
    place: int


@dataclass(slots=True)
class CheckResult:
    """What the check found. entry_states: the fix-point, per reached block."""

    program: Program
    violations: list[Violation]
    entry_states: dict[int, State]
    solver: Solver
    unknown: list[str] = field(default_factory=list[str])
    checked: int = 0
    visits: int = 0
    _definers: dict[int, list[int]] | None = None

    def definers(self, lane: int) -> list[int]:
        """Blocks that define a source lane, in reverse post-order."""
        if self._definers is None:
            self._definers = {}
            for block in self.program.cfg.order:
                for op in self.program.ops[block]:
                    for defined in defined_lanes(op):
                        blocks = self._definers.setdefault(defined, [])
                        if not blocks or blocks[-1] != block:
                            blocks.append(block)
        return self._definers.get(lane, [])


def defined_lanes(op: Op) -> list[int]:
    """Source lanes that the op gives a value of its own: no move."""
    if op.kind is Kind.PAIR:
        return [lane for lane, _, _ in op.binds]
    if op.kind is Kind.BEFORE_SET:
        return [lane for lane, _ in op.sets]
    return list(op.places) if op.kind is Kind.BEFORE_EXPRESSION else []


def check(
    before: MachineFunction,
    after: MachineFunction,
    target: Target,
    liveness: LaneLiveness | None = None,
    numbering: Numbering | None = None,
) -> CheckResult:
    """Compare one function at two stages.

    Raises ShapeMismatchError if they are not the same function, TargetError for unknown registers.
    """
    program = translate(before, after, target, numbering)
    if liveness is not None:
        _kill_undefined_reads(program, liveness)
    solver = Solver(program, liveness)
    entry_states = solver.solve()
    violations, checked = solver.collect(entry_states)
    program.faults[:] = [f for f in program.faults if solver.is_real(f, entry_states)]
    unknown = [*program.unknown, *solver.unknown]
    return CheckResult(program, violations, entry_states, solver, unknown, checked, solver.visits)


class Solver:
    """The fix-point over one program."""

    def __init__(self, program: Program, liveness: LaneLiveness | None) -> None:
        self.program = program
        self.cfg = program.cfg
        self.join_names = JoinNames(program.names)
        self.unknown: list[str] = []
        self.visits = 0
        self._wanted_lanes, self._wanted_places = _live_in(program)
        self.dead_at, self.dead_on_edge = _dead_lanes(program, liveness)
        self._rename = self._names_of_irreducible_cycles()

    def solve(self) -> dict[int, State]:
        """Entry state of each reached block."""
        cfg, ops, names = self.cfg, self.program.ops, self.program.names
        entry = State(dict(self.program.entry_names), dict(self.program.entry_names))
        entries: dict[int, State] = {}
        exits: dict[int, State] = {}
        heap = [0]
        queued = {cfg.entry}
        visits: dict[int, int] = {}
        while heap:
            block = cfg.order[heapq.heappop(heap)]
            queued.discard(block)
            state = entry.copy() if block == cfg.entry else self._join(block, exits)
            if block in entries and entries[block].lanes == state.lanes and entries[block].places == state.places:
                continue
            visits[block] = visits.get(block, 0) + 1
            if visits[block] > _MOST_VISITS:
                self.unknown.append(f"the analysis does not converge at bb.{block}")
                break
            entries[block] = state
            end = state.copy()
            run_ops(ops[block], end, names)
            known = exits.get(block)
            exits[block] = end
            if known is not None and known.lanes == end.lanes and known.places == end.places:
                continue
            for following in cfg.successors[block]:
                if following not in queued:
                    queued.add(following)
                    heapq.heappush(heap, cfg.index[following])
        self.visits = sum(visits.values())
        return entries

    def _join(self, block: int, exits: Mapping[int, State]) -> State:
        sources = [p for p in dict.fromkeys(self.cfg.predecessors[block]) if p in exits]
        dead = [self.dead_on_edge.get((p, block), frozenset[int]()) for p in sources]
        rename = self._rename if block in self.cfg.irreducible else frozenset[int]()
        state = join(block, [exits[p] for p in sources], dead, self.join_names, rename)
        self.drop_dead(block, state)
        wanted_lanes, wanted_places = self._wanted_lanes[block], self._wanted_places[block]
        state.lanes = {k: v for k, v in state.lanes.items() if k in wanted_lanes}
        state.places = {k: v for k, v in state.places.items() if k in wanted_places}
        return state

    def drop_dead(self, block: int, state: State) -> None:
        """Forget source lanes that hold no value at the block's start."""
        for lane in state.lanes.keys() & self.dead_at.get(block, ()):
            del state.lanes[lane]

    def collect(self, entries: Mapping[int, State]) -> tuple[list[Violation], int]:
        """All failing demands in block order, and the number of demands looked at."""
        found: list[Violation] = []
        checked = 0
        for block in self.cfg.order:
            if block not in entries:
                continue
            ops = self.program.ops[block]
            checked += sum(len(op.demands) for op in ops)
            state = entries[block].copy()

            def report(at: int, lane: int, place: int, how: Mismatch, block: int = block) -> None:
                if how is Mismatch.MASK:
                    self.unknown.append(self._describe_masked(block, at, lane, place))
                else:
                    found.append(Violation(block, at, lane, place))

            run_ops(ops, state, self.program.names, report)
        return found, checked

    def _describe_masked(self, block: int, at: int, lane: int, place: int) -> str:
        program = self.program
        op = program.ops[block][at]
        where = program.after.block(block)
        spell = program.locations.spell
        return (
            f"{where.label}, line {where.lines[op.after]}: {spell(place)} holds {spell(lane)} only for the lanes that "
            "were enabled when it was moved there; EXEC may enable more here"
        )

    def is_real(self, fault: StructuralFault, entries: Mapping[int, State]) -> bool:
        """Tell whether a lane that the fault is about has a value before its instruction."""
        if not fault.lanes:
            return True
        if fault.block not in entries:
            return False
        state = entries[fault.block].copy()
        earlier = takewhile(
            lambda op: op.kind is not Kind.PAIR or op.before < fault.before, self.program.ops[fault.block]
        )
        run_ops(list(earlier), state, self.program.names)
        return not state.lanes.keys().isdisjoint(fault.lanes)

    def _names_of_irreducible_cycles(self) -> frozenset[int]:
        names: set[int] = set()
        for block in self.cfg.irreducible:
            for op in self.program.ops[block]:
                names.update(name for _, _, name in op.binds)
                names.update(name for _, name in op.sets)
        return frozenset(names)


# -- which lanes and places are still wanted ------------------------------------------------------------


def _live_in(program: Program) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """Per block: source lanes and locations that something may still read."""
    lanes = {b: _lane_effects(ops) for b, ops in program.ops.items()}
    places = {b: _place_effects(ops) for b, ops in program.ops.items()}
    return _solve_backwards(program, lanes), _solve_backwards(program, places)


def _solve_backwards(program: Program, effects: dict[int, tuple[set[int], set[int]]]) -> dict[int, set[int]]:
    cfg = program.cfg
    live: dict[int, set[int]] = {b: set() for b in cfg.order}
    changed = True
    while changed:
        changed = False
        for block in reversed(cfg.order):
            gen, kill = effects[block]
            out = set[int]().union(*(live[following] for following in cfg.successors[block]))
            new = gen | (out - kill)
            if len(new) != len(live[block]):
                live[block] = new
                changed = True
    return live


def _lane_effects(ops: list[Op]) -> tuple[set[int], set[int]]:
    gen: set[int] = set()
    kill: set[int] = set()
    for op in ops:
        kind = op.kind
        reads: list[int] = []
        writes: list[int] = []
        if kind is Kind.PAIR:
            reads = [v for v, _ in op.demands]
            writes = [v for v, _, _ in op.binds]
        elif kind is Kind.BEFORE_MOVE:
            reads, writes = [o for _, o in op.moves], [t for t, _ in op.moves]
        elif kind is Kind.BEFORE_SET:
            writes = [t for t, _ in op.sets]
        elif kind is Kind.BEFORE_EXPRESSION:
            writes = list(op.places)
        if op.blended and kind in (Kind.BEFORE_MOVE, Kind.BEFORE_SET):
            writes = []  # in other lanes of the wave the old value stays
        if op.expression is not None and kind is not Kind.AFTER_EXPRESSION:
            reads = [*reads, *op.expression.operands]
        _fold(gen, kill, reads, [*writes, *op.kills])
    return gen, kill


def _place_effects(ops: list[Op]) -> tuple[set[int], set[int]]:
    gen: set[int] = set()
    kill: set[int] = set()
    for op in ops:
        kind = op.kind
        reads: list[int] = []
        writes: list[int] = []
        if kind is Kind.PAIR:
            reads = [p for _, p in op.demands]
            writes = [p for _, p, _ in op.binds]
            if op.expression_after is not None:
                reads += op.expression_after.operands
        elif kind is Kind.AFTER_MOVE:
            reads, writes = [o for _, o in op.moves], [t for t, _ in op.moves]
        elif kind is Kind.AFTER_SET:
            writes = [t for t, _ in op.sets]
        elif kind is Kind.AFTER_EXPRESSION:
            assert op.expression is not None
            reads, writes = list(op.expression.operands), list(op.places)
        if op.blended:
            writes = [w for w in writes if w not in op.blended]  # in other lanes of the wave the old value stays
        _fold(gen, kill, reads, [*writes, *op.clobbers])
    return gen, kill


def _fold(gen: set[int], kill: set[int], reads: list[int], writes: list[int]) -> None:
    gen.update([r for r in reads if r not in kill])
    kill.update(writes)


# -- lanes that the compiler knows to be undefined -------------------------------------------------------


def _dead_lanes(
    program: Program, liveness: LaneLiveness | None
) -> tuple[dict[int, frozenset[int]], dict[tuple[int, int], frozenset[int]]]:
    """Lanes without a value at a block's start, and on an edge."""
    if liveness is None:
        return {}, {}
    lanes = _Lanes(program)
    dead_at: dict[int, set[int]] = {}
    for (block, register), mask in liveness.live_in.items():
        dead_at.setdefault(block, set()).update(lanes.outside(register, mask))
    edges: dict[tuple[int, int], set[int]] = {}
    for (source, block, register), mask in liveness.edges.items():
        edges.setdefault((source, block), set()).update(lanes.of(register, mask))
    return {b: frozenset(s) for b, s in dead_at.items()}, {e: frozenset(s) for e, s in edges.items()}


def _kill_undefined_reads(program: Program, liveness: LaneLiveness) -> None:
    """Lanes that have no value where they are read lose it right before."""
    lanes = _Lanes(program)
    dead: dict[tuple[int, int], set[int]] = {}
    for (block, index, register), mask in liveness.reads.items():
        dead.setdefault((block, index), set()).update(lanes.of(register, mask))
    for (block, index), some in sorted(dead.items(), reverse=True):
        ops = program.ops.get(block)
        if ops and some:
            at = next((k for k, op in enumerate(ops) if op.before >= index), len(ops))
            ops.insert(at, Op(Kind.BEFORE_MOVE, index, -1, kills=tuple(sorted(some))))


class _Lanes:
    """The numbers of the lanes of virtual registers.

    What a register's lanes are in a mask is found once: a register is alive in many blocks, under few masks.
    """

    def __init__(self, program: Program) -> None:
        self._target, self._granule = program.locations.target, program.locations.granule
        self._numbers: dict[str, dict[int, int]] = {}
        self._of: dict[tuple[int, int], frozenset[int]] = {}
        self._outside: dict[tuple[int, int], frozenset[int]] = {}
        for number, key in enumerate(program.locations.keys):
            if len(key) == 3 and key[0] == "v":
                self._numbers.setdefault(key[1], {})[key[2]] = number

    def of(self, register: int, mask: int) -> frozenset[int]:
        """Those in LLVM's lane mask."""
        found = self._of.get((register, mask))
        if found is None:
            known = self._numbers.get(str(register), {})
            units = self._target.mask_units(mask, self._granule)
            found = self._of[register, mask] = frozenset(known[u] for u in units if u in known)
        return found

    def outside(self, register: int, mask: int) -> frozenset[int]:
        """The register's others."""
        found = self._outside.get((register, mask))
        if found is None:
            known = self._numbers.get(str(register), {})
            found = self._outside[register, mask] = frozenset(known.values()) - self.of(register, mask)
        return found
