"""`regtriage reduce`, without its command line: find the cause, hold on to it, write the test."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.analyse import StageKey, allocations
from regtriage.dataflow.findings import Exit, Finding, Layer
from regtriage.tools.llc.inputs import is_mir
from regtriage.tools.llc.run import BuiltinLlc, Compilation, CompileRequest, InputError, ToolFailure, Variant
from regtriage.tools.results import Conclusion, FunctionReport, How
from regtriage.tools.triage import Stages, TriageRequest, default_target, read_liveness, triage

from .delta import Form, Reduction
from .interesting import Judge, undefined_lanes
from .ir import IrForm
from .model import Cause, Judgement, Outcome, Setup, Undefined
from .output import write_test

_CURES = (Variant.GUARD, Variant.PRIVATE)


@dataclass(frozen=True, slots=True)
class ReduceRequest:
    """What to reduce.

    output: the test; its suffix tells its language: `.ll`, or `.mir` for the function before the allocation that is
    wrong. work: the folder of what is kept on the way. exit: which finding's cause to hold on to, None: the first
    one's. runs: executions that may be tried to confirm a candidate. resume: go on with what work holds.
    seed: with another one, passes run in another order.
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
    resume: bool = False


@dataclass(frozen=True, slots=True)
class ReduceReport:
    """What came of it. cause None: nothing is wrong with the input, and nothing was written.

    before, after: lines of code, those of the body for MIR. is_interrupted: Ctrl-C; the test is the best so far.
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


def reduce(request: ReduceRequest, llc: BuiltinLlc, progress: Callable[[str], None] = lambda _: None) -> ReduceReport:
    """Reduce, and write the test.

    Raises InputError if the input or the call is wrong, ToolFailure if the compiler fails on the input.
    """
    if request.output.suffix not in (".ll", ".mir"):
        raise InputError(f"{request.output}: error: the test's name must end in .ll or .mir")
    progress("looking for the cause")
    setup = _setup(request, llc)
    if setup is None:
        return ReduceReport(request.input, request.output, request.work, None)
    form = _form(request, setup)
    reduction = Reduction(form, request.work, _key(request), request.jobs, request.seed, progress)
    text = _first_text(form, request.input)
    if not (request.resume and reduction.resume()):
        reduction.begin(text)
        judgement = _judge(form, reduction.best)
        if judgement.outcome is not Outcome.KEPT:
            raise ToolFailure(f"{request.input}: error: cannot be reduced: as a test it is refused: {judgement.why}")
    interrupted = False
    try:
        reduction.run()
    except KeyboardInterrupt:
        interrupted = True
    best = reduction.best.read_text()
    findings = _judge(form, reduction.best).findings
    write_test(form.setup, best, findings, request.output)
    counts = reduction.counts
    return ReduceReport(
        request.input,
        request.output,
        request.work,
        form.setup.cause,
        form.size(text),
        form.size(best),
        counts.tried,
        counts.drifted,
        reduction.seconds,
        interrupted,
    )


def _key(request: ReduceRequest) -> str:
    """What decides a reduction, except for how many workers there are."""
    digest = hashlib.sha256(request.input.read_bytes()).hexdigest()
    fields = (request.triple, request.cpu, request.opt, request.llc_args, request.function, request.exit)
    return json.dumps([digest, request.output.suffix, *fields, request.runs, request.seed])


def _form(request: ReduceRequest, setup: Setup) -> Form:
    if is_mir(request.input):
        raise InputError(f"{request.input}: error: cannot reduce MIR yet")
    return IrForm(setup)


def _first_text(form: Form, file: Path) -> str:
    """The input as the native tool prints it."""
    with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
        output = Path(name) / f"first{form.suffix}"
        flags = ("-reduce-pass=decorations", f"-reduce-output={output}", form.setup.stop)
        setup = form.setup
        request = CompileRequest(file, Variant.OFF, setup.triple, setup.cpu, setup.opt, (*setup.args, *flags))
        setup.llc.compile(request, Path(name) / "first")
        return output.read_text()


def _judge(form: Form, file: Path) -> Judgement:
    return Judge(form.setup).judge(file)


# -- the cause ----------------------------------------------------------------------------------------------------


def _setup(request: ReduceRequest, llc: BuiltinLlc) -> Setup | None:
    """Triage the input. None if it is right. Raises InputError, ToolFailure."""
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
    assert finding.exit is not None and finding.exit_by is not None
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
                return allocation.start, stage, undefined_lanes(before, lanes)
    raise ToolFailure(f"{compilation.request.input}: error: no stage {finding.stage}")


__all__ = ["ReduceReport", "ReduceRequest", "reduce"]
