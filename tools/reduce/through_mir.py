"""Judges IR by what it becomes: the MIR before the allocation that is wrong, written as text and read again.

Text does not hold all that the allocator goes by. SlotIndexes keeps an entry for each instruction that was erased, and
live ranges are measured in entries. Live intervals that came out of the coalescer can have values that intervals made
anew do not have, on which rematerialisation depends. Registers are numbered by first mention, and blocks in the order
of the text. So MIR that is read again may be allocated otherwise, and be right where its IR is wrong, or the other way.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from regtriage.tools.llc.run import CompileRequest, InputError, StageWhen, ToolFailure, Variant

from .interesting import Judge, is_judged
from .mir import spelled
from .model import Judgement, Outcome, Setup, Spelling


def setup_of_mir(setup: Setup, file: Path) -> Setup:
    """How the MIR before the allocation that is wrong is judged. Raises InputError, ToolFailure.

    file: that has the cause; it says how many of the passes that are counted come before that allocation.
    """
    first, last = setup.cause.start, setup.cause.stage
    with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
        request = CompileRequest(file, Variant.OFF, setup.triple, setup.cpu, setup.opt, (*setup.args, setup.stop))
        compilation = setup.llc.compile(request, Path(name))
        found = compilation.stage(StageWhen.BEFORE, first.pass_name, first.index)
        assert found is not None, "a stage that was there when the cause was found"
        # where the pipeline starts late, the native tool counts passes from there
        earlier = sum(s.pass_name == last.pass_name for s in compilation.stages if s.sequence < found.sequence)
    cause = replace(setup.cause, start=replace(first, index=0), stage=replace(last, index=last.index - earlier))
    return replace(setup, args=(*setup.args, f"-start-before={first.pass_name},{first.index}"), cause=cause)


def mir_of(setup: Setup, file: Path, extra: tuple[str, ...] = ()) -> str:
    """The MIR before the allocation that is wrong. Raises InputError, ToolFailure."""
    start = setup.cause.start
    request = setup.request(file, Variant.OFF, (*extra, f"-stop-before={start.pass_name},{start.index}"))
    with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
        return setup.llc.compile(request, Path(name)).asm.read_text()


class MirJudge:
    """Judges candidates in IR by their MIR alone; what becomes of the IR itself does not matter."""

    def __init__(self, setup: Setup, mir: Setup) -> None:
        self._setup = setup
        self._judge = Judge(mir)

    def judge(
        self,
        file: Path,
        extra: tuple[str, ...],
        spellings: Sequence[Spelling],
        *,
        made: Path | None = None,
        known: AbstractSet[str] = frozenset(),
        least: int = 1,
    ) -> Judgement:
        """Judge each spelling until one is kept; otherwise what is said of the last. Arguments are those of Judge."""
        try:
            text = mir_of(self._setup, file, extra)
        except (InputError, ToolFailure) as error:
            return Judgement(Outcome.REFUSED, str(error))
        if is_judged(file, made, known):
            return Judgement(Outcome.SAME, "judged before")
        judgement = Judgement(Outcome.REFUSED, "not judged")
        with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
            candidate = Path(name) / "candidate.mir"
            for spelling in spellings:
                candidate.write_text(spelled(text, self._setup.cause.function, spelling))
                judgement = self._judge.judge(candidate, least=least)
                if judgement.outcome is Outcome.KEPT:
                    return dataclasses.replace(judgement, spelling=spelling)
        return judgement


class Referee:
    """Judges candidates of one reduction.

    mir None: by themselves. Otherwise by their MIR in one spelling, once one is known in which a candidate's MIR is
    wrong. Until then what is wrong by itself is kept, and its MIR is looked at in every spelling; if scout is set, the
    MIR of what is right by itself too.
    """

    def __init__(self, setup: Setup, mir: Setup | None) -> None:
        self._itself = Judge(setup)
        self._mir = MirJudge(setup, mir) if mir is not None else None

    def judge(
        self,
        file: Path,
        extra: tuple[str, ...] = (),
        *,
        made: Path | None = None,
        known: AbstractSet[str] = frozenset(),
        least: int = 1,
        spelling: Spelling | None = None,
        scout: bool = False,
    ) -> Judgement:
        """Judge one. The arguments are those of Judge."""
        if self._mir is not None and spelling is not None:
            return self._mir.judge(file, extra, (spelling,), made=made, known=known, least=least)
        itself = self._itself.judge(file, extra, made=made, known=known, least=least)
        if self._mir is None or not (itself.outcome is Outcome.KEPT or (scout and itself.outcome is not Outcome.SAME)):
            return itself
        # the first whose MIR is wrong is too rare to ask for more than one lane
        as_mir = self._mir.judge(file, extra, tuple(Spelling))
        return as_mir if as_mir.outcome is Outcome.KEPT else itself
