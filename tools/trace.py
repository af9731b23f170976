"""From a place that a user names to chains of definitions: in assembly, in MIR, or in what becomes of a kernel's IR.

Places, `LOCATION[@PLACE]` or `FILE:LINE`:
  s[0:3]  v12  vcc  v254[8]  scratch+424      registers, a spill lane, a dword of scratch memory: assembly
  %stack.53:0  %stack.53  %12.sub1  $sgpr4    word 0 of a slot, a whole slot, a lane, a register: MIR
  @.LBB0_12  @bb.7  @8778                     in this block, or at this line; without it, anywhere
  attn.py:138                                 what is read at that source line, of loads and stores if it has any
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import networkx as nx
from regtriage.dataflow.asm.lanes import asm_program
from regtriage.dataflow.asm.metadata import Argument, kernel_arguments
from regtriage.dataflow.asm.model import AsmError
from regtriage.dataflow.asm.parser import parse_asm
from regtriage.dataflow.asm.registers import locations_of
from regtriage.dataflow.chains import Chain, Direction, Walker
from regtriage.dataflow.findings import Place
from regtriage.dataflow.graph import Definition, LaneGraph, LaneProgram, Step
from regtriage.dataflow.mir.model import MirError
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.mir_lanes import mir_program
from regtriage.dataflow.targets import Target, TargetError, target_for
from regtriage.tools.asm import read_asm_text
from regtriage.tools.llc.run import Compilation, CompileRequest, InputError, Llc, Variant
from regtriage.tools.triage import default_target

ASM = "asm"
"""The name of the final text, next to the names of stages."""

_IR_SUFFIXES = frozenset((".ll", ".llir", ".bc"))
_SOURCE = re.compile(r"(?P<file>[^@%$\s][^@]*\.\w+):(?P<line>\d+)$")
_SLOT_WORD = re.compile(r"(%(?:fixed-)?stack\.\d+):(\d+)$")
_MIR_LOCATION = re.compile(r"[%$]")
_TRIPLE = re.compile(r'^\s*target triple = "([^"]*)"', re.M)
_SPILL_LANE = re.compile(r"v\d+\[\d+\]$")
_MOST_STARTS = 4


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """What to trace. at: see the module. stage: `after-greedy-0` and the like, ASM, or None for the obvious one.

    function: None means the only one, or the first that has the place. computes: computations that a chain goes
    through; most: links of a chain. variant to extra_args are for IR, see CompileRequest.
    """

    input: Path
    at: str
    direction: Direction = Direction.BACKWARD
    stage: str | None = None
    function: str | None = None
    computes: int = 2
    most: int = 200
    variant: Variant = Variant.OFF
    triple: str | None = None
    cpu: str | None = None
    opt: int = 3
    extra_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """One instruction (None: the location at its first definition), and a chain for each lane asked for."""

    place: Place | None
    chains: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class TraceResult:
    """Everything found. layer: ASM or a stage's name. left: instructions that fit too and are not shown.

    arguments: the kernel's, where the assembly says them. graph: all that the chains went over.
    """

    input: str
    layer: str
    function: str
    direction: Direction
    starts: tuple[Start, ...]
    left: int
    arguments: tuple[Argument, ...]
    graph: nx.DiGraph[Definition]


def trace(request: TraceRequest, llc: Callable[[], Llc]) -> TraceResult:
    """Find the place and walk. llc: called for the compiler, if the input is IR.

    Raises InputError if there is no such file, function, stage or place, ToolFailure if the compiler fails.
    """
    where = parse_where(request.at)
    with tempfile.TemporaryDirectory(prefix="regtriage-") as scratch:
        text = _text_of(request, where, llc, Path(scratch))
    programs = list(_programs(request, text))
    for program in programs:
        graph = LaneGraph(program)
        starts = list(_starts(graph, where, request.direction))
        if starts:
            return _walk(request, text, graph, starts)
    what = f"function '{request.function}'" if request.function else "the text"
    raise InputError(f"{request.input}: error: nothing at '{request.at}' in {what} ({text.layer})")


def _walk(request: TraceRequest, text: _Text, graph: LaneGraph, starts: list[_Start]) -> TraceResult:
    walker = Walker(graph, request.direction, request.computes, request.most)
    shown = starts[:_MOST_STARTS]
    found = tuple(Start(s.place, tuple(walker.chain(d, s.place) for d in s.definitions)) for s in shown)
    name = graph.program.name
    arguments = kernel_arguments(text.asm).get(name, ())
    return TraceResult(
        str(request.input), text.layer, name, request.direction, found, len(starts) - len(shown), arguments,
        walker.slice(),
    )  # fmt: skip


# -- the place --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Where:
    """A place as a user writes it: a location, maybe in a block or at a line; or a line of the source."""

    location: str = ""
    place: str = ""
    file: str = ""
    line: int = 0

    @property
    def is_mir(self) -> bool:
        """Only MIR has such a location."""
        return bool(_MIR_LOCATION.match(self.location)) or self.place.startswith("bb.")


def parse_where(text: str) -> Where:
    """Raises InputError if the text names no place."""
    source = _SOURCE.match(text)
    if source:
        return Where(file=source["file"], line=int(source["line"]))
    location, _, place = text.partition("@")
    location = location.strip()
    word = _SLOT_WORD.match(location)
    if word:
        location = f"{word[1]}+{4 * int(word[2])}"
    where = Where(location=location, place=place.strip().lstrip("%"))
    known = where.is_mir or _SPILL_LANE.match(location) or location.startswith("scratch") or locations_of(location)
    if not known:
        examples = "s[0:3]@.LBB0_12, %stack.53:0 or file.py:138"
        raise InputError(f"error: '{text}' is no place: neither a register, a slot nor a line, as in {examples}")
    return where


@dataclass(frozen=True, slots=True)
class _Start:
    place: Place | None
    definitions: tuple[Definition, ...]


def _starts(graph: LaneGraph, where: Where, direction: Direction) -> Iterator[_Start]:
    """Distinct places to walk from: instructions that see other definitions than those before.

    Of a wide register, only the instructions that read all of it, if there is one.
    """
    wanted = _matching(graph.program, where.location) if where.location else frozenset[str]()
    if where.location and not wanted:
        return
    chosen = [(at, _asked(graph.program, at, where, wanted, direction)) for at in _instructions(graph.program, where)]
    widest = max((len(names) for _, names in chosen), default=0) if where.location else 0
    seen: set[tuple[Definition, ...]] = set()
    for (block, index), names in chosen:
        if len(names) < max(1, widest):
            continue
        if direction is Direction.FORWARD:
            found = tuple(Definition(block, index, name) for name in names)
        else:
            found = tuple(graph.reaching(block, index, name) for name in names)
        if found not in seen:
            seen.add(found)
            yield _Start(graph.program.place(block, index), found)


def _asked(
    program: LaneProgram, at: tuple[int, int], where: Where, wanted: frozenset[str], direction: Direction
) -> list[str]:
    """The locations to walk from, of those that an instruction writes or reads."""
    step = program.steps[at[0]][at[1]]
    if direction is Direction.FORWARD:
        known: Sequence[str] = [w for w, _ in step.flows]
    else:
        known = step.reads if where.location else _told_by(step)
    return [name for name in dict.fromkeys(known) if not where.location or name in wanted]


def _matching(program: LaneProgram, location: str) -> frozenset[str]:
    """The program's locations that a user's spelling stands for: `%12` for its lanes, `s[0:3]` for four registers."""
    known = {x for steps in program.steps.values() for s in steps for x in (*s.reads, *(w for w, _ in s.flows))}
    spelt = set(locations_of(location)) or {location}
    if location.startswith("$"):
        spelt |= {f"${part}" for part in location[1:].split("_") if part}
    found = spelt & known
    if not found and _MIR_LOCATION.match(location):
        found = {k for k in known if k.startswith((location + ".", location + "+"))}
    return frozenset(found)


def _told_by(step: Step) -> Sequence[str]:
    """What is worth tracing of what an instruction reads: the scalar operands of a memory access, else everything."""
    return (step.memory and _scalars(step)) or step.reads


def _scalars(step: Step) -> Sequence[str]:
    return [r for r in step.reads if r.lstrip("$").startswith("s") and r.lstrip("$") != "scc"]


def _instructions(program: LaneProgram, where: Where) -> list[tuple[int, int]]:
    """The instructions at a place, in layout order; at a line of the source, accesses to memory if there are any."""
    everything = [(b, i) for b in sorted(program.steps) for i in range(len(program.steps[b]))]
    if where.file:
        lines = _PlaceCache(program)
        found = [at for at in everything if lines.is_from(at, where)]
        accesses = [(b, i) for b, i in found if program.steps[b][i].memory]
        return [(b, i) for b, i in accesses if _scalars(program.steps[b][i])] or accesses or found
    if not where.place:
        return everything
    if where.place.isdigit():
        return [(b, i) for b, i in everything if program.place(b, i).line == int(where.place)]
    blocks = {b for b, label in program.labels.items() if _is_called(label, where.place)}
    return [(b, i) for b, i in everything if b in blocks]


def _is_called(label: str, name: str) -> bool:
    return name in (label, label.lstrip("%")) or (label.startswith(f"{name}.") and name.startswith("bb."))


@dataclass(slots=True)
class _PlaceCache:
    program: LaneProgram

    def is_from(self, at: tuple[int, int], where: Where) -> bool:
        debug = self.program.place(*at).debug
        return any(d.line == where.line and _same_file(d.file, where.file) for d in debug)


def _same_file(known: str, asked: str) -> bool:
    a, b = PurePath(known), PurePath(asked)
    return a.parts[-len(b.parts) :] == b.parts


# -- the text ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Text:
    """What is traced: assembly, or MIR of a stage. asm: the assembly of the same compile, or ""."""

    layer: str
    path: str
    text: str
    asm: str

    @property
    def is_asm(self) -> bool:
        return self.layer == ASM


def _text_of(request: TraceRequest, where: Where, llc: Callable[[], Llc], scratch: Path) -> _Text:
    path = request.input
    if path.suffix in _IR_SUFFIXES:
        triple, cpu = default_target(path, request.triple, request.cpu)
        compiled = llc().compile(
            CompileRequest(path, request.variant, triple, cpu, request.opt, request.extra_args), scratch
        )
        return _of_compilation(request, where, compiled)
    text = read_asm_text(path)
    if path.suffix == ".mir":
        return _Text(path.name, str(path), text, "")
    return _Text(ASM, str(path), text, text)


def _of_compilation(request: TraceRequest, where: Where, compiled: Compilation) -> _Text:
    asm = compiled.asm.read_text(encoding="utf-8", errors="surrogateescape")
    stages = {stage.name: stage.path for stage in compiled.stages}
    wanted = request.stage or ("" if where.is_mir else ASM)
    if wanted == ASM:
        return _Text(ASM, compiled.asm.name, asm, asm)
    if wanted and wanted not in stages:
        raise InputError(f"error: no stage '{wanted}' (there are: {', '.join((*stages, ASM))})")
    names = [wanted] if wanted else list(reversed(stages))
    pattern = _occurrence(where.location)
    for name in names:
        text = stages[name].read_text(encoding="utf-8", errors="surrogateescape")
        if wanted or pattern.search(text):
            return _Text(name, stages[name].name, text, asm)
    raise InputError(f"{request.input}: error: no stage of this compile has '{request.at}'")


def _occurrence(location: str) -> re.Pattern[str]:
    name = re.split(r"[+:\[]|\.sub", location)[0]
    return re.compile(r"^ .*" + re.escape(name) + r"(?![\w])(?!\.\d)", re.M)


def _programs(request: TraceRequest, text: _Text) -> Iterator[LaneProgram]:
    """The functions to look into."""
    names: list[str] = []
    try:
        for name, make in _functions(text):
            names.append(name)
            if request.function in (None, name):
                yield make()
    except (AsmError, MirError) as error:
        raise InputError(str(error)) from None
    except TargetError as error:
        raise InputError(f"{text.path}: error: {error}") from None
    if request.function is not None and request.function not in names:
        raise InputError(f"{text.path}: error: no function '{request.function}' (it has: {', '.join(names)})")


def _functions(text: _Text) -> Iterator[tuple[str, Callable[[], LaneProgram]]]:
    if text.is_asm:
        asm = parse_asm(text.text, text.path)
        for function in asm.functions:
            yield function.name, lambda f=function: asm_program(asm, f)
        return
    found = _TRIPLE.search(text.text)
    target: Target = target_for(found[1] if found else "")
    mir = Reader(target).read(text.text, text.path)
    for machine in mir.functions:
        yield machine.name, lambda f=machine: mir_program(mir, f, target)
