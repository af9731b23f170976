from __future__ import annotations

import re
from dataclasses import replace

import pytest
from regtriage.tools.llc.run import Variant
from regtriage.tools.report.markdown import check_markdown, fence, run_markdown, span, text
from regtriage.tools.results import Conclusion

from .examples import LOST, function, right, run, unproven, wrong
from .shown import shown_function, shown_run

HOSTILE = "</details><script>alert(1)</script> ``` ~~~ @all [x](http://y) ![i](z)|*b* \n# head \n```\nout"


def test_what_an_issue_needs_is_there():
    shown = run_markdown([shown_run()], "1.2")
    for wanted in (
        "## `k` is miscompiled: `%38.sub0..sub3` is lost by insert-spill",
        "LLVM 23.1.1 (builtin llc)",
        "llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 kernels/k.ll -stop-before=greedy,0 -o pre.mir",
        "regtriage check pre.mir post.mir --function k",
        "⟲ back edge → `bb.5`",
        "`bb.7` (overwritten)",
        "| off | BUG 4 | BUG 4 |",
        "cures it and removes the cause",
        "← **this is what does it**",
        "  before       9  %38:sgpr_512 = S_LOAD_DWORDX16_IMM %4, 0",
    ):
        assert wanted in shown


def outside_of_code(markdown: str) -> str:
    """The text without code blocks and code spans, as GitHub's Markdown has them."""
    kept: list[str] = []
    closing = ""
    for line in markdown.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if closing:
            if line.strip() == closing:
                closing = ""
        elif ticks:
            closing = ticks.group()
        else:
            kept.append(line)
    assert not closing, "a code block is not closed"
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(kept))


@pytest.mark.parametrize("hostile", [HOSTILE, "`", "````", "a`b``c", "<!--", "\n\n<b>"])
def test_no_name_becomes_markup(hostile: str):
    shown = run_markdown([shown_run(hostile), (f"llc{hostile}", f"failed {hostile}")], "1.2")
    left = outside_of_code(shown)
    tags = set(re.findall(r"(?<!\\)<[^>]*>", left))
    assert tags == {"<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"}
    assert len(re.findall("<details>", left)) == len(re.findall("(?<!\\\\)</details>", left))
    assert not re.search(r"^# head", left, re.M)
    assert "@all" not in left
    assert "](http" not in left.replace("\\", "\0")


def test_check_has_the_command_that_was_given():
    shown = check_markdown("a.mir", "b.mir", [shown_function()], "regtriage check a.mir b.mir", "1.2")
    assert "`a.mir` → `b.mir`" in shown
    assert "\nregtriage check a.mir b.mir\n" in shown


def test_many_causes_are_listed_and_the_first_told_in_full():
    found = [replace(f, id=f"{n:012}", needed=replace(f.needed, register=f"%{n}"))  # pyright: ignore[reportArgumentType]
             for n, f in enumerate(LOST * 2)]  # fmt: skip
    shown = run_markdown([run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, *found)))], "1.2")
    assert shown.count("**To see it:**") == 3
    assert "5 more causes" in shown


def test_verdicts_without_findings():
    shown = run_markdown([run(function(Conclusion.CLEAN, right(Variant.OFF)))], "1.2")
    assert "## `k` is right" in shown
    shown = run_markdown([run(function(Conclusion.UNPROVEN, unproven(Variant.OFF, "a <call>")))], "1.2")
    assert "not proved" in shown
    assert "a \\<call\\>" in shown


@pytest.mark.parametrize(
    ("code", "expected"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"), ("a\n b", "`a b`"), ("", "")],
)
def test_spans(code: str, expected: str):
    assert span(code) == expected


def test_fences_are_longer_than_those_inside():
    assert fence("````\nx\n````", "sh") == "`````sh\n````\nx\n````\n`````"


def test_text_is_escaped():
    assert text("a_b *c* <d> [e](f) `g`") == r"a\_b \*c\* \<d\> \[e\]\(f\) \`g\`"
