"""From LLVM IR for an Intel GPU to SPIR-V, by the SPIR-V backend of the llc of this package.

Triton's `.llir` names its target spir64. LLVM's own backend wants the triple spirv64, and lowers the same IR. Its
SPIR-V is not that of Triton's translator to the letter: IGC spilled 328064 bytes of a kernel where Triton's own
SPIR-V gave 327872. IR that uses bfloat16 needs an extension that IGC 2.40 does not read.
"""

from __future__ import annotations

from pathlib import Path

from regtriage.tools.llc.builtin import find_builtin
from regtriage.tools.llc.errors import InputError
from regtriage.tools.llc.process import run_process

TRIPLE = "spirv64-unknown-unknown"
_BAD_INPUT = 2


def to_spirv(ir: Path, out: Path) -> Path:
    """Write `kernel.spv` into the folder. Raises InputError for IR that is wrong, ToolFailure if llc fails."""
    target = out / "kernel.spv"
    command = (
        str(find_builtin()),
        str(ir),
        "-x",
        "ir",
        f"-mtriple={TRIPLE}",
        "-O2",
        "-filetype=obj",
        "-o",
        str(target),
    )
    finished = run_process(command)
    if finished.status == _BAD_INPUT:
        raise InputError(finished.error_line())
    if finished.status != 0:
        raise finished.failure()
    return target
