"""Writing files that may be there already."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all. What is no plain file, such as a pipe, is written to. Raises OSError."""
    try:
        plain = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        plain = True
    if not plain:
        path.write_text(text, encoding="utf-8")
        return
    target = path.resolve()
    beside = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        beside.write_text(text, encoding="utf-8")
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)
