"""`regtriage matrix`: one kernel under every combination of some settings."""

from __future__ import annotations

import os
from pathlib import Path

import click
from regtriage.dataflow.findings import Verdict
from regtriage.tools.files import replace
from regtriage.tools.llc.run import Variant, resolve_llc
from regtriage.tools.matrix import MatrixRequest, parse_axis, sweep
from regtriage.tools.matrix.json import matrix_object
from regtriage.tools.matrix.svg import matrix_svg
from regtriage.tools.matrix.text import matrix_lines
from regtriage.tools.report import json
from regtriage.tools.report.look import Look, render

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .targets import OutputFile

_EXAMPLES = """
regtriage matrix kernel.llir --vary waves-per-eu=1,2,3,4 --vary variant=off,guard,private
regtriage matrix kernel.llir --vary waves-per-eu=1:8 --vary num-sgpr=48,64,80,102 --svg heat.svg
regtriage matrix kernel.ll --vary llc-arg=,-no-post-optimization --vary attr:amdgpu-agpr-alloc=0,64
"""


@command("matrix", _EXAMPLES)
@click.argument("kernel", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--vary",
    "axes",
    multiple=True,
    required=True,
    metavar="NAME=V,V…",
    help="An axis: waves-per-eu, num-sgpr, num-vgpr, work-group-size, attr:NAME for another attribute of functions, "
    "llc-arg, mcpu, O, variant. Two numbers are 1:4; an empty value leaves the kernel as it is.",
)
@click.option(
    "--variant",
    type=click.Choice([v.value for v in Variant]),
    default=Variant.OFF.value,
    help="How to compile, where that is not varied.  [default: off]",
)
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Look at this function only.")
@click.option("--llc", "compiler", default="builtin", metavar="builtin|triton|PATH", help="[default: builtin]")
@click.option("--mcpu", metavar="CPU", help="The processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="The target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="From 0 to 3.  [default: 3]")
@click.option("--llc-arg", "llc_args", multiple=True, metavar="ARG", help="Hand this to the compiler in every cell.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Cells at a time.  [default: one a core]")
@click.option("--svg", type=OutputFile(), metavar="FILE", help="Write a heat map.")
@json_option
def matrix(
    session: Session,
    kernel: Path,
    axes: tuple[str, ...],
    variant: str,
    functions: tuple[str, ...],
    compiler: str,
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    llc_args: tuple[str, ...],
    jobs: int | None,
    svg: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Compile and check KERNEL under every combination of the values on each axis.

    Exits with 1 if any cell is BUG; with 3 if none is but one is UNPROVEN or its compiler failed.
    """
    request = MatrixRequest(
        input=kernel,
        axes=tuple(map(parse_axis, axes)),
        variant=Variant(variant),
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
        llc_args=llc_args,
        functions=functions,
        jobs=jobs or len(os.sched_getaffinity(0)),
    )
    with output.progress(session.verbose) as progress:
        report = sweep(request, resolve_llc(compiler), progress)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(matrix_lines(report, look), colored=session.colored))
    if svg is not None:
        replace(svg, matrix_svg(report).encode("utf-8", "backslashreplace").decode())
    if json_file is not None:
        json_file.write(json.dump(matrix_object(report, program_version())))
    verdicts = {cell.verdict for cell in report.cells}
    if Verdict.BUG in verdicts:
        return ExitCode.BUG
    unproved = sum(cell.verdict in (None, Verdict.UNPROVEN) for cell in report.cells)
    if unproved:
        output.complain(f"{report.input}: error: {unproved} of {len(report.cells)} cells are not proved")
    return ExitCode.FAILURE if unproved else ExitCode.CLEAN
