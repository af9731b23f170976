"""`regtriage sweep`: many kernels under many settings, and what came of them."""

from __future__ import annotations

import enum
import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from regtriage.tools.files import replace
from regtriage.tools.llc.cpus import require_cpu
from regtriage.tools.llc.run import InputError, Llc, Variant
from regtriage.tools.matrix.axes import parse_axis
from regtriage.tools.report import json
from regtriage.tools.report.look import Look, render
from regtriage.tools.sweep import cluster
from regtriage.tools.sweep.campaign import Progress, run_campaign
from regtriage.tools.sweep.diff import Change, diff, parse_side
from regtriage.tools.sweep.diff_text import difference_lines
from regtriage.tools.sweep.executors import Executor, Serial
from regtriage.tools.sweep.export import export
from regtriage.tools.sweep.figures import SELECTORS, Figures, figures_of, figures_of_units, parse_selection
from regtriage.tools.sweep.html import figures_html
from regtriage.tools.sweep.json import difference_object, figures_object
from regtriage.tools.sweep.kernels import Inputs, find_kernels
from regtriage.tools.sweep.model import Answer, ErrorKind, Limits
from regtriage.tools.sweep.plan import Plan, Settings, make_plan
from regtriage.tools.sweep.store import Store, open_store
from regtriage.tools.sweep.text import figures_lines
from regtriage.tools.sweep.versions import compiler_of, tool_version

from . import output
from .compilers import chosen_compilers, guard_option
from .exits import ExitCode
from .options import CONTEXT, JsonFile, Session, command, json_option, program_version
from .sweep_progress import sweep_progress
from .targets import OutputFile

_DEFAULT_STORE = "results.sqlite"
_MEBIBYTE = 1 << 20


class FailOn(enum.StrEnum):
    """What a sweep exits with something else than 0 for. Each counts what stands before it too."""

    BUG = "bug"
    UNPROVEN = "unproven"
    ERROR = "error"
    NEVER = "never"


class _Sweep(click.Group):
    """`sweep KERNELS…` is `sweep run KERNELS…`: what does not name one of the commands is for `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which one needs them."""
        return list(self.commands)


_GROUP_EXAMPLES = """\b
Examples:
  regtriage sweep ~/.triton/cache
  regtriage sweep kernels/ --vary llc-arg=,-no-post-optimization --variant off --variant private
  regtriage sweep report results.sqlite --html report.html
  regtriage sweep diff results.sqlite:variant=off results.sqlite:variant=private
  regtriage sweep export results.sqlite -o results.parquet

\b
`regtriage sweep DIR` is short for `regtriage sweep run DIR`; `regtriage sweep run --help` has its options."""


@click.group(
    "sweep",
    cls=_Sweep,
    invoke_without_command=True,
    subcommand_metavar="DIR|LIST|KERNEL... | COMMAND [ARGS]...",
    context_settings=CONTEXT,
    epilog=_GROUP_EXAMPLES,
)
@click.pass_context
def sweep(context: click.Context) -> ExitCode:
    """Compile and check many kernels under many settings; keep, report and compare the results."""
    if context.invoked_subcommand is None:
        output.write(context.get_help() + "\n")
    return ExitCode.INPUT


# -- run -----------------------------------------------------------------------------------------------------------

_RUN = """
regtriage sweep ~/.triton/cache
regtriage sweep kernels/ --variant off --variant private --vary llc-arg=,-no-post-optimization
regtriage sweep kernels.txt --vary waves-per-eu=1,2,4 --store ours.sqlite --html ours.html
regtriage sweep kernels/ --llc builtin --llc /opt/rocm/llvm/bin/llc --fail-on bug
regtriage sweep kernels/ --scheduler tcp://10.0.0.7:8786
"""

_html_option = click.option("--html", "html_file", type=OutputFile(), metavar="FILE", help="Write it as a page.")


@command("run", _RUN)
@click.argument(
    "sources", nargs=-1, required=True, metavar="DIR|LIST|KERNEL...", type=click.Path(readable=False, path_type=Path)
)
@click.option(
    "--vary",
    "axes",
    multiple=True,
    metavar="NAME=V,V…",
    help="An axis, as of `regtriage matrix`: waves-per-eu, num-sgpr, num-vgpr, work-group-size, attr:NAME, llc-arg, "
    "mcpu, O, variant. An empty value leaves the kernel as it is.",
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice([v.value for v in Variant]),
    help="Compile this way.  [default: off]",
)
@click.option(
    "--llc", "compilers", multiple=True, metavar="builtin|triton|PATH", help="The compiler.  [default: builtin]"
)
@guard_option
@click.option("--mcpu", metavar="CPU", help="The processor.  [default: the kernel's, else gfx950]")
@click.option("--mtriple", metavar="TRIPLE", help="The target triple.  [default: the kernel's]")
@click.option("-O", "opt", type=click.IntRange(0, 3), default=3, metavar="N", help="From 0 to 3.  [default: 3]")
@click.option("--llc-arg", "llc_args", multiple=True, metavar="ARG", help="Hand this to the compiler in every unit.")
@click.option(
    "--store",
    "store_file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=_DEFAULT_STORE,
    metavar="FILE",
    help=f"Where results are kept, and found again.  [default: {_DEFAULT_STORE}]",
)
@click.option(
    "--scheduler",
    default="local",
    metavar="local|none|ADDRESS",
    help="What runs the units: a dask cluster on this machine, one process after the other without dask, or the "
    "cluster whose scheduler is at tcp://HOST:PORT.  [default: local]",
)
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Local workers.  [default: one a core]")
@click.option(
    "--timeout", type=click.FloatRange(min=0), default=600, metavar="S", help="For a unit; 0: none.  [default: 600]"
)
@click.option(
    "--memory",
    type=click.IntRange(min=0),
    default=8192,
    metavar="MIB",
    help="Address space of each process of a unit; 0: no limit.  [default: 8192]",
)
@click.option("--retry", is_flag=True, help="Run again the units that the store has an error for.")
@click.option(
    "--fail-on",
    type=click.Choice([f.value for f in FailOn]),
    default=FailOn.ERROR.value,
    help="What not to exit with 0 for: only a BUG; also a unit that is UNPROVEN; also one that failed.  "
    "[default: error]",
)
@_html_option
@json_option
def run_command(
    session: Session,
    sources: tuple[Path, ...],
    axes: tuple[str, ...],
    variants: tuple[str, ...],
    compilers: tuple[str, ...],
    guard_flag: str | None,
    mcpu: str | None,
    mtriple: str | None,
    opt: int,
    llc_args: tuple[str, ...],
    store_file: Path,
    scheduler: str,
    jobs: int | None,
    timeout: float,
    memory: int,
    retry: bool,  # noqa: FBT001
    fail_on: str,
    html_file: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Run a sweep: what DIR alone is short for.

    Every kernel is compiled and checked under every setting, then all is reported. Kernels are LLVM IR (.ll, .llir),
    bitcode (.bc) and MIR (.mir); assembly and code objects (.amdgcn, .s, .hsaco, .co), which can only be suspected; and
    TTGIR for Intel GPUs, for which scratch is estimated. Of one kernel that Triton left in several files the best is
    taken. A LIST has a path a line.

    Results go to the store as they come. What is there already is not run again, so a sweep that was stopped goes on
    where it was, and two may share a store. Exits with 1 if a unit is BUG, SUSPECT or OVER; with 3 if none is but one
    is UNPROVEN or failed, unless --fail-on says otherwise.
    """
    settings = Settings(
        axes=tuple(map(parse_axis, axes)),
        variants=tuple(Variant(v) for v in dict.fromkeys(variants)),
        triple=mtriple,
        cpu=mcpu,
        opt=opt,
        llc_args=llc_args,
    )
    inputs = find_kernels(sources)
    chosen = [compiler_of(spec, guard) for spec, guard in chosen_compilers(compilers, guard_flag)]
    plan = make_plan(inputs.kernels, chosen, settings, tool_version())
    _refuse_unknown_cpus(plan, [llc for _, llc in chosen])
    _say_what_is_left_out(inputs, plan, session)
    executor = _executor(scheduler, jobs or len(os.sched_getaffinity(0)))
    again = frozenset(ErrorKind) if retry else frozenset({ErrorKind.LOST})
    limits = Limits(timeout or None, memory * _MEBIBYTE or None)
    with open_store(store_file, create=True) as store:
        progress = _run(plan, store, executor, limits, again)
        figures = figures_of_units(store, plan.units)
    title = ", ".join(map(str, sources))
    head = f"{title}: {progress.ran} of {progress.total} units run, {progress.known} were in {store_file}"
    _report(figures, title, session, html_file, json_file, head)
    return _settle(figures, FailOn(fail_on))


def _refuse_unknown_cpus(plan: Plan, llcs: Sequence[Llc]) -> None:
    """Else every unit would fail of it, and be kept as one that did."""
    targets = {(u.options.cpu, u.options.triple): None for u in plan.units if u.options is not None}
    for cpu, triple in targets:
        if cpu is not None:
            for llc in llcs:
                require_cpu(llc, cpu, triple)


def _executor(scheduler: str, jobs: int) -> Callable[[], Executor]:
    if scheduler == "none":
        return Serial
    if scheduler == "local":
        cluster.require()
        return functools.partial(cluster.local_cluster, jobs)
    if "://" not in scheduler:
        raise InputError(f"--scheduler {scheduler}: error: neither local, none, nor an address as tcp://HOST:PORT")
    cluster.require()
    return functools.partial(_connect, scheduler)


def _connect(address: str) -> Executor:
    executor = cluster.connect(address)
    if not executor.workers:
        output.complain(f"regtriage: note: {address} has no worker yet: waiting for one")
    return executor


def _run(
    plan: Plan, store: Store, executor: Callable[[], Executor], limits: Limits, again: frozenset[ErrorKind]
) -> Progress:
    """The campaign; when it is stopped it says how far it came."""
    last = Progress(len(plan.units))

    def show(progress: Progress) -> None:
        nonlocal last
        last = progress
        draw(progress)

    try:
        with sweep_progress() as draw:
            return run_campaign(plan.units, store, executor, limits, again=again, show=show)
    except BaseException:
        output.complain(
            f"regtriage: stopped: {last.done} of {last.total} units are in {store.path}; "
            "the same command goes on from there"
        )
        raise


def _say_what_is_left_out(inputs: Inputs, plan: Plan, session: Session) -> None:
    for words in plan.left_out:
        output.complain(f"regtriage: note: {words}")
    if inputs.duplicates and session.verbose:
        output.complain(f"regtriage: note: {inputs.duplicates} of {inputs.files} kernels are there twice")
    if not inputs.left_out:
        return
    if session.verbose:
        for name, why in inputs.left_out:
            output.complain(f"regtriage: note: {name}: {why}: left out")
    else:
        name, why = inputs.left_out[0]
        output.complain(f"regtriage: note: {len(inputs.left_out)} left out, as {name}: {why}")


def _settle(figures: Figures, fail_on: FailOn) -> ExitCode:
    """A hit wins: it was found, whatever else failed."""
    if fail_on is FailOn.NEVER:
        return ExitCode.CLEAN
    answers = figures.answers
    if any(answers.get(a) for a in (Answer.BUG, Answer.SUSPECT, Answer.OVER)):
        return ExitCode.BUG
    unproved = answers.get(Answer.UNPROVEN, 0) + answers.get(Answer.BORDERLINE, 0)
    failed = sum(figures.errors_of_kind.values())
    if (unproved and fail_on is not FailOn.BUG) or (failed and fail_on is FailOn.ERROR):
        output.complain(f"regtriage: error: of {figures.units} units {unproved} are not proved and {failed} failed")
        return ExitCode.FAILURE
    return ExitCode.CLEAN


# -- report, diff, export ------------------------------------------------------------------------------------------

_store_argument = click.argument("store_file", metavar="STORE", type=click.Path(readable=False, path_type=Path))
_select_option = click.option(
    "--select",
    "selections",
    multiple=True,
    metavar="KEY=VALUE",
    help=f"Only these units: {', '.join(SELECTORS)}. The last is a pattern of names, as a shell's.",
)

_REPORT = """
regtriage sweep report results.sqlite
regtriage sweep report results.sqlite --select variant=off --select 'kernel=*attn*' -v
regtriage sweep report results.sqlite --html report.html --json=report.json
"""


@command("report", _REPORT)
@_store_argument
@_select_option
@_html_option
@json_option
def report_command(
    session: Session,
    store_file: Path,
    selections: tuple[str, ...],
    html_file: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Say what is in a store.

    How often which setting is hit, which kernels are, through which exits, and what failed. Exits with 0, whatever is
    found.
    """
    with open_store(store_file, create=False) as store:
        figures = figures_of(store, parse_selection(selections))
    if not figures.units:
        raise InputError(f"{store_file}: error: no such units in the store")
    _report(figures, " ".join([str(store_file), *selections]), session, html_file, json_file, "")
    return ExitCode.CLEAN


def _report(
    figures: Figures, title: str, session: Session, html_file: Path | None, json_file: JsonFile | None, head: str
) -> None:
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write((f"{head}\n" if head else "") + render(figures_lines(figures, look), colored=session.colored))
    if html_file is not None:
        replace(html_file, figures_html(figures, title, program_version()))
    if json_file is not None:
        json_file.write(json.dump(figures_object(figures, program_version())))


_DIFF = """
regtriage sweep diff before.sqlite after.sqlite
regtriage sweep diff results.sqlite:variant=off results.sqlite:variant=private
regtriage sweep diff results.sqlite:flags= results.sqlite:flags=amdgpu-waves-per-eu=4 --json
"""


@command("diff", _DIFF)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@json_option
def diff_command(session: Session, before: str, after: str, json_file: JsonFile | None) -> ExitCode:
    """Compare two stores, or two parts of one.

    A and B are each STORE or STORE:KEY=VALUE,KEY=VALUE, with the keys of `report --select`. Units are paired by the
    kernel's name, or else its content, and by their settings; where each side has a single variant, compiler, or set
    of flags, that is what is compared. Exits with 1 if a kernel that is right in A is BUG in B.
    """
    found = diff(parse_side(before), parse_side(after))
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(difference_lines(found, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(difference_object(found, program_version())))
    return ExitCode.BUG if found.of(Change.NEW) else ExitCode.CLEAN


_EXPORT = """
regtriage sweep export results.sqlite -o results.parquet
regtriage sweep export results.sqlite -o wrong.jsonl --select variant=off
"""


@command("export", _EXPORT)
@_store_argument
@click.option(
    "-o",
    "file",
    required=True,
    type=OutputFile(),
    metavar="FILE",
    help="Where to; its suffix names the format: .parquet, .csv or .jsonl.",
)
@_select_option
def export_command(session: Session, store_file: Path, file: Path, selections: tuple[str, ...]) -> ExitCode:
    """Write all units of a store as a table."""
    with open_store(store_file, create=False) as store:
        count = export(store, parse_selection(selections), file)
    if session.verbose:
        output.complain(f"regtriage: note: {count} units")
    return ExitCode.CLEAN


_COMMANDS: Sequence[Any] = (run_command, report_command, diff_command, export_command)
for _command in _COMMANDS:
    sweep.add_command(_command)
