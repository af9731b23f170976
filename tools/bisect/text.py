"""A bisection as people read it: one fact a line."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from regtriage.dataflow.findings import Finding, Verdict
from regtriage.dataflow.grouping import group
from regtriage.tools.report import words
from regtriage.tools.report.look import LABEL, NAME, REGISTER, VERDICT_STYLE, Look, columns, paragraph
from regtriage.tools.report.witness import witness
from regtriage.tools.results import How
from rich.text import Text

from .model import (
    BisectReport,
    Change,
    Decision,
    FunctionBisection,
    Member,
    Probe,
    RegisterSet,
    SpillLine,
    TurnReport,
)
from .search import Search
from .trials import Choice

_HOW_STYLE = {How.CAUSE: "green", How.PERTURBED: "yellow", How.NONE: "red"}
_MOST_LINES = 8
_MOST_GROUPS = 3


def bisect_lines(report: BisectReport, look: Look) -> Iterator[Text]:
    """One kernel."""
    target = " ".join(part for part in (report.target.triple, report.target.cpu, f"-O{report.target.opt}") if part)
    yield Text.assemble((f"{report.input}: ", NAME), f"{target}, {report.llc.kind} llc, LLVM {report.llc.version}")
    for function in report.functions:
        yield Text()
        yield from _function(function, report, look)


def _function(function: FunctionBisection, report: BisectReport, look: Look) -> Iterator[Text]:
    yield _headline(function)
    if function.allocation is None:
        return
    yield from _findings(function.findings, look)
    if function.culprit is not None:
        yield from _culprit(function.culprit, report, look)
    elif function.verdict is Verdict.BUG:
        yield Text()
        yield from _labelled("culprit", "none: no set of private slots makes it right", look)
    yield from _turns(function.turns, look)
    yield from _probes(function.probes, look)


def _headline(function: FunctionBisection) -> Text:
    line = Text.assemble((f"{function.name}: ", NAME), (function.verdict.value, VERDICT_STYLE[function.verdict]))
    if function.allocation is None:
        return line.append(", with every variant" if function.verdict is not Verdict.UNPROVEN else "")
    if function.verdict is Verdict.BUG:
        line.append(f" in allocation {function.allocation}")
        if function.also_wrong:
            line.append(f" (and in {', '.join(map(str, function.also_wrong))}: --allocation)")
    else:
        line.append(f", and {function.turns[0].variant} breaks it in allocation {function.allocation}")
    line.append(f"; {words.count(len(function.findings), 'finding')}, {words.count(function.runs, 'compile')}")
    return line


def _findings(findings: Sequence[Finding], look: Look) -> Iterator[Text]:
    groups = group(findings)
    shown = groups if look.verbose else groups[:_MOST_GROUPS]
    for member in shown:
        yield Text()
        yield from witness(member, look)
    left = sum(len(g.findings) for g in groups[len(shown) :])
    if left:
        yield Text(f"  and {words.count(left, 'more finding')}; -v shows them", LABEL)


# -- the culprit


def _culprit(culprit: RegisterSet, report: BisectReport, look: Look) -> Iterator[Text]:
    members = culprit.members
    yield Text()
    what = "private slot" if len(members) == 1 else f"{len(members)} private slots, none of which can be left out"
    yield Text.assemble(
        ("  culprit  ", LABEL),
        f"{what}: ",
        (culprit.how.value, _HOW_STYLE[culprit.how]),
        "; the function is then ",
        (culprit.verdict.value, VERDICT_STYLE[culprit.verdict]),
    )
    for member in members:
        yield from _member(member, look, several=len(members) > 1)
    yield from _change(culprit.change, look)
    yield from _repeat(culprit.choice, report, look)


def _member(member: Member, look: Look, *, several: bool) -> Iterator[Text]:
    decision = member.decision
    label = Text.assemble("    ", (f"%{decision.register}", REGISTER), f" of %{decision.original}: ")
    yield from paragraph(label, _details(decision), look.width, hanging=6)
    yield from _labelled("because", member.why, look, 6)
    if several:
        yield from _labelled("left out", words.count(member.without, "finding"), look, 6)


def _details(decision: Decision) -> str:
    parts = [f"{decision.register_class} without {words.lanes(decision.lanes)}"]
    if decision.siblings:
        others = words.lanes(f"%{sibling}" for sibling in decision.siblings)
        slot = f"%stack.{decision.slot}" if decision.slot is not None else "the slot"
        parts.append(f"shares {slot} with {others}")
    if decision.block is not None:
        parts.append(f"stored in bb.{decision.block}")
    if decision.source:
        first = decision.source[0]
        parts.append(f"value from {PurePath(first.file).name}:{first.line}:{first.column}")
    return ", ".join(parts)


def _change(change: Change, look: Look) -> Iterator[Text]:
    rows = [_spill_line(line) for line in change.lines]
    shown = rows if look.verbose else rows[:_MOST_LINES]
    if shown:
        yield Text("    changed", LABEL)
        yield from columns(shown)
    if len(rows) > len(shown):
        yield Text(f"      and {len(rows) - len(shown)} more; -v shows them", LABEL)
    others = f"spill code of other values: {change.others} more or less" if change.others else ""
    text = f"{change.other_instructions} of {words.count(change.instructions, 'instruction')} read otherwise"
    yield from _labelled("in all", ", ".join(filter(None, (text, others))), look, 4)


def _spill_line(line: SpillLine) -> list[Text]:
    sign, style = ("+", "green") if line.only_with else ("-", "red")
    cause = f"{line.cause}{', own slot' if line.own else ''}"
    return [Text(f"      {sign} bb.{line.block}", style), Text(words.instruction(line.text)), Text(cause, LABEL)]


def _repeat(choice: Choice, report: BisectReport, look: Look) -> Iterator[Text]:
    command = shlex.join(["regtriage", "run", report.input, *choice.arguments()])
    yield Text.assemble(("    repeat   ", LABEL), command)


# -- turns and probes


def _turns(turns: Sequence[TurnReport], look: Look) -> Iterator[Text]:
    if not turns:
        return
    yield Text()
    head = ["  variant", "decisions", "all of them", "turns at", "that one alone", "how"]
    rows = [[Text(cell, LABEL) for cell in head]]
    rows += [
        [
            Text(f"  {turn.variant}", NAME),
            Text(str(turn.decisions)),
            _verdict(turn.verdict),
            Text("-" if turn.at is None else str(turn.at)),
            _verdict(turn.alone),
            Text(turn.how.value, _HOW_STYLE[turn.how]),
        ]
        for turn in turns
    ]
    yield from columns(rows, right=frozenset({1, 3}))
    for turn in turns:
        yield from _turn(turn, look)


def _turn(turn: TurnReport, look: Look) -> Iterator[Text]:
    if turn.at is None or turn.change is None:
        yield from _labelled(turn.variant, turn.why, look, 2, 13)
        return
    which = f"{turn.at}" if turn.search is Search.SCAN else f"{turn.at}, by bisection, so maybe not the first"
    changed = f"{turn.change.other_instructions} of {words.count(turn.change.instructions, 'instruction')}"
    yield from _labelled(turn.variant, f"{which}: {turn.why} ({changed} read otherwise)", look, 2, 13)
    if turn.choice is not None and look.verbose:
        yield from _labelled("", " ".join(turn.choice.arguments()), look, 2, 13)
        yield from _change(turn.change, look)


def _probes(probes: Sequence[Probe], look: Look) -> Iterator[Text]:
    if not probes:
        return
    yield Text()
    yield Text("  switched off", LABEL)
    names = max(len(probe.name) for probe in probes)
    for probe in probes:
        verdict = _verdict(probe.verdict)
        verdict.append(f" {probe.findings}" if probe.findings else "")
        label = Text.assemble("    ", (probe.name.ljust(names), NAME), "  ", verdict, " " * (9 - verdict.cell_len))
        yield from paragraph(label, probe.says, look.width)


def _verdict(verdict: Verdict | None) -> Text:
    return Text("-", LABEL) if verdict is None else Text(verdict.value, VERDICT_STYLE[verdict])


def _labelled(label: str, text: str, look: Look, indent: int = 2, width: int = 9) -> list[Text]:
    return paragraph(Text.assemble((" " * indent + str(label).ljust(width), LABEL)), text, look.width)
