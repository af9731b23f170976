"""LLVM IR: the native tool makes the candidates, through LLVM's own API, and compiles them in the same process."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.findings import Finding
from regtriage.tools.llc.process import run_process
from regtriage.tools.llc.run import CompileRequest, Variant

from .model import Setup, Task, code_lines

COARSE = ("functions", "metadata", "bodies", "instructions", "edges", "returns")
"""Passes that take much away at once: they go first, with large chunks."""
PASSES = (
    *COARSE,
    "blocks",
    "tails",
    "lifts",
    "sinks",
    "phis",
    "twins",
    "promotions",
    "forwards",
    "makers",
    "sources",
    "reads",
    "operands-zero",
    "operands-argument",
    "shared-arguments",
    "argument-types",
    "tuples",
    "arguments",
    "attributes",
    "statements",
    "decorations",
)


UNTIDIED = ("instructions", "operands-zero", "arguments", "attributes")
"""Passes that are also tried without tidying up afterwards, as `NAME-alone`: where code that nobody uses matters."""
TIDIED = ("instructions", "edges", "forwards", "sources", "reads", "operands-zero", "statements")
"""Passes that are also tried with arguments tidied up, as `NAME-and-arguments`: what nobody reads any more leaves a gap
between those that are loaded, and loads that were wide become narrow."""
_ALONE = "-alone"
_AND_ARGUMENTS = "-and-arguments"


@dataclass(frozen=True, slots=True)
class IrForm:
    """How IR is made smaller. Picklable: workers have a copy. mir: see Form."""

    setup: Setup
    mir: Setup | None = None
    suffix: str = ".ll"
    coarse: tuple[str, ...] = COARSE
    passes: tuple[str, ...] = (
        *PASSES,
        *(name + _AND_ARGUMENTS for name in TIDIED),
        *(name + _ALONE for name in UNTIDIED),
    )

    def beginnings(self, file: Path) -> Iterator[str]:
        """The file as the native tool tidies it, and as it is. Raises InputError, ToolFailure."""
        setup = self.setup
        with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
            output = Path(name) / "first.ll"
            flags = (*setup.args, "-reduce-pass=decorations", "-reduce-tidy=all", f"-reduce-output={output}")
            flags += (setup.stop,)
            request = CompileRequest(file, Variant.OFF, setup.triple, setup.cpu, setup.opt, flags)
            setup.llc.compile(request, Path(name) / "first")
            yield output.read_text()
        if file.suffix != ".bc":
            yield file.read_text()

    def count(self, file: Path, pass_name: str) -> int:
        """The number of targets of a pass. Raises ToolFailure."""
        command = [str(self.setup.llc.identity.path), str(file), "-x", "ir"]
        command += [f"-mtriple={self.setup.triple}"] if self.setup.triple else []
        finished = run_process((*command, f"-reduce-pass={_native(pass_name)}", "-reduce-count"))
        if finished.status != 0 or not finished.stdout.strip().isdigit():
            raise finished.failure()
        return int(finished.stdout)

    def hints(self, text: str, findings: Sequence[Finding]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Blocks that are on no path of a finding return."""
        going_on = [name for name, end in _blocks(text) if not end.startswith("ret")]
        yield from off_path("returns", going_on, findings)

    def prepare(self, task: Task) -> tuple[Path, tuple[str, ...]] | None:
        """What to compile, and the flags that make the candidate of it on the way."""
        drop = ",".join(map(str, task.drop))
        flags = [f"-reduce-pass={_native(task.pass_name)}", f"-reduce-output={task.output}"]
        flags += ["-reduce-tidy=none"] if task.pass_name.endswith(_ALONE) else []
        flags += ["-reduce-tidy=arguments"] if task.pass_name.endswith(_AND_ARGUMENTS) else []
        return task.file, (*flags, *([f"-reduce-drop={drop}"] if drop else []))

    def size(self, text: str) -> int:
        """Lines of IR."""
        return code_lines(text)


def _native(pass_name: str) -> str:
    """The name by which the native tool knows a pass."""
    return pass_name.removesuffix(_ALONE).removesuffix(_AND_ARGUMENTS)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Label and last line of each block of the first function, in order."""
    body = re.search(r"^define .*?\{\n(.*?)^\}", text, re.M | re.S)
    label, last = "", ""
    for line in body.group(1).splitlines() if body else ():
        found = re.match(r"([\w.$-]+):", line)
        if found:
            if last:
                yield label, last
            label, last = found.group(1), ""
        elif line.strip() and not line.lstrip().startswith(";"):
            last = line.strip()
    yield label, last


def off_path(
    pass_name: str, blocks: Sequence[str], findings: Sequence[Finding]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """For each finding all blocks that are not on its path; then parts of what is on no path.

    blocks: names by target, as in `bb.NUMBER.NAME`, or only NAME.
    """
    seen: set[tuple[int, ...]] = set()
    paths = [{part for step in f.path for part in (step.block, step.block.split(".", 2)[-1])} for f in findings]
    drops = [tuple(n for n, name in enumerate(blocks) if name not in path) for path in paths]
    common = [n for n, name in enumerate(blocks) if not any(name in path for path in paths)]
    for pieces in (1, 2, 4, 8, 16):
        size = -(-len(common) // pieces)
        drops += [tuple(common[at : at + size]) for at in range(0, len(common), max(1, size))]
    for drop in drops:
        # MIR without the names of blocks has none of them on its paths
        if drop and len(drop) < len(blocks) and drop not in seen:
            seen.add(drop)
            yield pass_name, drop
