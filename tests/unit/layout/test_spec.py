"""How layouts are written on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.dataflow.layout.encodings import Blocked, DotOperand, NvidiaMma, Slice
from regtriage.tools.layout.spec import linear, parse_layout, parse_numbers, parse_shape, parse_type, shape_of, short
from regtriage.tools.llc.errors import InputError

DATA = Path(__file__).parents[2] / "data" / "ttgir"
ROW = Blocked((1, 4), (2, 16), (4, 1), (1, 0))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("[1,4]/[2,16]/[4,1]", ROW),
        ("[1, 4]/[2, 16]/[4, 1]/[1, 0]", ROW),
        ("[1,4]/[2,16]/[4,1]/[0,1]", Blocked((1, 4), (2, 16), (4, 1), (0, 1))),
        ("slice:1:[1,4]/[2,16]/[4,1]", Slice(1, ROW)),
        ("dot:0:[1,4]/[2,16]/[4,1]", DotOperand(0, ROW)),
        (
            "dot:1:2:#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>",
            DotOperand(1, NvidiaMma(2, 0, (4, 1), (16, 8)), 2),
        ),
    ],
)
def test_written_forms(text: str, encoding: object):
    parsed = parse_layout(text)
    assert parsed.encoding == encoding
    assert parse_layout(short(parsed.encoding)).encoding == encoding


def test_a_value_of_a_file_brings_its_shape_and_type():
    parsed = parse_layout(f"{DATA / 'matmul-xpu.ttgir'}:%31#0")
    assert (parsed.encoding, parsed.shape, parsed.bits) == (Blocked((4, 4), (1, 32), (4, 1), (1, 0)), (64, 128), 32)
    argument = parse_layout(f"{DATA / 'matmul-xpu.ttgir'}:%arg12")
    assert (argument.shape, argument.bits) == ((128, 128), 64)
    buffer = parse_layout(f"{DATA / 'matmul-sm80.ttgir'}:%y")
    assert buffer.shape == (64, 128)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("foo", "a layout is written"),
        ("[1,4]/[2,16]", "a layout is written"),
        ("[1,4]/[2,16]/[4]", "do not describe the same dimensions"),
        ("[1,4]/[2,16]/[4,1]/[1,1]", "do not describe the same dimensions"),
        ("[1,3]/[2,16]/[4,1]", "3 is no power of two"),
        ("slice:x:[1]/[32]/[4]", "'x' is no number"),
        ("dot:2:[1]/[32]/[4]", "is 0 or 1"),
        ("slice:0:#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>", "no layout of registers"),
        ("#ttg.blocked<{", "<layout>:1:15: error: unexpected end"),
        ("gone.ttgir:%x", "gone.ttgir: error: No such file"),
        (f"{DATA / 'matmul-xpu.ttgir'}:%nope", "there is no value %nope"),
        (f"{DATA / 'matmul-xpu.ttgir'}:%arg9", "no tensor or buffer with a layout"),
    ],
)
def test_errors_are_one_line(text: str, what: str):
    with pytest.raises(InputError) as raised:
        parse_layout(text)
    assert what in str(raised.value)
    assert "\n" not in str(raised.value)


def test_shapes_numbers_and_types():
    assert parse_shape("64x128") == (64, 128)
    assert parse_numbers("1,-64", "strides") == (1, -64)
    assert parse_type("bf16") == 16
    for call in (
        lambda: parse_shape("64y"), lambda: parse_shape("48x64"), lambda: parse_numbers("a", "strides"),
        lambda: parse_type("float"), lambda: shape_of([parse_layout("[1]/[32]/[4]")], None),
    ):  # fmt: skip
        with pytest.raises(InputError, match="error: "):
            call()


def test_layouts_that_have_no_form():
    with pytest.raises(InputError, match="a layout of registers is needed, this one is not known"):
        linear(parse_layout("#other.layout<1>"), (8,))
    with pytest.raises(InputError, match="a layout of 2 dimensions for a tensor of 1"):
        linear(parse_layout("[1,4]/[2,16]/[4,1]"), (8,))
