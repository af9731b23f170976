"""A report with evidence, in which every text that comes from the input can be replaced."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
from regtriage.dataflow.evidence import (
    Decision,
    DecisionKind,
    Evidence,
    Excerpt,
    Line,
    LineKind,
    Pane,
    Step,
    StepKind,
)
from regtriage.dataflow.findings import Finding, PathStep, SourceLocation, Verdict
from regtriage.dataflow.graph import Definition, EdgeKind
from regtriage.tools.llc.run import Variant
from regtriage.tools.results import Conclusion, Confirmation, Cure, FunctionReport, How, RunReport

from .examples import CLOBBER, DEFINITION, LOST, RELOAD, USE, function, layer, right, run, variant, wrong

SAVE = "SI_SPILL_S512_SAVE $sgpr36_sgpr37_sgpr38_sgpr39, %stack.3"


def key(pane: Pane, text: str, *names: tuple[str, int], column: int = 0) -> Excerpt:
    lines = (
        Line(LineKind.CONTEXT, 8, "S_NOP 0"),
        Line(LineKind.KEY, 9, text, column, names),
        Line(LineKind.GAP),
        Line(LineKind.MISSING),
    )
    return Excerpt(pane, {Pane.SOURCE: "attention.py", Pane.ASM: "asm.s"}.get(pane, "02-after.mir"), "bb.7", lines)


def graph(text: str) -> nx.DiGraph[Definition]:
    made: nx.DiGraph[Definition] = nx.DiGraph(name="k")
    store, merge = Definition(7, 3, "%stack.3+0"), Definition(9, -1, "%stack.3+0")
    place = {"file": "x", "source": "a.py:1:2", "block": "bb.7", "line": 9}
    made.add_node(store, location="%stack.3+0", kind="spill", text=text, step="overwritten", **place)
    made.add_node(merge, location="%stack.3+0", kind="phi", text="", step="", **place)
    made.add_edge(store, merge, kind=EdgeKind.PHI)
    return made


def evidence(hostile: str = "") -> Evidence:
    debug = (SourceLocation(f"/src/{hostile}attention.py", 138, 20),)
    steps = (
        Step(StepKind.DEFINED, "bb.2.head", False, (0, 1), False, debug, (  # noqa: FBT003
            key(Pane.SOURCE, f"x = tl.load(p){hostile}", ("", 0), column=5),
            key(Pane.BEFORE, f"%38:sgpr_512 = S_LOAD_DWORDX16_IMM %4, 0{hostile}", ("%38.sub0", 0), ("%38.sub1", 1)),
            key(Pane.AFTER, "$sgpr4_sgpr5_sgpr6_sgpr7 = S_LOAD_DWORDX4_IMM", ("$sgpr4", 0), ("$sgpr5", 1)),
            key(Pane.ASM, f"s_load_dwordx4 s[4:7], s[0:1], 0x0{hostile}", ("s4", 0), ("s5", 1)),
        )),
        Step(StepKind.OVERWRITTEN, f"bb.7.{hostile}", False, (0, 1), True, debug, (  # noqa: FBT003
            key(Pane.AFTER, SAVE, ("$sgpr36", 0), ("$sgpr37", 1), ("%stack.3+0", 0), ("%stack.3+4", 1)),
            key(Pane.ASM, "v_writelane_b32 v0, s36, 5", ("s36", 0), ("v0[5]", 0)),
        )),
        Step(StepKind.READ, "bb.9", True, (0,), True, (), (key(Pane.AFTER, USE.text, ("$sgpr36", 0)),)),  # noqa: FBT003
    )  # fmt: skip
    decisions = (
        Decision(DecisionKind.SPILL, 4, f"%77{hostile}", "%38", -1, (), False, "", None, False),  # noqa: FBT003
        Decision(DecisionKind.PRIVATE, 4, "%77", "%38", -1, ("sub0", "sub1"), False, "", None, False),  # noqa: FBT003
        Decision(DecisionKind.HOIST, 4, "%78", "%38", 7, ("sub0",), False, "", None, False),  # noqa: FBT003
        Decision(DecisionKind.SAVE, 4, "%78", "", 7, (), False, "insert-spill", debug[0], True),  # noqa: FBT003
        Decision(DecisionKind.RELOAD, 4, "%79", "", 9, (), False, "", None, False),  # noqa: FBT003
        Decision(DecisionKind.REMOVED, -1, "%80", "", 9, (), False, "redundant-spill", None, False),  # noqa: FBT003
    )  # fmt: skip
    ids = tuple(f.id for f in LOST)
    lanes = ("%38.sub0", "%38.sub1")
    return Evidence(ids, "greedy,0", "virtregrewriter,0", lanes, steps, graph(f"SAVE {hostile}"), 3, decisions)


def findings(hostile: str = "") -> tuple[Finding, ...]:
    def spoilt(f: Finding) -> Finding:
        return replace(
            f,
            use=replace(USE, text=USE.text + hostile, block=f"bb.9{hostile}"),
            definition=replace(DEFINITION, text=DEFINITION.text + hostile),
            clobber=replace(CLOBBER, text=CLOBBER.text + hostile),
            carriers=(replace(RELOAD, text=RELOAD.text + hostile),),
            path=tuple(PathStep(s.block + hostile, s.back_edge, s.note) for s in f.path),
            decision=f.decision + hostile,
            explanation=f.explanation + hostile,
            loop=(*f.loop, f"bb.5.{hostile}"),
        )

    return tuple(map(spoilt, LOST))


def shown_function(hostile: str = "") -> FunctionReport:
    found = findings(hostile)
    off = replace(wrong(Variant.OFF, *found, confirmed=Confirmation(50, 50, hostile)), evidence=(evidence(hostile),))
    cures = (
        Cure(Variant.GUARD, How.NONE, f"still wrong{hostile}"),
        Cure(Variant.PRIVATE, How.CAUSE, f"%77 has a slot of its own{hostile}"),
    )
    unproven = variant(
        Variant.GUARD_LANES, Verdict.UNPROVEN, layer(off.layers[1].layer, Verdict.UNPROVEN, unproven=(f"odd{hostile}",))
    )
    variants = (off, wrong(Variant.GUARD, *found), right(Variant.PRIVATE), unproven)
    return function(Conclusion.MISCOMPILED, *variants, cures=cures, name=f"k{hostile}")


def shown_run(hostile: str = "") -> RunReport:
    return replace(run(shown_function(hostile)), input=f"kernels/k{hostile}.ll")
