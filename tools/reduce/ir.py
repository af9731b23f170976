"""LLVM IR: the native tool makes the candidates, through LLVM's own API, and compiles them in the same process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from regtriage.tools.llc.process import run_process

from .model import Setup, Task, code_lines

COARSE = ("functions", "metadata", "returns", "edges", "bodies", "blocks", "instructions")
"""Passes that take much away at once: they go first, with large chunks."""
PASSES = (
    *COARSE,
    "promotions",
    "forwards",
    "operands-zero",
    "operands-argument",
    "shared-arguments",
    "arguments",
    "attributes",
    "decorations",
)


@dataclass(frozen=True, slots=True)
class IrForm:
    """How IR is made smaller. Picklable: workers have a copy."""

    setup: Setup
    suffix: str = ".ll"
    coarse: tuple[str, ...] = COARSE
    passes: tuple[str, ...] = PASSES

    def count(self, file: Path, pass_name: str) -> int:
        """The number of targets of a pass. Raises ToolFailure."""
        command = [str(self.setup.llc.identity.path), str(file), "-x", "ir"]
        command += [f"-mtriple={self.setup.triple}"] if self.setup.triple else []
        finished = run_process((*command, f"-reduce-pass={pass_name}", "-reduce-count"))
        if finished.status != 0 or not finished.stdout.strip().isdigit():
            raise finished.failure()
        return int(finished.stdout)

    def prepare(self, task: Task) -> tuple[Path, tuple[str, ...]] | None:
        """What to compile, and the flags that make the candidate of it on the way."""
        drop = ",".join(map(str, task.drop))
        flags = [f"-reduce-pass={task.pass_name}", f"-reduce-output={task.output}"]
        return task.file, (*flags, *([f"-reduce-drop={drop}"] if drop else []))

    def size(self, text: str) -> int:
        """Lines of IR."""
        return code_lines(text)



