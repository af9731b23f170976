"""Instructions that move values and compute none: copies, constants, spills, reloads, lane saves, IMPLICIT_DEF."""

from __future__ import annotations

from ..mir.model import Instruction, Register, Role
from . import amdgpu
from .operands import Side, Words
from .steps import Builder, Step
from .words import POISON, fingerprint


def move(step: Step, build: Builder, i: Instruction) -> bool:
    """Add what such an instruction does. False if it is none."""
    match i.role:
        case Role.COPY:
            return _copy(step, build, i)
        case Role.CONSTANT:
            _constant(step, build, i)
        case Role.SAVE:
            source = build.places.use(i.uses[0])
            _spill(step, build, i, i.uses[0], source, build.places.slot(i.slot, len(source)))
        case Role.RESTORE:
            target = build.places.units(i.defs[0])
            _spill(step, build, i, i.defs[0], build.places.slot(i.slot, len(target)), target)
        case Role.LANE_SAVE:
            _lane_save(step, build, i)
        case Role.LANE_RESTORE:
            _lane_restore(step, build, i)
        case Role.UNDEFINE:
            _undefine(step, build, i)
        case Role.NOTHING:
            pass
        case Role.ORDINARY:
            return False
    return True


def forget_others(step: Step, build: Builder, i: Instruction) -> None:
    """`undef %5.sub0 = ...` says that nothing else of %5 is defined from here on."""
    for operand in i.defs:
        if operand.undef and operand.virtual:
            _forget(step, build, operand, build.places.others(operand))


def _copy(step: Step, build: Builder, i: Instruction) -> bool:
    source, target = build.places.use(i.uses[0]), build.places.units(i.defs[0])
    if len(source) != len(target):
        return False
    to_vector, from_vector = build.places.is_vector(i.defs[0]), build.places.is_vector(i.uses[0])
    if to_vector and build.masks_matter and not amdgpu.is_whole_wave(i.opcode):
        build.masked(step, build.move_threads(source, target), target)
    elif from_vector and not to_vector:
        step.active.append(build.move(source, target))
        step.inactive.append(build.fill(target, [POISON] * len(target)))
    else:
        step.always(build.move(source, target))
    return True


def _constant(step: Step, build: Builder, i: Instruction) -> None:
    target = build.places.units(i.defs[0])
    dwords = [c if isinstance(c, int) else fingerprint(repr(c)) & 0xFFFFFFFF for c in i.constants]
    if build.places.granule == 16:
        dwords = [half for d in dwords for half in (d & 0xFFFF, d >> 16)]
    values = (dwords + [0] * len(target))[: len(target)]
    build.masked(step, build.fill(target, values), target if build.places.is_vector(i.defs[0]) else ())


def _spill(step: Step, build: Builder, i: Instruction, register: Register, source: Words, target: Words) -> None:
    if build.places.is_vector(register) and build.masks_matter and not amdgpu.is_whole_wave(i.opcode):
        build.masked(step, build.move_threads(source, target), target)
    else:
        step.always(build.move(source, target))


def _lane_save(step: Step, build: Builder, i: Instruction) -> None:
    """The other threads keep what the definition's register held, to which the last use is tied."""
    m, words, lane = build.machine, build.machine.words, int(i.slot)
    target, source = build.places.units(i.defs[0]), build.places.use(i.uses[0])
    kept = build.places.use(i.uses[1]) if i.defs[0].virtual and len(i.uses) > 1 else target
    triples = tuple(zip(source, kept, target, strict=True))

    def save() -> None:
        for a, old, d in triples:
            values = m.array(words[old])
            words[d] = m.new_array((*values[:lane], words[a], *values[lane + 1 :]))

    step.always(save)


def _lane_restore(step: Step, build: Builder, i: Instruction) -> None:
    m, words, lane = build.machine, build.machine.words, int(i.slot)
    pairs = tuple(zip(build.places.use(i.uses[0]), build.places.units(i.defs[0]), strict=True))

    def restore() -> None:
        for a, d in pairs:
            words[d] = m.array(words[a])[lane]

    step.always(restore)


def _undefine(step: Step, build: Builder, i: Instruction) -> None:
    """IMPLICIT_DEF emits nothing: after allocation a physical register goes on holding what it held."""
    for operand in i.defs:
        if operand.virtual or build.places.side is Side.BEFORE:
            _forget(step, build, operand, build.places.units(operand))
            if operand.undef:
                _forget(step, build, operand, build.places.others(operand))


def _forget(step: Step, build: Builder, operand: Register, places: Words) -> None:
    if places:
        build.masked(step, build.forget(places), places if build.places.is_vector(operand) else ())
