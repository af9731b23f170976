"""Choices that are the same for the same seed, whatever the Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """A source of choices. Only `Random.random` is used: its sequence is the one that Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self._random() < probability

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def pick(self, choices: Sequence[_T]) -> _T:
        """One of them."""
        return choices[int(self._random() * len(choices))]

    def weighted(self, choices: Sequence[tuple[_T, float]]) -> _T:
        """One of them, each as likely as its weight says."""
        at = self._random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            at -= weight
            if at < 0:
                return choice
        return choices[-1][0]

    def some(self, choices: Sequence[_T], count: int) -> list[_T]:
        """That many different ones, in random order, or all if there are fewer."""
        left = list(choices)
        return [left.pop(int(self._random() * len(left))) for _ in range(min(count, len(left)))]
