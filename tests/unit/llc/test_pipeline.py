from __future__ import annotations

from regtriage.tools.llc.pipeline import plan_stages, without_pipeline

STDERR = """\
Pass Arguments:  -tti -targetlibinfo -machine-branch-prob
Pass Arguments:  -collector-metadata
llc: warning: something
Pass Arguments:  -register-coalescer -greedy -virtregrewriter -stack-slot-coloring -si-lower-sgpr-spills
Pass Arguments:  -machine-cp -greedy -virtregrewriter -stack-slot-coloring -machine-greedy
"""


def test_stages_are_numbered_by_runs_of_their_pass() -> None:
    assert [stage.flag() for stage in plan_stages(STDERR)] == [
        "-stop-before=greedy,0",
        "-stop-after=greedy,0",
        "-stop-after=virtregrewriter,0",
        "-stop-after=stack-slot-coloring,0",
        "-stop-after=si-lower-sgpr-spills,0",
        "-stop-before=greedy,1",
        "-stop-after=greedy,1",
        "-stop-after=virtregrewriter,1",
        "-stop-after=stack-slot-coloring,1",
    ]


def test_no_pipeline_no_stages() -> None:
    assert plan_stages("error: nothing\n") == ()


def test_what_else_was_said() -> None:
    assert without_pipeline(STDERR) == "llc: warning: something\n"
