"""The answer about one kernel: estimate and gates of each dot, and what the compiler says, if it was asked."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.intel.devices import Device
from regtriage.dataflow.intel.dots import Dot, Form, Unit, find_dots
from regtriage.dataflow.intel.estimate import Estimate, Fit, Judgement, estimate, judge
from regtriage.dataflow.intel.gates import Choice, GateSet, Known, choose_slice, design_gates, upstream_gates
from regtriage.dataflow.intel.staging import default_form, other_buffers
from regtriage.dataflow.ttgir.model import Module
from regtriage.dataflow.ttgir.parser import read
from regtriage.dataflow.ttgir.source import TtgirError
from regtriage.tools.llc.errors import InputError, ToolFailure

from .measure import Measurement, Toolchain, measure

SUFFIXES = (".ttgir", ".spv", ".llir", ".ll", ".bc")


class Basis(enum.StrEnum):
    """What a verdict rests on."""

    MEASURED = "measured"
    ESTIMATED = "estimated"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class DotStudy:
    """One dot. estimate, judgement and choice are None off the FMA path."""

    dot: Dot
    line: int
    estimate: Estimate | None
    judgement: Judgement | None
    choice: Choice | None
    design: GateSet
    upstream: GateSet


@dataclass(frozen=True, slots=True)
class Study:
    """One kernel. measured: empty if the compiler was not asked, or failed (`failure` says how, in its words).

    fit: the verdict; None if nothing is known, that is for SPIR-V and IR that were not measured.
    """

    path: Path
    device: Device
    module: Module | None
    dots: tuple[DotStudy, ...]
    measured: tuple[Measurement, ...]
    failure: str
    fit: Fit | None
    basis: Basis
    why: str
    form: Form

    @property
    def spill_estimate(self) -> int | None:
        """Of the dot that needs most: the dots of a kernel do not need theirs at the same time."""
        return max((d.estimate.bytes for d in self.dots if d.estimate), default=None)

    @property
    def spill_measured(self) -> int | None:
        """Of the kernel that spills most."""
        return max((m.scratch for m in self.measured), default=None)


def read_module(path: Path) -> Module:
    """Read TTGIR. Raises InputError."""
    try:
        text = path.read_bytes().decode()  # as it is: line ends count for a copy
    except FileNotFoundError:
        raise InputError(f"{path}: error: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: error: is a directory") from None
    except (UnicodeDecodeError, OSError) as error:
        raise InputError(f"{path}: error: cannot be read as text: {error}") from None
    try:
        return read(text, str(path))
    except TtgirError as error:
        raise InputError(str(error), error.source_line) from None


def study(
    path: Path,
    device: Device,
    tools: Toolchain | None,
    form: Form | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Study:
    """Study one kernel; tools: to measure it with, or None.

    Raises InputError for a file that cannot be read, or that no compiler takes. A compiler that fails on a kernel
    that could be read is reported in the study.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: error: not a kernel for an Intel GPU: {', '.join(SUFFIXES[:3])} are")
    module = read_module(path) if path.suffix == ".ttgir" else None
    if module is None and not path.is_file():
        raise InputError(f"{path}: error: no such file")
    measured: tuple[Measurement, ...] = ()
    failure = ""
    known = Known()
    if tools is not None:
        progress(f"{path.name}: compiling with {tools.ocloc.version}")
        try:
            measured = measure(path, device, tools, module)
        except ToolFailure as error:
            if module is None:
                raise
            failure = str(error)
        spill = max((m.scratch for m in measured), default=None)
        known = Known(tools.ocloc.has_dpas(device.name), spill)
    form = form or (default_form(module) if module is not None else Form.LOOP)
    try:
        dots = _dots(module, device, form, known) if module is not None else ()
    except TtgirError as error:
        raise InputError(str(error), error.source_line) from None
    fit, basis, why = _verdict(dots, measured, module)
    return Study(path, device, module, dots, measured, failure, fit, basis, why, form)


def _dots(module: Module, device: Device, form: Form, known: Known) -> tuple[DotStudy, ...]:
    found: list[DotStudy] = []
    for dot in find_dots(module):
        guess = estimate(dot.shape, device.register_file) if dot.shape else None
        found.append(
            DotStudy(
                dot=dot,
                line=module.source.position(dot.op.name_span.start)[0],
                estimate=guess,
                judgement=judge(guess, device) if guess else None,
                choice=choose_slice(dot, device, form) if dot.shape else None,
                design=design_gates(dot, device, form, known, other_buffers(dot)),
                upstream=upstream_gates(dot),
            )
        )
    return tuple(found)


def _verdict(
    dots: tuple[DotStudy, ...], measured: tuple[Measurement, ...], module: Module | None
) -> tuple[Fit | None, Basis, str]:
    if measured:
        worst = max(measured, key=lambda m: m.scratch)
        word = "over" if worst.is_over else "under"
        why = f"{abs(worst.scratch - worst.cap)} bytes {word} the cap of {worst.cap}"
        return (Fit.OVER if worst.is_over else Fit.FITS), Basis.MEASURED, why
    if module is None:
        return None, Basis.NOTHING, "only the compiler can tell: --measure"
    judged = [d.judgement for d in dots if d.judgement]
    if not judged:
        if any(d.dot.unit is Unit.UNKNOWN for d in dots):
            why = next(d.dot.why_unknown for d in dots if d.dot.unit is Unit.UNKNOWN)
            return Fit.BORDERLINE, Basis.ESTIMATED, why
        return Fit.FITS, Basis.ESTIMATED, "no dot is on the FMA path"
    order = (Fit.FITS, Fit.BORDERLINE, Fit.OVER)
    worst = max(judged, key=lambda j: order.index(j.fit))
    if worst.fit is Fit.FITS and any(d.dot.unit is Unit.UNKNOWN for d in dots):
        return Fit.BORDERLINE, Basis.ESTIMATED, next(d.dot.why_unknown for d in dots if d.dot.unit is Unit.UNKNOWN)
    return worst.fit, Basis.ESTIMATED, worst.why
