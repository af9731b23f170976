"""The layer `asm` of a triage run: the findings about rewritten registers with their lines of the final assembly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from regtriage.dataflow.analyse import Loader
from regtriage.dataflow.asm.join import join
from regtriage.dataflow.asm.model import AsmError
from regtriage.dataflow.asm.parser import parse_asm
from regtriage.dataflow.findings import Layer, LayerResult, Verdict
from regtriage.dataflow.targets import Target


def asm_layer(
    asm: Path, name: str, layers: Sequence[LayerResult], stages: Iterable[Loader], target: Target
) -> LayerResult | None:
    """The layer of one function; None where there is no layer `rewritten`, or the target's assembly is not known.

    Without findings the assembly is not read: it is what the stages before it are.
    """
    rewritten = next((r for r in layers if r.layer is Layer.REWRITTEN), None)
    if rewritten is None or target.name != "AMDGPU":
        return None
    if not rewritten.findings:
        verdict = rewritten.verdict
        unproven = rewritten.unproven if verdict is Verdict.UNPROVEN else ()
        return LayerResult(Layer.ASM, verdict, (), (), unproven, 0)
    try:
        text = asm.read_text(encoding="utf-8", errors="surrogateescape")
        return join(rewritten, [load() for load in stages], name, target, parse_asm(text, asm.name))
    except AsmError as error:
        return LayerResult(Layer.ASM, Verdict.UNPROVEN, (), (), (str(error),), 0)
    except KeyError:
        return LayerResult(Layer.ASM, Verdict.UNPROVEN, (), (), (f"{asm.name} has no function '{name}'",), 0)
