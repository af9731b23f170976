"""MIR before an allocation: in which form a reduction of it begins, and how its candidates are made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regtriage.dataflow.findings import Finding

from .ir import off_path
from .mir_flow import branch_explicitly
from .mir_passes import PASSES
from .mir_text import DEFINED_IN_PLACE, Document, read_document
from .model import Setup, Spelling, Task, body_lines

_KEPT_KEYS = ("name", "tracksRegLiveness", "machineFunctionInfo", "body")
_KEPT_INFORMATION = ("isEntryFunction", "scratchRSrcReg", "frameOffsetReg", "stackPtrOffsetReg", "occupancy")


def spelled(text: str, function: str, spelling: Spelling) -> str:
    """One function of a file, with every branch written out. Raises ValueError if the file has no such function."""
    document = read_document(text, function)
    for block in document.blocks:
        branch_explicitly(block)
    return (plain(document) if spelling is Spelling.PLAIN else document).text()


def plain(document: Document) -> Document:
    """What a reviewer wants to see: no IR but the function's attributes, no key that has its default."""
    kept: list[str] = []
    key = ""
    for line in document.header:
        if line[:1].isspace():
            wanted = key == "machineFunctionInfo" and line.strip().split(":")[0] in _KEPT_INFORMATION
        else:
            key = line.split(":")[0]
            wanted = line.startswith("---") or key in _KEPT_KEYS
        kept += [line] if wanted else []
    blocks = [
        replace(b, name="", lines=[re.sub(r"\bload \(p\d\) ", "load ", line.split(" :: ")[0]) for line in b.lines])
        for b in document.blocks
    ]
    classes = dict(re.findall(r"\{ id: (\d+), class: (\w+)", "\n".join(document.header)))
    for block in blocks:
        block.lines[:] = [re.sub(r"\((?:p\d+|s\d+)\)", "", line) if '"' not in line else line for line in block.lines]
        # LLVM prints a class at results only
        block.lines[:] = [DEFINED_IN_PLACE.sub(lambda m: _with_class(m, classes), line) for line in block.lines]
    return Document(_stub(document.module), kept, blocks)


def _with_class(found: re.Match[str], classes: dict[str, str]) -> str:
    known = classes.get(found.group(1))
    return found.group() + (f":{known}" if known and not found.string[found.end() :].startswith((":", ".")) else "")


def _stub(module: Sequence[str]) -> list[str]:
    """An empty function with the attributes of the first one."""
    define = next((line for line in module if line.lstrip().startswith("define ")), "")
    found = re.match(r"\s*(define .*?@\S+?)\(.*\)(.*?) ?\{", define)
    if not found:
        return []
    number = re.search(r"#\d+", found.group(2))
    attributes = [line for line in module if number and line.strip().startswith(f"attributes {number.group()} ")]
    triple = [line for line in module if line.strip().startswith("target triple")]
    head = f"  {found.group(1)}(){' ' + number.group() if number else ''} {{"
    return ["--- |", *triple, head, "    ret void", "  }", *attributes, "..."]


@dataclass(frozen=True, slots=True)
class MirForm:
    """How MIR is made smaller. Picklable: workers have a copy."""

    setup: Setup
    mir: None = None
    suffix: str = ".mir"
    coarse: tuple[str, ...] = ("returns", "edges", "bodies", "registers", "values", "joins")
    passes: tuple[str, ...] = tuple(PASSES)

    def beginnings(self, file: Path) -> Iterator[str]:
        """The plainest form first, the file as it is last."""
        text = file.read_text()
        yield from (spelled(text, self.setup.cause.function, spelling) for spelling in Spelling)
        yield text

    def count(self, file: Path, pass_name: str) -> int:
        """The number of targets of a pass."""
        return len(PASSES[pass_name](self._read(file)))

    def hints(self, text: str, findings: Sequence[Finding]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Blocks that are on no path of a finding end the program."""
        document = read_document(text, self.setup.cause.function)
        going_on = [f"bb.{b.number}{b.name}" for b in document.blocks if b.targets()]
        yield from off_path("returns", going_on, findings)

    def prepare(self, task: Task) -> tuple[Path, tuple[str, ...]] | None:
        """Write the candidate."""
        document = self._read(task.file)
        before = document.text()
        actions = PASSES[task.pass_name](document)
        for number in task.drop:
            if number < len(actions):
                actions[number](document)
        after = document.text()
        if after == before:
            return None
        task.output.write_text(after)
        return task.output, ()

    def size(self, text: str) -> int:
        """Lines of the body."""
        return body_lines(text)

    def _read(self, file: Path) -> Document:
        return read_document(file.read_text(), self.setup.cause.function)
