from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from regtriage.tools.llc.run import BuiltinLlc, Compilation, CompileRequest, InputError, ToolFailure, Variant
from regtriage.tools.llc.warm import WarmLlc

KERNEL = Path(__file__).parents[3] / "reproducers" / "miscompiles" / "insert_spill_65.ll"


@pytest.fixture
def llc() -> Iterator[WarmLlc]:
    warm = WarmLlc()
    yield warm
    warm.close()


def contents(compilation: Compilation) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(compilation.directory.iterdir())}


@pytest.mark.parametrize("variant", [Variant.OFF, Variant.PRIVATE])
def test_it_compiles_as_a_process_of_its_own_does(llc: WarmLlc, variant: Variant, tmp_path: Path):
    request = CompileRequest(KERNEL, variant, cpu="gfx950")
    expected = contents(BuiltinLlc().compile(request, tmp_path / "alone"))
    # options of one compilation must not be left for the next
    llc.compile(CompileRequest(KERNEL, Variant.GUARD_PRIVATE, cpu="gfx90a", opt=1), tmp_path / "other")
    assert contents(llc.compile(request, tmp_path / "warm")) == expected


def test_it_says_what_is_wrong_and_goes_on(llc: WarmLlc, tmp_path: Path):
    broken = tmp_path / "broken.ll"
    broken.write_text("define void @k( {")
    with pytest.raises(InputError, match=r"broken\.ll:1:18: error: "):
        llc.compile(CompileRequest(broken), tmp_path / "first")
    llc.compile(CompileRequest(KERNEL, cpu="gfx950"), tmp_path / "second")


def test_time_limit(llc: WarmLlc, tmp_path: Path):
    with pytest.raises(ToolFailure, match="took longer than 0 s"):
        llc.compile(CompileRequest(KERNEL, cpu="gfx950", time_limit=0.0), tmp_path / "first")
    llc.compile(CompileRequest(KERNEL, cpu="gfx950"), tmp_path / "second")


def test_a_program_that_is_not_there(tmp_path: Path):
    with pytest.raises(ToolFailure, match="cannot be run"):
        WarmLlc(tmp_path / "none").compile(CompileRequest(KERNEL), tmp_path / "out")
