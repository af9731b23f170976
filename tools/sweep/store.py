"""Outcomes in one SQLite file, each recorded once, in a transaction of its own.

Several sweeps may use a file at the same time, and a sweep may be killed at any moment: what was recorded stays. It
is for a local disk: SQLite's write-ahead log does not work over a network.

The schema is made by the numbered scripts in `migrations`, and `PRAGMA user_version` says how many of them a file has
seen; an older file is brought up to date when it is opened.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import importlib.resources
import os
import sqlite3
import zlib
from collections.abc import Generator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from regtriage.tools.llc.errors import InputError

from .model import Configuration, ErrorKind, Kernel, Outcome, Unit

APPLICATION_ID = 0x52545331
"""In the header of our files: "RTS1"."""

_BUSY_SECONDS = 60.0
_OUTCOME_COLUMNS = (
    "answer", "error", "message", "wrong", "hazards", "spills", "runs", "differ", "code", "seconds", "host", "recorded",
)  # fmt: skip


class Store:
    """An open file. To be closed. Use `open_store`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        self._has_claims = False

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """The last one that closes a file leaves it complete, without a log beside it."""
        if self._has_claims:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("DELETE FROM claim WHERE pid = ?", (os.getpid(),))
        self.connection.close()

    def __len__(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM unit").fetchone()[0])

    def record(self, unit: Unit, outcome: Outcome) -> None:
        """Write an outcome down. An answer that is there stays; an error gives way.

        Raises OSError if the disk does not take it.
        """
        with _transaction(self.connection, self.path):
            row = (
                self._kernel(unit.kernel),
                self._configuration(unit.configuration),
                outcome.answer.value if outcome.answer is not None else None,
                outcome.error.value if outcome.error is not None else None,
                outcome.message,
                outcome.wrong,
                outcome.hazards,
                outcome.spills,
                outcome.runs,
                outcome.differ,
                outcome.code,
                outcome.seconds,
                outcome.host,
                datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            )
            row = plain(row)
            columns = ", ".join(("kernel", "configuration", *_OUTCOME_COLUMNS))
            update = ", ".join(f"{column} = excluded.{column}" for column in _OUTCOME_COLUMNS)
            written = self.connection.execute(
                f"INSERT INTO unit ({columns}) VALUES ({', '.join('?' * len(row))}) "
                f"ON CONFLICT (kernel, configuration) DO UPDATE SET {update} WHERE unit.error IS NOT NULL",
                row,
            ).rowcount
            self.connection.execute("DELETE FROM claim WHERE unit = ?", (_key(unit),))
            if written:
                found = self.connection.execute(
                    "SELECT id FROM unit WHERE (kernel, configuration) = (?, ?)", row[:2]
                ).fetchone()
                self._details(int(found[0]), outcome)

    def done(self, unit: Unit, again: frozenset[ErrorKind]) -> bool:
        """Whether a unit has an outcome, other than an error of these kinds."""
        found = self.connection.execute(
            "SELECT error FROM unit JOIN kernel ON kernel.id = unit.kernel "
            "JOIN configuration c ON c.id = unit.configuration "
            "WHERE digest = ? AND (tool, compiler, version, build, variant, flags) = (?, ?, ?, ?, ?, ?)",
            plain((unit.kernel.digest, *astuple(unit.configuration))),
        ).fetchone()
        return found is not None and found[0] not in again

    def claim(self, unit: Unit) -> bool:
        """Say that this process is about to run a unit; False if another one that is alive has said so.

        Raises OSError if the disk does not take it.
        """
        key, own = _key(unit), os.getpid()
        with _transaction(self.connection, self.path):
            found = self.connection.execute("SELECT pid FROM claim WHERE unit = ?", (key,)).fetchone()
            if found is not None and found[0] != own and _is_alive(found[0]):
                return False
            self.connection.execute("INSERT OR REPLACE INTO claim VALUES (?, ?)", (key, own))
        self._has_claims = True
        return True

    def _details(self, unit: int, outcome: Outcome) -> None:
        connection = self.connection
        connection.execute("DELETE FROM finding WHERE unit = ?", (unit,))
        connection.execute("DELETE FROM result WHERE unit = ?", (unit,))
        connection.executemany(
            "INSERT INTO finding (unit, function, id, kind, exit, exit_by, needed, source) VALUES (?,?,?,?,?,?,?,?)",
            [plain((unit, *astuple(found))) for found in outcome.found],
        )
        if outcome.result:
            connection.execute("INSERT INTO result VALUES (?, ?)", (unit, zlib.compress(outcome.result.encode())))

    def _kernel(self, kernel: Kernel) -> int:
        self.connection.execute(
            "INSERT INTO kernel (digest, name, method, bytes) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET name = excluded.name",
            plain((kernel.digest, kernel.name, str(kernel.method), kernel.size)),
        )
        return int(self.connection.execute("SELECT id FROM kernel WHERE digest = ?", (kernel.digest,)).fetchone()[0])

    def _configuration(self, configuration: Configuration) -> int:
        key = plain(astuple(configuration))
        columns = "tool, compiler, version, build, variant, flags"
        self.connection.execute(
            f"INSERT INTO configuration ({columns}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", key
        )
        where = f"SELECT id FROM configuration WHERE ({columns}) = (?, ?, ?, ?, ?, ?)"
        return int(self.connection.execute(where, key).fetchone()[0])


def plain(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """With text that can be stored: names of files and functions may hold bytes that are no characters."""
    return tuple(v.encode("utf-8", "backslashreplace").decode() if isinstance(v, str) else v for v in values)


def _key(unit: Unit) -> str:
    return hashlib.sha256("\0".join(plain((unit.kernel.digest, *astuple(unit.configuration)))).encode()).hexdigest()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def open_store(path: Path, *, create: bool) -> Store:
    """Open a file, made if need be, and bring its schema up to date.

    create: or else it has to be there. Raises InputError if it is not, is something else, or cannot be used.
    """
    if not create and not path.is_file():
        raise InputError(f"{path}: error: {'is a directory' if path.is_dir() else 'no such file'}")
    try:
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        _prepare(connection, path)
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path}: error: cannot be used as a store: {error}") from None
    return Store(connection, path)


def migrations() -> Sequence[str]:
    """The scripts that make the schema, in order."""
    folder = importlib.resources.files("regtriage.tools.sweep") / "migrations"
    scripts = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda e: e.name)
    return [script.read_text(encoding="utf-8") for script in scripts]


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    scripts = migrations()
    if _version(connection, path) == len(scripts):
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with _transaction(connection, path):
        # Read again: another sweep may have been here before the lock was ours.
        for number, script in enumerate(scripts[_version(connection, path) :], _version(connection, path) + 1):
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """How many scripts a file has seen. Raises InputError for a file that is not ours, or of a later version."""
    # first: another sweep may make the file meanwhile, its schema and what follows at once
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application != APPLICATION_ID and not empty:
        raise InputError(f"{path}: error: a database of another program")
    if version > len(migrations()):
        raise InputError(f"{path}: error: made by a later regtriage: its schema is {version}, not {len(migrations())}")
    return version


def _statements(script: str) -> Generator[str]:
    """The statements of a script, one by one: `executescript` would end the transaction that it runs in."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection, path: Path) -> Generator[None]:
    """All or nothing; the lock is taken at once, so that nothing fails half-way for want of it. Raises OSError."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
    except sqlite3.OperationalError as error:
        raise OSError(None, str(error), str(path)) from error
