"""The report that people read on a terminal, in a log, or through grep: one fact a line, nothing drawn.

A function's report is a table of variants and layers, the witness of what is wrong in the first variant that
is wrong, and what each cure does about it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from regtriage.dataflow.findings import Hazard, Layer, LayerResult, Verdict
from regtriage.dataflow.grouping import Group, group
from regtriage.tools.evidence import telling_layer
from regtriage.tools.results import Conclusion, FunctionReport, How, RunReport, VariantReport
from rich.text import Text

from . import words
from .asm import joined_lines
from .look import LABEL, NAME, VERDICT_STYLE, Look, columns, paragraph
from .witness import witness

_MOST_GROUPS = 3
_MOST_LINES = 3

_CONCLUSION_STYLE = {
    Conclusion.CLEAN: VERDICT_STYLE[Verdict.CLEAN],
    Conclusion.HAZARD: VERDICT_STYLE[Verdict.HAZARD],
    Conclusion.UNPROVEN: VERDICT_STYLE[Verdict.UNPROVEN],
    Conclusion.MISCOMPILED: VERDICT_STYLE[Verdict.BUG],
}
_HOW_STYLE = {How.CAUSE: "green", How.PERTURBED: "yellow", How.NONE: "red"}


def run_lines(report: RunReport, look: Look) -> Iterator[Text]:
    """One kernel through one compiler."""
    target = " ".join(part for part in (report.target.triple, report.target.cpu, f"-O{report.target.opt}") if part)
    compiler = f"{report.llc.kind} llc, LLVM {report.llc.version}"
    yield Text.assemble((f"{report.input}: ", NAME), f"{target}, {compiler}")
    for function in report.functions:
        yield Text()
        yield _conclusion(function)
        yield from _table(function.variants, look)
        yield from _remarks(function.variants, look)
        yield from _findings(function.variants, look, staged=True)
        yield from _cures(function, look)
    if report.kept:
        yield Text()
        yield Text.assemble(("artefacts: ", LABEL), report.kept)


def check_lines(before: str, after: str, functions: Sequence[FunctionReport], look: Look) -> Iterator[Text]:
    """Two MIR files compared: each function has one variant, the pair that was given."""
    yield Text(f"{before} -> {after}", NAME)
    for function in functions:
        yield Text()
        yield _conclusion(function)
        for variant in function.variants:
            yield from _layers(variant, look)
        yield from _findings(function.variants, look, staged=False)


def next_lines(report: RunReport, commands: Collection[str]) -> Iterator[Text]:
    """What a user does next about a kernel, by the commands that there are."""
    worst = {f.conclusion for f in report.functions}
    steps: list[tuple[str, str]] = []
    if Conclusion.MISCOMPILED in worst:
        steps += [(f"regtriage bisect {report.input}", "the one decision that does it")]
        steps += [(f"regtriage reduce {report.input}", "the smallest test that still shows it")]
    if not report.kept and worst & {Conclusion.MISCOMPILED, Conclusion.UNPROVEN}:
        steps += [(f"regtriage run {report.input} --keep DIR", "MIR of every stage, asm and trace to look at")]
    steps = [step for step in steps if step[0].split()[1] in commands]
    if steps:
        yield Text()
        rows = [[Text("next:" if not at else "", LABEL), Text(s), Text(w, LABEL)] for at, (s, w) in enumerate(steps)]
        yield from columns(rows)


def _conclusion(function: FunctionReport) -> Text:
    return Text.assemble(
        (f"{function.name}: ", NAME), (function.conclusion.value, _CONCLUSION_STYLE[function.conclusion])
    )


# -- the table --------------------------------------------------------------------------------------------


def verdict_rows(variants: Sequence[VariantReport]) -> list[list[str]]:
    """The table without looks: rows of cells, the first of them the heads."""
    return [[cell.plain.strip() for cell in row] for row in _cells(variants, Look())]


def _table(variants: Sequence[VariantReport], look: Look) -> list[Text]:
    rows = _cells(variants, look)
    numbers = {"candidates", "partial", "fired", "private", "confirmed", "seconds"}
    return columns(rows, right=frozenset(at for at, cell in enumerate(rows[0]) if cell.plain in numbers))


def _cells(variants: Sequence[VariantReport], look: Look) -> list[list[Text]]:
    layers = [layer for layer in Layer if any(r.layer is layer for v in variants for r in v.layers)]
    traced = any(v.spiller is not None for v in variants)
    confirmed = any(v.confirmed is not None for v in variants)
    head = ["  variant", *(layer.value for layer in layers)]
    head += ["candidates", "partial", "fired", "private"] if traced else []
    head += ["confirmed"] if confirmed else []
    head += ["seconds"] if look.verbose else []
    rows = [[Text(cell, LABEL) for cell in head]]
    for variant in variants:
        row = [Text(f"  {variant.variant.value}", NAME), *(_verdict_cell(variant, layer) for layer in layers)]
        row += _spiller_cells(variant) if traced else []
        row += [_confirmed_cell(variant)] if confirmed else []
        row += [Text(f"{sum(variant.seconds.values()):.2f}")] if look.verbose else []
        rows.append(row)
    return rows


def _verdict_cell(variant: VariantReport, layer: Layer) -> Text:
    result = next((r for r in variant.layers if r.layer is layer), None)
    if result is None:
        return Text("-", LABEL)
    return Text.assemble(
        (result.verdict.value, VERDICT_STYLE[result.verdict]),
        f" {len(result.findings)}" if result.findings else "",
    )


def _spiller_cells(variant: VariantReport) -> list[Text]:
    counts = variant.spiller
    if counts is None:
        return [Text("-", LABEL)] * 4
    return [Text(str(n)) for n in (counts.hoist_candidates, counts.partial, counts.fired, counts.private_slots)]


def _confirmed_cell(variant: VariantReport) -> Text:
    done = variant.confirmed
    return Text("-", LABEL) if done is None else Text(f"{done.differ} of {done.runs}", "" if done.differ else "yellow")


def _layers(variant: VariantReport, look: Look) -> Iterator[Text]:
    rows = [
        [
            Text(f"  {layer.layer.value}", NAME),
            _verdict_cell(variant, layer.layer),
            Text(f"{words.count(layer.checked, 'lane')} compared", LABEL),
        ]
        for layer in variant.layers
    ]
    if rows:
        yield from columns(rows)
    yield from _remarks([variant], look)


def _remarks(variants: Sequence[VariantReport], look: Look) -> Iterator[Text]:
    """What a verdict of the table does not say by itself: why it is not BUG, not CLEAN, or not confirmed."""
    for variant, subject, text, style in _all_remarks(variants):
        name = f"{variant}, " if len(variants) > 1 else ""
        label = Text.assemble(f"  {name}", (f"{subject}: ", style))
        yield from paragraph(label, text, look.width, hanging=4)


def remarks(variants: Sequence[VariantReport]) -> list[tuple[str, str]]:
    """The same without looks: (subject, text)."""
    return [
        (f"{variant}, {subject}" if len(variants) > 1 else subject, text)
        for variant, subject, text, _ in _all_remarks(variants)
    ]


def _all_remarks(variants: Sequence[VariantReport]) -> Iterator[tuple[str, str, str, str]]:
    """Variant, subject, text, style of the subject; each text once."""
    told: set[tuple[str, str]] = set()
    for variant in variants:
        for subject, text, style in _remarks_of(variant):
            if (subject, text) not in told:
                told.add((subject, text))
                yield variant.variant.value, subject, text, style


def _remarks_of(variant: VariantReport) -> Iterator[tuple[str, str, str]]:
    """Subject, text, style of the subject."""
    done = variant.confirmed
    if variant.verdict is Verdict.BUG and done is not None and not done.differ and done.note:
        yield "not confirmed by execution", done.note, VERDICT_STYLE[Verdict.BUG]
    if variant.verdict is Verdict.HAZARD and any(r.layer is Layer.MIR and r.findings for r in variant.layers):
        text = "a virtual register is wrong, but the physical one that it got still holds the right value"
        yield "mir hazard", text, VERDICT_STYLE[Verdict.HAZARD]
    for layer in variant.layers:
        for text in _some(layer.unproven, "reason"):
            yield f"{layer.layer.value} unproven", text, VERDICT_STYLE[Verdict.UNPROVEN]
        if layer.verdict is Verdict.HAZARD:
            for text in _some([_hazard(h) for h in layer.hazards], "such store"):
                yield f"{layer.layer.value} hazard", text, VERDICT_STYLE[Verdict.HAZARD]


def _some(texts: Sequence[str], thing: str) -> list[str]:
    left = len(texts) - _MOST_LINES
    return [*texts[:_MOST_LINES], *([f"and {words.count(left, f'more {thing}')}"] if left > 0 else [])]


def _hazard(hazard: Hazard) -> str:
    lanes = words.lanes(hazard.undefined_lanes)
    store = f"{words.instruction(hazard.store.text)} in {words.block(hazard.store.block)}"
    return f"{store} stores {lanes} undefined into {hazard.slot}, which others use; no read of it goes wrong"


# -- findings and cures -----------------------------------------------------------------------------------


def _findings(variants: Sequence[VariantReport], look: Look, *, staged: bool) -> Iterator[Text]:
    known: set[str] = set()
    for variant in variants:
        layer = telling_layer(variant.layers) if variant.verdict is Verdict.BUG else None
        if layer is None:
            continue
        fresh = [f for f in layer.findings if look.verbose or f.id not in known]
        known |= {f.id for f in layer.findings}
        yield from _groups(variant, layer, group(fresh), look, staged=staged)


def _groups(
    variant: VariantReport, layer: LayerResult, groups: Sequence[Group], look: Look, *, staged: bool
) -> Iterator[Text]:
    if not groups:
        return
    shown = groups if look.verbose else groups[:_MOST_GROUPS]
    yield Text()
    if staged:
        yield Text(f"  {variant.variant.value}, after {layer.findings[0].stage}:", LABEL)
    for at, member in enumerate(shown):
        if at:
            yield Text()
        yield from witness(member, look)
        told = member.findings if look.verbose else member.at_first_use
        yield from joined_lines(told, next((r for r in variant.layers if r.layer is Layer.ASM), None), look)
    left = sum(len(g.findings) for g in groups[len(shown) :])
    if left:
        yield Text(f"  and {words.count(left, 'more finding')}; -v shows them", LABEL)


def _cures(function: FunctionReport, look: Look) -> Iterator[Text]:
    if not function.cures:
        return
    yield Text()
    yield Text("  cures", LABEL)
    names = max(len(c.variant.value) for c in function.cures)
    for cure in function.cures:
        name, how = f"    {cure.variant.value:<{names}}  ", f"{cure.how.value:<9}  "
        label = Text.assemble((name, NAME), (how, _HOW_STYLE[cure.how]))
        yield from paragraph(label, cure.why, look.width)
