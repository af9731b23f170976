"""What a function's reports tell: each cause once, with the variants that have it and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regtriage.dataflow.evidence import Evidence
from regtriage.dataflow.findings import Verdict
from regtriage.dataflow.grouping import Group, group
from regtriage.tools.evidence import telling_layer
from regtriage.tools.llc.run import Variant
from regtriage.tools.results import FunctionReport, VariantReport


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings with one cause, of the first of the variants that have it. evidence: None if none was gathered."""

    group: Group
    evidence: Evidence | None
    variants: tuple[Variant, ...]


def causes(function: FunctionReport) -> Iterator[Cause]:
    """The causes of a function in the order in which they are told."""
    having: dict[str, list[Variant]] = {}
    groups: dict[str, tuple[Group, Evidence | None]] = {}
    for variant in function.variants:
        layer = telling_layer(variant.layers) if variant.verdict is Verdict.BUG else None
        if layer is None:
            continue
        fresh = [f for f in layer.findings if f.id not in having]
        for finding in layer.findings:
            having.setdefault(finding.id, []).append(variant.variant)
        for member in group(fresh):
            groups[member.first.id] = (member, _evidence(variant, member))
    for first, (member, evidence) in groups.items():
        yield Cause(member, evidence, tuple(having[first]))


def _evidence(variant: VariantReport, member: Group) -> Evidence | None:
    ids = {f.id for f in member.findings}
    return next((e for e in variant.evidence if ids & set(e.ids)), None)
