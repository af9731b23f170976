"""`regtriage stage` without its command line: which dots are staged, the text, and whether it computes the same."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.intel.devices import Device
from regtriage.dataflow.intel.dots import Form
from regtriage.dataflow.intel.estimate import Estimate, staged_estimate
from regtriage.dataflow.intel.evaluate import CannotEvaluate, evaluate, same
from regtriage.dataflow.intel.gates import GateSet
from regtriage.dataflow.intel.staging import CannotStage, Dialect, Plan, check, stage
from regtriage.dataflow.ttgir.model import Module
from regtriage.dataflow.ttgir.parser import read
from regtriage.tools.files import replace
from regtriage.tools.llc.errors import InputError

from .study import DotStudy, Study

_STEPS = 2
"""Passes of a loop over K that an execution makes, the last one with part of its mask set."""


class Gates(enum.StrEnum):
    """Whose conditions decide. NONE: every dot that can be staged is."""

    DESIGN = "design"
    UPSTREAM = "upstream"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class DotOutcome:
    """k_tile: 0 if the dot was left alone, and `why` says why. expected: the estimate of the staged dot."""

    study: DotStudy
    k_tile: int
    why: str
    expected: Estimate | None


@dataclass(frozen=True, slots=True)
class Execution:
    """runs made on the CPU before and after, and how many stored something else; note: why there was none."""

    runs: int
    differ: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """text: of the new kernel, the old one's if no dot was staged."""

    text: str
    form: Form
    dots: tuple[DotOutcome, ...]
    execution: Execution

    @property
    def changed(self) -> bool:
        """Whether any dot was staged."""
        return any(dot.k_tile for dot in self.dots)


def rewrite(found: Study, gates: Gates, k_tile: int | None, form: Form, dialect: Dialect | None, runs: int) -> Rewrite:
    """Stage the dots of a kernel that pass the gates.

    k_tile: for every dot, or None for what the gates choose. runs: executions on the CPU to compare.
    Raises InputError if what was written could not be read again, which would be a fault of this program.
    """
    module = found.module
    assert module is not None
    outcomes: list[DotOutcome] = []
    plans: list[Plan] = []
    for dot in found.dots:
        chosen, why = _decide(dot, gates, k_tile)
        if chosen:
            try:
                check(module, Plan(dot.dot, chosen), form, dialect)
            except CannotStage as error:
                chosen, why = 0, str(error)
        expected = None
        if chosen:
            plans.append(Plan(dot.dot, chosen))
            if dot.dot.shape is not None:
                expected = staged_estimate(dot.dot.shape, chosen, form, found.device.register_file)
        outcomes.append(DotOutcome(dot, chosen, why, expected))
    text = stage(module, plans, form, dialect)
    execution = Execution(0, 0, "nothing was staged")
    if plans:
        after = read(text, str(found.path))
        execution = execute(module, after, runs)
    return Rewrite(text, form, tuple(outcomes), execution)


def _decide(dot: DotStudy, gates: Gates, k_tile: int | None) -> tuple[int, str]:
    """The slice, or 0 and why not."""
    if dot.dot.shape is None:
        return 0, "it is not on the FMA path: " + (dot.dot.why_unknown or f"the {dot.dot.unit} computes it")
    wanted: GateSet | None = {Gates.DESIGN: dot.design, Gates.UPSTREAM: dot.upstream}.get(gates)
    if wanted is not None:
        failed = [g for g in wanted.failed if not (k_tile and g.name in ("K divisible", "slice"))]
        if failed:
            return 0, "; ".join(f"{gate.name}: {gate.numbers}" for gate in failed)
    if k_tile is not None:
        if not 0 < k_tile < dot.dot.k or dot.dot.k % k_tile:
            return 0, f"slices of {k_tile} do not divide K = {dot.dot.k}"
        return k_tile, ""
    chosen = wanted.k_tile if wanted is not None else dot.choice.k_tile if dot.choice else 0
    return chosen, "" if chosen else "no slice can be chosen" + (f": {dot.choice.why_not_larger}" if dot.choice else "")


def execute(before: Module, after: Module, runs: int) -> Execution:
    """Run each function of two modules on equal inputs, on several blocks of the grid."""
    differ = done = 0
    integers = _STEPS * max((_largest_k(module) for module in (before, after)), default=64) - 7
    try:
        for old, new in zip(before.functions, after.functions, strict=True):
            for seed in range(runs):
                program = seed % 2
                one = evaluate(before, old, seed, integers, program)
                other = evaluate(after, new, seed, integers, program)
                done += 1
                differ += not same(one, other)
    except CannotEvaluate as error:
        return Execution(done, differ, f"not executed further: {error} is not known to the interpreter")
    return Execution(done, differ, "" if done else "no run was asked for")


def _largest_k(module: Module) -> int:
    """Of the first operand of the dots; large enough for a loop over K to make more than one pass."""
    sizes = [64]
    for op in module.walk():
        if op.name == "tt.dot":
            shape = getattr(op.operands[0].value.type, "shape", ())
            sizes += shape[-1:]
    return max(sizes)


def write(path: Path, text: str) -> None:
    """Write a kernel. Raises InputError if the file cannot be written."""
    try:
        replace(path, text)
    except OSError as error:
        raise InputError(f"{path}: error: cannot be written: {error.strerror}") from None


__all__ = ["Device", "DotOutcome", "Execution", "Gates", "Rewrite", "execute", "rewrite", "write"]
