"""What is swept and what comes of it. Nothing here computes."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.findings import Verdict
from regtriage.tools.llc.run import GuardFlags, Variant


class Method(enum.StrEnum):
    """What can be said of a file: IR is compiled and checked, assembly judged alone, TTGIR for Intel estimated."""

    PROOF = "proof"
    ASM = "asm"
    PTSS = "ptss"


class Answer(enum.StrEnum):
    """The answer about one unit. The first four are proofs; assembly is SUSPECT at most; the last three are of PTSS."""

    BUG = Verdict.BUG.value
    HAZARD = Verdict.HAZARD.value
    CLEAN = Verdict.CLEAN.value
    UNPROVEN = Verdict.UNPROVEN.value
    SUSPECT = "SUSPECT"
    UNSUSPECTED = "UNSUSPECTED"
    OVER = "OVER"
    BORDERLINE = "BORDERLINE"
    FITS = "FITS"


class ErrorKind(enum.StrEnum):
    """Why a unit has no answer.

    INPUT: the kernel or a flag is wrong. COMPILER: the compiler reported an error; COMPILER_CRASH: it died.
    CRASH: the process of the unit died; INTERNAL: this program is wrong. MEMORY, TIME_OUT: over the limit.
    LOST: the worker died, was not fit, or the file changed meanwhile: the next sweep runs the unit again.
    """

    INPUT = "input"
    COMPILER = "compiler"
    COMPILER_CRASH = "compiler-crash"
    CRASH = "crash"
    INTERNAL = "internal"
    MEMORY = "memory"
    TIME_OUT = "time-out"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A file to sweep. digest: of its content and cpu; name: for people, relative to what was swept.

    cpu: what Triton's metadata beside the file says, where the file itself does not; else "". size: bytes.
    """

    digest: str
    name: str
    path: Path
    method: Method
    cpu: str
    size: int


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler as it is asked for and as it answered. build: tells two programs of one version apart, or ""."""

    spec: str
    guard: GuardFlags | None
    kind: str
    version: str
    build: str


NO_COMPILER = Compiler("", None, "", "", "")
"""Of units for which nothing is compiled."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """All that decides an outcome besides the kernel, in words. flags: "" where the kernel is left as it is."""

    tool: str
    compiler: str
    version: str
    build: str
    variant: str
    flags: str


@dataclass(frozen=True, slots=True)
class Options:
    """What a unit compiles with. attributes: of every function, by name. None: what the kernel says."""

    variant: Variant
    attributes: tuple[tuple[str, str], ...] = ()
    llc_args: tuple[str, ...] = ()
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3


@dataclass(frozen=True, slots=True)
class Unit:
    """One kernel, one compiler, one setting. options is None where nothing is compiled."""

    kernel: Kernel
    compiler: Compiler
    options: Options | None
    configuration: Configuration


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one unit. seconds: wall time; memory: bytes of address space of each of its processes. None: no limit."""

    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A unit as it travels. content: the kernel's bytes, compressed with zlib."""

    name: str
    content: bytes
    method: Method
    cpu: str
    tool: str
    compiler: Compiler
    options: Options | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Found:
    """A finding in short. exit, exit_by, needed and source may be ""."""

    function: str
    id: str
    kind: str
    exit: str
    exit_by: str
    needed: str
    source: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit: an answer, or an error with its message.

    wrong: lanes read wrong, or suspects; spills: as the compiler counts them, or slots that the judge saw;
    runs, differ: executions before and after allocation, and how many differed; code: a digest of the assembly.
    result: the JSON object that the command for one kernel would print, "" after an error. seconds: wall time.
    """

    answer: Answer | None = None
    error: ErrorKind | None = None
    message: str = ""
    wrong: int = 0
    hazards: int = 0
    spills: int | None = None
    runs: int | None = None
    differ: int | None = None
    code: str = ""
    found: tuple[Found, ...] = ()
    result: str = ""
    seconds: float = 0.0
    host: str = ""
