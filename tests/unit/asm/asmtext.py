"""Short assembly for tests."""

from __future__ import annotations

from regtriage.dataflow.asm.model import AsmFile
from regtriage.dataflow.asm.parser import parse_asm

HEAD = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
\t.text
\t.type\tk,@function
k:
\t.file\t1 "/src" "k.py"
"""
TAIL = """
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
"""


def parse(body: str, path: str = "k.s") -> AsmFile:
    """A file with one kernel `k`; instructions may be written without the tab before them."""
    lines = [line if line.startswith((".", ";", "\t")) or not line else "\t" + line for line in body.splitlines()]
    return parse_asm(HEAD + "\n".join(lines) + TAIL, path)
