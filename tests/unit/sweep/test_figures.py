from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.llc.run import InputError
from regtriage.tools.sweep.figures import Figures, figures_of, figures_of_units, parse_selection
from regtriage.tools.sweep.model import Answer, ErrorKind, Method, Outcome, Unit
from regtriage.tools.sweep.store import open_store

from .make import bug, failure, right, unit, unit_of

Recorded = list[tuple[Unit, Outcome]]


def figures(folder: Path, recorded: Recorded, **selection: str) -> Figures:
    with open_store(folder / "s", create=True) as store:
        for what, outcome in recorded:
            store.record(what, outcome)
        return figures_of(store, selection)


def four_kernels() -> Recorded:
    """a: always hit; b: hit by the flag; c: hit without it; d: never, UNPROVEN, or failed."""
    return [
        (unit("a"), bug(spills=20)),
        (unit("b"), right(spills=3)),
        (unit("c"), bug("redundant-spill", spills=40, seconds=9)),
        (unit("d"), right(Answer.UNPROVEN)),
        (unit("a", flags="-x"), bug(spills=70)),
        (unit("b", flags="-x"), bug(spills=40)),
        (unit("c", flags="-x"), right(Answer.HAZARD, spills=0)),
        (unit("d", flags="-x"), failure()),
    ]


def test_rates_are_of_what_is_proved(tmp_path: Path):
    plain, flag = figures(tmp_path, four_kernels()).rows
    assert (plain.configuration.flags, plain.units, plain.hits, plain.proved, plain.errors) == ("", 4, 2, 3, 0)
    assert plain.rate == pytest.approx(2 / 3)
    assert (flag.configuration.flags, flag.units, flag.hits, flag.proved, flag.errors) == ("-x", 4, 2, 3, 1)
    assert plain.answers == {Answer.BUG: 2, Answer.CLEAN: 1, Answer.UNPROVEN: 1}
    assert (plain.wrong, plain.spills, plain.seconds) == (4, 71, 12.0)
    nothing = figures(tmp_path, four_kernels(), kernel="d").rows[0]
    assert nothing.rate is None


def test_kernels_newly_hit_by_a_flag(tmp_path: Path):
    plain, flag = figures(tmp_path, four_kernels()).rows
    assert (plain.base, plain.new, plain.gone) == (None, (), ())
    assert (flag.base, flag.new, flag.gone) == (0, ("b",), ("c",))


def test_a_flag_is_compared_with_its_own_variant_and_a_variant_with_off(tmp_path: Path):
    units = [unit("a", variant, flags) for variant in ("off", "private") for flags in ("", "-x")]
    rows = figures(tmp_path, [(u, right()) for u in units]).rows
    assert [(r.configuration.variant, r.configuration.flags, r.base) for r in rows] == [
        ("off", "", None),
        ("private", "", 0),
        ("off", "-x", 0),
        ("private", "-x", 1),
    ]


def test_each_compiler_has_its_own_base(tmp_path: Path):
    units = [unit("a", version=version, flags=flags) for version in ("22", "23") for flags in ("", "-x")]
    rows = figures(tmp_path, [(u, right()) for u in units]).rows
    assert [(r.configuration.version, r.base) for r in rows] == [("22", None), ("22", 0), ("23", None), ("23", 2)]


def test_union_and_intersection(tmp_path: Path):
    everything, off = figures(tmp_path, four_kernels()).spreads
    assert (everything.variant, everything.configurations, everything.any, everything.every) == ("", 2, 3, 1)
    assert (off.variant, off.configurations, off.any, off.every) == ("off", 2, 3, 1)
    assert figures(tmp_path, [], flags="-x").spreads == ()


def test_kernels_hit_and_their_exits(tmp_path: Path):
    found = figures(tmp_path, four_kernels())
    assert [(h.name, h.hits, h.units, h.wrong, h.exits) for h in found.hit] == [
        ("a", 2, 2, 2, ("insert-spill",)),
        ("b", 1, 2, 2, ("insert-spill",)),
        ("c", 1, 2, 2, ("redundant-spill",)),
    ]
    assert [(e.exit, e.findings, e.by_trace, e.units, e.kernels) for e in found.exits] == [
        ("insert-spill", 6, 3, 3, 2),
        ("redundant-spill", 2, 1, 1, 1),
    ]


def test_spills_against_hits_by_powers_of_two(tmp_path: Path):
    bins = figures(tmp_path, four_kernels()).spills
    assert [(b.least, b.most, b.units, b.hits) for b in bins] == [
        (0, 0, 1, 0),
        (1, 1, 0, 0),
        (2, 3, 1, 0),
        (4, 7, 0, 0),
        (8, 15, 0, 0),
        (16, 31, 1, 1),
        (32, 63, 2, 2),
        (64, 127, 1, 1),
    ]


def test_the_slowest_first(tmp_path: Path):
    slowest = figures(tmp_path, four_kernels()).slowest
    assert (slowest[0].kernel, slowest[0].seconds) == ("c", 9.0)
    assert len(slowest) == 8


def test_errors_that_differ_in_the_kernels_name_alone_are_one(tmp_path: Path):
    found = figures(
        tmp_path,
        [
            (unit("x/a.ll"), failure(ErrorKind.INPUT, "x/a.ll: error: odd\nand more")),
            (unit("x/b.ll"), failure(ErrorKind.INPUT, "x/b.ll: error: odd")),
            (unit("x/a.ll", "private"), failure(ErrorKind.INPUT, "x/a.ll: error: odd")),
            (unit("x/c.ll"), failure(ErrorKind.TIME_OUT, "took longer than 4 s")),
        ],
    )
    assert [(e.kind, e.message, e.units, e.kernels, e.kernel) for e in found.errors] == [
        (ErrorKind.INPUT, "KERNEL: error: odd", 3, 2, "x/a.ll"),
        (ErrorKind.TIME_OUT, "took longer than 4 s", 1, 1, "x/c.ll"),
    ]
    assert found.errors_of_kind == {ErrorKind.INPUT: 3, ErrorKind.TIME_OUT: 1}


def test_why_units_are_not_proved(tmp_path: Path):
    strange = Outcome(Answer.UNPROVEN, message="bb.1, line 7: S_FOO is strange")
    found = figures(tmp_path, [(unit("a"), strange), (unit("b"), strange), (unit("c"), right())])
    assert [(u.kind, u.message, u.units, u.kernel) for u in found.unproven] == [
        (None, "bb.1, line 7: S_FOO is strange", 2, "a")
    ]


def test_what_is_no_proof_is_counted_apart(tmp_path: Path):
    suspect = Outcome(Answer.SUSPECT, wrong=1, spills=9)
    over = Outcome(Answer.OVER, wrong=1, spills=9)
    found = figures(
        tmp_path,
        [
            (unit("a"), right()),
            (unit_of(Method.ASM, "s"), suspect),
            (unit_of(Method.ASM, "t"), failure(ErrorKind.INPUT, "no")),
            (unit_of(Method.PTSS, "u"), over),
        ],
    )
    assert [(o.method, o.answers, o.errors, o.found) for o in found.others] == [
        (Method.ASM, {Answer.SUSPECT: 1}, 1, ("s",)),
        (Method.PTSS, {Answer.OVER: 1}, 0, ("u",)),
    ]
    assert [row.units for row in found.rows] == [1]
    assert (found.kernels, found.units) == (4, 4)
    assert [(b.units, b.hits) for b in found.spills] == [(1, 0)]


def test_a_part_of_a_store(tmp_path: Path):
    assert figures(tmp_path, four_kernels(), flags="-x").units == 4
    assert figures(tmp_path, [], kernel="[ab]").kernels == 2
    assert figures(tmp_path, [], version="none").units == 0
    with open_store(tmp_path / "s", create=False) as store:
        # Units that the store does not have are none.
        assert figures_of_units(store, [unit("a"), unit("d", flags="-x"), unit("e")]).units == 2


def test_a_selection_is_of_keys_that_there_are():
    assert parse_selection(["flags=-x=1,2", "kernel=*"]) == {"flags": "-x=1,2", "kernel": "*"}
    for wrong in ("speed=1", "flags", "=x"):
        with pytest.raises(InputError, match="not KEY=VALUE with a KEY of tool"):
            parse_selection([wrong])
