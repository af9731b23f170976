from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.llc.run import BuiltinLlc, InputError, TritonLlc, Variant
from regtriage.tools.matrix.axes import parse_axis
from regtriage.tools.sweep.model import Compiler, Method, Options
from regtriage.tools.sweep.plan import Settings, all_options, flags_of, make_plan

from .make import BUILTIN, kernel

TRITON = Compiler("triton", None, "triton", "triton 3.9.0", "")
BOTH = [(BUILTIN, BuiltinLlc(Path("/none"))), (TRITON, TritonLlc())]


def test_every_kernel_with_every_compiler_under_every_setting():
    settings = Settings((parse_axis("waves-per-eu=,2"),), (Variant.OFF, Variant.PRIVATE))
    plan = make_plan([kernel("a.ll"), kernel("b.ll")], BOTH[:1], settings, "0.1")
    said = [(u.kernel.name, u.configuration.flags, u.configuration.variant) for u in plan.units]
    assert said[:4] == [
        ("a.ll", "", "off"),
        ("a.ll", "", "private"),
        ("a.ll", "amdgpu-waves-per-eu=2", "off"),
        ("a.ll", "amdgpu-waves-per-eu=2", "private"),
    ]
    assert [name for name, *_ in said[4:]] == ["b.ll"] * 4


def test_without_settings_a_kernel_is_compiled_as_it_is():
    assert all_options(Settings()) == (Options(Variant.OFF),)


def test_assembly_and_ttgir_have_one_unit_whatever_is_varied():
    kernels = [kernel("a.s", Method.ASM), kernel("b.ttgir", Method.PTSS)]
    plan = make_plan(kernels, BOTH[:1], Settings((parse_axis("O=1,2,3"),)), "0.1")
    assert [(u.kernel.name, u.options, u.configuration.compiler) for u in plan.units] == [
        ("a.s", None, ""),
        ("b.ttgir", None, ""),
    ]


def test_a_variant_that_a_compiler_does_not_have_is_left_out_and_said():
    plan = make_plan([kernel("a.ll")], BOTH, Settings(variants=(Variant.OFF, Variant.PRIVATE)), "0.1")
    assert [(u.compiler.kind, u.configuration.variant) for u in plan.units] == [
        ("builtin", "off"),
        ("builtin", "private"),
        ("triton", "off"),
    ]
    assert plan.left_out == ("triton: no variant 'private': left out",)
    with pytest.raises(InputError, match="nothing is left to do: triton: no variant 'private'"):
        make_plan([kernel("a.ll")], BOTH[1:], Settings(variants=(Variant.PRIVATE,)), "0.1")


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        (Options(Variant.OFF), ""),
        (Options(Variant.GUARD), ""),
        (Options(Variant.OFF, opt=2, cpu="gfx942", triple="amdgcn"), "-mtriple=amdgcn -mcpu=gfx942 -O2"),
        (Options(Variant.OFF, attributes=(("a", "1,4"), ("b", "2"))), "a=1,4 b=2"),
        (Options(Variant.OFF, llc_args=("-x=a b", "-y")), "'-x=a b' -y"),
        (Options(Variant.OFF, llc_args=("-x=a", "b", "-y")), "-x=a b -y"),
    ],
)
def test_flags_are_equal_only_where_settings_are(options: Options, flags: str):
    assert flags_of(options) == flags


def test_values_on_an_axis_go_before_those_of_all_units():
    settings = Settings((parse_axis("mcpu=,gfx942"), parse_axis("O=,1")), cpu="gfx90a", opt=2, llc_args=("-a",))
    assert [(o.cpu, o.opt, o.llc_args) for o in all_options(settings)] == [
        ("gfx90a", 2, ("-a",)),
        ("gfx90a", 1, ("-a",)),
        ("gfx942", 2, ("-a",)),
        ("gfx942", 1, ("-a",)),
    ]


def test_a_variant_is_varied_once():
    with pytest.raises(InputError, match="--vary variant: error: varied twice"):
        all_options(Settings((parse_axis("variant=off"),), (Variant.OFF,)))
