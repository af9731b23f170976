"""AMDGPU instructions that the interpreter computes instead of hashing, and which of them heed EXEC.

Sources: the instruction set manuals' pseudo-code for scalar bit operations, selects, SAVEEXEC and packed
32-bit operations (op_sel picks, for each result, which half of a 64-bit operand it reads).
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from ..mir.model import Instruction
from .words import Bitwise

THREAD_LIMIT = 16
"""The followed thread is one of the first 16, whose bits are in the first unit of a mask at any granule."""

EXEC = ("exec_lo", "exec_hi")
STATE = frozenset(("exec_lo", "exec_hi", "m0", "mode"))
"""Registers whose every write is an event."""
NOT_DATA = frozenset(("exec_lo", "exec_hi", "mode"))
"""Implicitly read by nearly everything. EXEC is modelled otherwise and the mode's writes are events."""

_BITWISE: dict[str, Bitwise] = {
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b,
    "NAND": lambda a, b: ~(a & b),
    "NOR": lambda a, b: ~(a | b),
    "XNOR": lambda a, b: ~(a ^ b),
    "ANDN1": lambda a, b: ~a & b,
    "ANDN2": lambda a, b: a & ~b,
    "ORN1": lambda a, b: ~a | b,
    "ORN2": lambda a, b: a | ~b,
}
_SCALAR_BITS = re.compile(rf"S_({'|'.join(_BITWISE)})(_SAVEEXEC)?_B(?:32|64)(?:_term)?$")
_MOVE = re.compile(r"((PRED_|WWM_)?COPY|S_MOV_B(32|64)(_term)?|V_MOV_B32_e(32|64)|EXIT_STRICT_W[WQ]M)$")
_SELECT = re.compile(r"S_CSELECT_B(32|64)$")
_COMPARE = re.compile(r"S_CMP_(EQ|LG|LT|LE|GT|GE)_([UI])(?:32|64)$")
_PACKED = re.compile(r"V_PK_(ADD|MUL|FMA)_F32$")
_VECTOR_CLASS = re.compile(r"(vgpr|vreg|agpr|areg|av|vs)_")
_BRANCH = re.compile(r"S_CBRANCH_(?:(SCC)([01])|(VCC|EXEC)(Z|NZ))$")
_LANE_READ = ("V_READLANE", "V_READFIRSTLANE")
_PACKED_OPERANDS = {"ADD": 2, "MUL": 2, "FMA": 3}
_OP_SEL, _OP_SEL_HIGH = 4, 8


class Form(enum.Enum):
    """What an instruction computes."""

    HASH = enum.auto()
    MOVE = enum.auto()
    BITWISE = enum.auto()
    """Destination = operation(first, second); SCC = whether that is not zero."""
    SAVE_EXEC = enum.auto()
    """Destination = EXEC; EXEC = operation(first, EXEC); SCC = whether that is not zero."""
    NOT = enum.auto()
    SELECT = enum.auto()
    """Destination = SCC ? first : second."""
    MASK_SELECT = enum.auto()
    """Destination = the thread's bit of the mask ? second : first."""
    COMPARE = enum.auto()
    """SCC = whether first and second are in a relation."""
    PACKED = enum.auto()
    """Each half of the destination is a function of the halves of the sources that op_sel names."""
    PACKED_MOVE = enum.auto()


@dataclass(frozen=True, slots=True)
class Relation:
    """negated: true where `base` is not. swapped: of the second with the first. base: "eq" or "lt"."""

    base: str
    negated: bool
    swapped: bool
    signed: bool


@dataclass(frozen=True, slots=True)
class Meaning:
    """form; operation of the bitwise ones; sources: positions in `Instruction.immediates` of the operands read.

    relation: of the comparisons.
    halves: for the packed forms, for each half of the result, which half of each source (of source 0 then 1 for
    the packed move) it reads.
    """

    form: Form
    operation: Bitwise | None = None
    sources: tuple[int, ...] = ()
    halves: tuple[tuple[int, ...], ...] = ()
    relation: Relation | None = None


_RELATIONS = {
    "EQ": ("eq", False, False),
    "LG": ("eq", True, False),
    "LT": ("lt", False, False),
    "GE": ("lt", True, False),
    "GT": ("lt", False, True),
    "LE": ("lt", True, True),
}
_HASH = Meaning(Form.HASH)


def meaning(instruction: Instruction) -> Meaning:
    """How to compute this instruction. Whatever does not have exactly the expected operands is hashed."""
    opcode, operands = instruction.opcode, instruction.immediates
    if opcode.startswith("S_"):
        return _scalar(opcode, len(operands))
    if _MOVE.match(opcode) and len(operands) == 1:
        return Meaning(Form.MOVE, sources=(0,))
    if opcode == "ENTER_STRICT_WWM" and len(operands) == 1:
        return Meaning(Form.SAVE_EXEC, _BITWISE["OR"], (0,))
    if opcode == "V_CNDMASK_B32_e64" and len(operands) == 5 and operands[0] == operands[2] == "0":
        return Meaning(Form.MASK_SELECT, sources=(1, 3, 4))
    if opcode == "V_CNDMASK_B32_e32" and len(operands) == 2:
        return Meaning(Form.MASK_SELECT, sources=(0, 1))
    if opcode == "V_PK_MOV_B32" and len(operands) >= 4:
        return _packed_move(operands)
    packed = _PACKED.match(opcode)
    return _packed(operands, _PACKED_OPERANDS[packed.group(1)]) if packed else _HASH


def _scalar(opcode: str, count: int) -> Meaning:
    bits = _SCALAR_BITS.match(opcode)
    if bits:
        operation = _BITWISE[bits.group(1)]
        if bits.group(2):
            return Meaning(Form.SAVE_EXEC, operation, (0,)) if count == 1 else _HASH
        return Meaning(Form.BITWISE, operation, (0, 1)) if count == 2 else _HASH
    compare = _COMPARE.match(opcode)
    if compare and count == 2:
        relation = Relation(*_RELATIONS[compare.group(1)], compare.group(2) == "I")
        return Meaning(Form.COMPARE, sources=(0, 1), relation=relation)
    if opcode in ("S_NOT_B32", "S_NOT_B64") and count == 1:
        return Meaning(Form.NOT, lambda a, b: ~a, (0,))
    if _SELECT.match(opcode) and count == 2:
        return Meaning(Form.SELECT, sources=(0, 1))
    if _MOVE.match(opcode) and count == 1:
        return Meaning(Form.MOVE, sources=(0,))
    return _HASH


def _packed_move(operands: tuple[str, ...]) -> Meaning:
    try:
        first, second = int(operands[0]), int(operands[2])
    except ValueError:
        return _HASH
    if (first | second) & 3:
        return _HASH
    halves = ((int(bool(first & _OP_SEL)),), (int(bool(second & _OP_SEL)),))
    return Meaning(Form.PACKED_MOVE, sources=(1, 3), halves=halves)


def _packed(operands: tuple[str, ...], count: int) -> Meaning:
    try:
        modifiers = [int(operands[2 * k]) for k in range(count)]
    except (IndexError, ValueError):
        return _HASH
    if len(operands) < 2 * count:
        return _HASH
    low = tuple(int(bool(m & _OP_SEL)) for m in modifiers)
    high = tuple(int(bool(m & _OP_SEL_HIGH)) for m in modifiers)
    return Meaning(Form.PACKED, sources=tuple(2 * k + 1 for k in range(count)), halves=(low, high))


def branch_condition(opcode: str) -> tuple[str, bool] | None:
    """For a conditional branch: the register it tests, and whether it is taken when that is not zero."""
    found = _BRANCH.match(opcode)
    if not found:
        return None
    register, bit, mask, suffix = found.groups()
    return (register.lower(), bit == "1") if register else (mask.lower(), suffix == "NZ")


def is_move(instruction: Instruction) -> bool:
    """It only moves a value. Its implicit definitions (`COPY $exec, implicit-def $exec`) tie it to its place."""
    return bool(_MOVE.match(instruction.opcode))


def writes_exec(instruction: Instruction) -> bool:
    """Some definition of it is EXEC or a half of it."""
    defs = instruction.defs if is_move(instruction) else (*instruction.defs, *instruction.implicit_defs)
    return any(d.name in ("exec", *EXEC) and not d.virtual for d in defs)


def is_vector_class(register_class: str) -> bool:
    """A virtual register of this class has one value a thread."""
    return bool(_VECTOR_CLASS.match(register_class))


def is_vector_unit(unit: str) -> bool:
    """A physical register unit has one value a thread."""
    return unit.startswith(("vgpr", "agpr"))


def is_general_unit(unit: str) -> bool:
    """A physical register unit that programs use freely, so that its mention may be bookkeeping."""
    return unit.startswith(("sgpr", "vgpr", "agpr", "ttmp"))


def is_whole_wave(opcode: str) -> bool:
    """Copies, spills and lane writes that work on all threads whatever EXEC says."""
    return "WWM" in opcode


def reads_other_threads(opcode: str) -> bool:
    """Its scalar result is a value of some thread, not a mask."""
    return opcode.startswith(_LANE_READ)


def is_call(instruction: Instruction) -> bool:
    """It runs code that is not in the function, which gets values in registers."""
    return instruction.opcode.startswith(("SI_CALL", "SI_TCRETURN", "SI_CS_CHAIN"))


def is_inline_asm(opcode: str) -> bool:
    """INLINEASM and INLINEASM_BR."""
    return opcode.startswith("INLINEASM")
