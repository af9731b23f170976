"""What the page says: plain objects for the templates, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from markupsafe import Markup
from regtriage.dataflow.evidence import (
    Evidence,
    Excerpt,
    Line,
    LineKind,
    Pane,
    Step,
    StepKind,
)
from regtriage.dataflow.findings import ExitBasis, Finding, FindingKind, Layer, PathStep
from regtriage.dataflow.grouping import Group
from regtriage.tools.report import telling, words
from regtriage.tools.report.asm import source_chain
from regtriage.tools.report.causes import Cause, causes
from regtriage.tools.report.lane_svg import drawing
from regtriage.tools.report.marking import pieces
from regtriage.tools.report.telling import Command, Said
from regtriage.tools.report.text import remarks
from regtriage.tools.report.witness import needed_lanes, told_steps
from regtriage.tools.results import Conclusion, Cure, FunctionReport, How, RunReport, VariantReport

_MOST_USES = 12
_HUES = 6
"""Colours that the style sheet has for lanes."""

PANE_TEXT = {
    Pane.SOURCE: "Source",
    Pane.BEFORE: "MIR before allocation",
    Pane.AFTER: "MIR after allocation",
    Pane.ASM: "Assembly",
}
_STEP_TEXT = {
    StepKind.DEFINED: "The value is made",
    StepKind.SAVED: "It is saved",
    StepKind.OVERWRITTEN: "Something else is stored over it",
    StepKind.INCOMPLETE: "The slot is stored without it",
    StepKind.MOVED: "What is there is moved on",
    StepKind.RELOADED: "What is there is reloaded",
    StepKind.READ: "It is read, and is not the value",
}
_STORES = (StepKind.OVERWRITTEN, StepKind.INCOMPLETE)


@dataclass(frozen=True, slots=True)
class MarkView:
    """A piece of a line. hues: of the lanes it stands for; tag: their names; none of either for most pieces."""

    text: str
    hues: tuple[int, ...]
    tag: str


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of code. kind is a `LineKind`."""

    kind: str
    number: str
    marks: tuple[MarkView, ...]


@dataclass(frozen=True, slots=True)
class PaneView:
    """One form of the code at a step. column: from 1. wrong: what is marked does not hold its value any more."""

    column: int
    kind: str
    name: str
    where: str
    lines: tuple[LineView, ...]
    wrong: bool


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of the loss. bad: the store that does it."""

    number: int
    text: str
    block: str
    over_back_edge: bool
    bad: bool
    chain: str
    panes: tuple[PaneView, ...]


@dataclass(frozen=True, slots=True)
class PathView:
    """One block of the path, or so many that are left out."""

    block: str
    back_edge: bool
    note: str
    in_loop: bool
    bad: bool
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class DecisionView:
    """One decision of the spiller."""

    call: str
    kind: str
    text: Said
    location: str
    guilty: bool


@dataclass(frozen=True, slots=True)
class LegendView:
    """A lane and its colour."""

    name: str
    hue: int


@dataclass(frozen=True, slots=True)
class FindingView:
    """Findings with one cause. anchor: its id in the page."""

    anchor: str
    ids: tuple[str, ...]
    title: Said
    variants: tuple[str, ...]
    basis: str
    loop_carried: bool
    exit_text: str
    happened: Said
    decision: str
    legend: tuple[LegendView, ...]
    steps: tuple[StepView, ...]
    columns: int
    missing: tuple[str, ...]
    path: tuple[PathView, ...]
    whole_path: tuple[PathView, ...]
    loop: tuple[str, ...]
    graph: Markup
    graph_lane: str
    left: int
    decisions: tuple[DecisionView, ...]
    slot: str
    uses: tuple[tuple[str, str, str], ...]
    more_uses: int
    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class CureView:
    """One cure. how: a word; css: its class."""

    how: str
    css: str
    text: Said


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of the table: a verdict with a count, or a number."""

    text: str
    count: str = ""
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """One variant in the table."""

    name: str
    explained: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One function. anchor: its id in the page. lead: what is wrong in general; detail: the first finding."""

    anchor: str
    name: str
    conclusion: str
    text: str
    lead: Said
    detail: Said
    where: tuple[tuple[str, str, str, str, str], ...]
    cures: tuple[CureView, ...]
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]
    remarks: tuple[tuple[str, str], ...]
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """One compiler, or one pair of files. facts: (name, value)."""

    title: str
    facts: tuple[tuple[str, str], ...]
    functions: tuple[FunctionView, ...] = ()
    failure: str = ""


@dataclass(slots=True)
class _Anchors:
    """Gives out ids that are unique in a page, whatever functions are called."""

    used: dict[str, int] = field(default_factory=dict[str, int])

    def new(self, stem: str) -> str:
        count = self.used[stem] = self.used.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}-{count}"


def run_views(runs: Sequence[RunReport | tuple[str, str]]) -> list[RunView]:
    """Each compiler's report, or (compiler, why it failed)."""
    anchors = _Anchors()
    return [
        RunView(run[0], (), failure=run[1]) if isinstance(run, tuple) else _run(run, anchors) for run in runs
    ]  # fmt: skip


def check_view(before: str, after: str, functions: Sequence[FunctionReport], command: Command) -> RunView:
    """Two files compared."""
    anchors = _Anchors()
    facts = (("before", before), ("after", after))
    made = (_function(f, anchors, lambda _group, _evidence: (command,)) for f in functions)
    return RunView(PurePath(after).name, facts, tuple(made))


def _run(report: RunReport, anchors: _Anchors) -> RunView:
    target = report.target
    facts = [
        ("kernel", report.input),
        ("target", " ".join(part for part in (target.triple, target.cpu, f"-O{target.opt}") if part)),
        ("compiler", f"{report.llc.kind} llc, LLVM {report.llc.version}"),
    ]
    if report.given.llc_args:
        facts.append(("options", " ".join(report.given.llc_args)))
    if report.kept:
        facts.append(("artefacts", report.kept))
    functions = [
        _function(f, anchors, lambda g, e, f=f: tuple(telling.commands(report, f.name, g, e))) for f in report.functions
    ]
    return RunView(PurePath(report.input).name, tuple(facts), tuple(functions))


_Commands = Callable[[Group, Evidence | None], tuple[Command, ...]]
"""Makes the commands for a group of findings."""


def _function(function: FunctionReport, anchors: _Anchors, commands: _Commands) -> FunctionView:
    found = list(causes(function))
    findings = tuple(_finding(c, anchors, commands, led=not at) for at, c in enumerate(found))
    layers = [layer for layer in Layer if any(r.layer is layer for v in function.variants for r in v.layers)]
    columns, rows = _table(function.variants, layers)
    detail = telling.happened(found[0].group) if found else ()
    return FunctionView(
        anchor=anchors.new("function"),
        name=function.name,
        conclusion=function.conclusion.value,
        text=telling.CONCLUSION_TEXT[function.conclusion],
        lead=(_exit_text(found[0].group.first),) if found else _quiet(function),
        detail=detail,
        where=tuple(_where(found[0])) if found else (),
        cures=tuple(_cure(c) for c in function.cures),
        columns=columns,
        rows=rows,
        remarks=tuple(remarks(function.variants)),
        findings=findings,
    )


def _quiet(function: FunctionReport) -> Said:
    """For a function without findings."""
    checked = max((layer.checked for v in function.variants for layer in v.layers), default=0)
    compared = f"{words.count(checked, 'lane')} that instructions read were compared"
    return {
        Conclusion.CLEAN: (f"On every path, every lane that is read holds its value: {compared}.",),
        Conclusion.HAZARD: (
            f"Every lane that is read holds its value ({compared}), but the dangerous pattern is there, as said below.",
        ),
        Conclusion.UNPROVEN: ("Something was met that is not understood. This is neither a clean bill nor a bug.",),
        Conclusion.MISCOMPILED: ("It is wrong.",),
    }[function.conclusion]


def _where(cause: Cause) -> Iterator[tuple[str, str, str, str, str]]:
    """(what, instruction, block, source, line of the assembly) of the steps that matter most."""
    first = cause.group.first
    overwrote = any("overwritten" in s.note for s in first.path)
    rows = (
        ("made", StepKind.DEFINED, first.definition),
        ("overwritten" if overwrote else "left out", StepKind.OVERWRITTEN, first.clobber),
        ("read", StepKind.READ, first.use),
    )
    for name, kind, place in rows:
        if place is not None:
            source = source_chain(place.debug[:1])
            asm = _asm_lines(cause.evidence, kind, place.block)
            yield name, words.instruction(place.text), words.block(place.block), source, asm


def _asm_lines(evidence: Evidence | None, kind: StepKind, block: str) -> str:
    """The lines of the assembly that a step in a block is about."""
    for step in evidence.steps if evidence is not None else ():
        same = step.kind in _STORES if kind in _STORES else step.kind is kind
        for excerpt in step.excerpts if same and step.block == block else ():
            if excerpt.pane is Pane.ASM:
                return ", ".join(str(line.number) for line in excerpt.lines if line.kind is LineKind.KEY)
    return ""


def _cure(cure: Cure) -> CureView:
    words_of = {How.CAUSE: "cures it", How.PERTURBED: "hides it", How.NONE: "does not help"}
    return CureView(words_of[cure.how], cure.how.value, telling.cured(cure))


# -- the table ----------------------------------------------------------------------------------------------------


def _table(variants: Sequence[VariantReport], layers: Sequence[Layer]) -> tuple[tuple[str, ...], tuple[RowView, ...]]:
    traced = any(v.spiller is not None for v in variants)
    confirmed = any(v.confirmed is not None for v in variants)
    columns = ["variant", *(layer.value for layer in layers)]
    columns += ["hoists", "partial", "refused", "private slots"] if traced else []
    columns += ["runs that differ"] if confirmed else []
    rows: list[RowView] = []
    for variant in variants:
        cells = [_verdict(variant, layer) for layer in layers]
        if traced:
            s = variant.spiller
            numbers = (s.hoist_candidates, s.partial, s.fired, s.private_slots) if s is not None else ("",) * 4
            cells += [CellView(str(n)) for n in numbers]
        if confirmed:
            done = variant.confirmed
            cells.append(CellView(f"{done.differ} of {done.runs}" if done is not None else ""))
        rows.append(RowView(variant.variant.value, telling.VARIANT_TEXT[variant.variant], tuple(cells)))
    return tuple(columns), tuple(rows)


def _verdict(variant: VariantReport, layer: Layer) -> CellView:
    result = next((r for r in variant.layers if r.layer is layer), None)
    if result is None:
        return CellView("")
    count = str(len(result.findings)) if result.findings else ""
    return CellView(result.verdict.value, count, result.verdict.value.lower())


# -- a finding ----------------------------------------------------------------------------------------------------


def _finding(cause: Cause, anchors: _Anchors, commands: _Commands, *, led: bool) -> FindingView:
    """led: what happened stands at the head of the function already."""
    member, evidence = cause.group, cause.evidence
    first = member.first
    uses = member.other_uses
    basis = {ExitBasis.TRACE: "by the spiller's trace", ExitBasis.SHAPE: "by the shape of the code", None: ""}
    whole = tuple(_path(first, first.path))
    folded = tuple(_folded(whole, first.path))
    kinds = _panes(evidence)
    return FindingView(
        anchor=anchors.new(f"finding-{first.id}"),
        ids=tuple(f.id for f in member.findings),
        title=telling.title(member),
        variants=tuple(v.value for v in cause.variants),
        basis=basis[first.exit_by],
        loop_carried=any(f.loop_carried for f in member.findings),
        exit_text="" if led else _exit_text(first),
        happened=() if led else telling.happened(member),
        decision=first.decision,
        legend=tuple(LegendView(name, at % _HUES) for at, name in enumerate(evidence.lanes)) if evidence else (),
        steps=tuple(_step(at, s, evidence, kinds) for at, s in enumerate(evidence.steps, 1)) if evidence else (),
        columns=len(kinds),
        missing=_missing(evidence),
        path=folded,
        whole_path=whole if folded != whole else (),
        loop=tuple(words.block(b) for b in first.loop),
        graph=Markup(drawing(evidence.slice, _spoken(member, evidence))) if evidence and evidence.slice else Markup(""),
        graph_lane=evidence.lanes[0] if evidence and evidence.lanes else "",
        left=evidence.left if evidence else 0,
        decisions=tuple(map(_decision, telling.decisions(evidence.decisions))) if evidence else (),
        slot=first.slot,
        uses=tuple(
            (words.block(p.block), source_chain(p.debug[:1]), words.instruction(p.text)) for p in uses[:_MOST_USES]
        ),
        more_uses=max(0, len(uses) - _MOST_USES),
        commands=commands(member, evidence),
    )


def _exit_text(finding: Finding) -> str:
    if finding.kind is not FindingKind.VALUE:
        return telling.KIND_TEXT[finding.kind]
    return telling.EXIT_TEXT[finding.exit] if finding.exit is not None else telling.KIND_TEXT[finding.kind]


def _spoken(member: Group, evidence: Evidence) -> str:
    """The drawing for somebody who does not see it."""
    count = words.count(len(evidence.slice), "definition")
    return f"How {needed_lanes(member)} flows from where it is made to where it is read: {count}"


def _missing(evidence: Evidence | None) -> tuple[str, ...]:
    """What the page cannot show, and why."""
    if evidence is None:
        return ("The code is shown for the first causes of a function only, and where all of its registers are known.",)
    panes = {e.pane for step in evidence.steps for e in step.excerpts}
    located = [d for step in evidence.steps for d in step.debug]
    found: list[str] = []
    if Pane.SOURCE not in panes and located:
        files = ", ".join(dict.fromkeys(PurePath(d.file).name for d in located))
        found.append(f"The source ({files}) was not found; --source DIR says where it is.")
    elif Pane.SOURCE not in panes:
        found.append("The kernel has no debug locations at these instructions, so there is no source to show.")
    if Pane.ASM not in panes:
        found.append("There is no assembly to show.")
    return tuple(found)


def _panes(evidence: Evidence | None) -> list[Pane]:
    """The forms of code that some step has, in the order of columns."""
    there = {e.pane for step in evidence.steps for e in step.excerpts} if evidence is not None else set[Pane]()
    return [pane for pane in Pane if pane in there]


def _step(number: int, step: Step, evidence: Evidence, kinds: Sequence[Pane]) -> StepView:
    panes = tuple(
        _pane(e, step, evidence, kinds.index(e.pane) + 1)
        for e in sorted(step.excerpts, key=lambda e: kinds.index(e.pane))
    )
    bad = step.kind in _STORES
    text = _STEP_TEXT[step.kind]
    return StepView(
        number, text, words.block(step.block), step.over_back_edge, bad, source_chain(step.debug), panes
    )  # fmt: skip


def _pane(excerpt: Excerpt, step: Step, evidence: Evidence, column: int) -> PaneView:
    wrong = step.wrong and excerpt.pane in (Pane.AFTER, Pane.ASM)
    name = PurePath(excerpt.file).name
    where = name if excerpt.pane is Pane.SOURCE else f"{words.block(excerpt.block)}, {name}"
    lines = tuple(_line(excerpt.pane, line, evidence) for line in excerpt.lines)
    return PaneView(column, excerpt.pane.value, PANE_TEXT[excerpt.pane], where, lines, wrong)


def _line(pane: Pane, line: Line, evidence: Evidence) -> LineView:
    marks = [
        MarkView(p.text, tuple(lane % _HUES for lane in p.lanes), _tag([evidence.lanes[lane] for lane in p.lanes]))
        for p in pieces(pane, line)
    ]
    return LineView(line.kind.value, str(line.number) if line.number else "", tuple(marks))


def _tag(lanes: Sequence[str]) -> str:
    """The lanes in little room: `sub5`, `sub0..sub3`."""
    return words.lanes(lane.partition(".")[2] or lane for lane in lanes)


def _path(finding: Finding, steps: Sequence[PathStep]) -> Iterator[PathView]:
    loop = set(finding.loop)
    for step in steps:
        bad = "overwritten" in step.note or "without it" in step.note
        yield PathView(words.block(step.block), step.back_edge, step.note, step.block in loop, bad)


def _folded(views: Sequence[PathView], path: Sequence[PathStep]) -> Iterator[PathView]:
    for skipped, at in told_steps(path):
        if skipped:
            yield PathView("", back_edge=False, note="", in_loop=False, bad=False, skipped=skipped)
        yield views[at]


def _decision(told: telling.Decided) -> DecisionView:
    decision = told.decision
    call = f"spill {decision.call}" if decision.call >= 0 else "clean-up"
    location = source_chain((decision.location,)) if decision.location is not None else ""
    return DecisionView(call, decision.kind.value, told.said, location, decision.guilty)
