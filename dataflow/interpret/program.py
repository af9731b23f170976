"""A function compiled to closures, and how it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from ..liveness import LaneLiveness
from ..mir.model import Block, Instruction, MachineFunction, Role
from ..targets.base import Target
from . import amdgpu
from .deaths import Deaths, Undefined, find_deaths
from .events import watch
from .explore import Condition, Fork
from .machine import Machine, Outcome, Run
from .operands import ImplicitOperands, Places, Side, Words
from .semantics import Translator
from .steps import Builder, Op, Step
from .wholewave import own_writes_of_exec
from .words import POISON, fingerprint, nonzero

_K = TypeVar("_K", bound=Hashable)

Decide = Callable[[Fork, Condition, dict[int, int]], bool | None]
"""Whether a conditional branch is taken; None ends the run."""

_STACK_POINTER = "sgpr32"
_UNDEFINED_AT_ENTRY = frozenset(("scc", "vcc_lo", "vcc_hi"))


@dataclass(frozen=True, slots=True)
class _Segment:
    """Straight-line code. ops: for the followed thread being off and on.

    fork: a conditional branch follows; test: the places it tests for zero, and whether it is taken if they are not.
    jump: control goes to that block. ends: control leaves the function.
    """

    ops: tuple[tuple[Op, ...], tuple[Op, ...]]
    fork: Fork | None = None
    test: tuple[Words, bool] = ((), True)
    jump: int | None = None
    ends: bool = False


@dataclass(frozen=True, slots=True)
class _Code:
    """A block.

    following: the one below it. undefined: places without a value at its entry; undefined_from: when entered from
    another block; each as the scalar ones and the vector ones.
    """

    segments: tuple[_Segment, ...]
    size: int
    following: int | None
    undefined: tuple[Words, Words]
    undefined_from: dict[int, tuple[Words, Words]]


@dataclass(slots=True)
class _Budget:
    """How much of a run is left: instructions, and entries of blocks."""

    steps: int = sys.maxsize
    entries: int = sys.maxsize

    def spend(self, steps: int) -> bool:
        """Enter a block of so many instructions, if that is still allowed."""
        self.steps -= steps
        self.entries -= 1
        return self.steps >= 0 and self.entries >= 0


class Program:
    """One compiled function.

    watch: a block whose instructions' results are recorded in `Run.results`. liveness: lanes that the compiler
    knows to hold nothing where blocks meet, for the function before allocation.
    Raises TargetError where an operand is of a register or class that the target does not know.
    """

    def __init__(
        self,
        function: MachineFunction,
        target: Target,
        granule: int,
        side: Side,
        implicit: ImplicitOperands,
        *,
        liveness: LaneLiveness | None = None,
        watch: int | None = None,
    ) -> None:
        self.function, self._target, self._granule, self._side, self._watch = function, target, granule, side, watch
        self._machine = Machine(granule)
        self._places = Places(function, target, granule, side, implicit)
        masks_matter = any(amdgpu.writes_exec(i) for b in function.blocks for i in b.instructions)
        self._builder = Builder(self._machine, self._places, masks_matter=masks_matter)
        self._translator = Translator(self._builder, target)
        undefined = _Undefined(self._places, liveness or LaneLiveness())
        follow = masks_matter and side is Side.BEFORE
        self._deaths = find_deaths(self._places, undefined.as_sets()) if follow else Deaths()
        self._entry = function.blocks[0].number
        self._code = {
            b.number: self._compile(b, n.number if n else None, undefined)
            for b, n in zip(function.blocks, (*function.blocks[1:], None), strict=True)
        }
        self._blank = [
            POISON if side is Side.BEFORE else hash((fingerprint("undefined"), k)) & self._machine.mask
            for k in range(len(self._places))
        ]
        self._translator.finish(self._blank)
        self._inputs = self._find_inputs()

    def run(self, seed: int, decide: Decide, steps: int) -> Run:
        """Execute once, at most so many instructions, rounded down to whole blocks."""
        return self._run(seed, decide, _Budget(steps), None)

    def follow(self, other: Run) -> Run:
        """Execute along the path of a run of another program, on the same inputs."""
        left = iter(other.decisions)
        budget = _Budget(entries=sum(other.visits.values()))
        return self._run(other.seed, lambda fork, condition, visits: next(left, None), budget, other.thread_on)

    def _run(self, seed: int, decide: Decide, budget: _Budget, thread_on: Iterable[bool] | None) -> Run:
        machine, run = self._machine, Run(seed)
        machine.start(seed, hash((seed, 3)) % amdgpu.THREAD_LIMIT, self._initial(seed), thread_on)
        run.outcome = self._execute(run, decide, budget)
        run.events, run.sites, run.results = machine.events[:], machine.sites[:], machine.results[:]
        run.thread_on = machine.thread_on[:]
        return run

    def _execute(self, run: Run, decide: Decide, budget: _Budget) -> Outcome:
        machine, visits, at, previous = self._machine, run.visits, self._entry, -1
        while True:
            code = self._code[at]
            if not budget.spend(code.size):
                return Outcome.LIMIT
            visits[at] = visits.get(at, 0) + 1
            for places in (code.undefined, code.undefined_from.get(previous)):
                if places:
                    machine.undefine(*places)
            following = code.following
            for segment in code.segments:
                for op in segment.ops[machine.active]:
                    op()
                if machine.lost:
                    return Outcome.LOST
                if segment.ends:
                    return Outcome.END
                if segment.fork:
                    taken = decide(segment.fork, self._condition(segment), visits)
                    if taken is None:
                        return Outcome.LIMIT
                    run.decisions.append(taken)
                    if taken:
                        following = segment.fork.target
                        break
                elif segment.jump is not None:
                    following = segment.jump
                    break
            if following is None:
                return Outcome.STRAY
            at, previous = following, at

    def _condition(self, segment: _Segment) -> Condition:
        machine = self._machine
        read = machine.events[-1][1]
        places, sense = segment.test
        words = [machine.words[p] for p in places]
        if places and places[0] == self._places.exec[0]:
            if not machine.active and min(words) < 0:
                return Condition(read)
            return Condition(read, (machine.active or any(words)) == sense, fact=True)
        if not places:
            return Condition(read)
        word = words[0] if places == self._places.scc[:1] else nonzero(words, machine.mask)
        return Condition(read) if word < 0 else Condition(read, bool(word & 1) == sense, settled=word < 2)

    def _initial(self, seed: int) -> list[int]:
        words, mask = self._blank[:], self._machine.mask
        for place, name in self._inputs:
            words[place] = hash((name, seed)) & mask
        for place in self._places.exec:
            words[place] = mask
        if self._granule == 16:
            for place in self._places.physical("exec"):
                words[place] = mask
        for value, place in self._places.constants.items():
            words[place] = value
        return words

    def _find_inputs(self) -> list[tuple[int, int]]:
        """Physical places that hold the same on both sides when the function is entered."""
        names = {u for n in self._live_ins() for u in self._target.physical_units(n, self._granule)}
        result: list[tuple[int, int]] = []
        for place, (name, _) in enumerate(self._places.names):
            if name[0] == "$" and (name[1:] in names or self._is_ambient(name[1:])):
                result.append((place, fingerprint(name)))
        return result

    def _is_ambient(self, unit: str) -> bool:
        register = unit.split(".")[0]
        if register in _UNDEFINED_AT_ENTRY:
            return False
        return register == _STACK_POINTER or self._target.is_reserved(register) or not amdgpu.is_general_unit(register)

    def _live_ins(self) -> Iterable[str]:
        return (*self.function.live_ins, *self.function.blocks[0].live_ins)

    # -- compiling -------------------------------------------------------------------------------------------

    def _compile(self, block: Block, following: int | None, undefined: _Undefined) -> _Code:
        segments: list[_Segment] = []
        brackets = own_writes_of_exec(block, self._target)
        open_step = Step()
        self._die(open_step, self._deaths.entering.get(block.number, ()))
        for position, i in enumerate(block.instructions):
            line = block.lines[position]
            ends, targets = self._target.ends_block(i.opcode), i.block_targets()
            self._undefine(open_step, undefined.reads.get((block.number, position)))
            if not ends and not targets:
                self._keep_live(open_step, self._deaths.live.get((block.number, position)))
                step = self._translator.step(i, block.number, line, quiet=position in brackets)
                self._watch_results(step, i, block.number, line)
                open_step.add(step)
                self._die(open_step, self._deaths.after.get((block.number, position), ()))
                if step.writes_exec:
                    segments.append(_segment(open_step))
                    open_step = Step()
                continue
            if targets and ends:
                segments.append(_segment(open_step, jump=targets[0]))
            else:
                step = self._translator.leave(i, block.number, line)
                open_step.add(step)
                fork = Fork(block.number, targets[0], self._others(block, position, following)) if targets else None
                segments.append(_segment(open_step, fork=fork, test=self._test(i), ends=not targets))
            open_step = Step()
        segments.append(_segment(open_step))
        return _Code(
            tuple(segments),
            len(block.instructions),
            following,
            undefined.entering.get(block.number, ((), ())),
            undefined.on_edge.get(block.number, {}),
        )

    def _test(self, i: Instruction) -> tuple[Words, bool]:
        found = amdgpu.branch_condition(i.opcode)
        if found is None:
            return (), True
        register, sense = found
        return self._places.scc[:1] if register == "scc" else self._places.physical(register), sense

    def _others(self, block: Block, position: int, following: int | None) -> tuple[int, ...]:
        """The blocks that control may reach when the branch at a position is not taken."""
        found: list[int] = []
        for i in block.instructions[position + 1 :]:
            found += i.block_targets()
            if self._target.ends_block(i.opcode):
                return tuple(found)
        return tuple(found if following is None else [*found, following])

    def _die(self, step: Step, places: Words) -> None:
        if not places:
            return
        machine = self._machine
        step.always(lambda: machine.undefine((), places))

    def _keep_live(self, step: Step, live: frozenset[int] | None) -> None:
        if live is not None:
            stale = self._machine.stale
            step.always(lambda: stale.difference_update(live))

    def _undefine(self, step: Step, places: tuple[Words, Words] | None) -> None:
        if places is not None:
            machine = self._machine
            step.always(lambda: machine.undefine(*places))

    def _watch_results(self, step: Step, i: Instruction, block: int, line: int) -> None:
        if block != self._watch or i.role is not Role.ORDINARY:
            return
        watched = watch(self._builder, i, block, line)
        if watched:
            step.active.append(watched)


class _Undefined:
    """What a `LaneLiveness` says, as places. Registers that the text does not mention are left out."""

    def __init__(self, places: Places, liveness: LaneLiveness) -> None:
        self._places = places
        self.entering: dict[int, tuple[Words, Words]] = {}
        self.on_edge: dict[int, dict[int, tuple[Words, Words]]] = {}
        self.reads: dict[tuple[int, int], tuple[Words, Words]] = {}
        for (block, register), mask in liveness.live_in.items():
            live = places.target.mask_units(mask, places.granule)
            gone = [p for k, p in enumerate(self._units(register)) if k not in live]
            self._add(self.entering, block, register, gone)
        for (source, block, register), mask in liveness.edges.items():
            dead = places.target.mask_units(mask, places.granule)
            gone = [p for k, p in enumerate(self._units(register)) if k in dead]
            self._add(self.on_edge.setdefault(block, {}), source, register, gone)
        for (block, index, register), mask in liveness.reads.items():
            dead = places.target.mask_units(mask, places.granule)
            gone = [p for k, p in enumerate(self._units(register)) if k in dead]
            self._add(self.reads, (block, index), register, gone)

    def _add(self, table: dict[_K, tuple[Words, Words]], key: _K, register: int, gone: list[int]) -> None:
        scalars, vectors = table.get(key, ((), ()))
        if amdgpu.is_vector_class(self._places.function.register_classes.get(str(register), "")):
            vectors = (*vectors, *gone)
        else:
            scalars = (*scalars, *gone)
        table[key] = scalars, vectors

    def as_sets(self) -> Undefined:
        """The vector registers among them."""
        return Undefined(
            {block: _bits(vectors) for block, (_, vectors) in self.entering.items()},
            {(s, b): _bits(vectors) for b, edges in self.on_edge.items() for s, (_, vectors) in edges.items()},
            {place: _bits(vectors) for place, (_, vectors) in self.reads.items()},
        )

    def _units(self, register: int) -> Words:
        cls = self._places.function.register_classes.get(str(register))
        return () if cls is None else self._places.virtual(str(register), cls)


def _bits(places: Words) -> int:
    result = 0
    for place in places:
        result |= 1 << place
    return result


def _segment(
    step: Step,
    *,
    fork: Fork | None = None,
    test: tuple[Words, bool] = ((), True),
    jump: int | None = None,
    ends: bool = False,
) -> _Segment:
    return _Segment((tuple(step.inactive), tuple(step.active)), fork, test, jump, ends)
