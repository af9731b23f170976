"""The figures of a sweep as people read them on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from regtriage.dataflow.findings import Verdict
from regtriage.tools.report import words
from regtriage.tools.report.look import LABEL, NAME, VERDICT_STYLE, WRONG, Look, columns, paragraph
from rich.text import Text

from .figures import Figures, Reason, Row
from .model import Answer, Configuration, ErrorKind, Method

_MOST = 10
"""Rows of a list, unless all are asked for."""

_INDENT = "  "
_FAILED = "magenta"
_STYLE: Mapping[Answer, str] = {
    **{Answer(verdict.value): style for verdict, style in VERDICT_STYLE.items()},
    Answer.SUSPECT: WRONG,
    Answer.UNSUSPECTED: "green",
    Answer.OVER: WRONG,
    Answer.BORDERLINE: "yellow",
    Answer.FITS: "green",
}
_METHODS = {
    Method.PROOF: "IR, compiled and checked",
    Method.ASM: "assembly, judged alone",
    Method.PTSS: "TTGIR for Intel, estimated",
}

AS_IS = "-"
"""How it is shown that a kernel is left as it is."""


def figures_lines(figures: Figures, look: Look) -> Iterator[Text]:
    """The whole report."""
    yield from _head(figures)
    for part in (_rows, _new, _spreads, _hit, _exits, _spills, _others, _slowest, _unproven, _errors):
        lines = list(part(figures, look))
        if lines:
            yield Text()
            yield from lines


def percent(rate: float | None) -> str:
    """`3.1 %`; `-` where nothing is proved."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def compiler_names(rows: Sequence[Configuration]) -> dict[Configuration, str]:
    """Of each configuration its compiler, with as much as tells it from the others: build, version of this program."""
    several_builds = len({(c.compiler, c.version) for c in rows}) < len(
        {(c.compiler, c.version, c.build) for c in rows}
    )
    several_tools = len({c.tool for c in rows}) > 1
    return {
        c: " ".join(
            [c.compiler, c.version, *([c.build] if several_builds else []), *([f"({c.tool})"] if several_tools else [])]
        )
        for c in rows
    }


def full_names(figures: Figures) -> dict[Configuration, str]:
    """Of each configuration that is in a list its name, with the compiler where there are several."""
    rows = [row.configuration for row in figures.rows]
    compilers = compiler_names(rows)
    several = len(set(compilers.values())) > 1
    names = {c: f"{compilers[c]} {configuration_name(c)}" if several else configuration_name(c) for c in rows}
    return {**{slow.configuration: configuration_name(slow.configuration) for slow in figures.slowest}, **names}


def configuration_name(c: Configuration) -> str:
    """In short, without the compiler."""
    return " ".join(part for part in (c.variant, c.flags) if part) or AS_IS


def _head(figures: Figures) -> Iterator[Text]:
    head = f"{words.count(figures.kernels, 'kernel')}, {words.count(figures.units, 'unit')}: "
    yield Text.assemble((head, NAME), *_counts(figures.answers, sum(figures.errors_of_kind.values())))


def _counts(answers: Mapping[Answer, int], errors: int) -> list[Text]:
    parts = [Text.assemble((answer.value, _STYLE[answer]), f" {count}") for answer, count in answers.items()]
    if errors:
        parts.append(Text.assemble(("error", _FAILED), f" {errors}"))
    joined: list[Text] = []
    for part in parts:
        joined += [Text(", "), part] if joined else [part]
    return joined


def _titled(title: str, rows: list[list[Text]], right: frozenset[int] = frozenset()) -> Iterator[Text]:
    yield Text(title, NAME)
    for line in columns(rows, right=right):
        yield Text.assemble(_INDENT, line)


def _labels(*names: str) -> list[Text]:
    return [Text(name, LABEL) for name in names]


def _rows(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.rows:
        return
    names = compiler_names([row.configuration for row in figures.rows])
    table = [
        _labels(
            "compiler", "flags", "variant", "units", "BUG", "rate", "HAZARD", "CLEAN", "UNPROVEN", "error",
            "spills", "new", "gone",
        )
    ]  # fmt: skip
    table += [_row(row, names[row.configuration]) for row in figures.rows]
    yield from _titled("by compiler and flags", table, frozenset(range(3, 13)))


def _row(row: Row, compiler: str) -> list[Text]:
    def count(number: int, style: str) -> Text:
        return Text(str(number), style if number else LABEL)

    answers = row.answers
    compared = row.base is not None
    return [
        Text(compiler),
        Text(row.configuration.flags or AS_IS),
        Text(row.configuration.variant),
        Text(str(row.units)),
        count(row.hits, VERDICT_STYLE[Verdict.BUG]),
        Text(percent(row.rate)),
        *(count(answers.get(a, 0), _STYLE[a]) for a in (Answer.HAZARD, Answer.CLEAN, Answer.UNPROVEN)),
        count(row.errors, _FAILED),
        Text(str(row.spills)),
        count(len(row.new), WRONG) if compared else Text("", LABEL),
        count(len(row.gone), "green") if compared else Text("", LABEL),
    ]


def _new(figures: Figures, look: Look) -> Iterator[Text]:
    rows = [row for row in figures.rows if row.new]
    if not rows:
        return
    names = full_names(figures)
    yield Text("newly hit", NAME)
    for row in rows:
        assert row.base is not None
        base = names[figures.rows[row.base].configuration]
        head = f"{_INDENT}{names[row.configuration]}, right with {base}: "
        yield from paragraph(Text(head, LABEL), _some(row.new, look), look.width, hanging=4)


def _some(names: Sequence[str], look: Look) -> str:
    shown = names if look.verbose else names[:_MOST]
    left = len(names) - len(shown)
    return ", ".join(shown) + (f" and {left} more; -v shows them" if left else "")


def _spreads(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.spreads:
        return
    table = [_labels("variant", "compiler", "configurations", "hit in any", "hit in every")]
    for s in figures.spreads:
        compiler = f"{s.compiler} {s.version}" if s.variant else "all"
        numbers = [str(n) for n in (s.configurations, s.any, s.every)]
        table.append([Text(s.variant or "all"), Text(compiler), *map(Text, numbers)])
    yield from _titled("kernels hit in any and in every configuration", table, frozenset({2, 3, 4}))


def _hit(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.hit:
        return
    shown = figures.hit if look.verbose else figures.hit[:_MOST]
    table = [_labels("kernel", "hit in", "wrong lanes", "exits")]
    table += [
        [Text(h.name), Text(f"{h.hits} of {h.units}"), Text(str(h.wrong)), Text(", ".join(h.exits))] for h in shown
    ]
    yield from _titled("kernels hit", table, frozenset({2}))
    yield from _left(len(figures.hit) - len(shown))


def _left(count: int) -> Iterator[Text]:
    if count:
        yield Text(f"{_INDENT}and {count} more; -v shows them", LABEL)


def _exits(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.exits:
        return
    table = [_labels("exit", "findings", "by trace", "units", "kernels")]
    table += [
        [Text(e.exit), *(Text(str(n)) for n in (e.findings, e.by_trace, e.units, e.kernels))] for e in figures.exits
    ]
    yield from _titled("exits", table, frozenset({1, 2, 3, 4}))


def _spills(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.spills:
        return
    table = [_labels("spills", "units", "BUG", "rate")]
    for b in figures.spills:
        rate = b.hits / b.units if b.units else None
        between = str(b.least) if b.least == b.most else f"{b.least} to {b.most}"
        table.append([Text(between), Text(str(b.units)), Text(str(b.hits)), Text(percent(rate))])
    yield from _titled("spills against hits", table, frozenset({0, 1, 2, 3}))


def _others(figures: Figures, look: Look) -> Iterator[Text]:
    for other in figures.others:
        yield Text.assemble((f"{_METHODS[other.method]}: ", NAME), *_counts(other.answers, other.errors))
        if other.found:
            yield from paragraph(Text(_INDENT), _some(other.found, look), look.width)


def _slowest(figures: Figures, look: Look) -> Iterator[Text]:
    shown = figures.slowest if look.verbose else figures.slowest[:3]
    names = full_names(figures)
    table = [[Text(f"{s.seconds:.1f} s"), Text(s.kernel), Text(names[s.configuration], LABEL)] for s in shown]
    if table:
        yield from _titled("slowest", table, frozenset({0}))


def _unproven(figures: Figures, look: Look) -> Iterator[Text]:
    if figures.unproven:
        yield Text("not proved", NAME)
        yield from _reasons(figures.unproven, look, _INDENT)


def _errors(figures: Figures, look: Look) -> Iterator[Text]:
    if not figures.errors:
        return
    yield Text("without an answer", NAME)
    for kind in ErrorKind:
        rows = [row for row in figures.errors if row.kind is kind]
        if rows:
            yield Text.assemble(_INDENT, (kind.value, _FAILED), f" {sum(row.units for row in rows)}")
            yield from _reasons(rows, look, _INDENT * 2)


def _reasons(rows: Sequence[Reason], look: Look, indent: str) -> Iterator[Text]:
    shown = rows if look.verbose else rows[:_MOST]
    for row in shown:
        named = "KERNEL" in row.message
        text = row.message.replace("KERNEL", row.kernel)
        where = "" if named else f", as in {row.kernel}"
        more = f" ({words.count(row.units, 'unit')} of {words.count(row.kernels, 'kernel')}{where})"
        yield from paragraph(Text(indent), text + more, look.width, hanging=len(indent) + 2)
    yield from _left(len(rows) - len(shown))
