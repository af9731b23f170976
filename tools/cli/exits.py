"""What a command tells the process that called it. Scripts and `git bisect run` rely on these numbers."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """CLEAN is never used for something that was not proved: UNPROVEN is a FAILURE of the tool."""

    CLEAN = 0
    """Nothing is wrong. A hazard alone is not wrong."""
    BUG = 1
    """What the command looks for was found: a miscompile."""
    INPUT = 2
    """The input or the call is wrong; one line says what and where."""
    FAILURE = 3
    """A tool failed, or could not prove anything; its own words are on stderr."""
    INTERRUPTED = 130
    """Ctrl-C."""
    TERMINATED = 143
    """SIGTERM."""
