"""What a store says, in numbers. One pass of SQL over the units that are asked about, then small sums.

A *hit* is a unit that is BUG, and a kernel is hit where one of its units is. *Right* is CLEAN or HAZARD. The rate is
that of hits among units with an answer that is a proof: what failed or is UNPROVEN is in neither number.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from regtriage.tools.llc.errors import InputError

from .model import Answer, Configuration, ErrorKind, Method, Unit
from .store import Store, plain

_RIGHT = (Answer.CLEAN, Answer.HAZARD)
_MOST_SLOW = 10
_CONFIGURATION = tuple(field.name for field in fields(Configuration))
_GLOB = "kernel"
SELECTORS = (*_CONFIGURATION, _GLOB)
"""What units can be chosen by; `kernel` is a pattern, of names, as a shell's."""


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration. wrong, spills: sums; new, gone: kernels hit here and right in the base, and the other way.

    base: the index of the row that it is compared with, None if it is the base itself.
    """

    configuration: Configuration
    units: int
    answers: Mapping[Answer, int]
    errors: int
    wrong: int
    spills: int
    seconds: float
    base: int | None
    new: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def hits(self) -> int:
        """Units that are BUG."""
        return self.answers.get(Answer.BUG, 0)

    @property
    def proved(self) -> int:
        """Units that are BUG or right."""
        return self.hits + sum(self.answers.get(answer, 0) for answer in _RIGHT)

    @property
    def rate(self) -> float | None:
        """Of hits among what is proved; None if nothing is."""
        return self.hits / self.proved if self.proved else None


@dataclass(frozen=True, slots=True)
class Spread:
    """Kernels hit in any and in every one of some configurations. variant: "" for all."""

    compiler: str
    version: str
    variant: str
    configurations: int
    any: int
    every: int


@dataclass(frozen=True, slots=True)
class HitKernel:
    """A kernel that is hit, in how many of its units with an answer, and through which exits."""

    name: str
    hits: int
    units: int
    wrong: int
    exits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExitRow:
    """One exit. by_trace: findings of which the trace says so; the others are by shape."""

    exit: str
    findings: int
    by_trace: int
    units: int
    kernels: int


@dataclass(frozen=True, slots=True)
class SpillBin:
    """Units with least to most spills, both counted in."""

    least: int
    most: int
    units: int
    hits: int


@dataclass(frozen=True, slots=True)
class SlowUnit:
    """kernel, configuration, seconds."""

    kernel: str
    configuration: Configuration
    seconds: float


@dataclass(frozen=True, slots=True)
class Reason:
    """Units without a proof for one reason. message: with KERNEL for the kernel's name; kernel: the first of them."""

    kind: ErrorKind | None
    """None: UNPROVEN."""
    message: str
    units: int
    kernels: int
    kernel: str


@dataclass(frozen=True, slots=True)
class OtherRow:
    """Kernels of which something less than a proof is said."""

    method: Method
    answers: Mapping[Answer, int]
    errors: int
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """All of it. units counts those with an error too."""

    kernels: int
    units: int
    answers: Mapping[Answer, int]
    errors_of_kind: Mapping[ErrorKind, int]
    rows: tuple[Row, ...]
    spreads: tuple[Spread, ...]
    hit: tuple[HitKernel, ...]
    exits: tuple[ExitRow, ...]
    spills: tuple[SpillBin, ...]
    slowest: tuple[SlowUnit, ...]
    unproven: tuple[Reason, ...]
    errors: tuple[Reason, ...]
    others: tuple[OtherRow, ...]


def parse_selection(texts: Iterable[str]) -> dict[str, str]:
    """Read `KEY=VALUE`s. Raises InputError for a key that there is not."""
    chosen: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or key not in SELECTORS:
            raise InputError(f"{text}: error: not KEY=VALUE with a KEY of {', '.join(SELECTORS)}")
        chosen[key] = value
    return chosen


def figures_of(store: Store, selection: Mapping[str, str] | None = None) -> Figures:
    """Of the whole store, or of the units that a selection names."""
    where, values = condition(selection or {})
    return _figures(store, f"SELECT u.id AS unit FROM {JOINED} {where}", values)


def figures_of_units(store: Store, units: Iterable[Unit]) -> Figures:
    """Of these units, as far as the store has them."""
    connection = store.connection
    kernels = dict(connection.execute("SELECT digest, id FROM kernel"))
    columns = ", ".join(_CONFIGURATION)
    configurations = {
        Configuration(*row[1:]): row[0] for row in connection.execute(f"SELECT id, {columns} FROM configuration")
    }
    keys = [(u.kernel.digest, Configuration(*plain(astuple(u.configuration)))) for u in units]
    pairs = [(kernels.get(digest), configurations.get(configuration)) for digest, configuration in keys]
    connection.execute("DROP TABLE IF EXISTS temp.wanted")
    connection.execute("CREATE TEMP TABLE wanted (kernel INTEGER, configuration INTEGER)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO wanted VALUES (?, ?)", pairs)
    connection.execute("COMMIT")
    return _figures(store, "SELECT u.id AS unit FROM wanted JOIN unit u USING (kernel, configuration)", ())


JOINED = "unit u JOIN kernel k ON k.id = u.kernel JOIN configuration c ON c.id = u.configuration"
"""Tables with all columns of a unit, by the names that `condition` uses."""


def condition(selection: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The WHERE clause of a selection, and its values."""
    terms = ["k.name GLOB ?" if key == _GLOB else f"c.{key} = ?" for key in selection]
    return (f"WHERE {' AND '.join(terms)}" if terms else ""), tuple(selection.values())


def _figures(store: Store, query: str, values: Sequence[str]) -> Figures:
    connection = store.connection
    connection.execute("DROP TABLE IF EXISTS temp.chosen")
    connection.execute(
        "CREATE TEMP TABLE chosen AS SELECT u.id AS unit, u.kernel, u.configuration, k.method, u.answer, u.error, "
        f"u.wrong, u.spills, u.seconds FROM ({query}) JOIN unit u ON u.id = unit JOIN kernel k ON k.id = u.kernel",
        tuple(values),
    )
    configurations = {
        int(row[0]): Configuration(*row[1:])
        for row in connection.execute(
            f"SELECT id, {', '.join(_CONFIGURATION)} FROM configuration "
            "WHERE id IN (SELECT DISTINCT configuration FROM chosen)"
        )
    }
    answers = _counter(connection, "SELECT answer, count(*) FROM chosen WHERE answer IS NOT NULL GROUP BY answer")
    errors = _counter(connection, "SELECT error, count(*) FROM chosen WHERE error IS NOT NULL GROUP BY error")
    names = dict(
        connection.execute("SELECT id, name FROM kernel WHERE id IN (SELECT kernel FROM chosen WHERE answer = 'BUG')")
    )
    by_configuration = _answers_of_hit_kernels(connection)
    return Figures(
        kernels=int(connection.execute("SELECT count(DISTINCT kernel) FROM chosen").fetchone()[0]),
        units=sum(answers.values()) + sum(errors.values()),
        answers={answer: answers[answer] for answer in Answer if answers[answer]},
        errors_of_kind={kind: errors[kind] for kind in ErrorKind if errors[kind]},
        rows=_rows(connection, configurations, names, by_configuration),
        spreads=_spreads(connection, configurations, by_configuration),
        hit=_hit(connection, names),
        exits=_exits(connection),
        spills=_spill_bins(connection),
        slowest=_slowest(connection, configurations),
        unproven=_reasons(connection, "answer = 'UNPROVEN'"),
        errors=_reasons(connection, "error IS NOT NULL"),
        others=_others(connection),
    )


def _counter(connection: sqlite3.Connection, query: str) -> Counter[str]:
    return Counter(dict(connection.execute(query)))


# -- configurations --------------------------------------------------------------------------------------------


_ByConfiguration = dict[int, dict[int, str]]
"""By configuration and kernel the answer, of kernels that are hit somewhere."""


def _answers_of_hit_kernels(connection: sqlite3.Connection) -> _ByConfiguration:
    found: _ByConfiguration = defaultdict(dict)
    for configuration, kernel, answer in connection.execute(
        "SELECT configuration, kernel, answer FROM chosen WHERE answer IS NOT NULL "
        "AND kernel IN (SELECT kernel FROM chosen WHERE answer = 'BUG')"
    ):
        found[configuration][kernel] = answer
    return found


def _rows(
    connection: sqlite3.Connection,
    configurations: Mapping[int, Configuration],
    names: Mapping[int, str],
    answers: _ByConfiguration,
) -> tuple[Row, ...]:
    counted: dict[int, list[tuple[str | None, int, int, int, float]]] = defaultdict(list)
    for configuration, *rest in connection.execute(
        "SELECT configuration, answer, count(*), sum(wrong), sum(ifnull(spills, 0)), sum(seconds) FROM chosen "
        "WHERE method = 'proof' GROUP BY configuration, answer"
    ):
        counted[configuration].append(tuple(rest))
    order = sorted(counted, key=lambda c: _sort_key(configurations[c]))
    place = {configuration: at for at, configuration in enumerate(order)}
    rows: list[Row] = []
    for configuration in order:
        base = _base(configuration, order, configurations)
        here, there = answers.get(configuration, {}), answers.get(base, {}) if base is not None else {}
        groups = counted[configuration]
        rows.append(
            Row(
                configuration=configurations[configuration],
                units=sum(n for _, n, *_ in groups),
                answers={a: n for a in Answer for answer, n, *_ in groups if answer == a},
                errors=sum(n for answer, n, *_ in groups if answer is None),
                wrong=sum(group[2] for group in groups),
                spills=sum(group[3] for group in groups),
                seconds=sum(group[4] for group in groups),
                base=place[base] if base is not None else None,
                new=_turned(there, here, names) if base is not None else (),
                gone=_turned(here, there, names) if base is not None else (),
            )
        )
    return tuple(rows)


def _sort_key(configuration: Configuration) -> tuple[object, ...]:
    c = configuration
    return (c.tool, c.compiler, c.version, c.build, c.flags != "", c.flags, c.variant != "off", c.variant)


def _base(configuration: int, order: Sequence[int], configurations: Mapping[int, Configuration]) -> int | None:
    """What it is compared with: the same compiler and variant without flags, or that compiler as it is (off).

    The first of its compiler where the plain one is not there.
    """
    c = configurations[configuration]
    same = [o for o in order if _compiler_key(configurations[o]) == _compiler_key(c)]
    wanted = [(c.variant, ""), ("off", "")] if c.flags else [("off", "")]
    for variant, flags in wanted:
        for other in same:
            found = configurations[other]
            if (found.variant, found.flags) == (variant, flags):
                return None if other == configuration else other
    return None if same[0] == configuration else same[0]


def _compiler_key(c: Configuration) -> tuple[str, ...]:
    return (c.tool, c.compiler, c.version, c.build)


def _turned(before: Mapping[int, str], after: Mapping[int, str], names: Mapping[int, str]) -> tuple[str, ...]:
    """Kernels that are right before and BUG after."""
    return tuple(sorted(names[k] for k, a in after.items() if a == Answer.BUG and before.get(k) in _RIGHT))


def _spreads(
    connection: sqlite3.Connection, configurations: Mapping[int, Configuration], answers: _ByConfiguration
) -> tuple[Spread, ...]:
    proofs = [row[0] for row in connection.execute("SELECT DISTINCT configuration FROM chosen WHERE method = 'proof'")]
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for configuration in sorted(proofs, key=lambda c: _sort_key(configurations[c])):
        c = configurations[configuration]
        groups[(*_compiler_key(c), c.variant)].append(configuration)
    spreads = [_spread("", "", "", proofs, answers)] if len(proofs) > 1 else []
    spreads += [_spread(k[1], k[2], k[-1], members, answers) for k, members in groups.items() if len(members) > 1]
    return tuple(spreads)


def _spread(compiler: str, version: str, variant: str, members: Sequence[int], answers: _ByConfiguration) -> Spread:
    count = Counter(k for member in members for k, a in answers.get(member, {}).items() if a == Answer.BUG)
    every = sum(n == len(members) for n in count.values())
    return Spread(compiler, version, variant, len(members), len(count), every)


# -- the other tables ------------------------------------------------------------------------------------------


def _hit(connection: sqlite3.Connection, names: Mapping[int, str]) -> tuple[HitKernel, ...]:
    exits: dict[int, set[str]] = defaultdict(set)
    for kernel, exit_ in connection.execute(
        "SELECT DISTINCT c.kernel, f.exit FROM chosen c JOIN finding f ON f.unit = c.unit WHERE c.answer = 'BUG'"
    ):
        exits[kernel].add(exit_ or "unknown")
    rows = connection.execute(
        "SELECT kernel, sum(answer = 'BUG'), count(*), max(wrong) FROM chosen WHERE answer IS NOT NULL "
        "AND kernel IN (SELECT kernel FROM chosen WHERE answer = 'BUG') GROUP BY kernel"
    )
    found = [HitKernel(names[k], hits, units, wrong, tuple(sorted(exits[k]))) for k, hits, units, wrong in rows]
    return tuple(sorted(found, key=lambda h: (-h.hits, h.name)))


def _exits(connection: sqlite3.Connection) -> tuple[ExitRow, ...]:
    rows = connection.execute(
        "SELECT f.exit, count(*), sum(f.exit_by = 'trace'), count(DISTINCT c.unit), count(DISTINCT c.kernel) "
        "FROM chosen c JOIN finding f ON f.unit = c.unit WHERE c.answer = 'BUG' "
        "GROUP BY f.exit ORDER BY count(*) DESC, f.exit"
    )
    return tuple(ExitRow(exit_ or "unknown", *numbers) for exit_, *numbers in rows)


def _spill_bins(connection: sqlite3.Connection) -> tuple[SpillBin, ...]:
    """By powers of two, without those at either end that have no unit."""
    units: Counter[int] = Counter()
    hits: Counter[int] = Counter()
    for spills, count, hit in connection.execute(
        "SELECT spills, count(*), sum(answer = 'BUG') FROM chosen WHERE method = 'proof' AND spills IS NOT NULL "
        "AND answer IN ('BUG', 'CLEAN', 'HAZARD') GROUP BY spills"
    ):
        units[int(spills).bit_length()] += count
        hits[int(spills).bit_length()] += hit
    if not units:
        return ()
    return tuple(
        SpillBin((1 << bits) >> 1, (1 << bits) - 1, units[bits], hits[bits])
        for bits in range(min(units), max(units) + 1)
    )


def _slowest(connection: sqlite3.Connection, configurations: Mapping[int, Configuration]) -> tuple[SlowUnit, ...]:
    rows = connection.execute(
        "SELECT k.name, c.configuration, c.seconds FROM (SELECT * FROM chosen ORDER BY seconds DESC, unit LIMIT ?) c "
        "JOIN kernel k ON k.id = c.kernel ORDER BY c.seconds DESC, c.unit",
        (_MOST_SLOW,),
    )
    return tuple(SlowUnit(name, configurations[configuration], seconds) for name, configuration, seconds in rows)


def _reasons(connection: sqlite3.Connection, which: str) -> tuple[Reason, ...]:
    """Of these units; messages that differ in nothing but the kernel's name are one."""
    groups: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for kind, message, name in connection.execute(
        "SELECT u.error, u.message, k.name FROM chosen c JOIN unit u ON u.id = c.unit JOIN kernel k ON k.id = u.kernel "
        f"WHERE c.{which} ORDER BY k.name"
    ):
        line = next(iter(message.splitlines()), "")
        groups[kind, re.sub(rf"(?<!\w){re.escape(name)}(?=:)", "KERNEL", line)].append(name)
    rows = [
        Reason(ErrorKind(kind) if kind is not None else None, message, len(kernels), len(set(kernels)), kernels[0])
        for (kind, message), kernels in groups.items()
    ]
    order = [None, *ErrorKind]
    return tuple(sorted(rows, key=lambda row: (order.index(row.kind), -row.units, row.message)))


def _others(connection: sqlite3.Connection) -> tuple[OtherRow, ...]:
    rows: list[OtherRow] = []
    for method in (Method.ASM, Method.PTSS):
        where = f"FROM chosen c JOIN kernel k ON k.id = c.kernel WHERE c.method = '{method}'"
        answers = _counter(connection, f"SELECT answer, count(*) {where} AND answer IS NOT NULL GROUP BY answer")
        errors = int(connection.execute(f"SELECT count(*) {where} AND error IS NOT NULL").fetchone()[0])
        found = connection.execute(f"SELECT k.name {where} AND answer IN ('SUSPECT', 'OVER') ORDER BY k.name")
        if answers or errors:
            by_answer = {answer: answers[answer] for answer in Answer if answers[answer]}
            rows.append(OtherRow(method, by_answer, errors, tuple(name for (name,) in found)))
    return tuple(rows)
