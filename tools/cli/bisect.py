"""`regtriage bisect`: which decision of the spiller makes a miscompile."""

from __future__ import annotations

import os
from pathlib import Path

import click
from regtriage.dataflow.findings import Verdict
from regtriage.tools.bisect import BisectRequest, bisect
from regtriage.tools.bisect.json import bisect_object
from regtriage.tools.bisect.search import SCAN_AT_MOST
from regtriage.tools.bisect.text import bisect_lines
from regtriage.tools.llc.run import Variant, resolve_llc
from regtriage.tools.report import json
from regtriage.tools.report.look import Look, render

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version

_VARIANTS = (Variant.GUARD, Variant.GUARD_LANES, Variant.PRIVATE)

_EXAMPLES = """
regtriage bisect kernel.llir
regtriage bisect kernel.ll --variant private --every-prefix --json
"""


@command("bisect", _EXAMPLES)
@click.argument("kernel", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice([v.value for v in _VARIANTS]),
    help="Try prefixes of this variant's decisions only.  [default: all three]",
)
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Look at this function only.")
@click.option(
    "--allocation",
    type=click.IntRange(0),
    metavar="N",
    help="Look at this run of the register allocator.  [default: the first that is wrong]",
)
@click.option(
    "--every-prefix",
    is_flag=True,
    help=f"Try every prefix up to the one that turns the verdict.  [default: if there are at most {SCAN_AT_MOST}]",
)
@click.option("--mcpu", metavar="CPU", help="The processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="The target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="From 0 to 3.  [default: 3]")
@click.option("--llc-arg", "llc_args", multiple=True, metavar="ARG", help="Hand this to the compiler.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Compiles at a time.  [default: one a core]")
@json_option
def bisect_command(
    session: Session,
    kernel: Path,
    variants: tuple[str, ...],
    functions: tuple[str, ...],
    allocation: int | None,
    every_prefix: bool,  # noqa: FBT001
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    llc_args: tuple[str, ...],
    jobs: int | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Find the decision of the spiller that makes KERNEL wrong, with the built-in compiler.

    KERNEL is compiled again and again with some of the spiller's decisions changed: hoists within a block that are
    refused, private stack slots for partly defined registers. Exits with 1 if a function is wrong, with 0 if none
    is, whatever is changed.
    """
    request = BisectRequest(
        input=kernel,
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
        llc_args=llc_args,
        functions=functions,
        allocation=allocation,
        variants=tuple(Variant(v) for v in dict.fromkeys(variants)) or _VARIANTS,
        scan_at_most=10**9 if every_prefix else SCAN_AT_MOST,
        jobs=jobs or len(os.sched_getaffinity(0)),
    )
    with output.progress(session.verbose) as progress:
        report = bisect(request, resolve_llc(), progress)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(bisect_lines(report, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(bisect_object(report, program_version())))
    if any(f.allocation is not None for f in report.functions):
        return ExitCode.BUG
    unproven = [f.name for f in report.functions if f.verdict is Verdict.UNPROVEN]
    for name in unproven:
        output.complain(f"{report.input}: error: {name}: not proved; 'regtriage run' says why")
    return ExitCode.FAILURE if unproven else ExitCode.CLEAN
