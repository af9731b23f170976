from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from regtriage.tools.llc.run import InputError
from regtriage.tools.sweep.figures import figures_of_units
from regtriage.tools.sweep.model import ErrorKind, Found
from regtriage.tools.sweep.store import APPLICATION_ID, Store, migrations, open_store

from .make import bug, failure, right, unit

NONE: frozenset[ErrorKind] = frozenset()


def said(store: Store) -> list[tuple[object, ...]]:
    return store.connection.execute(
        "SELECT name, variant, answer, error FROM unit u JOIN kernel k ON k.id = u.kernel "
        "JOIN configuration c ON c.id = u.configuration ORDER BY name, variant"
    ).fetchall()


def test_an_outcome_is_found_again(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        assert not store.done(unit("a"), NONE)
        store.record(unit("a"), bug())
        store.record(unit("a", "private"), right())
    with open_store(tmp_path / "s", create=False) as store:
        assert len(store) == 2
        assert said(store) == [("a", "off", "BUG", None), ("a", "private", "CLEAN", None)]
        assert store.connection.execute("SELECT exit, exit_by, needed FROM finding").fetchall() == [
            ("insert-spill", "trace", "%1.sub0"),
            ("insert-spill", "shape", "%1.sub1"),
        ]
        (first,) = store.connection.execute("SELECT json FROM result ORDER BY unit").fetchone()
        assert zlib.decompress(first) == b'{"a": 1}'


def test_a_unit_is_its_content_and_all_that_it_is_compiled_with(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        store.record(unit("a", content="x"), bug())
        assert store.done(unit("renamed", content="x"), NONE)
        assert not store.done(unit("a", content="y"), NONE)
        assert not store.done(unit("a", "guard", content="x"), NONE)
        assert not store.done(unit("a", flags="-O2", content="x"), NONE)
        assert not store.done(unit("a", version="24", content="x"), NONE)


def test_an_answer_stays_and_an_error_gives_way(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        store.record(unit("a"), failure(ErrorKind.TIME_OUT))
        assert store.done(unit("a"), NONE)
        assert not store.done(unit("a"), frozenset({ErrorKind.TIME_OUT}))
        store.record(unit("a"), bug())
        store.record(unit("a"), right())
        store.record(unit("a"), failure())
        assert said(store) == [("a", "off", "BUG", None)]
        assert store.connection.execute("SELECT count(*) FROM finding").fetchone() == (2,)


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "old")
    connection.executescript(migrations()[0])
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;"
        "INSERT INTO kernel VALUES (1, 'd', 'a', 'proof', 10);"
        "INSERT INTO configuration VALUES (1, '0.1', 'builtin', '23', 'aa', 'off', '');"
        "INSERT INTO unit VALUES (1, 1, 1, 'CLEAN', NULL, '', 0, 0, 5, NULL, NULL, 'c', 1.0, 'h', 'now');"
    )
    connection.close()
    with open_store(tmp_path / "old", create=False) as store:
        assert store.connection.execute("PRAGMA user_version").fetchone() == (len(migrations()),)
        assert said(store) == [("a", "off", "CLEAN", None)]
        indices = store.connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
        assert ("finding_of_unit",) in indices
        store.record(unit("b"), bug())


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with open_store(tmp_path / "s", create=True) as store:
        store.record(unit("a"), bug())
    made = [*migrations(), "CREATE TABLE more (x INTEGER);\nCREATE TABLE unit (x INTEGER);"]
    monkeypatch.setattr("regtriage.tools.sweep.store.migrations", lambda: made)
    with pytest.raises((InputError, OSError), match="already exists"):
        open_store(tmp_path / "s", create=False)
    monkeypatch.undo()
    with open_store(tmp_path / "s", create=False) as store:
        assert store.connection.execute("SELECT name FROM sqlite_master WHERE name = 'more'").fetchone() is None
        assert len(store) == 1


def test_a_file_of_a_later_version_is_not_touched(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="made by a later regtriage: its schema is 99"):
        open_store(tmp_path / "s", create=True)


def test_what_is_no_store_is_not_touched(tmp_path: Path):
    other = sqlite3.connect(tmp_path / "other")
    other.executescript("CREATE TABLE mine (x INTEGER);")
    other.close()
    with pytest.raises(InputError, match="a database of another program"):
        open_store(tmp_path / "other", create=True)
    (tmp_path / "text").write_text("These are my notes, and no database at all. " * 50)
    with pytest.raises(InputError, match=r"text: error: cannot be used as a store: file is not a database"):
        open_store(tmp_path / "text", create=True)
    assert (tmp_path / "text").read_text().startswith("These are my notes")
    with pytest.raises(InputError, match="none: error: no such file"):
        open_store(tmp_path / "none", create=False)
    with pytest.raises(InputError, match="is a directory"):
        open_store(tmp_path, create=False)
    with pytest.raises(InputError, match="unable to open database file"):
        open_store(tmp_path / "no" / "such", create=True)


def test_two_sweeps_may_make_and_fill_one_file_at_the_same_time(tmp_path: Path):
    def fill(sweep: int) -> None:
        with open_store(tmp_path / "s", create=True) as store:
            for number in range(20):
                store.record(unit(f"shared-{number}"), bug())
                store.record(unit(f"own-{sweep}-{number}"), right())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fill, range(4)))
    with open_store(tmp_path / "s", create=False) as store:
        assert len(store) == 20 + 4 * 20
        assert store.connection.execute("SELECT count(*) FROM finding").fetchone() == (40,)


def test_bytes_that_are_no_characters_are_stored_readably(tmp_path: Path):
    odd = os.fsdecode(b"k\xff.ll")
    found = replace(bug(), message=odd, found=(Found(odd, "id", "value", "", "", odd, ""),))
    with open_store(tmp_path / "s", create=True) as store:
        assert store.claim(unit(odd, flags=odd, content="x"))
        store.record(unit(odd, flags=odd, content="x"), found)
        assert store.done(unit(odd, flags=odd, content="x"), NONE)
        assert store.connection.execute("SELECT name, function FROM kernel, finding").fetchall() == [
            ("k\\udcff.ll", "k\\udcff.ll")
        ]
        assert figures_of_units(store, [unit(odd, flags=odd, content="x")]).units == 1


def test_a_claim_counts_while_its_process_lives(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        claims = store.connection.execute
        assert store.claim(unit("a"))
        assert store.claim(unit("a")), "one's own is no obstacle"
        claims("UPDATE claim SET pid = ?", (os.getppid(),))
        assert not store.claim(unit("a"))
        assert store.claim(unit("a", "private"))
        with subprocess.Popen(["true"]) as gone:
            pass
        claims("UPDATE claim SET pid = ?", (gone.pid,))
        assert store.claim(unit("a"))
        assert claims("SELECT count(*) FROM claim").fetchone() == (2,)
        store.record(unit("a"), right())
        assert claims("SELECT pid FROM claim").fetchall() == [(gone.pid,)]
        store.claim(unit("b"))
    with open_store(tmp_path / "s", create=True) as store:
        assert store.connection.execute("SELECT pid FROM claim").fetchall() == [(gone.pid,)]


_WRITER = """
import sys
from pathlib import Path
from regtriage.tools.sweep.store import open_store
sys.path.insert(0, sys.argv[2])
from tests.unit.sweep.make import bug, unit
store = open_store(Path(sys.argv[1]), create=True)
for number in range(10**6):
    store.record(unit(str(number)), bug())
    print(number, flush=True)
"""


def test_killed_in_mid_write_it_loses_at_most_the_unit_in_hand(tmp_path: Path):
    root = str(Path(__file__).parents[3])
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path / "s"), root], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) == 20:
            writer.kill()
            break
    recorded = 20 + len(writer.stdout.readlines())
    writer.wait()
    writer.stdout.close()
    with open_store(tmp_path / "s", create=False) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert recorded + 1 <= len(store) <= recorded + 2
        # Each with all that belongs to it.
        assert store.connection.execute("SELECT count(*) FROM finding").fetchone() == (2 * len(store),)
        assert store.connection.execute("SELECT count(*) FROM result").fetchone() == (len(store),)


def test_a_disk_that_takes_nothing_is_said(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as store:
        store.connection.execute("PRAGMA max_page_count = 1")
        message = "x" * 100_000
        with pytest.raises(OSError, match="full"):
            store.record(unit("a"), failure(ErrorKind.CRASH, message))
        assert not store.connection.in_transaction
