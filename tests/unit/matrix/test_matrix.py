from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from regtriage.dataflow.findings import Verdict
from regtriage.tools.llc.run import InputError, LlcIdentity, LlcKind, resolve_llc
from regtriage.tools.matrix import MatrixRequest, parse_axis, sweep
from regtriage.tools.matrix.json import matrix_object
from regtriage.tools.matrix.model import Cell, MatrixReport, Use
from regtriage.tools.matrix.svg import matrix_svg
from regtriage.tools.matrix.text import matrix_lines
from regtriage.tools.report.json import dump
from regtriage.tools.report.look import Look, render

REPOSITORY = Path(__file__).parents[3]
KERNEL = REPOSITORY / "reproducers" / "miscompiles" / "insert_spill_65.ll"
SCHEMAS = REPOSITORY / "docs" / "schema"

LOST = Use("k", "bb.4.exit", "%1.sub0", "S_ADD_U32", "/src/k.py:7:3")
OTHER = Use("k", "bb.9", "%1.sub1", "S_SUB_I32", "")


def report() -> MatrixReport:
    """Four cells: two wrong, of which one in more ways; one right; one that did not compile."""
    axes = (parse_axis("num-sgpr=48,64"), parse_axis("variant=off,private"))
    cells = (
        Cell(("48", "off"), Verdict.BUG, (LOST, OTHER), "aa"),
        Cell(("48", "private"), Verdict.CLEAN, (), "bb"),
        Cell(("64", "off"), Verdict.BUG, (LOST,), "cc"),
        Cell(("64", "private"), None, (), "", "llc: error: crashed <here>"),
    )
    identity = LlcIdentity(LlcKind.BUILTIN, "23.1.1", Path("/opt/llc"))
    return MatrixReport("a<b>.ll", identity, axes, cells, ((LOST, 2), (OTHER, 1)), ("num-sgpr",))


def test_text():
    lines = render(matrix_lines(report(), Look()), colored=False).splitlines()
    assert lines[0] == "a<b>.ll: 4 cells, num-sgpr x variant, builtin llc, LLVM 23.1.1"
    assert lines[2:5] == [
        "  num-sgpr  variant = off  private",
        "  48        BUG 2          CLEAN",
        "  64        BUG 1          failed",
    ]
    assert "  BUG 2, CLEAN 1, failed 1 of 4; 3 different codes" in lines
    assert "  wrong uses: 2 in any cell, 0 in every cell" in lines
    assert any(line.split() == ["%1.sub0", "bb.4", "S_ADD_U32", "k.py:7:3", "in", "2"] for line in lines)
    assert lines[-1] == "  failed in 1: llc: error: crashed <here>"


def test_a_picture_is_xml_in_which_every_cell_says_what_it_is():
    root = ElementTree.fromstring(matrix_svg(report()))
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == "a<b>.ll"
    assert "num-sgpr=48, variant=off: BUG 2" in titles
    assert "num-sgpr=64, variant=private: failed" in titles


def validated(value: MatrixReport) -> Any:
    schemas = {name: json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")) for name in ("run", "matrix")}
    Draft202012Validator.check_schema(schemas["matrix"])
    registry = Registry[Any]().with_resource("run.schema.json", Resource[Any].from_contents(schemas["run"]))
    parsed = json.loads(dump(matrix_object(value, "1")))
    Draft202012Validator(schemas["matrix"], registry=registry).validate(parsed)  # pyright: ignore[reportUnknownMemberType]
    return parsed


def test_json_is_as_the_schema_says():
    parsed = validated(report())
    assert parsed["cells"][0]["uses"] == [0, 1]
    assert (parsed["union"], parsed["intersection"], parsed["idle"]) == ([0, 1], [], ["num-sgpr"])


def test_a_real_kernel():
    axes = (parse_axis("waves-per-eu=,1:8"), parse_axis("variant=off,private"))
    done = sweep(MatrixRequest(KERNEL, axes, jobs=1), resolve_llc())
    assert [cell.verdict for cell in done.cells] == [Verdict.BUG, Verdict.CLEAN] * 2
    assert done.idle == ("waves-per-eu",)
    assert [(use.needed, count) for use, count in done.uses] == [("%1.sub5", 2), ("%1.sub6", 2)]
    validated(done)


def test_an_attribute_that_is_set_reaches_the_compiler():
    done = sweep(MatrixRequest(KERNEL, (parse_axis("num-sgpr=40,65"),), jobs=1), resolve_llc())
    assert done.idle == ()
    assert len({cell.code for cell in done.cells}) == 2


def test_a_cell_that_cannot_be_compiled_is_one_of_many():
    done = sweep(MatrixRequest(KERNEL, (parse_axis("num-sgpr=20,40"),), jobs=1), resolve_llc())
    failed, wrong = done.cells
    assert failed.verdict is None
    assert wrong.verdict is not None
    assert str(KERNEL) in failed.failure or "regtriage-llc" in failed.failure


def test_what_has_no_text_has_no_attributes(tmp_path: Path):
    bitcode = tmp_path / "k.bc"
    bitcode.write_bytes(b"BC\xc0\xde")
    with pytest.raises(InputError, match="not the text of a kernel"):
        sweep(MatrixRequest(bitcode, (parse_axis("num-sgpr=48,64"),)), resolve_llc())


@pytest.mark.slow
def test_the_attention_kernel():
    kernel = REPOSITORY / "reproducers" / "attention" / "grouped-triton-3.9.0.llir"
    axes = tuple(map(parse_axis, ("waves-per-eu=1,2,3,4", "num-sgpr=,80", "variant=off,guard,private")))
    done = sweep(MatrixRequest(kernel, axes), resolve_llc())
    assert len(done.cells) == 24
    wrong = {cell.values for cell in done.cells if cell.verdict is Verdict.BUG}
    assert wrong == {(waves, "as is", variant) for waves in "1234" for variant in ("off", "guard")}
    assert {cell.verdict for cell in done.cells if cell.values not in wrong} == {Verdict.CLEAN}
    assert [(use.needed, use.opcode, count) for use, count in done.uses] == [
        ("%6547.sub0", "BUFFER_LOAD_DWORDX4_OFFEN", 8),
        ("%6547.sub1", "BUFFER_LOAD_DWORDX4_OFFEN", 8),
    ]
