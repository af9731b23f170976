"""One kernel compiled and checked under every combination of some settings."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.findings import Finding, Verdict
from regtriage.tools.llc.base import ASM_NAME
from regtriage.tools.llc.run import InputError, Llc, ToolFailure, Variant
from regtriage.tools.triage import TriageRequest, triage
from regtriage.tools.workers import Workers

from .attributes import NotTextError, with_attributes
from .axes import Axis, Setting, cells, setting
from .model import Cell, MatrixReport, Use

Progress = Callable[[str], None]

_OPCODE = re.compile(r"\b[A-Z][A-Z0-9]*_?[A-Z0-9_]*[A-Z0-9]\b")
_WORST = (Verdict.BUG, Verdict.UNPROVEN, Verdict.HAZARD, Verdict.CLEAN)


@dataclass(frozen=True, slots=True)
class MatrixRequest:
    """What to sweep. Settings of a cell go before those here. variant: where it is not varied."""

    input: Path
    axes: tuple[Axis, ...]
    variant: Variant = Variant.OFF
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    llc_args: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    jobs: int = 2


def sweep(request: MatrixRequest, llc: Llc, progress: Progress = lambda _: None) -> MatrixReport:
    """Compile and check every cell.

    A cell whose compiler fails says so and does not keep the others from being tried. Raises InputError for a
    kernel that cannot be read, or a setting that makes no sense.
    """
    choices = list(cells(request.axes))
    text = _text(request)
    identity = llc.identity
    done: list[Cell] = []
    workers = max(1, min(request.jobs, len(choices)))
    with Workers(workers) as pool:
        try:
            for cell in pool.map(_cell, *zip(*[(request, llc, text, values) for values in choices], strict=True)):
                done.append(cell)
                progress(f"{len(done)} of {len(choices)} cells")
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return MatrixReport(str(request.input), identity, request.axes, tuple(done), _uses(done), _idle(request.axes, done))


def _text(request: MatrixRequest) -> str | None:
    """The kernel's text, if attributes of it are to be set."""
    if not any(setting(request.axes, values).attributes for values in cells(request.axes)):
        return None
    try:
        text = request.input.read_text(encoding="utf-8", errors="surrogateescape")
        with_attributes(text, {"probe": "1"})
    except OSError as error:
        raise InputError(f"{request.input}: error: {error.strerror or error}") from None
    except NotTextError:
        raise InputError(
            f"{request.input}: error: not the text of a kernel, of which function attributes can be varied"
        ) from None
    return text


def _cell(request: MatrixRequest, llc: Llc, text: str | None, values: tuple[str, ...]) -> Cell:
    chosen = setting(request.axes, values)
    with tempfile.TemporaryDirectory(prefix="regtriage-") as scratch:
        folder = Path(scratch)
        kernel = request.input
        if text is not None:
            kernel = folder / request.input.name
            changed = with_attributes(text, chosen.attributes)
            kernel.write_text(changed, encoding="utf-8", errors="surrogateescape")
        try:
            return _checked(request, llc, kernel, folder / "kept", chosen, values)
        except InputError as error:
            raise InputError(str(error).replace(str(kernel), str(request.input)), error.detail) from None
        except ToolFailure as error:
            return Cell(values, None, (), "", str(error).replace(str(kernel), str(request.input)))


def _checked(
    request: MatrixRequest, llc: Llc, kernel: Path, kept: Path, chosen: Setting, values: tuple[str, ...]
) -> Cell:
    variant = chosen.variant or request.variant
    report = triage(
        TriageRequest(
            input=kernel,
            variants=(variant,),
            triple=request.triple,
            cpu=chosen.cpu or request.cpu,
            opt=request.opt if chosen.opt is None else chosen.opt,
            llc_args=(*request.llc_args, *chosen.llc_args),
            confirm=0,
            jobs=1,
            keep=kept,
            functions=request.functions,
        ),
        llc,
    )
    uses = {
        _use(function.name, finding)
        for function in report.functions
        for compiled in function.variants
        for finding in compiled.shipped_findings
    }
    verdicts = {v.verdict for function in report.functions for v in function.variants}
    verdict = next(v for v in _WORST if v in verdicts)
    code = hashlib.sha256((kept / variant / ASM_NAME).read_bytes()).hexdigest()[:12]
    return Cell(values, verdict, tuple(sorted(uses)), code)


def _use(function: str, finding: Finding) -> Use:
    opcode = _OPCODE.search(finding.use.text)
    source = str(finding.use.debug[0]) if finding.use.debug else ""
    needed = str(finding.needed) if finding.needed is not None else str(finding.kind)
    return Use(function, finding.use.block, needed, opcode.group() if opcode else "", source)


def _uses(done: Sequence[Cell]) -> tuple[tuple[Use, int], ...]:
    """What is wrong in any cell, and in how many; that of most cells first."""
    count = Counter(use for cell in done for use in cell.uses)
    return tuple(sorted(count.items(), key=lambda item: (-item[1], item[0])))


def _idle(axes: Sequence[Axis], done: Sequence[Cell]) -> tuple[str, ...]:
    """The axes on which no step ever changes the code."""
    idle: list[str] = []
    for at, axis in enumerate(axes):
        codes: dict[tuple[str, ...], set[str]] = {}
        for cell in done:
            codes.setdefault(cell.values[:at] + cell.values[at + 1 :], set()).add(cell.code or cell.failure)
        if len(axis.values) > 1 and all(len(found) == 1 for found in codes.values()):
            idle.append(axis.name)
    return tuple(idle)
