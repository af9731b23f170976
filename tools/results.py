"""What a triage run returns: the objects behind the table, the JSON and the exit code."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from regtriage.dataflow.evidence import Evidence
from regtriage.dataflow.findings import Finding, Layer, LayerResult, Verdict
from regtriage.tools.llc.run import LlcIdentity, Variant


class Conclusion(enum.StrEnum):
    """The answer for one function over all variants; about the unchanged compiler (variant off) first."""

    CLEAN = "clean"
    HAZARD = "hazard"
    UNPROVEN = "unproven"
    MISCOMPILED = "miscompiled"


class How(enum.StrEnum):
    """What a variant does to the findings of variant off.

    CAUSE: it is right, and its trace shows that it removed or redirected the very store that the finding
    names. PERTURBED: it is right, but that store was not touched by it: the allocation moved. NONE: still wrong.
    """

    CAUSE = "cause"
    PERTURBED = "perturbed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Cure:
    """variant, how, and the reasoning in one line."""

    variant: Variant
    how: How
    why: str


@dataclass(frozen=True, slots=True)
class SpillerCounts:
    """From the spiller's trace. fired: partial same-block hoists that the guard refused."""

    hoist_candidates: int
    partial: int
    fired: int
    private_slots: int


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Execution before and after on equal inputs: runs made, runs that differed, and why none did ("" if some)."""

    runs: int
    differ: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class VariantReport:
    """One function compiled one way. verdict is the worst of layers `rewritten` and `mir` as the judge sees it.

    spiller is None without a trace. seconds: compile, read, check, confirm. evidence: for the findings of the telling
    layer, a group each, if it was asked for.
    """

    variant: Variant
    verdict: Verdict
    spiller: SpillerCounts | None
    layers: tuple[LayerResult, ...]
    confirmed: Confirmation | None
    seconds: dict[str, float]
    evidence: tuple[Evidence, ...] = ()

    @property
    def shipped_findings(self) -> tuple[Finding, ...]:
        """What is wrong with the code; where only virtual registers were looked at, with these."""
        by_layer = {layer.layer: layer.findings for layer in self.layers}
        return by_layer.get(Layer.REWRITTEN) or by_layer.get(Layer.MIR) or ()


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """One function over all variants that were asked for, in that order."""

    name: str
    conclusion: Conclusion
    cures: tuple[Cure, ...]
    variants: tuple[VariantReport, ...]


@dataclass(frozen=True, slots=True)
class TargetInfo:
    """What was compiled for: triple and cpu as the compiler had them, and the optimization level."""

    triple: str
    cpu: str
    opt: int


@dataclass(frozen=True, slots=True)
class Given:
    """What the user said about the compile, beside the kernel: what it takes to do the same again."""

    triple: str | None = None
    cpu: str | None = None
    llc_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunReport:
    """One kernel through one compiler. kept: folder with all artefacts, or ""."""

    input: str
    target: TargetInfo
    llc: LlcIdentity
    functions: tuple[FunctionReport, ...]
    kept: str = ""
    given: Given = Given()

    @property
    def has_bug(self) -> bool:
        """Whether any variant of any function is wrong."""
        return any(v.verdict is Verdict.BUG for f in self.functions for v in f.variants)
