"""A campaign: many seeds, kept in a folder so that it can be stopped and taken up again.

The folder has `programs.jsonl`, whose first line says of which programs it is and each further line is one record,
and, as `SEED.ll`, each program that is wrong, not proved right, or crashes the compiler or the check. Its first line
is the command that shows it: some need a flag of llc.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import itertools
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regtriage.tools.llc.errors import InputError
from regtriage.tools.workers import Workers

from .examine import Ending, Examiner, Record
from .generator import generate

_LOG = "programs.jsonl"


@dataclass(frozen=True, slots=True)
class Campaign:
    """seeds from seed on, count of them. jobs: programs at a time. folder: where to keep it, None for nowhere."""

    examiner: Examiner
    count: int
    seed: int
    jobs: int = 1
    folder: Path | None = None


def run_campaign(campaign: Campaign, progress: Callable[[Record], None] = lambda _: None) -> list[Record]:
    """Examine every program that the folder has no record of; return all records, by seed.

    Raises InputError if the folder is of other programs or cannot be used.
    """
    wanted = range(campaign.seed, campaign.seed + campaign.count)
    known = _load(campaign) if campaign.folder is not None else {}
    missing = [seed for seed in wanted if seed not in known]
    with _log(campaign) as write:
        for record in _examine_all(campaign, missing):
            known[record.seed] = record
            write(record)
            progress(record)
    return [known[seed] for seed in wanted]


def _examine_all(campaign: Campaign, seeds: Sequence[int]) -> Iterator[Record]:
    if campaign.jobs == 1:
        yield from map(campaign.examiner.examine, seeds)
        return
    with Workers(campaign.jobs) as pool:
        left = iter(seeds)
        running = {pool.submit(campaign.examiner.examine, s) for s in itertools.islice(left, 4 * campaign.jobs)}
        while running:
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            running |= {pool.submit(campaign.examiner.examine, s) for s in itertools.islice(left, len(done))}
            for future in done:
                yield future.result()


# -- the folder ------------------------------------------------------------------------------------------------


def _description(campaign: Campaign) -> dict[str, Any]:
    examiner = campaign.examiner
    llc = f"{examiner.llc.identity.kind} {examiner.llc.identity.version}"
    return {"shapes": list(examiner.shapes), "cpus": list(examiner.cpus), "llc": llc}


def _load(campaign: Campaign) -> dict[int, Record]:
    assert campaign.folder is not None
    path = campaign.folder / _LOG
    if not path.exists():
        return {}
    records: dict[int, Record] = {}
    # the last line may have been cut off when the campaign was stopped
    lines = path.read_text(encoding="ascii").split("\n")[:-1]
    for number, line in enumerate(lines, 1):
        try:
            fields = json.loads(line)
            if number > 1:
                record = Record.from_json(fields)
                records[record.seed] = record
                continue
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}:{number}:1: error: not a record of a campaign") from None
        if fields != _description(campaign):
            raise InputError(f"{path}:1:1: error: a campaign with other programs: give it a folder of its own")
    return records


@contextlib.contextmanager
def _log(campaign: Campaign) -> Generator[Callable[[Record], None]]:
    """A function that writes a record down, and the program if there is something to look at."""
    folder = campaign.folder
    if folder is None:
        yield lambda record: None
        return
    path = folder / _LOG
    try:
        folder.mkdir(parents=True, exist_ok=True)
        whole = path.read_text(encoding="ascii") if path.exists() else json.dumps(_description(campaign)) + "\n"
        path.write_text(whole[: whole.rfind("\n") + 1], encoding="ascii")
        file = path.open("a", encoding="ascii")
    except OSError as error:
        raise InputError(f"{error.filename}: error: cannot write: {error.strerror}") from None

    def write(record: Record) -> None:
        if record.ending in (Ending.BUG, Ending.UNPROVEN, Ending.FAILED) or record.is_crash:
            examiner = campaign.examiner
            program = generate(record.seed, examiner.shapes, examiner.cpus)
            flags = "".join(f" --llc-arg={argument}" for argument in program.parameters.llc_args)
            command = f"; regtriage run {record.seed}.ll{flags}\n"
            (folder / f"{record.seed}.ll").write_text(command + program.text, encoding="ascii")
        file.write(json.dumps(record.as_json()) + "\n")
        file.flush()

    with file:
        yield write
