"""Stand-ins for the compilers: scripts that print what the real ones were seen to print."""

from __future__ import annotations

import sys
from pathlib import Path

from .test_zebin import ZE_INFO, elf

NEW_SUCCESS = """Compilation from IR - skipping loading of FCL

warning: in kernel 'dot': compiled SIMD32 allocated 128 regs and spilled around 10246

Build succeeded.
"""
OLD_SUCCESS = """warning: kernel dot compiled SIMD32 allocated 128 regs and spilled around 10222
Build succeeded.
"""
REFUSED = """Compilation from IR - skipping loading of FCL

error: in kernel 'dot': total scratch space exceeds HW supported limit: 327872 bytes (max permitted PTSS 262144 bytes)
error: backend compiler failed build.

Build failed with error code: -11
Command was: ocloc compile -spirv_input
"""
UNKNOWN_DEVICE = "Error: Cannot get HW Info for device arl-s.\nCommand was: ocloc compile\n"


def zebin(spill: int | None = 327872, scratch: int = 524288) -> bytes:
    text = ZE_INFO.replace("size:            524288", f"size:            {scratch}")
    line = "      spill_size:      327872\n"
    text = text.replace(line, "" if spill is None else line.replace("327872", str(spill)))
    return elf({".text.dot": bytes(96), ".ze_info": text.encode()})


def ocloc(
    folder: Path, *, log: str = NEW_SUCCESS, binary: bytes | None = None, status: int = 0,
    version: str = "26.27.039122", only: str = "", extensions: str = "cl_khr_fp16", delay: float = 0,
) -> Path:  # fmt: skip
    """A program that answers as ocloc does. only: the one device that it knows, "" for any."""
    folder.mkdir(exist_ok=True, parents=True)
    data = folder / "binary"
    data.write_bytes(binary or b"")
    program = folder / "ocloc"
    program.write_text(f"""#!{sys.executable}
import pathlib, sys, time
a = sys.argv[1:]
pathlib.Path({str(folder / "calls")!r}).open("a").write(repr(a) + "\\n")
if a[0] == "query":
    answer = {version!r} if a[1] == "OCL_DRIVER_VERSION" else {extensions!r}
    pathlib.Path(a[1]).write_text(answer)
    sys.exit(0)
device = a[a.index("-device") + 1]
if {only!r} and device != {only!r}:
    print({UNKNOWN_DEVICE!r}.replace("arl-s", device))
    sys.exit(223)
time.sleep({delay})
print({log!r}, end="")
body = pathlib.Path({str(data)!r}).read_bytes()
if body:
    name = a[a.index("-output") + 1] + "_" + device + ".bin"
    (pathlib.Path(a[a.index("-out_dir") + 1]) / name).write_bytes(body)
sys.exit({status})
""")
    program.chmod(0o755)
    return program
