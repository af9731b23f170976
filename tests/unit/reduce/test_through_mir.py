from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from regtriage.dataflow.findings import Exit
from regtriage.tools.llc.run import BuiltinLlc, CompileRequest, StageWhen, ToolFailure
from regtriage.tools.reduce import ReduceRequest, reduction
from regtriage.tools.reduce.delta import Reduction
from regtriage.tools.reduce.interesting import Judge
from regtriage.tools.reduce.ir import IrForm
from regtriage.tools.reduce.mir import MirForm, spelled
from regtriage.tools.reduce.model import Outcome, Setup, Spelling
from regtriage.tools.reduce.through_mir import MirJudge, Referee, mir_of, setup_of_mir

from .test_ir import KERNEL, REPRODUCERS, setup_for

SURVIVOR = REPRODUCERS / "redundant_spill.ll"
"""A kernel that is wrong as MIR too; KERNEL is allocated otherwise, and right, when its MIR is read again."""


@pytest.fixture(scope="module")
def survivor() -> tuple[Setup, Setup]:
    setup = setup_for(Exit.REDUNDANT_SPILL)
    return setup, setup_of_mir(setup, SURVIVOR)


@pytest.fixture(scope="module")
def other() -> tuple[Setup, Setup]:
    setup = setup_for()
    return setup, setup_of_mir(setup, KERNEL)


def test_the_mir_is_that_of_the_stage_before(tmp_path: Path):
    setup = setup_for()
    request = CompileRequest(KERNEL, triple=setup.triple, cpu=setup.cpu, extra_args=(setup.stop,))
    stage = setup.llc.compile(request, tmp_path).stage(StageWhen.BEFORE, "greedy", 0)
    assert stage is not None

    def without_predecessors(text: str) -> str:
        return re.sub(r" +; preds = .*", "", text)

    assert without_predecessors(mir_of(setup, KERNEL)) == without_predecessors(stage.path.read_text())


def test_passes_are_counted_from_where_mir_starts():
    setup = setup_for()
    later = dataclasses.replace(setup.cause.start, index=1), dataclasses.replace(setup.cause.stage, index=1)
    cause = dataclasses.replace(setup.cause, start=later[0], stage=later[1])
    mir = setup_of_mir(dataclasses.replace(setup, cause=cause, stop="-stop-after=virtregrewriter,1"), KERNEL)
    assert mir.args == ("-start-before=greedy,1",)
    assert (mir.cause.start.index, mir.cause.stage.index) == (0, 0)


@pytest.mark.parametrize("spelling", list(Spelling))
def test_mir_that_is_wrong_is_kept(survivor: tuple[Setup, Setup], spelling: Spelling, tmp_path: Path):
    judgement = MirJudge(*survivor).judge(SURVIVOR, (), (spelling,))
    assert (judgement.outcome, judgement.spelling) == (Outcome.KEPT, spelling)
    # and the reduction of that MIR starts from a file with the cause
    start = tmp_path / "start.mir"
    start.write_text(spelled(mir_of(survivor[0], SURVIVOR), "k", spelling))
    assert Judge(survivor[1]).judge(start).outcome is Outcome.KEPT


def test_ir_that_is_wrong_is_kept_until_its_mir_is(survivor: tuple[Setup, Setup], other: tuple[Setup, Setup]):
    judgement = Referee(*other).judge(KERNEL)
    assert (judgement.outcome, judgement.spelling) == (Outcome.KEPT, None)
    judgement = Referee(*survivor).judge(SURVIVOR)
    assert (judgement.outcome, judgement.spelling) == (Outcome.KEPT, Spelling.PLAIN)


def test_then_its_mir_alone_counts(other: tuple[Setup, Setup]):
    assert Referee(*other).judge(KERNEL, spelling=Spelling.FULL).outcome is Outcome.REFUSED


def test_mir_of_what_is_right_is_looked_at_if_asked(survivor: tuple[Setup, Setup]):
    setup, mir = survivor
    # a kernel that is refused for itself: the variant does not cure it
    refused = dataclasses.replace(setup, cause=dataclasses.replace(setup.cause, exit=Exit.REMAT))
    assert Referee(refused, mir).judge(SURVIVOR).outcome is Outcome.DRIFTED
    judgement = Referee(refused, mir).judge(SURVIVOR, scout=True)
    assert (judgement.outcome, judgement.spelling) == (Outcome.KEPT, Spelling.PLAIN)


def test_what_does_not_compile_is_refused(survivor: tuple[Setup, Setup], tmp_path: Path):
    file = tmp_path / "broken.ll"
    file.write_text("define void @k() {")
    assert MirJudge(*survivor).judge(file, (), tuple(Spelling)).outcome is Outcome.REFUSED
    with pytest.raises(ToolFailure):
        mir_of(dataclasses.replace(survivor[0], time_limit=0.001), SURVIVOR)


@pytest.mark.slow
def test_what_is_interrupted_before_its_mir_ends_as_if_it_had_not_been(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def short(setup: Setup) -> MirForm:
        return MirForm(setup, coarse=("joins",), passes=("joins", "header"))

    monkeypatch.setattr(reduction, "MirForm", short)
    said: list[str] = []

    def interrupt(text: str) -> None:
        said.append(text)
        if len(said) == 12:
            raise KeyboardInterrupt

    def request(name: str, *, resume: bool = False) -> ReduceRequest:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        return ReduceRequest(SURVIVOR, folder / "t.mir", folder / "work", descents=1, resume=resume)

    whole = reduction.reduce(request("whole"), BuiltinLlc())
    first = reduction.reduce(request("parts"), BuiltinLlc(), interrupt)
    assert first.is_interrupted
    assert not (tmp_path / "parts" / "work" / "state.json").exists()
    starts = [tmp_path / name / "work" / "ir" / "start.mir" for name in ("whole", "parts")]
    assert starts[0].read_text() != starts[1].read_text()
    second = reduction.reduce(request("parts", resume=True), BuiltinLlc())
    assert (second.is_interrupted, second.after) == (False, whole.after)
    assert second.output.read_text() == whole.output.read_text()


@pytest.mark.slow
def test_reducing_goes_by_mir_from_the_first_that_is_wrong(survivor: tuple[Setup, Setup], tmp_path: Path):
    form = IrForm(*survivor, coarse=("attributes",), passes=("operands-zero", "instructions"))
    first = Reduction(form, tmp_path, "key", 2, 0, 2, lambda _: None)
    first.begin(SURVIVOR.read_text())
    assert first.spelling is None
    first.run()
    assert first.spelling is not None
    assert MirJudge(*survivor).judge(first.best, (), (first.spelling,)).outcome is Outcome.KEPT
    again = Reduction(form, tmp_path, "key", 2, 0, 2, lambda _: None)
    assert again.resume()
    assert again.spelling is first.spelling
