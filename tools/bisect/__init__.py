"""Which decision of the spiller makes a miscompile: `bisect` compiles with some of them changed, and judges."""

from __future__ import annotations

from .bisection import BisectRequest, bisect

__all__ = ["BisectRequest", "bisect"]
