"""Which way a conditional branch goes in the run of the function before allocation.

An allocation has to be right on every path of the graph, so any decision will do. But on a path that no input
takes, much is undefined, and what is undefined can hide a difference. So runs come in three kinds, by seed:

  * faithful: as the condition says, which for anything but constants and flags is as good as random;
  * guided (half of the runs): where the condition follows from constants and flags, as it says, else towards a
    goal four times in five;
  * bold: towards a goal four times in five, whatever the condition says, but for EXEC being zero or not.

The goal is a block that is wanted a few times: the focus if there is one, else any block that the seed picks, so
that the rare ones get their share of runs. No loop has to be believed to end: a block that was entered too often
is left by the way that leads to the function's end. Everything is a function of the seed and of what was read.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from ..mir.model import MachineFunction

_FAR = 1 << 30
_TOWARDS_GOAL = 0.8
_PATIENCE = 16
"""Entries of a block after which its loop is left though constants say that it goes on."""
_MORE_PATIENCE = 40
"""And though nothing else can happen."""


class Kind(enum.Enum):
    """How a run decides."""

    FAITHFUL = enum.auto()
    GUIDED = enum.auto()
    BOLD = enum.auto()


_KINDS = (Kind.FAITHFUL, Kind.GUIDED, Kind.BOLD, Kind.GUIDED)


@dataclass(frozen=True, slots=True)
class Fork:
    """A conditional branch: the block it is in, the one it names, and those control may reach otherwise."""

    block: int
    target: int
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """What a branch depends on. words: its operands. taken: what they say, None if that is not known.

    settled: they say so for this program's constants and flags, not by a hash. fact: nothing else can happen.
    """

    words: tuple[int, ...]
    taken: bool | None = None
    settled: bool = False
    fact: bool = False


class Explorer:
    """Decides for one function. Stateless between decisions but for `begin`."""

    def __init__(self, function: MachineFunction, focus: int | None) -> None:
        self._predecessors: dict[int, list[int]] = {b.number: [] for b in function.blocks}
        for block in function.blocks:
            for following in block.successors:
                self._predecessors[following].append(block.number)
        exits = [b.number for b in function.blocks if not b.successors]
        self._to_exit = _distances(exits, self._predecessors)
        self._goals = [b.number for b in function.blocks] if focus is None else [focus]
        self._to_goals: dict[int, dict[int, int]] = {}
        self._seed = self._entries = self._wanted = self._goal = 0
        self._to_goal: dict[int, int] = {}
        self._kind = Kind.GUIDED

    def begin(self, seed: int) -> None:
        """Start a run: its kind, its goal, how often that is wanted and how often any block may be entered."""
        self._seed, self._kind = seed, _KINDS[seed % len(_KINDS)]
        self._goal = self._goals[hash((seed, 4)) % len(self._goals)]
        if self._goal not in self._to_goals:
            self._to_goals[self._goal] = _distances([self._goal], self._predecessors)
        self._to_goal = self._to_goals[self._goal]
        self._wanted = 1 + hash((seed, 1)) % 3
        self._entries = self._wanted + hash((seed, 2)) % 3

    def takes(self, fork: Fork, condition: Condition, visits: dict[int, int]) -> bool:
        """The branch is taken. visits: entries of each block so far."""
        count = visits.get(fork.block, 0)
        believed = condition.fact or (condition.settled and self._kind is not Kind.BOLD)
        patience = _MORE_PATIENCE if condition.fact else _PATIENCE
        if condition.taken is not None and believed and count <= patience:
            return condition.taken
        if count > self._entries:
            nearer = _compare(self._to_exit, fork)
            if nearer is not None:
                return nearer
        if condition.taken is not None and self._kind is Kind.FAITHFUL:
            return condition.taken
        chance = hash((self._seed, condition.words or (fork.block,), count)) & 0xFFFF
        if self._kind is not Kind.FAITHFUL and visits.get(self._goal, 0) < self._wanted:
            nearer = _compare(self._to_goal, fork)
            if nearer is not None and chance < _TOWARDS_GOAL * 0x10000:
                return nearer
        return bool(hash((chance, self._seed)) & 0x10)


def _compare(distance: dict[int, int], fork: Fork) -> bool | None:
    """Taking the branch is nearer (True), not taking it is (False), or there is no difference."""
    taken = distance.get(fork.target, _FAR)
    other = min((distance.get(b, _FAR) for b in fork.others), default=_FAR)
    return None if taken == other else taken < other


def _distances(goals: Iterable[int], predecessors: dict[int, list[int]]) -> dict[int, int]:
    result = dict.fromkeys(goals, 0)
    queue = list(result)
    for block in queue:
        for earlier in predecessors[block]:
            if earlier not in result:
                result[earlier] = result[block] + 1
                queue.append(earlier)
    return result
