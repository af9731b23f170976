"""Reads MIR text: whole files of several functions, as llc prints them and as people write them.

The grammar is LLVM's (docs/MIRLangRef). What is not needed to follow values (frame information, jump
tables, machine function info) is skipped, never rejected. What is in a block is understood or is an error:
a line that cannot be read could be the one that matters.

A `Reader` remembers every distinct line, so give all stages of one compile to the same Reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from .model import Block, Flag, Instruction, MachineFunction, MirError, MirFile, Register, StackObject

if TYPE_CHECKING:
    from ..targets.base import Target

_FLAG_WORDS = {
    "implicit": Flag.IMPLICIT, "implicit-def": Flag.IMPLICIT | Flag.DEF, "def": Flag.DEF, "dead": Flag.DEAD,
    "killed": Flag.KILLED, "undef": Flag.UNDEF, "internal": Flag.INTERNAL, "renamable": Flag.RENAMABLE,
    "early-clobber": Flag.EARLY_CLOBBER, "debug-use": Flag.DEBUG_USE,
}  # fmt: skip
_REGISTER = re.compile(
    r"((?:(?:implicit-def|implicit|def|dead|killed|undef|internal|renamable|early-clobber|debug-use) +)*)"
    r"([%$])([\w$-]+)(?:\.(\w+))?(?::([\w]+))?((?:\((?:tied-def \d+|[^()]*)\))*)$"
)
_NOT_A_REGISTER = re.compile(r"%(?:stack|fixed-stack|bb|ir|ir-block|const|jump-table|subreg)\.")
_TIED = re.compile(r"tied-def (\d+)")
_BLOCK = re.compile(r'bb\.(\d+)(?:\.("(?:[^"\\]|\\.)*"|[^\s:(]+))?\s*(?:\(.*\))?\s*:\s*(?:;.*)?$')
_SUCCESSOR = re.compile(r"%bb\.(\d+)")
_PHYSICAL = re.compile(r"\$(\w+)")
_INSTRUCTION_FLAGS = frozenset(
    "frame-setup frame-destroy nnan ninf nsz arcp contract afn reassoc nuw nsw exact nofpexcept nomerge "
    "unpredictable noconvergent disjoint nneg samesign nusw inbounds inrange lr-split nousfpexcept fast".split()
)
_TRAILERS = (
    ", debug-location ", ", debug-instr-number ", ", pre-instr-symbol ", ", post-instr-symbol ",
    ", heap-alloc-marker ", ", pcsections ", ", cfi-type ", ", deactivation-symbol ", ", mmra ",
)  # fmt: skip
_DEF = Flag.DEF.value
_HALVES = ("lo16", "hi16")
_OPCODE = re.compile(r"[A-Za-z_][\w.]*$")
_KEY = re.compile(r"([\w-]+):\s*('[^']*'|[^,}\s]+)")
_VIRTUAL = re.compile(r"\{ id: (\d+), class: (\w+)")
_ENTRY = re.compile(r"\{([^{}]*)\}")
_TRIPLE = re.compile(r'^\s*target triple = "([^"]*)"', re.M)


class _OperandError(Exception):
    def __init__(self, text: str, why: str) -> None:
        self.text, self.why = text, why
        super().__init__(why)


class Reader:
    """Parses MIR for one target. Lines and operands seen before are not parsed again."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._instructions: dict[str, Instruction] = {}
        self._operands: dict[str, Register | None] = {}
        self._registers: dict[int, tuple[tuple[tuple[str, str], ...], bool]] = {}

    def read(self, text: str, path: str) -> MirFile:
        """Parse a whole file.

        Raises MirError with line and column where the text is not MIR, and without a place where it holds no
        machine function with a body.
        """
        lines = text.split("\n")
        ir, at = _ir_module(lines, path)
        triple = _TRIPLE.search(ir)
        functions: list[MachineFunction] = []
        while at < len(lines):
            if not lines[at].startswith("name:"):
                at += 1
                continue
            function, at = self._function(lines, at, path)
            functions.append(function)
        if not any(f.blocks for f in functions):
            raise MirError(path, 0, 0, "no machine function with a body: not the MIR of a compile")
        return MirFile(path, [f for f in functions if f.blocks], ir, triple.group(1) if triple else "")

    def _function(self, lines: list[str], at: int, path: str) -> tuple[MachineFunction, int]:
        function = MachineFunction(lines[at][5:].strip().strip("'\""), path, at + 1)
        at += 1
        section = ""
        header: dict[str, list[str]] = {}
        while at < len(lines):
            line = lines[at]
            if line.startswith("body:"):
                _apply_header(function, header)
                return function, self._body(function, lines, at + 1, path)
            if line.startswith(("...", "---", "name:")):
                break
            if line and not line[0].isspace():
                section = line.split(":", 1)[0]
            if section in ("registers", "stack", "liveins"):
                header.setdefault(section, []).append(line)
            at += 1
        return function, at

    def _body(self, function: MachineFunction, lines: list[str], at: int, path: str) -> int:
        known = self._instructions
        block: Block | None = None
        explicit: set[int] = set()
        depth = 0
        end = len(lines)
        while at < end:
            raw = lines[at]
            at += 1
            line = raw.strip()
            instruction = known.get(line)
            if instruction is not None and block is not None:
                if line.endswith("{"):
                    depth += 1
                block.instructions.append(instruction)
                block.lines.append(at)
                continue
            if not line or line[0] == ";":
                continue
            if line.startswith("...") or raw.startswith(("---", "name:")):
                at -= 1
                break
            if line.startswith("bb."):
                found = _BLOCK.match(line)
                if not found:
                    raise MirError(path, at, _column(raw, line), "malformed basic block header")
                block = Block(int(found.group(1)), (found.group(2) or "").strip('"'), at)
                function.blocks.append(block)
                continue
            if block is None:
                raise MirError(path, at, _column(raw, line), "instruction outside of a basic block")
            if line.startswith("successors:"):
                block.successors = [int(n) for n in _SUCCESSOR.findall(line)]
                explicit.add(block.number)
                continue
            if line.startswith("liveins:"):
                block.live_ins = _PHYSICAL.findall(line)
                continue
            if line == "}":
                depth -= 1
                if depth < 0:
                    raise MirError(path, at, _column(raw, line), "'}' without a bundle to close")
                continue
            try:
                instruction = self._instruction(line)
            except _OperandError as bad:
                column = raw.find(bad.text) + 1 if bad.text and bad.text in raw else _column(raw, line)
                raise MirError(path, at, column, bad.why) from None
            if line.endswith("{"):
                depth += 1
            known[line] = instruction
            block.instructions.append(instruction)
            block.lines.append(at)
        if depth:
            raise MirError(path, at, 1, "the text ends inside a bundle")
        self._finish(function, explicit, path)
        return at

    def _finish(self, function: MachineFunction, explicit: set[int], path: str) -> None:
        numbers = {b.number for b in function.blocks}
        if len(numbers) != len(function.blocks):
            raise MirError(path, function.line, 1, f"function '{function.name}' has two blocks of one number")
        for position, block in enumerate(function.blocks):
            if block.number not in explicit:
                block.successors = self._implied_successors(function, position)
            for successor in block.successors:
                if successor not in numbers:
                    raise MirError(
                        path,
                        block.line,
                        1,
                        f"{block.label} has a successor %bb.{successor} that is not there",
                    )
            for instruction in block.instructions:
                classes, half = self._registers_of(instruction)
                for name, cls in classes:
                    function.register_classes.setdefault(name, cls)
                if half:
                    function.uses_half_lanes = True

    def _registers_of(self, instruction: Instruction) -> tuple[tuple[tuple[str, str], ...], bool]:
        """Classes written at the operands of a line, and whether it names 16-bit halves."""
        found = self._registers.get(id(instruction))
        if found is None:
            operands = (
                *instruction.defs, *instruction.uses, *instruction.implicit_defs, *instruction.implicit_uses
            )  # fmt: skip
            classes = tuple((o.name, o.cls) for o in operands if o.cls and o.virtual)
            found = self._registers[id(instruction)] = (classes, any(map(self._is_half, operands)))
        return found

    def _is_half(self, operand: Register) -> bool:
        """Spelt by halves, an index may still name whole dwords only."""
        if not operand.virtual:
            return operand.name.endswith(_HALVES)
        if not operand.sub.endswith(_HALVES):
            return False
        units = set(self.target.sub_units(operand.sub, 16))
        return any(u ^ 1 not in units for u in units)

    def _implied_successors(self, function: MachineFunction, position: int) -> list[int]:
        """LLVM's rule for blocks without a `successors:` list: branch targets, then the fall-through."""
        block = function.blocks[position]
        found: list[int] = []
        falls = True
        for instruction in block.instructions:
            found += [t for t in instruction.block_targets() if t not in found]
            if self.target.ends_block(instruction.opcode):
                falls = False
        if falls and position + 1 < len(function.blocks):
            following = function.blocks[position + 1].number
            if following not in found:
                found.append(following)
        return found

    # -- one line ---------------------------------------------------------------------------------------

    def _instruction(self, line: str) -> Instruction:
        rest = line[:-1].rstrip() if line.endswith("{") else line
        memory = debug = ""
        at = rest.find(" :: (")
        if at >= 0:
            memory, rest = rest[at + 4 :], rest[:at]
        rest, debug = _split_trailers(rest)
        text = rest
        defs_text = ""
        at = rest.find(" = ")
        if at >= 0 and '"' not in rest[:at]:
            defs_text, rest = rest[:at], rest[at + 3 :].lstrip()
        flags: list[str] = []
        word, _, operands = rest.partition(" ")
        while word in _INSTRUCTION_FLAGS:
            flags.append(word)
            word, _, operands = operands.lstrip().partition(" ")
        if not _OPCODE.match(word):
            raise _OperandError(word, f"expected an opcode, found '{word[:40]}'" if word else "expected an opcode")
        defs: list[Register] = []
        for part in _split_operands(defs_text) if defs_text else ():
            register = self._operand(part)
            if register is None:
                raise _OperandError(part, f"expected a register to define, found '{part[:40]}'")
            defs.append(register)
        return self._build(word, defs, operands, memory, debug, frozenset(flags), text)

    def _build(
        self,
        opcode: str,
        defs: list[Register],
        operands: str,
        memory: str,
        debug: str,
        flags: frozenset[str],
        text: str,
    ) -> Instruction:
        uses: list[Register] = []
        implicit_defs: list[Register] = []
        implicit_uses: list[Register] = []
        immediates: list[str] = []
        for part in _split_operands(operands) if operands else ():
            register = self._operand(part)
            if register is None:
                immediates.append(part)
            elif _DEF & register.flags.value:
                (implicit_defs if register.implicit else defs).append(register)
            elif register.implicit:
                implicit_uses.append(register)
            else:
                uses.append(register)
                immediates.append("R")
        bare = Instruction(
            opcode, tuple(defs), tuple(uses), tuple(implicit_defs), tuple(implicit_uses), tuple(immediates),
            memory, debug, flags, text,
        )  # fmt: skip
        return self.target.classify(bare)

    def _operand(self, text: str) -> Register | None:
        try:
            return self._operands[text]
        except KeyError:
            pass
        register = _parse_register(text)
        self._operands[text] = register
        return register


def _parse_register(text: str) -> Register | None:
    found = _REGISTER.match(text)
    if not found or _NOT_A_REGISTER.search(text):
        _reject_broken(text)
        return None
    words, sigil, name, sub, cls, suffix = found.groups()
    flags = _flags(words) if words else Flag.NONE
    tied = _TIED.search(suffix) if suffix else None
    return Register(
        name,
        sigil == "%",
        sub or "",
        cls or "",
        flags,
        int(tied.group(1)) if tied else -1,
        text,
        undef=bool(flags & Flag.UNDEF),
        implicit=bool(flags & Flag.IMPLICIT),
    )


@cache
def _flags(words: str) -> Flag:
    flags = Flag.NONE
    for word in words.split():
        flags |= _FLAG_WORDS[word]
    return flags


def _reject_broken(text: str) -> None:
    """An operand that is no register must at least be a whole token."""
    if not text:
        raise _OperandError(text, "expected an operand")
    if text.count("(") != text.count(")") and '"' not in text and "'" not in text:
        raise _OperandError(text, f"unbalanced parentheses in operand '{text[:40]}'")
    if text[0] in "$" and text != "$noreg":
        raise _OperandError(text, f"malformed register operand '{text[:40]}'")
    if text[0] in "\x00\x7f" or not text.isprintable():
        raise _OperandError(text, "unprintable characters in an operand")
    if text[0] == '"' and (len(text) == 1 or text[-1] != '"'):
        raise _OperandError(text, "unterminated string")


def _split_trailers(text: str) -> tuple[str, str]:
    debug = ""
    cut = len(text)
    for trailer in _TRAILERS:
        at = text.find(trailer)
        if at < 0:
            # an instruction without operands has no comma before what follows it
            at = text.find(trailer[1:])
        if 0 <= at < cut:
            cut = at
    if cut < len(text):
        tail = text[cut:]
        at = tail.find("debug-location ")
        if at >= 0:
            debug = tail[at + len("debug-location ") :].strip()
        text = text[:cut]
    return text, debug


def _split_operands(text: str) -> list[str]:
    """Split at top-level commas; quotes, parentheses, brackets, braces and angle brackets nest."""
    if "(" not in text and '"' not in text and "<" not in text and "[" not in text:
        return text.split(", ")
    parts: list[str] = []
    depth = start = at = 0
    quoted = False
    while at < len(text):
        c = text[at]
        if quoted:
            if c == "\\":
                at += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    parts.append(text[start:].strip())
    if quoted:
        raise _OperandError(parts[-1], "unterminated string")
    return parts


def _column(raw: str, stripped: str) -> int:
    return len(raw) - len(raw.lstrip()) + 1 if stripped else 1


def _ir_module(lines: list[str], path: str) -> tuple[str, int]:
    """The embedded IR module's text, and the index of the first line after it."""
    for at, line in enumerate(lines):
        if line.startswith("--- |"):
            for end in range(at + 1, len(lines)):
                if lines[end].startswith("..."):
                    return "\n".join(lines[at + 1 : end]), end
            raise MirError(path, len(lines), 1, "the text ends inside the IR module")
        if line.startswith(("---", "name:")):
            return "", at
    return "", 0


def _apply_header(function: MachineFunction, header: dict[str, list[str]]) -> None:
    text = {section: "\n".join(lines) for section, lines in header.items()}
    function.register_classes.update(_VIRTUAL.findall(text.get("registers", "")))
    for fields in _entries(text.get("stack", "")):
        if "id" in fields:
            number = int(fields["id"])
            function.stack[number] = StackObject(
                number,
                int(fields.get("size", "0")),
                fields.get("stack-id", "default"),
                fields.get("type", "default"),
            )
    function.live_ins += [f["reg"].lstrip("$") for f in _entries(text.get("liveins", "")) if "reg" in f]


def _entries(text: str) -> Iterator[dict[str, str]]:
    """The `{ key: value, … }` entries of a section."""
    for body in _ENTRY.findall(text):
        yield {k: v.strip("'") for k, v in _KEY.findall(body)}
