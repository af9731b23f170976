from __future__ import annotations

import ast
from typing import Any

import pytest
from regtriage.tools.collect.guess import guesses
from regtriage.tools.collect.model import Configuration, Constant, Description, Function, Options, Parameter, Signature


def function(text: str, calls: dict[str, str] | None = None) -> Function:
    """Of `def` text, in which `: tl.constexpr` marks constants."""
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    arguments = node.args.args
    defaults: list[Any] = [None] * (len(arguments) - len(node.args.defaults)) + list(node.args.defaults)
    parameters = tuple(
        Parameter(
            a.arg,
            a.annotation is not None and ast.unparse(a.annotation) == "tl.constexpr",
            ast.unparse(a.annotation) if a.annotation else "",
            d is not None,
            ast.literal_eval(d) if d is not None else None,
        )
        for a, d in zip(arguments, defaults, strict=True)
    )
    return Function(text, 1, parameters, calls or {})


def first(text: str, **others: Function) -> Signature:
    functions = {"k": function(text, {name: name for name in others}), **others}
    return next(guesses(Description("k", "k", functions, (), ()), Options()))


def types(text: str, **others: Function) -> dict[str, str]:
    return dict(first(text, **others).types)


def constant(text: str, name: str) -> Constant:
    return first(text).constants[name]


def test_an_address_starts_at_a_pointer():
    assert types("def k(x, n, y):\n  o = x + n * 4\n  p = o + 1\n  tl.store(y, tl.load(p))\n") == {
        "x": "*bf16", "n": "i32", "y": "*bf16",
    }  # fmt: skip


def test_in_what_it_calls_too():
    put = function("def put(where, what):\n  tl.store(where + 1, what)\n")
    assert types("def k(a, b):\n  put(a, b)\n  put(what=1, where=b)\n", put=put) == {"a": "*bf16", "b": "*bf16"}


def test_elements_that_are_added_to_addresses_are_integers():
    text = "def k(a, b, c):\n  i = tl.load(b)\n  for j in range(tl.load(c)):\n    tl.load(a + i.to(tl.int64) * 4)\n"
    assert types(text) == {"a": "*bf16", "b": "*i32", "c": "*i32"}


def test_elements_that_are_made_floating_are_none():
    text = "def k(a, b):\n  v = tl.load(b).to(tl.float32)\n  tl.store(a, v // 2)\n"
    assert types(text)["b"] == "*bf16"


def test_elements_that_are_cast_to_pointers():
    text = "def k(a, n):\n  p = tl.load(a + n).to(tl.pointer_type(tl.float16))\n  tl.load(p)\n"
    assert types(text)["a"] == "*i64"


def test_formats_of_scaled_products():
    text = "def k(a, sa, b, sb):\n  x = tl.load(a)\n  tl.dot_scaled(x, tl.load(sa), 'e4m3', tl.load(b), tl.load(sb), 'e2m1')\n"
    assert types(text) == {"a": "*fp8e4nv", "sa": "*u8", "b": "*u8", "sb": "*u8"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("eps", "fp32"), ("sm_scale", "fp32"), ("n_cols", "i32"), ("philox_seed", "i64"), ("stride_scale_m", "i32")],
)
def test_scalars_by_name(name: str, kind: str):
    assert types(f"def k(x, {name}):\n  tl.load(x)\n")[name] == kind


def test_an_integer_by_use_whatever_its_name():
    assert types("def k(x, scale):\n  tl.load(x + scale)\n")["scale"] == "i32"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("tl.arange(0, C)", 64),
        ("if C: pass", True),
        ("if C == 'gelu': pass", "gelu"),
        ("if C == 3: pass", 3),
        ("if C == 3: tl.arange(0, C)", 64),
        ("y.to(C)", "tl.bfloat16"),
        ("for i in tl.static_range(C): pass", 2),
        ("tl.dot(a, b, input_precision=C)", None),
    ],
)
def test_constants_by_use(body: str, value: Constant):
    assert constant(f"def k(x, C: tl.constexpr):\n  {body}\n", "C") == value


def test_a_default_is_taken():
    assert constant("def k(x, C: tl.constexpr = 96):\n  tl.arange(0, C)\n", "C") == 96


def test_the_last_stride_of_a_tensor_is_one():
    signature = first("def k(x, stride_xm, stride_xk, stride_y):\n  tl.load(x)\n")
    assert signature.constants == {"stride_xk": 1}
    assert signature.types["stride_xm"] == signature.types["stride_y"] == "i32"


def test_pointers_are_reached_through_descriptors():
    signature = first("def k(x, n):\n  tl.load(x)\n")
    assert signature.attributes == {"x": (("tt.divisibility", 16), ("tt.pointer_range", 32))}


def test_a_tuned_configuration_decides():
    made = function("def k(x, BLOCK: tl.constexpr):\n  tl.load(x + tl.arange(0, BLOCK))\n")
    tuned = (Configuration({"BLOCK": 256}, 8, 3),)
    signature = next(guesses(Description("k", "k", {"k": made}, tuned, ()), Options(num_warps=2)))
    assert signature.constants == {"BLOCK": 256}
    assert signature.options == Options(num_warps=2, num_stages=3)


def test_no_guess_comes_twice():
    made = function("def k(x, n):\n  tl.load(x)\n")
    found = list(guesses(Description("k", "k", {"k": made}, (), ()), Options()))
    assert len(found) > 3
    assert all(a != b for i, a in enumerate(found) for b in found[:i])


def test_functions_that_call_each_other():
    even = function("def even(p):\n  odd(p)\n", {"odd": "odd"})
    odd = function("def odd(p):\n  even(p)\n  tl.load(p)\n", {"even": "even"})
    assert types("def k(x):\n  even(x)\n", even=even, odd=odd) == {"x": "*bf16"}
