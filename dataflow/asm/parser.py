"""Reads AMDGPU assembly, as llc prints it (also inside Triton), or llvm-objdump and this package's disassembler.

A block begins at a label that control can jump to and ends after a jump. Disassembly has no labels: there the blocks
are found from the addresses in the comments, and jumps from the instruction's own offset. Debug locations come from
`.loc` lines, with the inlining chain in the compiler's comment (`; a.py:1:2 @[ b.py:3:4 ]`) where there is one, or
from `; file:line` lines of `llvm-objdump -l`.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from itertools import pairwise

from ..cfg import Cfg, build_cfg
from ..findings import SourceLocation
from ..mir.model import Block, MachineFunction
from .effects import EffectError, inline_comment, read_instruction, undefine
from .model import AsmBlock, AsmError, AsmFile, AsmFunction, AsmInstruction, Jump
from .registers import locations_of

_SYMBOL = re.compile(r'([A-Za-z_$][\w$.]*|"[^"]*"):')
_DISASSEMBLED_SYMBOL = re.compile(r"[0-9a-fA-F]{8,16} <(.+)>:$")
_LOCAL_LABEL = re.compile(r"(\.?L[\w$.]*|BB\d+_\d+):|<(L\d+)>:")
_NOT_A_BLOCK = (".Ltmp", ".Lfunc_", ".Lpost_getpc", ".Lcfi", ".Linfo", ".Lset", ".Ldebug")
_MNEMONIC = re.compile(r"[a-z][a-z0-9_]*$")
_ADDRESS = re.compile(r"//\s*([0-9a-fA-F]+):\s")
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?")
_FILE = re.compile(r'\.file\s+(\d+)\s+(?:"((?:[^"\\]|\\.)*)"\s+)?"((?:[^"\\]|\\.)*)"')
_CHAIN_ENTRY = re.compile(r"([^\s:@\[][^:@\[]*):(\d+)(?::(\d+))?")
_BLOCK_COMMENT = re.compile(r";\s*(%bb\.\d+):")
_IMPLICIT_DEF = re.compile(r"implicit-def: \$(\w+)")
_SOURCE_LINE = re.compile(r";\s*[^\s;:@]*:\d+(?::\d+)?(?:\s*@\[.*)?$")
_TYPE = re.compile(r"\.type\s+(\S+),\s*@function")
_TARGET = re.compile(r'\.amdgcn_target\s+"[^"]*?-(gfx\w+)[^"]*"|\.amdgcn_target\s+"[^"]*--?(gfx\w+)')
_LABEL_DIFFERENCE = re.compile(r"\(?(\.?L[\w$.]+)-\.?L")
_END_OF_FUNCTION = re.compile(r"\.(?:size\b|end_amdhsa_kernel|amdhsa_kernel\b|section\b|Lfunc_end)")
_RENAMES = "s_set_vgpr_msb"
"""Makes the vector registers named after it other ones; only the compiler's text says in a comment which."""
_LONG_JUMP_REACH = 10
"""Instructions between `s_getpc_b64` and the jump that uses it."""


def parse_asm(text: str, path: str) -> AsmFile:
    """Parse a whole file.

    Raises AsmError with line and column where a line cannot be read, and without a place where there is no AMDGPU
    instruction at all.
    """
    reader = _Reader(text.split("\n"), path)
    functions = [f.finish() for f in reader.read()]
    functions = [f for f in functions if f.blocks]
    known = any(i.known and i.mnemonic != "inline-asm" for f in functions for b in f.blocks for i in b.instructions)
    if not known:
        raise AsmError(path, 0, 0, "no function with AMDGPU instructions: not AMDGPU assembly")
    return AsmFile(path, functions, reader.chains, reader.unknown, text.count("\n"), reader.processor)


def cfg_of(function: AsmFunction) -> Cfg:
    """The control-flow graph of the blocks that the entry reaches."""
    shape = MachineFunction(function.name, "", function.line)
    shape.blocks = [Block(b.number, b.label, b.line, successors=b.successors) for b in function.blocks]
    return build_cfg(shape)


@dataclass(slots=True)
class _Draft:
    """A function while it is read: instructions in a row, and what stands between them."""

    name: str
    line: int
    instructions: list[AsmInstruction] = field(default_factory=list[AsmInstruction])
    lines: list[int] = field(default_factory=list[int])
    debug: list[int] = field(default_factory=list[int])
    addresses: dict[int, int] = field(default_factory=dict[int, int])
    """Position by address, in disassembly."""
    labels: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[int, str] = field(default_factory=dict[int, str])
    """How the block that begins at a position is called."""
    unresolved: list[int] = field(default_factory=list[int])

    def append(self, instruction: AsmInstruction | None, line: int, debug: int) -> None:
        """Add an instruction, if it is one."""
        if instruction is not None:
            self.instructions.append(instruction)
            self.lines.append(line)
            self.debug.append(debug)

    def finish(self) -> AsmFunction:
        """Divide into blocks and connect them."""
        function = AsmFunction(self.name, self.line)
        if not self.instructions:
            return function
        by_position = {position: address for address, position in self.addresses.items()}
        targets = {k: self._target(k, by_position) for k, i in enumerate(self.instructions) if i.jump is not Jump.NONE}
        starts = {0, *self.names}
        starts |= {k + 1 for k in targets}
        starts |= {t for t in targets.values() if t is not None}
        bounds = [*sorted(s for s in starts if s < len(self.instructions)), len(self.instructions)]
        number_at = {start: n for n, start in enumerate(bounds)}
        name, distance = self.name, 0
        for n, (start, end) in enumerate(pairwise(bounds)):
            given = self.names.get(start)
            if given is None and start in by_position and start:
                given = f"{self.name}+{by_position[start] - by_position.get(0, 0):#x}"
            name, distance = (given, 0) if given is not None else (name, distance + (n > 0))
            label = name if not distance else f"{name}+{distance}"
            block = AsmBlock(n, label, self.lines[start], self.instructions[start:end], self.lines[start:end])
            block.debug = self.debug[start:end]
            block.successors = self._successors(end, targets.get(end - 1), number_at)
            function.blocks.append(block)
        function.unresolved = self.unresolved
        return function

    def _successors(self, end: int, target: int | None, number_at: dict[int, int]) -> list[int]:
        jump = self.instructions[end - 1].jump
        found: list[int] = []
        if target is not None:
            found.append(number_at[target])
        if jump in (Jump.NONE, Jump.CONDITIONAL) and end < len(self.instructions):
            following = number_at[end]
            found += [following] if following not in found else []
        return found

    def _target(self, at: int, addresses: dict[int, int]) -> int | None:
        """The position that a jump goes to; None if it leaves the function."""
        i = self.instructions[at]
        if i.jump is Jump.END:
            return None
        if i.jump is Jump.INDIRECT:
            return self._long_target(at, addresses)
        position = self.labels.get(i.target)
        if position is None and at in addresses:
            offset = _integer(i.target)
            if offset is not None:
                offset = offset - 0x10000 if offset >= 0x8000 else offset
                position = self.addresses.get(addresses[at] + 4 + 4 * offset)
        if position is None:
            self.unresolved.append(self.lines[at])
        return position

    def _long_target(self, at: int, addresses: dict[int, int]) -> int | None:
        """The label whose distance is added to the program counter before `s_setpc_b64`; None for a return."""
        pair = locations_of(self.instructions[at].operands[0]) if self.instructions[at].operands else ()
        distance: int | None = None
        for k in range(at - 1, max(-1, at - _LONG_JUMP_REACH), -1):
            i = self.instructions[k]
            written = {location for location, _ in i.flows}
            if i.mnemonic.startswith(("s_getpc", "s_get_pc")) and written == set(pair):
                start = addresses.get(k)
                if distance is not None and start is not None:
                    return self.addresses.get(start + 4 + distance)
                break
            if pair and pair[0] in written and i.operands:
                label = _LABEL_DIFFERENCE.search(i.operands[-1])
                if label and label[1] in self.labels:
                    return self.labels[label[1]]
                literal = _integer(i.operands[-1])
                if literal is not None:
                    distance = literal - (1 << 32) if literal >= 1 << 31 else literal
        if pair != ("s30", "s31"):
            self.unresolved.append(self.lines[at])
        return None


class _Reader:
    def __init__(self, lines: list[str], path: str) -> None:
        self.lines, self.path = lines, path
        self.chains: list[tuple[SourceLocation, ...]] = [()]
        self.unknown: dict[str, list[int]] = {}
        self.processor = ""
        self._known: dict[tuple[str, bool], AsmInstruction] = {}
        self._chain_numbers: dict[str, int] = {}
        self._files: dict[str, str] = {}
        self._short_names: dict[str, str] = {}
        self._private = _private_descriptors(lines)
        self._inline = False

    def read(self) -> list[_Draft]:
        drafts: list[_Draft] = []
        draft: _Draft | None = None
        declared: set[str] = set()
        debug = 0
        for number, raw in enumerate(self.lines, 1):
            line = raw.strip()
            if not line:
                continue
            first = line[0]
            if draft is not None and first.isalpha() and raw[0].isspace():
                self._instruction(line, number, draft, debug)
            elif first == ".":
                if line.startswith(".loc"):
                    debug = self._debug(line)
                elif draft is not None and _END_OF_FUNCTION.match(line):
                    draft = None
                else:
                    self._directive(line, draft, declared)
            elif first == ";":
                debug = self._comment(line, number, draft, debug)
            elif not raw[0].isspace():
                name = _symbol(line)
                local = _LOCAL_LABEL.match(line)
                if local and draft is not None:
                    self._label(local[1] or local[2], draft)
                elif name is not None and (not declared or name in declared or _DISASSEMBLED_SYMBOL.match(line)):
                    draft, debug = _Draft(name, number), 0
                    drafts.append(draft)
        if draft is not None and declared:
            self._require_end(draft)
        return drafts

    def _require_end(self, draft: _Draft) -> None:
        """What a compiler wrote says where a function ends: without that, and with control going on, it was cut off."""
        if draft.instructions and draft.instructions[-1].jump in (Jump.NONE, Jump.CONDITIONAL):
            raise AsmError(self.path, draft.lines[-1], 1, f"the file ends in the middle of {draft.name}")

    def _instruction(self, line: str, number: int, draft: _Draft, debug: int) -> None:
        text, comment = _without_comment(line)
        folded = "Folded " in comment
        key = (text, folded)
        instruction = self._known.get(key)
        if instruction is None:
            instruction = self._known[key] = self._read(text, number, folded=folded)
        if not instruction.known or (instruction.mnemonic == _RENAMES and comment.startswith("//")):
            self.unknown.setdefault(instruction.mnemonic, []).append(number)
        if comment.startswith("//"):
            address = _ADDRESS.match(comment)
            if address:
                draft.addresses[int(address[1], 16)] = len(draft.instructions)
        elif "implicit-def" in comment:
            self._implicit_def(comment, number, draft, debug)
        draft.append(instruction, number, debug)

    def _read(self, text: str, number: int, *, folded: bool) -> AsmInstruction:
        words = text.split()
        if not _MNEMONIC.match(words[0]):
            column = self.lines[number - 1].find(words[0]) + 1
            raise AsmError(self.path, number, column, f"expected an instruction, found '{words[0][:40]}'")
        joined = " ".join(words)
        try:
            return read_instruction(joined, folded=folded, private=self._private)
        except EffectError as error:
            raw = self.lines[number - 1]
            column = len(raw) - len(raw.lstrip()) + error.column + 1
            raise AsmError(self.path, number, column, str(error)) from None

    def _directive(self, line: str, draft: _Draft | None, declared: set[str]) -> None:
        label = _LOCAL_LABEL.match(line)
        if label:
            if draft is not None:
                self._label(label[1], draft)
            return
        found = _FILE.match(line)
        if found:
            name = found[3] if not found[2] else posixpath.join(found[2], found[3])
            self._files[found[1]] = name
            self._short_names[found[3]] = name
            return
        found = _TYPE.match(line)
        if found:
            declared.add(found[1].strip('"'))
            return
        found = _TARGET.match(line)
        if found:
            self.processor = found[1] or found[2]

    def _label(self, name: str, draft: _Draft) -> None:
        draft.labels[name] = len(draft.instructions)
        if not name.startswith(_NOT_A_BLOCK):
            draft.names[len(draft.instructions)] = name

    def _comment(self, line: str, number: int, draft: _Draft | None, debug: int) -> int:
        if line.startswith(";;#ASM"):
            self._inline = line.startswith(";;#ASMSTART")
            return debug
        if draft is not None:
            if self._inline:
                draft.append(inline_comment(line), number, debug)
                return debug
            block = _BLOCK_COMMENT.match(line)
            if block:
                draft.names.setdefault(len(draft.instructions), block[1])
                return debug
            if "implicit-def" in line:
                self._implicit_def(line, number, draft, debug)
                return debug
        if _SOURCE_LINE.match(line):
            known = self._chain_numbers.get(line)
            return self._chain(line, tuple(_entries(line[1:]))) if known is None else known
        return debug

    def _implicit_def(self, comment: str, number: int, draft: _Draft, debug: int) -> None:
        found = _IMPLICIT_DEF.search(comment)
        if found and "SGPR spill to VGPR lane" not in comment:
            draft.append(undefine(found[1]), number, debug)

    def _debug(self, line: str) -> int:
        known = self._chain_numbers.get(line)
        if known is not None:
            return known
        found = _LOC.match(line)
        if found is None or int(found[2]) == 0:
            return self._chain(line, ())
        file = self._files.get(found[1], "")
        chain = [SourceLocation(file, int(found[2]), int(found[3] or 0))]
        for outer in _entries(line.partition(";")[2])[1:]:
            chain.append(SourceLocation(self._short_names.get(outer.file, outer.file), outer.line, outer.column))
        return self._chain(line, tuple(chain))

    def _chain(self, key: str, chain: tuple[SourceLocation, ...]) -> int:
        if not chain:
            number = 0
        else:
            number = self._chain_numbers.get(key, len(self.chains))
            if number == len(self.chains):
                self.chains.append(chain)
        self._chain_numbers[key] = number
        return number


def _entries(text: str) -> list[SourceLocation]:
    """The source locations of `a.py:1:2 @[ b.py:3:4 ]`; line 0 stands for none."""
    found = _CHAIN_ENTRY.findall(text)
    return [SourceLocation(file.strip(), int(row), int(column or 0)) for file, row, column in found if int(row)]


def _symbol(line: str) -> str | None:
    found = _DISASSEMBLED_SYMBOL.match(line) or _SYMBOL.match(line)
    return found[1].strip('"') if found else None


def _without_comment(line: str) -> tuple[str, str]:
    at = line.find(";")
    other = line.find("//")
    if other >= 0 and (at < 0 or other < at):
        at = other
    return (line, "") if at < 0 else (line[:at].rstrip(), line[at:])


def _integer(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _private_descriptors(lines: list[str]) -> frozenset[str]:
    """Descriptors of scratch memory.

    Those that spill code goes through, by the compiler's comment; and those whose address a kernel moves by its own
    wave's offset when it starts: `s_add_u32 s0, s0, s17` with `s_addc_u32 s1, s1, 0`.
    """
    found: set[str] = set()
    moved: set[str] = set()
    prologue = 0
    for line in lines:
        if "Folded" in line and "buffer_" in line:
            operands = line.partition(";")[0].split(",")
            if len(operands) == 4:
                found.add(operands[2].strip())
        elif line and not line[0].isspace():
            if _symbol(line.partition(";")[0].strip()):
                prologue, moved = _PROLOGUE, set[str]()
        elif prologue and "s_add" in line:
            prologue -= 1
            low = _WAVE_OFFSET.match(line)
            if low and low[1] == low[2]:
                moved.add(low[1])
                continue
            high = _WAVE_CARRY.match(line)
            if high and high[1] == high[2] and str(int(high[1]) - 1) in moved:
                base = int(high[1]) - 1
                found.add(f"s[{base}:{base + 3}]")
    return frozenset(found)


_PROLOGUE = 6
"""So many scalar additions after a function's label, an addition to a pair may be that of the wave's offset."""
_WAVE_OFFSET = re.compile(r"\s*s_add_u32 s(\d+), s(\d+), s\d+")
_WAVE_CARRY = re.compile(r"\s*s_addc_u32 s(\d+), s(\d+), 0\s*(?://|;|$)")
