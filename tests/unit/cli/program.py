"""Runs the program as a process of its own, as a shell does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPRODUCERS = Path(__file__).parents[3] / "reproducers"
MISCOMPILED = REPRODUCERS / "miscompiles" / "insert_spill_65.ll"
LOST_BEFORE = REPRODUCERS / "mir" / "lost-over-back-edge.before.mir"
LOST_AFTER = REPRODUCERS / "mir" / "lost-over-back-edge.after.mir"
RIGHT_BEFORE = REPRODUCERS / "mir" / "completed-save.before.mir"
RIGHT_AFTER = REPRODUCERS / "mir" / "completed-save.after.mir"

PROGRAM = (sys.executable, "-m", "regtriage.tools.cli")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def run_in_shell(line: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `"$@"` is the program with its arguments."""
    command = ["bash", "-c", line, "bash", *PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
