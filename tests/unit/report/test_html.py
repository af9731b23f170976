"""The page: well-formed, complete, and no markup that comes from the input."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from regtriage.dataflow.findings import Layer, Verdict
from regtriage.tools.llc.run import Variant
from regtriage.tools.report.html import check_page, run_page
from regtriage.tools.results import Conclusion, Confirmation

from .examples import LOST, MISSING_STORE, function, hazardous, right, run, unproven, variant, wrong
from .examples import layer as layer_of
from .shown import shown_function, shown_run

HOSTILE = "</title></pre></code></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp; \udc80"
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Reads a page and notes what would be wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        known = dict(attrs)
        if "id" in known:
            self.ids.append(known["id"] or "")
        if tag == "a":
            self.links.append(known.get("href") or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert self.open[-1] in ("svg", "g"), f"<{tag}/> outside of a drawing"

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


def read(text: str) -> Page:
    page = Page(text)
    assert len(page.ids) == len(set(page.ids)), "an id stands twice"
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    return page


def test_the_first_screen_says_what_where_and_the_cure():
    words = read(run_page([shown_run()], "1.2")).words
    head = words[: words.index("Step by step")]
    for wanted in (
        "k is miscompiled", "stores a register that is only partly defined", "attention.py:138:20", "bb.7",
        "does not help", "still wrong", "cures it", "%77 has a slot of its own", "BUG 4", "50 of 50",
    ):  # fmt: skip
        assert wanted in head


def test_all_evidence_is_there():
    page = read(run_page([shown_run()], "1.2"))
    for wanted in (
        "MIR before allocation", "MIR after allocation", "Assembly", "Source", "tl.load(p)", "over the back edge",
        "What flows into the read", "3 more definitions flow in", "this is what does it", "drops the store of",
        "llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950 -O3 kernels/k.ll -stop-before=greedy,0 -o pre.mir",
        "regtriage check pre.mir post.mir --function k", "nothing here: spill code goes in between",
    ):  # fmt: skip
        assert wanted in page.words
    assert "svg" in page.tags


def test_a_lane_has_one_colour_and_its_name_in_every_form_of_the_code():
    text = run_page([shown_run()], "1.2")
    marks = re.findall(r'<mark class="lane h(\d)(?: to\d)?">([^<]*)</mark><span class="tag">([^<]+)</span>', text)
    for spelt in ("%38", "sgpr4", "s[4:7]", "sgpr36", "s36", "tl.load(p)"):
        assert any(piece == spelt and hue == "0" and "sub0" in tag for hue, piece, tag in marks), spelt
    assert ("1", "sgpr5", "sub1") in marks


def test_nothing_of_the_input_is_markup():
    plain, spoilt = (run_page([shown_run(hostile)], "1.2") for hostile in ("", HOSTILE))
    page, other = read(plain), read(spoilt)
    assert other.tags == page.tags, "the same elements, whatever names are"
    assert [name for name, _ in other.attributes] == [name for name, _ in page.attributes]
    assert "<script>alert" not in spoilt
    assert "alert(1)" in other.words


def test_hostile_failure_and_check():
    text = run_page([(f"/opt/llc{HOSTILE}", f"it crashed {HOSTILE}")], "1.2")
    assert read(text).tags.count("script") == 1
    assert "img" not in read(text).tags
    text = check_page(f"a{HOSTILE}", f"b{HOSTILE}", [shown_function(HOSTILE)], "regtriage check a b", "1.2")
    assert "img" not in read(text).tags
    assert "regtriage check a b" in read(text).words


def test_the_page_loads_nothing_and_runs_only_its_own_script():
    text = run_page([shown_run()], "1.2")
    page = read(text)
    assert not [value for name, value in page.attributes if name in ("src", "srcset", "action")]
    assert not re.search(r"url\(|@import", text)
    policy = next(value for name, value in page.attributes if name == "content" and "default-src" in value)
    script = text[text.index("<script>") + 8 : text.index("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    ("variants", "conclusion", "wanted"),
    [
        ((right(Variant.OFF), right(Variant.GUARD)), Conclusion.CLEAN, "k is right"),
        ((hazardous(Variant.OFF),), Conclusion.HAZARD, "stores sub1..sub2 undefined into %stack.3"),
        ((unproven(Variant.OFF, "a call to <f>"),), Conclusion.UNPROVEN, "a call to <f>"),
        (
            (wrong(Variant.OFF, *LOST, confirmed=Confirmation(200, 0, "the use is not observable")),),
            Conclusion.MISCOMPILED,
            "the use is not observable",
        ),
        ((wrong(Variant.OFF, MISSING_STORE),), Conclusion.MISCOMPILED, "the effect is gone: S_STORE %1"),
        (
            (variant(Variant.OFF, Verdict.BUG, layer_of(Layer.MIR, Verdict.BUG, LOST), counts=None),),
            Conclusion.MISCOMPILED,
            "is lost by insert-spill",
        ),
    ],
)  # fmt: skip
def test_every_verdict_has_a_page(variants: tuple[object, ...], conclusion: Conclusion, wanted: str):
    page = read(run_page([run(function(conclusion, *variants))], "1.2"))  # pyright: ignore[reportArgumentType]
    assert wanted in page.words


def test_functions_and_compilers_of_one_name_have_ids_of_their_own():
    report = run(shown_function(), shown_function())
    assert read(run_page([report, report, ("llc", "failed")], "1.2")).words.count("k is miscompiled") >= 4


def test_the_same_report_makes_the_same_page():
    assert run_page([shown_run()], "1.2") == run_page([shown_run()], "1.2")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_a_browser_runs_the_script_that_the_policy_allows(tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text(run_page([shown_run(HOSTILE)], "1.2"), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
               "--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'user'}",
               "--dump-dom", f"{page.as_uri()}#finding-{LOST[0].id}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.count('<button type="button">Copy</button>') >= 3
    assert "<img" not in done.stdout
