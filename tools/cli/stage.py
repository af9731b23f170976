"""`regtriage stage`: the rewrite that keeps a kernel for an Intel GPU below the cap on scratch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from regtriage.dataflow.intel.devices import Device
from regtriage.dataflow.intel.dots import Form
from regtriage.dataflow.intel.staging import Dialect, default_form, dialect_of
from regtriage.tools.intel import report
from regtriage.tools.intel.measure import Measurement, Toolchain, measure
from regtriage.tools.intel.rewrite import Gates, Rewrite, rewrite, write
from regtriage.tools.intel.study import Study, read_module, study
from regtriage.tools.llc.errors import InputError
from regtriage.tools.report import json
from regtriage.tools.report.look import LABEL, NAME, Look, paragraph, render
from rich.text import Text

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .ptss import device_option, ocloc_option, time_limit_option, toolchain, triton_option
from .targets import OutputFile

_EXAMPLES = """
regtriage stage kernel.ttgir -o staged.ttgir
regtriage stage kernel.ttgir -o staged.ttgir --k-tile 32 --form unrolled
regtriage stage kernel.ttgir -o staged.ttgir --measure
"""


@command("stage", _EXAMPLES)
@click.argument("kernel", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "out",
    required=True,
    type=OutputFile(),
    metavar="OUT",
    help="Where the kernel goes, changed or not.",
)
@click.option("--k-tile", metavar="N|auto", default="auto", help="Elements of K in a slice.  [default: auto]")
@click.option(
    "--form",
    type=click.Choice([f.value for f in Form]),
    help="How slices follow each other.  [default: loop where the kernel's Triton has it]",
)
@click.option(
    "--gates",
    type=click.Choice([g.value for g in Gates]),
    default=Gates.DESIGN.value,
    help="Whose conditions decide which dots are staged.  [default: design]",
)
@click.option(
    "--dialect",
    type=click.Choice([d.value for d in Dialect]),
    help="The Triton that reads the result: 3.3, or 3.4 and later.  [default: by the kernel's text]",
)
@click.option(
    "--confirm",
    type=click.IntRange(0),
    default=2,
    metavar="N",
    help="Executions on the CPU, before and after.  [default: 2]",
)
@click.option("--measure", "measured", is_flag=True, help="Ask the real compiler, of the kernel before and after.")
@device_option
@ocloc_option
@triton_option
@time_limit_option
@json_option
def stage(
    session: Session,
    kernel: Path,
    out: Path,
    k_tile: str,
    form: str | None,
    gates: str,
    dialect: str | None,
    confirm: int,
    measured: bool,  # noqa: FBT001
    device: Device,
    ocloc: str | None,
    triton_python: Path | None,
    time_limit: float | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Stage the operands of overflowing dots in shared memory and cut the dots along K.

    A dot that fails a gate is left alone and explained; if all are, OUT is KERNEL, byte for byte. Exits with 1 if
    the executions before and after differ, or if the staged kernel is measured to be over the cap.
    """
    module = read_module(kernel)
    tools = toolchain(ocloc, triton_python, time_limit) if measured else None
    dialect_ = Dialect(dialect) if dialect else dialect_of(module)
    form_ = Form(form) if form else default_form(module) if dialect is None else _form_of(dialect_)
    with output.progress(session.verbose) as progress:
        before = study(kernel, device, tools, form_, progress)
        made = rewrite(before, Gates(gates), _k_tile(k_tile), form_, dialect_, confirm)
        write(out, made.text)
        after = _measure_again(out, device, tools, made)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(_lines(before, made, after, out, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(_object(before, made, after, out)))
    wrong = made.execution.differ or any(m.is_over for m in after)
    return ExitCode.BUG if wrong else ExitCode.CLEAN


def _form_of(dialect: Dialect) -> Form:
    return Form.LOOP if dialect is Dialect.SUBVIEW else Form.UNROLLED


def _k_tile(text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdigit() or int(text) == 0:
        raise click.BadParameter(f"'{text}' is neither a number nor auto", param_hint="'--k-tile'")
    return int(text)


def _measure_again(out: Path, device: Device, tools: Toolchain | None, made: Rewrite) -> tuple[Measurement, ...]:
    if tools is None or not made.changed:
        return ()
    if out.suffix != ".ttgir":
        raise InputError(f"{out}: error: to be measured its name must end in .ttgir")
    return measure(out, device, tools, read_module(out))


def _lines(before: Study, made: Rewrite, after: tuple[Measurement, ...], out: Path, look: Look) -> Iterator[Text]:
    yield Text.assemble((f"{before.path}: ", NAME), "staged" if made.changed else f"left as it is, copied to {out}")
    for outcome in made.dots:
        dot = outcome.study.dot
        label = Text.assemble((f"  tt.dot {dot.m}x{dot.n}x{dot.k}", NAME), f"  line {outcome.study.line}: ")
        if outcome.k_tile:
            said = f"staged, {made.form}, K_TILE {outcome.k_tile}"
            if outcome.study.estimate is not None and outcome.expected is not None:
                said += f"; estimate {outcome.study.estimate.bytes} -> {outcome.expected.bytes} bytes"
            yield from paragraph(label, said, look.width)
        else:
            yield from paragraph(label, f"left alone; {outcome.why}", look.width)
    for m in before.measured:
        yield from _measured_line("before", m)
    if before.failure:
        yield from paragraph(Text("  before    ", LABEL), before.failure, look.width)
    for m in after:
        yield from _measured_line("after", m)
    if made.changed:
        run = made.execution
        text = f"{run.runs} executions on the CPU, {run.differ} differ" + (f"; {run.note}" if run.note else "")
        yield from paragraph(Text("  checked   ", LABEL), text, look.width, "bold red" if run.differ else "")
        yield Text.assemble(("  written   ", LABEL), str(out))


def _measured_line(label: str, m: Measurement) -> Iterator[Text]:
    word = report.verdict(report.Fit.OVER if m.is_over else report.Fit.FITS)
    yield Text.assemble(
        (f"  {label:<10}", LABEL), word, f", {m.scratch} bytes measured, scratch {m.kernel.scratch_bytes} ({m.tools})"
    )


def _object(before: Study, made: Rewrite, after: tuple[Measurement, ...], out: Path) -> json.Object:
    dots: list[json.Value] = []
    for outcome in made.dots:
        expected = outcome.expected
        dots.append({
            "line": outcome.study.line,
            "staged": bool(outcome.k_tile),
            "k_tile": outcome.k_tile or None,
            "why_not": outcome.why or None,
            "expected": None if expected is None else expected.bytes,
        })  # fmt: skip
    run = made.execution
    return {
        **report.study_object(before, program_version()),
        "stage": {
            "output": str(out),
            "changed": made.changed,
            "form": str(made.form),
            "dots": dots,
            "execution": {"runs": run.runs, "differ": run.differ, "note": run.note or None},
            "measured": [report.measurement_object(m) for m in after],
        },
    }
