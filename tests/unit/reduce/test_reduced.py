"""The tests in `reproducers/reduced`: each fails with the compiler as it is, by its own RUN line, and passes with a cure."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from regtriage.tools.llc.builtin import find_builtin

REDUCED = sorted((Path(__file__).parents[3] / "reproducers" / "reduced").glob("*.*"))


def passes(test: Path, *flags: str) -> bool:
    run = re.search(r"RUN: llc (.*) \| FileCheck %s", test.read_text())
    assert run is not None
    words = [str(test) if word == "%s" else word for word in shlex.split(run[1])]
    compiled = subprocess.run([str(find_builtin()), *flags, *words], capture_output=True, text=True, check=True)
    filecheck = [sys.executable, "-c", "import sys; from filecheck.main import main; sys.exit(main())", str(test)]
    return subprocess.run(filecheck, input=compiled.stdout, capture_output=True, text=True, check=False).returncode == 0


@pytest.mark.parametrize("test", REDUCED, ids=lambda path: path.name)
def test_it_fails_until_it_is_cured(test: Path):
    assert not passes(test)
    assert passes(test, "-private-slot=on")
