"""What a bisection says. Nothing here computes."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from regtriage.dataflow.findings import Finding, SourceLocation, Verdict
from regtriage.tools.llc.run import LlcIdentity, Variant
from regtriage.tools.results import How, TargetInfo

from .search import Search
from .trials import Choice


class DecisionKind(enum.StrEnum):
    """What the spiller is made to do otherwise."""

    REFUSED_HOIST = "refused-hoist"
    """It does not hoist a spill, within a block, to a sibling that is only partly live."""
    PRIVATE_SLOT = "private-slot"
    """It gives a partly defined register a stack slot of its own."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the spiller. Registers and slots are the numbers that MIR prints.

    register: what is being spilled. original: what it was split from; its siblings share a slot. slot: that shared
    one; None if nothing is in it yet. own_slot: where the register is instead, for a private slot. sibling: what
    would be stored, for a hoist. siblings: others of the same original that the allocation spills. lanes: those of
    the class that the store does not have. block: of the store; None if there is none. source: of the value,
    innermost first; may be empty.
    """

    kind: DecisionKind
    allocation: int
    register: int
    original: int
    slot: int | None
    own_slot: int | None
    sibling: int | None
    siblings: tuple[int, ...]
    register_class: str
    lanes: tuple[str, ...]
    block: int | None
    source: tuple[SourceLocation, ...]


@dataclass(frozen=True, slots=True)
class SpillLine:
    """Spill code of the decision's original that only one of two allocations has.

    only_with: it is there with the decision changed. what: "save" or "reload", or such as "folded-save". cause: as
    in the spiller's trace. own: it uses the private slot. text: the instruction.
    """

    only_with: bool
    block: int
    what: str
    register: int
    slot: int
    own: bool
    cause: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one decision changed: spill code of its original; how much spill code of others.

    other_instructions: instructions after register assignment that read otherwise, of instructions in all.
    """

    lines: tuple[SpillLine, ...]
    others: int
    other_instructions: int
    instructions: int


@dataclass(frozen=True, slots=True)
class TurnReport:
    """One variant's decisions, changed by prefix.

    decisions: how many the variant changes. verdict: with all of them. at: the verdict turns with the at-th,
    counted from 1; None: it does not turn. alone: the verdict with that decision alone; None if the unchanged
    compiler never comes to it. choice, alone_choice: what was compiled. scope: "allocation", or "module" if earlier
    allocations' decisions had to be changed too.
    """

    variant: Variant
    decisions: int
    verdict: Verdict
    at: int | None
    search: Search | None
    decision: Decision | None
    choice: Choice | None
    alone: Verdict | None
    alone_choice: Choice | None
    change: Change | None
    how: How
    why: str


@dataclass(frozen=True, slots=True)
class Member:
    """One register of a set. how, why: what leaving it out says. without: findings then."""

    decision: Decision
    without: int
    how: How
    why: str


@dataclass(frozen=True, slots=True)
class RegisterSet:
    """The registers whose private slots make the function right; none of them can be left out.

    verdict: of the whole function, every allocation, compiled with nothing changed but these. how: the cause if
    each member is.
    """

    members: tuple[Member, ...]
    choice: Choice
    verdict: Verdict
    change: Change
    how: How


@dataclass(frozen=True, slots=True)
class Probe:
    """A run that separates exits from each other. says: what the outcome means."""

    name: str
    choice: Choice
    verdict: Verdict
    findings: int
    says: str


@dataclass(frozen=True, slots=True)
class FunctionBisection:
    """One function. verdict: unchanged. allocation: where it is wrong first, as are those in also_wrong.

    findings: those in that allocation. culprit: None where no set of private slots makes it right. runs: compiles.
    """

    name: str
    verdict: Verdict
    allocation: int | None
    also_wrong: tuple[int, ...]
    findings: tuple[Finding, ...]
    culprit: RegisterSet | None
    turns: tuple[TurnReport, ...]
    probes: tuple[Probe, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class BisectReport:
    """One kernel, all functions asked for."""

    input: str
    target: TargetInfo
    llc: LlcIdentity
    functions: tuple[FunctionBisection, ...]
