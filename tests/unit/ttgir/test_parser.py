"""The reader of TTGIR: every form an op can take, what it says about itself, and what is wrong with a text."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path

import pytest
from regtriage.dataflow.ttgir.model import Module, Operation, unknown_results
from regtriage.dataflow.ttgir.parser import read, read_type
from regtriage.dataflow.ttgir.source import TtgirError
from regtriage.dataflow.ttgir.types import Dense, Descriptor, MemDesc, Opaque, Pointer, Scalar, Tensor, element_bits

DATA = Path(__file__).parents[2] / "data" / "ttgir"
FILES = sorted(path.name for path in DATA.glob("*.tt*ir"))


@cache
def module(name: str) -> Module:
    return read((DATA / name).read_text(), name)


def op(name: str) -> Operation:
    """The first op of that name, or that defines that value, in the hand-written file."""
    found = (o for o in module("forms.ttgir").walk() if o.name == name or any(r.name == name for r in o.results))
    return next(found)


def tensor(of: Operation) -> Tensor:
    assert isinstance(of.result.type, Tensor)
    return of.result.type


@pytest.mark.parametrize("name", FILES)
def test_spans_cover_the_text_they_name(name: str):
    """Nothing but aliases, blanks and braces lies outside of ops; a use's span is the use; nesting is nesting."""
    m = module(name)
    text = m.source.text
    for o in m.walk():
        assert text[o.name_span.start : o.name_span.end].strip('"') == o.name
        for operand in o.operands:
            assert m.text_of(operand) == operand.value.spelling
            assert operand in operand.value.uses
        for region in o.regions:
            assert m.text_of(region)[0] + m.text_of(region)[-1] == "{}"
            assert o.span.start < region.span.start < region.span.end <= o.span.end
        for value in o.results:
            assert m.text_of(value.span) == value.name
        for d in o.dictionaries:
            assert m.text_of(d)[0] + m.text_of(d)[-1] == "{}"
        if o.location_span:
            assert m.text_of(o).endswith(m.text_of(o.location_span))
    outside = re.sub(r"^[#!][\w$]+ = .*$", "", text, flags=re.M)
    for top in m.operations:
        outside = outside.replace(m.text_of(top), "")
    assert not outside.strip()


@pytest.mark.parametrize("name", FILES)
def test_every_op_is_one_line_of_text(name: str):
    """As many ops as the lines of the text begin, and the type of every result is known."""
    m = module(name)
    begins = re.findall(r'^ *(?:%[^=\n]*= )?(?:"[\w.]+"|[a-z]+\.[\w.]+|module\b)(?=[ (\n]|$)', m.source.text, re.M)
    assert len(begins) == sum(1 for _ in m.walk())
    assert not [o.name for o in m.walk() if unknown_results(o)]


def test_module_attributes():
    m = module("matmul-xpu.ttgir")
    assert (m.num_warps, m.threads_per_warp, m.num_ctas, m.target) == (4, 32, 1, "xpu")
    assert m.attributes["triton_intel_gpu.support_bf16_conversion"] is True
    assert [f.symbol for f in m.functions] == ["matmul"]
    assert module("forms.ttgir").num_ctas == 2
    assert module("matmul-gfx950.ttgir").threads_per_warp == 64


def test_function_arguments_and_declarations():
    (forms,) = module("forms.ttgir").functions
    p, n, c = forms.regions[0].entry.arguments
    assert p.type == Pointer(Scalar("f32"))
    assert p.attributes == {"tt.divisibility": 16}
    assert (n.type, c.type) == (Scalar("i32"), Scalar("i1"))
    assert forms.keywords == ["public"]
    assert op("tt.func").regions == []


def test_constants():
    assert op("%cst").attributes["value"] == Dense(-math.inf, tensor(op("%cst")))
    nested = op("%cst_0").attributes["value"]
    assert isinstance(nested, Dense)
    assert nested.value == "[[1, 2], [3, 4]]"
    assert op("%half").attributes["value"] == 1.0
    assert op("%c-1_i32").attributes["value"] == -1
    assert op("%true").result.type == Scalar("i1")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("%wide", ["i32", "i1"]),
        ("%less", ["tensor<16xi1>"]),
        ("%pick", ["i32"]),
        ("%called", ["f32", "i32"]),
        ("%sum", ["tensor<16xf32>"]),
        ("%loop", ["tensor<16x16xf32>", "i32"]),
        ("%while", ["i32"]),
        ("%copy", ["!ttg.async.token"]),
        ("%group", ["!ttg.async.token"]),
        ("%loaded", ["tensor<64x64xf16>"]),
        ("%read", ["tensor<128x128xf32>", "!ttg.async.token"]),
        ("%product", ["tensor<64x64xf32>"]),
        ("%first", ["tensor<2xi32>", "tensor<2xi32>"]),
    ],
)
def test_types_that_an_op_implies(name: str, expected: list[str]):
    def spell(t: object) -> str:
        match t:
            case Scalar(n) | Opaque(n):
                return n
            case Tensor(shape, element):
                return f"tensor<{'x'.join(map(str, shape))}x{spell(element)}>"
            case _:
                return repr(t)

    assert [spell(r.type) for r in op(name).results] == expected


def test_buffers_pointers_and_descriptors():
    view = op("%view").result.type
    assert isinstance(view, MemDesc)
    assert (view.shape, view.mutable, view.alloc_shape, view.space) == (
        (64, 64),
        True,
        (2, 64, 64),
        "#ttg.shared_memory",
    )
    assert op("%block").result.type == Pointer(Tensor((64,), Scalar("f32")))
    assert op("%desc").result.type == Descriptor(Tensor((64, 64), Scalar("f32")))
    nvmma = op("%desc_1").result.type
    assert isinstance(nvmma, Descriptor)
    assert nvmma.block.encoding is not None
    assert read_type("!handle", "t") == Opaque("!handle")


def test_loops_name_their_arguments():
    loop = op("%loop")
    i, x, y = loop.regions[0].entry.arguments
    assert (i.name, i.type) == ("%i", Scalar("i32"))
    assert (x.type, y.type) == (loop.results[0].type, Scalar("i32"))
    assert [o.value.spelling for o in loop.operands] == ["%c-1_i32", "%n", "%called#1", "%cst", "%n"]
    assert loop.attributes == {"tt.num_stages": 3}
    assert op("%z").loops == [loop]
    assert op("%even").loops == [loop]
    before, after = op("%while").regions
    assert [a.name for a in before.entry.arguments + after.entry.arguments] == ["%w", "%v"]
    assert after.keyword == "do"


def test_keywords_attributes_and_operands():
    assert op("%less").keywords == ["slt"]
    assert set(op("%loaded").attributes) == {"cacheModifier", "evictionPolicy"}
    generic = op("some.thing")
    assert generic.attributes == {"text": 'a "quoted" } brace', "also": (1, "b"), "unit": True}
    assert [o.value.spelling for o in generic.operands] == ["%n"]
    assert len(op("%product").operands) == 3


def test_blocks_branches_and_uses_before_definitions():
    (forms,) = module("forms.ttgir").functions
    entry, first, second = forms.regions[0].blocks
    assert [b.label for b in (entry, first, second)] == ["", "^bb1", "^bb2"]
    assert entry.operations[-1].successors == ["^bb1", "^bb2"]
    assert first.operations[0].operands[0].value is second.operations[0].result


def test_warp_specialisation_has_a_region_for_each_partition():
    m = module("matmul-descriptor-sm90.ttgir")
    (specialize,) = [o for o in m.walk() if o.name == "ttg.warp_specialize"]
    assert [r.keyword for r in specialize.regions] == ["default", "partition0", "partition1"]
    assert all(len(r.entry.arguments) == len(specialize.operands) for r in specialize.regions[1:])


def test_locations():
    m = module("forms.ttgir")
    inlined = m.location(op("%even"))
    assert inlined is not None
    assert (str(inlined), inlined.name) == ("k.py:7:8", "f")
    assert [str(caller) for caller in inlined.callers] == ["k.py:9:1"]
    assert m.location(op("%z")) is None
    dots = [o for o in module("matmul-xpu.ttgir").walk() if o.name == "tt.dot"]
    assert str(module("matmul-xpu.ttgir").location(dots[0])) == "tx_compile.py:30:27"


@pytest.mark.parametrize(
    ("text", "bits"),
    [("bf16", 16), ("f8E4M3FN", 8), ("i1", 1), ("tf32", 32), ("!tt.ptr<i8>", 64), ("index", 64), ("!x.y", 0)],
)
def test_widths(text: str, bits: int):
    assert element_bits(read_type(text, "t")) == bits


@pytest.mark.parametrize(
    ("body", "where", "what"),
    [
        ("%a = arith.addi %b, %b : i32", "2:19", "'%b' is not defined"),
        ("%a:2 = x.y : () -> (i32, i32)\n  x.z %a#2 : i32", "3:7", "'%a#2': it has 2 results"),
        ("%a = x.y : i32\n  %a = x.y : i32", "3:3", "'%a' is defined twice"),
        ("%a = x.y : tensor<4xf32, #gone>", "2:28", "'#gone' is not defined"),
        ("%a = x.y : tensor<4xf32", "3:1", "expected '>', not '}'"),
        ("x.y (%a", "3:1", "expected ')', not '}'"),
        ("x.y )", "2:7", "')' closes nothing"),
        ("x.y \"abc", "2:7", "this string has no end"),
        ("x.y {", "1:8", "'{' is never closed"),
        ("x.y `", "2:7", "unexpected character '`'"),
        ("%a = 5", "2:8", "expected an operation, not '5'"),
        ("%a = x.y : tensor<0x4xf32>", "2:21", "expected a type"),
        (
            "%a = x.y : tensor<4xf32, #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>",
            "2:28",
            "#ttg.blocked: sizePerThread holds 3, which is no power of two",
        ),
        ("%a = x.y : tensor<4xf32, #ttg.slice<{dim = 0}>>", "2:28", "parent is missing"),
        ("%a = x.y : tensor<4xf32, #ttg.dot_op<{opIdx = 2, parent = #ttg.linear<{}>}>>", "2:28", "opIdx is neither 0 nor 1"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(body: str, where: str, what: str):
    with pytest.raises(TtgirError) as raised:
        read(f"module {{\n  {body}\n}}\n", "k.ttgir")
    assert str(raised.value).startswith(f"k.ttgir:{where}: error: ")
    assert what in str(raised.value)


def test_what_is_no_module():
    for text in ("", "// only a comment\n", "#loc = loc(unknown)\n"):
        with pytest.raises(TtgirError, match="1:1: error: no operation"):
            read(text, "k.ttgir")
    with pytest.raises(TtgirError, match=r"3:1: error: more than one module"):
        read("module {\n}\nmodule {\n}\n", "k.ttgir")
    with pytest.raises(TtgirError, match=r"is defined by itself"):
        read("#a = #b\n#b = #a\nmodule {\n %a = x.y : tensor<4xf32, #a>\n}\n", "k.ttgir")
    with pytest.raises(TtgirError, match="nested too deeply"):
        read("module {\n" + "x.y {\n" * 5000, "k.ttgir")


def test_a_rewriter_that_changes_nothing_changes_nothing():
    """Text put together from the pieces around operands is the text."""
    m = module("matmul-sm80.ttgir")
    at, pieces = 0, list[str]()
    for operand in sorted((o for each in m.walk() for o in each.operands), key=lambda o: o.span.start):
        pieces += [m.source.text[at : operand.span.start], operand.value.spelling]
        at = operand.span.end
    assert "".join(pieces) + m.source.text[at:] == m.source.text
