"""Makes a miscompiled kernel small while it stays miscompiled for the same cause."""

from __future__ import annotations

from .reduction import ReduceReport, ReduceRequest, reduce

__all__ = ["ReduceReport", "ReduceRequest", "reduce"]
