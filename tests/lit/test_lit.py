"""Runs the lit tests of this folder; one that fails shows its own output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = sorted(str(path.relative_to(HERE)) for path in HERE.rglob("*.test"))


@pytest.mark.parametrize("test", TESTS)
def test_lit(test: str, tmp_path: Path):
    command = [sys.executable, "-c", "from lit.main import main; main()", "-va", "--no-progress-bar"]
    done = subprocess.run(
        [*command, "--param", f"exec_root={tmp_path}", str(HERE / test)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_there_are_lit_tests():
    assert TESTS
