"""Words of which not everything is known."""

from __future__ import annotations

from regtriage.dataflow.interpret.words import BIT_CLEAR, BIT_SET, POISON, combine

MASK = 0xFFFFFFFF


def and_(a: int, b: int) -> int:
    return a & b


def or_(a: int, b: int) -> int:
    return a | b


def xor(a: int, b: int) -> int:
    return a ^ b


def test_one_bit_is_followed():
    assert combine(or_, BIT_SET, BIT_CLEAR, 3, MASK, first=True) == BIT_SET
    assert combine(and_, BIT_SET, 0b1000, 3, MASK, first=True) == BIT_SET
    assert combine(xor, BIT_SET, 0b1000, 3, MASK, first=True) == BIT_CLEAR
    assert combine(xor, POISON, 0b1000, 3, MASK, first=True) == POISON
    assert combine(or_, BIT_SET, 5, 3, MASK, first=False) == POISON


def test_a_known_word_may_decide_alone():
    for first in (True, False):
        assert combine(or_, POISON, MASK, 3, MASK, first=first) == MASK
        assert combine(and_, 0, BIT_SET, 3, MASK, first=first) == 0
        assert combine(lambda a, b: a & ~b, BIT_SET, MASK, 3, MASK, first=first) == 0
    assert combine(or_, POISON, MASK - 1, 3, MASK, first=True) == BIT_SET
