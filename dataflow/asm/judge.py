"""Suspects, from the assembly alone, that a spilled value is overwritten with another one inside a loop.

What is looked for
  A spill slot (a lane of a vector register, a dword of scratch memory) that an instruction in a loop reloads, where
  the reload sees both a store from before the loop and, over the back edge, a store inside the loop; where that
  inside store survives to the back edge (nothing stores the right value back); and where the reloaded value is used.
  And where something says that the two stores are not of one variable: the inside store is from another source line
  than the outside ones and what they save; or other lanes that the same use needs are saved back beside it, so that
  a whole register was stored of which only those lanes were meant.
When it is not suspect
  What the inside store saves is made, in some way, of the slot's own content at the loop's start: a counter, an
  accumulator, a save-back. Or of the very definitions that the outside stores save. Or it is made anew in each
  iteration by the same kind of instruction, or at the same source line, as what the outside stores save: a value that
  was fetched ahead. Or the outside stores only save constants: a first value.
What it means
  A suspicion, not a proof: assembly does not say which values the source meant to be equal. The proof is the check of
  the stages of register allocation (`check`), to whose findings `join` gives the lines of the assembly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..findings import Place
from ..graph import AT_ENTRY, Definition, EdgeKind, LaneGraph, LaneProgram
from .lanes import asm_program
from .model import AsmFile, AsmFunction

_ENCODING = re.compile(r"(_e32|_e64|_dpp|_sdwa)+$")
_WIDTH = re.compile(r"(?:(?<=buffer_load_)|(?<=global_load_))(?:dword(?:x\d)?|b\d+)$")
"""Of a vector load. The compiler joins loads of a loop's body that it left apart where they are fetched ahead of it."""
_CONSTANT_MOVES = frozenset(("s_movk_i32",))
_MOST_NODES = 20000
"""Definitions looked at to decide whether a value is made of a slot; a slice that is larger counts as made of it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was made: the instruction, and which of the locations that it writes."""

    location: str
    place: Place


@dataclass(frozen=True, slots=True)
class Suspect:
    """One slot that is overwritten in one loop.

    loop: labels of its blocks, the header first. slot: `v254[8]`, `scratch+424`. store: the store inside the loop;
    stored: where the value that it saves was made. definitions: the stores from outside that reach the same reload;
    meant: where their values were made. reload: the first that sees both; use: what needs the reloaded value.
    """

    function: str
    loop: tuple[str, ...]
    slot: str
    store: Place
    stored: tuple[Origin, ...]
    definitions: tuple[Place, ...]
    meant: tuple[Origin, ...]
    reload: Place
    use: Place


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was looked at in one function, and what is suspect."""

    function: str
    instructions: int
    blocks: int
    loops: int
    spill_lanes: int
    scratch_dwords: int
    unresolved: tuple[int, ...]
    """Lines of jumps that go nobody knows where: what is behind them was not seen."""
    suspects: tuple[Suspect, ...]


def judge_asm(file: AsmFile) -> tuple[Judgement, ...]:
    """Judge every function of a file."""
    return tuple(judge_function(file, function) for function in file.functions)


def judge_function(file: AsmFile, function: AsmFunction) -> Judgement:
    """Judge one function."""
    program = asm_program(file, function)
    judge = _Judge(program)
    suspects = judge.run()
    slots = {w for steps in program.steps.values() for s in steps for w, _ in s.flows if program.is_slot(w)}
    lanes = sum(1 for s in slots if s.endswith("]"))
    return Judgement(
        function.name, function.instruction_count, len(function.blocks), judge.loops, lanes, len(slots) - lanes,
        tuple(function.unresolved), tuple(suspects),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Reload:
    block: int
    index: int
    result: str


@dataclass(slots=True)
class _Judge:
    program: LaneProgram
    loops: int = 0
    _graph: LaneGraph = field(init=False)
    _uses: dict[Definition, tuple[int, int] | None] = field(
        init=False, default_factory=dict[Definition, "tuple[int, int] | None"]
    )

    def __post_init__(self) -> None:
        self._graph = LaneGraph(self.program)

    def run(self) -> list[Suspect]:
        found: list[Suspect] = []
        for header, body in self.program.cfg.natural_loops():
            self.loops += 1
            for slot, reloads in self._reloads(body).items():
                if self._graph.merged_at(header, slot):
                    found += self._slot(header, body, slot, reloads)
        return found

    def _reloads(self, body: frozenset[int]) -> dict[str, list[_Reload]]:
        found: dict[str, list[_Reload]] = {}
        for block in sorted(body, key=self.program.cfg.index.__getitem__):
            for index, step in enumerate(self.program.steps[block]):
                if step.kind is EdgeKind.RELOAD:
                    for result, given in step.flows:
                        if self.program.is_slot(given[0]):
                            found.setdefault(given[0], []).append(_Reload(block, index, result))
        return found

    def _slot(self, header: int, body: frozenset[int], slot: str, reloads: list[_Reload]) -> list[Suspect]:
        merge = Definition(header, AT_ENTRY, slot)
        predecessors = self.program.cfg.predecessors[header]
        inside = [d for d in self._stores(merge, (p for p in predecessors if p in body)) if d.block in body]
        outside = self._stores(merge, (p for p in predecessors if p not in body))
        if not inside or not outside:
            return []
        reached = [r for r in reloads if self._sees(r, slot, merge)]
        used = next(((r, u) for r in reached if (u := self._use(Definition(r.block, r.index, r.result)))), None)
        if used is None:
            return []
        meant = [o for d in outside for o in self._graph.origins(d)]
        if all(self._is_constant(o) for o in meant):
            return []
        found: list[Suspect] = []
        for store in inside:
            stored = self._graph.origins(store)
            if self._is_expected(stored, meant, body):
                continue
            if self._graph.derives_from(store, lambda d: d == merge, _MOST_NODES) is not False:
                continue
            if not (self._is_from_elsewhere(store, outside, meant) or self._is_partial(header, body, store, used[1])):
                continue
            found.append(self._suspect(header, body, slot, store, stored, outside, meant, used))
        return found

    def _stores(self, merge: Definition, predecessors: Iterable[int]) -> list[Definition]:
        """The stores that reach the merge from these blocks, through other merges."""
        queue = list(dict.fromkeys(self._graph.at_exit(p, merge.location) for p in predecessors))
        for node in queue:
            if node.is_merge and node != merge:
                queue += [d for d, _ in self._graph.inputs(node) if d not in queue]
        return [d for d in queue if not d.is_merge and not d.is_live_in]

    def _sees(self, reload: _Reload, slot: str, merge: Definition) -> bool:
        queue = [self._graph.reaching(reload.block, reload.index, slot)]
        for node in queue:
            if node == merge:
                return True
            if node.is_merge:
                queue += [d for d, _ in self._graph.inputs(node) if d not in queue]
        return False

    def _use(self, start: Definition) -> tuple[int, int] | None:
        """An instruction that needs a value for more than to move it."""
        if start in self._uses:
            return self._uses[start]
        found: tuple[int, int] | None = None
        queue = [start]
        for node in queue:
            found = next(
                ((b, i) for b, i in self._graph.readers(node) if self._computes(b, i)),
                None,
            )
            if found is not None:
                break
            queue += [d for d, _ in self._graph.outputs(node) if d not in queue]
        self._uses[start] = found
        return found

    def _computes(self, block: int, index: int) -> bool:
        return self.program.steps[block][index].kind is EdgeKind.COMPUTE

    def _is_constant(self, node: Definition) -> bool:
        if node.is_live_in or node.is_merge:
            return False
        step = self.program.steps[node.block][node.position]
        moves = step.kind is EdgeKind.COPY or _operation(self._place(node).text) in _CONSTANT_MOVES
        return moves and not any(given for _, given in step.flows)

    def _is_expected(self, stored: list[Definition], meant: list[Definition], body: frozenset[int]) -> bool:
        """The same values, or made anew in the loop in the same way as those."""
        return all(o in meant or (o.block in body and any(self._is_alike(o, m) for m in meant)) for o in stored)

    def _is_alike(self, a: Definition, b: Definition) -> bool:
        if a.is_merge or b.is_merge or a.is_live_in or b.is_live_in:
            return False
        left, right = self._place(a), self._place(b)
        if _operation(left.text) == _operation(right.text):
            return True
        return bool(left.debug) and left.debug[:1] == right.debug[:1]

    def _is_from_elsewhere(self, store: Definition, outside: list[Definition], meant: list[Definition]) -> bool:
        """The store's source line is known, and is none of those of the outside stores and of what they save."""
        line = self._place(store).debug[:1]
        known = [self._place(d).debug[:1] for d in (*outside, *meant) if not d.is_live_in and not d.is_merge]
        return bool(line) and line not in known

    def _is_partial(self, header: int, body: frozenset[int], store: Definition, use: tuple[int, int]) -> bool:
        """Another slot that the use needs is stored in the same block, with what it held before the loop."""
        slots = {s for operand in self._graph.operands(*use) for s in self._slots_behind(operand)}
        return any(self._is_saved_back(header, body, s, store.block) for s in slots - {store.location})

    def _slots_behind(self, start: Definition) -> set[str]:
        """The slots that a value is reloaded from, through copies."""
        found: set[str] = set()
        queue = [start]
        for node in queue:
            for source, kind in self._graph.inputs(node):
                if kind is EdgeKind.RELOAD:
                    found.add(source.location)
                elif kind is EdgeKind.COPY and source not in queue:
                    queue.append(source)
        return found

    def _is_saved_back(self, header: int, body: frozenset[int], slot: str, block: int) -> bool:
        if not self._graph.merged_at(header, slot):
            return False
        merge = Definition(header, AT_ENTRY, slot)
        predecessors = self.program.cfg.predecessors[header]
        inside = self._stores(merge, (p for p in predecessors if p in body))
        outside = self._stores(merge, (p for p in predecessors if p not in body))
        meant = {o for d in outside for o in self._graph.origins(d)}
        return any(d.block == block and set(self._graph.origins(d)) <= meant for d in inside)

    def _suspect(
        self,
        header: int,
        body: frozenset[int],
        slot: str,
        store: Definition,
        stored: list[Definition],
        outside: list[Definition],
        meant: list[Definition],
        used: tuple[_Reload, tuple[int, int]],
    ) -> Suspect:
        reload, use = used
        order = [header, *sorted(body - {header}, key=self.program.cfg.index.__getitem__)]
        return Suspect(
            self.program.name,
            tuple(self.program.labels[b] for b in order),
            slot,
            self._place(store),
            self._origins(stored),
            tuple(dict.fromkeys(self._place(d) for d in outside)),
            self._origins(meant),
            self.program.place(reload.block, reload.index),
            self.program.place(*use),
        )

    def _place(self, node: Definition) -> Place:
        return self.program.place(node.block, node.position)

    def _origins(self, nodes: Iterable[Definition]) -> tuple[Origin, ...]:
        made = (n for n in nodes if not n.is_live_in and not n.is_merge)
        return tuple(dict.fromkeys(Origin(n.location, self._place(n)) for n in made))


def _operation(text: str) -> str:
    """An instruction's mnemonic without its encoding, which the operands decide, and without the width of a load."""
    return _WIDTH.sub("", _ENCODING.sub("", text.partition(" ")[0]))
