from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from regtriage.tools.bisect.change import compare

from .traces import save, separate, shared

MIR = """name: k
stack:
  - { id: 0 }
body: |
  bb.0:
    $sgpr4 = S_MOV_B32 1
    SI_SPILL_S128_SAVE $sgpr4_sgpr5_sgpr6_sgpr7, %stack.0

  bb.1:
    S_ENDPGM 0
"""


def files(folder: Path, after: str) -> tuple[Path, Path]:
    (folder / "before.mir").write_text(MIR)
    (folder / "after.mir").write_text(after)
    return folder / "before.mir", folder / "after.mir"


def test_spill_code_of_the_original_is_listed(tmp_path: Path):
    change = compare(shared(), separate(), 0, {1}, *files(tmp_path, MIR))
    gone, new = change.lines
    assert (gone.only_with, gone.slot, gone.own, gone.text) == (False, 0, False, "SI_SPILL_S128_SAVE %21, %stack.0")
    assert (new.only_with, new.slot, new.own, new.text) == (True, 5, True, "SI_SPILL_S128_SAVE %21, %stack.5")
    assert (change.others, change.other_instructions, change.instructions) == (0, 0, 3)


def test_spill_code_of_others_is_counted(tmp_path: Path):
    more = replace(shared(), inserts=[*shared().inserts, save(2, 4, 31, 1), save(2, 5, 32, 1)])
    change = compare(shared(), more, 0, {1}, *files(tmp_path, MIR))
    assert change.lines == ()
    assert change.others == 2


def test_other_numbers_of_slots_and_registers_of_a_trace_are_no_change(tmp_path: Path):
    shifted = replace(
        shared(),
        inserts=[save(0, 1, 12, 3), save(1, 2, 22, 3)],
        spills=[{**s, "slot": s["slot"] + 3} for s in shared().spills],
    )
    change = compare(shared(), shifted, 0, {1}, *files(tmp_path, MIR.replace("%stack.0", "%stack.3")))
    assert change.lines == ()
    assert change.other_instructions == 0


def test_what_was_removed_again_is_not_there(tmp_path: Path):
    undone = replace(shared(), removes=[save(1, 2, 21, 0)])
    change = compare(shared(), undone, 0, {1}, *files(tmp_path, MIR))
    assert [(line.only_with, line.block) for line in change.lines] == [(False, 2)]


def test_instructions_that_read_otherwise_are_counted(tmp_path: Path):
    change = compare(shared(), shared(), 0, {1}, *files(tmp_path, MIR.replace("$sgpr4 = ", "$sgpr8 = ")))
    assert change.other_instructions == 1
