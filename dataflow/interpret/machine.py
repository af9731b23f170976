"""The state that a compiled function runs on, and the record of one run."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..mir.model import Instruction
from .words import ARRAY, POISON

THREADS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place in the text where an event happens.

    key: what must be equal on both sides. operands: for each word of the event, the operand's spelling and the
    lane in it. optional: a load, which may go when nobody wants its result.
    """

    key: int
    block: int
    line: int
    instruction: Instruction
    operands: tuple[tuple[str, int], ...]
    optional: bool = False


class Outcome(enum.Enum):
    """How a run ended."""

    END = "end"
    """At an instruction that leaves the function."""
    LIMIT = "limit"
    """At the entry of a block, after as many instructions as allowed, or where the followed run was stopped."""
    LOST = "lost"
    """EXEC became undefined, so that it is not known what is executed."""
    STRAY = "stray"
    """Control fell out of the last block."""


@dataclass(slots=True)
class Run:
    """One run.

    events: (key, words) in order; sites: where each happened. decisions: of the conditional branches, whether
    taken. thread_on: for each write of EXEC, whether the followed thread was on after it. visits: how often each
    block was entered. results: what the instructions of a watched block computed.
    """

    seed: int
    events: list[tuple[int, tuple[int, ...]]] = field(default_factory=list[tuple[int, tuple[int, ...]]])
    sites: list[Site] = field(default_factory=list[Site])
    decisions: list[bool] = field(default_factory=list[bool])
    thread_on: list[bool] = field(default_factory=list[bool])
    visits: dict[int, int] = field(default_factory=dict[int, int])
    results: list[tuple[Site, tuple[int, ...]]] = field(default_factory=list[tuple[Site, tuple[int, ...]]])
    outcome: Outcome = Outcome.STRAY


class Machine:
    """What the closures of one program share.

    words: one for each place; the list object stays the same, so closures may hold it, as they may `events`,
    `sites` and `results`. mask: the largest word. thread: the followed thread. active: its bit of EXEC; if
    another run is followed, it is the one `given`. lost: that bit is not known. epoch: how many effects
    happened so far. stale: places of vector registers that died while the thread was off. outside: while all
    threads are on for a move of the allocator's (see `wholewave`), whether the followed thread was on before.
    """

    def __init__(self, granule: int) -> None:
        self.mask = (1 << granule) - 1
        self.words: list[int] = []
        self.events: list[tuple[int, tuple[int, ...]]] = []
        self.sites: list[Site] = []
        self.results: list[tuple[Site, tuple[int, ...]]] = []
        self.arrays: list[tuple[int, ...]] = []
        self.stale: set[int] = set()
        self.seed = self.thread = self.epoch = self.foreign = 0
        self.active, self.lost = True, False
        self.outside: bool | None = None
        self.thread_on: list[bool] = []
        self.given: Iterator[bool] | None = None

    def start(self, seed: int, thread: int, initial: list[int], given: Iterable[bool] | None) -> None:
        """Forget the last run."""
        self.words[:] = initial
        self.seed, self.thread, self.epoch, self.foreign = seed, thread, 0, 0
        self.active, self.lost, self.outside = True, False, None
        self.thread_on.clear()
        self.given = None if given is None else iter(given)
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

    def undefine(self, scalars: tuple[int, ...], vectors: tuple[int, ...]) -> None:
        """These hold nothing any more; vector registers do for the followed thread until it is on again."""
        for place in scalars:
            self.words[place] = POISON
        if self.active:
            for place in vectors:
                self.words[place] = POISON
        else:
            self.stale.update(vectors)

    def write_exec(self, bit: int | None) -> None:
        """EXEC was written; bit: that of the followed thread, None if undefined."""
        own = None if bit is None else bool(bit)
        active = own if self.given is None else next(self.given, None)
        if active is None:
            self.lost = True
            return
        self.thread_on.append(active)
        if active and not self.active:
            for place in self.stale:
                self.words[place] = POISON
            self.stale.clear()
        self.active = active

    def enter_or_leave_bracket(self) -> None:
        """All threads are on for moves of the allocator's own, or no longer."""
        if self.outside is None:
            self.outside, self.active = self.active, True
        else:
            self.outside, self.active = None, self.outside
