"""`regtriage fuzz`: random programs for the allocator, each compiled, checked and, where it is wrong, executed."""

from __future__ import annotations

import os
from pathlib import Path

import click
from regtriage.tools.fuzz.campaign import Campaign, run_campaign
from regtriage.tools.fuzz.examine import Ending, Examiner, Record
from regtriage.tools.fuzz.shapes import CPUS, Shape
from regtriage.tools.fuzz.summary import summary_lines, summary_object
from regtriage.tools.llc.cpus import AMDGPU, require_cpu
from regtriage.tools.llc.run import resolve_llc
from regtriage.tools.report import json
from regtriage.tools.report.look import render

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .targets import OutputFolder

_EXAMPLES = """
regtriage fuzz --count 100
regtriage fuzz --count 10000 --seed 1 --jobs 8 --keep campaign
regtriage fuzz --count 500 --shape vgpr --mcpu gfx1100
regtriage fuzz --count 1 --seed 100001 --keep one; regtriage run one/100001.ll
"""

_UNKNOWN = {Ending.UNPROVEN: "not proved", Ending.FAILED: "internal error"}


@command("fuzz", _EXAMPLES)
@click.option("--count", type=click.IntRange(1), default=100, metavar="N", help="Programs.  [default: 100]")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="S", help="The first program's.  [default: 0]")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="J", help="Programs at a time.  [default: one a core]")
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    type=click.Choice([s.value for s in Shape]),
    help="Programs of this shape only.  [default: all]",
)
@click.option(
    "--mcpu",
    "cpus",
    multiple=True,
    metavar="CPU",
    help=f"Programs for this processor only.  [default: {', '.join(CPUS)}]",
)
@click.option("--llc", "compiler", default="builtin", metavar="builtin|PATH", help="The compiler.  [default: builtin]")
@click.option(
    "--keep",
    type=OutputFolder(),
    metavar="DIR",
    help="Keep the programs that are wrong, and a log from which to go on after a stop.",
)
@json_option
def fuzz(
    session: Session,
    count: int,
    seed: int,
    jobs: int | None,
    shapes: tuple[str, ...],
    cpus: tuple[str, ...],
    compiler: str,
    keep: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Look for miscompiles with random programs.

    The program with seed S is always the same for the same shapes and processors. Each that is wrong is
    executed before and after allocation, compiled with each cure, and named with the exit of its
    findings. Exits with 1 if a program is BUG; with 3 if none is but one is UNPROVEN, crashes the compiler, or
    could not be examined for a fault of this program, or if none could be compiled.
    The first line of a program that --keep keeps is the command that shows what is wrong with it.
    """
    llc = resolve_llc(compiler)
    _ = llc.identity  # what is no compiler would only seem to refuse every program
    for cpu in cpus:
        require_cpu(llc, cpu, AMDGPU)
    examiner = Examiner(
        llc,
        tuple(Shape(s) for s in dict.fromkeys(shapes)) or tuple(Shape),
        tuple(dict.fromkeys(cpus)) or CPUS,
    )
    campaign = Campaign(examiner, count, seed, jobs or len(os.sched_getaffinity(0)), keep)
    with output.progress(session.verbose) as progress:
        records = run_campaign(campaign, lambda record: progress(_step(record)))
    if json_file is None or not json_file.is_stdout:
        output.write(render(summary_lines(records), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(summary_object(records, program_version())))
    return _exit_code(records)


def _step(record: Record) -> str:
    return f"{record.seed}: {record.shape} for {record.cpu}: {record.ending}"


def _exit_code(records: list[Record]) -> ExitCode:
    """BUG wins: it is proved, whatever else failed. Where nothing could be checked, nothing is known."""
    if any(record.ending is Ending.BUG for record in records):
        return ExitCode.BUG
    why = _why_unknown(records)
    if why is None:
        return ExitCode.CLEAN
    output.complain(why)
    return ExitCode.FAILURE


def _why_unknown(records: list[Record]) -> str | None:
    for record in records:
        if record.ending in _UNKNOWN:
            return f"program {record.seed}: error: {_UNKNOWN[record.ending]}: {record.note}"
    for record in records:
        if record.is_crash:
            return f"program {record.seed}: {record.note}"
    if all(record.ending is Ending.NOT_COMPILED for record in records):
        others = "; nor could another be compiled" if len(records) > 1 else ""
        return f"program {records[0].seed}: {records[0].note}{others}"
    return None
