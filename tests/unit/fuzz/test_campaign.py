"""Campaigns: records, and what a stop in the middle leaves behind."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from regtriage.tools.fuzz import examine
from regtriage.tools.fuzz.campaign import Campaign, run_campaign
from regtriage.tools.fuzz.examine import Ending, Examiner, Record
from regtriage.tools.fuzz.generator import Program, generate
from regtriage.tools.fuzz.shapes import CPUS, Shape
from regtriage.tools.fuzz.summary import summary_lines, summary_object
from regtriage.tools.llc.run import InputError, resolve_llc

EXAMINER = Examiner(resolve_llc(), tuple(Shape), CPUS)
BUG = Record(
    3, "sgpr", "gfx950", Ending.BUG, ("insert-spill",), "virtregrewriter,0", 50, 20, "",
    {"guard": "none", "guard-lanes": "perturbed", "private": "cause"}, "", 9, 1, 700,
)  # fmt: skip


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Seeds that were examined: every third is wrong, nothing is compiled."""
    seen: list[int] = []

    def look(self: Examiner, seed: int) -> Record:
        seen.append(seed)
        if seed % 3:
            return Record(seed, "vgpr", "gfx950", Ending.CLEAN, checked=10)
        return dataclasses.replace(BUG, seed=seed)

    monkeypatch.setattr(Examiner, "examine", look)
    return seen


def test_records_come_back_from_json():
    assert Record.from_json(json.loads(json.dumps(BUG.as_json()))) == BUG


def test_a_campaign_goes_on_where_it_stopped(examined: list[int], tmp_path: Path):
    first = run_campaign(Campaign(EXAMINER, 4, 0, folder=tmp_path))
    assert examined == [0, 1, 2, 3]
    log = tmp_path / "programs.jsonl"
    # the stop came while a line was being written
    log.write_text(log.read_text()[:-20])
    records = run_campaign(Campaign(EXAMINER, 6, 0, folder=tmp_path))
    assert examined == [0, 1, 2, 3, 3, 4, 5]
    assert records[:4] == first
    assert run_campaign(Campaign(EXAMINER, 6, 0, folder=tmp_path)) == records
    assert len(examined) == 7
    assert sorted(p.name for p in tmp_path.glob("*.ll")) == ["0.ll", "3.ll"]
    assert (tmp_path / "3.ll").read_text().startswith("; regtriage run 3.ll")


def test_a_folder_is_of_one_kind_of_programs(examined: list[int], tmp_path: Path):
    run_campaign(Campaign(EXAMINER, 1, 0, folder=tmp_path))
    other = dataclasses.replace(EXAMINER, cpus=("gfx942",))
    with pytest.raises(InputError, match=r"programs\.jsonl:1:1: error: a campaign with other programs"):
        run_campaign(Campaign(other, 1, 0, folder=tmp_path))
    (tmp_path / "programs.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="other programs"):
        run_campaign(Campaign(EXAMINER, 1, 0, folder=tmp_path))
    (tmp_path / "programs.jsonl").write_text("nonsense\n")
    with pytest.raises(InputError, match="not a record"):
        run_campaign(Campaign(EXAMINER, 1, 0, folder=tmp_path))


def test_what_a_campaign_says():
    records = [
        BUG,
        dataclasses.replace(
            BUG, seed=4, exits=("insert-spill", "redundant-spill"), differ=0, note="bb.1 was never reached"
        ),
        dataclasses.replace(BUG, seed=5, exits=("hoist-inside-bb",), alone="BUG, CLEAN"),
        Record(6, "vgpr", "gfx90a", Ending.UNPROVEN, note="bb.3.b, line 7: $vgpr1 is odd", runs=100, differ=2),
        Record(7, "vgpr", "gfx90a", Ending.UNPROVEN, note="bb.9, line 8: $vgpr2 is odd", runs=100),
        Record(8, "wwm", "gfx90a", Ending.NOT_COMPILED, note="llc: error: crashed (SIGSEGV): #0 0x1 main (llc+0x2)"),
        Record(9, "wwm", "gfx90a", Ending.NOT_COMPILED, note="llc: error: exited with status 3: no registers"),
        Record(10, "wwm", "gfx90a", Ending.FAILED, note="IndexError: list index out of range [join.py:1]"),
    ]
    text = "\n".join(line.plain for line in summary_lines(records))
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert rows["insert-spill"][:3] == ["insert-spill", "2", "1"]
    assert rows["hoist-inside-bb"][-1] == "5"
    assert "not confirmed: 4" in text
    assert "2 x _ is odd" in text
    assert "not proved, and execution differs: 6" in text
    assert "cured by refusing one hoist: 5" in text
    assert "the compiler crashed: 8\n  1 x crashed (SIGSEGV)" in text
    assert "internal error: 10\n  1 x IndexError" in text
    found = summary_object(records, "1")
    assert (found["programs"], found["confirmed"], found["cured_by_one_hoist"]) == (8, 2, [5])
    assert found["exits"] == {"insert-spill": 2, "redundant-spill": 1, "hoist-inside-bb": 1}


def test_a_program_that_is_wrong_is_examined_to_the_end(monkeypatch: pytest.MonkeyPatch):
    """A reproducer in the place of a random program."""
    source = Path(__file__).parents[3] / "reproducers" / "miscompiles" / "insert_spill_65.ll"
    program = Program(generate(1, (Shape.SGPR,), ("gfx950",)).parameters, source.read_text())

    def instead(*arguments: object) -> Program:
        return program

    monkeypatch.setattr(examine, "generate", instead)
    record = EXAMINER.examine(1)
    assert (record.ending, record.exits, record.stage) == (Ending.BUG, ("insert-spill",), "virtregrewriter,0")
    assert record.differ == record.runs > 0
    assert record.cures["private"] == "cause"
    assert record.checked > 50


def test_a_fault_of_ours_is_a_record(monkeypatch: pytest.MonkeyPatch):
    def fails(*arguments: object, **options: object) -> object:
        raise IndexError("list index\nout of range")

    monkeypatch.setattr(examine, "triage", fails)
    record = EXAMINER.examine(1)
    assert record.ending is Ending.FAILED
    assert record.note.startswith("IndexError: list index out of range [test_campaign.py:")


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(104664, id="alike instructions, between which loads are made anew"),
        pytest.param(106675, id="a load from poison, made anew"),
    ],
)
def test_programs_that_were_once_called_wrong(seed: int):
    assert EXAMINER.examine(seed).ending is Ending.CLEAN


def test_a_copy_of_a_register_whose_class_its_line_does_not_name_joins_the_assembly():
    """This program's COPY from a virtual register of two lanes once ended the campaign."""
    assert EXAMINER.examine(103149).ending is not Ending.FAILED
