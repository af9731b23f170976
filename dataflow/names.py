"""Names of values: one small integer for each value that the check tells apart.

A vector register is written in the lanes of the wave that EXEC enables; in the others it keeps what it held. What it
holds then is a *blend*: one value in the lanes of a mask, and whatever it held before in the rest. Lanes of the wave
are told apart by masks alone (`exec_mask`), so a blend is (base, mask, rest), whose parts are names, blends perhaps;
rest 0 is nothing.

Both sides are described so. A variable that is written in both arms of a divergent branch (what a phi becomes) is
the same blend on both sides if it was written under the same masks, over the same values, in the same order. On the
side before allocation a rest of 0 accepts anything: a lane that was never defined has it, and so has the result of an
instruction that is no move and no constant, since nothing says whether its register's old value still counts.

What is proved: `agree(a, b, mask)` only if b is what a is in every lane of the mask, as far as masks compare: of two
that do not, neither is taken to be the wider, here and in joins; and a mask that is made anew in each iteration of a
loop is one mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .exec_mask import ENTRY, WHOLE, ExecMasks

ExprKey = tuple[object, ...]

LOST = 1
"""The name of a value that no location holds."""


class Term(NamedTuple):
    """A pure result: lane of the operator applied to the operands' names."""

    operator: ExprKey
    operands: tuple[int, ...]
    lane: int


class Blend(NamedTuple):
    """The value base in the lanes of the mask, rest in the others (0: nothing)."""

    base: int
    mask: int
    rest: int


class Names:
    """Hands out value names. Constants, terms and blends get one name each, for the whole run."""

    def __init__(self) -> None:
        self._next = LOST
        self._known: dict[ExprKey, int] = {}
        self.terms: dict[int, Term] = {}
        self.masks: ExecMasks | None = None
        self.blends: dict[int, Blend] = {}
        self._bases: dict[int, int] = {}
        self._without: dict[tuple[int, int], int] = {}
        self._parts: dict[int, frozenset[int]] = {}

    def fresh(self) -> int:
        """A name that was never given out."""
        self._next += 1
        return self._next

    def of(self, key: ExprKey) -> int:
        """The name of a constant, a term or a join's class."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.fresh()
            if isinstance(key, Term):
                self.terms[found] = key
        return found

    def base(self, name: int) -> int:
        """The value that a name says is there in the lanes of its mask."""
        return self._bases.get(name, name)

    def blend(self, base: int, mask: int, rest: int) -> int:
        """The name of a blend.

        Layers of the rest that are wholly under the mask are left out: so it has no two layers under one mask, and
        does not grow around a loop.
        """
        rest = self._outside(rest, mask)
        if base == rest:
            return base
        name = self.of(("blend", base, mask, rest))
        if name not in self.blends:
            self.blends[name] = Blend(base, mask, rest)
            self._bases[name] = self.base(base)
        return name

    def written(self, name: int, mask: int, old: int) -> int:
        """What a location holds after a value is written to it under a mask, over old (0: nothing)."""
        masks = self.masks
        if masks is None or mask in (ENTRY, WHOLE) or old == name:
            return name
        return self._over(name, mask, self._outside(old, mask), masks)

    def _over(self, name: int, mask: int, old: int, masks: ExecMasks) -> int:
        blend = self.blends.get(name)
        if blend is not None and masks.contains(blend.mask, mask):
            return self._over(blend.base, mask, old, masks)
        if blend is not None and masks.is_wider(mask, blend.mask):
            return self.blend(blend.base, blend.mask, self._over(blend.rest, mask, old, masks))
        kept = self.blends.get(old)
        if kept is not None and kept.base == name and masks.contains(kept.mask, mask):
            return old
        return self.blend(name, mask, old)

    def _outside(self, old: int, mask: int) -> int:
        """The value without the layers that are wholly under the mask.

        Not by recursion: what a physical register was given in branch after branch stays below what it is given in
        the next one, so that there may be as many layers as branches.
        """
        if old not in self.blends or self.masks is None:
            return old
        found = self._without.get((old, mask))
        if found is not None:
            return found
        layers: list[int] = []
        rest = old
        while rest in self.blends:
            layers.append(rest)
            rest = self.blends[rest].rest
        for name in reversed(layers):
            blend = self.blends[name]
            if not self.masks.contains(mask, blend.mask):
                rest = name if rest == blend.rest else self.blend(blend.base, blend.mask, rest)
        self._without[old, mask] = rest
        return rest

    def computed(self, term: Term, mask: int) -> int:
        """The name of a pure result of operands, some of which may be blends, computed under a mask."""
        bases = Term(term.operator, tuple(map(self.base, term.operands)), term.lane)
        if bases == term or self.masks is None:
            return self.of(term)
        seen = tuple(self._within(o, mask, self.masks) for o in term.operands)
        name = self.of(bases)
        if seen == bases.operands:
            return name
        blends = [o for o in seen if o in self.blends]
        known = all(self.blends[o].rest for o in blends)
        rest = self.of(("of blends", term.operator, seen, term.lane)) if known else 0
        return self.blend(name, self.narrowest(blends), rest)

    def _within(self, name: int, mask: int, masks: ExecMasks) -> int:
        blend = self.blends.get(name)
        while blend is not None and not masks.is_wider(mask, blend.mask):
            name = blend.base
            blend = self.blends.get(name)
        return name

    def narrowest(self, blends: Sequence[int]) -> int:
        """Of the masks of blends the one with most masks above it.

        Masks that do not compare are put in a fixed order, or places that change theirs around a loop never settle.
        """
        depth = self.masks.depth if self.masks is not None else int
        return max((self.blends[n].mask for n in blends), key=lambda mask: (depth(mask), mask))

    def agree(self, wanted: int, found: int, mask: int, beyond: tuple[int, ...] = ()) -> bool:
        """Tell whether found is what is wanted in every lane of the mask that no mask of beyond has.

        wanted 0 accepts anything, found 0 is nothing.
        """
        masks = self.masks
        if wanted in (found, 0):
            return True
        if masks is None or not found:
            return False
        blend = self.blends.get(wanted)
        if blend is not None:
            if not masks.is_wider(mask, blend.mask):
                return self.agree(blend.base, found, mask, beyond)
            return self.agree(blend.base, found, blend.mask, beyond) and self.agree(
                blend.rest, found, mask, (*beyond, blend.mask)
            )
        blend = self.blends.get(found)
        if blend is None:
            return False
        if any(masks.contains(b, blend.mask) for b in beyond):
            return self.agree(wanted, blend.rest, mask, beyond)
        if not masks.is_wider(mask, blend.mask):
            return self.agree(wanted, blend.base, mask, beyond)
        return self.agree(wanted, blend.base, blend.mask, beyond) and self.agree(
            wanted, blend.rest, mask, (*beyond, blend.mask)
        )

    def parts(self, name: int) -> frozenset[int]:
        """The name, and those of all parts of a blend."""
        pending: list[int] = []
        while name in self.blends and name not in self._parts:
            pending.append(name)
            name = self.blends[name].rest
        found = self._parts.get(name) or frozenset((name,))
        for above in reversed(pending):
            found = self._parts[above] = found | self.parts(self.blends[above].base) | {above}
        return found

    def depth(self, name: int) -> int:
        """How many layers a value has beside the last."""
        depth, blend = 0, self.blends.get(name)
        while blend is not None:
            depth, blend = depth + 1, self.blends.get(blend.rest)
        return depth

    def mentions(self, name: int, some: frozenset[int]) -> bool:
        """The name, or a part of it, is among some."""
        blend = self.blends.get(name)
        if name in some:
            return True
        return blend is not None and (self.mentions(blend.base, some) or self.mentions(blend.rest, some))
