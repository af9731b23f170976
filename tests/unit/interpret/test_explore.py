"""Which ways runs take, and what is said when nothing differs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from regtriage.dataflow import interpret
from regtriage.dataflow.interpret import Limits, Recording, compare
from regtriage.dataflow.mir.model import MachineFunction
from regtriage.dataflow.targets import AMDGPU

from .mir import DEF, USE, always, function, run, same

CONDITION = f"{DEF}%9:sreg_32\nS_CMP_LG_U32 %9, 0, implicit-def $scc\nS_CBRANCH_SCC1 %bb.{{}}, implicit $scc"


def loop(body: str = "KILL $sgpr99", tail: str = "KILL $sgpr99") -> MachineFunction:
    return function(
        f"-> 1\n{DEF}%1:sgpr_64",
        f"-> 1 2\n{body}\n{CONDITION.format(1)}",
        f"{tail}\nS_ENDPGM 0",
    )


def test_loops_are_taken_different_numbers_of_times():
    times = Counter(r.visits[1] for r in Recording(loop(), AMDGPU, 40).runs)
    assert {1, 2, 3} <= set(times)
    assert max(times) < 20


def test_a_loop_without_an_end_is_left_at_the_limit():
    forever = function("-> 1\nKILL $sgpr99", f"-> 1\n{DEF}%1:sreg_32\n{USE}%1\nS_BRANCH %bb.1")
    assert same(run(forever, forever, 3))
    result = compare(
        forever, function("-> 1\nKILL $sgpr99", f"-> 1\n{DEF}$sgpr4\n{USE}$sgpr5\nS_BRANCH %bb.1"), AMDGPU, 3
    )
    assert always(result)
    assert len(Recording(forever, AMDGPU, 1, limits=Limits(30)).runs[0].events) == 18


def test_a_condition_made_of_constants_is_believed():
    """Bold runs go the other way: an allocation has to be right there, too."""
    f = function(
        "-> 1 2\nS_CMP_EQ_U32 1, 1, implicit-def $scc\nS_CBRANCH_SCC1 %bb.2, implicit $scc",
        "-> 2\nKILL $sgpr99",
        "S_ENDPGM 0",
    )
    visited = [1 in r.visits for r in Recording(f, AMDGPU, 40, focus=1).runs]
    assert not any(v for seed, v in enumerate(visited) if seed % 4 != 2)
    assert any(visited)


def test_equal_conditions_go_the_same_way_in_faithful_runs():
    test = "S_CMP_{} %9, 77, implicit-def $scc\nS_CBRANCH_SCC1 %bb.{}, implicit $scc"
    f = function(
        f"-> 1 2\n{DEF}%9:sreg_32\n{test.format('LT_I32', 2)}",
        "-> 2\nKILL $sgpr99",
        f"-> 3 4\n{test.format('GE_I32', 4)}",
        "-> 4\nKILL $sgpr99",
        "S_ENDPGM 0",
    )
    runs = [r for r in Recording(f, AMDGPU, 80).runs if r.seed % 4 == 0]
    assert {(1 in r.visits, 3 in r.visits) for r in runs} == {(True, False), (False, True)}


def nest(depth: int) -> MachineFunction:
    """Block k goes on to k + 1, or out."""
    blocks: list[str] = []
    for k in range(depth):
        condition = CONDITION.format(depth + 1).replace("%9", f"%{k}")
        blocks.append(f"-> {k + 1} {depth + 1}\n{condition}")
    return function(*blocks, f"-> {depth + 1}\nKILL $sgpr99", "S_ENDPGM 0")


def test_a_focus_deep_inside_is_reached_more_often():
    reached = sum(5 in r.visits for r in Recording(nest(5), AMDGPU, 80, focus=5).runs)
    unfocused = sum(5 in r.visits for r in Recording(nest(5), AMDGPU, 80).runs)
    assert reached > 2 * unfocused > 0


def counting(save: str) -> MachineFunction:
    """A counter kept in a slot: reload, use, add, save."""
    condition = CONDITION.format(1).replace("%9:sreg_32", "$sgpr9").replace("%9", "$sgpr9")
    return function(
        f"-> 1\n{DEF}$sgpr4_sgpr5\nSI_SPILL_S64_SAVE $sgpr4_sgpr5, %stack.0, implicit $exec",
        "-> 1 2\n$sgpr4_sgpr5 = SI_SPILL_S64_RESTORE %stack.0, implicit $exec\n"
        f"{USE}$sgpr4\n$sgpr4 = S_ADD_I32 $sgpr4, 1, implicit-def dead $scc\n{save}\n{condition}",
        "S_ENDPGM 0",
    )


def test_a_difference_only_on_the_second_trip():
    before = loop(f"{USE}%1.sub0\n%1.sub0:sgpr_64 = S_ADD_I32 %1.sub0, 1, implicit-def dead $scc", "KILL %1")
    assert same(run(before, counting("SI_SPILL_S64_SAVE $sgpr4_sgpr5, %stack.0, implicit $exec")))
    result = run(before, counting("KILL $sgpr4"))
    assert 0 < result.differ < result.runs
    assert result.first is not None
    assert result.first.index > 1


class TestNote:
    def test_nothing_to_say(self) -> None:
        assert run(loop(), loop()).note == ""

    def test_not_the_same_function(self) -> None:
        result = run(loop(), "S_ENDPGM 0")
        assert (result.runs, result.differ) == (0, 0)
        assert result.note == "the functions do not have the same blocks and edges"

    def test_never_reached(self) -> None:
        f = function("-> 2\nS_BRANCH %bb.2", "-> 2\nKILL $sgpr99", "S_ENDPGM 0")
        assert run(f, f, focus=1).note == "bb.1 was never reached in 24 runs"

    def test_reached_and_the_same(self) -> None:
        body = "%2:sreg_32 = S_ADD_I32 %1.sub0, 1, implicit-def dead $scc"
        note = run(loop(body), loop(body), focus=1).note
        assert note.startswith("bb.1 was reached ")
        assert note.endswith(" times in 24 of 24 runs; every instruction there computes the same values")

    def test_a_difference_that_reaches_no_effect(self) -> None:
        body = "%2:sreg_32 = S_ADD_I32 %1.sub{}, 1, implicit-def dead $scc"
        result = run(loop(body.format(0)), loop(body.format(1)), focus=1)
        assert same(result)
        assert "line 9 before allocation computes another value there, which reaches no effect" in result.note

    def test_only_undefined_lanes(self) -> None:
        f = loop("%2:sreg_32 = S_ADD_I32 undef %3:sreg_32, 1, implicit-def dead $scc")
        assert "1 of 3 instructions there only ever computed undefined lanes" in run(f, f, focus=1).note


def test_runs_do_not_depend_on_the_process():
    """The hash of text is random in Python; none may get into a run."""
    program = (
        "import sys; sys.path[:] = eval(sys.argv[1])\n"
        "from tests.unit.interpret.test_explore import nest, Recording, AMDGPU\n"
        "print([(r.events, r.decisions) for r in Recording(nest(3), AMDGPU, 4).runs])"
    )
    root = str(Path(__file__).parents[3])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, repr([root, *sys.path])],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_it_knows_nothing_of_the_check():
    package = Path(interpret.__file__).parent
    allowed = {"mir.model", "targets.base", "liveness"}
    for path in package.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert node.module in allowed, f"{path.name} imports {node.module}"
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith("regtriage"), path.name
