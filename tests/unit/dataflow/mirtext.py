"""Short ways to write MIR in tests."""

from __future__ import annotations

from regtriage.dataflow.check import CheckResult, check
from regtriage.dataflow.mir.model import MachineFunction, MirFile
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.targets import AMDGPU


def read(body: str, name: str = "f", reader: Reader | None = None) -> MirFile:
    """A file with one function of that body (blocks and instructions, any indentation)."""
    text = f"---\nname: {name}\nbody: |\n{body}\n...\n"
    return (reader or Reader(AMDGPU)).read(text, f"{name}.mir")


def function(body: str, name: str = "f", reader: Reader | None = None) -> MachineFunction:
    return read(body, name, reader).functions[0]


def compare(before: str, after: str) -> CheckResult:
    reader = Reader(AMDGPU)
    return check(function(before, reader=reader), function(after, reader=reader), AMDGPU)


def wrong(result: CheckResult) -> list[tuple[str, str]]:
    """(source lane, location) of each violation."""
    spell = result.program.locations.spell
    return [(spell(v.lane), spell(v.place)) for v in result.violations]
