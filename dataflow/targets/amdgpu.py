"""AMDGPU: scalar, vector and accumulation registers, their tuples up to 1024 bits, and its spill pseudos.

Sources: LLVM's AMDGPU register definitions and calling convention (names and numbers only).

Register tuples are spelt as their members (`sgpr4_sgpr5`); a sub-register index as the dwords it selects
(`sub2_sub3`), with `lo16`/`hi16` for halves of the dword before them, or of dword 0 at the start.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import cache

from ..mir.model import Effect, Flag, Instruction, Register, Role
from .base import Target, TargetError, WholeWaveStep

_CLASS_BITS = re.compile(r"^(?:[a-z]+_)+?(?:lo)?(\d+)(?:_|$)")
_TUPLE_MEMBER = re.compile(r"(sgpr|vgpr|agpr|ttmp)(\d+)(?:_(lo16|hi16))?(?:_|$)")
_PAIRS = {
    "vcc": ("vcc_lo", "vcc_hi"),
    "exec": ("exec_lo", "exec_hi"),
    "flat_scr": ("flat_scr_lo", "flat_scr_hi"),
    "xnack_mask": ("xnack_mask_lo", "xnack_mask_hi"),
    "tba": ("tba_lo", "tba_hi"),
    "tma": ("tma_lo", "tma_hi"),
    "sgpr_null64": ("sgpr_null", "sgpr_null_hi"),
}
_RESERVED = frozenset(
    "exec_lo exec_hi mode sgpr_null sgpr_null_hi flat_scr_lo flat_scr_hi src_shared_base src_shared_limit "
    "src_private_base src_private_limit src_shared_base_lo src_shared_limit_lo src_private_base_lo "
    "src_private_limit_lo src_pops_exiting_wave_id src_vccz src_execz src_scc src_flat_scratch_base_lo "
    "src_flat_scratch_base_hi lds_direct fp_reg sp_reg private_rsrc_reg tba_lo tba_hi tma_lo tma_hi".split()
)
_COPIES = frozenset(("COPY", "PRED_COPY", "WWM_COPY"))
_MOVES_OF_IMMEDIATES = frozenset(
    "S_MOV_B32 S_MOV_B64 S_MOVK_I32 S_MOV_B64_IMM_PSEUDO V_MOV_B32_e32 V_MOV_B32_e64 V_MOV_B64_e32 V_MOV_B64_PSEUDO "
    "AV_MOV_B32_IMM_PSEUDO AV_MOV_B64_IMM_PSEUDO V_ACCVGPR_WRITE_B32_e64".split()
)
_NOTHING = frozenset(
    "KILL DBG_VALUE DBG_VALUE_LIST DBG_INSTR_REF DBG_PHI DBG_LABEL CFI_INSTRUCTION BUNDLE LIFETIME_START LIFETIME_END "
    "FAKE_USE PSEUDO_PROBE ANNOTATION_LABEL EH_LABEL".split()
)
_SPILL = re.compile(r"^SI_SPILL_\w+?_(SAVE|RESTORE)(?:_CFI)?$")
_SCALAR_LOAD = re.compile(r"^S_(BUFFER_)?LOAD_DWORD(?:X\d+)?_(IMM|SGPR_IMM|SGPR)(?:_ec)?$")
_LOAD_MARKS = re.compile(r"\(([\w -]*)\bload ")
_BARRIERS = frozenset(
    ("S_BRANCH", "S_ENDPGM", "S_SETPC_B64", "S_SETPC_B64_return", "SI_RETURN", "SI_TCRETURN", "S_TRAP")
)
_EXEC = frozenset(("exec", "exec_lo"))
_WRITES_STATE = frozenset(("exec_lo", "exec_hi", "mode"))
_CALLEE_SAVED_VGPR = frozenset(r for base in range(40, 256, 16) for r in range(base, base + 8))


class _AMDGPU(Target):
    name = "AMDGPU"

    def classify(self, instruction: Instruction) -> Instruction:
        role, slot = self._role(instruction)
        effect = self._effect(instruction) if role is Role.ORDINARY else Effect.NONE
        # the allocator's AGPR form of a matrix instruction computes the same as its VGPR form
        opcode = instruction.opcode.replace("_vgprcd", "") if "MFMA" in instruction.opcode else instruction.opcode
        load = self.rematerialisable_load(instruction) if effect is Effect.NONE else None
        return dataclasses.replace(
            instruction,
            role=role,
            effect=effect,
            slot=slot,
            constants=_constants(instruction) if role is Role.CONSTANT else (),
            key=(opcode, instruction.immediates, instruction.memory),
            term=(load[0],) if load else (opcode, instruction.immediates),
            load_offset=load[1] if load else None,
        )

    def _role(self, i: Instruction) -> tuple[Role, str]:
        opcode = i.opcode
        if opcode in _NOTHING:
            return Role.NOTHING, ""
        if opcode == "IMPLICIT_DEF":
            return Role.UNDEFINE, ""
        if opcode in _COPIES and len(i.defs) == 1 and len(i.uses) == 1:
            return (Role.ORDINARY if self._writes_state(i) else Role.COPY), ""
        if opcode in _MOVES_OF_IMMEDIATES and not i.uses and len(i.defs) == 1 and i.immediates:
            return (Role.ORDINARY if self._writes_state(i) else Role.CONSTANT), ""
        if opcode == "SI_SPILL_S32_TO_VGPR":
            return Role.LANE_SAVE, _lane_number(i)
        if opcode == "SI_RESTORE_S32_FROM_VGPR":
            return Role.LANE_RESTORE, _lane_number(i)
        spill = _SPILL.match(opcode)
        if spill:
            slot = next((m for m in i.immediates if "stack." in m), "")
            slot = ".".join(slot.split(".")[:2])
            if slot:
                return (Role.SAVE if spill.group(1) == "SAVE" else Role.RESTORE), slot
        return Role.ORDINARY, ""

    def _writes_state(self, i: Instruction) -> bool:
        return any(
            not d.virtual and not _WRITES_STATE.isdisjoint(self.physical_units(d.name, 32))
            for d in (*i.defs, *i.implicit_defs)
        )

    def _effect(self, i: Instruction) -> Effect:
        if i.opcode.startswith(("INLINEASM", "SI_CALL", "SI_TCRETURN")) or self._writes_state(i):
            return Effect.EFFECT
        if not any(
            d.virtual or self.is_allocatable(self.physical_units(d.name, 32)[0]) for d in i.defs if d.name != "noreg"
        ):
            return Effect.EFFECT
        memory = i.memory
        if not memory:
            return Effect.EFFECT if _SCALAR_LOAD.match(i.opcode) else Effect.NONE
        if (
            " store " in memory
            or "(store " in memory
            or "volatile" in memory
            or "atomic" in memory
            or "seq_cst" in memory
        ):
            return Effect.EFFECT
        if not all("invariant" in marks for marks in _LOAD_MARKS.findall(memory)):
            return Effect.LOAD
        # scalar loads are rebuilt anywhere if what they read does not change, others if they cannot fault either
        pure = "dereferenceable" in memory or _SCALAR_LOAD.match(i.opcode)
        return Effect.NONE if pure else Effect.LOAD

    def ends_block(self, opcode: str) -> bool:
        return opcode in _BARRIERS or opcode.startswith(("SI_RETURN", "SI_TCRETURN", "S_ENDPGM"))

    def class_bits(self, register_class: str) -> int:
        return _class_bits(register_class)

    def sub_units(self, sub: str, granule: int) -> tuple[int, ...]:
        return _sub_units(sub, granule)

    def mask_units(self, mask: int, granule: int) -> frozenset[int]:
        """Two bits a dword: its low and its high half."""
        if granule == 16:
            return frozenset(k for k in range(64) if mask >> k & 1)
        return frozenset(k for k in range(32) if mask >> (2 * k) & 3)

    def physical_units(self, name: str, granule: int) -> tuple[str, ...]:
        return _physical_units(name, granule)

    def is_allocatable(self, unit: str) -> bool:
        return unit.startswith(("sgpr", "vgpr", "agpr", "vcc_")) and not unit.startswith("sgpr_null")

    def is_built_in(self, unit: str) -> bool:
        return unit.startswith("vcc_")

    def is_reserved(self, unit: str) -> bool:
        return unit in _RESERVED

    def is_regmask(self, immediate: str) -> bool:
        return immediate.startswith(("csr_", "CustomRegMask("))

    def preserved(self, regmask: str) -> Callable[[str], bool] | None:
        if regmask.startswith("CustomRegMask("):
            kept = {u for n in re.findall(r"\$(\w+)", regmask) for u in _physical_units(n, 32)}
            return lambda unit: unit.split(".")[0] in kept
        if regmask.endswith("_noregs"):
            return lambda unit: False
        if regmask in ("csr_amdgpu", "csr_amdgpu_gfx90ainsts"):
            return _callee_saved
        return None

    def rematerialisable_load(self, instruction: Instruction) -> tuple[str, int] | None:
        found = _SCALAR_LOAD.match(instruction.opcode)
        if not found or self._effect(instruction) is not Effect.NONE:
            return None
        numbers = [m for m in instruction.immediates if m != "R"]
        try:
            offset = int(numbers[0]) if found.group(2) != "SGPR" else 0
        except (IndexError, ValueError):
            return None
        return f"s_load {found.group(1) or ''}{found.group(2)}", offset

    def is_masked(self, instruction: Instruction, register_class: str, register: Register) -> bool:
        """Vector registers, unless the opcode moves the whole wave."""
        if "WWM" in instruction.opcode:
            return False
        if register.virtual:
            return bool(register_class) and self.family(register_class) != "sgpr"
        return register.name.startswith(("vgpr", "agpr"))

    def whole_wave_step(self, instruction: Instruction) -> tuple[WholeWaveStep, str] | None:
        i = instruction
        if i.opcode.startswith("S_OR_SAVEEXEC_B") and i.immediates == ("-1",):
            return WholeWaveStep.SAVE_AND_OPEN, i.defs[0].spelling
        if not i.opcode.startswith("S_MOV_B") or len(i.defs) != 1:
            return None
        if i.defs[0].name not in _EXEC:
            saves = len(i.uses) == 1 and i.uses[0].name in _EXEC
            return (WholeWaveStep.SAVE, i.defs[0].spelling) if saves else None
        if not i.uses:
            return (WholeWaveStep.OPEN, "") if i.immediates == ("-1",) else None
        return (WholeWaveStep.CLOSE, i.uses[0].spelling) if Flag.KILLED in i.uses[0].flags else None

    def family(self, register_class: str) -> str:
        if register_class.startswith(("sgpr", "sreg", "ttmp", "scc")):
            return "sgpr"
        if register_class.startswith("av"):
            return "av"
        return "agpr" if register_class.startswith(("agpr", "areg")) else "vgpr"


AMDGPU: Target = _AMDGPU()


def _callee_saved(unit: str) -> bool:
    """Register unit survives an ordinary call: s30-s105, v40-v47 and so on by sixteens, a32-a255."""
    found = re.match(r"(sgpr|vgpr|agpr)(\d+)", unit)
    if not found:
        return unit in _RESERVED
    number = int(found.group(2))
    if found.group(1) == "sgpr":
        return 30 <= number <= 105
    return number in _CALLEE_SAVED_VGPR if found.group(1) == "vgpr" else 32 <= number <= 255


@cache
def _class_bits(register_class: str) -> int:
    if register_class in ("scc_class", "vreg_1", "sreg_1"):
        return 32
    found = _CLASS_BITS.match(register_class)
    if not found:
        raise TargetError(f"unknown register class '{register_class}'")
    bits = int(found.group(1))
    if bits not in (16, 32) and (bits % 32 or bits > 1024):
        raise TargetError(f"register class '{register_class}' has no known width")
    return bits


@cache
def _sub_units(sub: str, granule: int) -> tuple[int, ...]:
    halves: list[tuple[int, int]] = []
    tokens = sub.split("_")
    dword = 0
    for position, token in enumerate(tokens):
        if token in ("lo16", "hi16"):
            halves.append((dword, int(token == "hi16")))
            continue
        if not (token.startswith("sub") and token[3:].isdigit()):
            raise TargetError(f"unknown sub-register index '{sub}'")
        dword = int(token[3:])
        following = tokens[position + 1] if position + 1 < len(tokens) else ""
        if following not in ("lo16", "hi16"):
            halves += [(dword, 0), (dword, 1)]
    if granule == 16:
        return tuple(2 * d + h for d, h in halves)
    return tuple(dict.fromkeys(d for d, _ in halves))


@cache
def _physical_units(name: str, granule: int) -> tuple[str, ...]:
    if name == "noreg":
        return ()
    if name in _PAIRS:
        members: list[tuple[str, str]] = [(m, "") for m in _PAIRS[name]]
    else:
        members = [(f"{kind}{number}", half) for kind, number, half in _TUPLE_MEMBER.findall(name)]
        spelt = "_".join(m + (f"_{h}" if h else "") for m, h in members)
        if spelt != name:
            base, _, half = name.rpartition("_")
            members = [(base, half)] if half in ("lo16", "hi16") else [(name, "")]
    if granule == 32:
        return tuple(dict.fromkeys(m for m, _ in members))
    units: list[str] = []
    for member, half in members:
        units += [f"{member}.{h}" for h in ((half,) if half else ("lo16", "hi16"))]
    return tuple(units)


def _constants(i: Instruction) -> tuple[object, ...]:
    """One value per 32-bit lane: an int (unsigned), or (text, lane) for what is known only symbolically."""
    bits = 64 if "64" in i.opcode else 32
    text = i.immediates[0]
    try:
        value = int(text)
    except ValueError:
        return tuple((text, k) for k in range(bits // 32))
    return tuple((value >> (32 * k)) & 0xFFFFFFFF for k in range(bits // 32))


def _lane_number(i: Instruction) -> str:
    return next(m for m in i.immediates if m != "R")
