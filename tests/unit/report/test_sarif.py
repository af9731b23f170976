"""SARIF: what code review tools read. The official schema is asked in tests/network."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from regtriage.tools.llc.run import Variant
from regtriage.tools.report.json import Object, dump
from regtriage.tools.report.sarif import check_sarif, run_sarif
from regtriage.tools.results import Conclusion

from .examples import LOST, MISSING_STORE, function, hazardous, right, run, unproven, wrong
from .shown import shown_function, shown_run

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LOCATION: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": TEXT,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine"],
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
        "logicalLocations": {"type": "array", "minItems": 1},
    },
}
LOCATIONS: dict[str, Any] = {"type": "array", "minItems": 1, "items": LOCATION}
THREAD_FLOW: dict[str, Any] = {
    "type": "object",
    "required": ["locations"],
    "properties": {
        "locations": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["location"],
                "properties": {
                    "location": LOCATION,
                    "executionOrder": {"type": "integer", "minimum": 1},
                    "importance": {"enum": ["essential", "important", "unimportant"]},
                },
            },
        }
    },
}
RESULT: dict[str, Any] = {
    "type": "object",
    "required": ["ruleId", "ruleIndex", "message", "locations", "level"],
    "properties": {
        "message": TEXT,
        "level": {"enum": ["error", "note"]},
        "kind": {"enum": ["fail"]},
        "locations": LOCATIONS,
        "relatedLocations": {"type": "array", "items": LOCATION},
        "codeFlows": {
            "type": "array",
            "items": {"type": "object", "properties": {"threadFlows": {"type": "array", "items": THREAD_FLOW}}},
        },
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
LOG: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results", "invocations"],
                "properties": {"results": {"type": "array", "items": RESULT}},
            },
        },
    },
}


def read(log: Object) -> Any:
    parsed = json.loads(dump(log))
    Draft202012Validator(LOG).validate(parsed)  # pyright: ignore[reportUnknownMemberType]
    for one in parsed["runs"]:
        rules = one["tool"]["driver"]["rules"]
        assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in one["results"])
        assert len({rule["id"] for rule in rules}) == len(rules)
    return parsed["runs"]


def test_a_finding_is_one_result_whichever_variants_have_it():
    (one,) = read(run_sarif([shown_run()], "1.2"))
    assert [r["partialFingerprints"]["regtriage/v1"] for r in one["results"]] == [f.id for f in LOST]
    assert {tuple(r["properties"]["variants"]) for r in one["results"]} == {("off", "guard")}
    assert {r["ruleId"] for r in one["results"]} == {"insert-spill"}


def test_places_are_lines_of_the_source():
    (one,) = read(run_sarif([shown_run()], "1.2"))
    place = one["results"][0]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "file:///src/attention.py"},
        "region": {"startLine": 141, "startColumn": 9},
    }


@pytest.mark.parametrize(
    ("kept", "uri", "line"),
    [("", "k.ll", None), ("out/a%20b", "out/a%2520b/off/01-after-virtregrewriter-0.mir", 1410),
     ("/tmp/o", "file:///tmp/o/off/01-after-virtregrewriter-0.mir", 1410)],
)  # fmt: skip
def test_without_a_source_places_are_lines_of_kept_mir_or_the_kernel(kept: str, uri: str, line: int | None):
    finding = replace(LOST[0], use=replace(LOST[0].use, debug=()))
    report = run(function(Conclusion.MISCOMPILED, wrong(Variant.OFF, finding)), kept=kept)
    (one,) = read(run_sarif([report], "1.2"))
    place = one["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri
    assert place.get("region", {}).get("startLine") == line


def test_the_code_flow_is_the_path():
    (one,) = read(run_sarif([shown_run()], "1.2"))
    flow = one["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    texts = [step["location"]["message"]["text"] for step in flow]
    assert [t.split(":")[0].split(",")[0] for t in texts] == ["bb.2", "bb.3", "bb.5", "bb.7", "bb.8", "bb.5", "bb.9"]
    assert texts[0].startswith("bb.2: defined: %38")
    assert texts[3].startswith("bb.7: overwritten: SI_SPILL")
    assert texts[5] == "bb.5, over the back edge"
    assert texts[6].startswith("bb.9: read: ")
    assert [step["executionOrder"] for step in flow] == list(range(1, len(flow) + 1))


def test_hazards_are_notes_and_what_is_not_proved_is_a_notification():
    report = run(
        function(Conclusion.HAZARD, hazardous(Variant.OFF)),
        function(Conclusion.UNPROVEN, unproven(Variant.OFF, "a call"), name="other"),
    )
    (one,) = read(run_sarif([report], "1.2"))
    assert [(r["ruleId"], r["level"]) for r in one["results"]] == [("hazard", "note")]
    (notice,) = one["invocations"][0]["toolExecutionNotifications"]
    assert notice == {"level": "warning", "message": {"text": "other, off: not proved: a call"}}


def test_clean_and_failed():
    runs = read(run_sarif([run(function(Conclusion.CLEAN, right(Variant.OFF))), ("llc", "it crashed")], "1.2"))
    assert [one["results"] for one in runs] == [[], []]
    assert [one["invocations"][0]["executionSuccessful"] for one in runs] == [True, False]


def test_effects_have_rules_and_check_has_lines_of_the_files():
    found = function(Conclusion.MISCOMPILED, wrong(Variant.OFF, MISSING_STORE))
    (one,) = read(check_sarif([found], "1.2"))
    (result,) = one["results"]
    assert result["ruleId"] == "missing-effect"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == MISSING_STORE.use.file
    assert place["region"]["startLine"] == MISSING_STORE.use.line


def test_any_name_is_a_uri():
    hostile = "<&> \"'%\udc80ü\n"
    for one in (*read(run_sarif([shown_run(hostile)], "1.2")), *read(check_sarif([shown_function(hostile)], "1.2"))):
        assert one["results"]
