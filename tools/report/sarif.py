"""The findings as SARIF 2.1.0, for code review and for stores of findings.

A rule for each exit, a result for each finding (once, whichever variants have it), with its id as the fingerprint. A
place is a line of the source where the kernel says so; else a line of the MIR where that is kept; else the kernel. The
code flow is the path: every block of it, with the instructions that matter.
OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from regtriage.dataflow.findings import Finding, Hazard, Place, Verdict
from regtriage.dataflow.grouping import Group
from regtriage.tools.results import FunctionReport, RunReport, VariantReport

from . import telling, words
from .causes import causes
from .json import Object, Value

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HAZARD = "hazard"
_HAZARD_TEXT = "A partly defined register is stored whole into a slot that others use; no read of it goes wrong."

_Where = Callable[[Place], Object]
"""The physical location of a place."""


def run_sarif(runs: Sequence[RunReport | tuple[str, str]], version: str) -> Object:
    """The log of `regtriage run`: of each compiler a run, or (compiler, why it failed)."""
    logs: list[Object] = []
    for run in runs:
        if isinstance(run, tuple):
            notice: Object = {"level": "error", "message": {"text": run[1]}}
            logs.append(_log(version, [], [notice], successful=False))
            continue
        results, notices = _Results(), list[Object]()
        for function in run.functions:
            for variant in function.variants:
                _add(results, function, variant, _placer(run, variant))
            notices += _unproven(function)
        log = _log(version, results.done(), notices, successful=True)
        log["properties"] = {
            "input": run.input, "triple": run.target.triple, "cpu": run.target.cpu, "llvm": run.llc.version,
        }  # fmt: skip
        logs.append(log)
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": logs}


def check_sarif(functions: Sequence[FunctionReport], version: str) -> Object:
    """The log of `regtriage check`: its places are lines of the user's own MIR files."""
    results, notices = _Results(), list[Object]()
    for function in functions:
        for variant in function.variants:
            _add(results, function, variant, _in_file)
        notices += _unproven(function)
    return {
        "$schema": SCHEMA, "version": "2.1.0", "runs": [_log(version, results.done(), notices, successful=True)],
    }  # fmt: skip


def _log(version: str, results: list[Object], notices: list[Object], *, successful: bool) -> Object:
    wanted = dict.fromkeys(str(r["ruleId"]) for r in results)
    rules = [rule for rule in _rules() if rule["id"] in wanted]
    number = {rule["id"]: at for at, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = number[result["ruleId"]]
    invocation: Object = {"executionSuccessful": successful, "toolExecutionNotifications": notices}
    driver: Object = {
        "name": "regtriage",
        "fullName": "regtriage, triage of register allocation miscompiles",
        # a version such as 0.1.dev1+g12 is none by the rules for semanticVersion
        "version": version,
        "rules": rules,
    }
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }


def _rules() -> list[Object]:
    texts: list[tuple[str, str, str]] = [(e.value, text, "error") for e, text in telling.EXIT_TEXT.items()]
    texts += [(kind.value, text, "error") for kind, text in telling.KIND_TEXT.items()]
    texts.append((_HAZARD, _HAZARD_TEXT, "note"))
    return [
        {
            "id": name,
            "name": "".join(part.capitalize() for part in name.split("-")),
            "shortDescription": {"text": text},
            "fullDescription": {"text": text},
            "help": {"text": f"{text} `regtriage bisect` names the decision, `regtriage reduce` makes a small test."},
            "defaultConfiguration": {"level": level},
        }
        for name, text, level in texts
    ]


@dataclass(slots=True)
class _Results:
    """Results by fingerprint, each once."""

    by_id: dict[str, Object]

    def __init__(self) -> None:
        self.by_id = {}

    def add(self, identity: str, variant: str, result: Object) -> None:
        known = self.by_id.setdefault(identity, result)
        properties = known["properties"]
        assert isinstance(properties, dict)
        variants = properties["variants"]
        assert isinstance(variants, list)
        if variant not in variants:
            variants.append(variant)

    def done(self) -> list[Object]:
        return list(self.by_id.values())


def _add(results: _Results, function: FunctionReport, variant: VariantReport, where: _Where) -> None:
    told = {f.id: c.group for c in causes(function) for f in c.group.findings}
    if variant.verdict is Verdict.BUG:
        for finding in variant.shipped_findings:
            member = Group((finding,))
            results.add(finding.id, variant.variant.value, _result(function, variant, finding, member, where))
        return
    if variant.verdict is Verdict.HAZARD and not told:
        for layer in variant.layers:
            for hazard in layer.hazards:
                identity = f"{hazard.store.block}\0{hazard.store.text}"
                results.add(identity, variant.variant.value, _hazard(function, hazard, where))


def _result(function: FunctionReport, variant: VariantReport, finding: Finding, member: Group, where: _Where) -> Object:
    done = variant.confirmed
    related: list[Object] = []
    named = (("where the value is made", finding.definition), ("the store that loses it", finding.clobber))
    for number, (text, place) in enumerate((t, p) for t, p in named if p is not None):
        related.append({"id": number, **_location(function, place, where, text)})
    return {
        "ruleId": telling.exit_name(finding),
        "level": "error",
        "kind": "fail",
        "message": {"text": f"{function.name}: {telling.plain(telling.happened(member))}"},
        "locations": [_location(function, finding.use, where, "")],
        "relatedLocations": related,
        "codeFlows": [{"threadFlows": [{"locations": list(_flow(function, finding, where))}]}],
        "partialFingerprints": {"regtriage/v1": finding.id},
        "properties": {
            "variants": list[Value](),
            "function": function.name,
            "layer": finding.layer.value,
            "stage": finding.stage,
            "exitBy": finding.exit_by.value if finding.exit_by is not None else None,
            "needed": str(finding.needed) if finding.needed is not None else None,
            "location": finding.location,
            "slot": finding.slot or None,
            "loopCarried": finding.loop_carried,
            "confirmed": f"{done.differ} of {done.runs}" if done is not None else None,
            "cures": [{"variant": c.variant.value, "how": c.how.value} for c in function.cures],
        },
    }


def _hazard(function: FunctionReport, hazard: Hazard, where: _Where) -> Object:
    lanes = words.lanes(hazard.undefined_lanes)
    return {
        "ruleId": _HAZARD,
        "level": "note",
        "message": {"text": f"{function.name}: {lanes} are stored undefined into {hazard.slot}. {_HAZARD_TEXT}"},
        "locations": [_location(function, hazard.store, where, "")],
        "properties": {"variants": list[Value](), "function": function.name, "slot": hazard.slot},
    }


def _unproven(function: FunctionReport) -> Iterator[Object]:
    for variant in function.variants:
        reasons = dict.fromkeys(r for layer in variant.layers for r in layer.unproven)
        for reason in reasons:
            text = f"{function.name}, {variant.variant.value}: not proved: {reason}"
            yield {"level": "warning", "message": {"text": text}}


def _flow(function: FunctionReport, finding: Finding, where: _Where) -> Iterator[Object]:
    """The path, block by block; where something happens, the instruction."""
    places = {"defined": finding.definition, "overwritten": finding.clobber, "stored without": finding.clobber}
    last = len(finding.path) - 1
    order = 0
    for at, step in enumerate(finding.path):
        back = ", over the back edge" if step.back_edge else ""
        found = [(note, place) for note, place in places.items() if note in step.note and place is not None]
        found += [("read", finding.use)] if at == last else []
        for note, place in found:
            order += 1
            text = f"{words.block(step.block)}{back}: {note}: {words.instruction(place.text)}"
            yield {
                "location": _location(function, place, where, text), "executionOrder": order, "importance": "essential",
            }  # fmt: skip
        if not found:
            order += 1
            logical = _logical(function, step.block)
            location: Object = {"logicalLocations": logical, "message": {"text": words.block(step.block) + back}}
            importance = "important" if step.back_edge else "unimportant"
            yield {"location": location, "executionOrder": order, "importance": importance}
    if not finding.path:
        yield {"location": _location(function, finding.use, where, "read"), "executionOrder": 1}


def _location(function: FunctionReport, place: Place, where: _Where, text: str) -> Object:
    found: Object = {"physicalLocation": where(place), "logicalLocations": _logical(function, place.block)}
    if text:
        found["message"] = {"text": text}
    return found


def _logical(function: FunctionReport, block: str) -> list[Object]:
    return [{"name": function.name, "kind": "function", "fullyQualifiedName": f"{function.name}:{block}"}]


def _placer(report: RunReport, variant: VariantReport) -> _Where:
    def where(place: Place) -> Object:
        if place.debug:
            return _source(place)
        if report.kept:
            return _physical(str(Path(report.kept) / variant.variant.value / place.file), place.line, 0)
        return _physical(report.input, 0, 0)

    return where


def _in_file(place: Place) -> Object:
    return _source(place) if place.debug else _physical(place.file, place.line, 0)


def _source(place: Place) -> Object:
    source = place.debug[0]
    return _physical(source.file, source.line, source.column)


def _physical(file: str, line: int, column: int) -> Object:
    found: Object = {"artifactLocation": {"uri": _uri(file)}}
    if line > 0:
        found["region"] = {"startLine": line, **({"startColumn": column} if column > 0 else {})}
    return found


def _uri(file: str) -> str:
    path = PurePosixPath(file or "unknown")
    text = quote(str(path).encode("utf-8", "surrogateescape"))
    return f"file://{text}" if path.is_absolute() else text
