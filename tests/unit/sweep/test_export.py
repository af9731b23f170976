from __future__ import annotations

import csv
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from regtriage.tools.llc.run import InputError
from regtriage.tools.sweep.export import export
from regtriage.tools.sweep.model import ErrorKind
from regtriage.tools.sweep.store import Store, open_store

from .make import bug, failure, right, unit


@pytest.fixture
def store(tmp_path: Path):
    with open_store(tmp_path / "s", create=True) as made:
        made.record(unit("b"), bug())
        made.record(unit("a", flags="x=1,2"), right())
        made.record(unit("a"), failure(ErrorKind.TIME_OUT, 'say "no",\nplease'))
        yield made


KERNELS = [("a", "", None, "time-out"), ("a", "x=1,2", "CLEAN", None), ("b", "", "BUG", None)]


def gist(record: dict[str, Any]) -> tuple[Any, ...]:
    return (record["kernel"], record["flags"], record["answer"] or None, record["error"] or None)


def test_json_lines_have_the_whole_result(store: Store, tmp_path: Path):
    assert export(store, {}, tmp_path / "x.jsonl") == 3
    records = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [gist(record) for record in records] == KERNELS
    assert records[2]["result"] == {"a": 1}
    assert records[0]["result"] is None
    assert [f["exit_by"] for f in records[2]["findings"]] == ["trace", "shape"]


def test_csv(store: Store, tmp_path: Path):
    export(store, {}, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="") as stream:
        records = list(csv.DictReader(stream))
    assert [gist(record) for record in records] == KERNELS
    assert records[0]["message"] == 'say "no",\nplease'
    assert json.loads(records[2]["findings"])[0]["needed"] == "%1.sub0"


def test_parquet_is_typed(store: Store, tmp_path: Path):
    export(store, {}, tmp_path / "x.parquet")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    table = parquet.read_table(str(tmp_path / "x.parquet"))
    assert [gist(record) for record in table.to_pylist()] == KERNELS
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["spills"], kinds["seconds"], kinds["kernel"]) == ("int64", "double", "string")


def test_a_part(store: Store, tmp_path: Path):
    assert export(store, {"kernel": "a*", "flags": ""}, tmp_path / "x.csv") == 1
    assert export(store, {"kernel": "none"}, tmp_path / "x.parquet") == 0


def test_what_the_file_had_stays_until_all_is_written(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "x.jsonl"
    file.write_text("mine")
    store.connection.execute("UPDATE result SET json = 'broken'")
    with pytest.raises(TypeError):
        export(store, {}, file)
    assert file.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("s")) == ["x.jsonl"]


def test_the_suffix_names_the_format(store: Store, tmp_path: Path):
    with pytest.raises(InputError, match=r"x\.xls: error: the suffix names the format: \.parquet, \.csv, \.jsonl"):
        export(store, {}, tmp_path / "x.xls")


def test_without_pyarrow_it_is_said_how_to_get_it(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'regtriage\[sweep\]'"):
        export(store, {}, tmp_path / "x.parquet")
    assert not (tmp_path / "x.parquet").exists()
