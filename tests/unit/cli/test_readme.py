"""What README.md says is what happens."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from regtriage.tools.cli.commands import COMMANDS
from regtriage.tools.cli.exits import ExitCode

from .program import PROGRAM

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(mark: str) -> str:
    """The code block that follows a comment."""
    found = re.search(rf"^<!-- {mark} -->\n```\w*\n(.*?)^```$", README, re.M | re.S)
    assert found is not None, f"README.md has no block marked '{mark}'"
    return found[1]


@pytest.mark.parametrize("mark", ["ci: demo", "ci: tests"])
def test_ci_runs_the_commands_of_the_readme(mark: str):
    assert block(mark).count("\n") == 1, "one command"
    assert f"readme_command {mark.removeprefix('ci: ')}" in (ROOT / ".ci" / "run").read_text()


def test_the_demo_prints_what_the_readme_shows():
    command = block("ci: demo").strip().split(" && ")[-1].split()
    assert command[0].endswith("/regtriage")
    done = subprocess.run([*PROGRAM, *command[1:]], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == ExitCode.BUG
    shown, _, _ = done.stdout.partition("\nnext:")
    assert shown == block("output: demo")


def test_commands_that_are_named_exist():
    named = set[str](re.findall(r"`regtriage (\w+) ", README)) - {"COMMAND"}
    assert named <= {entry.name for entry in COMMANDS}


def test_files_that_are_named_exist():
    for name in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / name).exists(), name
