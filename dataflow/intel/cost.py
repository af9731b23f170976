"""What a kernel's spilling costs, counted in the machine code that IGC dumps (ShaderDumpEnable, `*.asm`).

Static counts, no times: instructions and bytes that one thread moves to and from scratch and shared memory, each
instruction of a loop as often as the loop is passed. IGC marks scratch accesses by comments. In the first 128 KiB it
is `hword scratch block write x2 // scratch space spill`, in registers of 32 bytes; beyond, `store.ugm.d32x64t … //
spill to offset`, in words of 4. A loop is what lies between a label and a later branch to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_LABEL = re.compile(r"^(?P<name>[A-Za-z_]\w*):")
_BRANCH = re.compile(r"\b(?:goto|jmpi|while|brc|brd)\b[^/]*")
_NEAR = re.compile(r"scratch block (?:write|read) x(?P<registers>\d+).*scratch space (?P<what>spill|fill)")
_FAR = re.compile(r"\.ugm\.d32x(?P<words>\d+)t.*\b(?P<what>spill|fill) (?:to|from) offset")
_SHARED = re.compile(r"\b(?P<what>load|store)\.slm\.d(?P<bits>\d+)(?:x(?P<vector>\d+))?\S* \((?P<lanes>\d+)\|")
_INSTRUCTION = re.compile(r"^(?:\([^)]*\))?\s+[a-z]\w*[.\w]*\s")
_WORD = re.compile(r"\w+")
_REGISTER = 32


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one thread. instructions: passed, not in the text; the others in bytes."""

    instructions: int
    spilled: int
    filled: int
    shared_stored: int
    shared_loaded: int
    code_lines: int

    @property
    def scratch(self) -> int:
        """Traffic with scratch, both ways."""
        return self.spilled + self.filled


def cost_of(asm: str, passes: Mapping[int, int]) -> Cost:
    """Count a kernel's dump. passes: by depth of loops (1: outermost), how often one is passed; 1 where not given."""
    lines = asm.splitlines()
    depth = _depths(lines)
    total: dict[str, int] = dict.fromkeys(("instructions", "spill", "fill", "store", "load"), 0)
    code = 0
    for line, level in zip(lines, depth, strict=True):
        if line.startswith("//") or not _INSTRUCTION.match(line):
            continue
        code += 1
        times = 1
        for at in range(1, level + 1):
            times *= passes.get(at, 1)
        total["instructions"] += times
        scratch, far, shared = _NEAR.search(line), _FAR.search(line), _SHARED.search(line)
        if scratch:
            total[scratch["what"]] += times * int(scratch["registers"]) * _REGISTER
        elif far:
            total[far["what"]] += times * int(far["words"]) * 4
        elif shared:
            size = int(shared["bits"]) // 8 * int(shared["vector"] or 1) * int(shared["lanes"])
            total[shared["what"]] += times * size
    return Cost(total["instructions"], total["spill"], total["fill"], total["store"], total["load"], code)


def _depths(lines: list[str]) -> list[int]:
    """How many loops each line is in."""
    labels = {found["name"]: at for at, line in enumerate(lines) if (found := _LABEL.match(line))}
    depth = [0] * (len(lines) + 1)
    ends: dict[int, int] = {}
    for at, line in enumerate(lines):
        branch = _BRANCH.search(line) if not line.startswith("//") else None
        for word in _WORD.findall(branch.group()) if branch else ():
            if labels.get(word, at) < at:
                # Several branches back to one label are one loop, up to the last of them.
                ends[labels[word]] = at
    for start, end in ends.items():
        depth[start] += 1
        depth[end + 1] -= 1
    level, found_depths = 0, list[int]()
    for change in depth[:-1]:
        level += change
        found_depths.append(level)
    return found_depths
