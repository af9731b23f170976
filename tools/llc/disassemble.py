"""Code objects (`.hsaco`, `.co`) as text, by the disassembler in this package's llc."""

from __future__ import annotations

from pathlib import Path

from .builtin import find_builtin
from .errors import InputError
from .inputs import MAX_INPUT_BYTES, as_argument
from .process import run_process

_ELF_MAGIC = b"\x7fELF"
_BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
_COMPRESSED_BUNDLE_MAGIC = b"CCOB"
_INPUT_STATUS = 2


def is_code_object(path: Path) -> bool:
    """Whether the file is ELF, or a bundle of such files. Raises InputError if it cannot be read."""
    start = _first_bytes(path)
    return start.startswith((_ELF_MAGIC, _BUNDLE_MAGIC, _COMPRESSED_BUNDLE_MAGIC))


def disassemble(path: Path) -> str:
    """The code of every function, as llvm-objdump prints it, with source locations where the object has them.

    Raises InputError if it is no AMDGPU code object, ToolFailure if the llc is not installed or fails.
    """
    if _first_bytes(path).startswith((_BUNDLE_MAGIC, _COMPRESSED_BUNDLE_MAGIC)):
        raise InputError(f"{path}: error: a bundle of code objects: take one out with clang-offload-bundler -unbundle")
    if path.stat().st_size > MAX_INPUT_BYTES:
        raise InputError(f"{path}: error: too large: at most {MAX_INPUT_BYTES >> 20} MiB are read")
    finished = run_process((str(find_builtin()), "-disassemble", as_argument(path)))
    if finished.status == _INPUT_STATUS:
        raise InputError(finished.error_line())
    if finished.status != 0:
        raise finished.failure()
    return finished.stdout


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_BUNDLE_MAGIC))
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror or error}") from None
