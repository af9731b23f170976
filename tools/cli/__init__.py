"""The command line: `regtriage COMMAND …`. One command is one module here; `commands` lists them."""

from __future__ import annotations

from .app import main

__all__ = ["main"]
