"""One random program through the compiler and the check, and what came of it as one line of a log."""

from __future__ import annotations

import dataclasses
import enum
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regtriage.dataflow.findings import Exit, Finding, Layer, Verdict
from regtriage.dataflow.trace import Event, SpillerTrace
from regtriage.tools.llc.errors import InputError
from regtriage.tools.llc.run import Compilation, CompileRequest, Llc, LlcIdentity, ToolFailure, Variant
from regtriage.tools.results import FunctionReport, VariantReport
from regtriage.tools.triage import TriageRequest, read_trace, triage

from .generator import Program, generate
from .shapes import Shape

_CURES = (Variant.GUARD, Variant.GUARD_LANES, Variant.PRIVATE)
_RUNS = 1000
_RUNS_UNPROVEN = 100


class Ending(enum.StrEnum):
    """What became of a program: a verdict, that the compiler refused it, or that this program failed."""

    BUG = "BUG"
    HAZARD = "HAZARD"
    CLEAN = "CLEAN"
    UNPROVEN = "UNPROVEN"
    NOT_COMPILED = "not compiled"
    FAILED = "internal error"


@dataclass(frozen=True, slots=True)
class Record:
    """One program.

    exits: of its findings about the shipped code, each once. stage: where the first of them was seen. runs, differ:
    executions before and after allocation, of programs that are wrong or not proved right. note: why it is not
    proved, not compiled, not confirmed or not examined, or "". cures: by variant, `cause`, `perturbed` or `none`.
    alone: what refusing only the same-block hoist behind a finding does to the verdict, "" if there was none that
    can be refused. hoists, partial: candidates for the same-block hoist. checked: operands compared.
    """

    seed: int
    shape: str
    cpu: str
    ending: Ending
    exits: tuple[str, ...] = ()
    stage: str = ""
    runs: int = 0
    differ: int = 0
    note: str = ""
    cures: dict[str, str] = dataclasses.field(default_factory=dict[str, str])
    alone: str = ""
    hoists: int = 0
    partial: int = 0
    checked: int = 0

    @property
    def is_unconfirmed(self) -> bool:
        """A bug that no execution shows."""
        return self.ending is Ending.BUG and not self.differ

    @property
    def is_crash(self) -> bool:
        """The compiler did not refuse it, it fell over."""
        return self.ending is Ending.NOT_COMPILED and ": crashed (" in self.note

    def as_json(self) -> dict[str, Any]:
        """As one object of the log."""
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(fields: dict[str, Any]) -> Record:
        """Raises KeyError, TypeError or ValueError if it is not one."""
        record = Record(**fields)
        return dataclasses.replace(record, ending=Ending(record.ending), exits=tuple(record.exits))


@dataclass(frozen=True, slots=True)
class Examiner:
    """Compiles and checks programs. seconds: of the compiler's time a program gets."""

    llc: Llc
    shapes: tuple[Shape, ...]
    cpus: tuple[str, ...]
    seconds: float = 60.0

    def examine(self, seed: int) -> Record:
        """The record of the program with that seed. A fault of this program is a record too: the next one may do."""
        program = generate(seed, self.shapes, self.cpus)
        with tempfile.TemporaryDirectory(prefix="regtriage-fuzz-") as name:
            try:
                return _Examination(program, _TimedLlc(self.llc, self.seconds), Path(name)).run()
            except (InputError, OSError):
                raise
            except Exception as error:  # whatever it is, a campaign of hours goes on
                frame = traceback.extract_tb(error.__traceback__)[-1]
                what = " ".join(f"{type(error).__name__}: {error}".split())
                note = f"{what} [{Path(frame.filename).name}:{frame.lineno}]"
                parameters = program.parameters
                return Record(parameters.seed, parameters.shape, parameters.cpu, Ending.FAILED, note=note)


class _TimedLlc(Llc):
    """A compiler whose every compilation has a limit: a random program may be one that LLVM never finishes."""

    def __init__(self, llc: Llc, seconds: float) -> None:
        self._llc, self._seconds = llc, seconds

    def _identify(self) -> LlcIdentity:
        return self._llc.identity

    def supports(self, variant: Variant) -> bool:
        return self._llc.supports(variant)

    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        return self._llc.compile(dataclasses.replace(request, time_limit=self._seconds), out_dir)


class _Examination:
    def __init__(self, program: Program, llc: Llc, folder: Path) -> None:
        self._program, self._llc, self._folder = program, llc, folder
        self._kernel = folder / "kernel.ll"
        self._kernel.write_text(program.text)

    def run(self) -> Record:
        parameters = self._program.parameters
        blank = Record(parameters.seed, parameters.shape, parameters.cpu, Ending.NOT_COMPILED)
        try:
            report = self._triage((Variant.OFF,), confirm=_RUNS).variants[0]
        except ToolFailure as failure:
            return dataclasses.replace(blank, note=_first_line(str(failure)))
        record = dataclasses.replace(
            blank,
            ending=Ending(report.verdict.value),
            checked=sum(layer.checked for layer in report.layers),
            hoists=report.spiller.hoist_candidates if report.spiller else 0,
            partial=report.spiller.partial if report.spiller else 0,
        )
        if report.verdict is Verdict.UNPROVEN:
            return self._unproven(record)
        return self._bug(record, report) if report.verdict is Verdict.BUG else record

    def _unproven(self, record: Record) -> Record:
        """Execution may still tell that it is wrong."""
        report = self._triage((Variant.OFF,), confirm=_RUNS_UNPROVEN, confirm_all=True).variants[0]
        why = _first_line(*(line for layer in report.layers for line in layer.unproven))
        confirmed = report.confirmed
        assert confirmed is not None
        return dataclasses.replace(record, note=why, runs=confirmed.runs, differ=confirmed.differ)

    def _bug(self, record: Record, report: VariantReport) -> Record:
        findings = next(layer.findings for layer in report.layers if layer.layer is Layer.REWRITTEN)
        confirmed = report.confirmed
        cures = self._triage((Variant.OFF, *_CURES)).cures
        return dataclasses.replace(
            record,
            exits=tuple(dict.fromkeys(str(f.exit) for f in findings)),
            stage=findings[0].stage,
            runs=confirmed.runs if confirmed else 0,
            differ=confirmed.differ if confirmed else 0,
            note=confirmed.note if confirmed else "",
            cures={str(cure.variant): str(cure.how) for cure in cures},
            alone=self._alone(findings),
        )

    def _alone(self, findings: Sequence[Finding]) -> str:
        """Refuse, one at a time, only the hoists that made the stores which the findings name."""
        if not any(f.exit is Exit.HOIST_INSIDE_BB for f in findings):
            return ""
        request = CompileRequest(self._kernel, extra_args=self._program.parameters.llc_args)
        trace = read_trace(self._llc.compile(request, self._folder / "again"))["k"]
        ends: list[str] = []
        for hoist in _bad_hoists(findings, trace):
            ordinal = hoist.get("partial_by_lanes")
            if ordinal is None:
                ends.append("not partial")
                continue
            only = ("-hoist-spill-guard=lanes", f"-guard-skip={ordinal}", "-guard-count=1")
            ends.append(str(self._triage((Variant.OFF,), llc_args=only).variants[0].verdict))
        return ", ".join(ends)

    def _triage(
        self,
        variants: tuple[Variant, ...],
        *,
        confirm: int = 0,
        confirm_all: bool = False,
        llc_args: tuple[str, ...] = (),
    ) -> FunctionReport:
        request = TriageRequest(
            self._kernel,
            variants,
            confirm=confirm,
            confirm_all=confirm_all,
            jobs=1,
            llc_args=(*self._program.parameters.llc_args, *llc_args),
        )
        return triage(request, self._llc).functions[0]


def _bad_hoists(findings: Iterable[Finding], trace: SpillerTrace) -> list[Event]:
    """The hoists that made the stores of findings with that exit."""
    found: list[Event] = []
    for finding in findings:
        if finding.exit is not Exit.HOIST_INSIDE_BB or finding.store is None:
            continue
        store = trace.store(*finding.store)
        if store is None:
            continue
        for hoist in trace.hoists:
            same = all(hoist.get(k) == store.get(k) for k in ("allocation", "call", "block", "slot"))
            if same and hoist.get("sibling") == store.get("register") and hoist not in found:
                found.append(hoist)
    return found


def _first_line(*texts: str) -> str:
    return next((line for text in texts for line in text.splitlines() if line), "")
