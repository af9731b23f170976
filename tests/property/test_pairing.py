"""Pairing finds as many pairs as there can be: another choice would pair an instruction with another one's copy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from regtriage.dataflow.mir.model import Block, Instruction
from regtriage.dataflow.pairing import pair_blocks

OPCODES = st.lists(st.sampled_from(("S_ADD_U32", "S_ADDC_U32", "S_MUL_I32", "S_LOAD_DWORD_IMM")), max_size=10)


def block(opcodes: Sequence[str]) -> Block:
    instructions = [Instruction(o, (), (), (), (), (), "", "", frozenset(), o, key=(o,)) for o in opcodes]
    return Block(0, "", 1, instructions, list(range(2, len(opcodes) + 2)))


def longest(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(right) + 1)
    for x in left:
        above = row
        row = [0]
        for n, y in enumerate(right):
            row.append(above[n] + 1 if x == y else max(above[n + 1], row[n]))
    return row[-1]


@given(OPCODES, OPCODES)
def test_as_many_pairs_as_there_can_be(left: list[str], right: list[str]):
    pairs = pair_blocks(block(left), block(right), frozenset()).pairs
    both = [(p.before, p.after) for p in pairs if p.before is not None and p.after is not None]
    assert len(both) == longest(left, right)
    assert all(left[i] == right[j] for i, j in both)
    assert all(i < k and j < n for (i, j), (k, n) in pairwise(both))
    assert [p.before for p in pairs if p.before is not None] == list(range(len(left)))
    assert [p.after for p in pairs if p.after is not None] == list(range(len(right)))
