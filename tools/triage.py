"""One kernel through one compiler: compile each variant, check every layer, compare the variants.

Each variant is compiled and checked in a process of its own. What crosses the process boundary is the
findings, not the MIR.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.analyse import Analyser, Loader, StageKey, analyse_pair, spill_code_seen
from regtriage.dataflow.cures import judge_cure
from regtriage.dataflow.evidence import Evidence
from regtriage.dataflow.findings import Finding, Layer, LayerResult, Verdict
from regtriage.dataflow.judge import overall
from regtriage.dataflow.liveness import LaneLiveness, LivenessError, parse_lane_liveness
from regtriage.dataflow.mir.model import MachineFunction, MirError, MirFile
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import Target, TargetError, target_for
from regtriage.dataflow.trace import SpillerTrace, TraceError, parse_trace
from regtriage.dataflow.translate import ShapeMismatchError
from regtriage.tools.asm_layer import asm_layer
from regtriage.tools.collector import collector_paused
from regtriage.tools.confirm import confirm_findings
from regtriage.tools.evidence import Compiled, gather_evidence, pair_evidence
from regtriage.tools.llc.inputs import check_input
from regtriage.tools.llc.run import (
    Compilation,
    CompileRequest,
    InputError,
    Llc,
    LlcIdentity,
    ToolFailure,
    Variant,
)
from regtriage.tools.results import (
    Conclusion,
    Confirmation,
    Cure,
    FunctionReport,
    Given,
    How,
    RunReport,
    SpillerCounts,
    TargetInfo,
    VariantReport,
)
from regtriage.tools.sources import SourceFiles
from regtriage.tools.workers import Workers

DEFAULT_TRIPLE = "amdgcn-amd-amdhsa"
DEFAULT_CPU = "gfx950"
MOST_MIR_BYTES = 128 * 1024 * 1024
"""Larger MIR is refused: reading it would take more memory than a triage run may."""

_TRIPLE = re.compile(rb'^\s*target triple = "([^"]*)"', re.M)
_CPU = re.compile(rb'"target-cpu"="([^"]*)"')


@dataclass(frozen=True, slots=True)
class TriageRequest:
    """What to run.

    variants: None means off and, if the compiler has it, guard, and private as soon as one of these is BUG.
    triple, cpu: None means what the file says, else AMDGPU's gfx950. confirm: at most so many executions of a
    function with a BUG, before against after; confirm_all: of every function. keep: folder for all artefacts.
    functions: names, all if empty. evidence: gather what a report shows of each finding. source: a folder with source
    files for it, besides those that are where the kernel says.
    """

    input: Path
    variants: tuple[Variant, ...] | None = None
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    llc_args: tuple[str, ...] = ()
    confirm: int = 1000
    confirm_all: bool = False
    jobs: int = 2
    keep: Path | None = None
    functions: tuple[str, ...] = ()
    evidence: bool = False
    source: Path | None = None


Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One variant, all functions. traces are kept to compare variants."""

    variant: Variant
    llc: LlcIdentity
    target: TargetInfo
    reports: dict[str, VariantReport]
    traces: dict[str, SpillerTrace]


def triage(request: TriageRequest, llc: Llc, progress: Progress = lambda _: None) -> RunReport:
    """Run the whole triage.

    Raises InputError for a kernel that cannot be read or a call that makes no sense, ToolFailure if the
    compiler fails.
    """
    check_input(request.input)
    asked = request.variants or tuple(v for v in (Variant.OFF, Variant.GUARD) if llc.supports(v))
    with tempfile.TemporaryDirectory(prefix="regtriage-") as scratch:
        folder = Path(scratch)
        outcomes = _run_variants(request, llc, asked, folder, progress)
        if request.variants is None and _any_bug(outcomes) and llc.supports(Variant.PRIVATE):
            outcomes += _run_variants(request, llc, (Variant.PRIVATE,), folder, progress)
        if request.keep is not None:
            _keep(folder, request.keep)
    return _report(request, outcomes)


def _run_variants(
    request: TriageRequest, llc: Llc, variants: Sequence[Variant], folder: Path, progress: Progress
) -> list[_Outcome]:
    progress(f"compiling and checking {', '.join(variants)}")
    workers = min(request.jobs, len(variants))
    if workers <= 1:
        outcomes: list[_Outcome] = []
        for variant in variants:
            progress(f"compiling and checking {variant}")
            outcomes.append(_run_variant(request, llc, variant, folder))
        return outcomes
    with Workers(workers - 1) as pool:
        futures = [pool.submit(_run_variant, request, llc, v, folder) for v in variants[1:]]
        # this process works too: it need not start and import first
        first = _run_variant(request, llc, variants[0], folder)
        progress(f"{variants[0]} done")
        return [first, *(f.result() for f in futures)]


def _run_variant(request: TriageRequest, llc: Llc, variant: Variant, folder: Path) -> _Outcome:
    triple, cpu = default_target(request.input, request.triple, request.cpu)
    compile_request = CompileRequest(
        input=request.input,
        variant=variant,
        triple=triple,
        cpu=cpu,
        opt=request.opt,
        extra_args=request.llc_args,
    )
    compilation = llc.compile(compile_request, folder / str(variant))
    with collector_paused():
        return _look_at(request, compilation, triple or "", cpu or "")


def _look_at(request: TriageRequest, compilation: Compilation, triple: str, cpu: str) -> _Outcome:
    """Check every function. triple, cpu: those given to the compiler, "" where the file says."""
    started = time.perf_counter()
    stages = Stages(compilation)
    traces = read_trace(compilation)
    liveness = read_liveness(compilation)
    names = function_names(stages, request.functions)
    reading = time.perf_counter() - started
    reports: dict[str, VariantReport] = {}
    for name in names:
        reports[name] = _check_function(request, compilation, stages, name, liveness, traces, reading)
    target = TargetInfo(stages.triple or triple, cpu or stages.cpu, request.opt)
    return _Outcome(compilation.request.variant, compilation.llc, target, reports, traces)


def _check_function(
    request: TriageRequest,
    compilation: Compilation,
    stages: Stages,
    name: str,
    liveness: Mapping[tuple[str, int], LaneLiveness] | None,
    traces: Mapping[str, SpillerTrace],
    read_seconds: float,
) -> VariantReport:
    started = time.perf_counter()
    trace = traces.get(name)
    try:
        layers = Analyser(name, stages.loaders(), stages.target, liveness, trace).run()
    except (MirError, ShapeMismatchError, TargetError) as error:
        layers = [LayerResult(Layer.REWRITTEN, Verdict.UNPROVEN, (), (), (str(error),), 0)]
    lines = asm_layer(compilation.asm, name, layers, stages.loaders().values(), stages.target)
    layers += [lines] if lines is not None else []
    checked = time.perf_counter()
    verdict = _verdict(layers)
    confirmed: Confirmation | None = None
    if request.confirm and (verdict is Verdict.BUG or request.confirm_all):
        confirmed = confirm_findings(
            stages.loaders(), name, stages.target, liveness, _worst_findings(layers), request.confirm
        )
    seconds = {
        "compile": compilation.seconds,
        "read": read_seconds,
        "check": checked - started,
        "confirm": time.perf_counter() - checked,
    }
    evidence: tuple[Evidence, ...] = ()
    if request.evidence and verdict is Verdict.BUG:
        sources = SourceFiles(request.source)
        compiled = Compiled(name, stages.loaders(), stages.target, compilation.asm, trace, sources.lines)
        # what the check need not know of a register, the lane graph may
        with contextlib.suppress(TargetError):
            evidence = gather_evidence(compiled, layers)
    return VariantReport(
        compilation.request.variant, verdict, _counts(trace), tuple(layers), confirmed, seconds, evidence
    )  # fmt: skip


def _verdict(layers: Sequence[LayerResult]) -> Verdict:
    by_layer = {r.layer: r.verdict for r in layers}
    return overall(by_layer.get(Layer.MIR), by_layer.get(Layer.REWRITTEN))


def _worst_findings(layers: Sequence[LayerResult]) -> tuple[Finding, ...]:
    """The findings about the shipped code, else those about virtual registers."""
    by_layer = {r.layer: r.findings for r in layers}
    return by_layer.get(Layer.REWRITTEN) or by_layer.get(Layer.MIR) or ()


def _counts(trace: SpillerTrace | None) -> SpillerCounts | None:
    if trace is None or not trace.summaries:
        return None
    return SpillerCounts(
        trace.total("hoist_candidates"),
        trace.total("partial_by_subranges"),
        trace.total("refused"),
        trace.total("private_granted"),
    )


class Stages:
    """The MIR of one compilation, read when asked for.

    reader: one that has read other compilations of the same input; lines that it knows are not parsed again.
    Raises ToolFailure if there is no MIR, InputError for a target that is not known.
    """

    def __init__(self, compilation: Compilation, reader: Reader | None = None) -> None:
        self._paths = {StageKey(str(s.when) == "before", s.pass_name, s.index): s.path for s in compilation.stages}
        self._files: dict[StageKey, MirFile] = {}
        first = next(iter(self._paths), None)
        if first is None:
            raise ToolFailure(f"{compilation.llc.path}: the compiler ran no register allocation")
        if not any(key.pass_name == "greedy" for key in self._paths):
            why = "at -O0 LLVM allocates without it" if compilation.request.opt == 0 else "there is nothing to check"
            raise InputError(f"{compilation.request.input}: error: no greedy register allocation was run: {why}")
        text = _read_text(self._paths[first])
        self.triple = _found(_TRIPLE, text)
        self.cpu = _found(_CPU, text)
        try:
            self.target: Target = target_for(self.triple)
        except TargetError as error:
            raise InputError(f"{compilation.request.input}: error: {error}") from None
        self.input = compilation.request.input
        self.reader = reader or Reader(self.target)

    def loaders(self) -> dict[StageKey, Loader]:
        """By stage, in pipeline order, what reads it."""
        return {key: self._loader(key) for key in self._paths}

    def first(self) -> MirFile:
        """The earliest stage."""
        return self._load(next(iter(self._paths)))

    def _loader(self, key: StageKey) -> Loader:
        return lambda: self._load(key)

    def _load(self, key: StageKey) -> MirFile:
        found = self._files.get(key)
        if found is None:
            path = self._paths[key]
            found = self._files[key] = self.reader.read(_read_text(path), str(path.name))
        return found


def _read_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")


def _found(pattern: re.Pattern[bytes], text: str) -> str:
    found = re.search(pattern.pattern.decode(), text, re.M)
    return found.group(1) if found else ""


def function_names(stages: Stages, wanted: tuple[str, ...]) -> list[str]:
    """The functions with a body, those wanted if any are named. Raises InputError for one that is not there."""
    names = [f.name for f in stages.first().functions]
    for name in wanted:
        if name not in names:
            raise InputError(f"{stages.input}: error: no function '{name}' (it has: {', '.join(names)})")
    return [n for n in names if not wanted or n in wanted]


def read_trace(compilation: Compilation) -> dict[str, SpillerTrace]:
    """The spiller's trace by function; nothing of a compiler that writes none. Raises ToolFailure."""
    if compilation.trace is None:
        return {}
    try:
        with compilation.trace.open(encoding="utf-8") as lines:
            return parse_trace(lines)
    except TraceError as error:
        raise ToolFailure(f"{compilation.trace}: {error}") from None


def read_liveness(compilation: Compilation) -> dict[tuple[str, int], LaneLiveness] | None:
    """The live lanes by function and allocation, None of a compiler that writes none. Raises ToolFailure."""
    if compilation.live_lanes is None:
        return None
    try:
        return parse_lane_liveness(_read_text(compilation.live_lanes))
    except LivenessError as error:
        raise ToolFailure(f"{compilation.live_lanes}: {error}") from None


def default_target(file: Path, triple: str | None, cpu: str | None) -> tuple[str | None, str | None]:
    """Triple and CPU to pass: what the user said, else nothing where the file knows, else AMDGPU's gfx950."""
    if file.suffix == ".bc":
        return triple, cpu
    try:
        text = file.read_bytes()
    except OSError:
        # the driver reports it, with its own words
        return triple, cpu
    found = _TRIPLE.search(text)
    if triple is None and not found:
        triple = DEFAULT_TRIPLE
    known = triple or (found.group(1).decode(errors="replace") if found else "")
    if cpu is None and known.startswith("amdgcn") and not _CPU.search(text):
        cpu = DEFAULT_CPU
    return triple, cpu


def _any_bug(outcomes: Sequence[_Outcome]) -> bool:
    return any(r.verdict is Verdict.BUG for o in outcomes for r in o.reports.values())


def _keep(scratch: Path, keep: Path) -> None:
    keep.mkdir(parents=True, exist_ok=True)
    for entry in scratch.iterdir():
        shutil.copytree(entry, keep / entry.name, dirs_exist_ok=True)


# -- comparing variants -----------------------------------------------------------------------------------


def _report(request: TriageRequest, outcomes: Sequence[_Outcome]) -> RunReport:
    first = outcomes[0]
    functions = tuple(_function_report(name, outcomes) for name in first.reports)
    kept = str(request.keep) if request.keep is not None else ""
    given = Given(request.triple, request.cpu, request.llc_args)
    return RunReport(str(request.input), first.target, first.llc, functions, kept, given)


def _function_report(name: str, outcomes: Sequence[_Outcome]) -> FunctionReport:
    variants = tuple(o.reports[name] for o in outcomes if name in o.reports)
    base = next((o for o in outcomes if o.variant is Variant.OFF), outcomes[0])
    conclusion = _conclusion(base.reports[name].verdict)
    cures: tuple[Cure, ...] = ()
    if conclusion is Conclusion.MISCOMPILED:
        cures = tuple(_cure(name, base, o) for o in outcomes if o is not base)
    return FunctionReport(name, conclusion, cures, variants)


def _conclusion(verdict: Verdict) -> Conclusion:
    return {
        Verdict.BUG: Conclusion.MISCOMPILED,
        Verdict.HAZARD: Conclusion.HAZARD,
        Verdict.CLEAN: Conclusion.CLEAN,
        Verdict.UNPROVEN: Conclusion.UNPROVEN,
    }[verdict]


def _cure(name: str, base: _Outcome, other: _Outcome) -> Cure:
    verdict = other.reports[name].verdict
    if verdict is Verdict.BUG:
        return Cure(other.variant, How.NONE, "still wrong")
    if verdict is Verdict.UNPROVEN:
        return Cure(other.variant, How.NONE, "not proved right")
    off, cured = base.traces.get(name), other.traces.get(name)
    if off is None or cured is None:
        return Cure(other.variant, How.PERTURBED, "right, but without a spiller trace the cause is not known")
    reason = judge_cure(_worst_findings(base.reports[name].layers), off, cured)
    return Cure(other.variant, How.CAUSE if reason.is_cause else How.PERTURBED, reason.why)


# -- two files ----------------------------------------------------------------------------------------------


def check_files(
    before: Path,
    after: Path,
    function: str | None = None,
    live_lanes: Path | None = None,
    evidence: SourceFiles | None = None,
) -> tuple[FunctionReport, ...]:
    """Compare MIR before and after allocation, as a user's own llc printed it.

    evidence: gather what a report shows of each finding, with this for the source; None: do not.
    Raises InputError where a file is not MIR, or the two are not one function at two stages in that order.
    """
    before_file, after_file, target = _read_pair(before, after)
    names = _common_functions(before_file, after_file, function)
    liveness = _user_liveness(live_lanes)
    reports: list[FunctionReport] = []
    for name in names:
        _refuse_swapped(before_file.function(name), after_file.function(name))
        started = time.perf_counter()
        lanes = liveness.get((name, 0)) if liveness else None
        try:
            layer = analyse_pair(before_file, after_file, name, target, lanes)
        except ShapeMismatchError as error:
            raise InputError(f"{after}: error: not the same function as in {before}: {error}") from None
        except TargetError as error:
            raise InputError(f"{after}: error: {error}") from None
        seconds = {"check": time.perf_counter() - started}
        shown: tuple[Evidence, ...] = ()
        if evidence is not None:
            with contextlib.suppress(TargetError):
                shown = pair_evidence(before_file, after_file, name, target, layer, evidence.lines)
        variant = VariantReport(Variant.OFF, layer.verdict, None, (layer,), None, seconds, shown)
        reports.append(FunctionReport(name, _conclusion(layer.verdict), (), (variant,)))
    return tuple(reports)


def _read_pair(before: Path, after: Path) -> tuple[MirFile, MirFile, Target]:
    texts = [_user_text(p) for p in (before, after)]
    triple = next((t for t in (_found(_TRIPLE, x) for x in texts) if t), "")
    try:
        target = target_for(triple)
        reader = Reader(target)
        files = [reader.read(text, str(path)) for text, path in zip(texts, (before, after), strict=True)]
    except MirError as error:
        raise InputError(str(error)) from None
    except TargetError as error:
        raise InputError(f"{before}: error: {error}") from None
    return files[0], files[1], target


def _user_text(path: Path) -> str:
    try:
        if path.is_dir():
            raise InputError(f"{path}: error: is a directory, not a MIR file")
        if path.stat().st_size > MOST_MIR_BYTES:
            raise InputError(f"{path}: error: larger than {MOST_MIR_BYTES >> 20} MiB: not the MIR of one kernel")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror}") from None
    if not data.strip():
        raise InputError(f"{path}: error: the file is empty")
    if b"\0" in data[:4096]:
        raise InputError(f"{path}: error: binary data, not MIR text")
    return data.decode("utf-8", errors="surrogateescape")


def _common_functions(before: MirFile, after: MirFile, wanted: str | None) -> list[str]:
    ours, theirs = before.by_name(), after.by_name()
    if wanted is not None:
        for file, names in ((before, ours), (after, theirs)):
            if wanted not in names:
                raise InputError(f"{file.path}: error: no function '{wanted}' (it has: {', '.join(names)})")
        return [wanted]
    common = [n for n in ours if n in theirs]
    if not common:
        raise InputError(
            f"{after.path}:{after.functions[0].line}:1: error: function '{after.functions[0].name}' "
            f"is not in {before.path} (it has: {', '.join(ours)})"
        )
    return common


def _refuse_swapped(before: MachineFunction, after: MachineFunction) -> None:
    if spill_code_seen(before) and not spill_code_seen(after):
        raise InputError(
            f"{before.path}:{before.line}:1: error: '{before.name}' is already allocated here and not yet in "
            f"{after.path}: are the two files swapped?"
        )


def _user_liveness(path: Path | None) -> dict[tuple[str, int], LaneLiveness] | None:
    if path is None:
        return None
    try:
        return parse_lane_liveness(_user_text(path))
    except LivenessError as error:
        raise InputError(f"{path}: error: {error}") from None
