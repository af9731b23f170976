"""The JSON that other programs read. docs/schema/ has its JSON schemas.

Later versions add keys and rename none; `SCHEMA` grows when one is taken away or means something else.
Keys always come in the same order, so two results can be compared with `diff`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from regtriage.dataflow.findings import Finding, Hazard, Layer, LayerResult, Place, SourceLocation
from regtriage.tools.results import FunctionReport, RunReport, VariantReport

SCHEMA = 1

Value = str | int | float | bool | None | Sequence["Value"] | dict[str, "Value"]
Object = dict[str, Value]


def run_object(report: RunReport, version: str) -> Object:
    """One kernel through one compiler. version is that of this program."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "input": report.input,
        "target": {"triple": report.target.triple, "cpu": report.target.cpu, "opt": report.target.opt},
        "llc": {"kind": str(report.llc.kind), "version": report.llc.version, "path": str(report.llc.path)},
        "kept": report.kept or None,
        "functions": [_function(f) for f in report.functions],
    }


def runs_object(runs: Sequence[Object], version: str) -> Object:
    """One kernel through several compilers: `runs` has an object for each, or one with `llc` and `error`."""
    return {"schema": SCHEMA, "tool": tool_object(version), "runs": list(runs)}


def error_object(llc: str, message: str) -> Object:
    """Stands in `runs` for a compiler that failed."""
    return {"llc": llc, "error": message}


def check_object(before: str, after: str, functions: Sequence[FunctionReport], version: str) -> Object:
    """Two MIR files compared. The one variant of each function is the pair that was given."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "before": before,
        "after": after,
        "functions": [_function(f) for f in functions],
    }


def dump(value: Object) -> str:
    """The text of one object, ASCII only, with a line break at the end."""
    return json.dumps(value, indent=2) + "\n"


def tool_object(version: str) -> Object:
    """What made a result."""
    return {"name": "regtriage", "version": version}


def _function(report: FunctionReport) -> Object:
    return {
        "name": report.name,
        "conclusion": report.conclusion.value,
        "cures": [{"variant": c.variant.value, "how": c.how.value, "why": c.why} for c in report.cures],
        "variants": [_variant(v) for v in report.variants],
    }


def _variant(report: VariantReport) -> Object:
    layers = {layer.layer: layer for layer in report.layers}
    spiller, confirmed = report.spiller, report.confirmed
    return {
        "variant": report.variant.value,
        "verdict": report.verdict.value,
        "spiller": None if spiller is None else {
            "hoist_candidates": spiller.hoist_candidates,
            "partial": spiller.partial,
            "fired": spiller.fired,
            "private_slots": spiller.private_slots,
        },
        "layers": {layer.value: _layer(layers.get(layer)) for layer in Layer},
        "findings": [finding_object(f) for layer in report.layers for f in layer.findings],
        "confirmed": None if confirmed is None else {
            "runs": confirmed.runs, "differ": confirmed.differ, "note": confirmed.note or None,
        },
        "seconds": {step: round(seconds, 3) for step, seconds in report.seconds.items()},
    }  # fmt: skip


def _layer(result: LayerResult | None) -> Value:
    if result is None:
        return None
    return {
        "verdict": result.verdict.value,
        "findings": [f.id for f in result.findings],
        "hazards": [_hazard(h) for h in result.hazards],
        "unproven": list(result.unproven),
        "checked": result.checked,
    }


def _hazard(hazard: Hazard) -> Object:
    return {
        "stage": hazard.stage,
        "slot": hazard.slot,
        "undefined_lanes": list(hazard.undefined_lanes),
        "store": place_object(hazard.store),
    }


def finding_object(finding: Finding) -> Object:
    """One finding."""
    needed = finding.needed
    return {
        "id": finding.id,
        "kind": finding.kind.value,
        "layer": finding.layer.value,
        "stage": finding.stage,
        "exit": finding.exit.value if finding.exit is not None else None,
        "exit_by": finding.exit_by.value if finding.exit_by is not None else None,
        "needed": None if needed is None else {"register": needed.register, "lane": needed.lane},
        "location": finding.location,
        "holds": finding.holds,
        "slot": finding.slot or None,
        "definition": place_object(finding.definition),
        "clobber": place_object(finding.clobber),
        "carriers": [place_object(p) for p in finding.carriers],
        "use": place_object(finding.use),
        "loop_carried": finding.loop_carried,
        "loop": list(finding.loop),
        "path": _path(finding),
        "steps": [{"block": s.block, "back_edge": s.back_edge, "note": s.note or None} for s in finding.path],
        "replayed": finding.replayed,
        "decision": finding.decision or None,
        "explanation": finding.explanation,
    }


def _path(finding: Finding) -> list[str]:
    path: list[str] = []
    for step in finding.path:
        path += ["back-edge", step.block] if step.back_edge else [step.block]
    return path


def place_object(place: Place | None) -> Value:
    """One instruction: where it stands, and its source locations, innermost first."""
    if place is None:
        return None
    return {
        "file": place.file,
        "line": place.line,
        "block": place.block,
        "text": place.text,
        "debug": [source_object(location) for location in place.debug],
    }


def source_object(location: SourceLocation) -> Object:
    """One place in the source."""
    return {"file": location.file, "line": location.line, "column": location.column}
