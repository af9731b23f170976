"""Ways to make MIR smaller by its lines, registers and header, and the names of all passes.

Deleting an instruction deletes what reads its results too, and what reads those: a read without a definition would be
an undefined lane that the original did not have. LLVM's parser and verifier judge what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .mir_flow import Action, bodies, edges, joins, returns
from .mir_text import REGISTER, TERMINATOR, Document, TextBlock, class_name, classes_of, defined, places, used


def _delete(block: TextBlock, index: int) -> Action:
    line = block.lines[index]

    def act(document: Document) -> None:
        # another target of the same candidate may have deleted lines before it
        for at, other in enumerate(block.lines):
            if other is line:
                del block.lines[at]
                return

    return act


def _changes(document: Document, change: Callable[[str], str]) -> list[Action]:
    """One line each that this changes."""

    def at(block: TextBlock, line: str) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [change(other) if other is line else other for other in block.lines]

        return act

    return [at(b, b.lines[i]) for b, i in places(document) if change(b.lines[i]) != b.lines[i]]


def lines(document: Document) -> list[Action]:
    """One line each, with nothing else."""
    return [_delete(block, index) for block, index in places(document)]


def values(document: Document) -> list[Action]:
    """One line each that defines something, with all that reads it."""
    return [
        _delete_values(block, index)
        for block, index in places(document)
        if defined(block.lines[index]) and not TERMINATOR.match(block.lines[index])
    ]


def _delete_values(block: TextBlock, index: int) -> Action:
    line = block.lines[index]
    only = _delete(block, index)

    def act(document: Document) -> None:
        gone = set(defined(line))
        only(document)
        while True:
            remaining = {d for b, i in places(document) for d in defined(b.lines[i])}
            missing = gone - remaining
            found = [
                (b, b.lines[i])
                for b, i in places(document)
                if missing & used(b.lines[i]) and not TERMINATOR.match(b.lines[i])
            ]
            if not found:
                return
            for holder, reader in found:
                gone |= set(defined(reader))
                holder.lines[:] = [other for other in holder.lines if other is not reader]

    return act


def registers(document: Document) -> list[Action]:
    """All lines that define a register, and all that read it."""
    names = list(dict.fromkeys(d for b, i in places(document) for d in defined(b.lines[i])))

    def delete(name: str) -> Action:
        def act(document: Document) -> None:
            for block in document.blocks:
                block.lines[:] = [
                    line
                    for line in block.lines
                    if TERMINATOR.match(line) or (name not in used(line) and name not in defined(line))
                ]

        return act

    return [delete(name) for name in names]


def substitutes(document: Document) -> list[Action]:
    """Where a line reads a register, it reads another one that is read elsewhere, of the same class and lane."""
    classes = classes_of(document)
    reads: list[tuple[TextBlock, str, str, str]] = []
    first: dict[str, str] = {}
    for block, index in places(document):
        line = block.lines[index]
        for name in sorted(used(line), key=int):
            known = first.setdefault(classes.get(name, ""), name)
            if known != name:
                reads.append((block, line, name, known))

    def substitute(block: TextBlock, line: str, old: str, new: str) -> Action:
        def act(document: Document) -> None:
            for at, other in enumerate(block.lines):
                if other is line:
                    left, equals, right = line.partition(" = ")
                    if equals and '"' not in left:
                        block.lines[at] = left + equals + re.sub(rf"%{old}\b", f"%{new}", right)

        return act

    return [substitute(*read) for read in reads]


def makers(document: Document) -> list[Action]:
    """What a block writes into lanes of a register is made by one statement, where the last or the first write was."""
    known = classes_of(document)
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
    return f'INLINEASM &"; def $0", sideeffect attdialect, regdef:{class_name(class_)}, def %{name}:{class_}'


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
    for name, class_ in classes_of(document).items():
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
    at_operand = re.compile(rf"(reg(?:def|use):)\w+(, (?:(?:def|dead|early-clobber|undef|killed) )*%{name}\b(?!\.))")
    lanes = re.compile(rf"%{name}\.(\w+)")

    def is_beyond(line: str) -> bool:
        written = lanes.findall(line.partition(" = ")[0]) if " = " in line else []
        return any(int(n) >= size // 32 for lane in written for n in _LANE.findall(lane))

    def act(document: Document) -> None:
        for block in document.blocks:
            kept = [line for line in block.lines if not is_beyond(line)]
            block.lines[:] = [
                at_operand.sub(rf"\g<1>{class_name(new)}\g<2>", at_definition.sub(rf"\g<1>{new}", s)) for s in kept
            ]

    return act


_FLAG = re.compile(r"\b(?:renamable|nuw|nsw|exact|disjoint|nofpexcept|reassoc|contract|afn|arcp|ninf|nnan|nsz|dead) ")


def flags(document: Document) -> list[Action]:
    """Flags of one line that only say more than the instruction does without them."""
    return _changes(document, lambda line: line if '"' in line else _FLAG.sub("", line))


_IMMEDIATE = re.compile(r"(?<=, |= )-?[1-9]\d*(?=,|$)")
_FIRST_IMMEDIATE = re.compile(r"(?<=MOV_B32 )-?[1-9]\d*(?=,|$)")


def immediates(document: Document) -> list[Action]:
    """The constants of one line are zero."""
    return _changes(document, _zeros)


def _zeros(line: str) -> str:
    if '"' in line or TERMINATOR.match(line):
        return line
    head, separator, memory = line.partition(" :: ")
    return _FIRST_IMMEDIATE.sub("0", _IMMEDIATE.sub("0", head)) + separator + memory


def memory_operands(document: Document) -> list[Action]:
    """The memory operands of one line."""
    return _changes(document, lambda line: line.split(" :: ")[0])


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
        for block, index in places(document):
            for name in REGISTER.findall(block.lines[index].split(" :: ")[0]):
                known.setdefault(name, str(len(known)))
        blocks = {str(b.number): str(n) for n, b in enumerate(document.blocks)}
        for block in document.blocks:
            block.lines[:] = [
                re.sub(r"%bb\.(\d+)\b", lambda m: f"%bb.{blocks.get(m[1], m[1])}", REGISTER.sub(_number(known), line))
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


PASSES: dict[str, Callable[[Document], list[Action]]] = {
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
