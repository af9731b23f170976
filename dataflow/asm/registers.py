"""AMDGPU operands as the assembly spells them, and the 32-bit locations they stand for."""

from __future__ import annotations

import re
from functools import cache

_ONE = re.compile(r"(v|s|a|acc|ttmp)(\d+)(?:\.([lh]))?$")
_RANGE = re.compile(r"(v|s|a|acc|ttmp)\[(\d+)(?::(\d+))?\]$")
_WRAPPED = re.compile(r"(?:neg|abs|sext)\((.*)\)$")
_NAMED = {
    "vcc": ("vcc_lo", "vcc_hi"),
    "exec": ("exec_lo", "exec_hi"),
    "flat_scratch": ("flat_scratch_lo", "flat_scratch_hi"),
    "xnack_mask": ("xnack_mask_lo", "xnack_mask_hi"),
    "tba": ("tba_lo", "tba_hi"),
    "tma": ("tma_lo", "tma_hi"),
    "vccz": ("vcc_lo", "vcc_hi"),
    "execz": ("exec_lo", "exec_hi"),
    "src_vccz": ("vcc_lo", "vcc_hi"),
    "src_execz": ("exec_lo", "exec_hi"),
    "src_scc": ("scc",),
}
_ALONE = frozenset(
    "vcc_lo vcc_hi exec_lo exec_hi m0 scc flat_scratch_lo flat_scratch_hi xnack_mask_lo xnack_mask_hi "
    "tba_lo tba_hi tma_lo tma_hi".split()
)
_UNIT = re.compile(r"(s|v|a)gpr(\d+)$")
_LONGEST = 64
"""Dwords of the widest operand; more is not a register."""


@cache
def locations_of(operand: str) -> tuple[str, ...]:
    """The locations an operand names, least significant first; none for literals, symbols, `off` and `null`.

    Accepts `s4`, `v[2:5]`, `-|v0|`, `neg(v0)`, `[s4,s5]`, `v3.h`, `vcc`.
    """
    operand = operand.strip().lstrip("-").strip("|")
    found = _ONE.match(operand)
    if found:
        return (_kind(found[1]) + str(int(found[2])),)
    found = _RANGE.match(operand)
    if found:
        first, last = int(found[2]), int(found[3] or found[2])
        if not first <= last < first + _LONGEST:
            return ()
        return tuple(f"{_kind(found[1])}{n}" for n in range(first, last + 1))
    if operand in _NAMED:
        return _NAMED[operand]
    if operand in _ALONE:
        return (operand,)
    wrapped = _WRAPPED.match(operand)
    if wrapped:
        return locations_of(wrapped[1])
    if operand.startswith("[") and operand.endswith("]"):
        return tuple(one for part in operand[1:-1].split(",") for one in locations_of(part))
    return ()


def location_of_unit(unit: str) -> str:
    """The location of a register unit by its name in MIR: `s4` for `sgpr4`."""
    found = _UNIT.match(unit)
    return found[1] + found[2] if found else unit


def is_half(operand: str) -> bool:
    """The operand names 16 bits of a register."""
    found = _ONE.match(operand)
    return bool(found and found[3])


def _kind(prefix: str) -> str:
    return "a" if prefix == "acc" else prefix
