"""What is asked of a compiler and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Variant(StrEnum):
    """How the inline spiller is steered."""

    OFF = "off"
    """As it is."""
    GUARD = "guard"
    """No spill is hoisted, within a block, to a sibling one of whose sub-ranges is not live."""
    GUARD_LANES = "guard-lanes"
    """The same, if a lane of the sibling's class is not live, also one without a sub-range."""
    PRIVATE = "private"
    """A register that some definition leaves partly undefined has a stack slot of its own."""
    GUARD_PRIVATE = "guard+private"
    """Both of guard and private."""


class StageWhen(StrEnum):
    """On which side of a pass the MIR was printed."""

    BEFORE = "before"
    AFTER = "after"


class LlcKind(StrEnum):
    """Where a compiler comes from."""

    BUILTIN = "builtin"
    EXTERNAL = "external"
    TRITON = "triton"


@dataclass(frozen=True, slots=True)
class GuardFlags:
    """The flag that turns a guard of the user's own compiler on, and the one that turns it off.

    Either may be empty: the compiler does so by default.
    """

    on: str
    off: str


@dataclass(frozen=True, slots=True)
class PrivateRegister:
    """A register by the number that MIR prints for it, while the allocation at hand spills it.

    allocation: the run of the greedy allocator, from 0. function: None means any.
    """

    allocation: int
    register: int
    function: str | None = None

    def __str__(self) -> str:
        """As the llc's -private-only takes it."""
        name = f"{self.allocation}:{self.register}"
        return name if self.function is None else f"{name}@{self.function}"


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """One compilation.

    triple, cpu: None means what the input says. opt: 0 to 3. extra_args: LLVM's own flags.
    guard_skip, private_skip: so many decisions of the variant are left as they were; guard_count,
    private_count: at most so many are changed after these, None means all. Decisions are counted over the
    module, in order. private_only: just these registers, in place of skip and count.
    time_limit: seconds; memory_limit: bytes of address space; None means no limit.
    """

    input: Path
    variant: Variant = Variant.OFF
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    extra_args: tuple[str, ...] = ()
    guard_skip: int = 0
    guard_count: int | None = None
    private_skip: int = 0
    private_count: int | None = None
    private_only: tuple[PrivateRegister, ...] = ()
    time_limit: float | None = None
    memory_limit: int | None = None


@dataclass(frozen=True, slots=True, order=True)
class Stage:
    """The MIR on one side of a pass.

    sequence: the place in the pipeline, from 0. index: the run of the pass, from 0, as in
    `-stop-after=PASS,INDEX`.
    """

    sequence: int
    when: StageWhen
    pass_name: str
    index: int
    path: Path

    @property
    def name(self) -> str:
        """For example `after-greedy-0`."""
        return f"{self.when}-{self.pass_name}-{self.index}"


@dataclass(frozen=True, slots=True)
class LlcIdentity:
    """A compiler. version: LLVM's, for Triton Triton's; path: the program that is run."""

    kind: LlcKind
    version: str
    path: Path


@dataclass(frozen=True, slots=True)
class Compilation:
    """What a compilation left in its directory.

    stages: in the order of the pipeline, none for a target without register allocation. trace, live_lanes:
    only from the llc that comes with this package. diagnostics: what the compiler wrote on stderr (warnings).
    seconds: wall time of all of its runs. command: the run that made the assembly.
    """

    request: CompileRequest
    directory: Path
    asm: Path
    stages: tuple[Stage, ...]
    trace: Path | None
    live_lanes: Path | None
    diagnostics: str
    seconds: float
    llc: LlcIdentity
    command: tuple[str, ...]

    def stage(self, when: StageWhen, pass_name: str, index: int) -> Stage | None:
        """The stage of that name, or None."""
        for stage in self.stages:
            if (stage.when, stage.pass_name, stage.index) == (when, pass_name, index):
                return stage
        return None
