"""Delta debugging over numbered targets: drop many at once, fewer where that fails, until no single one can go.

What the allocator does hangs on everything, and where no single target can go depends on what went first. So the last
part, from where large chunks no longer go, is done several times over, each with the passes in another order: these are
the descents. The smallest result counts.

A sweep goes over a pass's targets from the last to the first in chunks of one size. The next candidates, as they come
if this one fails, are judged at the same time by other workers; the first success in order counts and what was judged
ahead is thrown away, so that the result does not depend on how many workers there are.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
import shutil
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Protocol

from regtriage.dataflow.findings import Finding
from regtriage.tools.llc.run import InputError
from regtriage.tools.llc.warm import WarmLlc

from .interesting import digest_of
from .model import Judgement, Outcome, Setup, Spelling, Task
from .through_mir import Referee

_GRAINS = (8, 32)
"""Sweeps of the first rounds stop at chunks of one target in so many."""
_RESERVES = (6, 3, 1)
"""Lanes that must stay lost, level by level. A kernel in which many are lost bears more changes; one that is down to
the last too early cannot be made smaller any more."""
_WORTHWHILE = 0.02
"""A round that makes less than so much of the lines go ends a level before the last."""
_MOST_DRIFTED = 20
"""Candidates with another cause that are kept beside the output."""


class Form(Protocol):
    """A kind of input and the ways to make it smaller; picklable."""

    @property
    def setup(self) -> Setup:
        """How candidates are judged."""
        ...

    @property
    def mir(self) -> Setup | None:
        """How the MIR of candidates is judged, where that is what should be wrong; see Referee."""
        ...

    @property
    def suffix(self) -> str:
        """Of file names."""
        ...

    @property
    def coarse(self) -> tuple[str, ...]:
        """The passes of the first rounds."""
        ...

    @property
    def passes(self) -> tuple[str, ...]:
        """All passes."""
        ...

    def beginnings(self, file: Path) -> Iterator[str]:
        """Texts to start with: the first that has the cause is taken."""
        ...

    def count(self, file: Path, pass_name: str) -> int:
        """The number of targets of a pass in a file."""
        ...

    def hints(self, text: str, findings: Sequence[Finding]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Passes with sets of targets that the findings can probably do without, the largest first."""
        ...

    def prepare(self, task: Task) -> tuple[Path, tuple[str, ...]] | None:
        """What to compile and with which further flags; None where nothing would change."""
        ...

    def size(self, text: str) -> int:
        """The lines that count."""
        ...


@dataclass(slots=True)
class Cursor:
    """Where a reduction stands: everything that decides how it goes on. end: targets below it are still to be tried.

    chunk 0: the pass has not begun. lost: lanes that are wrong in the best of this descent. lines: of that, when the
    round began. fewer: some candidate since the last success was refused because fewer lanes are lost. smallest: lines
    of the smallest of earlier descents, None if there is none. start_lost: lanes that are wrong where descents start.
    been: digests of all files that were the best of this descent, so that none comes back. spelling: that in which MIR
    is judged, from the first candidate on whose MIR is wrong; "" before that.
    """

    descent: int = 0
    level: int = 0
    lost: int = 1
    lines: int = 0
    fewer: bool = False
    round: int = 0
    place: int = 0
    chunk: int = 0
    end: int = 0
    successes: int = 0
    best: str = ""
    smallest: int | None = None
    start_lost: int = 1
    been: list[str] = field(default_factory=list[str])
    spelling: str = ""


@dataclass(slots=True)
class Counts:
    """Candidates so far."""

    tried: int = 0
    kept: int = 0
    drifted: int = 0
    started: float = field(default_factory=time.monotonic)


def _copy(file: Path, to: Path) -> None:
    """Copy a file, whole or not at all."""
    temporary = to.with_name(to.name + ".new")
    shutil.copy(file, temporary)
    temporary.replace(to)


_worker: _Worker | None = None


class _Worker:
    def __init__(self, form: Form) -> None:
        self.form = form
        self.llc = WarmLlc(form.setup.llc.identity.path)
        mir = dataclasses.replace(form.mir, llc=self.llc) if form.mir else None
        self.referee = Referee(dataclasses.replace(form.setup, llc=self.llc), mir)
        self.known: set[str] = set()

    def run(self, task: Task) -> Judgement:
        prepared = self.form.prepare(task)
        if prepared is None:
            return Judgement(Outcome.SAME, "nothing changed")
        file, flags = prepared
        if file != task.file and self._seen(file):
            return Judgement(Outcome.SAME, "judged before")
        made = task.output if flags else None
        judgement = self.referee.judge(
            file,
            flags,
            made=made,
            known=self.known,
            least=task.least,
            spelling=task.spelling,
            scout=task.scout,
        )
        asked_all = self.form.mir is None or task.scout or task.spelling is not None
        if judgement.outcome is Outcome.REFUSED and asked_all and task.output.exists():
            self.known.add(digest_of(task.output))
        return judgement

    def _seen(self, file: Path) -> bool:
        return digest_of(file) in self.known


def _start_worker(form: Form) -> None:
    global _worker
    # Ctrl-C is for the one who keeps the best
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = _Worker(form)
    Finalize(None, _worker.llc.close, exitpriority=1)


def _work(task: Task) -> Judgement:
    assert _worker is not None
    return _worker.run(task)


class Reduction:
    """One reduction of one file, in a folder where it can be taken up again.

    The folder gets best-N files, `log.jsonl` with a line for each success and each candidate that drifted,
    `state.json`, and the candidates that drifted. key: what must be equal for a state to be taken up again.
    descents: how many there are; more of them may be asked for when it is taken up again.
    """

    def __init__(
        self,
        form: Form,
        folder: Path,
        key: str,
        jobs: int,
        seed: int,
        descents: int,
        progress: Callable[[str], None],
    ) -> None:
        self._form, self._folder, self._key = form, folder, key
        self._jobs, self._seed, self._descents, self._progress = jobs, seed, descents, progress
        self._numbers = itertools.count()
        self.cursor = Cursor()
        self.counts = Counts()
        self.findings: Sequence[Finding] = ()
        self._failed: dict[tuple[str, int, int], Outcome] = {}
        self._said = 0.0
        self._last = "none yet"

    @property
    def form(self) -> Form:
        """What is reduced, and how."""
        return self._form

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return self._folder

    @property
    def best(self) -> Path:
        """The smallest file so far."""
        smallest = self.cursor.smallest
        return self._smallest if smallest is not None and smallest <= self._size() else self._current

    @property
    def _current(self) -> Path:
        """The smallest file of this descent."""
        return self._folder / self.cursor.best

    @property
    def _smallest(self) -> Path:
        """The smallest file of earlier descents."""
        return self._folder / f"smallest{self._form.suffix}"

    @property
    def _start(self) -> Path:
        """Where each descent starts."""
        return self._folder / f"start{self._form.suffix}"

    def _size(self) -> int:
        return self._form.size(self._current.read_text())

    @property
    def seconds(self) -> float:
        """Since this object was made."""
        return time.monotonic() - self.counts.started

    def begin(self, text: str, lost: int = 1, spelling: Spelling | None = None) -> None:
        """Start with a text that has the cause. lost: lanes that are wrong in it. spelling: see Judgement."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for old in self._folder.iterdir():
            if old.is_file():
                old.unlink()
        self.cursor = Cursor(best=f"best-0{self._form.suffix}", lost=lost, lines=self._form.size(text))
        self.cursor.spelling = spelling or ""
        self._current.write_text(text)
        self.cursor.been.append(digest_of(self._current))
        self._log({"event": "begin", "size": self._form.size(text), "cause": str(self._form.setup.cause)})
        self._save()

    def abandon(self) -> None:
        """What it began with does not serve: there is nothing to resume."""
        (self._folder / "state.json").unlink(missing_ok=True)

    def resume(self) -> bool:
        """Take up what was left. False if there is nothing. Raises InputError if it is that of another call."""
        try:
            state = json.loads((self._folder / "state.json").read_text())
            cursor = Cursor(**state["cursor"])
        except FileNotFoundError:
            return False
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{self._folder / 'state.json'}: error: not the state of a reduction") from None
        if state.get("key") != self._key:
            raise InputError(f"{self._folder}: error: cannot resume: that is the reduction of another input or call")
        self.cursor = cursor
        return self._current.exists() and self.best.exists()

    def run(self) -> None:
        """Reduce until nothing more goes. May be interrupted at any time; best is then what was reached."""
        context = get_context("spawn")
        pool = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_start_worker, initargs=(self._form,))
        try:
            self._rounds(pool)
        finally:
            pool.shutdown(cancel_futures=True)
            for file in self._folder.glob("candidate-*"):
                file.unlink()

    def tidy(self) -> None:
        """Keep of the steps only what is needed to take the reduction up again."""
        for file in self._folder.glob(f"best-*{self._form.suffix}"):
            if file != self._current:
                file.unlink()

    def _rounds(self, pool: ProcessPoolExecutor) -> None:
        cursor = self.cursor
        if not (cursor.round or cursor.place or cursor.chunk):
            self._hints(pool)
        while cursor.round < len(_GRAINS):
            self._round(pool)
            if cursor.round == len(_GRAINS):
                # what was refused is asked for its MIR from now on
                self._failed.clear()
                _copy(self._current, self._start)
                cursor.start_lost = cursor.lost
                self._save()
        while cursor.descent < self._descents:
            self._descend(pool)
            self._start_again()

    def _round(self, pool: ProcessPoolExecutor) -> None:
        """Every pass once."""
        cursor = self.cursor
        passes = self._passes()
        while cursor.place < len(passes):
            self._pass(pool, passes[cursor.place])
            cursor.place, cursor.chunk = cursor.place + 1, 0
            self._save()
        cursor.round, cursor.place = cursor.round + 1, 0

    def _descend(self, pool: ProcessPoolExecutor) -> None:
        """Rounds until nothing more goes, with fewer lanes that must stay lost from level to level."""
        cursor = self.cursor
        while cursor.level < len(_RESERVES):
            self._round(pool)
            lines = self._size()
            if not self._is_worthwhile(lines):
                cursor.level += 1 if cursor.successes or cursor.fewer else len(_RESERVES)
                cursor.fewer = False
                self._failed = {task: why for task, why in self._failed.items() if why is not Outcome.FEWER}
            cursor.successes, cursor.lines = 0, lines
            self._save()

    def _start_again(self) -> None:
        """Keep the smallest, and go back to where descents start."""
        cursor = self.cursor
        lines = self._size()
        if cursor.smallest is None or lines < cursor.smallest:
            _copy(self._current, self._smallest)
            cursor.smallest = lines
        self._log({"event": "descent", "number": cursor.descent, "size": lines})
        self._advance()
        _copy(self._start, self._current)
        cursor.been = [digest_of(self._current)]
        cursor.descent, cursor.level, cursor.round = cursor.descent + 1, 0, len(_GRAINS)
        cursor.lost, cursor.lines = cursor.start_lost, self._size()
        cursor.successes, cursor.fewer = 0, False
        self._failed.clear()
        self._save()

    def _advance(self) -> None:
        """Let the best of this descent be a new file."""
        cursor = self.cursor
        cursor.best = f"best-{int(cursor.best.split('-')[1].split('.')[0]) + 1}{self._form.suffix}"

    def _is_worthwhile(self, lines: int) -> bool:
        """Whether a round like the last one should come next."""
        if self.least == 1:
            return self.cursor.successes > 0
        return lines < self.cursor.lines * (1 - _WORTHWHILE)

    @property
    def least(self) -> int:
        """Lanes that must be wrong in a candidate."""
        return min(self.cursor.lost, _RESERVES[self.cursor.level])

    def _hints(self, pool: ProcessPoolExecutor) -> None:
        """Take away all that is off the paths of the findings, again and again, before anything is tried blindly."""
        findings = self.findings
        while findings:
            hints = self._form.hints(self._current.read_text(), findings)
            tasks = (self._task(name, drop) for name, drop in hints)
            found = self._first(pool, tasks)
            findings = found.findings if found else ()

    def _first(self, pool: ProcessPoolExecutor, tasks: Iterator[Task]) -> Judgement | None:
        """Keep the first of these candidates that has the cause."""
        waiting: deque[tuple[Task, Future[Judgement]]] = deque()
        while True:
            for task in itertools.islice(tasks, self._jobs + 1 - len(waiting)):
                waiting.append((task, pool.submit(_work, task)))
            if not waiting:
                return None
            task, future = waiting.popleft()
            judgement = future.result()
            self.counts.tried += 1
            if self._is_success(task, judgement):
                for _, ahead in waiting:
                    ahead.cancel()
                self._keep(task, judgement)
                return judgement
            self._refuse(task, judgement)
            self._say()

    def _is_success(self, task: Task, judgement: Judgement) -> bool:
        return judgement.outcome is Outcome.KEPT and digest_of(task.output) not in self.cursor.been

    def _task(self, pass_name: str, drop: tuple[int, ...]) -> Task:
        output = self._folder / f"candidate-{next(self._numbers)}{self._form.suffix}"
        # what is large takes long to judge, and there is little of it
        scout = self.cursor.round >= len(_GRAINS)
        return Task(self._current, pass_name, drop, output, self.least, self.spelling, scout)

    @property
    def spelling(self) -> Spelling | None:
        """That in which MIR is judged, None as long as none of it was wrong, or if it is not judged."""
        return Spelling(self.cursor.spelling) if self.cursor.spelling else None

    def _passes(self) -> list[str]:
        cursor = self.cursor
        passes = list(self._form.coarse if cursor.round < len(_GRAINS) else self._form.passes)
        if self._seed or cursor.descent:
            random.Random(f"{self._seed}/{cursor.descent}/{cursor.round}").shuffle(passes)
        return passes

    def _pass(self, pool: ProcessPoolExecutor, name: str) -> None:
        cursor = self.cursor
        total = self._form.count(self._current, name)
        if not cursor.chunk:
            cursor.chunk, cursor.end = max(1, total // 2) if cursor.round else total, total
        finest = max(1, total // _GRAINS[cursor.round]) if cursor.round < len(_GRAINS) else 1
        while total:
            total = self._sweep(pool, name, total)
            if cursor.chunk <= finest:
                return
            cursor.chunk, cursor.end = max(finest, min(cursor.chunk, total) // 2), total
            self._save()

    def _sweep(self, pool: ProcessPoolExecutor, name: str, total: int) -> int:
        """One sweep with the cursor's chunk. Returns the number of targets that are left."""
        cursor = self.cursor
        waiting: deque[tuple[int, Task, Future[Judgement]]] = deque()
        upcoming = self._tasks(name, cursor.end)
        while True:
            for end, task in itertools.islice(upcoming, self._jobs + 1 - len(waiting)):
                waiting.append((end, task, pool.submit(_work, task)))
            if not waiting:
                return total
            end, task, future = waiting.popleft()
            judgement = future.result()
            self.counts.tried += 1
            start = max(0, end - cursor.chunk)
            if self._is_success(task, judgement):
                for _, _, ahead in waiting:
                    ahead.cancel()
                waiting.clear()
                self._keep(task, judgement)
                self._failed.clear()
                total = self._form.count(self._current, name)
                cursor.end = min(start, total)
                self._save()
                upcoming = self._tasks(name, cursor.end)
            else:
                cursor.end = start
                cursor.fewer |= judgement.outcome is Outcome.FEWER
                self._failed[name, start, end] = judgement.outcome
                self._refuse(task, judgement)
            self._say()

    def _tasks(self, name: str, end: int) -> Iterator[tuple[int, Task]]:
        while end > 0:
            start = max(0, end - self.cursor.chunk)
            if (name, start, end) not in self._failed:
                yield end, self._task(name, tuple(range(start, end)))
            end = start

    def _keep(self, task: Task, judgement: Judgement) -> None:
        cursor = self.cursor
        self.counts.kept += 1
        cursor.successes += 1
        cursor.lost, cursor.fewer = judgement.lost, False
        self._advance()
        task.output.rename(self._current)
        cursor.been.append(digest_of(self._current))
        if judgement.spelling is not self.spelling:
            self._go_by_mir(judgement)
        size = self._size()
        self._last = f"{task.pass_name} at {time.monotonic() - self.counts.started:.0f} s"
        self._log(
            {"event": "kept", "size": size, "lost": judgement.lost, "pass": task.pass_name, "targets": len(task.drop)}
        )

    def _go_by_mir(self, judgement: Judgement) -> None:
        """From here on it is MIR that has to be wrong; descents start here if they have begun."""
        cursor = self.cursor
        cursor.spelling = judgement.spelling or ""
        if cursor.round >= len(_GRAINS):
            _copy(self._current, self._start)
            cursor.start_lost, cursor.smallest = judgement.lost, None
        self._log({"event": "mir", "size": self._size(), "lost": judgement.lost, "spelling": cursor.spelling})

    def _refuse(self, task: Task, judgement: Judgement) -> None:
        if judgement.outcome is Outcome.DRIFTED:
            self.counts.drifted += 1
            entry = {"event": "drifted", "pass": task.pass_name, "targets": len(task.drop), "why": judgement.why}
            if self.counts.drifted <= _MOST_DRIFTED and task.output.exists():
                kept = self._folder / f"drifted-{self.counts.drifted}{self._form.suffix}"
                task.output.rename(kept)
                entry["file"] = kept.name
            self._log(entry)
        task.output.unlink(missing_ok=True)

    def _say(self) -> None:
        now = time.monotonic()
        if now - self._said < 0.2:
            return
        self._said = now
        seconds = max(now - self.counts.started, 1e-3)
        descent = f"descent {self.cursor.descent + 1} of {self._descents}, " if self.cursor.descent else ""
        self._progress(
            f"{descent}{self._size()} lines, {self.counts.tried / seconds:.1f} candidates/s, last success: {self._last}"
        )

    def _log(self, entry: Mapping[str, object]) -> None:
        seconds = round(time.monotonic() - self.counts.started, 2)
        with (self._folder / "log.jsonl").open("a", encoding="ascii") as log:
            log.write(json.dumps({**entry, "tried": self.counts.tried, "seconds": seconds}) + "\n")

    def _save(self) -> None:
        text = json.dumps({"key": self._key, "cursor": asdict(self.cursor)})
        temporary = self._folder / "state.json.new"
        temporary.write_text(text)
        temporary.replace(self._folder / "state.json")
