"""`regtriage reduce`, without its command line: find the cause, hold on to it, write the test."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regtriage.dataflow.analyse import StageKey, allocations
from regtriage.dataflow.findings import Exit, Finding, Layer
from regtriage.tools.llc.inputs import is_mir, start_of_mir
from regtriage.tools.llc.run import BuiltinLlc, Compilation, CompileRequest, InputError, ToolFailure, Variant
from regtriage.tools.results import Conclusion, FunctionReport, How
from regtriage.tools.triage import Stages, TriageRequest, default_target, read_liveness, triage

from .delta import Form, Reduction
from .interesting import Judge, undefined_lanes
from .ir import IrForm
from .mir import MirForm, spelled
from .model import Cause, Outcome, Setup, Undefined
from .output import clean, write_test
from .through_mir import Referee, mir_of, setup_of_mir

_CURES = (Variant.GUARD, Variant.PRIVATE)


@dataclass(frozen=True, slots=True)
class ReduceRequest:
    """What to reduce.

    output: the test; its suffix tells its language: `.ll`, or `.mir` for the function before the allocation that is
    wrong. work: the folder of what is kept on the way. exit: which finding's cause to hold on to, None: the first
    one's. runs: executions that may be tried to confirm a candidate. resume: go on with what work holds.
    seed: with another one, passes run in another order. descents: so many times the last part is done, each in another
    order; the smallest counts.
    """

    input: Path
    output: Path
    work: Path
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    llc_args: tuple[str, ...] = ()
    function: str | None = None
    exit: Exit | None = None
    runs: int = 100
    jobs: int = 2
    seed: int = 0
    descents: int = 6
    resume: bool = False


@dataclass(frozen=True, slots=True)
class ReduceReport:
    """What came of it. cause None: nothing is wrong with the input, and nothing was written.

    before, after: lines of code, those of the body for MIR. is_interrupted: Ctrl-C; the test is the best so far.
    is_proved: its CHECK lines fail on the broken allocation and pass on a cured one.
    """

    input: Path
    output: Path
    work: Path
    cause: Cause | None
    before: int = 0
    after: int = 0
    tried: int = 0
    drifted: int = 0
    seconds: float = 0.0
    is_interrupted: bool = False
    is_proved: bool = False


def reduce(request: ReduceRequest, llc: BuiltinLlc, progress: Callable[[str], None] = lambda _: None) -> ReduceReport:
    """Reduce, and write the test.

    Raises InputError if the input or the call is wrong, ToolFailure if the compiler fails on the input.
    """
    if request.output.suffix not in (".ll", ".mir"):
        raise InputError(f"{request.output}: error: the test's name must end in .ll or .mir")
    if is_mir(request.input):
        if request.output.suffix != ".mir":
            raise InputError(f"{request.output}: error: MIR is reduced to MIR: the test's name must end in .mir")
        # said, so that the test's RUN line says it too
        start = start_of_mir(request.input, request.llc_args)
        request = replace(request, llc_args=(*request.llc_args, *start))
    progress("looking for the cause")
    setup = find_cause(request, llc)
    if setup is None:
        return ReduceReport(request.input, request.output, request.work, None)
    if is_mir(request.input):
        return _reduce(request, MirForm(setup), request.input, request.work, progress)
    if request.output.suffix == ".ll":
        return _reduce(request, IrForm(setup), request.input, request.work, progress)
    return _reduce_to_mir(request, setup, progress)


def _reduce_to_mir(request: ReduceRequest, setup: Setup, progress: Callable[[str], None]) -> ReduceReport:
    """Make IR small whose MIR is wrong, then that MIR: less than could be cut out of a whole kernel's MIR.

    Raises ToolFailure if no MIR of any candidate is wrong.
    """
    form = IrForm(setup, setup_of_mir(setup, request.input))
    assert form.mir is not None
    reduction = _begun(request, form, request.input, request.work / "ir", progress)
    interrupted = _is_interrupted(reduction)
    if interrupted and reduction.spelling is None:
        return _written(request, form, reduction, reduction.best, request.work / "ir" / "test.ll", interrupted=True)
    if reduction.spelling is None:
        reduction.tidy()
        why = "that of no candidate is wrong when it is read again"
        raise ToolFailure(f"{request.input}: error: cannot be reduced to MIR: {why}")
    mir, start = MirForm(form.mir), _start_in_mir(reduction)
    before = mir.size(mir_of(setup, request.input))
    if interrupted:
        # its reduction is not begun: the IR will be smaller
        return replace(_written(request, mir, reduction, start, request.output, interrupted=True), before=before)
    reduction.tidy()
    # what was begun is of this IR only if that had been done before
    resume = request.resume and not reduction.counts.tried
    second = _reduce(replace(request, resume=resume), mir, start, request.work, progress)
    return replace(
        second,
        before=before,
        tried=reduction.counts.tried + second.tried,
        drifted=reduction.counts.drifted + second.drifted,
        seconds=reduction.seconds,
    )


def _start_in_mir(reduction: Reduction) -> Path:
    """Write the MIR of the smallest IR beside it."""
    assert reduction.spelling is not None, "MIR that is wrong"
    setup = reduction.form.setup
    start = reduction.folder / "start.mir"
    start.write_text(spelled(mir_of(setup, reduction.best), setup.cause.function, reduction.spelling))
    return start


def _reduce(
    request: ReduceRequest, form: Form, file: Path, work: Path, progress: Callable[[str], None]
) -> ReduceReport:
    """Reduce one form of the input, and write its test."""
    reduction = _begun(request, form, file, work, progress)
    interrupted = _is_interrupted(reduction)
    report = _written(request, form, reduction, reduction.best, request.output, interrupted=interrupted)
    reduction.tidy()
    return replace(report, before=_size(form, file))


def _begun(request: ReduceRequest, form: Form, file: Path, work: Path, progress: Callable[[str], None]) -> Reduction:
    reduction = Reduction(form, work, _key(request), request.jobs, request.seed, request.descents, progress)
    if not (request.resume and reduction.resume()):
        _begin(form, reduction, file)
    return reduction


def _is_interrupted(reduction: Reduction) -> bool:
    """Reduce as far as it goes, or until Ctrl-C."""
    try:
        reduction.run()
    except KeyboardInterrupt:
        return True
    return False


def _written(
    request: ReduceRequest, form: Form, reduction: Reduction, best: Path, output: Path, *, interrupted: bool
) -> ReduceReport:
    """Write the test of what is the smallest now."""
    text = best.read_text()
    findings = Judge(form.setup).judge(best).findings
    proved = write_test(form.setup, text, findings, output)
    counts = reduction.counts
    return ReduceReport(
        request.input,
        output,
        reduction.folder,
        form.setup.cause,
        _size(form, request.input),
        form.size(clean(text)),
        counts.tried,
        counts.drifted,
        reduction.seconds,
        interrupted,
        proved,
    )


def _key(request: ReduceRequest) -> str:
    """What decides a reduction, except for how many workers there are."""
    digest = hashlib.sha256(request.input.read_bytes()).hexdigest()
    fields = (request.triple, request.cpu, request.opt, request.llc_args, request.function, request.exit)
    return json.dumps([digest, request.output.suffix, *fields, request.runs, request.seed])


def _begin(form: Form, reduction: Reduction, file: Path) -> None:
    """Start with the input as the native tool tidies it or, if that is no longer wrong, as it is."""
    referee = Referee(form.setup, form.mir)
    why = ""
    for text in form.beginnings(file):
        reduction.begin(text)
        judgement = referee.judge(reduction.best)
        if judgement.outcome is Outcome.KEPT:
            reduction.begin(text, judgement.lost, judgement.spelling)
            reduction.findings = judgement.findings
            return
        why = judgement.why
    reduction.abandon()
    raise ToolFailure(f"{file}: error: cannot be reduced: as a test it is refused: {why}")


def _size(form: Form, file: Path) -> int:
    return form.size(file.read_text()) if file.suffix != ".bc" else 0


# -- the cause ----------------------------------------------------------------------------------------------------


def find_cause(request: ReduceRequest, llc: BuiltinLlc) -> Setup | None:
    """Triage the input for the cause to hold on to. None if it is right. Raises InputError, ToolFailure."""
    functions = (request.function,) if request.function else ()
    triage_request = TriageRequest(
        request.input,
        None,
        request.triple,
        request.cpu,
        request.opt,
        request.llc_args,
        confirm=max(1000, request.runs),
        jobs=request.jobs,
        functions=functions,
    )
    report = triage(triage_request, llc)
    wrong = [f for f in report.functions if f.conclusion is Conclusion.MISCOMPILED]
    if not wrong:
        for function in report.functions:
            if function.conclusion is Conclusion.UNPROVEN:
                raise ToolFailure(f"{request.input}: error: {function.name}: not proved; 'regtriage run' says why")
        return None
    finding = _finding(request, wrong[0])
    triple, cpu = default_target(request.input, request.triple, request.cpu)
    compile_request = CompileRequest(request.input, Variant.OFF, triple, cpu, request.opt, request.llc_args)
    with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as folder:
        compilation = llc.compile(compile_request, Path(folder))
        start, stage, undefined = _place(compilation, finding, wrong[0].name)
    cures = tuple(c.variant for c in wrong[0].cures if c.how is How.CAUSE and c.variant in _CURES)
    assert finding.exit is not None
    assert finding.exit_by is not None
    cause = Cause(wrong[0].name, finding.exit, finding.exit_by, finding.kind, start, stage, cures, undefined)
    stop = f"-stop-after={stage.pass_name},{stage.index}"
    target = report.target
    return Setup(
        llc, triple or target.triple, cpu or target.cpu, request.opt, request.llc_args, stop, cause, request.runs
    )


def _finding(request: ReduceRequest, function: FunctionReport) -> Finding:
    off = next(v for v in function.variants if v.variant is Variant.OFF)
    findings: Sequence[Finding] = next((r.findings for r in off.layers if r.layer is Layer.REWRITTEN), ())
    named = [f for f in findings if f.exit is not None and request.exit in (None, f.exit)]
    if not named:
        known = ", ".join(dict.fromkeys(str(f.exit) for f in findings)) or "none with registers assigned"
        raise InputError(f"{request.input}: error: {function.name} has no finding of that kind (it has: {known})")
    if off.confirmed is None or not off.confirmed.differ:
        raise ToolFailure(f"{request.input}: error: {function.name}: no execution confirms what the check found")
    return named[0]


def _place(compilation: Compilation, finding: Finding, name: str) -> tuple[StageKey, StageKey, Undefined]:
    """The stage before the allocation that is wrong, the stage of the finding, and what is undefined there."""
    stages = Stages(compilation)
    loaders = stages.loaders()
    for allocation in allocations(list(loaders)):
        for stage in allocation.rest:
            if f"{stage.pass_name},{stage.index}" == finding.stage:
                lanes = (read_liveness(compilation) or {}).get((name, allocation.index))
                before = loaders[allocation.start]().function(name)
                return allocation.start, stage, undefined_lanes(before, lanes, stages.target)
    raise ToolFailure(f"{compilation.request.input}: error: no stage {finding.stage}")


__all__ = ["ReduceReport", "ReduceRequest", "reduce"]
