"""MIR as text: the header, and blocks of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_BLOCK = re.compile(r"  bb\.(\d+)(\.[^\s:(]+)?\s*(?:\(.*\))?:")
SUCCESSORS = re.compile(r"%bb\.(\d+)")
_WEIGHTS = re.compile(r"%bb\.(\d+)(\(\w+\))")
REGISTER = re.compile(r"%(\d+)\b")
DEFINED_IN_PLACE = re.compile(r"\bdef (?:(?:dead|early-clobber|undef) )*%(\d+)\b")
TERMINATOR = re.compile(r"\s*(?:S_BRANCH|S_CBRANCH_\w+|S_ENDPGM\w*|SI_\w+_TERM\w*|SI_RETURN\w*|SI_LOOP|SI_END_CF)\b")
_KINDS = {"sgpr": "SGPR", "sreg": "SReg", "vgpr": "VGPR", "vreg": "VReg", "areg": "AReg", "av": "AV", "agpr": "AGPR"}
_REST = {"align2": "Align2", "xexec": "XEXEC", "xm0": "XM0", "lo16": "Lo16", "lo128": "Lo128"}


@dataclass(slots=True)
class TextBlock:
    """One block. successors None: as the parser finds them. lines: instructions, without the indent.

    weights: the probabilities of successors, as written; the allocator's choices depend on them.
    """

    number: int
    name: str
    successors: list[int] | None
    live_ins: str
    lines: list[str] = field(default_factory=list[str])
    weights: dict[int, str] = field(default_factory=dict[int, str])

    def targets(self) -> list[int]:
        """Where it can go, if that is written."""
        return list(dict.fromkeys(self.successors or []))


@dataclass(slots=True)
class Document:
    """One function. module: the lines of the IR module, with its frame, or none. header: YAML lines up to `body:`."""

    module: list[str]
    header: list[str]
    blocks: list[TextBlock]

    def text(self) -> str:
        """As a MIR file."""
        lines = [*self.module, *self.header]
        for number, block in enumerate(self.blocks):
            lines += [""] if number else []
            lines.append(f"  bb.{block.number}{block.name}:")
            if block.successors is not None:
                spelt = ", ".join(f"%bb.{n}{block.weights.get(n, '')}" for n in block.successors)
                lines.append(f"    successors: {spelt}".rstrip())
            lines += [f"    liveins: {block.live_ins}"] if block.live_ins else []
            lines += [f"    {line}" for line in block.lines]
        return "\n".join([*lines, "...", ""])


def read_document(text: str, function: str) -> Document:
    """Take a file apart. Raises ValueError if it has no such function."""
    module: list[str] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("--- |"):
            end = lines.index("...", at)
            module, at = lines[at : end + 1], end + 1
        elif lines[at].startswith("---"):
            end = next((k for k in range(at, len(lines)) if lines[k].startswith("...")), len(lines))
            document = _function(lines[at:end], module)
            if any(re.fullmatch(rf"name:\s*'?{re.escape(function)}'?\s*", line) for line in document.header):
                return document
            at = end + 1
        else:
            at += 1
    raise ValueError(f"no function '{function}'")


def _function(lines: Sequence[str], module: list[str]) -> Document:
    body = next((k for k, line in enumerate(lines) if line.startswith("body:")), len(lines) - 1)
    blocks: list[TextBlock] = []
    for line in lines[body + 1 :]:
        found = _BLOCK.match(line)
        stripped = line.strip()
        if found:
            blocks.append(TextBlock(int(found.group(1)), found.group(2) or "", None, ""))
        elif not stripped or stripped.startswith(";") or not blocks:
            continue
        elif stripped.startswith("successors:"):
            blocks[-1].successors = [int(n) for n in SUCCESSORS.findall(stripped)]
            blocks[-1].weights = {int(n): weight for n, weight in _WEIGHTS.findall(stripped)}
        elif stripped.startswith("liveins:"):
            blocks[-1].live_ins = stripped.removeprefix("liveins:").strip()
        else:
            blocks[-1].lines.append(stripped)
    return Document(module, list(lines[: body + 1]), blocks)


def places(document: Document) -> Iterator[tuple[TextBlock, int]]:
    """Each line: its block, and its index there."""
    for block in document.blocks:
        for index in range(len(block.lines)):
            yield block, index


def defined(line: str) -> list[str]:
    """The virtual registers that a line defines, whole or in part."""
    left, equals, _ = line.partition(" = ")
    results = REGISTER.findall(left) if equals and " :: " not in left and '"' not in left else []
    return [*results, *DEFINED_IN_PLACE.findall(line)]


def used(line: str) -> set[str]:
    """The virtual registers that a line reads; one that it defines in part is not among them."""
    left, equals, right = line.partition(" = ")
    rest = right if equals and '"' not in left else line
    return set(REGISTER.findall(DEFINED_IN_PLACE.sub("", rest.split(" :: ")[0])))


def class_name(lower: str) -> str:
    """A register class as inline assembly's operands spell it: not all in small letters, as elsewhere in MIR."""
    kind, *rest = lower.split("_")
    return "_".join([_KINDS.get(kind, kind.upper()), *(_REST.get(word, word) for word in rest)])


def classes_of(document: Document) -> dict[str, str]:
    """By register its class, as far as the body says it."""
    return {d: c for b, i in places(document) for d, c in re.findall(r"%(\d+)(?:\.\w+)?:(\w+)", b.lines[i])}
