"""What is read out of the compiler's binary."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import pytest
from regtriage.tools.intel.zebin import ZebinError, read_zebin

ZE_INFO = """---
version: '1.73'
kernels:
  - name:            dot
    execution_env:
      barrier_count:   1
      grf_count:       128
      simd_size:       32
      spill_size:      327872
      eu_thread_count: 8
    per_thread_memory_buffers:
      - type:            scratch
        usage:           single_space
        size:            524288
...
"""


def elf(sections: Mapping[str, bytes], machine: int = 0xCD) -> bytes:
    """A 64-bit ELF file of these sections."""
    names = ["", *sections, ".shstrtab"]
    strings = b"\0".join(name.encode() for name in names) + b"\0"
    bodies = [b"", *sections.values(), strings]
    offset, headers, data = 64, b"", b""
    at = 0
    for name, body in zip(names, bodies, strict=True):
        kind = 0 if not name else 3 if name == ".shstrtab" else 1
        headers += struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, offset, len(body), 0, 0, 1, 0)
        at += len(name) + 1
        offset += len(body)
        data += body
    head = b"\x7fELF\2\1\1" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 1, machine, 1, 0, 0, offset, 0, 64, 0, 0, 64, len(names), len(names) - 1)
    return head + data + headers


def test_the_facts_of_a_kernel():
    (kernel,) = read_zebin(elf({".text.dot": bytes(96), ".ze_info": ZE_INFO.encode()}))
    assert (kernel.name, kernel.simd, kernel.grf_count, kernel.threads) == ("dot", 32, 128, 8)
    assert (kernel.spill_bytes, kernel.scratch_bytes, kernel.code_bytes, kernel.barriers) == (327872, 524288, 96, 1)


def test_an_older_compiler_does_not_say_what_was_spilled():
    text = ZE_INFO.replace("      spill_size:      327872\n", "").replace("      eu_thread_count: 8\n", "")
    (kernel,) = read_zebin(elf({".text.dot": bytes(96), ".ze_info": text.encode()}))
    assert (kernel.spill_bytes, kernel.scratch_bytes, kernel.threads) == (None, 524288, None)


def test_without_scratch_nothing_was_spilled():
    text = ZE_INFO.replace("      spill_size:      327872\n", "").partition("    per_thread")[0]
    (kernel,) = read_zebin(elf({".text.dot": bytes(96), ".ze_info": text.encode()}))
    assert (kernel.spill_bytes, kernel.scratch_bytes) == (0, 0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not ELF"),
        (b"\x7fELF", "not ELF"),
        (b"CTNI patch tokens", "not ELF"),
        (elf({".text": b"x"}, machine=62), "not for an Intel GPU"),
        (elf({".text.dot": b"x"}), "no .ze_info"),
        (elf({".ze_info": ZE_INFO.encode()}), "no code for 'dot'"),
        (elf({".text.dot": b"", ".ze_info": ZE_INFO.encode()}), "no code for 'dot'"),
        (elf({".text.dot": b"x", ".ze_info": b"kernels: [}"}), "cannot be read"),
        (elf({".text.dot": b"x", ".ze_info": b"version: 1"}), "cannot be read"),
        (elf({".text.dot": b"x", ".ze_info": b"kernels: []"}), "no kernel"),
    ],
)
def test_what_is_wrong_with_a_binary_is_said(data: bytes, message: str):
    with pytest.raises(ZebinError, match=message):
        read_zebin(data)
