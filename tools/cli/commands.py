"""The table of commands. To add one: a module with a click command, and a line here.

Modules are imported when their command is called, so that `regtriage --help` stays quick whatever they need.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """One command. target: `module:attribute` below this package; summary: the line in `regtriage --help`."""

    name: str
    target: str
    summary: str

    def load(self) -> click.Command:
        """Import the module and return its command."""
        module, _, attribute = self.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module, __package__), attribute)
        return command


COMMANDS: tuple[Entry, ...] = (
    Entry("run", ".run:run", "Compile a kernel with and without the guard; prove which result is right."),
    Entry("check", ".check:check", "Compare MIR from before and after register allocation."),
    Entry("bisect", ".bisect:bisect_command", "Find the decision of the spiller that makes a miscompile."),
    Entry("reduce", ".reduce:reduce_command", "Make the smallest test that has the same cause."),
    Entry("matrix", ".matrix:matrix", "Compile and check a kernel under every combination of some settings."),
    Entry("sweep", ".sweep:sweep", "Compile and check many kernels under many settings, on one machine or a cluster."),
    Entry("asm", ".asm:asm", "Suspect overwritten loop-carried spills in final assembly alone."),
    Entry("trace", ".trace:trace_command", "Walk from a use back to where its value was made."),
    Entry("fuzz", ".fuzz:fuzz", "Look for miscompiles with random programs."),
    Entry("collect", ".collect:collect_command", "Compile Triton kernels to LLVM IR, from their Python source."),
    Entry("ptss", ".ptss:ptss", "Will a kernel for an Intel GPU overflow per-thread scratch?"),
    Entry("stage", ".stage:stage", "Rewrite a kernel so that it does not."),
    Entry("layout", ".layout:layout", "Who holds which element of a tensor, and what that costs."),
)
"""In the order of `regtriage --help`."""
