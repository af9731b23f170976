"""Sets attributes of the functions that a kernel's text defines. Nothing else of the text is touched.

LLVM has flags for few of them, so a sweep over the others needs other text. Textual LLVM IR is read, also inside
MIR: function attributes are strings `"name"="value"` on the line of a `define` or in the groups `#N` named there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_DEFINE = re.compile(r"^[ \t]*define\b[^\n]*$", re.M)
_GROUP = re.compile(r"(?<!\S)#(\d+)\b")
_AFTER_PARAMETERS = re.compile(r"\s*(?:(?:local_)?unnamed_addr)?\s*(?:addrspace\(\d+\))?")


class NotTextError(ValueError):
    """There is no definition of a function in what should be the text of a kernel."""


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """The text with these attributes on every function that it defines; those of the same name are replaced.

    Raises NotTextError.
    """
    for name, value in attributes.items():
        text = _with_attribute(text, name, value)
    return text


def _with_attribute(text: str, name: str, value: str) -> str:
    spelled = f'"{name}"="{value}"'
    present = re.compile(rf'"{re.escape(name)}"="[^"]*"')
    groups: set[str] = set()
    defined = False

    def define(found: re.Match[str]) -> str:
        nonlocal defined
        defined = True
        line = found.group()
        at = _end_of_parameters(line)
        head, tail = line[:at], present.sub("", line[at:])
        groups.update(_GROUP.findall(tail))
        if _GROUP.search(tail):
            return head + tail
        return f"{head.rstrip()} {spelled} {tail.lstrip()}"

    def group(found: re.Match[str]) -> str:
        if found["number"] not in groups:
            return found.group()
        body = present.sub("", found["body"]).strip()
        return f"{found['head']}{{ {body + ' ' if body else ''}{spelled} }}"

    text = _DEFINE.sub(define, text)
    if not defined:
        raise NotTextError("defines no function")
    return re.sub(r"^(?P<head>[ \t]*attributes #(?P<number>\d+) = )\{(?P<body>.*)\}", group, text, flags=re.M)


def _end_of_parameters(line: str) -> int:
    """Where a function's attributes may begin: after its parameters and what must stand before attributes."""
    at = line.find("(", max(line.find("@"), 0))
    if line[line.find("@") + 1 : line.find("@") + 2] == '"':
        at = line.find("(", line.find('"', line.find("@") + 2))
    depth, quoted = 0, False
    while at < len(line):
        character = line[at]
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0:
                break
        at += 1
    found = _AFTER_PARAMETERS.match(line, at + 1)
    return found.end() if found else len(line)
