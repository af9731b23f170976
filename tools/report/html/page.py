"""Puts the view of a report into the templates."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup
from regtriage.tools.report.lane_svg import STYLE as DRAWING_STYLE
from regtriage.tools.report.telling import Code, Command, Said
from regtriage.tools.results import FunctionReport, RunReport

from .view import RunView, check_view, run_views


def run_page(runs: Sequence[RunReport | tuple[str, str]], version: str) -> str:
    """The page of `regtriage run`: a report for each compiler, or (compiler, why it failed)."""
    return _page(run_views(runs), version)


def check_page(before: str, after: str, functions: Sequence[FunctionReport], command: str, version: str) -> str:
    """The page of `regtriage check`. command: the one that makes it."""
    return _page([check_view(before, after, functions, Command("This report", (command,)))], version)


def _page(runs: Sequence[RunView], version: str) -> str:
    script = _asset("keys.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = _environment().get_template("report.html.jinja").render(
        runs=runs,
        version=version,
        style=Markup(_asset("style.css") + DRAWING_STYLE),
        script=Markup(script),
        script_hash=digest,
    )  # fmt: skip
    # an unpaired surrogate stands for a byte that is no UTF-8; a page cannot hold it
    return text.encode("utf-8", "replace").decode()


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("regtriage.tools.report.html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["said"] = _said
    return environment


def _said(said: Said) -> Markup:
    """A sentence with its code marked."""
    parts = (Markup("<code>{}</code>").format(part) if isinstance(part, Code) else Markup.escape(part) for part in said)
    return Markup("").join(parts)


def _asset(name: str) -> str:
    folder = resources.files("regtriage.tools.report.html") / "templates"
    return (folder / name).read_text(encoding="utf-8")
