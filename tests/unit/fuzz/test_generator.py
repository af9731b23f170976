"""The same seed, the same program; programs that LLVM takes; shapes that put pressure where they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.fuzz.dice import Dice
from regtriage.tools.fuzz.generator import generate, generate_parts
from regtriage.tools.fuzz.shapes import CPUS, Shape
from regtriage.tools.llc.run import CompileRequest, StageWhen, ToolFailure, resolve_llc


def test_a_seed_is_a_program():
    assert generate(7).text == generate(7).text
    assert generate(7).text != generate(8).text
    assert generate(7).parameters == generate(7).parameters


def test_choices_are_uniform_and_bounded():
    dice = Dice(1)
    drawn = [dice.between(2, 4) for _ in range(300)]
    assert set(drawn) == {2, 3, 4}
    assert sorted(dice.some("abc", 5)) == ["a", "b", "c"]
    picks = [dice.weighted((("often", 9), ("seldom", 1), ("never", 0))) for _ in range(300)]
    assert picks.count("often") > picks.count("seldom") > 0
    assert "never" not in picks


def test_the_first_choices_of_a_seed_are_known():
    """Records of campaigns name programs by seed alone: the sequence must not change with Python or this code."""
    dice = Dice(4711)
    assert [dice.between(0, 999) for _ in range(5)] == [135, 490, 550, 847, 924]


@pytest.mark.parametrize("shape", list(Shape))
def test_only_the_shapes_and_cpus_that_were_asked_for(shape: Shape):
    for seed in range(5):
        parameters = generate(seed, (shape,), ("gfx942",)).parameters
        assert (parameters.shape, parameters.cpu) == (shape, "gfx942")
    assert {generate(seed).parameters.cpu for seed in range(60)} == set(CPUS)


@pytest.mark.parametrize(
    ("shape", "opcode", "allocation"),
    [
        (Shape.SGPR, "SI_SPILL_S", 0),
        (Shape.DESCRIPTOR, "SI_SPILL_S128_SAVE", 0),
        (Shape.VGPR, "SI_SPILL_V", 2),
        (Shape.WWM, "SI_SPILL_WWM", 1),
    ],
)
def test_each_shape_spills_in_its_allocation(shape: Shape, opcode: str, allocation: int, tmp_path: Path):
    compiled = spilled = 0
    for seed in range(100):
        program = generate(seed, (shape,), ("gfx950", "gfx1201"))
        kernel = tmp_path / "k.ll"
        kernel.write_text(program.text)
        request = CompileRequest(kernel, extra_args=program.parameters.llc_args, time_limit=60)
        try:
            compilation = resolve_llc().compile(request, tmp_path / str(seed))
        except ToolFailure:
            continue
        compiled += 1
        stage = compilation.stage(StageWhen.AFTER, "greedy", allocation)
        assert stage is not None
        if opcode in stage.path.read_text():
            spilled += 1
            if compiled >= 3:
                return
    pytest.fail(f"{spilled} of {compiled} programs spill")


def test_a_program_of_many_parts():
    """The size grows with the parts, and the same seed gives the same program."""
    one, ten = generate_parts(1, 1).text, generate_parts(1, 10).text
    assert 5 * len(one) < len(ten) < 20 * len(one)
    assert generate_parts(1, 10).text == ten
    assert ten.count("; take") == 10 * one.count("; take") > 0, "no part computes with the values of another"
