"""The state that a compiled function runs on, and the record of one run."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ..mir.model import Instruction
from .words import ARRAY, POISON

THREADS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place in the text where an event happens.

    key: what must be equal on both sides. optional: a load, which may go when nobody wants its result.
    operands: for each word of the event, the operand's spelling and the lane in it.
    """

    key: int
    optional: bool
    block: int
    line: int
    instruction: Instruction
    operands: tuple[tuple[str, int], ...]


class Outcome(enum.Enum):
    """How a run ended."""

    END = "end"
    """At an instruction that leaves the function."""
    LIMIT = "limit"
    """After `Limits.steps` instructions, at the entry of a block; the other side: where its decisions end."""
    LOST = "lost"
    """EXEC became undefined, so that it is not known what is executed."""
    STRAY = "stray"
    """Control fell out of the last block."""


@dataclass(slots=True)
class Run:
    """One run. events: (key, words) in order; sites: where each happened; decisions: conditional branches taken.

    visits: how often each block was entered. results: what the instructions of a watched block computed.
    """

    seed: int
    events: list[tuple[int, tuple[int, ...]]] = field(default_factory=list[tuple[int, tuple[int, ...]]])
    sites: list[Site] = field(default_factory=list[Site])
    decisions: list[bool] = field(default_factory=list[bool])
    visits: dict[int, int] = field(default_factory=dict[int, int])
    results: list[tuple[Site, tuple[int, ...]]] = field(default_factory=list[tuple[Site, tuple[int, ...]]])
    outcome: Outcome = Outcome.STRAY


class Machine:
    """What the closures of one program share.

    words: one for each place; the list object stays the same, so closures may hold it, as they may `events`,
    `sites` and `results`. mask: the largest word. thread: the followed thread. active: its bit of EXEC. lost:
    that bit is undefined. epoch: how many effects happened so far. stale: places of vector registers that died
    while the thread was off.
    """

    def __init__(self, granule: int) -> None:
        self.mask = (1 << granule) - 1
        self.words: list[int] = []
        self.events: list[tuple[int, tuple[int, ...]]] = []
        self.sites: list[Site] = []
        self.results: list[tuple[Site, tuple[int, ...]]] = []
        self.arrays: list[tuple[int, ...]] = []
        self.stale: set[int] = set()
        self.seed = self.thread = self.epoch = 0
        self.active, self.lost = True, False

    def start(self, seed: int, thread: int, initial: list[int]) -> None:
        """Forget the last run."""
        self.words[:] = initial
        self.seed, self.thread, self.epoch = seed, thread, 0
        self.active, self.lost = True, False
        self.events.clear()
        self.sites.clear()
        self.results.clear()
        self.arrays.clear()
        self.stale.clear()

    def array(self, word: int) -> tuple[int, ...]:
        """What each thread of a vector register holds, given the register's word."""
        if word <= ARRAY:
            return self.arrays[ARRAY - word]
        if word < 0:
            return (POISON,) * THREADS
        return tuple([hash((word, k)) & self.mask for k in range(THREADS)])

    def new_array(self, values: tuple[int, ...]) -> int:
        """The word of a vector register that holds these."""
        self.arrays.append(values)
        return ARRAY - (len(self.arrays) - 1)

    def set_active(self, bit: int | None) -> None:
        """EXEC was written: the followed thread is now on (1), off (0), or nobody knows."""
        if bit is None:
            self.lost = True
        elif bit and not self.active:
            self.active = True
            for place in self.stale:
                self.words[place] = POISON
            self.stale.clear()
        else:
            self.active = bool(bit)
