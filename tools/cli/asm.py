"""`regtriage asm`: final assembly alone, where there is nothing else of the compile."""

from __future__ import annotations

from pathlib import Path

import click
from regtriage.dataflow.asm.judge import Judgement, judge_asm
from regtriage.dataflow.asm.model import AsmFile
from regtriage.tools.asm import read_asm
from regtriage.tools.llc.run import InputError
from regtriage.tools.report import json
from regtriage.tools.report.asm import asm_lines, asm_object
from regtriage.tools.report.look import Look, render

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version

_EXAMPLES = """
regtriage asm kernel.s
regtriage asm kernel.hsaco --json
regtriage asm kernel.amdgcn --function _attn_fwd
"""


@command("asm", _EXAMPLES)
@click.argument("asm", metavar="ASM", type=click.Path(path_type=Path))
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Judge this function only.")
@json_option
def asm(session: Session, asm: Path, functions: tuple[str, ...], json_file: JsonFile | None) -> ExitCode:
    """Suspect loop-carried spills that are overwritten, from the final ASM alone.

    ASM is AMDGPU assembly as llc, Triton or llvm-objdump print it, or a code object (.hsaco, .co). A suspicion is no
    proof: where the kernel's IR is at hand, `regtriage run` proves it, or that there is nothing wrong. Exits with 1 if
    something is suspect; with 3 if nothing is, but an instruction or a jump is not understood.
    """
    file = read_asm(asm)
    if functions:
        _keep_only(file, functions)
    judgements = judge_asm(file)
    if json_file is None or not json_file.is_stdout:
        look = Look(output.width(), verbose=session.verbose)
        output.write(render(asm_lines(file, judgements, look), colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(asm_object(file, judgements, program_version())))
    return _settle(file, judgements)


def _keep_only(file: AsmFile, names: tuple[str, ...]) -> None:
    known = {f.name: f for f in file.functions}
    for name in names:
        if name not in known:
            raise InputError(f"{file.path}: error: no function '{name}' (it has: {', '.join(known)})")
    file.functions = [f for f in file.functions if f.name in names]


def _settle(file: AsmFile, judgements: tuple[Judgement, ...]) -> ExitCode:
    if any(j.suspects for j in judgements):
        return ExitCode.BUG
    complaints = [f"{file.path}:{lines[0]}:1: error: unknown instruction '{m}'" for m, lines in file.unknown.items()]
    complaints += [
        f"{file.path}:{j.unresolved[0]}:1: error: unknown target of a jump" for j in judgements if j.unresolved
    ]
    for complaint in complaints:
        output.complain(complaint)
    return ExitCode.FAILURE if complaints else ExitCode.CLEAN
