"""All units of a store as a table that other programs read: Parquet, CSV, or JSON lines.

One row for each unit. In JSON lines `result` is the object that the command for one kernel prints with `--json`, and
`findings` a list; in the others `result` is left out and `findings` is JSON text.
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from regtriage.tools.llc.errors import InputError

from .figures import JOINED, condition
from .store import Store

_COLUMNS = {
    "kernel": "k.name",
    "digest": "k.digest",
    "method": "k.method",
    "bytes": "k.bytes",
    "tool": "c.tool",
    "compiler": "c.compiler",
    "version": "c.version",
    "build": "c.build",
    "variant": "c.variant",
    "flags": "c.flags",
    "answer": "u.answer",
    "error": "u.error",
    "message": "u.message",
    "wrong": "u.wrong",
    "hazards": "u.hazards",
    "spills": "u.spills",
    "runs": "u.runs",
    "differ": "u.differ",
    "code": "u.code",
    "seconds": "u.seconds",
    "host": "u.host",
    "recorded": "u.recorded",
}
_FINDING = ("function", "id", "kind", "exit", "exit_by", "needed", "source")
_INTEGERS = frozenset({"bytes", "wrong", "hazards", "spills", "runs", "differ"})
_BATCH = 10_000

_Record = dict[str, Any]


def export(store: Store, selection: Mapping[str, str], file: Path) -> int:
    """Write the units that a selection names, in the format that the file's suffix names; return how many.

    What the file had before is replaced only when all is written. Raises InputError for another suffix, and if
    Parquet is asked for and pyarrow is not installed; OSError.
    """
    write = _WRITERS.get(file.suffix)
    if write is None:
        raise InputError(f"{file}: error: the suffix names the format: {', '.join(_WRITERS)}")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name[:100]}.", dir=file.absolute().parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
    os.close(handle)
    part = Path(name)
    try:
        count = write(_records(store, selection, results=file.suffix == ".jsonl"), part)
        part.chmod(0o666 & ~_umask())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _records(store: Store, selection: Mapping[str, str], *, results: bool) -> Iterator[_Record]:
    where, values = condition(selection)
    columns = ", ".join(["u.id", *_COLUMNS.values(), "r.json" if results else "NULL"])
    join = f"{JOINED} LEFT JOIN result r ON r.unit = u.id" if results else JOINED
    order = "ORDER BY k.name, k.digest, c.tool, c.compiler, c.version, c.build, c.flags, c.variant"
    for unit, *row, result in store.connection.execute(f"SELECT {columns} FROM {join} {where} {order}", values):
        record: _Record = dict(zip(_COLUMNS, row, strict=True))
        found = store.connection.execute(f"SELECT {', '.join(_FINDING)} FROM finding WHERE unit = ?", (unit,))
        record["findings"] = [dict(zip(_FINDING, finding, strict=True)) for finding in found]
        if results:
            record["result"] = json.loads(zlib.decompress(result)) if result is not None else None
        yield record


def _jsonl(records: Iterator[_Record], file: Path) -> int:
    count = 0
    with file.open("w", encoding="ascii") as stream:
        for count, record in enumerate(records, 1):  # noqa: B007
            stream.write(json.dumps(record) + "\n")
    return count


def _csv(records: Iterator[_Record], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*_COLUMNS, "findings"])
        for count, record in enumerate(records, 1):  # noqa: B007
            writer.writerow([*(record[name] for name in _COLUMNS), json.dumps(record["findings"])])
    return count


def _parquet(records: Iterator[_Record], file: Path) -> int:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise InputError("regtriage: error: Parquet needs pyarrow: pip install 'regtriage[sweep]'") from None
    kinds = {name: arrow.int64() if name in _INTEGERS else arrow.string() for name in (*_COLUMNS, "findings")}
    kinds["seconds"] = arrow.float64()
    schema = arrow.schema(list(kinds.items()))
    count = 0
    with parquet.ParquetWriter(str(file), schema) as writer:
        batch: list[_Record] = []
        for record in records:
            batch.append({**record, "findings": json.dumps(record["findings"])})
            count += 1
            if len(batch) == _BATCH:
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
                batch = []
        writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
    return count


_WRITERS: Mapping[str, Callable[[Iterator[_Record], Path], int]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".jsonl": _jsonl,
}
