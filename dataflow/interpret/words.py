"""Words: what a lane holds in the interpreter, and the hash that stands for every operation.

A word is an int. Not negative: a known value, less than 2 to the granule. Negative: not a value that anything
may depend on, and one of

    POISON      undefined
    BIT_CLEAR   undefined, but the bit of the followed thread is 0 (a lane mask of which only that is known)
    BIT_SET     undefined, but the bit of the followed thread is 1
    <= ARRAY    names an entry of `Machine.arrays`: a vector register written thread by thread

The hash is that of tuples of ints, which Python does not randomise, over fingerprints of text made with
BLAKE2: runs are the same in every process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b

POISON = -1
BIT_CLEAR = -2
BIT_SET = -3
ARRAY = -16

Bitwise = Callable[[int, int], int]


@cache
def fingerprint(text: str) -> int:
    """A number for a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "little")


def bit_of(word: int, thread: int) -> int | None:
    """The followed thread's bit of a mask word, None if unknown."""
    if word >= 0:
        return word >> thread & 1
    return {BIT_CLEAR: 0, BIT_SET: 1}.get(word)


def combine(operation: Bitwise, a: int, b: int, thread: int, mask: int, *, first: bool) -> int:
    """A bitwise operation on words at least one of which is not known.

    first: the words are the first of their operands, those with the followed thread's bit. The result is known
    where the other word decides it alone, as all ones do in an OR.
    """
    lowest = operation(max(a, 0), max(b, 0)) & mask
    if (a >= 0) != (b >= 0) and lowest == operation(a if a >= 0 else mask, b if b >= 0 else mask) & mask:
        return lowest
    if not first:
        return POISON
    return mask_word(operation(x, y) & 1 for x in _bits(a, thread) for y in _bits(b, thread))


def mask_word(bits: Iterable[int]) -> int:
    """The word of which only the followed thread's bit is known to be one of bits."""
    possible = set(bits)
    return (BIT_SET if possible.pop() else BIT_CLEAR) if len(possible) == 1 else POISON


def _bits(word: int, thread: int) -> tuple[int, ...]:
    bit = bit_of(word, thread)
    return (0, 1) if bit is None else (bit,)


def is_plain(word: int, mask: int) -> bool:
    """The word looks like a constant of the program or a flag made from some, not like a hash."""
    return 0 <= word < 256 or word == mask


def nonzero(words: Iterable[int], mask: int) -> int:
    """Whether some bit is set, as a word whose lowest bit is the answer.

    A hash would practically always be nonzero, so for one the answer is a bit of a hash of it: then the word is
    more than 1. POISON if it cannot be told.
    """
    values = tuple(words)
    if all(is_plain(v, mask) for v in values):
        return int(any(values))
    if BIT_SET in values:
        return 1
    return POISON if min(values) < 0 else free_bit(hash(values), mask)


def free_bit(number: int, mask: int) -> int:
    """A word that is neither 0 nor 1, whose lowest bit is as good as random."""
    return hash((number, 5)) & mask | 2
