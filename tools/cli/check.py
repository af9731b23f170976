"""`regtriage check`: MIR of anybody's compiler, before and after register allocation."""

from __future__ import annotations

from pathlib import Path

import click
from regtriage.tools.report import json, text
from regtriage.tools.report.look import Look, render
from regtriage.tools.triage import check_files

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .verdicts import settle

_EXAMPLES = """
llc -O3 -stop-before=greedy,0 kernel.ll -o pre.mir
llc -O3 -stop-after=virtregrewriter,0 kernel.ll -o post.mir
regtriage check pre.mir post.mir
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
@json_option
def check(
    session: Session,
    pre: Path,
    post: Path,
    function: str | None,
    live_lanes: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Compare the MIR of PRE and POST, before and after register allocation.

    Any two stages will do, of any compiler, as long as PRE is the earlier one. Exits with 1 if a function is
    BUG; with 3 if none is but one is UNPROVEN.
    """
    functions = check_files(pre, post, function, live_lanes)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose, mir_names={str(pre): "pre", str(post): "post"})
        output.write(render(text.check_lines(str(pre), str(post), functions, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(json.check_object(str(pre), str(post), functions, program_version())))
    return settle((str(post), f) for f in functions)
