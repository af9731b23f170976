"""One kernel through several compilers, in a table: a compiler a row, a variant a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regtriage.dataflow.findings import Layer, Verdict
from regtriage.tools.llc.run import Variant
from regtriage.tools.results import RunReport
from rich.text import Text

from .look import LABEL, NAME, VERDICT_STYLE, columns

_WORST = (Verdict.BUG, Verdict.UNPROVEN, Verdict.HAZARD, Verdict.CLEAN)


def compiler_lines(runs: Sequence[tuple[str, RunReport | None]]) -> Iterator[Text]:
    """The table. runs: each compiler as the user named it, and its report or None if it failed."""
    reports = [report for _, report in runs if report is not None]
    made = {v.variant for report in reports for f in report.functions for v in f.variants}
    variants = [variant for variant in Variant if variant in made]
    rows = [[Text(cell, LABEL) for cell in ("compiler", "LLVM", *variants)]]
    for name, report in runs:
        if report is None:
            rows.append([Text(name, NAME), Text("failed", "magenta"), *(Text("-", LABEL) for _ in variants)])
            continue
        rows.append([Text(name, NAME), Text(report.llc.version), *(_cell(report, variant) for variant in variants)])
    yield from columns(rows)


def _cell(report: RunReport, variant: Variant) -> Text:
    """The worst verdict of all functions, and how many lanes are read wrong in the code."""
    found = [v for f in report.functions for v in f.variants if v.variant is variant]
    verdict = next((v for v in _WORST if v in {r.verdict for r in found}), None)
    if verdict is None:
        return Text("-", LABEL)
    layers = [{layer.layer: layer.findings for layer in r.layers} for r in found]
    count = sum(len(by_layer.get(Layer.REWRITTEN) or by_layer.get(Layer.MIR) or ()) for by_layer in layers)
    return Text.assemble((verdict.value, VERDICT_STYLE[verdict]), f" {count}" if count else "")
