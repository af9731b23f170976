"""`regtriage ptss`: will a kernel for an Intel GPU overflow per-thread scratch?"""

from __future__ import annotations

import json as standard_json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from regtriage.dataflow.intel.devices import DEFAULT_DEVICE, DEVICES, Device, find_device
from regtriage.dataflow.intel.dots import Form
from regtriage.dataflow.intel.estimate import Fit
from regtriage.tools.files import replace
from regtriage.tools.intel import report
from regtriage.tools.intel.install import install_ocloc, private_folder
from regtriage.tools.intel.measure import Toolchain, find_toolchain
from regtriage.tools.intel.report import Row
from regtriage.tools.intel.study import SUFFIXES, Study, study
from regtriage.tools.llc.errors import InputError, ToolFailure
from regtriage.tools.report import json
from regtriage.tools.report.look import Look, render
from rich.text import Text

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .targets import OutputFile

_EXAMPLES = """
regtriage ptss kernel.ttgir
regtriage ptss --measure --device mtl kernel.spv
regtriage ptss kernels/ --csv table.csv --plot plot.svg
regtriage ptss --install-ocloc
"""


class DeviceType(click.ParamType[Device]):
    """A device of the table, by the name ocloc takes."""

    name = "device"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Device:
        """Fails for a name that is not in the table."""
        if isinstance(value, Device):
            return value
        found = find_device(str(value))
        if found is None:
            names = ", ".join(device.name for device in DEVICES)
            self.fail(f"'{value}' is no device that is known: {names}", param, ctx)
        return found


device_option = click.option(
    "--device", type=DeviceType(), default=DEFAULT_DEVICE, metavar="NAME",
    help=f"The GPU, by ocloc's name.  [default: {DEFAULT_DEVICE}]",
)  # fmt: skip
ocloc_option = click.option(
    "--ocloc", metavar="PROGRAM",
    help="Intel's offline compiler.  [default: $REGTRIAGE_OCLOC, PATH, the private copy]",
)  # fmt: skip
triton_option = click.option(
    "--triton-xpu", "triton_python", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="PYTHON",
    help="The Python that has triton-xpu, for .ttgir.  [default: $REGTRIAGE_TRITON_XPU, this one]",
)  # fmt: skip
time_limit_option = click.option(
    "--time-limit", type=click.FloatRange(min=1), metavar="SECONDS", help="For one compilation.  [default: 300]"
)


def toolchain(ocloc: str | None, triton_python: Path | None, time_limit: float | None) -> Toolchain:
    """The compiler at hand. Raises ToolFailure if there is none."""
    found = find_toolchain(ocloc, triton_python, time_limit)
    if found is None:
        raise ToolFailure(
            "regtriage: error: no ocloc is installed: 'regtriage ptss --install-ocloc' sets up a private copy"
        )
    return found


@command("ptss", _EXAMPLES)
@click.argument("kernels", nargs=-1, type=click.Path(path_type=Path), metavar="[KERNEL|DIR]...")
@device_option
@click.option("--measure", is_flag=True, help="Ask the real compiler too; its answer is the verdict.")
@click.option(
    "--form",
    type=click.Choice([f.value for f in Form]),
    help="The form of the rewrite to estimate.  [default: as stage]",
)
@ocloc_option
@triton_option
@time_limit_option
@click.option(
    "--recorded",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Earlier measurements to compare with, JSON lines with name and spill_bytes.",
)
@click.option("--csv", "csv_file", type=OutputFile(), metavar="FILE", help="Write the table as CSV.")
@click.option(
    "--plot",
    "plot_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write estimate against measurement as SVG.",
)
@click.option("--devices", "list_devices", is_flag=True, help="Show the table of devices and exit.")
@click.option(
    "--install-ocloc",
    "install",
    is_flag=True,
    help="Set up a private ocloc from Debian's packages; the system stays as it is.",
)
@json_option
def ptss(
    session: Session,
    kernels: tuple[Path, ...],
    device: Device,
    measure: bool,  # noqa: FBT001
    form: str | None,
    ocloc: str | None,
    triton_python: Path | None,
    time_limit: float | None,
    recorded: Path | None,
    csv_file: Path | None,
    plot_file: Path | None,
    list_devices: bool,  # noqa: FBT001
    install: bool,  # noqa: FBT001
    json_file: JsonFile | None,
) -> ExitCode:
    """Tell whether a kernel overflows the scratch memory of a thread (PTSS) of an Intel GPU.

    A KERNEL is TTGIR (.ttgir), which is estimated, or TTGIR, SPIR-V (.spv) or LLVM IR (.llir) with --measure. With a
    directory or several kernels the answer is a table. Exits with 1 if a kernel is OVER; with 3 if none is but one
    is BORDERLINE or unknown.
    """
    if list_devices:
        output.write(render(report.device_lines(), colored=session.colored))
        return ExitCode.CLEAN
    if install:
        return _install(session)
    if not kernels:
        raise click.UsageError("name a kernel, or a directory of kernels")
    tools = toolchain(ocloc, triton_python, time_limit) if measure else None
    form_ = Form(form) if form else None
    earlier = _read_recorded(recorded) if recorded else {}
    paths = _expand(kernels)
    alone = len(kernels) == 1 and paths == list(kernels)
    rows: list[Row] = []
    with output.progress(session.verbose) as progress:
        for path in paths:
            found = study(path, device, tools, form_, progress)
            refuse_foreign(found)
            rows.append(Row(found, earlier.get(path.stem)))
    if json_file is None or not json_file.is_stdout:
        lines = study_report(rows[0].study, session) if alone else report.table_lines(rows)
        output.write(render(lines, colored=session.colored))
    if csv_file is not None:
        replace(csv_file, report.table_csv(rows))
    if plot_file is not None:
        replace(plot_file, report.plot_svg(rows, device))
    if json_file is not None:
        version = program_version()
        made = report.study_object(rows[0].study, version) if alone else report.studies_object(rows, version)
        json_file.write(json.dump(made))
    return settle([row.study for row in rows], quiet=not alone)


def answer_intel(session: Session, kernel: Path, device: str | None, json_file: JsonFile | None) -> ExitCode:
    """What `regtriage run` says of a kernel for an Intel GPU; measured where the compiler is at hand.

    Raises InputError, ToolFailure.
    """
    found = find_device(device or DEFAULT_DEVICE)
    if found is None:
        raise InputError(f"{kernel}: error: no Intel GPU '{device}' is known: see 'regtriage ptss --devices'")
    with output.progress(session.verbose) as progress:
        result = study(kernel, found, find_toolchain(None, None, None), progress=progress)
    refuse_foreign(result)
    if json_file is None or not json_file.is_stdout:
        output.write(render(study_report(result, session), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(report.study_object(result, program_version())))
    return settle([result])


def refuse_foreign(found: Study) -> None:
    """Raises InputError for TTGIR of another vendor's GPU."""
    target = found.module.target if found.module is not None else ""
    if target not in ("", "xpu"):
        raise InputError(f"{found.path}: error: the kernel is for {target}, not for an Intel GPU")


def study_report(found: Study, session: Session) -> list[Text]:
    """The report of one kernel, and what to do next."""
    look = Look(output.width(), verbose=session.verbose)
    lines = list(report.study_lines(found, look))
    step = report.next_line(found)
    return [*lines, Text(), step] if step is not None else lines


def settle(studies: Sequence[Study], *, quiet: bool = False) -> ExitCode:
    """OVER wins; what is not settled is a failure, and said on stderr unless the table says it."""
    if any(s.fit is Fit.OVER for s in studies):
        return ExitCode.BUG
    open_ = [s for s in studies if s.fit is not Fit.FITS]
    for s in open_:
        if not quiet:
            output.complain(f"{s.path}: error: not settled: {s.why}")
    return ExitCode.FAILURE if open_ else ExitCode.CLEAN


def _install(session: Session) -> ExitCode:
    with output.progress(verbose=True) as progress:
        copy = install_ocloc(private_folder(), progress)
    output.write(f"{copy.version}\n{private_folder()}\n")
    return ExitCode.CLEAN


def _expand(kernels: Sequence[Path]) -> list[Path]:
    """Directories become the TTGIR in them; without any, the other kernels. Raises InputError if one has none."""
    paths: list[Path] = []
    for kernel in kernels:
        if not kernel.is_dir():
            paths.append(kernel)
            continue
        found = sorted(kernel.rglob("*.ttgir")) or sorted(p for p in kernel.rglob("*") if p.suffix in SUFFIXES)
        if not found:
            raise InputError(f"{kernel}: error: there is no kernel in this directory")
        paths += found
    return paths


def _read_recorded(file: Path) -> dict[str, int]:
    """Measurements by the name of the kernel. Raises InputError."""
    found: dict[str, int] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{file}: error: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = standard_json.loads(line)
            found[str(entry["name"])] = int(entry["spill_bytes"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{file}:{number}: error: not an object with name and spill_bytes") from None
    return found
