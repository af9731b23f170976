"""Findings of the reproducers in terms of the assembly, and the pieces that make the way there."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from regtriage.dataflow.asm.join import join, joined_id
from regtriage.dataflow.asm.parser import cfg_of, parse_asm
from regtriage.dataflow.findings import Layer, LayerResult, Verdict
from regtriage.tools.llc.run import Variant, resolve_llc
from regtriage.tools.results import VariantReport
from regtriage.tools.triage import TriageRequest, triage

MISCOMPILES = Path(__file__).parents[3] / "reproducers" / "miscompiles"


def run(name: str, folder: Path, variant: Variant = Variant.OFF) -> tuple[VariantReport, list[str]]:
    """The report on one variant, and the lines of its assembly."""
    request = TriageRequest(
        MISCOMPILES / f"{name}.ll", (variant,), cpu="gfx950", confirm=0, jobs=1, keep=folder, functions=("k",)
    )
    report = triage(request, resolve_llc("builtin"))
    asm = (folder / str(variant) / "asm.s").read_text().split("\n")
    return report.functions[0].variants[0], asm


def layer(report: VariantReport, which: Layer) -> LayerResult:
    (found,) = (r for r in report.layers if r.layer is which)
    return found


@pytest.mark.parametrize("name", ["insert_spill_65", "redundant_spill", "insert_spill_large"])
def test_every_finding_has_its_lines(name: str, tmp_path: Path):
    report, lines = run(name, tmp_path)
    rewritten, asm = layer(report, Layer.REWRITTEN), layer(report, Layer.ASM)
    assert rewritten.findings
    assert asm.verdict is Verdict.BUG
    assert not asm.unproven
    assert [f.id for f in asm.findings] == [joined_id(f.id) for f in rewritten.findings]
    for finding in asm.findings:
        assert finding.clobber is not None
        for place in (finding.use, finding.clobber, *finding.carriers):
            text = " ".join(lines[place.line - 1].partition(" ; ")[0].split())
            assert place.text == text, "a place is a line of the file, by number and text"


@pytest.mark.parametrize("name", ["insert_spill_65", "redundant_spill", "insert_spill_large"])
def test_a_path_runs_over_edges_of_the_assembly_and_repeats_no_block_within_a_round(name: str, tmp_path: Path):
    report, lines = run(name, tmp_path)
    (function,) = parse_asm("\n".join(lines), "asm.s").functions
    cfg = cfg_of(function)
    number = {b.label: b.number for b in function.blocks}
    for mir, finding in zip(layer(report, Layer.REWRITTEN).findings, layer(report, Layer.ASM).findings, strict=True):
        seen: set[str] = set()
        for before, step in zip((None, *finding.path), finding.path, strict=False):
            if step.back_edge:
                seen.clear()
            assert step.block not in seen
            seen.add(step.block)
            if before is not None:
                source, target = number[before.block], number[step.block]
                assert target in cfg.successors[source]
                assert cfg.is_back_edge(source, target) == step.back_edge
        notes = [", ".join(n for n in p.note.split(", ") if n) for p in finding.path if p.note]
        assert ", ".join(notes) == ", ".join(p.note for p in mir.path if p.note)
        assert finding.path[-1].block == finding.use.block


def test_what_is_stored_is_what_is_read(tmp_path: Path):
    report, _ = run("insert_spill_65", tmp_path)
    for finding in layer(report, Layer.ASM).findings:
        assert finding.clobber is not None
        reload = finding.carriers[-1]
        # v_writelane_b32 v0, s13, 5 and v_readlane_b32 s9, v0, 5: one lane, read into what the use reads
        vector, _, lane = finding.clobber.text.removeprefix("v_writelane_b32 ").split(", ")
        assert reload.text == f"v_readlane_b32 {finding.location}, {vector}, {lane}"
        assert finding.slot == f"{vector}[{lane}]"
        assert finding.location in finding.use.text
        assert finding.definition is not None
        assert finding.definition.text.startswith("s_load_dwordx8")


def test_a_right_function_is_clean_in_the_assembly_too(tmp_path: Path):
    report, _ = run("insert_spill_65", tmp_path, Variant.PRIVATE)
    assert layer(report, Layer.ASM) == LayerResult(Layer.ASM, Verdict.CLEAN, (), (), (), 0)


def test_a_finding_without_a_line_is_no_bug_of_this_layer(tmp_path: Path):
    report, lines = run("redundant_spill", tmp_path)
    rewritten = layer(report, Layer.REWRITTEN)
    (finding,) = rewritten.findings
    lost = dataclasses.replace(rewritten, findings=(dataclasses.replace(finding, use=finding.use),))
    from regtriage.dataflow.targets import target_for

    joined = join(lost, [], "k", target_for("amdgcn-amd-amdhsa"), parse_asm("\n".join(lines), "asm.s"))
    assert joined.verdict is Verdict.UNPROVEN
    assert joined.findings == ()
    assert finding.id in joined.unproven[0]
