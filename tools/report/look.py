"""How a report looks: width, detail and colours, and how styled lines become text."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regtriage.dataflow.findings import Verdict
from rich.console import Console
from rich.text import Text

LABEL = "dim"
NAME = "bold"
REGISTER = "cyan"
WRONG = "bold red"

VERDICT_STYLE = {
    Verdict.BUG: "bold red",
    Verdict.HAZARD: "yellow",
    Verdict.CLEAN: "green",
    Verdict.UNPROVEN: "magenta",
}


@dataclass(frozen=True, slots=True)
class Look:
    """width: columns. verbose: every finding, and times.

    mir_names: MIR files outlive the report, so lines of theirs are worth naming; what is short for some.
    """

    width: int = 100
    verbose: bool = False
    mir_names: Mapping[str, str] | None = None


def render(lines: Iterable[Text], *, colored: bool) -> str:
    """The lines as text, with ANSI codes if colored. No line is wrapped, and none ends in blanks."""
    sink = io.StringIO()
    console = Console(
        file=sink, force_terminal=colored, color_system="standard" if colored else None, width=10_000,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    for line in lines:
        line.rstrip()
        console.print(line, soft_wrap=True)
    return sink.getvalue()


def columns(rows: Sequence[Sequence[Text]], *, right: frozenset[int] = frozenset(), gap: int = 2) -> list[Text]:
    """Cells set in columns, those of `right` flush right."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    lines: list[Text] = []
    for row in rows:
        line = Text()
        for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (width - cell.cell_len)
            line.append(" " * gap if at else "")
            line = Text.assemble(line, blank, cell) if at in right else Text.assemble(line, cell, blank)
        lines.append(line)
    return lines


def paragraph(label: Text, text: str, width: int, style: str = "", hanging: int | None = None) -> list[Text]:
    """A label, then text wrapped into the columns right of it; from line two on right of column `hanging`."""
    blank = " " * (label.cell_len if hanging is None else hanging)
    # The wrapper sees the label as a run of one character, for which only the width counts.
    wrapped = textwrap.wrap(
        text, max(width, len(blank) + 20), initial_indent="\0" * label.cell_len, subsequent_indent=blank,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    if not wrapped:
        return [label]
    return [
        Text.assemble(label, (wrapped[0].lstrip("\0"), style)),
        *(Text(more, style) for more in wrapped[1:]),
    ]
