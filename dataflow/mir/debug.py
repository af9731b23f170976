"""What `debug-location !123` means, by the metadata of the IR module in the same MIR file.

Only what is asked for is looked up: a kernel has thousands of locations and a report shows a few.
"""

from __future__ import annotations

import posixpath
import re

from ..findings import SourceLocation

_FIELD = re.compile(r"(\w+): (?:\"((?:[^\"\\]|\\.)*)\"|([^,)]+))")
_MOST_INLINED = 32


class DebugInfo:
    """Resolves debug locations of one IR module."""

    def __init__(self, ir: str) -> None:
        self._ir = ir
        self._nodes: dict[str, str] | None = None

    def resolve(self, debug: str) -> tuple[SourceLocation, ...]:
        """The inlining chain of a debug location's text, innermost first; empty where there is none."""
        chain: list[SourceLocation] = []
        node = debug.strip()
        while node and len(chain) < _MOST_INLINED:
            fields = self._fields(node)
            if "line" not in fields:
                break
            file = self._file(fields.get("scope", ""))
            chain.append(SourceLocation(file, _number(fields["line"]), _number(fields.get("column", "0"))))
            node = fields.get("inlinedAt", "")
        return tuple(chain)

    def _fields(self, node: str) -> dict[str, str]:
        text = self._text(node) if node.startswith("!") and "(" not in node else node
        return {k: q or v.strip() for k, q, v in _FIELD.findall(text.partition("(")[2])}

    def _text(self, node: str) -> str:
        if self._nodes is None:
            self._nodes = {}
            for line in self._ir.splitlines():
                text = line.strip()
                if text.startswith("!"):
                    name, separator, body = text.partition(" = ")
                    if separator:
                        self._nodes[name] = body
        return self._nodes.get(node, "")

    def _file(self, scope: str) -> str:
        for _ in range(_MOST_INLINED):
            fields = self._fields(scope)
            if "filename" in fields:
                name, directory = fields["filename"], fields.get("directory", "")
                return name if not directory or directory == "." else posixpath.join(directory, name)
            if "file" in fields:
                scope = fields["file"]
            elif "scope" in fields:
                scope = fields["scope"]
            else:
                break
        return ""


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0
