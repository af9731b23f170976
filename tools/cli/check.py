"""`regtriage check`: MIR of anybody's compiler, before and after register allocation."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from regtriage.tools.report import json, text
from regtriage.tools.report.look import Look, render
from regtriage.tools.results import FunctionReport
from regtriage.tools.sources import SourceFiles
from regtriage.tools.triage import check_files

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .reports import Reports, report_options
from .verdicts import settle

_EXAMPLES = """
llc -O3 -stop-before=greedy,0 kernel.ll -o pre.mir
llc -O3 -stop-after=virtregrewriter,0 kernel.ll -o post.mir
regtriage check pre.mir post.mir
regtriage check pre.mir post.mir --html report.html
"""


@command("check", _EXAMPLES)
@click.argument("pre", type=click.Path(readable=False, path_type=Path))
@click.argument("post", type=click.Path(readable=False, path_type=Path))
@click.option("--function", metavar="NAME", help="Compare this function only.  [default: those in both]")
@click.option(
    "--live-lanes",
    type=click.Path(readable=False, path_type=Path),
    metavar="FILE",
    help="The lanes that LLVM knows to be live at each block of PRE, as the built-in llc writes them.",
)
@report_options
@json_option
def check(
    session: Session,
    pre: Path,
    post: Path,
    function: str | None,
    live_lanes: Path | None,
    reports: Reports,
    json_file: JsonFile | None,
) -> ExitCode:
    """Compare the MIR of PRE and POST, before and after register allocation.

    Any two stages will do, of any compiler, as long as PRE is the earlier one. Exits with 1 if a function is
    BUG; with 3 if none is but one is UNPROVEN.
    """
    reports.refuse_two_on_stdout(json_file)
    sources = SourceFiles(reports.source) if reports.shows_code else None
    functions = check_files(pre, post, function, live_lanes, sources)
    if not reports.takes_stdout and (json_file is None or not json_file.is_stdout):
        look = Look(output.width(), verbose=session.verbose, mir_names={str(pre): "pre", str(post): "post"})
        output.write(render(text.check_lines(str(pre), str(post), functions, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(json.check_object(str(pre), str(post), functions, program_version())))
    _write(reports, str(pre), str(post), functions, _again(pre, post, function, live_lanes))
    return settle((str(post), f) for f in functions)


def _again(pre: Path, post: Path, function: str | None, live_lanes: Path | None) -> str:
    """The command line that does the same."""
    words = ["regtriage", "check", str(pre), str(post)]
    words += ["--function", function] if function is not None else []
    words += ["--live-lanes", str(live_lanes)] if live_lanes is not None else []
    return shlex.join(words)


def _write(reports: Reports, pre: str, post: str, functions: Sequence[FunctionReport], again: str) -> None:
    """Write the reports that are wanted; what makes them is imported for it."""
    version = program_version()

    def page() -> str:
        from regtriage.tools.report.html import check_page

        return check_page(pre, post, functions, again, version)

    def markdown() -> str:
        from regtriage.tools.report.markdown import check_markdown

        return check_markdown(pre, post, functions, again, version)

    def log() -> json.Object:
        from regtriage.tools.report.sarif import check_sarif

        return check_sarif(functions, version)

    reports.write(page, log, markdown)
