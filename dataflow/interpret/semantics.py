"""From an instruction to the step that executes it.

A thread that is off keeps its vector registers. What is made of vector registers and is scalar is then a lane
mask, in which its bit is 0 and nothing else is known, or a value of some other thread.
"""

from __future__ import annotations

from collections.abc import Callable

from ..mir.model import Effect, Flag, Instruction, Register
from ..targets.base import Target
from . import amdgpu
from .events import observe, observe_state
from .exact import compute
from .machine import Machine
from .moves import forget_others, move
from .operands import Access, Places, Words, event_key, getter, hash_input
from .steps import Builder, Op, Step
from .words import BIT_CLEAR, POISON, combine, fingerprint


class Translator:
    """Translates the instructions of one function."""

    def __init__(self, build: Builder, target: Target) -> None:
        self._build, self._target = build, target
        self._clobbers: list[tuple[Callable[[str], bool], list[int], list[int]]] = []

    @property
    def _places(self) -> Places:
        return self._build.places

    @property
    def _machine(self) -> Machine:
        return self._build.machine

    def finish(self, blank: list[int]) -> None:
        """All places are numbered: say what undefined lanes hold, and find out what each call overwrites."""
        self._build.blank += blank
        for preserved, scalars, vectors in self._clobbers:
            for place, (name, _) in enumerate(self._places.names):
                unit = name[1:]
                if name[0] == "$" and self._target.is_allocatable(unit) and not preserved(unit):
                    (vectors if amdgpu.is_vector_unit(unit) else scalars).append(place)

    def step(self, i: Instruction, block: int, line: int, *, quiet: bool = False) -> Step:
        """The closures of an instruction that does not branch. quiet: its write of EXEC is the allocator's own."""
        step = Step()
        if not move(step, self._build, i):
            self._ordinary(step, i, block, line)
        forget_others(step, self._build, i)
        observe_state(step, self._build, i, block, line, quiet=quiet)
        return step

    def leave(self, i: Instruction, block: int, line: int) -> Step:
        """A branch or an exit: its operands are an event, whatever comes of it."""
        step, access = Step(), self._places.access(i)
        observe(step, self._build, i, access, block, line)
        if access.written:
            self._hash(step, i, access)
        return step

    def _ordinary(self, step: Step, i: Instruction, block: int, line: int) -> None:
        access = self._places.access(i)
        if amdgpu.is_inline_asm(i.opcode):
            # its operands are explicit; any other mention is bookkeeping
            access = Access(access.defs, access.uses, access.implicit_defs, ())
            self._opaque(step, i, access, block, line)
        elif amdgpu.is_call(i):
            self._opaque(step, i, access, block, line)
            self._clobber(step, i)
        elif i.effect is Effect.LOAD:
            observe(step, self._build, i, access, block, line)
            self._hash(step, i, access)
        elif i.effect is Effect.EFFECT and not self._is_pure(i, access):
            self._opaque(step, i, access, block, line)
        elif not self._invariant_load(step, i, access):
            exact = compute(i, access, self._places, self._machine)
            if exact is None:
                self._hash(step, i, access)
            else:
                self._build.masked(step, exact, self._vector_defs(i, access))

    def _is_pure(self, i: Instruction, access: Access) -> bool:
        """Called an effect only because it writes EXEC, or nothing but VCC or SCC."""
        if i.memory:
            return False
        names = {n for n, _ in access.implicit_defs} | {d.name for d in i.defs if not d.virtual}
        units = {u for n in names for u in self._target.physical_units(n, 32)}
        if not units.isdisjoint(amdgpu.EXEC):
            return True
        return not i.defs and bool(access.implicit_defs) and "mode" not in names

    def _invariant_load(self, step: Step, i: Instruction, access: Access) -> bool:
        """Lanes of memory that never changes depend on their address alone, however wide the load."""
        found = self._target.rematerialisable_load(i)
        if found is None:
            return False
        m, words, mask = self._machine, self._machine.words, self._machine.mask
        space, get, width = fingerprint(found[0]), getter(access.read), self._places.granule // 8
        offsets = tuple([(d, found[1] + k * width) for k, d in enumerate(access.written)])

        def load() -> None:
            base = get(words)
            if base and min(base) < 0:
                for d, _ in offsets:
                    words[d] = POISON
            else:
                h = hash((space, base, m.seed))
                for d, offset in offsets:
                    words[d] = hash((h, offset)) & mask

        step.always(load)
        return True

    # -- operations that are not modelled: a hash of everything they read ------------------------------------

    def _hash(self, step: Step, i: Instruction, access: Access) -> None:
        load = i.effect is Effect.LOAD
        step.active.append(self._hash_op(event_key(i), access.read, access.written, load=load))
        if not self._build.masks_matter:
            return
        vectors, under_exec = self._vector_defs(i, access), self._under_exec(i)
        if not (vectors or under_exec or any(self._places.is_vector(u) for u in i.uses)):
            step.inactive.append(step.active[-1])
            return
        self._build.keep(step, vectors)
        if amdgpu.reads_other_threads(i.opcode):
            step.inactive.append(self._foreign(i, access))
            return
        for group in self._scalar_defs(i, access):
            first = BIT_CLEAR if under_exec else POISON
            step.inactive.append(self._build.fill(group, [first] + [POISON] * (len(group) - 1)))
            if under_exec:
                step.active[-1] = self._restricted(step.active[-1], group)

    def _hash_op(self, key: int, read: Words, written: Words, *, load: bool) -> Op:
        m, words, mask = self._machine, self._machine.words, self._machine.mask
        if not read:
            return self._source(key, written)
        get = hash_input(read)
        if len(written) == 1 and not load:
            d = written[0]

            def one() -> None:
                operands = get(words)
                words[d] = POISON if min(operands) < 0 else hash((key, operands)) & mask

            return one
        places = tuple(enumerate(written))

        def many() -> None:
            operands = get(words)
            if min(operands) < 0:
                for d in written:
                    words[d] = POISON
                return
            h = hash((key, operands, m.epoch, m.seed)) if load else hash((key, operands))
            for k, d in places:
                words[d] = hash((h, k)) & mask

        return many

    def _source(self, key: int, written: Words) -> Op:
        """An operation that reads no register, a clock say: one unknown value a run."""
        m, words = self._machine, self._machine.words

        def source() -> None:
            for k, d in enumerate(written):
                words[d] = hash((key, m.seed, k)) & m.mask

        return source

    def _foreign(self, i: Instruction, access: Access) -> Op:
        """The value of some thread that is not followed: the same on both sides, and nothing else is known.

        No allocation repeats or moves such an instruction, so they are counted from one effect to the next;
        those that are dead, which may go, are not.
        """
        written = access.written
        if all(d.flags & Flag.DEAD for d in i.defs):
            return self._build.fill(written, [POISON] * len(written))
        m, words, key = self._machine, self._machine.words, event_key(i)

        def foreign() -> None:
            h = hash((key, m.epoch, m.foreign, m.seed))
            m.foreign += 1
            for k, d in enumerate(written):
                words[d] = hash((h, k)) & m.mask

        return foreign

    def _restricted(self, op: Op, mask: Words) -> Op:
        """A comparison gives 0 for the threads that are off."""
        m, words, get = self._machine, self._machine.words, getter(self._places.exec)

        def restricted() -> None:
            allowed = get(words)
            op()
            for k, (d, b) in enumerate(zip(mask, allowed, strict=False)):
                a = words[d]
                words[d] = a & b if a >= 0 <= b else combine(lambda x, y: x & y, a, b, m.thread, m.mask, first=k == 0)

        return restricted

    # -- effects: what they read is an event, what they define is new ------------------------------------------

    def _opaque(self, step: Step, i: Instruction, access: Access, block: int, line: int) -> None:
        m, words, mask, key = self._machine, self._machine.words, self._machine.mask, event_key(i)
        observe(step, self._build, i, access, block, line)

        def advance() -> None:
            m.epoch += 1
            m.foreign = 0

        step.always(advance)

        def define(tagged: list[tuple[int, int]]) -> Op:
            def fresh() -> None:
                h = hash((key, m.epoch, m.seed))
                for tag, place in tagged:
                    words[place] = hash((h, tag)) & mask

            return fresh

        results = [*enumerate(p for places in access.defs for p in places)]
        results += [(fingerprint(n) + k, p) for n, places in access.implicit_defs for k, p in enumerate(places)]
        if results:
            vectors = self._vector_defs(i, access)
            step.active.append(define(results))
            step.inactive.append(define([(tag, place) for tag, place in results if place not in vectors]))
            self._build.keep(step, vectors)

    def _clobber(self, step: Step, i: Instruction) -> None:
        """What a call's register mask does not preserve is undefined after it, unless the call defines it.

        A mask that is not known is taken to preserve everything: better silent than wrong.
        """
        masks = [m for m in i.immediates if self._target.is_regmask(m)]
        preserved = self._target.preserved(masks[0]) if masks else None
        if preserved is None:
            return
        defined = {u for d in (*i.defs, *i.implicit_defs) for u in self._units_named(d)}
        scalars: list[int] = []
        vectors: list[int] = []
        self._clobbers.append((lambda unit: preserved(unit) or unit in defined, scalars, vectors))
        step.always(self._build.forget(scalars))
        step.active.append(self._build.forget(vectors))

    # -- what kind of operands ---------------------------------------------------------------------------------

    def _units_named(self, operand: Register) -> tuple[str, ...]:
        return () if operand.virtual else self._target.physical_units(operand.name, self._places.granule)

    def _under_exec(self, i: Instruction) -> bool:
        return not i.opcode.startswith("S_") and any(u.name in ("exec", "exec_lo") for u in i.implicit_uses)

    def _vector_defs(self, i: Instruction, access: Access) -> Words:
        found = [p for d, places in zip(i.defs, access.defs, strict=True) if self._places.is_vector(d) for p in places]
        found += [p for n, places in access.implicit_defs if amdgpu.is_vector_unit(n) for p in places]
        return tuple(found)

    def _scalar_defs(self, i: Instruction, access: Access) -> list[Words]:
        found = [
            places for d, places in zip(i.defs, access.defs, strict=True) if places and not self._places.is_vector(d)
        ]
        return found + [places for n, places in access.implicit_defs if not amdgpu.is_vector_unit(n)]
