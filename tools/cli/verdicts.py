"""From verdicts to the exit code of a command."""

from __future__ import annotations

from collections.abc import Iterable

from regtriage.dataflow.findings import Verdict
from regtriage.tools.results import FunctionReport

from . import output
from .exits import ExitCode


def settle(functions: Iterable[tuple[str, FunctionReport]]) -> ExitCode:
    """The exit code for functions, each with the file it is from. What is not proved is said on stderr.

    BUG wins: it is proved, whatever else is not.
    """
    verdicts: set[Verdict] = set()
    complaints: list[str] = []
    for file, function in functions:
        for variant in function.variants:
            verdicts.add(variant.verdict)
            if variant.verdict is Verdict.UNPROVEN:
                reason = next((r for layer in variant.layers for r in layer.unproven), "no reason is known")
                complaints.append(f"{file}: error: {function.name}, {variant.variant}: not proved: {reason}")
    if Verdict.BUG in verdicts:
        return ExitCode.BUG
    for complaint in complaints:
        output.complain(complaint)
    return ExitCode.FAILURE if complaints else ExitCode.CLEAN
