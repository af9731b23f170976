"""One unit, from the kernel's bytes to an outcome: compiled and checked, judged, or estimated."""

from __future__ import annotations

import hashlib
import re
import time
import zlib
from dataclasses import replace
from pathlib import Path, PurePath

from regtriage.dataflow.asm.judge import judge_asm
from regtriage.dataflow.findings import Finding, Layer, Verdict
from regtriage.dataflow.intel.devices import DEFAULT_DEVICE, find_device
from regtriage.dataflow.intel.estimate import Fit
from regtriage.tools.asm import read_asm
from regtriage.tools.intel.report import study_object
from regtriage.tools.intel.study import study
from regtriage.tools.llc.base import ASM_NAME
from regtriage.tools.llc.errors import InputError, ToolFailure
from regtriage.tools.llc.run import Llc
from regtriage.tools.matrix.attributes import NotTextError, with_attributes
from regtriage.tools.report import json
from regtriage.tools.report.asm import asm_object
from regtriage.tools.results import RunReport
from regtriage.tools.triage import TriageRequest, triage

from .model import Answer, ErrorKind, Found, Method, Options, Outcome, Task

_WORST = (Verdict.BUG, Verdict.UNPROVEN, Verdict.HAZARD, Verdict.CLEAN)
_FITS = {Fit.OVER: Answer.OVER, Fit.BORDERLINE: Answer.BORDERLINE, Fit.FITS: Answer.FITS}
_SPILLS = re.compile(rb"^\s*\.[sv]gpr_spill_count:\s*(\d+)\s*$", re.M)
_NO_MEMORY = re.compile(r"out of memory|bad_alloc|Cannot allocate memory|MemoryError", re.I)
_MOST_MESSAGE = 2000


def check(task: Task, llc: Llc | None, folder: Path) -> Outcome:
    """Run one unit in an empty folder. Whatever goes wrong becomes an outcome."""
    started = time.perf_counter()
    kernel = folder / (PurePath(task.name).name or "kernel")
    try:
        kernel.write_bytes(zlib.decompress(task.content))
        outcome = _check(task, llc, kernel)
    except InputError as error:
        outcome = failed(ErrorKind.INPUT, str(error))
    except ToolFailure as error:
        outcome = failed(_tool_kind(error), str(error))
    except MemoryError:
        outcome = failed(ErrorKind.MEMORY, "the check needs more memory than the limit")
    except Exception as error:
        kind = ErrorKind.MEMORY if _NO_MEMORY.search(str(error)) else ErrorKind.INTERNAL
        outcome = failed(kind, f"{type(error).__name__}: {error}{_place(error)}")
    message = outcome.message.replace(str(kernel), task.name)
    return replace(outcome, message=message, seconds=time.perf_counter() - started)


def failed(kind: ErrorKind, message: str) -> Outcome:
    """The outcome of a unit without an answer."""
    return Outcome(error=kind, message=message.strip()[:_MOST_MESSAGE])


def _check(task: Task, llc: Llc | None, kernel: Path) -> Outcome:
    if task.method is Method.ASM:
        return _judge(task, kernel)
    if task.method is Method.PTSS:
        return _estimate(task, kernel)
    assert llc is not None
    assert task.options is not None
    return _prove(task, task.options, llc, kernel)


def _prove(task: Task, options: Options, llc: Llc, kernel: Path) -> Outcome:
    if options.attributes:
        _set_attributes(kernel, dict(options.attributes))
    kept = kernel.parent / "kept"
    report = triage(
        TriageRequest(
            input=kernel,
            variants=(options.variant,),
            triple=options.triple,
            cpu=options.cpu or task.cpu or None,
            opt=options.opt,
            llc_args=options.llc_args,
            jobs=1,
            keep=kept,
        ),
        llc,
    )
    report = replace(report, input=task.name, kept="")
    asm = (kept / options.variant / ASM_NAME).read_bytes()
    variants = [v for function in report.functions for v in function.variants]
    verdicts = {v.verdict for v in variants}
    hazards = [layer.hazards for v in variants for layer in v.layers if layer.layer is Layer.REWRITTEN]
    executed = [v.confirmed for v in variants if v.confirmed is not None]
    found = _found(report)
    return Outcome(
        answer=Answer(next((v for v in _WORST if v in verdicts), Verdict.CLEAN).value),
        message=_why_unproven(report) if Verdict.UNPROVEN in verdicts else "",
        wrong=len(found),
        hazards=sum(map(len, hazards)),
        spills=_spills(asm),
        runs=sum(c.runs for c in executed) if executed else None,
        differ=sum(c.differ for c in executed) if executed else None,
        code=hashlib.sha256(asm).hexdigest()[:12],
        found=found,
        result=json.dump(json.run_object(report, task.tool)),
    )


def _set_attributes(kernel: Path, attributes: dict[str, str]) -> None:
    text = kernel.read_text(encoding="utf-8", errors="surrogateescape")
    try:
        kernel.write_text(with_attributes(text, attributes), encoding="utf-8", errors="surrogateescape")
    except NotTextError:
        raise InputError(
            f"{kernel}: error: not the text of a kernel, of which function attributes can be varied"
        ) from None


def _spills(asm: bytes) -> int | None:
    """As the compiler counts them for the runtime; None of a target whose assembly does not say."""
    counts = [int(number) for number in _SPILLS.findall(asm)]
    return sum(counts) if counts else None


def _why_unproven(report: RunReport) -> str:
    reasons = [r for f in report.functions for v in f.variants for layer in v.layers for r in layer.unproven]
    return reasons[0] if reasons else "no reason is known"


def _found(report: RunReport) -> tuple[Found, ...]:
    return tuple(
        _short(function.name, finding)
        for function in report.functions
        for variant in function.variants
        for finding in variant.shipped_findings
    )


def _short(function: str, finding: Finding) -> Found:
    return Found(
        function=function,
        id=finding.id,
        kind=finding.kind.value,
        exit=finding.exit.value if finding.exit is not None else "",
        exit_by=finding.exit_by.value if finding.exit_by is not None else "",
        needed=str(finding.needed) if finding.needed is not None else "",
        source=str(finding.use.debug[0]) if finding.use.debug else "",
    )


def _judge(task: Task, kernel: Path) -> Outcome:
    file = read_asm(kernel)
    file.path = task.name
    judgements = judge_asm(file)
    suspects = sum(len(j.suspects) for j in judgements)
    doubts = [f"unknown instruction '{mnemonic}'" for mnemonic in file.unknown]
    doubts += [f"{j.function}: unknown target of a jump" for j in judgements if j.unresolved]
    answer = Answer.SUSPECT if suspects else Answer.UNPROVEN if doubts else Answer.UNSUSPECTED
    return Outcome(
        answer=answer,
        message=doubts[0] if doubts else "",
        wrong=suspects,
        spills=sum(j.spill_lanes + j.scratch_dwords for j in judgements),
        code=hashlib.sha256(kernel.read_bytes()).hexdigest()[:12],
        result=json.dump(asm_object(file, judgements, task.tool)),
    )


def _estimate(task: Task, kernel: Path) -> Outcome:
    device = find_device(DEFAULT_DEVICE)
    assert device is not None
    found = replace(study(kernel, device, None), path=Path(task.name))
    if found.fit is None:
        return failed(ErrorKind.INPUT, f"{task.name}: error: {found.why}")
    return Outcome(
        answer=_FITS[found.fit],
        message=found.why,
        wrong=int(found.fit is Fit.OVER),
        spills=found.spill_estimate,
        result=json.dump(study_object(found, task.tool)),
    )


def _tool_kind(error: ToolFailure) -> ErrorKind:
    if _NO_MEMORY.search(error.stderr) or _NO_MEMORY.search(str(error)):
        return ErrorKind.MEMORY
    crashed = error.status is not None and error.status < 0
    return ErrorKind.COMPILER_CRASH if crashed else ErrorKind.COMPILER


def _place(error: BaseException) -> str:
    """Where in this program it was raised, for a report of the fault."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" [{PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}]"
