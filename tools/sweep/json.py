"""The figures of a sweep, and a difference, as other programs read them; docs/schema/sweep.schema.json."""

from __future__ import annotations

from collections.abc import Mapping

from regtriage.tools.report.json import SCHEMA, Object, Value, tool_object

from .diff import Change, Difference, Said
from .figures import Figures, Reason, Row
from .model import Answer, Configuration


def figures_object(figures: Figures, version: str) -> Object:
    """The report. version is that of this program."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "kernels": figures.kernels,
        "units": figures.units,
        "answers": _answers(figures.answers),
        "errors": {kind.value: count for kind, count in figures.errors_of_kind.items()},
        "configurations": [_row(row) for row in figures.rows],
        "spread": [
            {
                "compiler": s.compiler or None,
                "version": s.version or None,
                "variant": s.variant or None,
                "configurations": s.configurations,
                "any": s.any,
                "every": s.every,
            }
            for s in figures.spreads
        ],
        "hit": [
            {"kernel": h.name, "hits": h.hits, "units": h.units, "wrong": h.wrong, "exits": list(h.exits)}
            for h in figures.hit
        ],
        "exits": [
            {
                "exit": e.exit,
                "findings": e.findings,
                "by_trace": e.by_trace,
                "units": e.units,
                "kernels": e.kernels,
            }
            for e in figures.exits
        ],
        "spills": [{"least": b.least, "most": b.most, "units": b.units, "hits": b.hits} for b in figures.spills],
        "slowest": [
            {"kernel": s.kernel, "configuration": _configuration(s.configuration), "seconds": round(s.seconds, 3)}
            for s in figures.slowest
        ],
        "unproven": [_reason(reason) for reason in figures.unproven],
        "failures": [{"kind": e.kind.value if e.kind is not None else None, **_reason(e)} for e in figures.errors],
        "others": [
            {
                "method": o.method.value,
                "answers": _answers(o.answers),
                "errors": o.errors,
                "found": list(o.found),
            }
            for o in figures.others
        ],
    }


def difference_object(difference: Difference, version: str) -> Object:
    """Two sides compared. version is that of this program."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "before": difference.before,
        "after": difference.after,
        "compared": [{"what": what, "before": was, "after": now} for what, was, now in difference.compared],
        "same": difference.same,
        "same_code": difference.same_code,
        "only_before": difference.only_before,
        "only_after": difference.only_after,
        "changes": [
            {
                "kernel": pair.kernel,
                "settings": pair.settings,
                "change": (pair.change or Change.OTHER).value,
                "before": _said(pair.before),
                "after": _said(pair.after),
            }
            for pair in difference.pairs
        ],
    }


def _reason(reason: Reason) -> Object:
    return {
        "message": reason.message,
        "units": reason.units,
        "kernels": reason.kernels,
        "kernel": reason.kernel,
    }


def _row(row: Row) -> Object:
    return {
        "configuration": _configuration(row.configuration),
        "units": row.units,
        "answers": _answers(row.answers),
        "errors": row.errors,
        "hits": row.hits,
        "rate": None if row.rate is None else round(row.rate, 6),
        "wrong": row.wrong,
        "spills": row.spills,
        "seconds": round(row.seconds, 3),
        "base": row.base,
        "new": list(row.new),
        "gone": list(row.gone),
    }


def _configuration(c: Configuration) -> Object:
    return {
        "tool": c.tool,
        "compiler": c.compiler or None,
        "version": c.version or None,
        "build": c.build or None,
        "variant": c.variant or None,
        "flags": c.flags,
    }


def _answers(answers: Mapping[Answer, int]) -> dict[str, Value]:
    return {answer.value: count for answer, count in answers.items()}


def _said(said: Said) -> Object:
    return {
        "answer": said.answer.value if said.answer is not None else None,
        "error": said.error.value if said.error is not None else None,
        "exits": list(said.exits),
    }
