"""Compiles with the LLVM inside an installed Triton. Run by the Python that has this Triton; imports nothing else.

usage: triton_driver.py --version
       triton_driver.py JOB

JOB is a JSON object: input (a file of textual IR), triple, cpu, flags (LLVM's, for every output) and outputs, a
list of [file, flags]: each is what LLVM prints with these flags besides.

LLVM's command line can be parsed once in a process, so each output comes from a fork of the one that has loaded
the library. The library exports LLVM's C function for that; Triton's own interface takes switches only and so
cannot name a pass.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

STATUS_NO_TRITON = 4

# Python looks for modules beside its script first, and there lies a triton.py.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).resolve().parent]


def _load() -> tuple[Any, ctypes.CDLL]:
    try:
        from triton._C import libtriton  # type: ignore
    except ImportError as error:
        sys.stderr.write(f"error: no Triton for {sys.executable}: {error}\n")
        sys.exit(STATUS_NO_TRITON)
    library = ctypes.CDLL(libtriton.__file__)  # type: ignore
    if not hasattr(library, "LLVMParseCommandLineOptions"):
        sys.stderr.write("error: this Triton does not export LLVMParseCommandLineOptions\n")
        sys.exit(STATUS_NO_TRITON)
    return libtriton.llvm, library  # type: ignore


def _compile(llvm: Any, library: ctypes.CDLL, job: dict[str, Any], source: str, flags: list[str]) -> str:
    arguments = [b"triton", *(flag.encode() for flag in flags)]
    vector = (ctypes.c_char_p * len(arguments))(*arguments)
    library.LLVMParseCommandLineOptions(len(arguments), vector, None)
    # As Triton calls it by default.
    fuse_multiply_add, write_object, rewrite_geps = True, False, False
    choices = (fuse_multiply_add, write_object, rewrite_geps)
    result = llvm.translate_to_asm(source, job["triple"], job["cpu"], "", [], *choices)
    return result if isinstance(result, str) else result.decode()


def _in_child(path: str, *arguments: Any) -> int:
    """Write one output in a child process. Returns its exit status, negative for a signal."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 0
    try:
        Path(path).write_text(_compile(*arguments))
    except BaseException as error:
        sys.stderr.write(f"error: {error}\n")
        status = 1
    sys.stderr.flush()
    os._exit(status)


def main(argument: str) -> int:
    """Run; returns the exit status, negative if a compilation was ended by a signal."""
    llvm, library = _load()
    if argument == "--version":
        import triton  # type: ignore

        print(triton.__version__)  # type: ignore
        return 0
    job = json.loads(argument)
    source = Path(job["input"]).read_text()
    llvm.init_targets()
    for path, flags in job["outputs"]:
        status = _in_child(path, llvm, library, job, source, [*job["flags"], *flags])
        if status:
            return status
    return 0


if __name__ == "__main__":
    result = main(sys.argv[1])
    if result < 0:
        os.kill(os.getpid(), -result)
    sys.exit(result)
