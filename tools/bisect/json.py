"""A bisection as other programs read it; docs/schema/bisect.schema.json describes it. No times: two runs are equal."""

from __future__ import annotations

from regtriage.tools.report.json import SCHEMA, Object, Value, finding_object, source_object, tool_object

from .model import BisectReport, Change, Decision, FunctionBisection, Member, Probe, RegisterSet, SpillLine, TurnReport
from .trials import Choice


def bisect_object(report: BisectReport, version: str) -> Object:
    """One kernel. version is that of this program."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "input": report.input,
        "target": {"triple": report.target.triple, "cpu": report.target.cpu, "opt": report.target.opt},
        "llc": {"kind": str(report.llc.kind), "version": report.llc.version, "path": str(report.llc.path)},
        "functions": [_function(f) for f in report.functions],
    }


def _function(function: FunctionBisection) -> Object:
    return {
        "name": function.name,
        "verdict": function.verdict.value,
        "allocation": function.allocation,
        "also_wrong": list(function.also_wrong),
        "findings": [finding_object(f) for f in function.findings],
        "culprit": None if function.culprit is None else _culprit(function.culprit),
        "turns": [_turn(t) for t in function.turns],
        "probes": [_probe(p) for p in function.probes],
        "compiles": function.runs,
    }


def _culprit(culprit: RegisterSet) -> Object:
    return {
        "members": [_member(m) for m in culprit.members],
        "arguments": list(culprit.choice.arguments()),
        "verdict": culprit.verdict.value,
        "how": culprit.how.value,
        "change": _change(culprit.change),
    }


def _member(member: Member) -> Object:
    return {
        "decision": _decision(member.decision),
        "findings_without": member.without,
        "how": member.how.value,
        "why": member.why,
    }


def _decision(decision: Decision) -> Object:
    return {
        "kind": decision.kind.value,
        "allocation": decision.allocation,
        "register": decision.register,
        "original": decision.original,
        "slot": decision.slot,
        "own_slot": decision.own_slot,
        "sibling": decision.sibling,
        "siblings": list(decision.siblings),
        "class": decision.register_class,
        "lanes": list(decision.lanes),
        "block": decision.block,
        "source": [source_object(s) for s in decision.source],
    }


def _change(change: Change) -> Object:
    return {
        "lines": [_line(line) for line in change.lines],
        "others": change.others,
        "other_instructions": change.other_instructions,
        "instructions": change.instructions,
    }


def _line(line: SpillLine) -> Object:
    return {
        "only_with": line.only_with,
        "block": line.block,
        "what": line.what,
        "register": line.register,
        "slot": line.slot,
        "own": line.own,
        "cause": line.cause,
        "text": line.text,
    }


def _turn(turn: TurnReport) -> Object:
    return {
        "variant": turn.variant.value,
        "decisions": turn.decisions,
        "verdict": turn.verdict.value,
        "at": turn.at,
        "search": None if turn.search is None else turn.search.value,
        "decision": None if turn.decision is None else _decision(turn.decision),
        "arguments": _arguments(turn.choice),
        "alone": None if turn.alone is None else turn.alone.value,
        "alone_arguments": _arguments(turn.alone_choice),
        "change": None if turn.change is None else _change(turn.change),
        "how": turn.how.value,
        "why": turn.why,
    }


def _probe(probe: Probe) -> Object:
    return {
        "name": probe.name,
        "arguments": list(probe.choice.arguments()),
        "verdict": probe.verdict.value,
        "findings": probe.findings,
        "says": probe.says,
    }


def _arguments(choice: Choice | None) -> Value:
    return None if choice is None else list(choice.arguments())
