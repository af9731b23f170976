"""The example reports in docs/examples are those that the program makes."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
MOST_BYTES = 400_000


@pytest.mark.parametrize(
    "name",
    [
        "insert_spill_65",
        "redundant_spill",
        pytest.param("insert_spill_large", marks=pytest.mark.slow),
        pytest.param("rope-triton-3.9.0", marks=pytest.mark.slow),
    ],
)
def test_an_example_is_up_to_date(name: str, tmp_path: Path):
    path = os.pathsep.join([str(Path(sys.executable).parent), sysconfig.get_path("scripts"), os.environ["PATH"]])
    script = EXAMPLES / "make.sh"
    subprocess.run(["sh", script, tmp_path, name], cwd=ROOT, env={**os.environ, "PATH": path}, check=True, timeout=600)
    made = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    texts = [file for file in EXAMPLES.glob(f"{name}.*") if file.suffix != ".png"]
    kept = {file.name: file.read_text(encoding="utf-8") for file in texts}
    assert made.keys() == kept.keys()
    for file, text in made.items():
        assert text == kept[file], f"{file} is out of date: run docs/examples/make.sh"


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.*")), ids=lambda file: file.name)
def test_an_example_is_small_and_knows_nothing_of_the_machine_it_was_made_on(file: Path):
    assert file.stat().st_size < MOST_BYTES
    if file.suffix != ".png":
        text = file.read_text(encoding="utf-8")
        assert str(ROOT) not in text
        assert "/tmp/" not in text
