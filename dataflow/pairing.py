"""Pairs the instructions of a block before and after allocation.

What allocation may do: move values (copies, spills, reloads, moves of immediates), rebuild pure results
where they are wanted (rematerialisation, also before or without the original), and drop pure instructions
and loads whose results nobody wants. It never reorders or changes what has an effect.

So: instructions that only move values are not paired at all, the check executes them. Effects and loads are
anchors and must pair off one to one, in order. Between anchors pure instructions are paired by longest
common subsequence of keys (opcode, immediates, memory operands); the rest stays one-sided and is evaluated
as an expression. A pair is *certain* when no other choice was possible; for an uncertain pair unequal
operands say nothing, the two are then evaluated apart.

What this proves nothing about: the meaning of an opcode. Equal key and equal operands give equal results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .mir.model import Block, Effect, Instruction, Role


@dataclass(frozen=True, slots=True)
class Pair:
    """Indices into the two blocks' instruction lists; None on the side that has no counterpart."""

    before: int | None
    after: int | None
    certain: bool


@dataclass(frozen=True, slots=True)
class BlockPairing:
    """pairs in program order. missing, extra: effects without a counterpart (indices before / after)."""

    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def pair_blocks(
    before: Block,
    after: Block,
    lane_moves: frozenset[Role],
    brackets: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset()),
) -> BlockPairing:
    """Pair two blocks. lane_moves are further roles that are paired rather than executed.

    brackets: of each block the instructions to leave out (see `brackets`).
    """
    left, right = (
        [k for k, i in enumerate(b.instructions) if (i.role is Role.ORDINARY or i.role in lane_moves) and k not in skip]
        for b, skip in zip((before, after), brackets, strict=True)
    )
    a, b = before.instructions, after.instructions
    if len(left) == len(right) and all(a[i] is b[j] or a[i].key == b[j].key for i, j in zip(left, right, strict=True)):
        return BlockPairing(tuple(Pair(i, j, certain=True) for i, j in zip(left, right, strict=True)), (), ())
    return _pair_with_differences(a, b, left, right)


def _pair_with_differences(
    a: Sequence[Instruction], b: Sequence[Instruction], left: list[int], right: list[int]
) -> BlockPairing:
    def is_anchor(i: Instruction) -> bool:
        return i.effect is not Effect.NONE or i.role is not Role.ORDINARY

    anchors_a = [i for i in left if is_anchor(a[i])]
    anchors_b = [j for j in right if is_anchor(b[j])]
    missing: list[int] = []
    extra: list[int] = []
    matched: list[tuple[int, int]] = []
    for i, j in _align([a[i].key for i in anchors_a], [b[j].key for j in anchors_b]):
        if i is not None and j is not None:
            matched.append((anchors_a[i], anchors_b[j]))
        elif i is not None:
            if a[anchors_a[i]].effect is not Effect.LOAD:
                missing.append(anchors_a[i])
        elif j is not None:
            extra.append(anchors_b[j])
    counts_a, counts_b = Counter(a[i].key for i in left), Counter(b[j].key for j in right)
    pairs: list[Pair] = []
    at_a = at_b = 0
    for i, j in [*matched, (len(a), len(b))]:
        segment_a = [x for x in left[at_a:] if x < i]
        segment_b = [y for y in right[at_b:] if y < j]
        at_a += len(segment_a)
        at_b += len(segment_b)
        pairs += _pair_segment(a, b, segment_a, segment_b, counts_a, counts_b)
        if i < len(a):
            pairs.append(Pair(i, j, certain=True))
            at_a += 1
            at_b += 1
    return BlockPairing(tuple(pairs), tuple(missing), tuple(extra))


def _pair_segment(
    a: Sequence[Instruction],
    b: Sequence[Instruction],
    left: list[int],
    right: list[int],
    counts_a: Counter[tuple[object, ...]],
    counts_b: Counter[tuple[object, ...]],
) -> list[Pair]:
    aligned = _align([a[i].key for i in left], [b[j].key for j in right])
    exact = len(left) == len(right) == len(aligned)
    pairs: list[Pair] = []
    for i, j in aligned:
        if i is None or j is None:
            pairs.append(Pair(None if i is None else left[i], None if j is None else right[j], certain=False))
            continue
        key = a[left[i]].key
        pairs.append(Pair(left[i], right[j], exact or (counts_a[key] == 1 and counts_b[key] == 1)))
    return pairs


def _align(left: Sequence[object], right: Sequence[object]) -> list[tuple[int | None, int | None]]:
    """Longest common subsequence; unmatched elements of the left come before those of the right."""
    n, m = len(left), len(right)
    head = 0
    while head < n and head < m and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < n - head and tail < m - head and left[n - 1 - tail] == right[m - 1 - tail]:
        tail += 1
    result: list[tuple[int | None, int | None]] = [(k, k) for k in range(head)]
    at_left = at_right = head
    inner = [(head + i, head + j) for i, j in _common(left[head : n - tail], right[head : m - tail])]
    for i, j in [*inner, (n - tail, m - tail)]:
        result += [(k, None) for k in range(at_left, i)]
        result += [(None, k) for k in range(at_right, j)]
        if i < n - tail:
            result.append((i, j))
        at_left, at_right = i + 1, j + 1
    result += [(n - tail + k, m - tail + k) for k in range(tail)]
    return result


def _common(left: Sequence[object], right: Sequence[object]) -> list[tuple[int, int]]:
    """Indices of a longest common subsequence, by E. Myers, An O(ND) Difference Algorithm (1986).

    Not difflib: what it finds may be shorter, and then an instruction is paired with another one's copy.
    """
    numbers: dict[object, int] = {}
    a, b = ([numbers.setdefault(key, len(numbers)) for key in side] for side in (left, right))
    n, m = len(a), len(b)
    if not n or not m:
        return []
    # furthest[d][k]: how far into a, on the diagonal k = i - j, one gets with d elements left unmatched
    furthest: list[dict[int, int]] = [{1: 0}]
    for d in range(n + m + 1):
        before, now = furthest[-1], dict[int, int]()
        for k in range(-d, d + 1, 2):
            down = k == -d or (k != d and before[k - 1] < before[k + 1])
            i = before[k + 1] if down else before[k - 1] + 1
            while i < n and i - k < m and a[i] == b[i - k]:
                i += 1
            now[k] = i
            if i >= n and i - k >= m:
                return _walk_back(furthest, n, m)
        furthest.append(now)
    raise AssertionError("n + m elements left unmatched are enough")


def _walk_back(furthest: Sequence[dict[int, int]], i: int, j: int) -> list[tuple[int, int]]:
    """The matches on the way that `_common` found, from its end (i, j)."""
    matches: list[tuple[int, int]] = []
    for d in range(len(furthest) - 1, -1, -1):
        before, k = furthest[d], i - j
        down = k == -d or (k != d and before[k - 1] < before[k + 1])
        start = before[k + 1] if down else before[k - 1] + 1
        while i > start:
            i, j = i - 1, j - 1
            matches.append((i, j))
        i, j = (i, j - 1) if down else (i - 1, j)
    return matches[::-1]
