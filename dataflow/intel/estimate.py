"""How much scratch a dot on the FMA path needs in a thread: a formula, with its error stated. No constant is fitted.

A thread runs `lanes` lanes in step, each with its own m x n part of the result. Values that are live together and do
not fit in registers are spilled, and against hundreds of kilobytes the register file (4 KiB) hardly counts. With
w bytes for an element of an operand at the dot (4, once f16 is promoted), u for one of the accumulator:

    full   = lanes * (K*m*w + K*n*w + C + carried)     all of A and B is loaded before the first product
    C      = m*n*u if the accumulator holds values when the dot begins, else 0: results appear as rows of A die
    carried                                            what the loop carries besides, see dots.py

Loads from shared memory sink to their uses unless a barrier follows them:

    A pinned, B sunk   lanes * (K*m*w + C + carried)         if the accumulators take at most a quarter of the
                                                             registers, so that products can be taken K first
    A sunk             lanes * (K*n*w + m*n*u + carried)     if A is not pinned (f32, which needs no promotion):
                                                             rows of A come one by one, B and the results stay

The first of these two was read off three kernels and then held on four measured later. The second is what IGC 2.40
does to most dots that are not pinned; with 8192 products a lane or more it gave up on five of six and spilled `full`.
Nothing in the text decides which, so both ends are given.

Error of the estimate, in percent of what IGC 2.40.14 spilled for arl-s (kernels over 12 KiB, where 4 KiB of registers
no longer count). `first` is the table that the formula was written beside, `later` was measured when it stood:

    kind              first: kernels, lowest, highest     later: kernels, lowest, highest
    pinned                22     -1.2      +5.3              9     -0.4      +0.4
    pinned, B sunk         3     +0.7      +9.4              4     -2.6      +8.9
    not pinned            12    -12.7      +0.9              1    -24.1               and one +664

The last is the sixth of the six, which IGC sank although it has 16384 products: its verdict is OVER, sureness
`likely`, and wrong. The verdict leaves a margin, MARGIN, about twice the largest error of the pinned kinds: FITS only
if even `full`, the highest figure that the text allows, stays below the cap by it. Leaving one pinned kernel out and
doubling the largest error of the other 21 covers the one that was left out, for each of them.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from .devices import Device
from .dots import Form, Shape

MARGIN = 0.10
MANY_PRODUCTS = 8192
"""Products of a lane from which on IGC was seen to keep all operands in registers although it need not."""


class Fit(enum.StrEnum):
    """Against the cap of the device."""

    FITS = "FITS"
    BORDERLINE = "BORDERLINE"
    OVER = "OVER"


class Sureness(enum.StrEnum):
    """How far a verdict can be relied on.

    HIGH: the formula was right within a few percent on kernels of this kind. LIKELY: right on most of them. LOW: the
    answer depends on what the compiler chooses, or the margin is too small.
    """

    HIGH = "high"
    LIKELY = "likely"
    LOW = "low"


class Kind(enum.StrEnum):
    """Which of the formulas applies."""

    PINNED = "pinned"
    B_SUNK = "pinned, B sunk"
    FREE = "not pinned"


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the sum. what: in words; bytes: of a thread."""

    what: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """bytes: the best guess. low, high: the ends of what the compiler may make of it. terms: of `high`."""

    bytes: int
    low: int
    high: int
    kind: Kind
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """why: in one clause."""

    fit: Fit
    sureness: Sureness
    why: str


def estimate(shape: Shape, register_file: int = 4096) -> Estimate:
    """The scratch of one dot. register_file: bytes of registers of a thread."""
    tile, lanes = shape.tile, shape.lanes
    a = lanes * tile.k * tile.m * shape.operand
    b = lanes * tile.k * tile.n * shape.operand
    results = lanes * tile.m * tile.n * shape.accumulator
    live = results if shape.live_accumulator else 0
    carried = lanes * shape.carried
    terms = [Term(f"A: {lanes} lanes x {tile.m} x {tile.k} x {shape.operand} B", a)]
    terms += [Term(f"B: {lanes} lanes x {tile.k} x {tile.n} x {shape.operand} B", b)]
    if live:
        terms.append(Term(f"accumulator: {lanes} lanes x {tile.m} x {tile.n} x {shape.accumulator} B", live))
    if carried:
        terms.append(Term(f"carried by the loop: {lanes} lanes x {shape.carried} B", carried))
    full = a + b + live + carried
    if not shape.pinned:
        sunk = b + results + carried
        best = full if tile.fma >= MANY_PRODUCTS else min(sunk, full)
        return Estimate(best, min(sunk, full), full, Kind.FREE, tuple(terms))
    if results <= register_file // 4:
        sunk = a + live + carried
        return Estimate(sunk, sunk, full, Kind.B_SUNK, tuple(terms))
    return Estimate(full, full, full, Kind.PINNED, tuple(terms))


def staged_estimate(shape: Shape, k_tile: int, form: Form, register_file: int = 4096) -> Estimate:
    """The same dot cut into slices of k_tile (staging.py): the operands of one slice, and a live accumulator.

    In the loop's body no barrier stands behind the loads, so A can sink; unrolled, IGC keeps a slice's operands whole.
    docs/intel.md has what was measured beside it.
    """
    tile = replace(shape.tile, k=k_tile)
    pinned = form is Form.UNROLLED
    return estimate(replace(shape, tile=tile, pinned=pinned, live_accumulator=True), register_file)


def judge(guess: Estimate, device: Device) -> Judgement:
    """The verdict. Never FITS where any figure that the text allows, with the margin, is over the cap."""
    cap = device.ptss_cap
    above, below = cap * (1 + MARGIN), cap * (1 - MARGIN)
    if guess.high <= below:
        return Judgement(Fit.FITS, Sureness.HIGH, f"at most {_share(guess.high, cap)} of the cap")
    if guess.low > above:
        return Judgement(
            Fit.OVER, Sureness.HIGH, f"at least {_share(guess.low, cap)} of the cap, {guess.low - cap} bytes over"
        )
    if guess.kind is Kind.FREE and guess.bytes > above:
        why = (
            f"{_share(guess.bytes, cap)} of the cap unless the compiler sinks the loads of A ({_share(guess.low, cap)})"
        )
        return Judgement(Fit.OVER, Sureness.LIKELY, why)
    if guess.low != guess.high and guess.low <= below:
        why = f"between {_share(guess.low, cap)} and {_share(guess.high, cap)} of the cap, as the compiler chooses"
        return Judgement(Fit.BORDERLINE, Sureness.LOW, why)
    why = f"{_share(guess.bytes, cap)} of the cap, nearer than the formula is sure of ({MARGIN:.0%})"
    return Judgement(Fit.BORDERLINE, Sureness.LOW, why)


def _share(part: int, cap: int) -> str:
    return f"{100 * part / cap:.0f} %"
