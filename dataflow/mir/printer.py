"""Writes MIR text from the objects of `model`: what reading it gives back is equal in all that the analyses use.

Lines of blocks come out as LLVM spells them, operands in LLVM's order. What the reader skips is gone: frame and
function information, probabilities of successors, lane masks of live-in lists, symbols before and after an
instruction. Bundles come out flat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .model import Block, Flag, Instruction, MachineFunction, Register

# in the order in which LLVM prints them
_FLAG_WORDS = (
    (Flag.INTERNAL, "internal"),
    (Flag.DEAD, "dead"),
    (Flag.KILLED, "killed"),
    (Flag.UNDEF, "undef"),
    (Flag.EARLY_CLOBBER, "early-clobber"),
    (Flag.RENAMABLE, "renamable"),
    (Flag.DEBUG_USE, "debug-use"),
)
_INSTRUCTION_FLAGS = (
    "frame-setup frame-destroy nnan ninf nsz arcp contract afn reassoc nuw nsw exact nofpexcept nomerge nneg disjoint "
    "nusw samesign inbounds".split()
)
_TYPE = re.compile(r"\((?!tied-def )[^()]*\)$")
_PLAIN_NAME = re.compile(r"[\w.$-]+$")


def print_function(function: MachineFunction) -> str:
    """One document of a MIR file."""
    lines = ["---", f"name: {function.name}"]
    if function.register_classes:
        lines.append("registers:")
        # a class may be known from operands only, where the register has a name instead of a number
        lines += [f"  - {{ id: {n}, class: {c} }}" for n, c in function.register_classes.items() if n.isdigit()]
    if function.live_ins:
        lines.append("liveins:")
        lines += [f"  - {{ reg: '${name}' }}" for name in function.live_ins]
    if function.stack:
        lines.append("stack:")
        lines += [
            f"  - {{ id: {s.number}, type: {s.kind}, size: {s.size}, stack-id: {s.stack_id} }}"
            for s in function.stack.values()
        ]
    lines.append("body: |")
    for number, block in enumerate(function.blocks):
        lines += ([""] if number else []) + list(_block_lines(block))
    return "\n".join([*lines, "...", ""])


def _block_lines(block: Block) -> Iterator[str]:
    name = block.name if not block.name or _PLAIN_NAME.match(block.name) else f'"{block.name}"'
    yield f"  bb.{block.number}{'.' if name else ''}{name}:"
    # always written: an empty list is not the same as none
    yield f"    successors: {', '.join(f'%bb.{n}' for n in block.successors)}".rstrip()
    if block.live_ins:
        yield f"    liveins: {', '.join('$' + name for name in block.live_ins)}"
    for instruction in block.instructions:
        yield f"    {print_instruction(instruction)}"


def print_instruction(instruction: Instruction) -> str:
    """One line, with memory operands and debug location, made of the fields and not of `Instruction.text`."""
    text = print_operation(instruction)
    if instruction.debug:
        text += f"{_comma(instruction)} debug-location {instruction.debug}"
    return text + (f" :: {instruction.memory}" if instruction.memory else "")


def print_operation(instruction: Instruction) -> str:
    """The line without memory operands and debug location."""
    results = [d for d in instruction.defs if Flag.DEF not in d.flags]
    left = ", ".join(map(print_register, results))
    flags = "".join(f"{flag} " for flag in sorted(instruction.flags, key=_flag_order))
    operands = ", ".join(_operands(instruction, len(results)))
    return f"{left}{' = ' if left else ''}{flags}{instruction.opcode}{' ' if operands else ''}{operands}"


def _operands(instruction: Instruction, results: int) -> Iterator[str]:
    """Operands after the opcode, in order: in inline assembly a word says which kind comes next."""
    defs, uses = iter(instruction.defs[results:]), iter(instruction.uses)
    implicit_defs, implicit_uses = list(instruction.implicit_defs), list(instruction.implicit_uses)
    for immediate in instruction.immediates:
        if immediate == "R":
            yield print_register(next(uses))
            continue
        yield immediate
        if immediate.startswith("regdef"):
            yield from (print_register(d) for d in (next(defs, None),) if d is not None)
        elif immediate == "clobber" and implicit_defs:
            yield print_register(implicit_defs.pop(0))
    yield from map(print_register, (*defs, *implicit_defs, *implicit_uses))


def print_register(register: Register) -> str:
    """A register operand, with flags, class, tie and type."""
    words: list[str] = []
    if Flag.IMPLICIT in register.flags:
        words.append("implicit-def" if Flag.DEF in register.flags else "implicit")
    elif Flag.DEF in register.flags:
        words.append("def")
    words += [word for flag, word in _FLAG_WORDS if flag in register.flags]
    name = register.spelling + (f":{register.cls}" if register.cls else "")
    tie = f"(tied-def {register.tied})" if register.tied >= 0 else ""
    kind = _TYPE.search(register.text)
    return " ".join([*words, name + tie + (kind.group() if kind else "")])


def _flag_order(flag: str) -> tuple[int, str]:
    known = flag in _INSTRUCTION_FLAGS
    return (_INSTRUCTION_FLAGS.index(flag) if known else len(_INSTRUCTION_FLAGS), flag)


def _comma(instruction: Instruction) -> str:
    has_operands = bool(instruction.immediates or instruction.implicit_defs or instruction.implicit_uses)
    return "," if has_operands else ""
