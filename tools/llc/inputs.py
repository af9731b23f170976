"""Checks on an input file that do not need a compiler, so that what is plainly none fails fast and clearly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .errors import InputError

MAX_INPUT_BYTES = 128 * 1024 * 1024
"""Ten times the largest kernel known; a compiler would take minutes and gigabytes to refuse more."""

_BITCODE_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_SAMPLE_BYTES = 1 << 16


def check_input(path: Path) -> None:
    """Raises InputError unless the file can be read and may be IR, bitcode or MIR."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: error: is a directory")
        size = path.stat().st_size
        with path.open("rb") as file:
            sample = file.read(_SAMPLE_BYTES)
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror or error}") from None
    if not sample.strip():
        raise InputError(f"{path}: error: the file is empty")
    if size > MAX_INPUT_BYTES:
        raise InputError(f"{path}: error: too large: {size >> 20} MiB, at most {MAX_INPUT_BYTES >> 20} MiB are read")
    if sample.startswith(_BITCODE_MAGIC):
        return
    if b"\0" in sample:
        line = sample.count(b"\n", 0, sample.index(b"\0")) + 1
        raise InputError(f"{path}:{line}: error: binary data: neither LLVM IR, bitcode nor MIR")


def is_mir(path: Path) -> bool:
    """Whether the file is MIR, which its name says, as for LLVM's own tools."""
    return path.suffix == ".mir"


_STARTS = ("start-before", "start-after", "run-pass")
_HEADER = re.compile(r"^(isSSA|noVRegs): *(true|false)[ \t\r]*(?:#.*)?$", re.MULTILINE)


def start_of_mir(path: Path, arguments: Sequence[str]) -> tuple[str, ...]:
    """The option that makes llc start MIR at its first register allocation, unless the arguments say where.

    MIR in SSA form starts at the beginning of code generation, where llc starts by itself, and so does IR.
    Raises InputError where no virtual register is left to allocate.
    """
    if not is_mir(path) or any(a.lstrip("-").startswith(_STARTS) for a in arguments):
        return ()
    text = path.read_text(encoding="utf-8", errors="replace")
    said = set(_HEADER.findall(text))
    if ("noVRegs", "true") in said and ("noVRegs", "false") not in said:
        raise InputError(
            f"{path}: error: its registers are allocated already: MIR before register allocation is needed"
        )
    forms = set(map(_is_ssa, re.split(r"^---\s*$", text, flags=re.MULTILINE))) - {None}
    if len(forms) > 1:
        raise InputError(
            f"{path}: error: some of its functions are in SSA form, and some are not: keep those of one form"
        )
    return ("-start-before=greedy,0",) if forms == {False} else ()


_DEFINITION = re.compile(r"%([\w.]*?\w)(\.sub\w+)?(?=[:, ]|$)")
_DEFINED_IN_PLACE = re.compile(r"\bdef (?:[a-z-]+ )*%(\w+)(\.sub\w+)?")


def _is_ssa(document: str) -> bool | None:
    """Whether a function is in SSA form; None if the document is no function.

    Without the key isSSA it is as LLVM's parser finds it to be: if no virtual register is defined twice or in part.
    """
    header, body, rest = document.partition("\nbody:")
    said = dict(_HEADER.findall(header))
    if "isSSA" in said:
        return said["isSSA"] == "true"
    if not body:
        return None
    known: set[str] = set()
    for line in rest.split("\n...", 1)[0].splitlines():
        results, equals, _ = line.partition(" = ")
        defined = _DEFINITION.findall(results) if equals and '"' not in results else []
        for register, lane in defined + _DEFINED_IN_PLACE.findall(line):
            if lane or register in known:
                return False
            known.add(register)
    return True


def as_argument(path: Path) -> str:
    """The path as a program's argument: never taken for an option."""
    text = str(path)
    return f"./{text}" if text.startswith("-") else text
