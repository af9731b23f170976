"""Reading what the printer wrote gives back what was printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from regtriage.dataflow.mir.model import Instruction, MachineFunction, Register
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.mir.printer import print_function, print_instruction
from regtriage.dataflow.targets import AMDGPU

from .mir import functions, inline_assembly, instructions

REPOSITORY = Path(__file__).parents[2]
FILES = sorted([*REPOSITORY.glob("reproducers/**/*.mir"), *REPOSITORY.glob("tests/data/**/*.mir")])


def register_fields(r: Register) -> tuple[object, ...]:
    return r.name, r.virtual, r.sub, r.cls, r.flags, r.tied, r.undef, r.implicit, r.text


def instruction_fields(i: Instruction) -> tuple[object, ...]:
    operands = [tuple(map(register_fields, some)) for some in (i.defs, i.uses, i.implicit_defs, i.implicit_uses)]
    return i.opcode, operands, i.immediates, i.memory, i.debug, i.flags


def function_fields(f: MachineFunction) -> tuple[object, ...]:
    blocks = [
        (b.number, b.name, b.successors, b.live_ins, [instruction_fields(i) for i in b.instructions]) for b in f.blocks
    ]
    return f.name, f.stack, f.live_ins, blocks


def read(text: str) -> MachineFunction:
    return Reader(AMDGPU).read(text, "x.mir").functions[0]


def read_line(line: str) -> Instruction:
    (instruction,) = read(f"name: f\nbody: |\n  bb.0:\n    successors:\n    {line}\n...\n").blocks[0].instructions
    return instruction


@given(instructions())
def test_lines(made: Instruction):
    assert instruction_fields(read_line(print_instruction(made))) == instruction_fields(made)


@given(inline_assembly())
def test_lines_of_inline_assembly(made: Instruction):
    assert instruction_fields(read_line(print_instruction(made))) == instruction_fields(made)


@given(functions())
@settings(max_examples=60)
def test_functions(made: MachineFunction):
    got = read(print_function(made))
    assert function_fields(got) == function_fields(made)
    assert made.register_classes.items() <= got.register_classes.items()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_files_of_the_repository(path: Path):
    text = path.read_text()
    lines = text.split("\n")
    for function in Reader(AMDGPU).read(text, path.name).functions:
        assert function_fields(read(print_function(function))) == function_fields(function)
        for block in function.blocks:
            for instruction, number in zip(block.instructions, block.lines, strict=True):
                assert print_instruction(instruction) == " ".join(lines[number - 1].split())
