"""Writes the text of one LLVM IR function, block by block, in SSA form."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Bank(enum.StrEnum):
    """Where a value lives, as inline assembly spells it."""

    SCALAR = "s"
    VECTOR = "v"


@dataclass(frozen=True, slots=True)
class Value:
    """An SSA value or a constant. type is LLVM's spelling."""

    bank: Bank
    type: str
    name: str

    @property
    def words(self) -> int:
        """32-bit words of it."""
        return words_of(self.type)

    @property
    def is_tuple(self) -> bool:
        """It has words that can be taken out and put in."""
        return self.type.startswith("<")

    def __str__(self) -> str:
        """As an operand with its type."""
        return f"{self.type} {self.name}"


def words_of(kind: str) -> int:
    """32-bit words of a type."""
    if kind.startswith("<"):
        return int(kind[1:].split(" ", 1)[0])
    return 2 if kind == "i64" else 1


def tuple_type(words: int) -> str:
    """The type of a tuple of that many words."""
    return f"<{words} x i32>"


class Writer:
    """The function so far."""

    def __init__(self) -> None:
        self.block = "entry"
        self._lines: list[str] = []
        self._names = 0
        self._blocks = 0
        self._declared: dict[str, str] = {}

    def name(self) -> str:
        """A name for a value, not used before."""
        self._names += 1
        return f"%t{self._names}"

    def label(self) -> str:
        """A name for a block, not used before."""
        self._blocks += 1
        return f"b{self._blocks}"

    def begin(self, label: str) -> None:
        """What follows is in that block."""
        self._lines.append(f"{label}:")
        self.block = label

    def do(self, text: str) -> None:
        """An instruction without a result."""
        self._lines.append(f"  {text}")

    def make(self, bank: Bank, kind: str, text: str) -> Value:
        """An instruction with a result of that type."""
        value = Value(bank, kind, self.name())
        self.do(f"{value.name} = {text}")
        return value

    def call(self, bank: Bank, kind: str, function: str, arguments: Sequence[str]) -> Value:
        """A call of a function that is declared by the types of its arguments."""
        self.declare(kind, function, arguments)
        return self.make(bank, kind, f"call {kind} @{function}({', '.join(arguments)})")

    def declare(self, kind: str, function: str, arguments: Sequence[str]) -> None:
        """Declare a function by its result and the types of such arguments."""
        types = ", ".join(a.rpartition(" ")[0] for a in arguments)
        self._declared[function] = f"declare {kind} @{function}({types})"

    def reserve(self) -> int:
        """A place for lines that are known later only, such as the phis of a loop."""
        self._lines.append("")
        return len(self._lines) - 1

    def fill(self, place: int, lines: Sequence[str]) -> None:
        """Put lines where a place was reserved."""
        self._lines[place] = "\n".join(f"  {line}" for line in lines)

    def text(self, signature: str, attributes: str) -> str:
        """The whole module."""
        body = "\n".join(line for line in self._lines if line)
        declared = "".join(f"{d}\n" for d in sorted(self._declared.values()))
        return (
            'target triple = "amdgcn-amd-amdhsa"\n\n'
            f"define amdgpu_kernel void @k({signature}) #0 {{\nentry:\n{body}\n}}\n\n"
            f"{declared}\nattributes #0 = {{ {attributes} }}\n"
        )
