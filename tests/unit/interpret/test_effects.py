"""What reaches the outside, and in which order."""

from __future__ import annotations

import pytest

from .mir import DEF, USE, always, run, same

LOAD = "{} = GLOBAL_LOAD_DWORD_SADDR {}, {}, 0, 0, implicit $exec :: (load (s32), addrspace 1)"
STORE = "GLOBAL_STORE_DWORD_SADDR {}, {}, {}, 0, 0, implicit $exec :: (store (s32), addrspace 1)"
END = "S_ENDPGM 0"


def text(*lines: str) -> str:
    return "\n".join((*lines, END))


HEAD = (f"{DEF}$sgpr0_sgpr1", f"{DEF}$vgpr0", f"{DEF}$vgpr1")


def store(address: str = "$vgpr0", value: str = "$vgpr1") -> str:
    return STORE.format(address, value, "$sgpr0_sgpr1")


@pytest.mark.parametrize(
    "after",
    [
        (store(value="$vgpr0"),),
        (store(address="$vgpr1"),),
        (),
        (store(), store()),
        ("S_BARRIER", store()),
        (STORE.replace("0, 0, imp", "4, 0, imp").format("$vgpr0", "$vgpr1", "$sgpr0_sgpr1"),),
    ],
)
def test_stores_must_happen_as_they_did(after: tuple[str, ...]):
    before = text(*HEAD, store())
    assert same(run(before, before))
    assert always(run(before, text(*HEAD, *after)))


def test_a_load_may_go_but_not_come_or_change_its_address():
    load = LOAD.format("$vgpr2", "$sgpr0_sgpr1", "$vgpr0")
    other = LOAD.format("$vgpr3", "$sgpr0_sgpr1", "$vgpr1")
    before = text(*HEAD, load, other, store(value="$vgpr3"))
    assert same(run(before, text(*HEAD, other, store(value="$vgpr3"))))
    assert always(run(before, text(*HEAD, load, store(value="$vgpr3")))), "its result is wanted"
    assert always(run(before, text(*HEAD, load, load, other, store(value="$vgpr3"))))
    assert always(
        run(before, text(*HEAD, load, LOAD.format("$vgpr3", "$sgpr0_sgpr1", "$vgpr0"), store(value="$vgpr3")))
    )


def test_memory_changes_with_every_effect():
    load = LOAD.format("{}", "$sgpr0_sgpr1", "$vgpr0")
    before = text(*HEAD, load.format("$vgpr2"), store(), load.format("$vgpr3"), store(value="$vgpr3"))
    after = text(*HEAD, load.format("$vgpr2"), store(), load.format("$vgpr3"), store(value="$vgpr2"))
    assert always(run(before, after))


@pytest.mark.parametrize(("offset", "differs"), [(8, False), (4, True)])
def test_a_narrower_load_from_memory_that_never_changes(offset: int, *, differs: bool):
    flags = ":: (dereferenceable invariant load (s128), addrspace 4)"
    before = text(HEAD[0], f"%1:sgpr_128 = S_LOAD_DWORDX4_IMM $sgpr0_sgpr1, 0, 0 {flags}", f"{USE}%1.sub2")
    after = text(HEAD[0], f"$sgpr9 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, {offset}, 0 {flags}", f"{USE}$sgpr9")
    assert bool(run(before, after).differ) is differs


def test_writes_of_m0():
    before = text(f"{DEF}%1:sreg_32", f"{DEF}%2:sreg_32", "$m0 = COPY %1")
    after = text(f"{DEF}$sgpr4", f"{DEF}$sgpr5", "$m0 = COPY {}")
    assert same(run(before, after.format("$sgpr4")))
    assert always(run(before, after.format("$sgpr5")))


def test_inline_asm_defines_something_new_each_time():
    before = text(f"{DEF}%1:sreg_32", f"{DEF}%2:sreg_32", f"{USE}%2")
    assert always(run(before, text(f"{DEF}$sgpr4", f"{DEF}$sgpr5", f"{USE}$sgpr4")))


def test_an_asm_clobber_overwrites():
    clobber = 'INLINEASM &"; clobber", sideeffect attdialect, clobber, implicit-def early-clobber {}'
    before = text(f"{DEF}%1:sreg_32", clobber.format("$sgpr9"), f"{USE}%1")
    assert same(run(before, text(f"{DEF}$sgpr8", clobber.format("$sgpr9"), f"{USE}$sgpr8")))
    assert always(run(before, text(f"{DEF}$sgpr9", clobber.format("$sgpr9"), f"{USE}$sgpr9")))


@pytest.mark.parametrize(
    ("mask", "register", "differs"),
    [("csr_amdgpu", "$sgpr40", False), ("csr_amdgpu", "$sgpr20", True), ("csr_nobody_knows", "$sgpr20", False)],
)
def test_calls_leave_undefined_what_they_do_not_preserve(mask: str, register: str, *, differs: bool):
    call = f"dead $sgpr30_sgpr31 = SI_CALL $sgpr0_sgpr1, @f, {mask}, implicit $vgpr0, implicit-def $vgpr0"
    before = text(*HEAD, f"{DEF}%1:sreg_32", call, f"{USE}%1", f"{USE}$vgpr0")
    after = text(*HEAD, f"{DEF}{register}", call, f"{USE}{register}", f"{USE}$vgpr0")
    assert bool(run(before, after).differ) is differs


def test_what_a_call_and_a_return_get():
    call = "dead $sgpr30_sgpr31 = SI_CALL $sgpr0_sgpr1, @f, csr_amdgpu, implicit $vgpr0, implicit-def $vgpr0"
    before = "\n".join((*HEAD, call, "SI_RETURN implicit $vgpr0"))
    assert same(run(before, before))
    assert always(run(before, "\n".join((*HEAD, "$vgpr0 = COPY $vgpr1", call, "SI_RETURN implicit $vgpr0"))))
    assert always(run(before, "\n".join((*HEAD, call, "$vgpr0 = COPY $vgpr1", "SI_RETURN implicit $vgpr0"))))


def test_a_tied_use_is_read_where_the_definition_is():
    before = text(
        *HEAD,
        "%1:vgpr_32 = COPY $vgpr1",
        "%1:vgpr_32 = V_FMAC_F32_e32 $vgpr0, $vgpr0, %1(tied-def 0), implicit $exec",
        f"{USE}%1",
    )
    after = text(*HEAD, "$vgpr2 = V_FMAC_F32_e32 $vgpr0, $vgpr0, {}(tied-def 0), implicit $exec", f"{USE}$vgpr2")
    assert always(run(before, after.format("$vgpr1")))
    assert same(run(before, after.replace("$vgpr2", "$vgpr1").format("$vgpr1")))


def test_an_early_clobber_destroys_an_operand_it_overlaps():
    flags = ":: (dereferenceable invariant load (s128), addrspace 4)"
    before = text(f"{DEF}%1:sgpr_64", f"early-clobber %2:sgpr_128 = S_LOAD_DWORDX4_IMM_ec %1, 0, 0 {flags}", f"{USE}%2")
    after = text(
        f"{DEF}$sgpr4_sgpr5", f"early-clobber {{0}} = S_LOAD_DWORDX4_IMM_ec $sgpr4_sgpr5, 0, 0 {flags}", f"{USE}{{0}}"
    )
    assert same(run(before, after.format("$sgpr8_sgpr9_sgpr10_sgpr11")))
    assert always(run(before, after.format("$sgpr4_sgpr5_sgpr6_sgpr7")))


def test_the_agpr_form_of_a_matrix_instruction_is_the_same_operation():
    mfma = "{0} = V_MFMA_F32_4X4X1F32{1}_e64 $vgpr0, $vgpr1, {0}, 0, 0, 0, implicit $mode, implicit $exec"
    before = text(
        *HEAD, f"{DEF}%1:vreg_128", mfma.format("%1:vreg_128", "_mac_vgprcd").replace("%1:vreg_128,", "%1,"), f"{USE}%1"
    )
    after = text(
        *HEAD,
        f"{DEF}$agpr0_agpr1_agpr2_agpr3",
        mfma.format("$agpr0_agpr1_agpr2_agpr3", "_mac"),
        f"{USE}$agpr0_agpr1_agpr2_agpr3",
    )
    assert same(run(before, after))


def test_half_lanes():
    before = text(f"{DEF}%1:sreg_32", "%2:vgpr_32 = COPY %1", f"{USE}%2.lo16", f"{USE}%2.hi16")
    assert same(run(before, text(f"{DEF}$sgpr4", "$vgpr0 = COPY $sgpr4", f"{USE}$vgpr0_lo16", f"{USE}$vgpr0_hi16")))
    assert always(run(before, text(f"{DEF}$sgpr4", "$vgpr0 = COPY $sgpr4", f"{USE}$vgpr0_lo16", f"{USE}$vgpr0_lo16")))
