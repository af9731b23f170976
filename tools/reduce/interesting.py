"""Whether a candidate still has the cause. The cheap questions come first; most candidates fail the first two.

In this order: it compiles up to the stage concerned; some lane is wrong there; no more undefined lanes are read than
in the original; a lane is lost by the same exit and in the same way; executions differ; the variants that cured the
original cure it, by changing the store that does it; LLVM's machine verifier finds nothing wrong before and after.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import tempfile
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from regtriage.dataflow.analyse import Allocation, Loader, StageKey, allocations
from regtriage.dataflow.check import CheckResult, check
from regtriage.dataflow.cures import judge_cure
from regtriage.dataflow.exits import with_exit
from regtriage.dataflow.findings import Finding, Layer
from regtriage.dataflow.lanes import LaneMap, Locations
from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.mir.debug import DebugInfo
from regtriage.dataflow.mir.model import Flag, Instruction, MachineFunction, MirError, Register, Role
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import Target, TargetError
from regtriage.dataflow.trace import SpillerTrace
from regtriage.dataflow.translate import ShapeMismatchError
from regtriage.dataflow.witness import Context, find_witness, value_finding
from regtriage.tools.confirm import confirm_findings
from regtriage.tools.llc.run import Compilation, InputError, ToolFailure, Variant
from regtriage.tools.triage import Stages, read_liveness, read_trace

from .model import Judgement, Outcome, Setup, Undefined

_STRANGE = (MirError, ShapeMismatchError, TargetError, KeyError)
_MOST_FINDINGS = 8
"""Lanes that are looked at; the first ones, in the order of the text."""
_PREDECESSORS = re.compile(rb" +; preds = .*")
_VERIFIED = "-verify-machineinstrs"


def digest_of(file: Path) -> str:
    """A digest of what a file says, comments about predecessors aside: their order differs from print to print."""
    text = _PREDECESSORS.sub(b"", file.read_bytes())
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def is_judged(file: Path, made: Path | None, known: AbstractSet[str]) -> bool:
    """Whether what was made of a file says what the file says, or a text that was judged before."""
    return made is not None and digest_of(made) in {digest_of(file), *known}


def undefined_lanes(before: MachineFunction, liveness: LaneLiveness | None, target: Target) -> Undefined:
    """Count reads of undefined lanes in a function before allocation."""
    instructions = [i for block in before.blocks for i in block.instructions]
    return Undefined(
        reads=len(liveness.reads) if liveness else 0,
        edges=len(liveness.edges) if liveness else 0,
        operands=sum(1 for i in instructions for u in i.uses if Flag.UNDEF in u.flags),
        lanes=_undefined_lanes(before, instructions, target),
    )


def _undefined_lanes(before: MachineFunction, instructions: Sequence[Instruction], target: Target) -> int:
    """Lanes of IMPLICIT_DEFs, and lanes of virtual registers that are read and that nothing ever defines.

    The latter is what the coalescer makes of the former; the compiler's live lanes do not show it, because it keeps no
    sub-range for such a lane.
    """
    lanes = LaneMap(Locations(target, 16 if before.uses_half_lanes else 32))
    lanes.adopt(before)

    def units(registers: Iterable[Register]) -> set[int]:
        return {u for r in registers if r.virtual and not r.undef for u in lanes.units(r)}

    written = {u for i in instructions for d in (*i.defs, *i.implicit_defs) if d.virtual for u in lanes.units(d)}
    never = units(u for i in instructions for u in (*i.uses, *i.implicit_uses)) - written
    implicit = [d for i in instructions if i.role is Role.UNDEFINE for d in i.defs if d.virtual]
    return len(never) + sum(len(lanes.units(d)) for d in implicit)


class Judge:
    """Judges candidates, one after the other. Lines of MIR that it has read are not parsed again."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._reader: Reader | None = None

    def judge(
        self,
        file: Path,
        extra: tuple[str, ...] = (),
        *,
        made: Path | None = None,
        known: AbstractSet[str] = frozenset(),
        least: int = 1,
    ) -> Judgement:
        """Judge what compiling a file gives.

        extra: flags that make the candidate of the file on the way, in made. known: digests of texts that were judged
        before; those, and the file again, are not judged. least: of the lanes that are wrong.
        """
        with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
            return self._judge(file, extra, made, known, least, Path(name))

    def _judge(
        self, file: Path, extra: tuple[str, ...], made: Path | None, known: AbstractSet[str], least: int, folder: Path
    ) -> Judgement:
        try:
            off = self._compile(file, Variant.OFF, (*extra, self.setup.stop), folder / "off")
            if is_judged(file, made, known):
                return Judgement(Outcome.SAME, "judged before")
            return self._explain(off, made or file, least, folder)
        except (InputError, ToolFailure) as error:
            return Judgement(Outcome.REFUSED, str(error))
        except _STRANGE as error:
            return Judgement(Outcome.REFUSED, f"not understood: {error}")

    def _explain(self, off: Compilation, candidate: Path, least: int, folder: Path) -> Judgement:
        view = self._view(off)
        result = view.check()
        lost = len(result.violations)
        if not lost:
            return Judgement(Outcome.REFUSED, "right")
        if lost < least:
            return Judgement(Outcome.FEWER, f"{lost} lanes are lost", lost=lost)
        return dataclasses.replace(self._blame(view, result, candidate, folder), lost=lost)

    def _blame(self, view: View, result: CheckResult, candidate: Path, folder: Path) -> Judgement:
        cause = self.setup.cause
        if view.undefined().exceeds(cause.undefined):
            return Judgement(Outcome.REFUSED, "more undefined lanes are read than in the original")
        findings = view.findings(result)
        wanted = tuple(f for f in findings if cause.matches(f))
        if not wanted:
            exits = ", ".join(dict.fromkeys(f"{f.exit} ({f.exit_by})" for f in findings)) or "no path shows it"
            return Judgement(Outcome.DRIFTED if findings else Outcome.REFUSED, f"wrong by {exits}")
        if not view.is_confirmed(wanted, self.setup.runs):
            return Judgement(Outcome.REFUSED, "no execution differs")
        for variant in cause.cures:
            cured, why = self._cured(candidate, variant, wanted, view.trace, folder)
            if not cured:
                return Judgement(Outcome.DRIFTED, f"{variant}: {why}")
            wanted = cured
        self._compile(candidate, Variant.OFF, (_VERIFIED,), folder / "verified")
        return Judgement(Outcome.KEPT, str(wanted[0].explanation), wanted)

    def _cured(
        self, candidate: Path, variant: Variant, findings: tuple[Finding, ...], off: SpillerTrace, folder: Path
    ) -> tuple[tuple[Finding, ...], str]:
        """The findings whose cause the variant takes away, none if it is not right; and why not."""
        view = self._view(self._compile(candidate, variant, (self.setup.stop,), folder / str(variant)))
        result = view.check()
        if result.violations or result.program.faults or result.unknown:
            return (), "still wrong"
        reasons = [(f, judge_cure([f], off, view.trace)) for f in findings]
        return tuple(f for f, reason in reasons if reason.is_cause), reasons[0][1].why

    def _compile(self, file: Path, variant: Variant, args: tuple[str, ...], folder: Path) -> Compilation:
        return self.setup.llc.compile(self.setup.request(file, variant, args), folder)

    def _view(self, compilation: Compilation) -> View:
        stages = Stages(compilation, self._reader)
        self._reader = stages.reader
        return View(self.setup, compilation, stages)


@dataclasses.dataclass(slots=True)
class View:
    """One compilation, as far as the cause's allocation goes."""

    setup: Setup
    compilation: Compilation
    stages: Stages
    trace: SpillerTrace = dataclasses.field(init=False)
    liveness: dict[tuple[str, int], LaneLiveness] | None = dataclasses.field(init=False)
    loaders: dict[StageKey, Loader] = dataclasses.field(init=False)
    _allocation: Allocation = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        cause = self.setup.cause
        self.trace = read_trace(self.compilation).get(cause.function, SpillerTrace())
        self.liveness = read_liveness(self.compilation)
        every = self.stages.loaders()
        self._allocation = next(a for a in allocations(list(every)) if a.start == cause.start)
        # the cause's stage is the first that is wrong; the ones after it are of no interest
        rest = self._allocation.rest[: self._allocation.rest.index(cause.stage) + 1]
        wanted = (self._allocation.start, self._allocation.greedy, *rest)
        self.loaders = {k: v for k, v in every.items() if k in wanted}

    def before(self) -> MachineFunction:
        """The function before the allocation."""
        return self.loaders[self.setup.cause.start]().function(self.setup.cause.function)

    def after(self) -> MachineFunction:
        """The function after the cause's stage."""
        return self.loaders[self.setup.cause.stage]().function(self.setup.cause.function)

    def check(self) -> CheckResult:
        """Compare the two."""
        return check(self.before(), self.after(), self.stages.target, self._lanes())

    def findings(self, result: CheckResult) -> tuple[Finding, ...]:
        """What the first lanes that are wrong say, each with its exit."""
        cause = self.setup.cause
        start, stage = self.loaders[cause.start](), self.loaders[cause.stage]()
        name = f"{cause.stage.pass_name},{cause.stage.index}"
        context = Context(Layer.REWRITTEN, name, DebugInfo(start.ir), DebugInfo(stage.ir))
        greedy = self.loaders[self._allocation.greedy]().function(cause.function) if self._allocation.greedy else None
        found: list[Finding] = []
        for violation in result.violations[:_MOST_FINDINGS]:
            witness = find_witness(result, violation)
            if witness is not None:
                finding = value_finding(result, witness, context)
                number, pass_name = self._allocation.index, cause.stage.pass_name
                found.append(with_exit(finding, witness, number, greedy, self.trace, pass_name))
        return tuple(found)

    def undefined(self) -> Undefined:
        """Reads of undefined lanes before the allocation."""
        return undefined_lanes(self.before(), self._lanes(), self.stages.target)

    def is_confirmed(self, findings: tuple[Finding, ...], runs: int) -> bool:
        """Whether executions differ."""
        target = self.stages.target
        found = confirm_findings(self.loaders, self.setup.cause.function, target, self.liveness, findings, runs)
        return found.differ > 0

    def _lanes(self) -> LaneLiveness | None:
        if self.liveness is None:
            return None
        return self.liveness.get((self.setup.cause.function, self.setup.cause.start.index))
