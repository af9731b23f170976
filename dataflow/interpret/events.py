"""What reaches the outside: closures that record it."""

from __future__ import annotations

from ..mir.model import Effect, Instruction, Role
from . import amdgpu
from .machine import Site
from .operands import Access, Words, event_key, getter
from .steps import Builder, Op, Step
from .words import POISON, bit_of, fingerprint


def observe(step: Step, build: Builder, i: Instruction, access: Access, block: int, line: int) -> None:
    """Add the event that an instruction's operands are. A thread that is off shows what is scalar of them only."""
    names = [(u.spelling, k) for u, places in zip(i.uses, access.uses, strict=True) for k in range(len(places))]
    names += [("$" + n, k) for n, places in access.implicit_uses for k in range(len(places))]
    optional = i.effect is Effect.LOAD
    site = Site(event_key(i), block, line, i, tuple(names[: len(access.read)]), optional=optional)
    step.active.append(_event(build, site, access.read))
    if build.masks_matter:
        step.inactive.append(_event(build, site, _seen_when_off(build, i, access)))


def observe_state(step: Step, build: Builder, i: Instruction, block: int, line: int, *, quiet: bool) -> None:
    """Add the event that a write of EXEC or M0 is. EXEC decides what is executed from here on.

    quiet: it does so for the moves of the allocator only, and is no event.
    """
    names = [d.name for d in i.defs if not d.virtual]
    if i.implicit_defs and i.role is Role.ORDINARY and not amdgpu.is_move(i):
        names += [n for n, _ in build.places.access(i).implicit_defs]
    state = [n for n in names if not amdgpu.STATE.isdisjoint(build.places.target.physical_units(n, 32))]
    if not state:
        return
    places = [build.places.physical(n) for n in state]
    spelt = [("$" + n, k) for n, units in zip(state, places, strict=True) for k in range(len(units))]
    site = Site(fingerprint(f"write of {state}"), block, line, i, (*spelt, ("the followed thread", 0)))
    get, first = getter(tuple([p for units in places for p in units])), build.places.exec[0]
    writes_exec = step.writes_exec = any(first in units for units in places)
    m, words = build.machine, build.machine.words

    def event() -> None:
        if quiet:
            m.enter_or_leave_bracket()
            return
        bit = bit_of(words[first], m.thread) if writes_exec else None
        m.events.append((site.key, (*get(words), POISON if bit is None else bit)))
        m.sites.append(site)
        if writes_exec:
            m.write_exec(bit)

    step.always(event)


def watch(build: Builder, i: Instruction, block: int, line: int) -> Op | None:
    """A closure that records what the instruction defined, in the results of a watched block."""
    access = build.places.access(i)
    if not access.written:
        return None
    words, get, note = build.machine.words, getter(access.written), build.machine.results.append
    site = Site(event_key(i), block, line, i, ())
    return lambda: note((site, get(words)))


def _event(build: Builder, site: Site, read: Words) -> Op:
    key, words, get = site.key, build.machine.words, getter(read)
    note, mark = build.machine.events.append, build.machine.sites.append

    def event() -> None:
        note((key, get(words)))
        mark(site)

    return event


def _seen_when_off(build: Builder, i: Instruction, access: Access) -> Words:
    seen: list[int] = []
    for operand, places in zip(i.uses, access.uses, strict=True):
        seen += (build.places.undefined,) * len(places) if build.places.is_vector(operand) else places
    for name, places in access.implicit_uses:
        seen += (build.places.undefined,) * len(places) if amdgpu.is_vector_unit(name) else places
    return tuple(seen)
