"""One finding in about five lines: what was needed, what ran over it, where it was read, on which path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from regtriage.dataflow.findings import ExitBasis, Finding, FindingKind, PathStep, Place
from regtriage.dataflow.grouping import Group
from rich.text import Text

from . import words
from .look import LABEL, NAME, REGISTER, WRONG, Look, paragraph

_INDENT = 4
_LABEL_WIDTH = 9
_MOST_USES = 2
_MOST_STEPS = 9
"""Blocks of a path that are all shown; of a longer one the ends, and where something happens."""
_BASIS = {ExitBasis.TRACE: "by trace", ExitBasis.SHAPE: "by shape"}


def needed_lanes(group: Group) -> str:
    """The lanes that are needed, or "" where no value is concerned."""
    return words.lanes(str(f.needed) for f in group.by_lane if f.needed is not None)


def witness(group: Group, look: Look) -> Iterator[Text]:
    """The lines of one group of findings."""
    first, others = group.first, group.other_uses
    shown = others if look.verbose else others[:_MOST_USES]
    yield _headline(group, look)
    places = _Places([p for p in (first.definition, first.clobber, first.use, *first.carriers, *shown) if p], look)
    if first.definition is not None:
        yield places.line("needed", first.definition)
    elif first.needed is not None:
        yield Text.assemble(_label("needed"), "from the function's entry")
    if first.clobber is not None:
        yield places.line("clobber", first.clobber)
    if first.decision:
        yield from paragraph(_label(""), first.decision, look.width, LABEL)
    if look.verbose:
        for carrier in first.carriers:
            yield places.line("carried", carrier)
    yield places.line("use", first.use)
    if first.kind is FindingKind.VALUE:
        yield from paragraph(_label("reads"), _reads(group), look.width)
    else:
        yield from paragraph(_label("because"), first.explanation, look.width)
    yield from _path(first.path, look)
    for use in shown:
        yield places.line("also", use)
    if len(others) > len(shown):
        yield Text.assemble(_label(""), (f"and {words.count(len(others) - len(shown), 'more use')}", LABEL))
    if look.verbose:
        yield from _inlining(first)


def _headline(group: Group, look: Look) -> Text:
    first = group.first
    what = Text(" " * (_INDENT - 2))
    if first.kind is FindingKind.VALUE:
        what.append(needed_lanes(group), REGISTER)
        what.append(" is lost" + (f" by {first.exit.value}" if first.exit is not None else ""), NAME)
        what.append(f", {_BASIS[first.exit_by]}" if first.exit_by is not None else "")
    else:
        what.append(first.kind.value.replace("-", " "), NAME)
    if any(f.loop_carried for f in group.findings):
        what.append("; loop-carried")
    tail = f"[{first.id}]"
    gap = look.width - what.cell_len - len(tail)
    return Text.assemble(what, " " * gap, (tail, LABEL)) if gap > 1 else what


def _reads(group: Group) -> str:
    findings = group.at_first_use
    where = words.lanes(f.location for f in findings)
    others = [f.holds for f in findings if f.holds is not None]
    verb = "holds" if len(findings) == 1 else "hold"
    if not others:
        return f"{where}, which {verb} no value of the function there"
    rest = "" if len(others) == len(findings) else " (or no value of the function)"
    return f"{where}, which {verb} {words.lanes(others)} there{rest}"


def _label(name: str) -> Text:
    return Text.assemble((" " * _INDENT + name.ljust(_LABEL_WIDTH), LABEL))


class _Places:
    """Lines for places, with blocks and source lines in columns."""

    def __init__(self, places: Sequence[Place], look: Look) -> None:
        self._look = look
        self._blocks = max((len(words.block(p.block)) for p in places), default=0)
        self._sources = min(40, max((len(_source(p, look)) for p in places), default=0))

    def line(self, label: str, place: Place) -> Text:
        """Label, block, source line and MIR of a place."""
        line = _label(label)
        line.append(words.block(place.block).ljust(self._blocks) + "  ")
        if self._sources:
            line.append(words.cut_front(_source(place, self._look), self._sources).ljust(self._sources) + "  ", "blue")
        style = WRONG if label == "clobber" else ""
        line.append(words.cut(words.instruction(place.text), max(20, self._look.width - line.cell_len)), style)
        return line


def _source(place: Place, look: Look) -> str:
    """The line of the source; without debug info, and where it can be looked up, the line of the MIR."""
    if place.debug:
        return f"{PurePath(place.debug[0].file).name}:{place.debug[0].line}:{place.debug[0].column}"
    if look.mir_names is None:
        return ""
    name = look.mir_names.get(place.file) or words.mir_file(PurePath(place.file).name)
    return f"{name}:{place.line}"


def _path(steps: Sequence[PathStep], look: Look) -> Iterator[Text]:
    pieces: list[str] = []
    for skipped, at in told_steps(steps):
        step = steps[at]
        if skipped:
            pieces += ["->", f"({words.count(skipped, 'block')})"]
        if pieces:
            pieces.append("=back-edge=>" if step.back_edge else "->")
        pieces.append(words.block(step.block) + (f" ({step.note})" if step.note else ""))
    if pieces:
        # An arrow stays with the block it leads to when the line is broken.
        joined = " ".join(pieces).replace("-> ", "->\0").replace("=> ", "=>\0").replace(" (", "\0(")
        for line in paragraph(_label("path"), joined, look.width):
            line.plain = line.plain.replace("\0", " ")
            yield line


def told_steps(steps: Sequence[PathStep]) -> Iterator[tuple[int, int]]:
    """The steps of a path that are told one by one: how many were left out just before, and the index of each."""
    before = -1
    for at in sorted(_shown_steps(steps)):
        yield at - before - 1, at
        before = at


def _shown_steps(steps: Sequence[PathStep]) -> set[int]:
    """The steps of a path that are told one by one: all of a short one."""
    last = len(steps) - 1
    if last < _MOST_STEPS:
        return set(range(len(steps)))
    shown = {0, 1, last - 1, last}
    for at, step in enumerate(steps):
        if step.back_edge:
            shown |= {at - 1, at}
        if step.note:
            shown.add(at)
    # A gap of one block is not worth its words.
    return shown | {at for at in range(1, last) if at - 1 in shown and at + 1 in shown}


def _inlining(finding: Finding) -> Iterator[Text]:
    for name, place in (("needed", finding.definition), ("clobber", finding.clobber), ("use", finding.use)):
        if place is None or len(place.debug) + bool(place.file) < 2:
            continue
        chain = " inlined at ".join(str(location) for location in place.debug)
        text = f"{name}: {place.file}:{place.line}" + (f", {chain}" if chain else "")
        yield Text.assemble(_label(""), (text, LABEL))
