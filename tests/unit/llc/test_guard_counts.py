"""How often the guard and private slots act on the attention kernels: exact numbers, since the llc is one.

Another LLVM has other numbers; then they are to be looked at and renewed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from regtriage.dataflow.trace import parse_trace
from regtriage.tools.llc.run import BuiltinLlc, CompileRequest, Variant

from .conftest import REPOSITORY

GOLDEN = REPOSITORY / "tests" / "data" / "golden" / "guard-counts.json"
ATTENTION = REPOSITORY / "reproducers" / "attention"
WAVES_AS_GENERATED = '"amdgpu-waves-per-eu"="2,2"'

Entry = dict[str, Any]
ENTRIES: list[Entry] = json.loads(GOLDEN.read_text())


def name(entry: Entry) -> str:
    return "-".join([entry["kernel"], f"O{entry['opt']}", *(f"{k}={v}" for k, v in entry["attributes"].items())])


def kernel_with(attributes: dict[str, str], kernel: str, folder: Path) -> Path:
    """The committed kernel, or a copy with these attributes in place of the number of waves."""
    committed = ATTENTION / f"{kernel}.llir"
    if not attributes:
        return committed
    text = committed.read_text()
    assert text.count(WAVES_AS_GENERATED) == 1
    copy = folder / committed.name
    copy.write_text(text.replace(WAVES_AS_GENERATED, " ".join(f'"{k}"="{v}"' for k, v in attributes.items())))
    return copy


def counts(kernel: Path, opt: int, variant: Variant, folder: Path) -> dict[str, int]:
    compilation = BuiltinLlc().compile(CompileRequest(kernel, variant, cpu="gfx950", opt=opt), folder / variant)
    assert compilation.trace is not None
    with compilation.trace.open() as lines:
        (trace,) = parse_trace(lines).values()
    return {
        "hoist_candidates": trace.total("hoist_candidates"),
        "partial": trace.total("partial_by_subranges"),
        "fired": trace.total("refused"),
        "private_slots": trace.total("private_granted"),
    }


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_counts(entry: Entry, tmp_path: Path) -> None:
    kernel = kernel_with(entry["attributes"], entry["kernel"], tmp_path)
    variants = [Variant(variant) for variant in entry["counts"]]
    assert {v.value: counts(kernel, entry["opt"], v, tmp_path) for v in variants} == entry["counts"]


def test_there_are_enough() -> None:
    assert len({name(entry) for entry in ENTRIES}) >= 8
    assert any(entry["counts"]["guard"]["fired"] >= 20 for entry in ENTRIES)
