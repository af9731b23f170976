"""What there is to sweep: kernels in folders, lists and Triton caches, each content once.

Triton leaves one kernel in several files of one stem: `.llir`, `.ttgir`, `.amdgcn`, `.hsaco`, and `.json` with what it
was compiled for. Of these the one of which most can be said is taken: IR is compiled and checked; final assembly can
only be suspected; TTGIR only tells something for an Intel GPU. Other files stand for themselves.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.tools.intel.inputs import is_intel_ir
from regtriage.tools.llc.errors import InputError
from regtriage.tools.llc.inputs import MAX_INPUT_BYTES

from .model import Kernel, Method

_METHODS = {
    ".llir": Method.PROOF,
    ".ll": Method.PROOF,
    ".bc": Method.PROOF,
    ".mir": Method.PROOF,
    ".amdgcn": Method.ASM,
    ".s": Method.ASM,
    ".hsaco": Method.ASM,
    ".co": Method.ASM,
    ".ttgir": Method.PTSS,
}
SUFFIXES = frozenset(_METHODS)
"""Of the files that a folder is read for."""
_ONE_KERNEL = (".llir", ".amdgcn", ".hsaco", ".ttgir")
"""Files of one stem that are one kernel, the one that says most first."""

_METADATA = ".json"
_NAMES_CPU = (b'"target-cpu"=', b".amdhsa_", b"amdgcn_target")
_TRIPLE = re.compile(rb'^\s*target triple = "(?P<triple>[^"]*)"', re.M)
_TTGIR_TARGET = re.compile(rb'"?ttg\.target"? = "(?P<target>[^"]*)"')
_AMDGPU = re.compile(rb"(?:amdgcn|amdgpu)")
_CPU = re.compile(r"gfx[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Inputs:
    """kernels: in the order in which they are swept. files: read; duplicates: of these, of known content.

    left_out: files that nothing can be said of, each with why.
    """

    kernels: tuple[Kernel, ...]
    files: int
    duplicates: int
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """name: relative to the folder or list it was found by."""

    name: str
    path: Path


def find_kernels(sources: Sequence[Path]) -> Inputs:
    """The kernels that folders, lists (`FILE`, a path a line) and kernels themselves offer.

    Raises InputError for a source that is not there, and if there is nothing to sweep.
    """
    kernels: dict[str, Kernel] = {}
    left_out: list[tuple[str, str]] = []
    files = 0
    for group in _groups(_candidates(sources)):
        files += 1
        found = _best(group)
        if isinstance(found, str):
            left_out.append((group[0].name, found))
        else:
            kernels.setdefault(found.digest, found)
    if not kernels:
        why = f": {left_out[0][0]}: {left_out[0][1]}" if left_out else ""
        raise InputError(f"{sources[0]}: error: there is no kernel{why}")
    return Inputs(tuple(kernels.values()), files, files - len(left_out) - len(kernels), tuple(left_out))


# -- where they are ------------------------------------------------------------------------------------------------


def _candidates(sources: Sequence[Path]) -> Iterator[_Candidate]:
    for source in sources:
        if source.is_dir():
            yield from _folder(source, "")
        elif source.suffix in _METHODS:
            yield _Candidate(source.name, source)
        else:
            yield from _list(source)


def _folder(folder: Path, prefix: str) -> Iterator[_Candidate]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.suffix in _METHODS:
                yield _Candidate(prefix + str(path.relative_to(folder)), path)


def _list(file: Path) -> Iterator[_Candidate]:
    """A path a line, relative to the list; empty lines and those that begin with # are none."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{file}: error: neither a kernel, by its suffix, nor a list of paths") from None
    except OSError as error:
        raise InputError(f"{file}: error: {error.strerror or error}") from None
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        path = file.parent / entry
        if path.is_dir():
            yield from _folder(path, f"{entry.rstrip('/')}/")
        elif not path.exists():
            raise InputError(f"{file}:{number}:1: error: {entry}: no such file or folder")
        elif path.suffix not in _METHODS:
            raise InputError(f"{file}:{number}:1: error: {entry}: not a kernel: {', '.join(_METHODS)}")
        else:
            yield _Candidate(entry, path)


def _groups(candidates: Iterable[_Candidate]) -> Iterator[list[_Candidate]]:
    """Files of one kernel, the one that says most first; kernels in the order in which they were found."""
    groups: dict[Path, list[_Candidate]] = defaultdict(list)
    for candidate in candidates:
        path = candidate.path
        groups[path.with_suffix("") if path.suffix in _ONE_KERNEL else path].append(candidate)
    for group in groups.values():
        yield sorted(group, key=lambda c: _ONE_KERNEL.index(c.path.suffix)) if len(group) > 1 else group


# -- what can be said of them --------------------------------------------------------------------------------------


def _best(group: Sequence[_Candidate]) -> Kernel | str:
    """The file of a kernel of which most can be said, or why nothing can be said of any."""
    why = ""
    for candidate in group:
        found = _kernel(candidate)
        if not isinstance(found, str):
            return found
        why = why or found
    return why


def _kernel(candidate: _Candidate) -> Kernel | str:
    path = candidate.path
    try:
        size = path.stat().st_size
        if size > MAX_INPUT_BYTES:
            return f"larger than {MAX_INPUT_BYTES >> 20} MiB"
        content = path.read_bytes()
    except OSError as error:
        return error.strerror or str(error)
    method = _METHODS[path.suffix]
    why = _foreign(path, method, content)
    if why:
        return why
    cpu = _cpu_of_metadata(path) if method is Method.PROOF and not any(n in content for n in _NAMES_CPU) else ""
    return Kernel(content_digest(content, cpu), candidate.name, path, method, cpu, size)


def content_digest(content: bytes, cpu: str) -> str:
    """Names a kernel: what is in the file, and the processor that is not."""
    digest = hashlib.sha256(content)
    if cpu:
        digest.update(b"\0" + cpu.encode())
    return digest.hexdigest()


def _foreign(path: Path, method: Method, content: bytes) -> str:
    """Why nothing can be said of a kernel: it is for another GPU. Else ""."""
    if method is Method.PTSS:
        target = _TTGIR_TARGET.search(content)
        name = target["target"].decode(errors="replace") if target else ""
        return "" if name in ("", "xpu") else f"TTGIR for {name}: nothing is compiled from it here"
    if method is Method.PROOF and path.suffix in (".llir", ".ll"):
        triple = _TRIPLE.search(content)
        if triple and not _AMDGPU.match(triple["triple"]):
            what = "an Intel GPU, of which TTGIR is needed" if is_intel_ir(path) else "another target"
            return f"for {triple['triple'].decode(errors='replace')}: {what}"
    return ""


def _cpu_of_metadata(path: Path) -> str:
    """The processor that Triton's metadata beside a file names, or ""."""
    try:
        fields = json.loads(path.with_suffix(_METADATA).read_bytes())
        arch = fields["target"]["arch"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return arch if isinstance(arch, str) and _CPU.fullmatch(arch) else ""
