from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from regtriage.tools.llc.run import Variant
from regtriage.tools.report.json import Object, check_object, dump, error_object, run_object, runs_object
from regtriage.tools.results import Conclusion

from .examples import LOST, MISSING_STORE, function, miscompiled, right, run, unproven, wrong

SCHEMAS = Path(__file__).parents[3] / "docs" / "schema"


def load(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def validate(value: Object, schema: str) -> Any:
    """The value as another program reads it, if it is what the schema says."""
    registry = Registry[Any]().with_resource("run.schema.json", Resource[Any].from_contents(load("run.schema.json")))
    parsed = json.loads(dump(value))
    Draft202012Validator(load(schema), registry=registry).validate(parsed)  # pyright: ignore[reportUnknownMemberType]
    return parsed


@pytest.mark.parametrize("name", ["run.schema.json", "check.schema.json"])
def test_schemas_are_schemas(name: str):
    Draft202012Validator.check_schema(load(name))


def test_run_is_as_the_schema_says():
    parsed = validate(run_object(miscompiled(), "1.2"), "run.schema.json")
    assert parsed["schema"] == 1
    assert parsed["tool"] == {"name": "regtriage", "version": "1.2"}
    assert parsed["llc"] == {"kind": "builtin", "version": "23.1.1", "path": "/opt/regtriage-llc"}
    off, guard, private = parsed["functions"][0]["variants"]
    assert off["confirmed"] == {"runs": 200, "differ": 200, "note": None}
    assert guard["confirmed"]["note"] == "the use is not observable"
    assert off["spiller"] == {"hoist_candidates": 12, "partial": 3, "fired": 0, "private_slots": 0}
    assert off["layers"]["rewritten"]["findings"] == [f.id for f in LOST]
    assert off["layers"]["asm"] is None
    assert private["layers"]["rewritten"]["hazards"][0]["slot"] == "%stack.3"
    assert parsed["functions"][0]["cures"][1]["how"] == "cause"


def test_a_finding_says_where_and_along_which_path():
    parsed = validate(run_object(miscompiled(), "1.2"), "run.schema.json")
    finding = parsed["functions"][0]["variants"][0]["findings"][0]
    assert finding["needed"] == {"register": "%38", "lane": "sub0"}
    assert finding["clobber"]["line"] == 1300
    assert finding["use"]["debug"][0] == {"file": "/src/attention.py", "line": 141, "column": 9}
    assert finding["path"] == ["bb.2", "bb.3", "bb.5", "bb.7", "bb.8", "back-edge", "bb.5", "bb.9"]
    assert (finding["exit"], finding["exit_by"], finding["loop_carried"]) == ("insert-spill", "trace", True)


def test_a_finding_without_a_value_is_as_the_schema_says():
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, MISSING_STORE)))
    parsed = validate(run_object(report, "1.2"), "run.schema.json")
    finding = parsed["functions"][0]["variants"][0]["findings"][0]
    assert (finding["needed"], finding["exit"], finding["clobber"]) == (None, None, None)


def test_unproven_without_a_trace_is_as_the_schema_says():
    report = run(function(Conclusion.UNPROVEN, unproven(Variant.OFF, "S_FOO is not known")))
    parsed = validate(run_object(report, "1.2"), "run.schema.json")
    assert parsed["functions"][0]["variants"][0]["layers"]["rewritten"]["unproven"] == ["S_FOO is not known"]


def test_several_compilers_are_as_the_schema_says():
    runs = [run_object(miscompiled(), "1.2"), error_object("/no/llc", "/no/llc: error: cannot be run")]
    parsed = validate(runs_object(runs, "1.2"), "run.schema.json")
    assert parsed["runs"][1]["error"] == "/no/llc: error: cannot be run"


def test_check_is_as_the_schema_says():
    functions = [function(Conclusion.CLEAN, right(Variant.OFF))]
    parsed = validate(check_object("a.mir", "b.mir", functions, "1.2"), "check.schema.json")
    assert (parsed["before"], parsed["after"]) == ("a.mir", "b.mir")


def test_the_schema_refuses_what_is_not_one():
    value = run_object(miscompiled(), "1.2")
    del value["functions"]
    with pytest.raises(ValidationError):
        validate(value, "run.schema.json")


def test_text_is_stable_ascii_even_for_odd_file_names():
    report = run(function(Conclusion.CLEAN, right(Variant.OFF), name="k\udcffé"))
    text = dump(run_object(report, "1.2"))
    assert text.isascii()
    assert text == dump(run_object(report, "1.2"))
    assert text.endswith("}\n")
