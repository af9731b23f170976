"""`regtriage reduce`: the smallest test that still has the same cause."""

from __future__ import annotations

import os
from pathlib import Path

import click
from regtriage.dataflow.findings import Exit
from regtriage.tools.llc.run import BuiltinLlc
from regtriage.tools.reduce import ReduceReport, ReduceRequest, reduce

from . import output
from .exits import ExitCode
from .options import Session, command
from .targets import OutputFile

_EXAMPLES = """
regtriage reduce kernel.llir -o test.ll
regtriage reduce test.ll -o test.mir
regtriage reduce kernel.ll -o test.ll --exit redundant-spill --resume
"""


@command("reduce", _EXAMPLES)
@click.argument("kernel", type=click.Path(readable=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    "test",
    metavar="TEST",
    type=OutputFile(),
    help="The test to write: IR if it ends in .ll, MIR before the allocation that is wrong if in .mir.  "
    "[default: KERNEL's name, with .reduced.ll or .reduced.mir]",
)
@click.option("--function", metavar="NAME", help="Reduce this function.  [default: the first that is wrong]")
@click.option(
    "--exit",
    "exit_",
    type=click.Choice([e.value for e in Exit]),
    help="Hold on to this cause.  [default: the first finding's]",
)
@click.option("--resume", is_flag=True, help="Go on where an interrupted reduction stopped.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Other orders of the passes.  [default: 0]"
)
@click.option(
    "--descents",
    type=click.IntRange(1),
    default=6,
    metavar="N",
    help="Do the last part so many times, each in another order; the smallest counts.  [default: 6]",
)
@click.option(
    "--confirm",
    type=click.IntRange(1),
    default=100,
    metavar="N",
    help="Executions that may be tried to confirm a candidate.  [default: 100]",
)
@click.option("--mcpu", metavar="CPU", help="The processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="The target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="From 0 to 3.  [default: 3]")
@click.option("--llc-arg", "llc_args", multiple=True, metavar="ARG", help="Hand this to the compiler.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Workers.  [default: one a core]")
def reduce_command(
    session: Session,
    kernel: Path,
    test: Path | None,
    function: str | None,
    exit_: str | None,
    resume: bool,  # noqa: FBT001
    seed: int,
    descents: int,
    confirm: int,
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    llc_args: tuple[str, ...],
    jobs: int | None,
) -> ExitCode:
    """Make KERNEL, which is miscompiled, small while it stays so for the same cause, and write it as a test.

    Whatever is kept on the way is in TEST.reduce: the smaller files, a log, and candidates that are wrong for another
    cause. Ctrl-C writes the best so far as TEST. Exits with 1 if a test was written, with 0 if KERNEL is right.
    """
    test = test or Path(f"{kernel.stem}.reduced{'.mir' if kernel.suffix == '.mir' else '.ll'}")
    request = ReduceRequest(
        input=kernel,
        output=test,
        work=test.with_name(test.name + ".reduce"),
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
        llc_args=llc_args,
        function=function,
        exit=Exit(exit_) if exit_ else None,
        runs=confirm,
        jobs=jobs or len(os.sched_getaffinity(0)),
        seed=seed,
        descents=descents,
        resume=resume,
    )
    with output.progress(session.verbose) as progress:
        report = reduce(request, BuiltinLlc(), progress)
    output.write(_text(report))
    if report.is_interrupted:
        return ExitCode.INTERRUPTED
    return ExitCode.CLEAN if report.cause is None else ExitCode.BUG


def _text(report: ReduceReport) -> str:
    if report.cause is None:
        return f"{report.input}: nothing is wrong\n"
    what = "lines of MIR in the body" if report.output.suffix == ".mir" else "lines of IR"
    state = "interrupted: " if report.is_interrupted else ""
    checks = "" if report.is_proved else "  its CHECK lines are not shown to tell a right allocation from this one\n"
    return (
        f"{report.cause}\n"
        f"{report.output}: {state}{report.after} {what}, from {report.before}\n"
        f"{checks}"
        f"  {report.tried} candidates in {report.seconds:.0f} s, {report.drifted} refused for another cause\n"
        f"  {report.work}: the log, and what was kept on the way\n"
    )
