"""The figures of a sweep as one page that needs nothing else: no scripts, no network."""

from __future__ import annotations

import importlib.resources

import jinja2

from .figures import Figures
from .model import Answer, ErrorKind
from .plot import spills_svg
from .text import AS_IS, compiler_names, full_names, percent

_PROOFS = (Answer.BUG, Answer.HAZARD, Answer.CLEAN, Answer.UNPROVEN)


def figures_html(figures: Figures, title: str, version: str) -> str:
    """The page. title: what was swept; version: of this program."""
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["percent"] = percent
    template = importlib.resources.files("regtriage.tools.sweep") / "report.html.j2"
    return environment.from_string(template.read_text(encoding="utf-8")).render(
        figures=figures,
        title=title,
        version=version,
        compilers=compiler_names([row.configuration for row in figures.rows]),
        named=full_names(figures),
        proofs=_PROOFS,
        as_is=AS_IS,
        kinds=[kind for kind in ErrorKind if kind in figures.errors_of_kind],
        plot=spills_svg(figures.spills) if figures.spills else "",
    )
