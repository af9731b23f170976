"""Sentences about findings, exits and cures, for reports that are read rather than scanned.

A sentence is text with code in it; a report spells the code in its own way.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from regtriage.dataflow.evidence import Decision, DecisionKind, Evidence
from regtriage.dataflow.findings import Exit, Finding, FindingKind, Place
from regtriage.dataflow.grouping import Group
from regtriage.tools.llc.run import LlcKind, Variant
from regtriage.tools.results import Conclusion, Cure, How, RunReport

from . import words
from .asm import source_chain
from .witness import needed_lanes

_MOST_RELOADS = 2
"""Reloads in a row that are told one by one."""


class Code(str):
    """A part of a sentence that is code."""

    __slots__ = ()


Said = tuple[str | Code, ...]

EXIT_TEXT = {
    Exit.INSERT_SPILL: "A spill stores a register that is only partly defined, whole, into the slot it shares.",
    Exit.HOIST_INSIDE_BB: "A spill is hoisted, within a block, to a sibling register whose lanes are not all live, "
    "and stores it whole into the slot both share.",
    Exit.HOIST_CROSS_BB: "A spill is hoisted to another block, where not all lanes of the register are live.",
    Exit.REDUNDANT_SPILL: "A store is dropped as redundant though it alone has stored some of the lanes.",
    Exit.SLOT_COLORING: "Two stack slots are given one place although the values in them are live at the same time.",
    Exit.LANE_LOWERING: "A scalar spill is lowered to lanes of a vector register, and a lane is lost there.",
    Exit.SPLIT: "A live range is split, and a lane is not copied on.",
    Exit.REMAT: "A value is computed again where its operands have changed.",
    Exit.ASSIGNMENT: "A register is assigned twice while a value in it is live.",
}
"""What happens at each exit, in general."""

KIND_TEXT = {
    FindingKind.MISSING_EFFECT: "An effect is gone after register allocation.",
    FindingKind.EXTRA_EFFECT: "An effect is there after register allocation that was not there before.",
    FindingKind.CONSTRAINT: "An operand breaks a constraint of its instruction.",
    FindingKind.VALUE: "An instruction reads a lane that does not hold its value.",
}
"""What a finding of each kind is."""

VARIANT_TEXT = {
    Variant.OFF: "LLVM as it is",
    Variant.GUARD: "The guard on hoists within a block",
    Variant.GUARD_LANES: "The guard on hoists within a block, by lanes",
    Variant.PRIVATE: "A stack slot of its own for each partly defined register",
    Variant.GUARD_PRIVATE: "The guard and private slots together",
}

CONCLUSION_TEXT = {
    Conclusion.MISCOMPILED: "is miscompiled",
    Conclusion.HAZARD: "is right, but only just",
    Conclusion.CLEAN: "is right",
    Conclusion.UNPROVEN: "is not proved right or wrong",
}


def exit_name(finding: Finding) -> str:
    """The exit, or for what is not about a value its kind."""
    return finding.exit.value if finding.exit is not None else finding.kind.value


def title(group: Group) -> Said:
    """`%1.sub5..sub6` is lost by insert-spill."""
    first = group.first
    if first.kind is not FindingKind.VALUE:
        return (first.kind.value.replace("-", " ").capitalize(), " in ", Code(words.block(first.use.block)))
    return (Code(needed_lanes(group)), " is lost by ", exit_name(first))


def happened(group: Group) -> Said:
    """What goes wrong, where, in a few sentences."""
    first = group.first
    if first.kind is not FindingKind.VALUE:
        return (first.explanation, ".")
    return (*_made(first, needed_lanes(group)), *_lost(first), *_read(group))


def _made(finding: Finding, lanes: str) -> Said:
    if finding.definition is None:
        return (Code(lanes), " is there when the function starts. ")
    return (Code(lanes), " is made in ", *_where(finding.definition), ". ")


def _lost(finding: Finding) -> Said:
    if finding.clobber is None:
        return ("Nothing on this path puts it where it is read. ",)
    overwrote = any("overwritten" in step.note for step in finding.path)
    what = Code(words.instruction(finding.clobber.text))
    where = _where(finding.clobber)
    if finding.slot and overwrote:
        slot = Code(finding.slot)
        return ("It was saved in ", slot, ", and in ", *where, " the store ", what, " puts something else there. ")
    if finding.slot:
        return ("In ", *where, " the store ", what, " leaves it out, and no later store completes the slot. ")
    return ("In ", *where, " ", what, " runs over it. ")


def _read(group: Group) -> Said:
    first = group.first
    here = group.at_first_use
    over = "In a later round of the loop, " if first.loop_carried else "Then "
    holds = [f.holds for f in here if f.holds is not None]
    instead = (Code(words.lanes(holds)),) if holds else ("no value of the function",)
    more = group.other_uses
    also = (f" So {'does' if len(more) == 1 else 'do'} {words.count(len(more), 'more instruction')}.",) if more else ()
    location = Code(words.lanes(f.location for f in here))
    verb = "holds" if len(here) == 1 else "hold"
    use = Code(words.instruction(first.use.text))
    return (over, use, " in ", *_where(first.use), " reads ", location, f", which {verb} ", *instead, ".", *also)


def _where(place: Place) -> Said:
    block = Code(words.block(place.block))
    return (block, f" ({source_chain(place.debug[:1])})") if place.debug else (block,)


def cured(cure: Cure) -> Said:
    """What a variant does about it."""
    name = VARIANT_TEXT[cure.variant]
    if cure.how is How.NONE:
        return (f"{name} does not cure it: {cure.why}.",)
    if cure.how is How.CAUSE:
        return (f"{name} cures it and removes the cause: {cure.why}.",)
    return (f"{name} gives right code, but the cause is still there: {cure.why}.",)


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the spiller, or a row of reloads by their first one, in a sentence."""

    decision: Decision
    said: Said


def decisions(found: Sequence[Decision]) -> list[Decided]:
    """The decisions in order; reloads in a row are told in one sentence."""
    told: list[Decided] = []
    rows = groupby(found, key=lambda d: (d.kind is DecisionKind.RELOAD, d.call, d.guilty))
    for (is_reload, _, _), row in rows:
        members = list(row)
        if is_reload and len(members) > _MOST_RELOADS:
            more = words.count(len(members) - 1, "more time")
            told.append(Decided(members[0], (*decided(members[0]), f", and {more}")))
        else:
            told += [Decided(d, decided(d)) for d in members]
    return told


def decided(decision: Decision) -> Said:
    """A decision of the spiller in a sentence."""
    register, original = Code(decision.register), Code(decision.original)
    block = Code(f"bb.{decision.block}")
    lanes = Code(words.lanes(decision.lanes))
    match decision.kind:
        case DecisionKind.SPILL:
            return ("spills ", register, ", a part of ", original)
        case DecisionKind.PRIVATE:
            kept = "gets a slot of its own" if decision.granted else "keeps the slot it shares"
            return (register, " is only partly defined, without ", lanes, ": ", kept)
        case DecisionKind.HOIST:
            dead = (", in which ", lanes, " are not live") if decision.lanes else ()
            verb = "refuses to hoist" if decision.granted else "hoists"
            return (f"{verb} the store to ", register, " in ", block, *dead)
        case DecisionKind.SAVE:
            return ("stores ", register, " whole, in ", block)
        case DecisionKind.RELOAD:
            return ("reloads into ", register, ", in ", block)
        case DecisionKind.REMOVED:
            return ("drops the store of ", register, " in ", block, " as redundant")


def plain(said: Said) -> str:
    """A sentence without markup."""
    return "".join(said)


# -- commands -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """What it shows, and lines for a shell."""

    shows: str
    lines: tuple[str, ...]


def commands(report: RunReport, function: str, group: Group, evidence: Evidence | None) -> Iterator[Command]:
    """How to see a finding again, with this program and with nothing but LLVM."""
    kernel = shlex.quote(report.input)
    target, arguments = "".join(_target(report)), "".join(f" --llc-arg={shlex.quote(a)}" for a in report.given.llc_args)
    yield Command("This report", (f"regtriage run {kernel}{target}{arguments}{_compiler(report)}",))
    if evidence is not None and evidence.before and evidence.after:
        llc = " ".join(["llc", *llc_flags(report), kernel])
        yield Command(
            "The two stages by any llc of that LLVM, and the proof",
            (
                f"{llc} -stop-before={evidence.before} -o pre.mir",
                f"{llc} -stop-after={evidence.after} -o post.mir",
                f"regtriage check pre.mir post.mir --function {shlex.quote(function)}",
            ),
        )
        if group.first.location and not arguments:
            stage = "after-" + evidence.after.replace(",", "-")
            place = shlex.quote(f"{group.first.location}@{words.block(group.first.use.block)}")
            walk = f"regtriage trace {kernel}{target}{_compiler(report)} --stage {stage} --at {place}"
            yield Command("From the use back, step by step", (walk,))
    if report.llc.kind is LlcKind.BUILTIN:
        same = f"{kernel}{target}{arguments}"
        yield Command("The one decision that does it", (f"regtriage bisect {same}",))
        yield Command("The smallest test with the same cause", (f"regtriage reduce {same} -o small.ll",))


def _target(report: RunReport) -> Iterator[str]:
    given = report.given
    if given.cpu:
        yield f" --mcpu {shlex.quote(given.cpu)}"
    if given.triple:
        yield f" --mtriple {shlex.quote(given.triple)}"
    if report.target.opt != 3:
        yield f" -O{report.target.opt}"


def _compiler(report: RunReport) -> str:
    if report.llc.kind is LlcKind.BUILTIN:
        return ""
    return " --llc " + ("triton" if report.llc.kind is LlcKind.TRITON else shlex.quote(str(report.llc.path)))


def llc_flags(report: RunReport) -> Sequence[str]:
    """What any llc needs to compile the kernel for the same machine."""
    target = report.target
    known = [("-mtriple=", target.triple), ("-mcpu=", target.cpu)]
    flags = [*(flag + shlex.quote(value) for flag, value in known if value), f"-O{target.opt}"]
    return [*flags, *map(shlex.quote, report.given.llc_args)]
