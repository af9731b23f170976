"""Steps, and the pieces they are made of.

Each instruction becomes two lists of closures, for the followed thread being on and off. While it is off a
vector register keeps what it held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .machine import Machine
from .operands import Places, Words, getter
from .words import ARRAY, bit_of

Op = Callable[[], None]


@dataclass(slots=True)
class Step:
    """What executes an instruction while the followed thread is on, and while it is off.

    Where no instruction writes EXEC the second is of no use, and not complete.
    """

    active: list[Op] = field(default_factory=list[Op])
    inactive: list[Op] = field(default_factory=list[Op])
    writes_exec: bool = False

    def always(self, op: Op) -> None:
        """Do this whether the thread is on or off."""
        self.active.append(op)
        self.inactive.append(op)

    def add(self, other: Step) -> None:
        """Do what the other step does, too."""
        self.active += other.active
        self.inactive += other.inactive


class Builder:
    """Makes closures over one machine and the places of one function.

    masks_matter: some instruction of the function writes EXEC. blank: what undefined lanes hold, by place; it is
    filled when all places are numbered.
    """

    def __init__(self, machine: Machine, places: Places, *, masks_matter: bool) -> None:
        self.machine, self.places, self.masks_matter = machine, places, masks_matter
        self.blank: list[int] = []

    def move(self, source: Words, target: Words) -> Op:
        """Copy words, all read before any is written."""
        words = self.machine.words
        if len(source) == 1:
            a, d = source[0], target[0]

            def one() -> None:
                words[d] = words[a]

            return one
        get = getter(source)

        def many() -> None:
            for place, word in zip(target, get(words), strict=True):
                words[place] = word

        return many

    def move_threads(self, source: Words, target: Words) -> Op:
        """Copy what the threads that are on have in registers that may hold a word for each thread."""
        m, words, exec_places, bits = self.machine, self.machine.words, self.places.exec, self.places.granule
        pairs = tuple(zip(source, target, strict=True))

        def move() -> None:
            for place, word in [(d, words[a]) for a, d in pairs]:
                old = words[place]
                if word > ARRAY and old > ARRAY:
                    words[place] = word
                    continue
                mask = [words[e] for e in exec_places]
                chosen = [
                    new if bit_of(mask[min(k // bits, len(mask) - 1)], k % bits) else kept
                    for k, (new, kept) in enumerate(zip(m.array(word), m.array(old), strict=True))
                ]
                words[place] = m.new_array(tuple(chosen))

        return move

    def fill(self, target: Words, values: list[int]) -> Op:
        """Write known words."""
        words = self.machine.words
        if len(target) == 1:
            place, value = target[0], values[0]

            def one() -> None:
                words[place] = value

            return one
        pairs = tuple(zip(target, values, strict=True))

        def many() -> None:
            for place, value in pairs:
                words[place] = value

        return many

    def forget(self, target: Words | list[int]) -> Op:
        """Leave these undefined."""
        words, blank = self.machine.words, self.blank

        def forget() -> None:
            for place in target:
                words[place] = blank[place]

        return forget

    def masked(self, step: Step, op: Op, vectors: Words) -> None:
        """Add an op that is not done by a thread that is off if it writes vector registers."""
        step.active.append(op)
        if vectors:
            self.keep(step, vectors)
        else:
            step.inactive.append(op)

    def keep(self, step: Step, vectors: Words) -> None:
        """A thread that is off keeps what these hold, and they are in use again."""
        if vectors and self.masks_matter:
            stale = self.machine.stale
            step.inactive.append(lambda: stale.difference_update(vectors))
