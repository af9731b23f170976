"""A matrix as other programs read it; docs/schema/matrix.schema.json describes it."""

from __future__ import annotations

from regtriage.tools.report.json import SCHEMA, Object, tool_object

from .model import MatrixReport, Use


def matrix_object(report: MatrixReport, version: str) -> Object:
    """One kernel. version is that of this program."""
    number = {use: at for at, (use, _) in enumerate(report.uses)}
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "input": report.input,
        "llc": {"kind": str(report.llc.kind), "version": report.llc.version, "path": str(report.llc.path)},
        "axes": [{"name": axis.name, "values": list(axis.values)} for axis in report.axes],
        "cells": [
            {
                "values": list(cell.values),
                "verdict": cell.verdict.value if cell.verdict is not None else None,
                "uses": [number[use] for use in cell.uses],
                "code": cell.code or None,
                "failure": cell.failure or None,
            }
            for cell in report.cells
        ],
        "uses": [{**_use(use), "cells": count} for use, count in report.uses],
        "union": list(range(len(report.uses))),
        "intersection": [number[use] for use in report.everywhere],
        "idle": list(report.idle),
    }


def _use(use: Use) -> Object:
    return {
        "function": use.function,
        "needed": use.needed,
        "opcode": use.opcode,
        "block": use.block,
        "source": use.source or None,
    }
