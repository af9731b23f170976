"""The LLVM inside an installed Triton, driven through triton_driver.py by the Python that has it.

What it can do: textual IR at -O3, the optimisation level that Triton always uses, with any flag of LLVM. What
it cannot: bitcode, MIR, other levels, a trace of the spiller, live lanes, the guard.

Triton 3.9 and later generate AMD code with a second, newer LLVM in a library of its own, which takes no flags.
This drives the main one, which Triton 3.8 uses itself.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from .base import ASM_NAME, Llc, deliver, scratch_directory, stage_file_name
from .errors import InputError, ToolFailure
from .inputs import check_input, is_mir
from .pipeline import SHOW_PIPELINE, plan_stages, without_pipeline
from .process import Finished, run_process
from .request import Compilation, CompileRequest, LlcIdentity, LlcKind, Variant

_DRIVER = Path(__file__).with_name("triton_driver.py")
_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.M)
_CPU = re.compile(r'"target-cpu"="([^"]*)"')
_PARSE_FAILURE = re.compile(r"failed to parse IR: (?P<text>.*?)\s*line\s?no: (?P<line>\d+)")


class TritonLlc(Llc):
    """The LLVM of a Triton. python: the interpreter that can import it, None means this one."""

    def __init__(self, python: Path | None = None) -> None:
        self._python = python or Path(sys.executable)

    def _identify(self) -> LlcIdentity:
        finished = run_process((str(self._python), str(_DRIVER), "--version"))
        if finished.status != 0:
            words = finished.error_line().removeprefix("error: ")
            message = f"triton: error: {words or 'cannot be loaded'} (pip install triton)"
            raise ToolFailure(message, finished.command, finished.status, finished.stderr)
        return LlcIdentity(LlcKind.TRITON, f"triton {finished.stdout.strip()}", self._python)

    def supports(self, variant: Variant) -> bool:
        """Off alone."""
        return variant is Variant.OFF

    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        """See Llc.compile."""
        self.require(request.variant, "use the built-in llc")
        check_input(request.input)
        identity = self.identity
        triple, cpu = _target(request)
        common = {"input": str(request.input), "triple": triple, "cpu": cpu, "flags": request.extra_args}
        with scratch_directory() as scratch:
            first = self._run({**common, "outputs": [(str(scratch / ASM_NAME), [SHOW_PIPELINE])]}, request)
            planned = [
                (str(scratch / stage_file_name(number, s.when, s.pass_name, s.index)), [s.flag()])
                for number, s in enumerate(plan_stages(first.stderr))
            ]
            seconds = first.seconds + self._run({**common, "outputs": planned}, request).seconds
            stages = deliver(scratch, out_dir)
        return Compilation(
            request=request,
            directory=out_dir,
            asm=out_dir / ASM_NAME,
            stages=stages,
            trace=None,
            live_lanes=None,
            diagnostics=without_pipeline(first.stderr),
            seconds=seconds,
            llc=identity,
            command=first.command,
        )

    def _run(self, job: dict[str, object], request: CompileRequest) -> Finished:
        command = (str(self._python), str(_DRIVER), json.dumps(job))
        finished = run_process(command, time_limit=request.time_limit, memory_limit=request.memory_limit)
        text = without_pipeline(finished.stderr)
        parse = _PARSE_FAILURE.search(text)
        if parse:
            raise InputError(f"{request.input}:{parse['line']}: error: {parse['text']}")
        if finished.status != 0 or finished.reports_error():
            raise finished.failure()
        return finished


def _target(request: CompileRequest) -> tuple[str, str]:
    """Triple and cpu, which Triton wants to be told. Raises InputError if Triton cannot do what is asked."""
    if is_mir(request.input):
        raise InputError(f"{request.input}: error: the LLVM inside Triton compiles IR only, not MIR")
    if request.opt != 3:
        raise InputError(f"{request.input}: error: the LLVM inside Triton compiles at -O3 only")
    try:
        text = request.input.read_text()
    except UnicodeDecodeError:
        raise InputError(f"{request.input}: error: the LLVM inside Triton reads textual IR only") from None
    triple, cpu = _TRIPLE.search(text), _CPU.search(text)
    if request.triple is None and triple is None:
        raise InputError(f"{request.input}: error: the input has no target triple: name one")
    return (
        request.triple or (triple.group(1) if triple else ""),
        request.cpu or (cpu.group(1) if cpu else ""),
    )
