"""Turns a pair of functions into the short program that the check runs.

Each block becomes a list of `Op`s over numbered locations (`lanes`). Ops touch the state before (V: source
lane -> value names) or after allocation (L: location -> value name), and a PAIR op touches both.

Registers that no difference between the two functions can reach are left out: a register is *touched* when
a pair disagrees about it, when it takes part in a move or a one-sided instruction that the other function
does not have at the same place, or when a shared move joins it to a touched one. All other registers hold
equal values on both sides by construction. (That is most registers: the allocation of scalar registers does
not touch vector instructions.)

Value names are small integers, fixed when the ops are made: one per defined lane of a pair, one per constant.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .brackets import find_brackets
from .cfg import Cfg, build_cfg
from .exec_mask import ENTRY, ExecMasks
from .lanes import LaneMap, Locations
from .mir.model import Block, Effect, Flag, Instruction, MachineFunction, Register, Role
from .names import ExprKey, Names
from .pairing import BlockPairing, pair_blocks
from .targets.base import Target

LANE_ROLES = frozenset((Role.LANE_SAVE, Role.LANE_RESTORE))


class Kind(enum.IntEnum):
    """What an op does, and on which side."""

    PAIR = 0
    BEFORE_MOVE = 1
    BEFORE_SET = 2
    BEFORE_EXPRESSION = 3
    AFTER_MOVE = 4
    AFTER_SET = 5
    AFTER_EXPRESSION = 6


@dataclass(frozen=True, slots=True)
class Expression:
    """A pure instruction as a term: its lanes are functions of key and operand values.

    operands are locations (source lanes on the before side); offset is where lane 0 starts for loads from
    unchanging memory, whose lanes are keyed by offset so that narrowed loads compare.
    """

    key: ExprKey
    operands: tuple[int, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Op:
    """One step.

    PAIR: demands ((source lane, location), …), then kills (source lanes), clobbers (locations), then binds
    ((source lane, location, name), …). certain says whether unequal operands are an error; expressions
    (before, after) are set where results are named by terms.
    *_MOVE: moves ((destination, origin), …) in parallel, then kills or clobbers.
    *_SET: binds ((place, name), …), then kills or clobbers. Names are constants.
    *_EXPRESSION: places, named by the expression; then kills or clobbers.
    mask: the EXEC mask at the instruction, unless only scalars are written or lanes are written that EXEC disables.
    blended: locations (on both sides: those after) of which only lanes that the mask enables are written; the others
    keep what they held.
    before, after: indices into the blocks' instruction lists, -1 where there is none.
    """

    kind: Kind
    before: int
    after: int
    demands: tuple[tuple[int, int], ...] = ()
    moves: tuple[tuple[int, int], ...] = ()
    binds: tuple[tuple[int, int, int], ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    places: tuple[int, ...] = ()
    kills: tuple[int, ...] = ()
    clobbers: tuple[int, ...] = ()
    certain: bool = True
    expression: Expression | None = None
    expression_after: Expression | None = None
    mask: int = ENTRY
    blended: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StructuralFault:
    """An effect that is missing, extra, or breaks a constraint. index is into the block it stands in.

    lanes: if there are any, it is a fault only where one of these source lanes has a value.
    """

    kind: str
    block: int
    before: int
    after: int
    detail: str
    lanes: tuple[int, ...] = ()


@dataclass(slots=True)
class Program:
    """Two functions as one program of ops, and what was noticed while making it."""

    before: MachineFunction
    after: MachineFunction
    cfg: Cfg
    locations: Locations
    before_lanes: LaneMap
    after_lanes: LaneMap
    ops: dict[int, list[Op]]
    entry_names: dict[int, int]
    names: Names
    faults: list[StructuralFault] = field(default_factory=list[StructuralFault])
    unknown: list[str] = field(default_factory=list[str])
    paired: int = 0
    one_sided: int = 0


class ShapeMismatchError(Exception):
    """The two functions do not have the same blocks and edges, so they are not one function at two stages."""


class Numbering:
    """Hands out numbered locations for comparisons.

    shared: all comparisons are of stages of one compile, where a virtual register keeps its number and width,
    so that what is known of an operand need not be found again for each.
    """

    def __init__(self, target: Target, *, shared: bool) -> None:
        self._target, self._shared = target, shared
        self._known: dict[int, tuple[Locations, LaneMap, LaneMap]] = {}

    def maps(self, granule: int) -> tuple[Locations, LaneMap, LaneMap]:
        """Locations of that granule, and the lane maps of the functions before and after."""
        found = self._known.get(granule)
        if found is None:
            locations = Locations(self._target, granule)
            before = LaneMap(locations)
            found = (locations, before, before if self._shared else LaneMap(locations))
            if self._shared:
                self._known[granule] = found
        return found


def translate(
    before: MachineFunction, after: MachineFunction, target: Target, numbering: Numbering | None = None
) -> Program:
    """Pair two functions and make the program the check runs.

    Raises ShapeMismatchError if they cannot be the same function, TargetError for registers the target does not know.
    """
    _require_same_shape(before, after)
    return _Translator(before, after, target, numbering or Numbering(target, shared=False)).run()


def _require_same_shape(before: MachineFunction, after: MachineFunction) -> None:
    left = {b.number: b for b in before.blocks}
    right = {b.number: b for b in after.blocks}
    if set(left) != set(right):
        odd = sorted(set(left) ^ set(right))
        raise ShapeMismatchError(f"function '{after.name}': block bb.{odd[0]} exists on one side only")
    for number, block in left.items():
        if set(block.successors) != set(right[number].successors):
            raise ShapeMismatchError(
                f"function '{after.name}': bb.{number} goes to {_spell_blocks(block.successors)} before "
                f"and to {_spell_blocks(right[number].successors)} after"
            )


def _spell_blocks(blocks: list[int]) -> str:
    return ", ".join(f"bb.{b}" for b in blocks) or "nothing"


@dataclass(slots=True)
class _Region:
    """A block's instructions with the pairing laid over them, in an order both sides can run in.

    brackets: of each side (see `brackets`).
    """

    block: int
    before: Block
    after: Block
    pairing: BlockPairing
    brackets: tuple[frozenset[int], frozenset[int]]

    def steps(self) -> Iterator[tuple[int | None, int | None, bool]]:
        """(before, after, certain): one-sided instructions up to each pair, then the pair."""
        left, right = self.before.instructions, self.after.instructions
        at_a = at_b = 0
        for pair in self.pairing.pairs:
            stop_a = pair.before if pair.before is not None else at_a
            stop_b = pair.after if pair.after is not None else at_b
            yield from ((None, j, False) for j in range(at_b, stop_b))
            yield from ((i, None, False) for i in range(at_a, stop_a))
            at_a, at_b = max(at_a, stop_a), max(at_b, stop_b)
            yield pair.before, pair.after, pair.certain
            at_a += pair.before is not None
            at_b += pair.after is not None
        yield from ((None, j, False) for j in range(at_b, len(right)))
        yield from ((i, None, False) for i in range(at_a, len(left)))


class _Translator:
    def __init__(self, before: MachineFunction, after: MachineFunction, target: Target, numbering: Numbering) -> None:
        granule = 16 if before.uses_half_lanes or after.uses_half_lanes else 32
        self.target, self.granule = target, granule
        self.names = Names()
        self.before, self.after = before, after
        self.locations, self.before_lanes, self.after_lanes = numbering.maps(granule)
        self.before_lanes.adopt(before)
        self.after_lanes.adopt(after)
        self.rewritten = is_rewritten(after)
        self.faults: list[StructuralFault] = []
        self.unknown: list[str] = []
        self.touched: set[int] = set()

    def run(self) -> Program:
        cfg = build_cfg(self.before)
        regions = self._pair(cfg)
        self.masks = ExecMasks(self.after, cfg, self.locations, self.after_lanes)
        self.names.masks = self.masks if self.masks.known else None
        self.term_keys = self._keys_of_one_sided(regions)
        self._find_touched(regions)
        ops = {r.block: self._block_ops(r) for r in regions}
        program = Program(
            self.before, self.after, cfg, self.locations, self.before_lanes, self.after_lanes, ops,
            self._entry_names(), self.names, self.faults, self.unknown,
        )  # fmt: skip
        for region in regions:
            for pair in region.pairing.pairs:
                both = pair.before is not None and pair.after is not None
                program.paired += both
                program.one_sided += not both
        return program

    def _pair(self, cfg: Cfg) -> list[_Region]:
        left = {b.number: b for b in self.before.blocks}
        right = {b.number: b for b in self.after.blocks}
        self.lane_roles = LANE_ROLES if _has_lane_moves(self.before) else frozenset[Role]()
        regions: list[_Region] = []
        for number in cfg.order:
            brackets = find_brackets(left[number], self.target), find_brackets(right[number], self.target)
            pairing = pair_blocks(left[number], right[number], self.lane_roles, brackets)
            regions.append(_Region(number, left[number], right[number], pairing, brackets))
            for index in pairing.missing:
                self.faults.append(
                    StructuralFault("missing", number, index, -1, "this effect is gone after allocation")
                )
            for index in pairing.extra:
                self.faults.append(
                    StructuralFault("extra", number, -1, index, "this effect was not there before allocation")
                )
        return regions

    def _keys_of_one_sided(self, regions: list[_Region]) -> set[ExprKey]:
        """Term keys of every pure instruction that stands on one side, or in a pair that is not certain."""
        keys: set[ExprKey] = set()
        for region in regions:
            for pair in region.pairing.pairs:
                if pair.certain:
                    continue
                for side, index in ((region.before, pair.before), (region.after, pair.after)):
                    if index is not None and side.instructions[index].effect is Effect.NONE:
                        keys.add(side.instructions[index].term)
        return keys

    # -- which locations matter -------------------------------------------------------------------------

    def _find_touched(self, regions: list[_Region]) -> None:
        links: list[tuple[int, ...]] = []
        for region in regions:
            moves_before: list[Instruction] = []
            moves_after: list[Instruction] = []
            for i, j, _certain in region.steps():
                a = region.before.instructions[i] if i is not None else None
                b = region.after.instructions[j] if j is not None else None
                if a is not None and b is not None:
                    self._compare_moves(moves_before, moves_after, links)
                    self._touch_differences(a, b)
                elif a is not None:
                    self._one_side(a, moves_before, self.before_lanes, in_bracket=i in region.brackets[0])
                elif b is not None:
                    self._one_side(b, moves_after, self.after_lanes, in_bracket=j in region.brackets[1])
            self._compare_moves(moves_before, moves_after, links)
        self._spread(links)

    def _one_side(self, i: Instruction, moves: list[Instruction], lanes: LaneMap, *, in_bracket: bool) -> None:
        if i.role is Role.NOTHING:
            return
        if in_bracket:
            self.touched.update(self._overwritten(i, lanes))
            return
        if self._is_executed(i):
            moves.append(i)
        else:
            self.touched.update(self._all_units(i, lanes))

    def _is_executed(self, i: Instruction) -> bool:
        return i.role is not Role.ORDINARY and i.role not in self.lane_roles

    def _compare_moves(self, before: list[Instruction], after: list[Instruction], links: list[tuple[int, ...]]) -> None:
        if not before and not after:
            return
        if len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True)):
            shared = before
        else:
            common = Counter(map(id, before)) & Counter(map(id, after))
            ours = [i for i in before if id(i) in common]
            theirs = [i for i in after if id(i) in common]
            same = len(ours) == len(theirs) and all(a is b for a, b in zip(ours, theirs, strict=True))
            shared = ours if same else []
            kept = set(map(id, shared))
            for moves, lanes in ((before, self.before_lanes), (after, self.after_lanes)):
                for i in moves:
                    if id(i) not in kept:
                        self.touched.update(self._all_units(i, lanes))
        links += [tuple(self._all_units(i, self.before_lanes)) for i in shared]
        before.clear()
        after.clear()

    def _touch_differences(self, a: Instruction, b: Instruction) -> None:
        if a.effect is Effect.NONE and a.term in self.term_keys:
            self.touched.update(self._all_units(a, self.before_lanes))
            self.touched.update(self._all_units(b, self.after_lanes))
        if a is b:
            return
        for xs, ys in ((a.defs, b.defs), (a.uses, b.uses)):
            for x, y in zip(xs, ys, strict=False):
                if x.spelling != y.spelling or x.undef != y.undef or x.cls != y.cls:
                    self.touched.update((*self.before_lanes.units(x), *self.before_lanes.others(x)))
                    self.touched.update((*self.after_lanes.units(y), *self.after_lanes.others(y)))
        for x in (*a.implicit_defs, *a.implicit_uses):
            if x.virtual:
                self.touched.update(self.before_lanes.units(x))
        mine = {r.spelling for r in a.implicit_defs}
        for y in b.implicit_defs:
            if y.spelling not in mine and (y.virtual or not self.before_lanes.is_bookkeeping(y, b)):
                self.touched.update(self.after_lanes.units(y))

    def _spread(self, links: list[tuple[int, ...]]) -> None:
        """Whatever a link joins to a touched location is touched as well. Linear in the links."""
        links_of: dict[int, list[tuple[int, ...]]] = {}
        for link in links:
            for location in link:
                links_of.setdefault(location, []).append(link)
        pending = [location for location in links_of if location in self.touched]
        while pending:
            for link in links_of.pop(pending.pop(), ()):
                pending += [location for location in link if location not in self.touched]
                self.touched.update(link)

    def _all_units(self, i: Instruction, lanes: LaneMap) -> Iterable[int]:
        if i.role in (Role.SAVE, Role.RESTORE):
            return (*lanes.all_units(i), *self._slot_units(i, lanes))
        if i.role in LANE_ROLES and self._is_executed(i):
            return (*lanes.all_units(i), self._spill_lane(i))
        return lanes.all_units(i)

    def _slot_units(self, i: Instruction, lanes: LaneMap) -> list[int]:
        width = len(lanes.units(_moved(i)))
        return [self.locations.slot_word(i.slot, u) for u in range(width)]

    def _spill_lane(self, i: Instruction) -> int:
        vector = i.defs[0] if i.role is Role.LANE_SAVE else i.uses[0]
        return self.locations.spill_lane(vector.spelling, int(i.slot))

    # -- ops --------------------------------------------------------------------------------------------

    def _block_ops(self, region: _Region) -> list[Op]:
        left, right = region.before.instructions, region.after.instructions
        ops: list[Op] = []
        # the last one is that of instructions which only the function before has at its end
        masks = [*self.masks.within(region.block), self.masks.at_end(region.block)] if self.names.masks else []
        at = 0
        for i, j, certain in region.steps():
            if i is not None and j is not None:
                op = self._pair_op(region.block, i, j, left[i], right[j], certain=certain)
            elif i is not None:
                made = self._bracket_op if i in region.brackets[0] else self._one_sided_op
                op = made(left[i], self.before_lanes, i, -1)
                if op is not None and masks:
                    op = self._under_mask(op, left[i], self.before_lanes, masks[at])
            else:
                assert j is not None
                made = self._bracket_op if j in region.brackets[1] else self._one_sided_op
                op = made(right[j], self.after_lanes, -1, j)
            if j is not None:
                if op is not None and masks:
                    op = self._under_mask(op, right[j], self.after_lanes, masks[j])
                at = j + 1
            if op is not None:
                ops.append(op)
        return ops

    def _under_mask(self, op: Op, i: Instruction, lanes: LaneMap, mask: int) -> Op:
        """The op with its EXEC mask, if that decides which lanes of the wave are written or read."""
        if mask == ENTRY:
            return op
        moved = (_moved(i),) if i.role in (Role.SAVE, Role.RESTORE) else (*i.defs, *i.implicit_defs)
        blended: set[int] = set()
        # a spill lane is one lane, whatever EXEC says
        for register in moved if i.role not in LANE_ROLES else ():
            if self.target.is_masked(i, lanes.class_of(register), register):
                blended.update(self._slot_units(i, lanes) if i.role is Role.SAVE else lanes.units(register))
        if op.kind is not Kind.PAIR and not blended:
            return op
        return dataclasses.replace(op, mask=mask, blended=frozenset(blended))

    def _keep(self, units: Iterable[int]) -> tuple[int, ...]:
        return tuple(u for u in units if u in self.touched)

    def _one_sided_op(self, i: Instruction, lanes: LaneMap, before: int, after: int) -> Op | None:
        ours = after < 0
        if i.role is Role.NOTHING:
            return None
        if self._is_executed(i):
            return self._move_op(i, lanes, before, after)
        others = [u for d in i.defs for u in lanes.others(d)]
        rest = [u for d in (*i.defs[1:], *self._real_implicit_defs(i)) for u in lanes.units(d)]
        lost = tuple(others + rest)
        if ours and _loads_from_nowhere(i):
            return Op(Kind.BEFORE_SET, before, after, kills=(*lanes.units(i.defs[0]), *lost))
        kind = Kind.BEFORE_EXPRESSION if ours else Kind.AFTER_EXPRESSION
        if i.effect is not Effect.NONE or not i.defs:
            # a dropped load, or an effect already reported: its results are new values nobody else has
            places = tuple(u for d in i.defs for u in lanes.units(d))
            fresh = tuple((u, self.names.fresh()) for u in places) if ours else ()
            kind = Kind.BEFORE_SET if ours else Kind.AFTER_SET
            gone = lost if ours else (*places, *lost)
            return Op(kind, before, after, sets=fresh, kills=gone if ours else (), clobbers=() if ours else gone)
        expression = self._expression(i, lanes)
        return Op(
            kind, before, after, places=lanes.units(i.defs[0]), expression=expression,
            kills=lost if ours else (), clobbers=() if ours else lost,
        )  # fmt: skip

    def _bracket_op(self, i: Instruction, lanes: LaneMap, before: int, after: int) -> Op | None:
        gone = self._overwritten(i, lanes)
        if not gone:
            return None
        if after < 0:
            return Op(Kind.BEFORE_SET, before, after, kills=gone)
        return Op(Kind.AFTER_SET, before, after, clobbers=gone)

    def _overwritten(self, i: Instruction, lanes: LaneMap) -> tuple[int, ...]:
        """What an instruction of a bracket overwrites besides EXEC."""
        defs = [d for d in (*i.defs, *i.implicit_defs) if d.virtual or not d.name.startswith("exec")]
        return tuple(u for d in defs for u in lanes.units(d))

    def _real_implicit_defs(self, i: Instruction) -> list[Register]:
        return [d for d in i.implicit_defs if d.virtual or not self.before_lanes.is_bookkeeping(d, i)]

    def _expression(self, i: Instruction, lanes: LaneMap) -> Expression:
        offset = (i.load_offset or 0) // (self.granule // 8)
        reserved = lanes.reserved()
        operands = [u for r in (*i.uses, *i.implicit_uses) for u in lanes.units(r)]
        return Expression(i.term, tuple(u for u in operands if u not in reserved), offset)

    def _move_op(self, i: Instruction, lanes: LaneMap, before: int, after: int) -> Op | None:
        ours = after < 0
        kind_move, kind_set = (Kind.BEFORE_MOVE, Kind.BEFORE_SET) if ours else (Kind.AFTER_MOVE, Kind.AFTER_SET)
        moves: list[tuple[int, int]] = []
        sets: list[tuple[int, int]] = []
        lost: list[int] = []
        destination: tuple[int, ...] = ()
        if i.role is Role.COPY:
            destination, origin = lanes.units(i.defs[0]), lanes.units(i.uses[0])
            moves += zip(destination, origin, strict=False)
            # a copy of something narrower leaves the rest of the register without a value
            lost += destination[len(origin) :]
        elif i.role is Role.CONSTANT:
            destination = lanes.units(i.defs[0])
            sets += zip(destination, self._constant_names(i, len(destination)), strict=False)
        elif i.role is Role.UNDEFINE:
            # physical: no code comes of it, the register keeps what it held
            if ours or i.defs[0].virtual:
                lost += lanes.units(i.defs[0])
        elif i.role is Role.SAVE:
            destination = tuple(self._slot_units(i, lanes))
            moves += zip(destination, lanes.units(_moved(i)), strict=True)
        elif i.role is Role.RESTORE:
            destination = lanes.units(i.defs[0])
            moves += zip(destination, self._slot_units(i, lanes), strict=True)
        elif i.role is Role.LANE_SAVE:
            destination = (self._spill_lane(i),)
            moves += zip(destination, lanes.units(i.uses[0]), strict=False)
        elif i.role is Role.LANE_RESTORE:
            destination = lanes.units(i.defs[0])
            moves += zip(destination, (self._spill_lane(i),), strict=False)
        if i.uses and i.uses[0].undef and i.role in (Role.COPY, Role.SAVE, Role.LANE_SAVE):
            moves, lost = [], [*lost, *destination]
        for d in i.defs if i.role is not Role.LANE_SAVE else ():
            if d.undef or not ours:
                lost += self._others_undefined(d, lanes)
        lost += [u for d in self._real_implicit_defs(i) for u in lanes.units(d)]
        kept_moves = tuple((d, s) for d, s in moves if d in self.touched)
        kept_sets = tuple((d, n) for d, n in sets if d in self.touched)
        gone = self._keep(lost)
        if not (kept_moves or kept_sets or gone):
            return None
        if kept_sets:
            return Op(
                kind_set, before, after, sets=kept_sets, kills=gone if ours else (), clobbers=() if ours else gone
            )
        return Op(kind_move, before, after, moves=kept_moves, kills=gone if ours else (), clobbers=() if ours else gone)

    def _others_undefined(self, d: Register, lanes: LaneMap) -> tuple[int, ...]:
        """`undef %v.sub1 = …` leaves the other lanes of %v without a value; physical registers have no such."""
        return lanes.others(d) if d.virtual and d.undef else ()

    def _constant_names(self, i: Instruction, units: int) -> list[int]:
        if self.granule == 32:
            keys: list[ExprKey] = [("constant", c) for c in i.constants]
        else:
            keys = [
                ("constant", (c >> 16 * h) & 0xFFFF if isinstance(c, int) else (c, h))
                for c in i.constants
                for h in (0, 1)
            ]
        if len(keys) == 1 and units > 1:
            keys = keys * units
        return [self.names.of(k) for k in keys[:units]]

    # -- pairs ------------------------------------------------------------------------------------------

    def _pair_op(self, block: int, i: int, j: int, a: Instruction, b: Instruction, *, certain: bool) -> Op | None:
        if self._is_untouched(a, b) and not self._has_regmask(a) and (a is b or not self.rewritten):
            return None
        demands = self._demands(a, b)
        binds: list[tuple[int, int, int]] = []
        kills: list[int] = []
        clobbers: list[int] = []
        if len(a.defs) != len(b.defs):
            self.unknown.append(f"{a.opcode} defines {len(a.defs)} registers before and {len(b.defs)} after")
        from_nowhere = _loads_from_nowhere(a)
        for x, y in zip(a.defs, b.defs, strict=False):
            if from_nowhere:
                kills += self.before_lanes.units(x)
                clobbers += self.after_lanes.units(y)
            else:
                binds += self._bind(x, y, a)
            kills += self._others_undefined(x, self.before_lanes)
            clobbers += self._others_undefined(y, self.after_lanes)
        binds += self._bind_implicit(a, b, clobbers)
        if self._has_regmask(a):
            for mask in a.immediates:
                if self.target.is_regmask(mask):
                    self._apply_regmask(mask, kills, clobbers)
        if self.rewritten:
            self._check_constraints(block, i, j, a, b)
        expression = after = None
        if a.effect is Effect.NONE and a.defs and a.term in self.term_keys and not from_nowhere:
            expression, after = self._expression(a, self.before_lanes), self._expression(b, self.after_lanes)
        binds = [t for t in binds if t[0] in self.touched or t[1] in self.touched]
        if not (demands or binds or kills or clobbers):
            return None
        return Op(
            Kind.PAIR, i, j, demands=tuple(demands), binds=tuple(binds), kills=self._keep(kills),
            clobbers=self._keep(clobbers), certain=certain, expression=expression, expression_after=after,
            places=self.before_lanes.units(a.defs[0]) if expression else (),
        )  # fmt: skip

    def _is_untouched(self, a: Instruction, b: Instruction) -> bool:
        touched = self.touched
        if not touched.isdisjoint(self.before_lanes.all_units(a)):
            return False
        return a is b or touched.isdisjoint(self.after_lanes.all_units(b))

    def _demands(self, a: Instruction, b: Instruction) -> list[tuple[int, int]]:
        demands: list[tuple[int, int]] = []
        if len(a.uses) != len(b.uses):
            self.unknown.append(f"{a.opcode} uses {len(a.uses)} registers before and {len(b.uses)} after")
        for x, y in zip(a.uses, b.uses, strict=False):
            if x.undef:
                continue
            ours, theirs = self.before_lanes.units(x), self.after_lanes.units(y)
            if len(ours) != len(theirs):
                self.unknown.append(f"{a.opcode} reads {x.spelling} before and {y.spelling} after, of another width")
            demands += zip(ours, theirs, strict=False)
        demands += self._implicit_demands(a, b)
        touched = self.touched
        return [(v, p) for v, p in demands if v in touched or p in touched]

    def _implicit_demands(self, a: Instruction, b: Instruction) -> Iterator[tuple[int, int]]:
        if self.touched.isdisjoint(u for x in a.implicit_uses for u in self.before_lanes.units(x)):
            return
        names = {y.name for y in b.implicit_uses if not y.virtual}
        physical_of_a = {x.name for x in a.implicit_uses if not x.virtual}
        spare = [y for y in b.implicit_uses if y.virtual or y.name not in physical_of_a]
        taken = 0
        for x in a.implicit_uses:
            if x.virtual:
                y = spare[taken] if taken < len(spare) else None
                taken += 1
                if y is None or len(self.before_lanes.units(x)) != len(self.after_lanes.units(y)):
                    self.unknown.append(f"{a.opcode}: implicit use of {x.spelling} has no counterpart")
                elif not x.undef:
                    yield from zip(self.before_lanes.units(x), self.after_lanes.units(y), strict=True)
            elif x.undef or (
                self.before_lanes.is_bookkeeping(x, a) and len(self.before_lanes.units(x)) > 1 and x.name not in names
            ):
                continue
            elif x.name in names:
                units = self.before_lanes.units(x)
                yield from zip(units, units, strict=True)

    def _bind(self, x: Register, y: Register, a: Instruction) -> list[tuple[int, int, int]]:
        ours, theirs = self.before_lanes.units(x), self.after_lanes.units(y)
        if len(ours) != len(theirs):
            self.unknown.append(f"{a.opcode} defines {x.spelling} before and {y.spelling} after, of another width")
        return [(v, p, self.names.fresh()) for v, p in zip(ours, theirs, strict=False)]

    def _bind_implicit(self, a: Instruction, b: Instruction, clobbers: list[int]) -> list[tuple[int, int, int]]:
        binds: list[tuple[int, int, int]] = []
        mine = set[str]()
        for x in a.implicit_defs:
            mine.add(x.spelling)
            if x.virtual:
                self.unknown.append(f"{a.opcode}: implicit definition of a virtual register {x.spelling}")
            elif not (self.before_lanes.is_bookkeeping(x, a) and len(self.before_lanes.units(x)) > 1):
                binds += [(u, u, self.names.fresh()) for u in self.before_lanes.units(x)]
        for y in self._real_implicit_defs(b):
            if y.spelling not in mine:
                clobbers += self.after_lanes.units(y)
        return binds

    def _has_regmask(self, i: Instruction) -> bool:
        return i.effect is Effect.EFFECT and any(map(self.target.is_regmask, i.immediates))

    def _apply_regmask(self, mask: str, kills: list[int], clobbers: list[int]) -> None:
        survives = self.target.preserved(mask)
        if survives is None:
            note = f"register mask '{mask}' is not known: what calls preserve cannot be checked"
            if note not in self.unknown:
                self.unknown.append(note)
            return
        for number in self.touched:
            key = self.locations.keys[number]
            if len(key) == 2 and not survives(key[1]):
                kills.append(number)
                clobbers.append(number)

    def _check_constraints(self, block: int, i: int, j: int, a: Instruction, b: Instruction) -> None:
        for x, y in zip(a.defs, b.defs, strict=False):
            if (x.flags | y.flags) & Flag.EARLY_CLOBBER:
                lanes = self._read_from(set(self.after_lanes.units(y)), a, b)
                if lanes:
                    detail = f"early-clobber {y.spelling} overlaps an operand that is still read"
                    self.faults.append(StructuralFault("constraint", block, i, j, detail, lanes))
        twice = self._defined_twice(b, self.after_lanes) - self._defined_twice(a, self.before_lanes)
        if twice:
            detail = f"two results in one register: {', '.join(sorted(map(self.locations.spell, twice)))}"
            self.faults.append(StructuralFault("constraint", block, i, j, detail))
        for y in b.uses:
            if 0 <= y.tied < len(b.defs) and not y.virtual and b.defs[y.tied].spelling != y.spelling:
                detail = f"{y.spelling} is tied to {b.defs[y.tied].spelling} but is another register"
                self.faults.append(StructuralFault("constraint", block, i, j, detail))

    def _defined_twice(self, i: Instruction, lanes: LaneMap) -> set[int]:
        """Locations that more than one explicit result is written to. Reserved registers swallow any number."""
        once: set[int] = set()
        twice: set[int] = set()
        for d in i.defs if len(i.defs) > 1 else ():
            units = lanes.units(d)
            twice.update(once.intersection(units))
            once.update(units)
        return twice - lanes.reserved()

    def _read_from(self, places: set[int], a: Instruction, b: Instruction) -> tuple[int, ...]:
        """The source lanes that untied operands read from these places."""
        return tuple(
            lane
            for x, y in zip(a.uses, b.uses, strict=False)
            if not y.undef and y.tied < 0
            for lane, place in zip(self.before_lanes.units(x), self.after_lanes.units(y), strict=False)
            if place in places
        )

    def _entry_names(self) -> dict[int, int]:
        """Physical registers that hold a value when the function starts, the same on both sides."""
        entry = self.before.blocks[0]
        live = {
            u for r in (*entry.live_ins, *self.before.live_ins) for u in self.target.physical_units(r, self.granule)
        }
        names: dict[int, int] = {}
        for number, key in enumerate(self.locations.keys):
            if len(key) == 2 and (key[1] in live or not self.target.is_allocatable(key[1])):
                names[number] = self.names.fresh()
        return names


def _moved(i: Instruction) -> Register:
    """The register that a save stores or a reload fills."""
    return i.uses[0] if i.role is Role.SAVE else i.defs[0]


def _loads_from_nowhere(i: Instruction) -> bool:
    """A load whose address has no value. Nor has what it loads: LLVM makes it anew from any other register."""
    return bool(i.memory) and i.effect is not Effect.EFFECT and any(u.undef and u.tied < 0 for u in i.uses)


def _has_lane_moves(function: MachineFunction) -> bool:
    return any(i.role in LANE_ROLES for b in function.blocks for i in b.instructions)


def is_rewritten(function: MachineFunction) -> bool:
    """Tell whether some virtual registers have been rewritten: only that makes an operand renamable."""
    return any(
        not d.virtual and d.flags & Flag.RENAMABLE
        for b in function.blocks
        for i in b.instructions
        for d in (*i.defs, *i.uses)
    )
