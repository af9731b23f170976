"""Reports beside the one on the terminal: `--html`, `--sarif`, `--markdown`, and `--source` for what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from regtriage.tools.files import replace

from . import output
from .options import AloneOption, JsonFile, json_file
from .targets import OutputFile

if TYPE_CHECKING:
    from regtriage.tools.report.json import Object

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Reports:
    """Where reports go. source: a folder with source files to show."""

    html: Path | None
    sarif: Path | None
    markdown: JsonFile | None
    source: Path | None

    @property
    def shows_code(self) -> bool:
        """Some of them shows the evidence, which has to be gathered for it."""
        return self.html is not None or self.markdown is not None

    @property
    def wanted(self) -> bool:
        """Some report is wanted."""
        return self.shows_code or self.sarif is not None

    @property
    def takes_stdout(self) -> bool:
        """One of them goes to stdout in place of the report for a terminal."""
        return self.markdown is not None and self.markdown.is_stdout

    def refuse_two_on_stdout(self, json: JsonFile | None) -> None:
        """Raises click.UsageError."""
        if self.takes_stdout and json is not None and json.is_stdout:
            raise click.UsageError("--json and --markdown cannot both go to stdout: name a file, --json=FILE")

    def write(self, page: Callable[[], str], log: Callable[[], Object], markdown: Callable[[], str]) -> None:
        """Make and write those that are wanted. Raises OSError; files that were there are then as they were."""
        if self.html is not None:
            replace(self.html, page())
        if self.sarif is not None:
            from regtriage.tools.report.json import dump

            replace(self.sarif, dump(log()))
        if self.markdown is not None:
            text = markdown()
            if self.markdown.path is None:
                output.write(text)
            else:
                replace(self.markdown.path, text)


def _file(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if str(value) == "-":
        raise click.BadParameter("needs a file, not '-'", context, parameter)
    return value


def report_options(function: _F) -> _F:
    """The options, as the argument `reports`."""
    options = [
        click.option(
            "--html",
            type=OutputFile(),
            metavar="FILE",
            callback=_file,
            help="Write the report as a page, with all evidence.",
        ),
        click.option(
            "--sarif", type=OutputFile(), metavar="FILE", callback=_file, help="Write the findings as SARIF 2.1.0."
        ),
        click.option(
            "--markdown",
            cls=AloneOption,
            type=OutputFile(),
            metavar="[=FILE]",
            callback=json_file,
            help="Write a report to paste into an issue, to FILE or, in place of the report, to stdout.",
        ),
        click.option(
            "--source",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            metavar="DIR",
            help="Look there for source files to show.  [default: where the kernel says]",
        ),
    ]

    def gathered(*args: Any, **parameters: Any) -> Any:
        names = ("html", "sarif", "markdown", "source")
        reports = Reports(**{name: parameters.pop(name) for name in names})
        return function(*args, reports=reports, **parameters)

    gathered.__doc__ = function.__doc__
    gathered.__dict__ |= function.__dict__
    made: Any = gathered
    for option in reversed(options):
        made = option(made)
    return made
