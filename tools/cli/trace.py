"""`regtriage trace`: from a use back to where its value was made, or forward, over spills, copies and loops."""

from __future__ import annotations

from pathlib import Path

import click
from regtriage.dataflow.chains import Direction
from regtriage.tools.llc.run import Variant, resolve_llc
from regtriage.tools.report import json
from regtriage.tools.report.look import Look, render
from regtriage.tools.report.trace import trace_lines, trace_object
from regtriage.tools.trace import TraceRequest, trace
from regtriage.tools.trace_export import check_graph_name, write_graph

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .targets import OutputFile

_EXAMPLES = """
regtriage trace kernel.s --at "s[0:3]@.LBB0_12"
regtriage trace kernel.llir --at attn.py:138 --variant private
regtriage trace kernel.llir --at "%stack.53:0" --stage after-virtregrewriter-0
regtriage trace kernel.s --at v254[8] --forward --graph slice.svg
"""


@command("trace", _EXAMPLES)
@click.argument("kernel", type=click.Path(path_type=Path))
@click.option("--at", "at", required=True, metavar="PLACE", help="Where to start: LOCATION[@BLOCK|@LINE] or FILE:LINE.")
@click.option("--forward", is_flag=True, help="Walk to what becomes of a definition.  [default: back from a use]")
@click.option("--stage", metavar="NAME", help="Of IR: `asm`, or MIR such as `after-greedy-0`.  [default: by PLACE]")
@click.option("--function", metavar="NAME", help="Look into this function.  [default: the first with PLACE]")
@click.option(
    "--computes", type=click.IntRange(0), default=2, metavar="N", help="Computations to go through.  [default: 2]"
)
@click.option("--most", type=click.IntRange(1), default=200, metavar="N", help="Steps a chain.  [default: 200]")
@click.option(
    "--variant",
    type=click.Choice([v.value for v in Variant]),
    default=Variant.OFF.value,
    help="Of IR: compile this way.  [default: off]",
)
@click.option("--mcpu", metavar="CPU", help="Of IR: the processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="Of IR: the target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="Of IR: 0 to 3.  [default: 3]")
@click.option("--llc", "compiler", default="builtin", metavar="builtin|triton|PATH", help="Of IR: the compiler.")
@click.option(
    "--graph",
    "graphs",
    multiple=True,
    type=OutputFile(),
    metavar="FILE",
    help="Write the lane graph of what was walked: .graphml, .dot or .svg.",
)
@json_option
def trace_command(
    session: Session,
    kernel: Path,
    at: str,
    forward: bool,  # noqa: FBT001
    stage: str | None,
    function: str | None,
    computes: int,
    most: int,
    variant: str,
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    compiler: str,
    graphs: tuple[Path, ...],
    json_file: JsonFile | None,
) -> ExitCode:
    """Walk from a use in KERNEL back to the definitions of what it reads, step by step.

    KERNEL is AMDGPU assembly, a code object (.hsaco, .co), MIR (.mir), or LLVM IR (.ll, .llir, .bc), which is
    compiled first. A step is one line: a copy, a spill, a reload, a merge of paths, a computation, with its line in
    the text and in the source. PLACE is a register (s[0:3], v12, $sgpr4, %12.sub1), a spill lane (v254[8]), a dword
    of scratch (scratch+424) or a word of a slot (%stack.53:0), in a block or at a line (@.LBB0_12, @bb.7, @8778); or a
    line of the source (attn.py:138).
    """
    for path in graphs:
        check_graph_name(path)
    request = TraceRequest(
        input=kernel,
        at=at,
        direction=Direction.FORWARD if forward else Direction.BACKWARD,
        stage=stage,
        function=function,
        computes=computes,
        most=most,
        variant=Variant(variant),
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
    )
    with output.progress(session.verbose) as progress:
        progress(f"tracing {at}")
        result = trace(request, lambda: resolve_llc(compiler))
    for path in graphs:
        write_graph(result.graph, path)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(trace_lines(result, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(trace_object(result, program_version())))
    return ExitCode.CLEAN
