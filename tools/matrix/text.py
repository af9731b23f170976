"""A matrix as people read it: rows for all axes but the last, whose values are the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from regtriage.dataflow.findings import Verdict
from regtriage.tools.report import words
from regtriage.tools.report.look import LABEL, NAME, VERDICT_STYLE, Look, columns, paragraph
from rich.text import Text

from .model import Cell, MatrixReport, Use

FAILED = "failed"
_MOST_USES = 12


def matrix_lines(report: MatrixReport, look: Look) -> Iterator[Text]:
    """One kernel."""
    axes = " x ".join(axis.name for axis in report.axes)
    yield Text.assemble(
        (f"{report.input}: ", NAME),
        f"{words.count(len(report.cells), 'cell')}, {axes}, {report.llc.kind} llc, LLVM {report.llc.version}",
    )
    yield Text()
    yield from _grid(report)
    yield Text()
    yield from _summary(report)
    yield from _uses(report, look)
    yield from _remarks(report, look)


def grid(report: MatrixReport) -> list[tuple[tuple[str, ...], Sequence[Cell]]]:
    """The rows: the values on all axes but the last, and the cells along that one."""
    width = len(report.axes[-1].values)
    rows = [report.cells[at : at + width] for at in range(0, len(report.cells), width)]
    return [(row[0].values[:-1], row) for row in rows]


def label(cell: Cell) -> str:
    """A cell in short: its verdict and how many uses are wrong."""
    if cell.verdict is None:
        return FAILED
    return f"{cell.verdict}{f' {len(cell.uses)}' if cell.uses else ''}"


def _grid(report: MatrixReport) -> list[Text]:
    across = report.axes[-1]
    names = [Text(f"  {axis.name}" if not at else axis.name, LABEL) for at, axis in enumerate(report.axes[:-1])]
    titles = [Text(value if at else f"{across.name} = {value}", LABEL) for at, value in enumerate(across.values)]
    if not names:
        names = [Text(" ")]
    lines = [[*names, *titles]]
    last: tuple[str, ...] = ()
    for values, row in grid(report):
        # A value that is that of the row above is not said again.
        start = next((at for at, (a, b) in enumerate(zip(values, last, strict=False)) if a != b), 0)
        shown = [Text(value if at >= start or not last else "") for at, value in enumerate(values)] or [Text("")]
        shown[0] = Text.assemble("  ", shown[0])
        lines.append([*shown, *(_cell(cell) for cell in row)])
        last = values
    return columns(lines)


def _cell(cell: Cell) -> Text:
    if cell.verdict is None:
        return Text(FAILED, "magenta")
    count = f" {len(cell.uses)}" if cell.uses else ""
    return Text.assemble((cell.verdict.value, VERDICT_STYLE[cell.verdict]), count)


def _summary(report: MatrixReport) -> Iterator[Text]:
    line = Text("  ")
    for verdict in (*Verdict, None):
        count = sum(cell.verdict is verdict for cell in report.cells)
        if count:
            name, style = (verdict.value, VERDICT_STYLE[verdict]) if verdict is not None else (FAILED, "magenta")
            line = Text.assemble(line, ", " if line.cell_len > 2 else "", (name, style), f" {count}")
    codes = len({cell.code for cell in report.cells if cell.code})
    yield Text.assemble(line, f" of {len(report.cells)}; {words.count(codes, 'different code')}")


def _uses(report: MatrixReport, look: Look) -> Iterator[Text]:
    if not report.uses:
        return
    yield Text(f"  wrong uses: {len(report.uses)} in any cell, {len(report.everywhere)} in every cell", LABEL)
    shown = report.uses if look.verbose else report.uses[:_MOST_USES]
    several = len({use.function for use, _ in report.uses}) > 1
    yield from columns([[Text("   "), *_use(use, several=several), Text(f"in {n}", LABEL)] for use, n in shown])
    if len(report.uses) > len(shown):
        yield Text(f"    and {len(report.uses) - len(shown)} more; -v shows them", LABEL)


def _use(use: Use, *, several: bool) -> list[Text]:
    file, _, place = use.source.partition(":")
    source = f"{PurePath(file).name}:{place}" if use.source else ""
    cells = [use.needed, words.block(use.block), use.opcode, source]
    return [Text(cell) for cell in ([use.function] if several else []) + cells]


def _remarks(report: MatrixReport, look: Look) -> Iterator[Text]:
    for name in report.idle:
        text = f"{name} changes nothing: the code is the same"
        if name == "num-sgpr":
            text += " (LLVM ignores a number that does not go with the attribute amdgpu-waves-per-eu)"
        yield from paragraph(Text("  note: ", LABEL), text, look.width)
    failures: dict[str, int] = {}
    for cell in report.cells:
        if cell.failure:
            failures[cell.failure] = failures.get(cell.failure, 0) + 1
    for failure, count in failures.items():
        yield from paragraph(Text(f"  failed in {count}: ", LABEL), failure, look.width)
