"""Reads final assembly for the commands: text, or a code object that is disassembled first."""

from __future__ import annotations

from pathlib import Path

from regtriage.dataflow.asm.model import AsmError, AsmFile
from regtriage.dataflow.asm.parser import parse_asm
from regtriage.tools.llc.disassemble import disassemble, is_code_object
from regtriage.tools.llc.inputs import MAX_INPUT_BYTES
from regtriage.tools.llc.run import InputError


def read_asm(path: Path) -> AsmFile:
    """The assembly of a file. Raises InputError if it is none, ToolFailure if the disassembler fails."""
    try:
        return parse_asm(read_asm_text(path), str(path))
    except AsmError as error:
        raise InputError(str(error)) from None


def read_asm_text(path: Path) -> str:
    """The text of a file, that of a code object disassembled. Raises as `read_asm` does."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: error: is a directory, not assembly")
        if is_code_object(path):
            return disassemble(path)
        if path.stat().st_size > MAX_INPUT_BYTES:
            raise InputError(f"{path}: error: larger than {MAX_INPUT_BYTES >> 20} MiB: not the assembly of one kernel")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror or error}") from None
    if not data.strip():
        raise InputError(f"{path}: error: the file is empty")
    if b"\0" in data[:4096]:
        raise InputError(f"{path}: error: binary data, neither assembly nor an AMDGPU code object")
    return data.decode("utf-8", errors="surrogateescape")
