"""The kernel descriptions at the end of an assembly file (`.amdgpu_metadata`): where each argument lies."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SECTION = re.compile(r"^\s*\.amdgpu_metadata\s*$(.*?)^\s*\.end_amdgpu_metadata", re.M | re.S)
_KERNEL = re.compile(r"^  - ", re.M)
_ARGUMENT = re.compile(r"^      - ", re.M)
_NAME = re.compile(r"^    \.name:\s+(\S+)", re.M)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a kernel. number from 0; offset and size in bytes; kind: such as `global_buffer`, `by_value`."""

    number: int
    offset: int
    size: int
    kind: str
    name: str


def kernel_arguments(text: str) -> dict[str, tuple[Argument, ...]]:
    """The arguments of each kernel, those that the compiler adds included."""
    section = _SECTION.search(text)
    if section is None:
        return {}
    found: dict[str, tuple[Argument, ...]] = {}
    for kernel in _KERNEL.split(section[1])[1:]:
        name = _NAME.search(kernel)
        if name is None:
            continue
        arguments: list[Argument] = []
        for number, entry in enumerate(_ARGUMENT.split(kernel.partition("    .group_segment")[0])[1:]):
            fields = dict(re.findall(r"\.(\w+):\s+(\S+)", entry))
            if fields.get("offset", "").isdigit() and fields.get("size", "").isdigit():
                arguments.append(
                    Argument(
                        number, int(fields["offset"]), int(fields["size"]), fields.get("value_kind", ""),
                        fields.get("name", ""),
                    )
                )  # fmt: skip
        found[name[1].strip("'\"")] = tuple(arguments)
    return found
