"""Which lanes of the wave are enabled where: a tree of EXEC masks.

A *mask* is a number for the value of EXEC between two writes of it. Masks form a tree: a mask's parent is one
that is known to enable at least the same lanes. The mask at the function's entry is `ENTRY`.

Transfer, for the ways in which AMDGPU's control flow lowering writes EXEC (T: current mask, m: any):
    X = COPY $exec                      X holds T
    X = S_AND_SAVEEXEC c                X holds T, EXEC becomes a new child of T
    X = S_AND m, c; $exec = X           a new child of m
    $exec = S_AND/S_ANDN2 $exec, c      a new child of T; V_CMPX likewise
    X = S_XOR m, T (m below T)          X holds what T has beside m
    X = S_OR_SAVEEXEC (T0 beside T)     X holds T, EXEC becomes T0
    $exec = S_XOR $exec, X (X below T)  a new child of T, which remembers that it is T beside X
    $exec = S_OR $exec, X               the smallest known mask that contains both
    $exec = X, where X holds m          m
    EXEC becomes -1                     WHOLE, every lane of the wave
Every other write makes a mask without a parent, about which nothing is known. Saved masks are followed through
copies, spills, reloads and spill lanes of scalar registers. Where edges with unequal masks meet, a new mask is
made whose parent is the nearest mask above all of them.

ANYWHERE stands for no mask that EXEC has: it is wider than every other.

What it proves: `is_wider(a, b)` only if every lane of b is enabled in a, on every path. What it does not: that
a mask is really smaller; and masks that it does not know are never wider.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .cfg import Cfg
from .lanes import LaneMap, Locations
from .mir.model import Instruction, MachineFunction, Register, Role

ENTRY, WHOLE, ANYWHERE = 0, 1, -1
_EXEC = frozenset(("exec", "exec_lo", "exec_hi"))
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class _Saved:
    """A scalar register holds this mask."""

    mask: int


@dataclass(slots=True)
class _State:
    mask: int
    saved: dict[int, tuple[_Saved, int]] = field(default_factory=dict[int, tuple["_Saved", int]])
    """Location -> what it holds, and which word of it."""

    def copy(self) -> _State:
        return _State(self.mask, dict(self.saved))


class ExecMasks:
    """The masks of one function. Raises TargetError for registers the target does not know."""

    def __init__(self, function: MachineFunction, cfg: Cfg, locations: Locations, lanes: LaneMap) -> None:
        self._cfg, self._locations, self._lanes = cfg, locations, lanes
        self._blocks = {b.number: b for b in function.blocks}
        self._parent: dict[int, int | None] = {ENTRY: None, WHOLE: None}
        self._made: dict[tuple[object, ...], int] = {}
        self._remainder: dict[int, tuple[int, int]] = {}
        self._entries: dict[int, _State] = {}
        self._ends_with: dict[int, int] = {}
        self._last_read: dict[int, int] = {}
        self.known = any(_writes_exec(i) for b in function.blocks for i in b.instructions)
        if self.known:
            self._find_last_reads()
            self._solve()

    def at_block(self, block: int) -> int:
        """The mask at a block's start."""
        state = self._entries.get(block)
        return state.mask if state is not None else ENTRY

    def within(self, block: int) -> Iterator[int]:
        """The mask at each instruction of a block, before it executes."""
        if not self.known:
            yield from (ENTRY for _ in self._blocks[block].instructions)
            return
        state = self._entries[block].copy() if block in self._entries else _State(ENTRY)
        for index, instruction in enumerate(self._blocks[block].instructions):
            yield state.mask
            self._step(instruction, (block, index), state)

    def is_wider(self, a: int, b: int) -> bool:
        """Mask a is strictly above mask b: it enables all lanes of b, and may enable more."""
        if a == ANYWHERE:
            return a != b
        seen = {b}
        above = self._parent.get(b)
        while above is not None and above not in seen:
            if above == a:
                return True
            seen.add(above)
            above = self._parent.get(above)
        return False

    def depth(self, mask: int) -> int:
        """How many masks are known to be wider: of two that compare, the narrower has more."""
        above, depth = self._parent.get(mask), 0
        while above is not None:
            above, depth = self._parent.get(above), depth + 1
        return depth

    def contains(self, a: int, b: int) -> bool:
        """Mask a is known to enable all lanes of mask b."""
        return a == b or self.is_wider(a, b)

    def at_end(self, block: int) -> int:
        """The mask at a block's end."""
        return self._ends_with.get(block, ENTRY)

    # -- fix-point ----------------------------------------------------------------------------------------

    def _solve(self) -> None:
        exits: dict[int, _State] = {}
        for _ in range(_MOST_ROUNDS):
            changed = False
            for block in self._cfg.order:
                state = self._join(block, exits)
                known = self._entries.get(block)
                if known is not None and (known.mask, known.saved) == (state.mask, state.saved):
                    continue
                changed = True
                self._entries[block] = state
                end = state.copy()
                for index, instruction in enumerate(self._blocks[block].instructions):
                    self._step(instruction, (block, index), end)
                exits[block] = end
                self._ends_with[block] = end.mask
            if not changed:
                return
        # not reached on reducible code; knowing nothing is always right
        self.known = False

    def _join(self, block: int, exits: dict[int, _State]) -> _State:
        if block == self._cfg.entry:
            return _State(ENTRY)
        incoming = [exits[p] for p in dict.fromkeys(self._cfg.predecessors[block]) if p in exits]
        masks = {s.mask for s in incoming}
        mask = masks.pop() if len(masks) == 1 else self._meeting(block, masks)
        index, last = self._cfg.index[block], self._last_read.get
        saved = {
            k: v
            for k, v in incoming[0].saved.items()
            if last(k, -1) >= index and all(s.saved.get(k) == v for s in incoming[1:])
        }
        return _State(mask, saved)

    def _find_last_reads(self) -> None:
        """By location the last place in the order of blocks where it may still be read, as the index there.

        A read in a loop may come again, up to the loop's last block. Without this each block would know of all masks
        that were ever saved before it.
        """
        index = self._cfg.index
        loop_end = list(range(len(self._cfg.order)))
        for source in self._cfg.order:
            for target in self._cfg.successors[source]:
                loop_end[index[target]] = max(loop_end[index[target]], index[source])
        end = 0
        for at, block in enumerate(self._cfg.order):
            end = max(at, end, loop_end[at])
            for i in self._blocks[block].instructions:
                if i.role is not Role.NOTHING:
                    for unit in self._read_by(i):
                        self._last_read[unit] = end

    def _read_by(self, i: Instruction) -> Iterator[int]:
        if i.role in (Role.RESTORE, Role.LANE_RESTORE):
            yield from self._ends(i)[1]
        for register in i.uses:
            yield from self._lanes.units(register)

    def _meeting(self, block: int, masks: set[int]) -> int:
        mine = self._made.get(("join", block))
        others = [m for m in masks if m != mine and not (mine is not None and self.is_wider(mine, m))]
        above: int | None = others[0] if others else ENTRY
        while above is not None and not all(self.contains(above, m) for m in others):
            above = self._parent.get(above)
        return self._new(("join", block), above)

    def _new(self, key: tuple[object, ...], parent: int | None) -> int:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = len(self._parent)
        # on a later visit less may be known of what it was made from
        self._parent[found] = None if parent == found else parent
        return found

    # -- one instruction ----------------------------------------------------------------------------------

    def _step(self, i: Instruction, key: tuple[int, int], state: _State) -> None:
        if i.role is Role.NOTHING:
            return
        if i.role not in (Role.ORDINARY, Role.CONSTANT, Role.UNDEFINE):
            self._move(i, state)
            return
        result = self._result(i, key, state)
        writes = _writes_exec(i)
        before = state.mask
        if writes:
            state.mask = self._exec_after(i, key, state, result)
        for register in (*i.defs, *i.implicit_defs):
            if not _is_exec(register):
                for unit in self._lanes.units(register):
                    state.saved.pop(unit, None)
        kept = _Saved(before) if "SAVEEXEC" in i.opcode or (i.opcode == "COPY" and _reads_exec(i)) else result
        if kept is not None and i.defs and not _is_exec(i.defs[0]):
            for word, unit in enumerate(self._lanes.units(i.defs[0])):
                state.saved[unit] = (kept, word)

    def _move(self, i: Instruction, state: _State) -> None:
        if i.role is Role.COPY and _reads_exec(i):
            words: list[tuple[_Saved, int] | None] = [(_Saved(state.mask), w) for w in range(2)]
            targets = self._lanes.units(i.defs[0])
        else:
            targets, origins = self._ends(i)
            words = [state.saved.get(o) for o in origins]
        for target, word in zip(targets, words, strict=False):
            if word is None:
                state.saved.pop(target, None)
            else:
                state.saved[target] = word

    def _ends(self, i: Instruction) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Where a move writes and reads."""
        units, number = self._lanes.units, self._locations
        if i.role is Role.SAVE:
            origins = units(i.uses[0])
            return tuple(number.slot_word(i.slot, k) for k in range(len(origins))), origins
        if i.role is Role.RESTORE:
            targets = units(i.defs[0])
            return targets, tuple(number.slot_word(i.slot, k) for k in range(len(targets)))
        if i.role is Role.LANE_SAVE:
            return (number.spill_lane(i.defs[0].spelling, int(i.slot)),), units(i.uses[0])
        if i.role is Role.LANE_RESTORE:
            return units(i.defs[0]), (number.spill_lane(i.uses[0].spelling, int(i.slot)),)
        return units(i.defs[0]), units(i.uses[0])

    def _operand(self, register: Register, state: _State) -> _Saved | None:
        """The mask that a scalar operand holds, all its words in order."""
        if _is_exec(register):
            return _Saved(state.mask)
        words = [state.saved.get(u) for u in self._lanes.units(register)]
        first = words[0] if words else None
        if first is None or any(w is None or w[0] != first[0] or w[1] != k for k, w in enumerate(words)):
            return None
        return first[0]

    def _result(self, i: Instruction, key: tuple[int, int], state: _State) -> _Saved | None:
        """The mask that a bitwise instruction computes, if it is known."""
        operation = i.opcode.removesuffix("_term")
        if operation.startswith("S_MOV_B") and len(i.uses) == 1:
            return self._operand(i.uses[0], state)
        held = [self._operand(u, state) for u in i.uses]
        known = [h for h in held if h is not None]
        if operation.startswith(("S_AND_B", "S_AND_SAVEEXEC", "V_CMPX")) or (
            operation.startswith("S_ANDN2_B") and held and held[0] is not None
        ):
            if operation.startswith(("S_AND_SAVEEXEC", "V_CMPX")):
                known = [_Saved(state.mask)]
            return _Saved(self._new(("and", *key), known[0].mask)) if known else None
        if operation.startswith("S_XOR_B") and len(held) == 2 and len(known) == 2:
            return self._difference(known[0], known[1], key)
        if operation.startswith("S_OR_SAVEEXEC") and len(held) == 1 and held[0] is not None:
            return self._union(_Saved(state.mask), held[0])
        if operation.startswith("S_OR_B") and len(held) == 2 and len(known) == 2:
            return self._union(known[0], known[1])
        return None

    def _difference(self, a: _Saved, b: _Saved, key: tuple[int, int]) -> _Saved | None:
        for outer, inner in ((a.mask, b.mask), (b.mask, a.mask)):
            if self.is_wider(outer, inner):
                rest = self._new(("beside", *key), outer)
                self._remainder[rest] = (outer, inner)
                return _Saved(rest)
        return None

    def _union(self, a: _Saved, b: _Saved) -> _Saved | None:
        for x, y in ((a.mask, b.mask), (b.mask, a.mask)):
            if self.contains(x, y):
                return _Saved(x)
            if self._remainder.get(x, (None, None))[1] == y:
                return _Saved(self._remainder[x][0])
        return None

    def _exec_after(self, i: Instruction, key: tuple[int, int], state: _State, result: _Saved | None) -> int:
        if i.opcode == "COPY" and _reads_exec(i):
            return state.mask
        if result is None and i.immediates == ("-1",) and i.opcode.startswith(("S_MOV_B", "S_OR_SAVEEXEC_B")):
            return WHOLE
        return result.mask if result is not None else self._new(("unknown", *key), None)


def _is_exec(register: Register) -> bool:
    return not register.virtual and register.name in _EXEC


def _writes_exec(i: Instruction) -> bool:
    return any(map(_is_exec, i.defs)) or any(map(_is_exec, i.implicit_defs))


def _reads_exec(i: Instruction) -> bool:
    return bool(i.uses) and _is_exec(i.uses[0])
