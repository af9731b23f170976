"""Reports made by hand, as a triage would return them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from regtriage.dataflow.findings import (
    Exit,
    ExitBasis,
    Finding,
    FindingKind,
    Hazard,
    Layer,
    LayerResult,
    Needed,
    PathStep,
    Place,
    SourceLocation,
    Verdict,
)
from regtriage.tools.llc.run import LlcIdentity, LlcKind, Variant
from regtriage.tools.results import (
    Conclusion,
    Confirmation,
    Cure,
    FunctionReport,
    How,
    RunReport,
    SpillerCounts,
    TargetInfo,
    VariantReport,
)

DEFINITION = Place(
    "00-before-greedy-0.mir",
    120,
    "bb.2.head",
    "%38:sgpr_512 = S_LOAD_DWORDX16_IMM %4, 0, 0",
    (SourceLocation("/src/attention.py", 120, 33),),
)
CLOBBER = Place(
    "01-after-virtregrewriter-0.mir",
    1300,
    "bb.7.for.body",
    "SI_SPILL_S512_SAVE killed renamable $sgpr36_sgpr37_sgpr38_sgpr39, %stack.3, implicit $exec",
    (SourceLocation("/src/attention.py", 138, 20),),
)
RELOAD = Place(
    "01-after-virtregrewriter-0.mir",
    1409,
    "bb.9",
    "renamable $sgpr36_sgpr37_sgpr38_sgpr39 = SI_SPILL_S512_RESTORE %stack.3, implicit $exec",
    (),
)
USE = Place(
    "01-after-virtregrewriter-0.mir",
    1410,
    "bb.9",
    "$vgpr1 = BUFFER_LOAD_DWORD_OFFEN $vgpr0, killed renamable $sgpr36_sgpr37_sgpr38_sgpr39, 0, 0",
    (SourceLocation("/src/attention.py", 141, 9), SourceLocation("/src/attention.py", 99, 5)),
)


def path(text: str) -> tuple[PathStep, ...]:
    """Read `0 2:defined ^5`: block numbers, with a note after the colon, `^` for a back edge."""
    steps: list[PathStep] = []
    for word in text.split():
        block, _, note = word.partition(":")
        steps.append(PathStep(f"bb.{block.lstrip('^')}", block.startswith("^"), note))
    return tuple(steps)


def lost(lane: int) -> Finding:
    """A lane of %38 that is lost over the back edge of a loop."""
    return Finding(
        id=f"5f0c2a1e8b{lane:02}",
        kind=FindingKind.VALUE,
        layer=Layer.REWRITTEN,
        stage="virtregrewriter,0",
        exit=Exit.INSERT_SPILL,
        exit_by=ExitBasis.TRACE,
        needed=Needed("%38", f"sub{lane}"),
        location=f"$sgpr{36 + lane}",
        holds=f"%77.sub{lane}",
        definition=DEFINITION,
        clobber=CLOBBER,
        use=USE,
        carriers=(RELOAD,),
        loop_carried=True,
        loop=("bb.5", "bb.7.for.body", "bb.9"),
        path=path("2:defined 3 5 7:overwritten 8 ^5 9:read"),
        replayed=True,
        explanation="%stack.3+0 held %38.sub0 and was overwritten",
        decision="%77 (original %38) is saved at bb.7 with sub4..sub7 only",
        slot="%stack.3",
    )


LOST = tuple(lost(lane) for lane in (0, 1, 2, 3))

MISSING_STORE = Finding(
    id="00ff00ff00ff",
    kind=FindingKind.MISSING_EFFECT,
    layer=Layer.REWRITTEN,
    stage="virtregrewriter,0",
    exit=None,
    exit_by=None,
    needed=None,
    location="",
    holds=None,
    definition=None,
    clobber=None,
    use=replace(USE, text="S_STORE %1", debug=()),
    carriers=(),
    loop_carried=False,
    loop=(),
    path=path("0 9"),
    replayed=True,
    explanation="the effect is gone: S_STORE %1",
)

HAZARD = Hazard(Layer.REWRITTEN, "virtregrewriter,0", CLOBBER, "%stack.3", ("sub1", "sub2"))


def layer(
    which: Layer,
    verdict: Verdict,
    findings: tuple[Finding, ...] = (),
    hazards: tuple[Hazard, ...] = (),
    unproven: tuple[str, ...] = (),
) -> LayerResult:
    return LayerResult(which, verdict, findings, hazards, unproven, 120)


def variant(
    which: Variant,
    verdict: Verdict,
    *layers: LayerResult,
    counts: tuple[int, int, int, int] | None = (12, 3, 0, 0),
    confirmed: Confirmation | None = None,
) -> VariantReport:
    spiller = SpillerCounts(*counts) if counts is not None else None
    return VariantReport(which, verdict, spiller, layers, confirmed, {"compile": 0.25, "check": 0.5})


def wrong(which: Variant, *findings: Finding, confirmed: Confirmation | None = None) -> VariantReport:
    """A variant whose both layers have these findings."""
    layers = (layer(Layer.MIR, Verdict.BUG, findings), layer(Layer.REWRITTEN, Verdict.BUG, findings))
    return variant(which, Verdict.BUG, *layers, confirmed=confirmed)


def right(which: Variant) -> VariantReport:
    """A variant that is right at both layers."""
    return variant(which, Verdict.CLEAN, layer(Layer.MIR, Verdict.CLEAN), layer(Layer.REWRITTEN, Verdict.CLEAN))


def unproven(which: Variant, *reasons: str) -> VariantReport:
    """A variant about which nothing is known."""
    return variant(which, Verdict.UNPROVEN, layer(Layer.REWRITTEN, Verdict.UNPROVEN, unproven=reasons))


def hazardous(which: Variant) -> VariantReport:
    """A variant that is right although a store is dangerous."""
    layers = (layer(Layer.MIR, Verdict.CLEAN), layer(Layer.REWRITTEN, Verdict.HAZARD, hazards=(HAZARD,)))
    return variant(which, Verdict.HAZARD, *layers)


def function(
    conclusion: Conclusion, *variants: VariantReport, cures: tuple[Cure, ...] = (), name: str = "k"
) -> FunctionReport:
    return FunctionReport(name, conclusion, cures, variants)


def run(*functions: FunctionReport, kept: str = "") -> RunReport:
    target = TargetInfo("amdgcn-amd-amdhsa", "gfx950", 3)
    llc = LlcIdentity(LlcKind.BUILTIN, "23.1.1", Path("/opt/regtriage-llc"))
    return RunReport("k.ll", target, llc, functions, kept)


def miscompiled(kept: str = "") -> RunReport:
    """Wrong without and with the guard, right with private slots."""
    return run(
        function(
            Conclusion.MISCOMPILED,
            wrong(Variant.OFF, *LOST, confirmed=Confirmation(200, 200)),
            wrong(Variant.GUARD, *LOST, confirmed=Confirmation(200, 0, "the use is not observable")),
            hazardous(Variant.PRIVATE),
            cures=(
                Cure(Variant.GUARD, How.NONE, "still wrong"),
                Cure(Variant.PRIVATE, How.CAUSE, "%77 has a slot of its own"),
            ),
        ),
        kept=kept,
    )
