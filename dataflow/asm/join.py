"""Gives the findings about rewritten registers their lines of the assembly.

Way
  A finding names instructions of one stage of MIR. Each is followed through the stages after it, within its block: an
  ordinary instruction is the n-th of its kind (opcode, source location, registers already physical) on both sides; a
  save or reload of scalars becomes, lane by lane, the n-th access to a spill lane with that register. From the last
  stage to the assembly: the vector registers that hold scalars are renumbered there, so they are matched by their
  accesses; blocks are matched by what their instructions read and write; and an instruction is the one in a matching
  block that accesses the same locations, best with the same mnemonic and source location.
What it adds
  The slot as the machine has it: a lane of a vector register, or a dword of scratch memory.
What it proves
  Nothing by itself: the finding was proved on MIR. An instruction that no line of the assembly fits is said to be so.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import networkx as nx

from ..findings import Finding, Layer, LayerResult, PathStep, Place, SourceLocation, Verdict
from ..lanes import LaneMap, Locations
from ..mir.debug import DebugInfo
from ..mir.model import Block, Instruction, MachineFunction, MirFile, Register, Role
from ..targets.base import Target
from .lanes import place_of
from .model import AsmFile, AsmFunction, AsmInstruction
from .parser import cfg_of
from .registers import location_of_unit

_RARE = 4
"""Accesses that so many instructions of the assembly make say which block is which."""
_ENOUGH = 0.2
"""Of the votes for the best block: a block with fewer is another one."""
_LEAST_SCORE = 5
_DETOUR = 100
"""What a block that no block of MIR on the path matches costs on a way, where one that is matched costs 1."""
_NUMBERED = re.compile(r"(?:\.LBB\d+_|%bb\.)(\d+)")
_MOVES_OF_LANES = frozenset((Role.SAVE, Role.RESTORE))
_LANE_ROLES = frozenset((Role.LANE_SAVE, Role.LANE_RESTORE))


def join(
    rewritten: LayerResult,
    stages: Sequence[MirFile],
    name: str,
    target: Target,
    asm: AsmFile,
) -> LayerResult:
    """The layer `asm` of a function: the findings of layer `rewritten` in terms of the assembly.

    stages: the compile's, in pipeline order; the findings name their lines. Raises KeyError if the assembly has no such
    function.
    """
    joiner = AsmLines(stages, name, target, asm)
    found: list[Finding] = []
    lost: list[str] = []
    for finding in rewritten.findings:
        joined = joiner.finding(finding)
        if isinstance(joined, str):
            lost.append(joined)
        else:
            found.append(joined)
    verdict = rewritten.verdict
    if rewritten.findings:
        verdict = Verdict.BUG if found else Verdict.UNPROVEN
    unproven = rewritten.unproven if not rewritten.findings else ()
    return LayerResult(Layer.ASM, verdict, tuple(found), (), (*unproven, *dict.fromkeys(lost)), len(rewritten.findings))


def joined_id(finding_id: str) -> str:
    """The id that a finding about rewritten registers gets in layer `asm`."""
    return hashlib.sha256(f"asm\0{finding_id}".encode()).hexdigest()[:12]


def _has(file: MirFile, name: str) -> bool:
    return any(f.name == name for f in file.functions)


@dataclass(frozen=True, slots=True)
class _Site:
    """An instruction of one stage."""

    stage: int
    block: int
    index: int


@dataclass(slots=True)
class _Stage:
    file: MirFile
    function: MachineFunction
    blocks: dict[int, Block]
    debug: DebugInfo


class AsmLines:
    """Finds the lines of the assembly that instructions of a compile's stages became."""

    def __init__(
        self,
        stages: Sequence[MirFile],
        name: str,
        target: Target,
        asm: AsmFile,
    ) -> None:
        """Raises KeyError if the assembly has no function of that name."""
        self._target, self._asm, self._function = target, asm, asm.function(name)
        self._stages: list[_Stage] = []
        self._units = _Units(target)
        debugs: dict[int, DebugInfo] = {}
        for file in stages:
            if not _has(file, name):
                continue
            machine = file.function(name)
            self._units.adopt(machine)
            debug = debugs.setdefault(hash(file.ir), DebugInfo(file.ir))
            self._stages.append(_Stage(file, machine, {b.number: b for b in machine.blocks}, debug))
        self._matcher: _Matcher | None = None
        self._flow: tuple[nx.DiGraph[str], dict[str, list[str]]] | None = None
        self._keys: dict[int, tuple[object, ...]] = {}

    # -- findings -----------------------------------------------------------------------------------------------------

    def finding(self, finding: Finding) -> Finding | str:
        """The finding in terms of the assembly, or why it has none."""
        use = self._site(finding.use)
        if use is None:
            return f"{finding.id}: the instruction that reads {finding.location} is in no stage"
        lane, slot_word = self._lane_in_slot(finding)
        placed_use = self._place(use, finding.location)
        if placed_use is None:
            return f"{finding.id}: no line of the assembly is {finding.use.text}"
        clobber = self._place_of(finding.clobber, slot_word)
        if finding.clobber is not None and clobber is None:
            return f"{finding.id}: no line of the assembly is {finding.clobber.text}"
        carriers = [self._place_of(c, slot_word) for c in finding.carriers]
        slot = self._slot_of(clobber) or self._slot_of(next((c for c in carriers if c), None))
        return dataclasses.replace(
            finding,
            id=joined_id(finding.id),
            layer=Layer.ASM,
            stage="asm",
            location=self._spell(finding.location),
            definition=self._place_of(finding.definition, lane),
            clobber=clobber,
            use=placed_use,
            carriers=tuple(c for c in carriers if c is not None),
            loop=tuple(dict.fromkeys(self._label(b) for b in finding.loop)),
            path=self._path(finding.path),
            slot=slot or finding.slot,
        )

    def line_of(self, place: Place, location: str = "") -> Place | None:
        """The line for a place of MIR, or None.

        location: `$sgpr9`, whose lane of a wide save or reload is meant.
        """
        site = self._site(place)
        return self._place(site, location) if site is not None else None

    def _place_of(self, place: Place | None, lane: int) -> Place | None:
        """The line for a place of MIR; of a wide save or reload that of the lane."""
        site = self._site(place) if place is not None else None
        if site is None:
            return None
        instruction = self._instruction(site)
        moved = _moved(instruction)
        location = ""
        if moved is not None:
            units = self._units.of(moved)
            location = units[lane] if 0 <= lane < len(units) else ""
        return self._place(site, location)

    def _lane_in_slot(self, finding: Finding) -> tuple[int, int]:
        """Which lane of the needed register is concerned, and which word of the slot holds it."""
        digits = re.match(r"sub(\d+)", finding.needed.lane) if finding.needed is not None else None
        lane = int(digits[1]) if digits else 0
        location = finding.location
        for carrier in reversed(finding.carriers):
            site = self._site(carrier)
            if site is None:
                continue
            i = self._instruction(site)
            results = [u for d in i.defs for u in self._units.of(d)]
            if i.role is Role.COPY and location in results:
                location = self._units.of(i.uses[0])[results.index(location)]
            elif i.role is Role.RESTORE and location in results:
                return lane, results.index(location)
        return lane, lane

    def _slot_of(self, place: Place | None) -> str:
        """The spill lane or scratch dword that a line of the assembly accesses."""
        if place is None:
            return ""
        for block in self._function.blocks:
            if block.label == place.block and place.line in block.lines:
                i = block.instructions[block.lines.index(place.line)]
                for written, given in i.flows:
                    for location in (written, *given):
                        if location.endswith("]") or location.startswith("scratch"):
                            return location
        return ""

    def _spell(self, location: str) -> str:
        """`$sgpr9` as the assembly has it."""
        return location_of_unit(location[1:]) if location.startswith("$") else location

    def _path(self, steps: Sequence[PathStep]) -> tuple[PathStep, ...]:
        """The path by the assembly's blocks: from each block where something happens to the next over real edges.

        Several blocks of MIR may be one block there, and one that is empty is none; so the blocks in between are those
        of the shortest way that prefers blocks which some block of the path matches. Where there is no such way, all
        matching labels, each once.
        """
        parts: list[list[PathStep]] = [[]]
        for at, step in enumerate(steps):
            parts[-1].append(step)
            if step.note or step.back_edge or at == 0:
                parts.append([])
        found: list[PathStep] = []
        for part in filter(None, parts):
            self._extend(found, part)
        return tuple(found)

    def _extend(self, found: list[PathStep], part: Sequence[PathStep]) -> None:
        """Lead the path on to the last of some blocks of MIR."""
        last = part[-1]
        goal = self._label(last.block)
        here = found[-1].block if found else goal
        if here == goal and not last.back_edge:
            if not found:
                found.append(PathStep(goal, back_edge=False))
            notes = ", ".join(n for n in (found[-1].note, last.note) if n)
            found[-1] = dataclasses.replace(found[-1], note=notes)
            return
        known = {label for step in part for label in self._matching().labels(_block_number(step.block))}
        way = self._way(here, goal, known, over_back_edge=last.back_edge)
        if way is None:
            between = dict.fromkeys(self._label(step.block) for step in part[:-1])
            way = [label for label in between if label not in (here, goal)]
        found += [PathStep(label, back_edge=False) for label in way]
        found.append(PathStep(goal, last.back_edge, last.note))

    def _way(self, start: str, goal: str, known: set[str], *, over_back_edge: bool) -> list[str] | None:
        """The labels between two blocks. over_back_edge: the last edge, and no other, is a back edge."""
        forward, backward = self._edges()
        ends = backward.get(goal, []) if over_back_edge else [goal]
        best: list[str] | None = None

        def weight(_source: str, target: str, _data: dict[str, object]) -> int:
            return 1 if target in known else _DETOUR

        for end in ends:
            try:
                way: list[str] = nx.dijkstra_path(forward, start, end, weight)
            except (nx.NetworkXNoPath, nx.NodeNotFound):
                continue
            inner = way[1:] if over_back_edge else way[1:-1]
            if best is None or len(inner) < len(best):
                best = inner
        return best

    def _edges(self) -> tuple[nx.DiGraph[str], dict[str, list[str]]]:
        """The edges of the assembly that are no back edges, and by their target the sources of those that are."""
        if self._flow is None:
            forward: nx.DiGraph[str] = nx.DiGraph()
            backward: dict[str, list[str]] = {}
            cfg = cfg_of(self._function)
            labels = {b.number: b.label for b in self._function.blocks}
            for source in cfg.order:
                forward.add_node(labels[source])
                for target in cfg.successors[source]:
                    if cfg.is_back_edge(source, target):
                        backward.setdefault(labels[target], []).append(labels[source])
                    else:
                        forward.add_edge(labels[source], labels[target])
            self._flow = forward, backward
        return self._flow

    def _label(self, block: str) -> str:
        """The assembly's label for a block of MIR, or MIR's own."""
        labels = self._matching().labels(_block_number(block))
        return labels[0] if labels else block

    # -- following an instruction -------------------------------------------------------------------------------------

    def _site(self, place: Place | None) -> _Site | None:
        if place is None:
            return None
        for at, stage in enumerate(self._stages):
            if stage.file.path != place.file:
                continue
            for block in stage.function.blocks:
                if block.label == place.block and place.line in block.lines:
                    return _Site(at, block.number, block.lines.index(place.line))
        return None

    def _instruction(self, site: _Site) -> Instruction:
        return self._stages[site.stage].blocks[site.block].instructions[site.index]

    def _place(self, site: _Site, location: str) -> Place | None:
        """The line of the assembly. location: the register, `$sgpr9`, whose lane of a save or reload is meant."""
        while site.stage + 1 < len(self._stages):
            following = self._next(site, location)
            if following is None:
                # the pass may have dropped the block's instruction into another stage's form: look right away
                break
            site = following
        return self._matching().find(self._stages[site.stage], site, location)

    def _next(self, site: _Site, location: str) -> _Site | None:
        """The same instruction one stage later."""
        here = self._stages[site.stage].blocks[site.block].instructions
        following = self._stages[site.stage + 1].blocks.get(site.block)
        if following is None:
            return None
        instruction = here[site.index]
        if instruction.role in _MOVES_OF_LANES:
            lowered = self._lowered(here, site.index, following.instructions, location)
            if lowered is not None:
                return _Site(site.stage + 1, site.block, lowered)
        for part in (0, 1):
            # registers are the same on both sides, unless just now they were rewritten
            key = self._key(instruction)[part:]
            matches = [k for k, i in enumerate(following.instructions) if self._key(i)[part:] == key]
            if matches:
                ordinal = sum(1 for i in here[: site.index] if self._key(i)[part:] == key)
                return _Site(site.stage + 1, site.block, matches[min(ordinal, len(matches) - 1)])
        return None

    def _lowered(
        self, here: Sequence[Instruction], index: int, following: Sequence[Instruction], location: str
    ) -> int | None:
        """The access to a spill lane that one lane of a save or reload of scalars became."""
        instruction = here[index]
        saves = instruction.role is Role.SAVE
        role, lowered_role = (Role.SAVE, Role.LANE_SAVE) if saves else (Role.RESTORE, Role.LANE_RESTORE)

        def touches(i: Instruction) -> bool:
            moved = _moved(i)
            return moved is not None and location in self._units.of(moved)

        matches = [k for k, i in enumerate(following) if i.role is lowered_role and touches(i)]
        ordinal = sum(1 for i in here[:index] if i.role in (role, lowered_role) and touches(i))
        return matches[ordinal] if ordinal < len(matches) else None

    def _key(self, i: Instruction) -> tuple[object, ...]:
        """What stays the same of an instruction from stage to stage; first its physical scalar registers."""
        found = self._keys.get(id(i))
        if found is None:
            found = self._keys[id(i)] = self._make_key(i)
        return found

    def _make_key(self, i: Instruction) -> tuple[object, ...]:
        physical = tuple(r.name for r in (*i.defs, *i.uses) if not r.virtual and r.name.startswith("sgpr"))
        slot = i.slot if i.role in _LANE_ROLES else ""
        spills = i.role in _MOVES_OF_LANES
        immediates = () if spills else i.immediates
        return (physical, i.opcode.replace("_vgprcd", ""), immediates, i.debug, slot)

    def _matching(self) -> _Matcher:
        if self._matcher is None:
            self._matcher = _Matcher(self._asm, self._function, self._stages[-1], self._units)
        return self._matcher


def _block_number(label: str) -> int:
    """7 of `bb.7.for.body`; -1 where it is no such label."""
    number = re.match(r"bb\.(\d+)", label)
    return int(number[1]) if number else -1


def _moved(i: Instruction) -> Register | None:
    """The register that a save stores or a reload fills."""
    if i.role in (Role.SAVE, Role.LANE_SAVE):
        return i.uses[0]
    return i.defs[0] if i.role in (Role.RESTORE, Role.LANE_RESTORE) else None


class _Units:
    """Spells the lanes of MIR operands: `$sgpr9`, `%12.sub1`."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._locations = Locations(target, 32)
        self._lanes = LaneMap(self._locations)

    def adopt(self, function: MachineFunction) -> None:
        """Learn the register classes of a stage: an operand that is read does not name its own."""
        self._lanes.adopt(function)

    def of(self, register: Register) -> list[str]:
        """The operand's lanes; of a virtual register without a class only its name."""
        if not register.virtual:
            return [f"${u}" for u in self._target.physical_units(register.name, 32)]
        if not self._lanes.class_of(register) and not register.sub:
            return [f"%{register.name}.sub0"]
        return [self._locations.spell(u) for u in self._lanes.units(register)]

    def in_asm(self, registers: Iterable[Register]) -> frozenset[str]:
        """The locations of physical operands, as the assembly spells them."""
        return frozenset(
            location_of_unit(u)
            for r in registers
            if not r.virtual and not r.undef
            for u in self._target.physical_units(r.name, 32)
        )


_Access = tuple[frozenset[str], frozenset[str], tuple[str, int]]


@dataclass(slots=True)
class _Matcher:
    """Finds lines of the assembly for instructions of the last stage."""

    asm: AsmFile
    function: AsmFunction
    last: _Stage
    units: _Units
    _holders: dict[str, str] = field(init=False)
    _blocks: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._holders = _match_holders(self.last.function, self.function, self.units)
        self._blocks = self._match_blocks()

    def labels(self, block: int) -> list[str]:
        """The labels of the blocks that became of a block of MIR, the best match first."""
        return [self.function.blocks[b].label for b in self._blocks.get(block, ())]

    def find(self, stage: _Stage, site: _Site, location: str) -> Place | None:
        """The line that is an instruction of a stage."""
        block = stage.blocks[site.block]
        instruction = block.instructions[site.index]
        wanted = _Wanted.of(
            instruction,
            location,
            self.units,
            self._spill_lane(instruction),
            _source(stage.debug.resolve(instruction.debug)),
        )
        best: tuple[int, int, int, int] | None = None
        found = (0, 0)
        before = sum(1 for i in block.instructions[: site.index] if _same_access(i, instruction, self.units))
        for rank, number in enumerate(self._blocks.get(site.block, ())):
            seen = 0
            for index, candidate in enumerate(self.function.blocks[number].instructions):
                score = wanted.score(candidate, self._source_at(number, index))
                if score < _LEAST_SCORE:
                    continue
                # of equals the one with as many like it before it
                entry = (score, -rank, -abs(seen - before), -index)
                if best is None or entry > best:
                    best, found = entry, (number, index)
                seen += 1
        if best is None:
            return None
        return place_of(self.asm, self.function, *found)

    def _access(self, i: Instruction, source: tuple[str, int]) -> _Access:
        if i.role is Role.LANE_SAVE:
            return frozenset((self._spill_lane(i),)), self.units.in_asm(i.uses[:1]), source
        if i.role is Role.LANE_RESTORE:
            return self.units.in_asm(i.defs), frozenset((self._spill_lane(i),)), source
        return self.units.in_asm(i.defs), self.units.in_asm(i.uses), source

    def _spill_lane(self, i: Instruction) -> str:
        """`v254[8]` of an access to a lane, by the name that the assembly has for the register; else ""."""
        if i.role not in _LANE_ROLES:
            return ""
        holder = next(iter(self.units.in_asm([_holder(i)])), "")
        return f"{self._holders.get(holder, holder)}[{i.slot}]"

    def _source_at(self, block: int, index: int) -> tuple[str, int]:
        return _source(self.asm.locations[self.function.blocks[block].debug[index]])

    def _match_blocks(self) -> dict[int, list[int]]:
        accesses = Counter[_Access]()
        where: dict[_Access, set[int]] = {}
        for block in self.function.blocks:
            for index, i in enumerate(block.instructions):
                access = _access_of_asm(i, self._source_at(block.number, index))
                accesses[access] += 1
                where.setdefault(access, set()).add(block.number)
        sources: dict[str, tuple[str, int]] = {}
        named = {int(m[1]): b.number for b in self.function.blocks if (m := _NUMBERED.fullmatch(b.label))}
        result: dict[int, list[int]] = {}
        for number, block in self.last.blocks.items():
            votes = Counter[int]()
            for i in block.instructions:
                source = sources.get(i.debug)
                if source is None:
                    source = sources[i.debug] = _source(self.last.debug.resolve(i.debug))
                access = self._access(i, source)
                if 0 < accesses[access] <= _RARE:
                    for candidate in where[access]:
                        votes[candidate] += 1
            if number in named:
                # passes after the last stage keep most numbers
                votes[named[number]] += 1
            top = max(votes.values(), default=0)
            result[number] = [b for b, n in votes.most_common() if n >= _ENOUGH * top]
        return result


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a line of the assembly should be like. role, writes and reads: of the one lane, if a lane is meant."""

    stem: str
    role: Role
    writes: frozenset[str]
    reads: frozenset[str]
    lane: str
    slot: str
    source: tuple[str, int]

    @classmethod
    def of(cls, i: Instruction, location: str, units: _Units, slot: str, source: tuple[str, int]) -> _Wanted:
        """For an instruction of MIR."""
        lane = location_of_unit(location[1:]) if location.startswith("$") else ""
        writes, reads = units.in_asm(i.defs), units.in_asm(i.uses)
        return cls(_stem(i.opcode), i.role, writes, reads, lane, slot, source)

    def score(self, i: AsmInstruction, source: tuple[str, int]) -> int:
        """How well an instruction fits; below _LEAST_SCORE it is another one."""
        near = int(bool(source[1]) and source == self.source)
        if self.slot:
            locations = {x for w, given in i.flows for x in (w, *given)}
            return 8 + near if i.role is self.role and {self.slot, self.lane} <= locations else 0
        if self.role in _MOVES_OF_LANES:
            registers = {x for w, given in i.flows for x in (w, *given)}
            fits = i.role is self.role and (
                self.lane in registers if self.lane else registers & (self.writes | self.reads)
            )
            return 8 + near if fits else 0
        if self.stem == "inlineasm":
            return self._score_of_inline(i)
        written = {w for w, _ in i.flows}
        points = 4 * (self.stem == _stem(i.mnemonic))
        points += 2 * bool(self.writes and self.writes <= written) + 2 * (self.reads <= set(i.reads)) + 2 * near
        return points if points > 4 else 0

    def _score_of_inline(self, i: AsmInstruction) -> int:
        if i.mnemonic != "inline-asm":
            return 0
        written = {w for w, _ in i.flows}
        reads = frozenset(i.reads)
        return 6 + 2 * (self.reads == reads) if self.reads & reads or self.writes & written else 0


def _same_access(a: Instruction, b: Instruction, units: _Units) -> bool:
    if a.role is not b.role or _stem(a.opcode) != _stem(b.opcode):
        return False
    return units.in_asm(a.defs) == units.in_asm(b.defs) and units.in_asm(a.uses) == units.in_asm(b.uses)


def _holder(i: Instruction) -> Register:
    """The vector register of an access to a spill lane."""
    return i.defs[0] if i.role is Role.LANE_SAVE else i.uses[0]


_LaneAccess = tuple[Role, str, str]
"""Role, lane number, scalar register."""


def _match_holders(mir: MachineFunction, asm: AsmFunction, units: _Units) -> dict[str, str]:
    """For each vector register that holds scalars in MIR, by location, the one that does so in the assembly."""
    ours: dict[str, Counter[_LaneAccess]] = {}
    theirs: dict[str, Counter[_LaneAccess]] = {}
    for block in mir.blocks:
        for i in block.instructions:
            moved = _moved(i) if i.role in _LANE_ROLES else None
            for scalar in units.in_asm([moved]) if moved is not None else ():
                for holder in units.in_asm([_holder(i)]):
                    ours.setdefault(holder, Counter())[i.role, i.slot, scalar] += 1
    for block in asm.blocks:
        for i in block.instructions:
            if i.role in _LANE_ROLES:
                for written, given in i.flows:
                    ends = (written, *given)
                    lane = next(x for x in ends if x.endswith("]"))
                    holder, _, number = lane.rstrip("]").partition("[")
                    for scalar in ends:
                        if scalar != lane:
                            theirs.setdefault(holder, Counter())[i.role, number, scalar] += 1
    found: dict[str, str] = {}
    for holder, accesses in ours.items():
        best = max(theirs, key=lambda t: (accesses & theirs[t]).total(), default="")
        if best:
            found[holder] = best
    return found


def _access_of_asm(i: AsmInstruction, source: tuple[str, int]) -> _Access:
    written = frozenset(w for w, _ in i.flows if w not in ("scc", "vcc_lo", "vcc_hi") and not w.startswith("exec"))
    return written, frozenset(r for r in i.reads if r != "scc" and not r.startswith("exec")), source


def _source(debug: Sequence[SourceLocation]) -> tuple[str, int]:
    """The innermost source line, by the file's name alone."""
    if not debug or not debug[0].line:
        return "", 0
    return debug[0].file.rpartition("/")[2], debug[0].line


_ENDINGS = re.compile(
    r"(?:_(?:e32|e64|dpp|sdwa|imm|sgpr|sgpr_imm|ec|offen|offset|idxen|bothen|saddr|svs|st|vgprcd|gfx\w+|vi|agpr|mac|"
    r"vgpr|t16|pseudo|fake16|align2))+$"
)


def _stem(opcode: str) -> str:
    """What an opcode of MIR and a mnemonic have in common."""
    return _ENDINGS.sub("", opcode.lower())
