"""From a miscompile to the decision that makes it, by compiling with some of the spiller's decisions changed.

Three searches, each ending in compiles that anybody can repeat:

  the culprit   follow the bad stores: give a private slot to just those registers whose spilling made the stores
                that the findings name, again for what is then still wrong, until the function is right; then leave
                out what is not needed.
  the turns     for each variant, change its first N decisions, and find the N at which the verdict turns.
  the probes    switch off one exit at a time.

A turn tells what makes the symptom go away, which need not be the cause: `dataflow.cures` judges that. What is
searched is one allocation of one function, the first that is wrong; only decisions of that allocation are
changed, unless changing those of earlier ones as well is what makes a variant differ.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.analyse import Allocation, Analyser, allocations
from regtriage.dataflow.cures import Reason, bad_stores, hoist_of, judge_harm, judge_hoist, judge_private_slot
from regtriage.dataflow.findings import Finding, Layer, LayerResult, Verdict
from regtriage.dataflow.judge import overall
from regtriage.dataflow.mir.model import MirError
from regtriage.dataflow.targets import TargetError
from regtriage.dataflow.trace import Event
from regtriage.dataflow.translate import ShapeMismatchError
from regtriage.tools.llc.run import (
    Compilation,
    CompileRequest,
    InputError,
    Llc,
    LlcKind,
    PrivateRegister,
    Variant,
)
from regtriage.tools.results import How, TargetInfo
from regtriage.tools.triage import Stages, default_target, function_names, read_liveness, read_trace

from . import decisions
from .change import compare
from .model import BisectReport, Change, FunctionBisection, Member, Probe, RegisterSet, TurnReport
from .search import SCAN_AT_MOST, Turn, find_turn, minimise
from .trials import Choice, Trial, Trials

VARIANTS = (Variant.GUARD, Variant.GUARD_LANES, Variant.PRIVATE)
_MOST_ROUNDS = 8
"""Rounds of following bad stores. Each gives a slot to every register that is to blame so far."""
_STRANGE = (MirError, ShapeMismatchError, TargetError)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BisectRequest:
    """What to bisect.

    triple, cpu: None means what the file says, else AMDGPU's gfx950. functions: names, all if empty. allocation:
    the run of the greedy allocator to look at, None means the first that is wrong. variants: whose prefixes are
    tried. scan_at_most: up to so many prefixes are all tried. jobs: compiles at a time.
    """

    input: Path
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    llc_args: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    allocation: int | None = None
    variants: tuple[Variant, ...] = VARIANTS
    scan_at_most: int = SCAN_AT_MOST
    jobs: int = 2


def bisect(request: BisectRequest, llc: Llc, progress: Progress = lambda _: None) -> BisectReport:
    """Bisect every function that is wrong.

    Raises InputError for a kernel that cannot be read or a call that makes no sense, ToolFailure if the compiler
    fails.
    """
    if llc.identity.kind is not LlcKind.BUILTIN:
        raise InputError(f"{llc.identity.path}: error: only the built-in llc can choose among the spiller's decisions")
    with tempfile.TemporaryDirectory(prefix="regtriage-") as scratch:
        kernel = _Kernel(request, llc, Path(scratch), progress)
        names = function_names(kernel.stages, request.functions)
        functions = tuple(kernel.function(name) for name in names)
        target = TargetInfo(
            kernel.stages.triple or kernel.base.triple or "", kernel.base.cpu or kernel.stages.cpu or "", request.opt
        )
    return BisectReport(str(request.input), target, llc.identity, functions)


class _Kernel:
    """The input, and the compile with nothing changed."""

    def __init__(self, request: BisectRequest, llc: Llc, folder: Path, progress: Progress) -> None:
        self.request, self.llc, self.folder, self.progress = request, llc, folder, progress
        triple, cpu = default_target(request.input, request.triple, request.cpu)
        self.base = CompileRequest(request.input, triple=triple, cpu=cpu, opt=request.opt, extra_args=request.llc_args)
        self.progress("compiling and checking off")
        self.off = llc.compile(self.base, folder / "off")
        self.stages = Stages(self.off)

    def function(self, name: str) -> FunctionBisection:
        """Bisect one function."""
        found = self.check(self.off, self.stages, name)
        wrong = [a.index for a, layers in found.items() if _verdict_of(layers) is Verdict.BUG]
        chosen = self.request.allocation
        if chosen is not None and chosen not in {a.index for a in found}:
            raise InputError(f"{self.request.input}: error: '{name}' has no allocation {chosen}")
        if not wrong or (chosen is not None and chosen not in wrong):
            return self._not_wrong(name, _worst(found.values()), chosen)
        index = wrong[0] if chosen is None else chosen
        bisection = _Bisection(self, self.trials(name, next(a for a in found if a.index == index)))
        return bisection.wrong(tuple(i for i in wrong if i != index))

    def trials(self, name: str, allocation: Allocation) -> Trials:
        """Trials of one allocation."""
        folder = self.folder / f"{name}-{allocation.index}"
        return Trials(self.llc, self.off, self.stages, name, allocation, folder, self.request.jobs)

    def check(self, compilation: Compilation, stages: Stages, name: str) -> dict[Allocation, Sequence[LayerResult]]:
        """Every allocation of a whole compile."""
        loaders, liveness = stages.loaders(), read_liveness(compilation)
        trace = read_trace(compilation).get(name)
        found: dict[Allocation, Sequence[LayerResult]] = {}
        for allocation in allocations(list(loaders)):
            keys = {allocation.start, allocation.greedy, *allocation.rest}
            part = {key: loader for key, loader in loaders.items() if key in keys}
            try:
                found[allocation] = Analyser(name, part, stages.target, liveness, trace).run()
            except _STRANGE as error:
                found[allocation] = [LayerResult(Layer.REWRITTEN, Verdict.UNPROVEN, (), (), (str(error),), 0)]
        return found

    def check_whole(self, choice: Choice, name: str) -> Verdict:
        """Compile all the way, and check every allocation."""
        compilation = self.llc.compile(choice.apply(self.base), self.folder / f"{name}-whole")
        return _worst(self.check(compilation, Stages(compilation, self.stages.reader), name).values())

    def _not_wrong(self, name: str, verdict: Verdict, chosen: int | None) -> FunctionBisection:
        """A function that is right, or not proved wrong, as it is: does a variant break it?"""
        for variant in self.request.variants:
            self.progress(f"{name}: compiling and checking {variant}")
            compilation = self.llc.compile(Choice(variant).apply(self.base), self.folder / f"{name}-{variant}")
            checked = self.check(compilation, Stages(compilation, self.stages.reader), name)
            for allocation, layers in checked.items():
                if _verdict_of(layers) is Verdict.BUG and chosen in (None, allocation.index):
                    return _Bisection(self, self.trials(name, allocation)).broken(verdict, variant)
        return FunctionBisection(name, verdict, None, (), (), None, (), (), 1 + len(self.request.variants))


def _verdict_of(layers: Sequence[LayerResult]) -> Verdict:
    by_layer = {layer.layer: layer.verdict for layer in layers}
    return overall(by_layer.get(Layer.MIR), by_layer.get(Layer.REWRITTEN))


def _worst(results: Iterable[Sequence[LayerResult]]) -> Verdict:
    verdicts = {_verdict_of(layers) for layers in results}
    order = (Verdict.BUG, Verdict.UNPROVEN, Verdict.HAZARD, Verdict.CLEAN)
    return next((v for v in order if v in verdicts), Verdict.UNPROVEN)


@dataclass(frozen=True, slots=True)
class _Prefix:
    """The decisions whose prefixes are tried: those from skip on, total of them."""

    variant: Variant
    skip: int
    total: int

    def choice(self, count: int) -> Choice:
        """The first count of them changed."""
        return Choice(self.variant, self.skip, count) if count else Choice()


class _Bisection:
    """One allocation of one function."""

    def __init__(self, kernel: _Kernel, trials: Trials) -> None:
        self.kernel, self.trials, self.name = kernel, trials, trials.name
        self.index = trials.allocation.index

    def wrong(self, also_wrong: tuple[int, ...]) -> FunctionBisection:
        """The unchanged compiler is wrong: the culprit, the turns, the probes."""
        findings = self.trials.findings(self.trials.unchanged)
        self._say("compiling with each variant and without each exit")
        for _ in self.trials.judge_each(self._planned()):
            pass
        self._say("following the bad stores")
        followed = self._follow()
        turns = tuple(self._turn(variant) for variant in self.kernel.request.variants)
        culprit = self._culprit(followed or self._prefix_registers(turns))
        probes = tuple(self._probes(findings))
        runs = self.trials.count + (culprit is not None)
        return FunctionBisection(self.name, Verdict.BUG, self.index, also_wrong, findings, culprit, turns, probes, runs)

    def broken(self, verdict: Verdict, variant: Variant) -> FunctionBisection:
        """The unchanged compiler is right, and a variant is not."""
        turn = self._turn(variant)
        findings = self.trials.findings(self.trials.judge(turn.choice or Choice(variant)))
        return FunctionBisection(self.name, verdict, self.index, (), findings, None, (turn,), (), self.trials.count + 1)

    def _planned(self) -> list[Choice]:
        """What will be looked at in any case; compiled ahead, while others are judged."""
        trace, variants = self.trials.unchanged.trace, self.kernel.request.variants
        first = {v: [e for e in decisions.events(trace, v) if e["allocation"] == self.index][:1] for v in variants}
        full = [Choice(v, decisions.ordinal(e, v) or 0) for v, found in first.items() for e in found]
        return full + [Choice(flags=(flag,)) for flag in _SWITCHES]

    def _say(self, step: str) -> None:
        self.kernel.progress(f"{self.name}: {step}")

    # -- the culprit

    def _follow(self) -> tuple[PrivateRegister, ...]:
        """The registers whose spilling made bad stores, until there are none; empty if that does not end well."""
        chosen: list[PrivateRegister] = []
        trial = self.trials.unchanged
        for _ in range(_MOST_ROUNDS):
            blamed = map(decisions.private_register, decisions.spilled_for(self.trials.findings(trial), trial.trace))
            fresh = [register for register in blamed if register not in chosen]
            if not fresh:
                return ()
            chosen += fresh
            trial = self._with_slots(chosen)
            if trial.is_right:
                return tuple(chosen)
        return ()

    def _with_slots(self, registers: Sequence[PrivateRegister]) -> Trial:
        """Private slots for these registers and no others."""
        if not registers:
            return self.trials.unchanged
        return self.trials.judge(Choice(Variant.PRIVATE, only=tuple(registers)))

    def _prefix_registers(self, turns: Sequence[TurnReport]) -> tuple[PrivateRegister, ...]:
        """The registers that have a private slot where that variant's verdict turns."""
        for turn in turns:
            if turn.variant is Variant.PRIVATE and turn.choice is not None:
                granted = [e for e in self.trials.judge(turn.choice).trace.privates if e["granted"]]
                return tuple(decisions.private_register(e) for e in granted)
        return ()

    def _culprit(self, registers: tuple[PrivateRegister, ...]) -> RegisterSet | None:
        """The part of the registers that is needed."""
        if not registers or not self._with_slots(registers).is_right:
            return None
        self._say(f"reducing a set of {len(registers)}" if len(registers) > 1 else "repeating the cure")
        needed = minimise(registers, lambda part: self._with_slots(part).is_right)
        trial = self._with_slots(needed)
        members = tuple(self._member(register, needed, trial) for register in needed)
        choice = Choice(Variant.PRIVATE, only=needed)
        verdict = self.kernel.check_whole(choice, self.name)
        how = How.CAUSE if all(m.how is How.CAUSE for m in members) else How.PERTURBED
        originals = {m.decision.original for m in members}
        change = self._change(self.trials.unchanged, trial, originals)
        return RegisterSet(members, choice, verdict, change, how)

    def _member(self, register: PrivateRegister, needed: tuple[PrivateRegister, ...], right: Trial) -> Member:
        event = next(e for e in right.trace.privates if decisions.private_register(e) == register)
        without = self._without(register, needed, right)
        findings = self.trials.findings(without)
        reason = judge_private_slot(findings, without.trace, right.trace, event)
        decision = decisions.describe(event, Variant.PRIVATE, right.trace, findings, without.trace)
        return Member(decision, len(findings), _how(reason), reason.why)

    def _without(self, register: PrivateRegister, needed: tuple[PrivateRegister, ...], right: Trial) -> Trial:
        """All but one register. Those spilled after it may have other numbers then."""
        rest = [other for other in needed if other != register]
        trial = self._with_slots(rest)
        granted = [e for e in trial.trace.privates if e["granted"]]
        if len(granted) == len(rest):
            return trial
        events = [e for e in right.trace.privates if decisions.private_register(e) in rest]
        same = [decisions.like(e, self.trials.unchanged.trace, Variant.PRIVATE) for e in events]
        return self._with_slots([decisions.private_register(e) for e in same if e is not None])

    # -- the turns

    def _turn(self, variant: Variant) -> TurnReport:
        self._say(f"the decisions of {variant}, by prefix")
        prefix, full = self._prefix(variant)
        off = self.trials.unchanged
        verdict = self.trials.verdict(full)
        turn = self._find(prefix) if full.is_right != off.is_right else None
        if turn is None:
            why = self._why_not(full, prefix)
            return TurnReport(variant, prefix.total, verdict, None, None, None, None, None, None, None, How.NONE, why)
        last, this = self.trials.judge(prefix.choice(turn.at - 1)), self.trials.judge(prefix.choice(turn.at))
        event = self._changed_event(this, variant, prefix.skip + turn.at - 1)
        wrong, right = (this, last) if off.is_right else (last, this)
        findings = self.trials.findings(wrong)
        reason = self._reason(findings, wrong, right, event, variant)
        alone = self._alone(event, variant, turn, this)
        decision = decisions.describe(event, variant, this.trace, findings, wrong.trace)
        return TurnReport(
            variant=variant,
            decisions=prefix.total,
            verdict=verdict,
            at=turn.at,
            search=turn.search,
            decision=decision,
            choice=this.choice,
            alone=self.trials.verdict(alone) if alone is not None else None,
            alone_choice=alone.choice if alone is not None else None,
            change=self._change(last, this, {decision.original}),
            how=_how(reason),
            why=reason.why,
        )

    def _why_not(self, full: Trial, prefix: _Prefix) -> str:
        """Why a variant's verdict does not turn."""
        if full.is_right:
            return "as right as without it"
        if self.trials.unchanged.is_right:
            return "wrong, and no prefix of its decisions is"
        return "still wrong" if prefix.total else "still wrong: there is nothing that it would change"

    def _prefix(self, variant: Variant) -> tuple[_Prefix, Trial]:
        """The decisions of this allocation; those of earlier ones too if they are needed to make a difference."""
        off = self.trials.unchanged
        ours = [e for e in decisions.events(off.trace, variant) if e["allocation"] == self.index]
        skip = decisions.ordinal(ours[0], variant) if ours else None
        if skip is not None:
            full = self.trials.judge(Choice(variant, skip))
            if full.is_right != off.is_right or not skip:
                total = sum(e["allocation"] == self.index for e in self._changed(full, variant))
                return _Prefix(variant, skip, total), full
        full = self.trials.judge(Choice(variant))
        module = decisions.of_module(read_trace(full.compilation), variant)
        return _Prefix(variant, 0, sum(map(decisions.is_changed, module))), full

    def _changed(self, trial: Trial, variant: Variant) -> list[Event]:
        return [e for e in decisions.events(trial.trace, variant) if decisions.is_changed(e)]

    def _changed_event(self, trial: Trial, variant: Variant, number: int) -> Event:
        module = decisions.of_module(read_trace(trial.compilation), variant)
        return next(e for e in module if decisions.ordinal(e, variant) == number)

    def _find(self, prefix: _Prefix) -> Turn | None:
        was_right = self.trials.unchanged.is_right

        def outcomes(counts: Sequence[int]) -> Iterator[bool]:
            for trial in self.trials.judge_each(map(prefix.choice, counts)):
                yield trial.is_right != was_right

        return find_turn(prefix.total, outcomes, self.kernel.request.scan_at_most)

    def _alone(self, event: Event, variant: Variant, turn: Turn, this: Trial) -> Trial | None:
        """That decision changed and no other, if the unchanged compiler comes to it."""
        if turn.at == 1:
            return this
        same = decisions.like(event, self.trials.unchanged.trace, variant)
        if same is None:
            return None
        if variant is Variant.PRIVATE:
            return self._with_slots([decisions.private_register(same)])
        return self.trials.judge(Choice(variant, decisions.ordinal(same, variant) or 0, 1))

    def _reason(
        self, findings: Sequence[Finding], wrong: Trial, right: Trial, event: Event, variant: Variant
    ) -> Reason:
        if self.trials.unchanged.is_right:
            return judge_harm(findings, wrong.trace, event)
        if variant is Variant.PRIVATE:
            return judge_private_slot(findings, wrong.trace, right.trace, event)
        return judge_hoist(findings, wrong.trace, event)

    def _change(self, without: Trial, with_: Trial, originals: set[int]) -> Change:
        paths = self.trials.rewritten(without), self.trials.rewritten(with_)
        return compare(without.trace, with_.trace, self.index, originals, *paths)

    # -- the probes

    def _probes(self, findings: Sequence[Finding]) -> Iterator[Probe]:
        self._say("switching exits off, one at a time")
        for hoist in self._bad_hoists(findings):
            number = decisions.ordinal(hoist, Variant.GUARD_LANES)
            if number is not None:
                seen = decisions.ordinal(hoist, Variant.GUARD) is not None
                choice = Choice(Variant.GUARD_LANES, number, 1)
                yield self._probe(f"only the hoist of %{hoist['sibling']} refused", choice, _says_of_hoist(seen=seen))
        for flag, meaning in _SWITCHES.items():
            yield self._probe(flag, Choice(flags=(flag,)), meaning)

    def _bad_hoists(self, findings: Sequence[Finding]) -> list[Event]:
        """The hoists that made bad stores, each once."""
        trace = self.trials.unchanged.trace
        found: dict[object, Event] = {}
        for finding in findings:
            for store in bad_stores(finding, trace)[:1]:
                event = hoist_of(store, trace)
                if event is not None:
                    found.setdefault((event["call"], event["sibling"], event["block"]), event)
        return list(found.values())

    def _probe(self, name: str, choice: Choice, meaning: tuple[str, str]) -> Probe:
        trial = self.trials.judge(choice)
        findings = self.trials.findings(trial)
        right, wrong = meaning
        says = right if trial.is_right else wrong
        if not trial.is_right and findings:
            says += f"; now {_stores(findings)}" if _stores(findings) != self._off_stores() else ""
        return Probe(name, choice, self.trials.verdict(trial), len(findings), says)

    def _off_stores(self) -> str:
        return _stores(self.trials.findings(self.trials.unchanged))


_SWITCHES = {
    "-no-post-optimization": (
        "the spiller's last step does it: it hoists stores across blocks and removes redundant ones",
        "not a matter of the spiller's last step",
    ),
    "-no-stack-slot-sharing": (
        "the sharing of slots after allocation does it",
        "not a matter of slots shared after allocation",
    ),
}
"""By switch: what it means if the function is then right, and if it is still wrong."""


def _says_of_hoist(*, seen: bool) -> tuple[str, str]:
    blind = "" if seen else "; no sub-range is dead there, so a guard that looks at sub-ranges does not see it"
    return "this hoist does it" + blind, "not a matter of this hoist alone" + blind


def _stores(findings: Sequence[Finding]) -> str:
    """The exits and bad stores of findings."""
    found = dict.fromkeys(
        f"{f.exit} of %{f.store[3]} in bb.{f.store[1]}" for f in findings if f.store is not None and f.exit is not None
    )
    return ", ".join(found)


def _how(reason: Reason) -> How:
    return How.CAUSE if reason.is_cause else How.PERTURBED
