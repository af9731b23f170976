"""Reads what IGC says of a kernel out of the binary that ocloc writes (a zebin: ELF of machine 0xCD).

The facts are in the section `.ze_info`, YAML by the specification in compute-runtime's and IGC's `zebin` folders.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, cast

import yaml
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

_INTEL_GT = (0xCD, "EM_INTEL205", "EM_INTELGT")
"""The machine 205, by the names that releases of pyelftools gave it."""


class ZebinError(Exception):
    """The bytes are no zebin, or lack what every kernel has. The exception's text says what."""


@dataclass(frozen=True, slots=True)
class ZebinKernel:
    """One kernel.

    spill_bytes: None where the compiler does not say (IGC before 2024). scratch_bytes: what the driver sets aside
    for a thread, a power of two, 0 if none. slm_bytes: static shared local memory. code_bytes: of .text.
    """

    name: str
    simd: int
    grf_count: int
    threads: int | None
    spill_bytes: int | None
    scratch_bytes: int
    slm_bytes: int
    barriers: int
    code_bytes: int


def read_zebin(data: bytes) -> tuple[ZebinKernel, ...]:
    """The kernels of a binary. Raises ZebinError."""
    try:
        elf = ELFFile(io.BytesIO(data))
        if elf["e_machine"] not in _INTEL_GT:
            raise ZebinError("the binary is not for an Intel GPU")
        sections = {section.name: section.data() for section in elf.iter_sections() if section.name}
    except (ELFError, UnicodeDecodeError) as error:
        raise ZebinError(f"the binary is not ELF: {error}") from None
    if ".ze_info" not in sections:
        raise ZebinError("the binary has no .ze_info")
    try:
        info: Any = yaml.safe_load(sections[".ze_info"].rstrip(b"\0"))
        kernels = [_kernel(entry, sections) for entry in info["kernels"]]
    except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise ZebinError(f".ze_info cannot be read: {error}") from None
    if not kernels:
        raise ZebinError("the binary has no kernel")
    return tuple(kernels)


def _kernel(entry: dict[str, Any], sections: dict[str, bytes]) -> ZebinKernel:
    name = str(entry["name"])
    text = sections.get(f".text.{name}")
    if not text:
        # Some compilers end well and leave such a shell of a binary.
        raise ZebinError(f"the binary has no code for '{name}'")
    environment: dict[str, Any] = entry["execution_env"]
    buffers = cast(list[dict[str, Any]], entry.get("per_thread_memory_buffers") or [])
    spill = environment.get("spill_size")
    scratch = sum(int(buffer["size"]) for buffer in buffers if buffer.get("type") == "scratch")
    if spill is None and scratch == 0:
        spill = 0
    threads = environment.get("eu_thread_count")
    return ZebinKernel(
        name=name,
        simd=int(environment["simd_size"]),
        grf_count=int(environment["grf_count"]),
        threads=None if threads is None else int(threads),
        spill_bytes=None if spill is None else int(spill),
        scratch_bytes=scratch,
        slm_bytes=int(environment.get("slm_size", 0)),
        barriers=int(environment.get("barrier_count", 0)),
        code_bytes=len(text),
    )
