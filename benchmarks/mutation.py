"""Scores the check by mutation: how much damage to allocated code does it notice?

    python benchmarks/mutation.py [--mutants 2400] [--functions 8] [--kernel FILE]... [--log mutation.jsonl]
    python benchmarks/mutation.py --read mutation.jsonl [FURTHER.jsonl]...

Compiles the kernels of `reproducers/miscompiles` with private slots, which cure them, and random programs of every
shape as they are, until there are enough functions of each allocation that spills and that the check and the
interpreter both find right. Then it damages them (see `dataflow/mutate.py`) and asks both about each mutant: the
check, and the interpreter on random inputs. A mutant that no run tells from the original counts as equivalent: it is
listed and not scored, whatever the check says. Of the others the check must report every one. Reports of mutants
that count as equivalent are listed apart: the check wants operands to be equal, also where nothing comes of it.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regtriage.dataflow.analyse import StageKey, allocations
from regtriage.dataflow.check import check
from regtriage.dataflow.interpret import Recording
from regtriage.dataflow.interpret.machine import Outcome
from regtriage.dataflow.liveness import LaneLiveness
from regtriage.dataflow.mir.model import MachineFunction
from regtriage.dataflow.mutate import MutantKind, Site, describe, find_sites, mutate
from regtriage.dataflow.targets import AMDGPU
from regtriage.dataflow.witness import find_witness
from regtriage.tools.fuzz.dice import Dice
from regtriage.tools.fuzz.generator import generate
from regtriage.tools.fuzz.shapes import Shape
from regtriage.tools.llc.run import CompileRequest, ToolFailure, Variant, resolve_llc
from regtriage.tools.triage import Stages, read_liveness

_REPRODUCERS = Path(__file__).parents[1] / "reproducers" / "miscompiles"
_ALLOCATIONS = ("SGPR", "WWM", "VGPR")
_SHAPES = ((Shape.SGPR, Shape.DESCRIPTOR), (Shape.WWM,), (Shape.VGPR,))
"""Programs that spill in each allocation."""
_FEW_RUNS = 8
_MORE_RUNS = 40
_MANY_RUNS = 300
_MOST_INSTRUCTIONS = 2500
"""Larger functions are left out: a mutant of one takes as long as ten of others and says no more."""
_FEWEST_SITES = 30
_FEWEST_RELOADS = 3


class Answer(enum.StrEnum):
    """What the check says of a mutant."""

    BUG = "BUG"
    UNPROVEN = "UNPROVEN"
    CLEAN = "CLEAN"


@dataclass(frozen=True, slots=True)
class Subject:
    """A function before and after an allocation, or a part of it, that is right."""

    source: str
    allocation: int
    stage: str
    before: MachineFunction
    after: MachineFunction
    liveness: LaneLiveness | None


@dataclass(frozen=True, slots=True)
class Result:
    """One mutant. differ: some run of it differs; note: what the runs saw if none does."""

    source: str
    allocation: int
    stage: str
    kind: MutantKind
    what: str
    answer: Answer
    differ: bool
    note: str

    @property
    def is_equivalent(self) -> bool:
        """No run tells it from the original."""
        return not self.differ

    @staticmethod
    def from_json(fields: dict[str, Any]) -> Result:
        """Raises TypeError or ValueError if it is not one."""
        result = Result(**fields)
        return dataclasses.replace(result, kind=MutantKind(result.kind), answer=Answer(result.answer))


def main() -> None:
    """Print the score, by kind, as a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=2400)
    parser.add_argument("--functions", type=int, default=8, help="at least so many of each allocation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernel", type=Path, action="append", default=[], help="a further kernel that is right")
    parser.add_argument("--log", type=Path, help="one JSON object a mutant")
    parser.add_argument("--read", type=Path, nargs="+", help="make no mutants, report on those of logs")
    arguments = parser.parse_args()
    if arguments.read is not None:
        lines = [line for log in arguments.read for line in log.read_text(encoding="utf-8").splitlines()]
        read = [Result.from_json(json.loads(line)) for line in lines]
        # two runs may have drawn the same mutant
        print("\n".join(_report(list({(r.source, r.stage, r.what): r for r in read}.values()))))
        return
    # most functions are looked at twice: with virtual registers and with physical ones
    each = -(-arguments.mutants // (2 * arguments.functions * len(_ALLOCATIONS)))
    log = arguments.log.open("w", encoding="utf-8") if arguments.log else None
    results: list[Result] = []
    for number, subject in enumerate(_subjects(arguments.kernel, arguments.functions, arguments.seed)):
        for result in _examine(subject, Dice(arguments.seed + number), each):
            results.append(result)
            if log is not None:
                log.write(json.dumps(dataclasses.asdict(result)) + "\n")
                log.flush()
    print("\n".join(_report(results)))


# -- functions that are right ----------------------------------------------------------------------------------


def _subjects(kernels: Sequence[Path], functions: int, seed: int) -> Iterator[Subject]:
    """Functions of kernels, and of random programs as long as some allocation has too few."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as name:
        for kernel in (*sorted(_REPRODUCERS.glob("*.ll")), *kernels):
            for subject in _compiled(kernel, Path(name), ("-private-slot=on",)):
                found[subject.allocation].add(subject.source)
                yield subject
        while short := [a for a in range(len(_ALLOCATIONS)) if len(found[a]) < functions]:
            program = generate(seed, _SHAPES[short[0]])
            kernel = Path(name) / f"{program.parameters.shape}-{seed}.ll"
            kernel.write_text(program.text)
            for subject in _compiled(kernel, Path(name), program.parameters.llc_args):
                if kernel.stem in found[subject.allocation] or len(found[subject.allocation]) < functions:
                    found[subject.allocation].add(kernel.stem)
                    yield subject
            seed += 1


def _compiled(kernel: Path, folder: Path, llc_args: tuple[str, ...]) -> Iterator[Subject]:
    try:
        request = CompileRequest(kernel, Variant.OFF, cpu=_cpu(kernel), extra_args=llc_args)
        compilation = resolve_llc().compile(request, folder / kernel.stem)
    except ToolFailure:
        return
    stages = Stages(compilation)
    loaders, liveness = stages.loaders(), read_liveness(compilation) or {}
    for allocation in allocations(list(loaders)):
        for stage in (allocation.greedy, allocation.rest[-1] if allocation.rest else None):
            if stage is None:
                continue
            for before in loaders[allocation.start]().functions:
                lanes = liveness.get((before.name, allocation.index))
                after = loaders[stage]().function(before.name)
                subject = Subject(kernel.stem, allocation.index, _stage_name(stage), before, after, lanes)
                if _is_worth_it(subject):
                    yield subject


def _cpu(kernel: Path) -> str | None:
    return None if '"target-cpu"' in kernel.read_text() else "gfx950"


def _stage_name(stage: StageKey) -> str:
    return f"{stage.pass_name},{stage.index}"


def _is_worth_it(subject: Subject) -> bool:
    """Tell whether this allocation spills and nothing says that it is wrong."""
    if subject.after.instruction_count > _MOST_INSTRUCTIONS:
        return False
    kinds = Counter(site.kind for site in find_sites(subject.before, subject.after, AMDGPU))
    if kinds[MutantKind.DROP_RESTORE] < _FEWEST_RELOADS or sum(kinds.values()) < _FEWEST_SITES:
        return False
    recording = Recording(subject.before, AMDGPU, _FEW_RUNS, liveness=subject.liveness)
    if any(run.outcome is Outcome.LOST for run in recording.runs):
        return False  # what comes after that is never seen
    return _ask(subject, subject.after) is Answer.CLEAN and not recording.compare(subject.after).differ


# -- mutants ---------------------------------------------------------------------------------------------------


def _examine(subject: Subject, dice: Dice, count: int) -> Iterator[Result]:
    recording = Recording(subject.before, AMDGPU, _FEW_RUNS, liveness=subject.liveness)
    for site in _choose(list(find_sites(subject.before, subject.after, AMDGPU)), dice, count):
        mutant = mutate(subject.after, site)
        answer = _ask(subject, mutant)
        differ = recording.compare(mutant).differ > 0
        note = ""
        if not differ:
            block = subject.after.blocks[site.block].number
            runs = _MORE_RUNS if answer is Answer.BUG else _MANY_RUNS
            longer = Recording(subject.before, AMDGPU, runs, focus=block, liveness=subject.liveness).compare(mutant)
            differ, note = longer.differ > 0, longer.note
        what = describe(subject.after, site)
        yield Result(subject.source, subject.allocation, subject.stage, site.kind, what, answer, differ, note)


def _choose(sites: Sequence[Site], dice: Dice, count: int) -> list[Site]:
    """Of every kind as many as of the others, as far as there are any."""
    left: defaultdict[MutantKind, list[Site]] = defaultdict(list)
    for site in dice.some(sites, len(sites)):
        left[site.kind].append(site)
    chosen: list[Site] = []
    while len(chosen) < count and any(left.values()):
        chosen += [some.pop() for _, some in sorted(left.items()) if some]
    return chosen[:count]


def _ask(subject: Subject, after: MachineFunction) -> Answer:
    result = check(subject.before, after, AMDGPU, subject.liveness)
    if result.program.faults or any(find_witness(result, v) is not None for v in result.violations):
        return Answer.BUG
    return Answer.UNPROVEN if result.violations or result.unknown else Answer.CLEAN


# -- report ----------------------------------------------------------------------------------------------------


def _report(results: Sequence[Result]) -> Iterator[str]:
    functions = {(r.source, r.allocation) for r in results}
    by_allocation = Counter(allocation for _, allocation in functions)
    which = ", ".join(f"{by_allocation[k]} {name}" for k, name in enumerate(_ALLOCATIONS))
    yield f"{len(results)} mutants of {len(functions)} functions ({which})"
    yield ""
    yield "| kind | mutants | equivalent | scored | reported | not proved | missed | score |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for kind in [*MutantKind, None]:
        mine = [r for r in results if kind in (None, r.kind)]
        if mine:
            yield _row(kind or "all", mine)
    for title, some in (
        ("not reported, and wrong", [r for r in results if r.answer is not Answer.BUG and r.differ]),
        ("reported, and equivalent", [r for r in results if r.answer is Answer.BUG and r.is_equivalent]),
        ("not reported, and equivalent", [r for r in results if r.answer is not Answer.BUG and r.is_equivalent]),
    ):
        yield ""
        yield f"{title}: {len(some)}"
        for r in some:
            yield f"  {r.source}, {r.stage}: {r.what}" + (f" [{r.note}]" if r.note else "")


def _row(name: str, results: Sequence[Result]) -> str:
    scored = [r for r in results if r.differ]
    answers = Counter(r.answer for r in scored)
    score = f"{100 * answers[Answer.BUG] / len(scored):.2f} %" if scored else "-"
    cells = (
        name, len(results), len(results) - len(scored), len(scored),
        answers[Answer.BUG], answers[Answer.UNPROVEN], answers[Answer.CLEAN], score,
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
