"""The llc that comes with this package (see driver.cpp): variants, trace, live lanes, all stages in one run."""

from __future__ import annotations

import importlib.metadata
import re
from functools import cached_property
from pathlib import Path

from .base import ASM_NAME, Llc, deliver, scratch_directory
from .errors import InputError, ToolFailure
from .inputs import as_argument, check_input, is_mir, start_of_mir
from .process import Finished, run_process
from .request import Compilation, CompileRequest, LlcIdentity, LlcKind, Variant

PROGRAM = "regtriage-llc"
_INPUT_STATUS = 2
_TRACE_NAME = "spiller.jsonl"
_LIVE_LANES_NAME = "live-lanes.txt"

_VARIANT_ARGUMENTS = {
    Variant.OFF: (),
    Variant.GUARD: ("-hoist-spill-guard=subranges",),
    Variant.GUARD_LANES: ("-hoist-spill-guard=lanes",),
    Variant.PRIVATE: ("-private-slot=on",),
    Variant.GUARD_PRIVATE: ("-hoist-spill-guard=subranges", "-private-slot=on"),
}


def find_builtin() -> Path:
    """Where pip installed the program. Raises ToolFailure if this package is not installed."""
    try:
        files = importlib.metadata.files("regtriage") or ()
    except importlib.metadata.PackageNotFoundError:
        files = ()
    for file in files:
        if file.name == PROGRAM:
            return Path(str(file.locate())).resolve()
    raise ToolFailure(f"{PROGRAM}: error: not installed: run 'pip install .' in the regtriage repository")


class BuiltinLlc(Llc):
    """The llc of this package. path: the program, None means the installed one."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @cached_property
    def path(self) -> Path:
        """The program. Raises ToolFailure if it is not installed."""
        return self._path or find_builtin()

    def _run(self, command: tuple[str, ...], time_limit: float | None, memory_limit: int | None) -> Finished:
        return run_process(command, time_limit=time_limit, memory_limit=memory_limit)

    def _identify(self) -> LlcIdentity:
        finished = run_process((str(self.path), "--version"))
        found = re.search(r"LLVM version (\S+)", finished.stdout)
        if finished.status != 0 or not found:
            raise finished.failure()
        return LlcIdentity(LlcKind.BUILTIN, found.group(1), self.path)

    def supports(self, variant: Variant) -> bool:
        """Every variant."""
        return variant in _VARIANT_ARGUMENTS

    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        """See Llc.compile."""
        check_input(request.input)
        with scratch_directory() as scratch:
            command = (str(self.path), *_arguments(request, scratch))
            finished = self._run(command, request.time_limit, request.memory_limit)
            _check(finished)
            made = frozenset(file.name for file in scratch.iterdir())
            stages = deliver(scratch, out_dir)
        return Compilation(
            request=request,
            directory=out_dir,
            asm=out_dir / ASM_NAME,
            stages=stages,
            trace=out_dir / _TRACE_NAME if _TRACE_NAME in made else None,
            live_lanes=out_dir / _LIVE_LANES_NAME if _LIVE_LANES_NAME in made else None,
            diagnostics=finished.stderr,
            seconds=finished.seconds,
            llc=self.identity,
            command=command,
        )


def _arguments(request: CompileRequest, scratch: Path) -> list[str]:
    arguments = [as_argument(request.input), "-x", "mir" if is_mir(request.input) else "ir"]
    arguments += ["-o", str(scratch / ASM_NAME), f"-O{request.opt}"]
    if request.triple is not None:
        arguments.append(f"-mtriple={request.triple}")
    if request.cpu is not None:
        arguments.append(f"-mcpu={request.cpu}")
    arguments.append(f"-emit-stages={scratch}")
    arguments.append(f"-spiller-trace={scratch / _TRACE_NAME}")
    arguments.append(f"-live-lanes={scratch / _LIVE_LANES_NAME}")
    arguments += _VARIANT_ARGUMENTS[request.variant]
    arguments += _window("guard", request.guard_skip, request.guard_count)
    arguments += _window("private", request.private_skip, request.private_count)
    if request.private_only:
        arguments.append("-private-only=" + ",".join(str(register) for register in request.private_only))
    return [*arguments, *start_of_mir(request.input, request.extra_args), *request.extra_args]


def _window(name: str, skip: int, count: int | None) -> list[str]:
    arguments = [f"-{name}-skip={skip}"] if skip else []
    return arguments if count is None else [*arguments, f"-{name}-count={count}"]


def _check(finished: Finished) -> None:
    if finished.status == _INPUT_STATUS:
        message = finished.error_line()
        _, _, detail = finished.stderr.partition(message)
        raise InputError(message, detail.strip("\n"))
    if finished.status != 0:
        raise finished.failure()
