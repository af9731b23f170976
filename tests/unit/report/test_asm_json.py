"""The JSON of `asm` and `trace` against their schemas, and the drawing of a lane graph."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import networkx as nx
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from regtriage.dataflow.asm.judge import judge_asm
from regtriage.tools.asm import read_asm
from regtriage.tools.llc.run import InputError, Llc
from regtriage.tools.report.asm import asm_object
from regtriage.tools.report.json import Object, dump
from regtriage.tools.report.trace import trace_object
from regtriage.tools.trace import TraceRequest, TraceResult, parse_where, trace
from regtriage.tools.trace_export import dot, graphml, svg, write_graph

ROOT = Path(__file__).parents[3]
LOSES = ROOT / "tests" / "lit" / "asm" / "Inputs" / "loses.s"


def validate(value: Object, name: str) -> Any:
    schemas = {n: json.loads((ROOT / "docs" / "schema" / f"{n}.schema.json").read_text("utf-8")) for n in ("run", name)}
    registry = Registry[Any]().with_resource("run.schema.json", Resource[Any].from_contents(schemas["run"]))
    Draft202012Validator.check_schema(schemas[name])
    parsed = json.loads(dump(value))
    Draft202012Validator(schemas[name], registry=registry).validate(parsed)  # pyright: ignore[reportUnknownMemberType]
    return parsed


def no_compiler() -> Llc:
    raise AssertionError("assembly needs no compiler")


def traced() -> TraceResult:
    return trace(TraceRequest(LOSES, "s[8:11]"), no_compiler)


def test_asm_is_as_its_schema_says():
    file = read_asm(LOSES)
    parsed = validate(asm_object(file, judge_asm(file), "1.2"), "asm")
    (suspect,) = parsed["functions"][0]["suspects"]
    assert (suspect["slot"], suspect["store"]["line"], suspect["stored"][0]["location"]) == ("v254[0]", 16, "s6")
    assert suspect["reload"]["debug"][1]["line"] == 21


def test_trace_is_as_its_schema_says():
    parsed = validate(trace_object(traced(), "1.2"), "trace")
    chains = {c["location"]: c["links"] for c in parsed["starts"][0]["chains"]}
    assert [link["kind"] for link in chains["s8"]] == ["reload", "merge", "spill", "load", "spill", "load"]
    assert [link["argument"] for link in chains["s8"] if link["argument"]] == [
        "kernel arguments at byte 0",
        "kernel arguments at byte 8",
    ]


def test_graphml_can_be_read_again():
    graph = traced().graph
    text = BytesIO(graphml(graph).encode())
    again = cast("nx.DiGraph[str]", nx.read_graphml(text))  # pyright: ignore[reportUnknownMemberType]
    assert again.number_of_nodes() == graph.number_of_nodes()
    assert again.number_of_edges() == graph.number_of_edges()
    assert {a["kind"] for _, _, a in again.edges(data=True)} >= {"reload", "phi", "spill", "clobber"}
    assert any(a["text"].startswith("v_readlane_b32") for _, a in again.nodes(data=True))


def test_the_drawing_is_xml_with_a_box_for_each_definition():
    graph = traced().graph
    root = ET.fromstring(svg(graph))
    boxes = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "box"]
    assert len(boxes) == graph.number_of_nodes()
    corners = {(float(r.get("x", "")), float(r.get("y", ""))) for r in boxes}
    assert len(corners) == len(boxes), "no two lie on each other"
    assert dot(graph).count(" -> ") == graph.number_of_edges()


def test_a_format_that_there_is_not(tmp_path: Path):
    with pytest.raises(InputError, match="graphml"):
        write_graph(traced().graph, tmp_path / "slice.png")


@pytest.mark.parametrize(
    ("text", "location", "place", "file", "line"),
    [
        ("s[0:3]@.LBB0_12", "s[0:3]", ".LBB0_12", "", 0),
        ("%stack.53:2", "%stack.53+8", "", "", 0),
        ("%12.sub1@bb.7", "%12.sub1", "bb.7", "", 0),
        ("%12@%bb.7", "%12", "bb.7", "", 0),
        ("src/attn.py:138", "", "", "src/attn.py", 138),
        ("v254[8]@8778", "v254[8]", "8778", "", 0),
    ],
)
def test_places(text: str, location: str, place: str, file: str, line: int):
    where = parse_where(text)
    assert (where.location, where.place, where.file, where.line) == (location, place, file, line)


@pytest.mark.parametrize("text", ["", "@.LBB0_1", "hello", "138", "py:138"])
def test_what_is_no_place(text: str):
    with pytest.raises(InputError, match="is no place"):
        parse_where(text)
