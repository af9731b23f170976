"""Any other llc: stock, a distribution's, ROCm's, one that the user builds.

It is run once for the assembly and the names of its passes, and once more for each stage. It writes no trace of
the spiller and no live lanes. A guard is whatever flags the user says turn one on and off.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from .base import ASM_NAME, Llc, deliver, scratch_directory, stage_file_name
from .errors import InputError, ToolFailure
from .inputs import as_argument, check_input, is_mir, start_of_mir
from .pipeline import SHOW_PIPELINE, plan_stages, without_pipeline
from .process import Finished, run_process
from .request import Compilation, CompileRequest, GuardFlags, LlcIdentity, LlcKind, Variant

_NO_CPU = re.compile(r"'.*' is not a recognized (?:processor|feature) for this target")


class ExternalLlc(Llc):
    """The llc at a path. guard: flags of its own guard, None if it has none."""

    def __init__(self, path: Path, guard: GuardFlags | None = None) -> None:
        self.path = path
        self._guard = guard

    def _identify(self) -> LlcIdentity:
        finished = run_process((str(self.path), "--version"), time_limit=60)
        found = re.search(r"LLVM version (\S+)", finished.stdout)
        if finished.status != 0 or not found:
            message = f"{self.path}: error: not an llc: --version names no LLVM"
            raise ToolFailure(message, finished.command, finished.status, finished.stderr)
        return LlcIdentity(LlcKind.EXTERNAL, found.group(1), self.path)

    def supports(self, variant: Variant) -> bool:
        """Off, and guard if its flags are known."""
        return variant is Variant.OFF or (variant is Variant.GUARD and self._guard is not None)

    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        """See Llc.compile."""
        self.require(request.variant, "name the flags of its guard, or use the built-in llc")
        _refuse_choice(request)
        check_input(request.input)
        identity = self.identity
        with scratch_directory() as scratch:
            command = (*self._command(request), "-o", str(scratch / ASM_NAME))
            finished = _run((*command, SHOW_PIPELINE), request)
            seconds = finished.seconds
            for sequence, stage in enumerate(plan_stages(finished.stderr)):
                path = scratch / stage_file_name(sequence, stage.when, stage.pass_name, stage.index)
                seconds += _run((*self._command(request), stage.flag(), "-o", str(path)), request).seconds
            stages = deliver(scratch, out_dir)
        return Compilation(
            request=request,
            directory=out_dir,
            asm=out_dir / ASM_NAME,
            stages=stages,
            trace=None,
            live_lanes=None,
            diagnostics=without_pipeline(finished.stderr),
            seconds=seconds,
            llc=identity,
            command=command,
        )

    def _command(self, request: CompileRequest) -> tuple[str, ...]:
        arguments = [str(self.path), as_argument(request.input), "-x", "mir" if is_mir(request.input) else "ir"]
        arguments.append(f"-O{request.opt}")
        if request.triple is not None:
            arguments.append(f"-mtriple={request.triple}")
        if request.cpu is not None:
            arguments.append(f"-mcpu={request.cpu}")
        if self._guard is not None:
            flag = self._guard.on if request.variant is Variant.GUARD else self._guard.off
            arguments += [flag] if flag else []
        return (*arguments, *start_of_mir(request.input, request.extra_args), *request.extra_args)


def _refuse_choice(request: CompileRequest) -> None:
    chosen = request.guard_skip or request.private_skip or request.private_only
    if chosen or request.guard_count is not None or request.private_count is not None:
        raise InputError(f"{request.input}: error: only the built-in llc can choose among the spiller's decisions")


def _run(command: tuple[str, ...], request: CompileRequest) -> Finished:
    finished = run_process(command, time_limit=request.time_limit, memory_limit=request.memory_limit)
    text = without_pipeline(finished.stderr)
    unknown = _NO_CPU.search(text)
    if unknown:
        raise InputError(f"{request.input}: error: {unknown.group()}")
    # A place in the input's text is where its parser stopped; MIR that is no YAML has none of its name.
    place = re.search(rf"(?m)({re.escape(as_argument(request.input))}|YAML):\d+:\d+: error: .*$", text)
    if place and finished.status > 0:
        _, _, detail = text.partition(place.group())
        message = place.group().replace("YAML:", f"{request.input}:", 1)
        raise InputError(message, detail.strip("\n"))
    if finished.status != 0 or dataclasses.replace(finished, stderr=text).reports_error():
        raise dataclasses.replace(finished, stderr=text).failure()
    return finished
