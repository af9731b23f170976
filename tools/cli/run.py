"""`regtriage run`: the main job. One kernel through one or more compilers, with and without the cures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from regtriage.tools.intel.inputs import is_intel_ir
from regtriage.tools.llc.run import InputError, Llc, ToolFailure, Variant, resolve_llc
from regtriage.tools.report import json, text
from regtriage.tools.report.compilers import compiler_lines
from regtriage.tools.report.look import Look, render
from regtriage.tools.results import RunReport
from regtriage.tools.triage import TriageRequest, triage

from . import output
from .commands import COMMANDS
from .compilers import chosen_compilers, guard_option
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .ptss import answer_intel
from .reports import Reports, report_options
from .targets import OutputFolder
from .verdicts import settle

_CONFIRM = 1000
"""Executions of a function that is wrong, where the user does not say how many."""

_INTEL_SUFFIXES = (".ttgir", ".spv")

_EXAMPLES = """
regtriage run kernel.llir
regtriage run kernel.ll --variant off --variant private --json
regtriage run kernel.llir --mcpu gfx942 --keep out
regtriage run kernel.llir --html report.html --source src
regtriage run kernel.llir --markdown > issue.md
regtriage run kernel.ttgir --mcpu arl-s
regtriage run kernel.llir --llc builtin --llc triton --llc /opt/rocm/llvm/bin/llc
"""


@command("run", _EXAMPLES)
@click.argument("kernel", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice([v.value for v in Variant]),
    help="Compile this way only.  [default: off and guard, and private if one of them is wrong]",
)
@click.option("--mcpu", metavar="CPU", help="The processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="The target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="From 0 to 3.  [default: 3]")
@click.option(
    "--llc",
    "compilers",
    multiple=True,
    metavar="builtin|triton|PATH",
    help="The compiler; several are reported one after the other.  [default: builtin]",
)
@click.option("--llc-arg", "llc_args", multiple=True, metavar="ARG", help="Hand this to the compiler.")
@guard_option
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Look at this function only.")
@click.option(
    "--confirm",
    type=click.IntRange(0),
    metavar="N",
    help="Execute up to N times before and after; 0: never.  [default: only what is wrong]",
)
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Variants at a time.  [default: one a core]")
@click.option("--keep", type=OutputFolder(), metavar="DIR", help="Keep MIR, asm and traces there.")
@report_options
@json_option
def run(
    session: Session,
    kernel: Path,
    variants: tuple[str, ...],
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    compilers: tuple[str, ...],
    llc_args: tuple[str, ...],
    guard_flag: str | None,
    functions: tuple[str, ...],
    confirm: int | None,
    jobs: int | None,
    keep: Path | None,
    reports: Reports,
    json_file: JsonFile | None,
) -> ExitCode:
    """Compile KERNEL with and without the guard, and prove which result is right.

    KERNEL is LLVM IR (.ll, .llir), bitcode (.bc), or MIR before register allocation (.mir). Options that
    select may be repeated. Exits with 1 if any variant is BUG; with 3 if none is but one is
    UNPROVEN, or if a compiler fails.

    MIR that is not in SSA form starts before greedy,0; --llc-arg=-start-before=PASS,N names another place. What is
    read again need not be allocated as in the compile that it was printed by.

    A kernel for an Intel GPU (.ttgir, .spv, or LLVM IR for spir64) has no registers that LLVM allocates: the answer
    is whether it overflows per-thread scratch, as `regtriage ptss` gives it, with --mcpu as the device.
    """
    reports.refuse_two_on_stdout(json_file)
    if kernel.suffix in _INTEL_SUFFIXES or is_intel_ir(kernel, mtriple):
        if reports.wanted:
            raise click.UsageError("--html, --sarif and --markdown are for kernels whose registers LLVM allocates")
        return answer_intel(session, kernel, mcpu, json_file)
    request = TriageRequest(
        input=kernel,
        variants=tuple(Variant(v) for v in dict.fromkeys(variants)) or None,
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
        llc_args=llc_args,
        jobs=jobs or len(os.sched_getaffinity(0)),
        keep=keep,
        functions=functions,
        evidence=reports.shows_code,
        source=reports.source,
    )
    if confirm is not None:
        request = replace(request, confirm=confirm, confirm_all=confirm > 0)
    llcs = [(compiler, resolve_llc(compiler, guard)) for compiler, guard in chosen_compilers(compilers, guard_flag)]
    outcomes: list[_Outcome] = []
    quiet = reports.takes_stdout or (json_file is not None and json_file.is_stdout)
    for number, (compiler, llc) in enumerate(llcs):
        if keep is not None and len(llcs) > 1:
            request = replace(request, keep=keep / f"llc-{number}")
        outcome = _attempt(compiler, llc, request, session, alone=len(llcs) == 1)
        outcomes.append(outcome)
        if outcome.report is not None and not quiet:
            output.write(("\n" if number else "") + _text(outcome.report, session))
    if len(outcomes) > 1 and not quiet:
        table = compiler_lines([(o.compiler, o.report) for o in outcomes])
        output.write("\n" + render(table, colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(_json(outcomes)))
    _write(reports, outcomes)
    return _exit_code(outcomes)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one compiler gave: a report, or why it gave none."""

    compiler: str
    report: RunReport | None
    failure: str = ""


def _attempt(compiler: str, llc: Llc, request: TriageRequest, session: Session, *, alone: bool) -> _Outcome:
    """Run the triage. Among several compilers, one that fails does not keep the others from being asked."""
    try:
        with output.progress(session.verbose) as progress:
            return _Outcome(compiler, triage(request, llc, progress))
    except (InputError, ToolFailure) as error:
        if alone:
            raise
        output.complain(str(error))
        return _Outcome(compiler, None, str(error))


def _text(report: RunReport, session: Session) -> str:
    look = Look(output.width(), verbose=session.verbose, mir_names={} if report.kept else None)
    names = {entry.name for entry in COMMANDS}
    lines = [*text.run_lines(report, look), *text.next_lines(report, names)]
    return render(lines, colored=session.colored)


def _write(reports: Reports, outcomes: Sequence[_Outcome]) -> None:
    """Write the reports that are wanted; what makes them is imported for it."""
    runs = [o.report if o.report is not None else (o.compiler, o.failure) for o in outcomes]
    version = program_version()

    def page() -> str:
        from regtriage.tools.report.html import run_page

        return run_page(runs, version)

    def markdown() -> str:
        from regtriage.tools.report.markdown import run_markdown

        return run_markdown(runs, version)

    def log() -> json.Object:
        from regtriage.tools.report.sarif import run_sarif

        return run_sarif(runs, version)

    reports.write(page, log, markdown)


def _json(outcomes: Sequence[_Outcome]) -> json.Object:
    version = program_version()
    objects = [
        json.run_object(o.report, version) if o.report is not None else json.error_object(o.compiler, o.failure)
        for o in outcomes
    ]
    return objects[0] if len(objects) == 1 else json.runs_object(objects, version)


def _exit_code(outcomes: Sequence[_Outcome]) -> ExitCode:
    """BUG wins: it is proved, whatever else failed. A compiler that failed is never clean."""
    code = settle([(o.report.input, f) for o in outcomes if o.report is not None for f in o.report.functions])
    if code is ExitCode.CLEAN and any(o.report is None for o in outcomes):
        return ExitCode.FAILURE
    return code
