"""One kernel under many settings: `sweep` compiles and checks each combination."""

from __future__ import annotations

from .axes import Axis, parse_axis
from .sweep import MatrixRequest, sweep

__all__ = ["Axis", "MatrixRequest", "parse_axis", "sweep"]
