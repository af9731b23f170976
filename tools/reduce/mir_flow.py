"""Ways to make MIR smaller by its blocks and edges."""

from __future__ import annotations

import re
from collections.abc import Callable

from .mir_text import SUCCESSORS, TERMINATOR, Document, TextBlock

_BRANCH = re.compile(r"S_BRANCH|S_CBRANCH_\w+")

Action = Callable[[Document], None]
"""One target: what is done there."""


def bodies(document: Document) -> list[Action]:
    """All of a block but its terminators."""

    def empty(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [line for line in block.lines if TERMINATOR.match(line)]

        return act

    return [empty(block) for block in document.blocks]


def edges(document: Document) -> list[Action]:
    """A block always goes one way; blocks that nothing reaches go."""

    def keep(block: TextBlock, target: int) -> Action:
        def act(document: Document) -> None:
            if len(block.targets()) < 2 or target not in block.targets():
                return
            block.lines[:] = [line for line in block.lines if not TERMINATOR.match(line)]
            block.lines.append(f"S_BRANCH %bb.{target}")
            block.successors, block.weights = [target], {}
            _drop_unreached(document)

        return act

    return [keep(b, t) for b in document.blocks for t in b.targets() if len(b.targets()) > 1]


def returns(document: Document) -> list[Action]:
    """A block ends the program; blocks that nothing reaches go."""

    def end(block: TextBlock) -> Action:
        def act(document: Document) -> None:
            block.lines[:] = [line for line in block.lines if not TERMINATOR.match(line)]
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
        own = [line for line in block.lines if not TERMINATOR.match(line)]
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
            branch_explicitly(other)

    return act


def _redirect(block: TextBlock, old: int, new: int) -> None:
    if block.successors is not None:
        block.successors = list(dict.fromkeys(new if n == old else n for n in block.successors))
        if old in block.weights:
            block.weights = {}
    for at, line in enumerate(block.lines):
        if _BRANCH.match(line):
            block.lines[at] = re.sub(rf"%bb\.{old}\b", f"%bb.{new}", line)


def branch_explicitly(block: TextBlock) -> None:
    """Write the branch out that falling through to the next block stands for."""
    named = {int(n) for line in block.lines if _BRANCH.match(line) for n in SUCCESSORS.findall(line)}
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
