"""MIR before an allocation, as text: the header, and blocks of lines. LLVM's parser and verifier judge what comes out.

Deleting an instruction deletes what reads its results too, and what reads those: a read without a definition would be
an undefined lane that the original did not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from regtriage.dataflow.findings import Finding

from .ir import off_path
from .model import Setup, Spelling, Task, body_lines

_BLOCK = re.compile(r"  bb\.(\d+)(\.[^\s:(]+)?\s*(?:\(.*\))?:")
_SUCCESSORS = re.compile(r"%bb\.(\d+)")
_WEIGHTS = re.compile(r"%bb\.(\d+)(\(\w+\))")
_REGISTER = re.compile(r"%(\d+)\b")
_DEFINED_IN_PLACE = re.compile(r"\bdef (?:(?:dead|early-clobber|undef) )*%(\d+)\b")
_BRANCH = re.compile(r"S_BRANCH|S_CBRANCH_\w+")
_TERMINATOR = re.compile(r"\s*(?:S_BRANCH|S_CBRANCH_\w+|S_ENDPGM\w*|SI_\w+_TERM\w*|SI_RETURN\w*|SI_LOOP|SI_END_CF)\b")
_KEPT_KEYS = ("name", "tracksRegLiveness", "machineFunctionInfo", "body")
_KEPT_INFORMATION = ("isEntryFunction", "scratchRSrcReg", "frameOffsetReg", "stackPtrOffsetReg", "occupancy")


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
            blocks[-1].successors = [int(n) for n in _SUCCESSORS.findall(stripped)]
            blocks[-1].weights = {int(n): weight for n, weight in _WEIGHTS.findall(stripped)}
        elif stripped.startswith("liveins:"):
            blocks[-1].live_ins = stripped.removeprefix("liveins:").strip()
        else:
            blocks[-1].lines.append(stripped)
    return Document(module, list(lines[: body + 1]), blocks)


# -- registers ------------------------------------------------------------------------------------------------------


def defined(line: str) -> list[str]:
    """The virtual registers that a line defines, whole or in part."""
    left, equals, _ = line.partition(" = ")
    results = _REGISTER.findall(left) if equals and " :: " not in left and '"' not in left else []
    return [*results, *_DEFINED_IN_PLACE.findall(line)]


def used(line: str) -> set[str]:
    """The virtual registers that a line reads; one that it defines in part is not among them."""
    left, equals, right = line.partition(" = ")
    rest = right if equals and '"' not in left else line
    return set(_REGISTER.findall(_DEFINED_IN_PLACE.sub("", rest.split(" :: ")[0])))


# -- ways to make it smaller ----------------------------------------------------------------------------------------


Action = Callable[[Document], None]


def _lines(document: Document) -> Iterator[tuple[TextBlock, int]]:
    for block in document.blocks:
        for index in range(len(block.lines)):
            yield block, index


def _delete(block: TextBlock, index: int) -> Action:
    line = block.lines[index]

    def act(document: Document) -> None:
        # another target of the same candidate may have deleted lines before it
        for at, other in enumerate(block.lines):
            if other is line:
                del block.lines[at]
                return

    return act


def lines(document: Document) -> list[Action]:
    """One line each, with nothing else."""
    return [_delete(block, index) for block, index in _lines(document)]


def values(document: Document) -> list[Action]:
    """One line each that defines something, with all that reads it."""
    return [
        _delete_values(block, index)
        for block, index in _lines(document)
        if defined(block.lines[index]) and not _TERMINATOR.match(block.lines[index])
    ]


def _delete_values(block: TextBlock, index: int) -> Action:
    line = block.lines[index]
    only = _delete(block, index)

    def act(document: Document) -> None:
        gone = set(defined(line))
        only(document)
        while True:
            remaining = {d for b, i in _lines(document) for d in defined(b.lines[i])}
            missing = gone - remaining
            found = [
                (b, b.lines[i])
                for b, i in _lines(document)
                if missing & used(b.lines[i]) and not _TERMINATOR.match(b.lines[i])
            ]
            if not found:
                return
            for holder, reader in found:
                gone |= set(defined(reader))
                holder.lines[:] = [other for other in holder.lines if other is not reader]

    return act


def registers(document: Document) -> list[Action]:
    """All lines that define a register, and all that read it."""
    names = list(dict.fromkeys(d for b, i in _lines(document) for d in defined(b.lines[i])))

    def delete(name: str) -> Action:
        def act(document: Document) -> None:
            for block in document.blocks:
                block.lines[:] = [
                    line
                    for line in block.lines
                    if _TERMINATOR.match(line) or (name not in used(line) and name not in defined(line))
                ]

        return act

    return [delete(name) for name in names]


def bodies(document: Document) -> list[Action]:
    """All of a block but its terminators."""

    def empty(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [line for line in block.lines if _TERMINATOR.match(line)]

        return act

    return [empty(block) for block in document.blocks]


def edges(document: Document) -> list[Action]:
    """A block always goes one way; blocks that nothing reaches go."""

    def keep(block: TextBlock, target: int) -> Action:
        def act(document: Document) -> None:
            if len(block.targets()) < 2 or target not in block.targets():
                return
            block.lines[:] = [line for line in block.lines if not _TERMINATOR.match(line)]
            block.lines.append(f"S_BRANCH %bb.{target}")
            block.successors, block.weights = [target], {}
            _drop_unreached(document)

        return act

    return [keep(b, t) for b in document.blocks for t in b.targets() if len(b.targets()) > 1]


def returns(document: Document) -> list[Action]:
    """A block ends the program; blocks that nothing reaches go."""

    def end(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [line for line in block.lines if not _TERMINATOR.match(line)]
            block.lines.append("S_ENDPGM 0")
            block.successors = None
            _drop_unreached(document)

        return act

    return [end(block) for block in document.blocks if block.targets()]


def joins(document: Document) -> list[Action]:
    """A block that only goes on: left out if it is empty, else joined with the next one if only it goes there."""
    return [_join(block) for block in document.blocks if len(block.targets()) == 1]


def _join(block: TextBlock) -> Action:
    def act(document: Document) -> None:
        if len(block.targets()) != 1 or block not in document.blocks:
            return
        target = block.targets()[0]
        following = next((b for b in document.blocks if b.number == target), None)
        own = [line for line in block.lines if not _TERMINATOR.match(line)]
        if following is None or following is block:
            return
        if sum(target in b.targets() for b in document.blocks) == 1 and following is not document.blocks[0]:
            block.lines[:] = own + following.lines
            block.successors, block.weights = following.successors, following.weights
            document.blocks.remove(following)
        elif not own and block is not document.blocks[0]:
            for other in document.blocks:
                _redirect(other, block.number, target)
            document.blocks.remove(block)
        # what used to fall through may have a new neighbour
        for other in document.blocks:
            _branch_explicitly(other)

    return act


def _redirect(block: TextBlock, old: int, new: int) -> None:
    if block.successors is not None:
        block.successors = list(dict.fromkeys(new if n == old else n for n in block.successors))
        if old in block.weights:
            block.weights = {}
    for at, line in enumerate(block.lines):
        if _BRANCH.match(line):
            block.lines[at] = re.sub(rf"%bb\.{old}\b", f"%bb.{new}", line)


def _branch_explicitly(block: TextBlock) -> None:
    named = {int(n) for line in block.lines if _BRANCH.match(line) for n in _SUCCESSORS.findall(line)}
    rest = [n for n in block.targets() if n not in named]
    if len(rest) == 1 and not (block.lines and block.lines[-1].startswith("S_BRANCH")):
        block.lines.append(f"S_BRANCH %bb.{rest[0]}")


def _drop_unreached(document: Document) -> None:
    by_number = {b.number: b for b in document.blocks}
    reached: set[int] = set()
    waiting = [document.blocks[0].number]
    while waiting:
        number = waiting.pop()
        if number not in reached and number in by_number:
            reached.add(number)
            waiting += by_number[number].targets()
    document.blocks[:] = [b for b in document.blocks if b.number in reached]


def substitutes(document: Document) -> list[Action]:
    """Where a line reads a register, it reads another one that is read elsewhere, of the same class and lane."""
    classes = _classes_of(document)
    places: list[tuple[TextBlock, str, str, str]] = []
    first: dict[str, str] = {}
    for block, index in _lines(document):
        line = block.lines[index]
        for name in sorted(used(line), key=int):
            known = first.setdefault(classes.get(name, ""), name)
            if known != name:
                places.append((block, line, name, known))

    def substitute(block: TextBlock, line: str, old: str, new: str) -> Action:
        def act(document: Document) -> None:
            for at, other in enumerate(block.lines):
                if other is line:
                    left, equals, right = line.partition(" = ")
                    if equals and '"' not in left:
                        block.lines[at] = left + equals + re.sub(rf"%{old}\b", f"%{new}", right)

        return act

    return [substitute(*place) for place in places]


_KINDS = {"sgpr": "SGPR", "sreg": "SReg", "vgpr": "VGPR", "vreg": "VReg", "areg": "AReg", "av": "AV", "agpr": "AGPR"}
_REST = {"align2": "Align2", "xexec": "XEXEC", "xm0": "XM0", "lo16": "Lo16", "lo128": "Lo128"}


def _class_name(lower: str) -> str:
    """A register class as inline assembly's operands spell it: not all in small letters, as elsewhere in MIR."""
    kind, *rest = lower.split("_")
    return "_".join([_KINDS.get(kind, kind.upper()), *(_REST.get(word, word) for word in rest)])


def _classes_of(document: Document) -> dict[str, str]:
    """By register its class, as far as the body says it."""
    return {d: c for b, i in _lines(document) for d, c in re.findall(r"%(\d+)(?:\.\w+)?:(\w+)", b.lines[i])}


def makers(document: Document) -> list[Action]:
    """What a block writes into lanes of a register is made by one statement, where the last or the first write was."""
    known = _classes_of(document)
    actions: list[Action] = []
    for block in document.blocks:
        writes: dict[str, list[str]] = {}
        for line in block.lines:
            found = _LANE_WRITE.match(line)
            if found:
                writes.setdefault(found.group(1), []).append(line)
        for name, lines_ in writes.items():
            if name in known and len(lines_) > 1:
                made = _statement(name, known[name])
                actions += [_make(block, lines_, lines_[-1], made), _make(block, lines_, lines_[0], made)]
    return actions


_LANE_WRITE = re.compile(r"(?:undef |early-clobber |dead )*%(\d+)\.\w+:\w+ = ")


def _statement(name: str, class_: str) -> str:
    return f'INLINEASM &"; def $0", sideeffect attdialect, regdef:{_class_name(class_)}, def %{name}:{class_}'


def _make(block: TextBlock, gone: Sequence[str], place: str, made: str) -> Action:
    def act(document: Document) -> None:
        kept: list[str] = []
        for line in block.lines:
            if line is place:
                kept.append(made)
            elif not any(line is other for other in gone):
                kept.append(line)
        block.lines[:] = kept

    return act


_SIZED_CLASS = re.compile(r"([A-Za-z]+_)(\d+)(.*)")
_SIZES = (64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 512, 1024)
"""Bits of the register classes of tuples."""
_LANE = re.compile(r"sub(\d+)")


def classes(document: Document) -> list[Action]:
    """A register is of a class of shorter tuples, the next in size or half as long; no lane that goes is written."""
    actions: list[Action] = []
    for name, class_ in _classes_of(document).items():
        found = _SIZED_CLASS.fullmatch(class_)
        if found is not None and int(found.group(2)) in _SIZES[1:]:
            size = int(found.group(2))
            shorter = {_SIZES[_SIZES.index(size) - 1], size // 2} & set(_SIZES)
            actions += [_shorten(name, found, other) for other in sorted(shorter, reverse=True)]
    return actions


def _shorten(name: str, found: re.Match[str], size: int) -> Action:
    new = f"{found.group(1)}{size}{found.group(3)}"
    at_definition = re.compile(rf"(%{name}(?:\.\w+)?:)\w+")
    # inline assembly names the class of each operand ahead of it
    at_operand = re.compile(rf"(reg(?:def|use):)\w+(, (?:def )?(?:early-clobber )?%{name}\b(?!\.))")
    lanes = re.compile(rf"%{name}\.(\w+)")

    def is_beyond(line: str) -> bool:
        written = lanes.findall(line.partition(" = ")[0]) if " = " in line else []
        return any(int(n) >= size // 32 for lane in written for n in _LANE.findall(lane))

    def act(document: Document) -> None:
        for block in document.blocks:
            kept = [line for line in block.lines if not is_beyond(line)]
            block.lines[:] = [
                at_operand.sub(rf"\g<1>{_class_name(new)}\g<2>", at_definition.sub(rf"\g<1>{new}", s)) for s in kept
            ]

    return act


_FLAG = re.compile(r"\b(?:renamable|nuw|nsw|exact|disjoint|nofpexcept|reassoc|contract|afn|arcp|ninf|nnan|nsz|dead) ")


def flags(document: Document) -> list[Action]:
    """Flags of one line that only say more than the instruction does without them."""

    def strip(block: TextBlock, line: str) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [_FLAG.sub("", other) if other is line else other for other in block.lines]

        return act

    return [strip(b, b.lines[i]) for b, i in _lines(document) if '"' not in b.lines[i] and _FLAG.search(b.lines[i])]


_IMMEDIATE = re.compile(r"(?<=, |= )-?[1-9]\d*(?=,|$)")
_FIRST_IMMEDIATE = re.compile(r"(?<=MOV_B32 )-?[1-9]\d*(?=,|$)")


def immediates(document: Document) -> list[Action]:
    """The constants of one line are zero."""

    def clear(block: TextBlock, line: str) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [_zeros(other) if other is line else other for other in block.lines]

        return act

    return [clear(b, b.lines[i]) for b, i in _lines(document) if _zeros(b.lines[i]) != b.lines[i]]


def _zeros(line: str) -> str:
    if '"' in line or _TERMINATOR.match(line):
        return line
    head, separator, memory = line.partition(" :: ")
    return _FIRST_IMMEDIATE.sub("0", _IMMEDIATE.sub("0", head)) + separator + memory


def memory_operands(document: Document) -> list[Action]:
    """The memory operands of one line."""

    def strip(block: TextBlock, line: str) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [other.split(" :: ")[0] if other is line else other for other in block.lines]

        return act

    return [strip(b, b.lines[i]) for b, i in _lines(document) if " :: " in b.lines[i]]


def successors(document: Document) -> list[Action]:
    """The written successors of a block, which the parser finds by itself where the branches say them."""

    def infer(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.successors = None

        return act

    return [infer(block) for block in document.blocks if block.successors is not None]


def weights(document: Document) -> list[Action]:
    """The probabilities of one block's successors."""

    def drop(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.weights = {}

        return act

    return [drop(block) for block in document.blocks if block.weights]


def header(document: Document) -> list[Action]:
    """The IR module; the names of blocks; a key of the header with what belongs to it; one line of such a key."""

    def no_module(document: Document) -> None:
        document.module = []

    def no_names(document: Document) -> None:
        for block in document.blocks:
            block.name = ""

    def delete(gone: list[str]) -> Action:
        def act(document: Document) -> None:
            document.header = [line for line in document.header if not any(line is other for other in gone)]

        return act

    actions: list[Action] = [no_module, no_names]
    lines_ = document.header
    for at, line in enumerate(lines_):
        if line.startswith(("---", "name:", "body:", "tracksRegLiveness:")):
            continue
        end = at + 1
        if not line[0].isspace():
            while end < len(lines_) and lines_[end][:1].isspace():
                end += 1
        actions.append(delete(lines_[at:end]))
    return actions


def numbers(document: Document) -> list[Action]:
    """Small numbers, in the order of the text."""

    def act(document: Document) -> None:
        known: dict[str, str] = {}
        for block, index in _lines(document):
            for name in _REGISTER.findall(block.lines[index].split(" :: ")[0]):
                known.setdefault(name, str(len(known)))
        blocks = {str(b.number): str(n) for n, b in enumerate(document.blocks)}
        for block in document.blocks:
            block.lines[:] = [
                re.sub(r"%bb\.(\d+)\b", lambda m: f"%bb.{blocks.get(m[1], m[1])}", _REGISTER.sub(_number(known), line))
                for line in block.lines
            ]
            block.number = int(blocks[str(block.number)])
            if block.successors is not None:
                block.successors = [int(blocks.get(str(n), str(n))) for n in block.successors]
                block.weights = {int(blocks.get(str(n), str(n))): w for n, w in block.weights.items()}
        document.header = [line for line in document.header if not re.match(r"  - \{ id: \d+, class:", line)]
        document.header = [line for line in document.header if not line.startswith(("registers:", "liveins:"))]
        document.header = [line for line in document.header if "virtual-reg:" not in line]

    return [act]


def _number(known: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda found: "%" + known.get(found[1], found[1])


_PASSES: dict[str, Callable[[Document], list[Action]]] = {
    "returns": returns,
    "edges": edges,
    "bodies": bodies,
    "registers": registers,
    "values": values,
    "joins": joins,
    "lines": lines,
    "substitutes": substitutes,
    "makers": makers,
    "classes": classes,
    "flags": flags,
    "immediates": immediates,
    "memory-operands": memory_operands,
    "header": header,
    "weights": weights,
    "successors": successors,
    "numbers": numbers,
}


# -- where it begins ------------------------------------------------------------------------------------------------


def spelled(text: str, function: str, spelling: Spelling) -> str:
    """One function of a file, with every branch written out. Raises ValueError if the file has no such function."""
    document = read_document(text, function)
    for block in document.blocks:
        _branch_explicitly(block)
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
        block.lines[:] = [_DEFINED_IN_PLACE.sub(lambda m: _with_class(m, classes), line) for line in block.lines]
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
    passes: tuple[str, ...] = tuple(_PASSES)

    def beginnings(self, file: Path) -> Iterator[str]:
        """The plainest form first, the file as it is last."""
        text = file.read_text()
        yield from (spelled(text, self.setup.cause.function, spelling) for spelling in Spelling)
        yield text

    def count(self, file: Path, pass_name: str) -> int:
        """The number of targets of a pass."""
        return len(_PASSES[pass_name](self._read(file)))

    def hints(self, text: str, findings: Sequence[Finding]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Blocks that are on no path of a finding end the program."""
        document = read_document(text, self.setup.cause.function)
        going_on = [f"bb.{b.number}{b.name}" for b in document.blocks if b.targets()]
        yield from off_path("returns", going_on, findings)

    def prepare(self, task: Task) -> tuple[Path, tuple[str, ...]] | None:
        """Write the candidate."""
        document = self._read(task.file)
        before = document.text()
        actions = _PASSES[task.pass_name](document)
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
