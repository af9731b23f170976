"""What kinds of programs there are, and what a seed says about one before its code is made."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from .dice import Dice


class Shape(enum.StrEnum):
    """Which allocation is put under pressure, and by what.

    SGPR: wide scalar tuples that are built in parts. DESCRIPTOR: buffer descriptors whose config words are shared
    and whose base words are carried around loops. VGPR: wide vector tuples under divergent control flow. WWM:
    scalar spills into lanes of vector registers, which are short too, beside whole-wave code.
    """

    SGPR = "sgpr"
    DESCRIPTOR = "descriptor"
    VGPR = "vgpr"
    WWM = "wwm"


CPUS = ("gfx950", "gfx90a", "gfx942", "gfx1100", "gfx1201")
"""Subtargets that programs are made for where the user names none."""

_SCALARS = {
    Shape.SGPR: (24, 28, 32, 36, 40, 48, 56, 64),
    Shape.DESCRIPTOR: (32, 36, 40, 48, 56),
    Shape.VGPR: (102,),
    Shape.WWM: (24, 28, 32, 40),
}
_VECTORS = {
    Shape.SGPR: (0,),
    Shape.DESCRIPTOR: (0,),
    Shape.VGPR: (16, 20, 20, 24, 24, 32, 40),
    Shape.WWM: (16, 20, 24, 32),
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """sgprs, vgprs: registers the program may use, 0 for no limit. statements: how many, about. depth: of nesting.

    widest: words of the widest tuple. poison: how likely a word of a tuple that is built stays undefined.
    agprs: accumulation registers may be used where the subtarget has them. wave_registers: vector registers that
    LLVM may give to whole-wave values, 0 for its default.
    """

    seed: int
    shape: Shape
    cpu: str
    sgprs: int
    vgprs: int
    statements: int
    depth: int
    widest: int
    poison: float
    agprs: bool
    wave_registers: int

    @property
    def waves_per_eu(self) -> str:
        """Wide enough that the limits on registers, which LLVM ignores where they contradict it, count."""
        return "1,16" if self.cpu.startswith(("gfx11", "gfx12")) else "1,8"

    @property
    def llc_args(self) -> tuple[str, ...]:
        """Flags of llc that the program is meant to be compiled with."""
        return (f"-amdgpu-num-vgprs-for-wwm-alloc={self.wave_registers}",) if self.wave_registers else ()


def draw(seed: int, dice: Dice, shapes: Sequence[Shape], cpus: Sequence[str]) -> Parameters:
    """Parameters of the program with that seed."""
    shape = dice.pick(shapes)
    cpu = dice.pick(cpus)
    sgprs, vgprs = dice.pick(_SCALARS[shape]), dice.pick(_VECTORS[shape])
    scarce = vgprs if shape is Shape.VGPR else sgprs
    return Parameters(
        seed=seed,
        shape=shape,
        cpu=cpu,
        sgprs=sgprs,
        vgprs=vgprs,
        statements=dice.between(10, 40),
        depth=dice.between(1, 3),
        widest=16 if scarce >= 40 else 8 if scarce >= 20 else 4,
        poison=dice.pick((0.0, 0.0, 0.1, 0.3)),
        agprs=dice.chance(0.2),
        wave_registers=dice.pick((1, 1, 2, 3)) if shape is Shape.WWM else 0,
    )
