from __future__ import annotations

import pytest
from regtriage.dataflow.mir.model import Effect
from regtriage.dataflow.targets import AMDGPU, TargetError, target_for

from .mirtext import function


@pytest.mark.parametrize(
    ("cls", "bits"),
    [
        ("sgpr_32", 32), ("sreg_32_xm0_xexec", 32), ("sgpr_128", 128), ("vreg_1024_align2", 1024), ("av_192_align2", 192),
        ("areg_512", 512), ("vgpr_16_lo128", 16), ("sreg_64_xexec", 64), ("vs_32_lo128", 32), ("vgpr_lo16", 16),
    ],
)  # fmt: skip
def test_class_widths(cls: str, bits: int):
    assert AMDGPU.class_bits(cls) == bits


@pytest.mark.parametrize("cls", ["gpr", "sgpr_48", "vreg_2048", ""])
def test_unknown_classes(cls: str):
    with pytest.raises(TargetError):
        AMDGPU.class_bits(cls)


@pytest.mark.parametrize(
    ("sub", "words", "halves"),
    [
        ("sub0", (0,), (0, 1)),
        ("sub2_sub3", (2, 3), (4, 5, 6, 7)),
        ("lo16", (0,), (0,)),
        ("sub1_hi16", (1,), (3,)),
        ("lo16_hi16_sub1_lo16_sub1_hi16", (0, 1), (0, 1, 2, 3)),
        ("sub16", (16,), (32, 33)),
    ],
)
def test_sub_registers(sub: str, words: tuple[int, ...], halves: tuple[int, ...]):
    assert AMDGPU.sub_units(sub, 32) == words
    assert AMDGPU.sub_units(sub, 16) == halves


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("sgpr4_sgpr5", ("sgpr4", "sgpr5")),
        ("vcc", ("vcc_lo", "vcc_hi")),
        ("exec", ("exec_lo", "exec_hi")),
        ("scc", ("scc",)),
        ("m0", ("m0",)),
        ("vgpr255", ("vgpr255",)),
        ("agpr3_agpr4", ("agpr3", "agpr4")),
        ("noreg", ()),
        ("flat_scr", ("flat_scr_lo", "flat_scr_hi")),
        ("vgpr7_lo16", ("vgpr7",)),
    ],
)
def test_physical_units(name: str, units: tuple[str, ...]):
    assert AMDGPU.physical_units(name, 32) == units


def test_physical_halves():
    assert AMDGPU.physical_units("vgpr7_hi16", 16) == ("vgpr7.hi16",)
    assert AMDGPU.physical_units("vgpr7", 16) == ("vgpr7.lo16", "vgpr7.hi16")


def test_lane_masks_have_two_bits_a_dword():
    assert AMDGPU.mask_units(0x3C3C, 32) == {1, 2, 5, 6}
    assert AMDGPU.mask_units(0b1001, 16) == {0, 3}


def test_calls_keep_the_callee_saved():
    kept = AMDGPU.preserved("csr_amdgpu")
    assert kept is not None
    assert [kept(u) for u in ("sgpr29", "sgpr30", "vgpr39", "vgpr40", "vgpr48", "agpr32", "vcc_lo")] == [
        False, True, False, True, False, True, False,
    ]  # fmt: skip
    assert AMDGPU.preserved("csr_no_such") is None


def test_targets_by_triple():
    assert target_for("amdgpu9.50-amd-amdhsa") is AMDGPU
    assert target_for("") is AMDGPU
    with pytest.raises(TargetError, match="riscv64"):
        target_for("riscv64-unknown-linux-gnu")


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("%1:sgpr_64 = S_LOAD_DWORDX2_IMM %0, 0, 0 :: (invariant load (s64), addrspace 4)", Effect.NONE),
        ("%1:sgpr_64 = S_LOAD_DWORDX2_IMM %0, 0, 0 :: (load (s64), addrspace 4)", Effect.LOAD),
        ("%1:sgpr_64 = S_LOAD_DWORDX2_IMM %0, 0, 0 :: (invariant load (s32)), (load (s32))", Effect.LOAD),
        ("%1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0 :: (invariant load (s32), addrspace 1)", Effect.LOAD),
        ("%1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0 :: (dereferenceable invariant load (s32))", Effect.NONE),
        ("GLOBAL_STORE_DWORD %0, %1, 0, 0 :: (store (s32), addrspace 1)", Effect.EFFECT),
    ],
)
def test_which_loads_allocation_may_repeat(line: str, effect: Effect):
    (instruction,) = function(f"bb.0:\n{line}").blocks[0].instructions
    assert instruction.effect is effect
