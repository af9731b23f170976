"""Source files by the names that debug info has for them: on this machine, and below a folder that the user names.

A kernel's debug info names files of the machine on which it was made. Below the user's folder a file is found by the
longest end of its path that is there, `attn/kernel.py` before `kernel.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

_MOST_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class SourceFiles:
    """Reads source files, each once. folder: where to look first, or None. base: what relative names start from."""

    folder: Path | None = None
    base: Path = field(default_factory=Path)
    _known: dict[str, Sequence[str] | None] = field(default_factory=dict[str, Sequence[str] | None])

    def lines(self, name: str) -> Sequence[str] | None:
        """The lines of a file, None if it is not found or is no text."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Sequence[str] | None:
        for path in self._candidates(name):
            try:
                if not path.is_file() or path.stat().st_size > _MOST_BYTES:
                    continue
                text = path.read_text(encoding="utf-8")
            except (OSError, ValueError):
                continue
            if "\0" not in text:
                return text.splitlines()
        return None

    def _candidates(self, name: str) -> list[Path]:
        if not name:
            return []
        parts = [p for p in PurePosixPath(name).parts if p not in ("/", "..", ".")]
        found = [self.folder.joinpath(*parts[at:]) for at in range(len(parts))] if self.folder is not None else []
        return [*found, self.base / name]
