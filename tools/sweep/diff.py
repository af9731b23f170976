"""What two sweeps, or two parts of one, say differently.

Units are paired by the kernel and by what the sides are configured with. Where each side has a single value of
something (one variant, one compiler, one set of flags), that is what is compared, and it need not be the same. Kernels
are paired by name, those left over by content.
"""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from regtriage.tools.llc.errors import InputError

from .figures import JOINED, SELECTORS, condition, parse_selection
from .model import Answer, Configuration, ErrorKind
from .store import Store, open_store

_RIGHT = (Answer.CLEAN, Answer.HAZARD)
_FIELDS = tuple(field.name for field in fields(Configuration))


class Change(enum.StrEnum):
    """How a pair differs. NEW: right, then BUG; GONE: the other way; EXIT: BUG through other exits; OTHER: the rest."""

    NEW = "newly hit"
    GONE = "no longer hit"
    EXIT = "hit through other exits"
    OTHER = "otherwise changed"


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of one unit: an answer or an error, the exits of its findings, a digest of its code."""

    answer: Answer | None
    error: ErrorKind | None
    exits: tuple[str, ...]
    code: str

    @property
    def word(self) -> str:
        """The answer, or the kind of error."""
        return self.answer.value if self.answer is not None else f"error ({self.error})"


@dataclass(frozen=True, slots=True)
class Pair:
    """One kernel, before and after. settings: what both sides are configured with alike, in words."""

    kernel: str
    settings: str
    before: Said
    after: Said

    @property
    def change(self) -> Change | None:
        """None if both say the same."""
        was, now = self.before, self.after
        if now.answer is Answer.BUG and was.answer in _RIGHT:
            return Change.NEW
        if was.answer is Answer.BUG and now.answer in _RIGHT:
            return Change.GONE
        if was.word != now.word:
            return Change.OTHER
        return Change.EXIT if was.answer is Answer.BUG and was.exits != now.exits else None


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared: a store, and which of its units, as the user wrote it."""

    path: Path
    selection: Mapping[str, str]

    def __str__(self) -> str:
        chosen = ",".join(f"{key}={value}" for key, value in self.selection.items())
        return f"{self.path}:{chosen}" if chosen else str(self.path)


@dataclass(frozen=True, slots=True)
class Difference:
    """pairs: those that differ, in order. same: how many do not; same_code: of all pairs, those of equal assembly.

    only_before, only_after: units without a partner. compared: the values of what is compared.
    """

    before: str
    after: str
    compared: tuple[tuple[str, str, str], ...]
    pairs: tuple[Pair, ...]
    same: int
    same_code: int
    only_before: int
    only_after: int

    def of(self, change: Change) -> tuple[Pair, ...]:
        """The pairs that differ in this way."""
        return tuple(pair for pair in self.pairs if pair.change is change)


def parse_side(text: str) -> Side:
    """Read `STORE` or `STORE:KEY=VALUE,KEY=VALUE…`. Raises InputError."""
    path, colon, rest = text.partition(":")
    while colon and not rest.startswith(tuple(f"{key}=" for key in SELECTORS)):
        # A colon of the file's name.
        more, colon, rest = rest.partition(":")
        path = f"{path}:{more}"
    return Side(Path(path), parse_selection(_split(rest)) if colon else {})


def _split(text: str) -> list[str]:
    """At commas before a key: values may have commas."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and not part.startswith(tuple(f"{key}=" for key in SELECTORS)):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def diff(before: Side, after: Side) -> Difference:
    """Compare. Raises InputError for a store that cannot be read, and a side without units."""
    sides = [_read(side) for side in (before, after)]
    for side, units in zip((before, after), sides, strict=True):
        if not units:
            raise InputError(f"{side}: error: no such units in the store")
    values = [[{u.configuration[at] for u in side} for at in range(len(_FIELDS))] for side in sides]
    alone = [at for at in range(len(_FIELDS)) if all(len(side[at]) == 1 for side in values)]
    compared = tuple(
        (_FIELDS[at], *(next(iter(side[at])) for side in values)) for at in alone if values[0][at] != values[1][at]
    )
    pairs, only_before, only_after = _pair(sides[0], sides[1], frozenset(range(len(_FIELDS))) - set(alone))
    changed = [pair for pair in pairs if pair.change is not None]
    order = list(Change)
    return Difference(
        before=str(before),
        after=str(after),
        compared=tuple((name, was, now) for name, was, now in compared),
        pairs=tuple(sorted(changed, key=lambda p: (order.index(p.change or Change.OTHER), p.kernel, p.settings))),
        same=len(pairs) - len(changed),
        same_code=sum(bool(p.before.code) and p.before.code == p.after.code for p in pairs),
        only_before=only_before,
        only_after=only_after,
    )


@dataclass(frozen=True, slots=True)
class _Unit:
    name: str
    digest: str
    configuration: tuple[str, ...]
    said: Said

    def settings(self, fields_: frozenset[int]) -> tuple[str, ...]:
        """What it is configured with, as far as that has to be the same on both sides."""
        return tuple(self.configuration[at] for at in sorted(fields_))


def _read(side: Side) -> list[_Unit]:
    with open_store(side.path, create=False) as store:
        return list(_units(store, side.selection))


def _units(store: Store, selection: Mapping[str, str]) -> Iterator[_Unit]:
    where, values = condition(selection)
    exits: dict[int, set[str]] = defaultdict(set)
    for unit, exit_ in store.connection.execute("SELECT DISTINCT unit, exit FROM finding"):
        exits[unit].add(exit_)
    columns = ", ".join(f"c.{name}" for name in _FIELDS)
    for unit, name, digest, answer, error, code, *configuration in store.connection.execute(
        f"SELECT u.id, k.name, k.digest, u.answer, u.error, u.code, {columns} FROM {JOINED} {where} "
        "ORDER BY k.name, k.digest, u.id",
        values,
    ):
        said = Said(
            Answer(answer) if answer is not None else None,
            ErrorKind(error) if error is not None else None,
            tuple(sorted(exits.get(unit, ()))),
            code,
        )
        yield _Unit(name, digest, tuple(configuration), said)


def _pair(before: Sequence[_Unit], after: Sequence[_Unit], alike: frozenset[int]) -> tuple[list[Pair], int, int]:
    """The pairs, and how many units of each side have no partner."""
    pairs: list[Pair] = []
    left_before, left_after = list(before), list(after)
    for by in ("name", "digest"):
        waiting: dict[tuple[str, ...], list[_Unit]] = defaultdict(list)
        for unit in left_after:
            waiting[getattr(unit, by), *unit.settings(alike)].append(unit)
        unpaired: list[_Unit] = []
        taken: Counter[int] = Counter()
        for unit in left_before:
            partners = waiting[getattr(unit, by), *unit.settings(alike)]
            # Of several with one name the one of the same content, else the first.
            partner = next((p for p in partners if p.digest == unit.digest), partners[0] if partners else None)
            if partner is None:
                unpaired.append(unit)
                continue
            partners.remove(partner)
            taken[id(partner)] += 1
            settings = " ".join(word for word in unit.settings(alike) if word)
            pairs.append(Pair(partner.name, settings, unit.said, partner.said))
        left_before = unpaired
        left_after = [unit for unit in left_after if not taken[id(unit)]]
    return pairs, len(left_before), len(left_after)
