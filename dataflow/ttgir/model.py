"""A TTGIR module as objects that know where in the text they stand.

The objects describe the text, they do not replace it: a rewriter takes the spans of what it changes, and leaves
every other character as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .source import Source, Span, TtgirError
from .types import UNKNOWN, Attribute, Symbol, Type

if TYPE_CHECKING:
    from .locations import Location, Locations


@dataclass(eq=False, slots=True, repr=False)
class Value:
    """A result of an op, or an argument of a block.

    name: as at its definition, `%x`, shared by all results of an op; index: which of `count` results, or which
    argument. attributes: of a function's argument.
    """

    name: str
    index: int
    type: Type
    owner: Operation | Block
    span: Span
    count: int = 1
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    uses: list[Operand] = field(default_factory=list["Operand"])

    def __repr__(self) -> str:
        return f"Value({self.spelling})"

    @property
    def spelling(self) -> str:
        """How a use of it is written: `%x`, or `%x#1`."""
        return f"{self.name}#{self.index}" if self.count > 1 and isinstance(self.owner, Operation) else self.name

    @property
    def definition(self) -> Operation | None:
        """The op that it is a result of."""
        return self.owner if isinstance(self.owner, Operation) else None


@dataclass(eq=False, slots=True, repr=False)
class Operand:
    """A use of a value. index: its place among the operands of its user; span: of the text `%x#1`."""

    value: Value
    user: Operation
    index: int
    span: Span

    def __repr__(self) -> str:
        return f"Operand({self.value.spelling} of {self.user.name})"


@dataclass(eq=False, slots=True, repr=False)
class Block:
    """label: `^bb1`, empty if it has none. span: from its label or first op to the end of its last op."""

    label: str
    arguments: list[Value]
    operations: list[Operation]
    region: Region
    span: Span

    def __repr__(self) -> str:
        return f"Block({self.label or 'entry'} of {self.region.parent.name})"


@dataclass(eq=False, slots=True, repr=False)
class Region:
    """What stands between braces; the span includes them. keyword: what names it, `else` or `partition0`."""

    parent: Operation
    blocks: list[Block]
    span: Span
    keyword: str = ""

    def __repr__(self) -> str:
        return f"Region({self.keyword} of {self.parent.name})"

    @property
    def entry(self) -> Block:
        """Its first block."""
        return self.blocks[0]


@dataclass(eq=False, slots=True, repr=False)
class Operation:
    """An op. name: `tt.load`, unquoted; span: all of it, its regions and its location too.

    attributes: of all its dictionaries, and of `name = keyword` in its custom form. keywords: other bare words of
    the custom form, `slt` or `x`. dictionaries: the spans of `{…}`. signature: the span of what follows the
    colon, `tensor<…> -> tensor<…>`. location_span: of `loc(…)`. successors: labels of blocks. symbol: what
    a function is called, or a call calls.
    """

    name: str
    span: Span
    name_span: Span
    parent: Block | None
    results: list[Value] = field(default_factory=list[Value])
    operands: list[Operand] = field(default_factory=list[Operand])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    keywords: list[str] = field(default_factory=list[str])
    dictionaries: list[Span] = field(default_factory=list[Span])
    regions: list[Region] = field(default_factory=list[Region])
    signature: Span | None = None
    location_span: Span | None = None
    successors: list[str] = field(default_factory=list[str])
    symbol: str = ""

    def __repr__(self) -> str:
        return f"Operation({self.name} at {self.span.start})"

    @property
    def result(self) -> Value:
        """Its only result."""
        (value,) = self.results
        return value

    @property
    def dialect(self) -> str:
        """`tt` of `tt.load`."""
        return self.name.partition(".")[0]

    @property
    def parent_op(self) -> Operation | None:
        """The op whose region it is in."""
        return self.parent.region.parent if self.parent else None

    def ancestors(self) -> Iterator[Operation]:
        """The ops around it, innermost first."""
        at = self.parent_op
        while at is not None:
            yield at
            at = at.parent_op

    def walk(self) -> Iterator[Operation]:
        """The op itself and all ops inside, in the order of the text."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.operations:
                    yield from op.walk()

    @property
    def loops(self) -> list[Operation]:
        """The loops around it, innermost first."""
        return [op for op in self.ancestors() if op.name in LOOPS]


LOOPS = frozenset({"scf.for", "scf.while", "affine.for", "scf.parallel", "scf.forall"})


@dataclass(eq=False, repr=False)
class Module:
    """One file. operations: what stands at its top level, usually one `builtin.module`, here `module`."""

    source: Source
    operations: list[Operation]
    locations: Locations

    @cached_property
    def attributes(self) -> dict[str, Attribute]:
        """Of the module op; empty if there is none."""
        found = [op.attributes for op in self.operations if op.name == "module"]
        return found[0] if found else {}

    @cached_property
    def functions(self) -> list[Operation]:
        """The functions with a body."""
        return [op for op in self.walk() if op.name in ("tt.func", "func.func") and op.regions]

    def walk(self) -> Iterator[Operation]:
        """All ops in the order of the text."""
        for op in self.operations:
            yield from op.walk()

    def _integer(self, name: str, default: int) -> int:
        for dialect in ("ttg", "triton_gpu"):
            value = self.attributes.get(f"{dialect}.{name}")
            if isinstance(value, int):
                return value
        return default

    @property
    def num_warps(self) -> int:
        """Warps of a block (CTA); 4, as Triton assumes, if the module does not say."""
        return self._integer("num-warps", 4)

    @property
    def num_ctas(self) -> int:
        """Blocks of a cluster."""
        return self._integer("num-ctas", 1)

    @property
    def threads_per_warp(self) -> int:
        """Lanes of a warp; 32 if the module does not say."""
        return self._integer("threads-per-warp", 32)

    @property
    def target(self) -> str:
        """`cuda:90`, `hip:gfx950`, `xpu`; empty if the module does not say."""
        for dialect in ("ttg", "triton_gpu"):
            value = self.attributes.get(f"{dialect}.target")
            if isinstance(value, str):
                return value
        return ""

    def text_of(self, what: Operation | Region | Operand | Span) -> str:
        """Its text, as written."""
        return self.source.slice(what if isinstance(what, Span) else what.span)

    def location(self, op: Operation) -> Location | None:
        """Where in the user's program the op comes from; None if the text does not say."""
        return self.locations.of(op.location_span) if op.location_span else None

    def error(self, op: Operation, message: str) -> TtgirError:
        """The error that names this op; the caller raises it."""
        return self.source.error(op.name_span.start, message)


def symbol_name(value: Attribute | None) -> str:
    """The name in a symbol attribute; empty for anything else."""
    return value.name if isinstance(value, Symbol) else ""


def unknown_results(op: Operation) -> bool:
    """Whether the text of the op did not tell the type of one of its results."""
    return any(value.type is UNKNOWN for value in op.results)
