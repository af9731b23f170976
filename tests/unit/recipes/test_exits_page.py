"""Runs every command of docs/exits.md and compares what it prints with what the page shows.

A block begins with ```console, or ```console slow. Its first line is the command, after `$ `. In the lines after it `...` stands
for anything: alone on a line for any lines, else for anything within one. Lines that are shown must come in that order.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
PAGE = REPOSITORY / "docs" / "exits.md"
_BLOCK = re.compile(r"^```console(?P<slow> slow)?\n\$ (?P<command>.*)\n(?P<shown>(?:.*\n)*?)```$", re.M)


@dataclass(frozen=True)
class Block:
    line: int
    command: str
    shown: tuple[str, ...]
    slow: bool


def blocks() -> list[Block]:
    text = PAGE.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, m.start()) + 1, m["command"], tuple(m["shown"].splitlines()), m["slow"] is not None)
        for m in _BLOCK.finditer(text)
    ]


def first_missing(shown: tuple[str, ...], printed: list[str]) -> str | None:
    """The first line of the page that is not printed where it should be."""
    at = 0
    for line in shown:
        if line == "...":
            continue
        pattern = re.compile(".*".join(map(re.escape, line.split("..."))))
        at = next((n + 1 for n in range(at, len(printed)) if pattern.fullmatch(printed[n])), -1)
        if at < 0:
            return line
    return None


@pytest.mark.parametrize(
    "block",
    [pytest.param(b, id=f"line-{b.line}", marks=[pytest.mark.slow] if b.slow else []) for b in blocks()],
)
def test_the_page_says_what_is_printed(block: Block):
    path = os.pathsep.join([sysconfig.get_path("scripts"), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", block.command],
        cwd=REPOSITORY,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    missing = first_missing(block.shown, done.stdout.splitlines())
    assert missing is None, f"docs/exits.md:{block.line}: not printed: {missing}\n{done.stdout}"


def test_every_block_is_found():
    assert len(blocks()) == PAGE.read_text(encoding="utf-8").count("```console") > 5


def test_a_line_that_is_not_printed_is_missed():
    assert first_missing(("a", "...", "b...d"), ["a", "x", "bcd"]) is None
    assert first_missing(("b", "a"), ["a", "b"]) == "a"
    assert first_missing(("a...c",), ["abd"]) == "a...c"
