"""The report as Markdown, to be pasted into an issue: what happens, how to see it, the code, the path, the cure.

Short above, details folded. Written for GitHub: everything from the input stands in code spans and code blocks, whose
fences are longer than any in it, or has its special characters escaped, so that no name becomes markup or a mention.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence

from regtriage.dataflow.evidence import Evidence, Excerpt, LineKind, Pane, Step, StepKind
from regtriage.dataflow.findings import FindingKind, PathStep
from regtriage.dataflow.grouping import Group
from regtriage.tools.results import FunctionReport, RunReport

from . import telling, words
from .causes import Cause, causes
from .marking import pieces, plain
from .telling import Code, Command, Said
from .text import remarks, verdict_rows
from .witness import needed_lanes, told_steps

_MOST_FULL = 3
"""Causes told in full; the others get a line each."""
_MOST_LISTED = 20
_PANES = {Pane.SOURCE: "source", Pane.BEFORE: "before", Pane.AFTER: "after", Pane.ASM: "asm"}
_STEPS = {
    StepKind.DEFINED: "made",
    StepKind.SAVED: "saved",
    StepKind.OVERWRITTEN: "stored over",
    StepKind.INCOMPLETE: "stored without it",
    StepKind.MOVED: "moved",
    StepKind.RELOADED: "reloaded",
    StepKind.READ: "read",
}

_Commands = Callable[[Group, Evidence | None], Sequence[Command]]


def run_markdown(runs: Sequence[RunReport | tuple[str, str]], version: str) -> str:
    """The report of `regtriage run`: of each compiler, or (compiler, why it failed)."""
    parts: list[str] = []
    for run in runs:
        if isinstance(run, tuple):
            parts += [f"## {span(run[0])} failed", fence(run[1])]
            continue
        for function in run.functions:

            def commands(g: Group, e: Evidence | None, r: RunReport = run, f: str = function.name) -> list[Command]:
                return list(telling.commands(r, f, g, e))

            settings = (run.target.triple, run.target.cpu, f"-O{run.target.opt}")
            target = ", ".join(span(part) for part in settings if part)
            about = f"LLVM {text(run.llc.version)} ({run.llc.kind} llc), {target}, {span(run.input)}"
            parts += _function(function, about, commands)
    return _whole(parts, version)


def check_markdown(before: str, after: str, functions: Sequence[FunctionReport], command: str, version: str) -> str:
    """The report of `regtriage check`. command: the one that makes it."""
    shown = (Command("This report", (command,)),)
    parts: list[str] = []
    for function in functions:
        parts += _function(function, f"{span(before)} → {span(after)}", lambda _g, _e: shown)
    return _whole(parts, version)


def _whole(parts: Sequence[str], version: str) -> str:
    found = "\n\n".join([*parts, f"<sub>Made by regtriage {text(version)}.</sub>"]) + "\n"
    return found.encode("utf-8", "replace").decode()


def _function(function: FunctionReport, about: str, commands: _Commands) -> Iterator[str]:
    found = list(causes(function))
    what = f": {said(telling.title(found[0].group))}" if found else ""
    yield f"## {span(function.name)} {telling.CONCLUSION_TEXT[function.conclusion]}{what}"
    yield about
    for cause in found[:_MOST_FULL]:
        yield from _cause(cause, commands, alone=len(found) == 1)
    if len(found) > _MOST_FULL:
        rest = found[_MOST_FULL : _MOST_FULL + _MOST_LISTED]
        lines = [f"- {said(telling.title(c.group))}. {said(telling.happened(c.group))}" for c in rest]
        left = len(found) - _MOST_FULL - len(rest)
        lines += [f"- and {left} more"] if left else []
        yield _folded(words.count(len(found) - _MOST_FULL, "more cause"), "\n".join(lines))
    yield "### Verdicts and cures" if function.cures else "### Verdicts"
    yield _table(function)
    told = remarks(function.variants)
    if told:
        yield "\n".join(f"- {text(subject)}: {text(why)}" for subject, why in told)
    if function.cures:
        yield "\n".join(f"- {said(telling.cured(cure))}" for cure in function.cures)


def _table(function: FunctionReport) -> str:
    rows = [[text(cell) for cell in row] for row in verdict_rows(function.variants)]
    lines = [" | ".join(row) for row in rows]
    lines.insert(1, " | ".join("---" for _ in rows[0]))
    return "\n".join(f"| {line} |" for line in lines)


def _cause(cause: Cause, commands: _Commands, *, alone: bool) -> Iterator[str]:
    group, evidence = cause.group, cause.evidence
    first = group.first
    if not alone:
        yield f"### {said(telling.title(group))}"
    yield said(telling.happened(group))
    if first.exit is not None and first.kind is FindingKind.VALUE:
        here = f" Here: {text(first.decision)}." if first.decision else ""
        yield telling.EXIT_TEXT[first.exit] + here
    made = commands(group, evidence)
    yield "**To see it:**"
    yield fence("\n".join(f"# {c.shows}\n" + "\n".join(c.lines) for c in made), "sh")
    if evidence is not None and evidence.steps:
        yield f"**The code** ({span(needed_lanes(group))} at each step):" if evidence.lanes else "**The code:**"
        yield fence("\n".join(_short(evidence.steps)))
    if first.path:
        yield f"**The path:** {_path(first.path)}"
    if evidence is not None and evidence.decisions:
        lines = [
            f"1. {said(told.said)}{' ← **this is what does it**' if told.decision.guilty else ''}"
            for told in telling.decisions(evidence.decisions)
        ]
        yield _folded(f"What the spiller did about {first.slot or 'the slot'}", "\n".join(lines))
    if evidence is not None and evidence.steps:
        yield _folded("The code around each step", "\n\n".join(_full(evidence.steps)))
    ids = ", ".join(span(f.id) for f in group.findings[:_MOST_LISTED])
    yield f"<sub>Findings {ids}; variants {', '.join(v.value for v in cause.variants)}.</sub>"


def _short(steps: Sequence[Step]) -> Iterator[str]:
    """The lines that matter, a step after the other."""
    for step in steps:
        back = ", over the back edge" if step.over_back_edge else ""
        yield f"{_STEPS[step.kind]}, {words.block(step.block)}{back}"
        for excerpt in step.excerpts:
            for line in excerpt.lines:
                if line.kind is LineKind.KEY:
                    code = plain(pieces(excerpt.pane, line)).strip()
                    yield f"  {_PANES[excerpt.pane]:<7} {line.number:>6}  {code}"


def _full(steps: Sequence[Step]) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        yield f"{number}. {_STEPS[step.kind]}, {span(words.block(step.block))}"
        yield fence("\n".join(line for excerpt in step.excerpts for line in _lines(excerpt)))


def _lines(excerpt: Excerpt) -> Iterator[str]:
    yield f"{_PANES[excerpt.pane]}: {excerpt.file}" + (f", {excerpt.block}" if excerpt.block else "")
    for line in excerpt.lines:
        match line.kind:
            case LineKind.GAP:
                yield "         ..."
            case LineKind.MISSING:
                yield "         (spill code goes in here)"
            case _:
                mark = ">" if line.kind is LineKind.KEY else " "
                yield f"{mark} {line.number:>6}  {plain(pieces(excerpt.pane, line))}"


def _path(path: Sequence[PathStep]) -> str:
    parts: list[str] = []
    for skipped, at in told_steps(path):
        step = path[at]
        if skipped:
            parts.append(f"→ ({words.count(skipped, 'block')})")
        arrow = ("⟲ back edge →" if step.back_edge else "→") if parts else ""
        parts.append(f"{arrow} {span(words.block(step.block))}" + (f" ({step.note})" if step.note else ""))
    return " ".join(parts).strip()


# -- spelling -----------------------------------------------------------------------------------------------------

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+!|~&])")


def text(plain_text: str) -> str:
    """Text that stays what it is: no markup, no HTML, no mention, on one line."""
    return text_kept(plain_text).strip()


def span(code: str) -> str:
    """A code span, on one line."""
    code = " ".join(code.split())
    if not code:
        return ""
    ticks = "`" * (_longest(code) + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def fence(code: str, language: str = "") -> str:
    """A code block."""
    ticks = "`" * max(3, _longest(code) + 1)
    return f"{ticks}{language}\n{code}\n{ticks}"


def said(sentence: Said) -> str:
    """A sentence with its code in spans."""
    return "".join(span(part) if isinstance(part, Code) else text_kept(part) for part in sentence)


def text_kept(part: str) -> str:
    """As `text`, with blanks at the ends kept."""
    # a blank of no width keeps a name after it from being called
    return _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", part)).replace("@", "@\u200b")


def _longest(code: str) -> int:
    return max((len(run) for run in re.findall("`+", code)), default=0)


def _folded(summary: str, body: str) -> str:
    return f"<details><summary>{html.escape(summary)}</summary>\n\n{body}\n\n</details>"
