"""The layouts of a kernel's accesses to memory: those it has, those the coalescing rule gives, and why they differ."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ..ttgir.model import Module, Operation, Value
from ..ttgir.types import Pointer, Scalar, Tensor, Type, element_bits
from .axes import HUGE, AxisAnalysis
from .coalescing import (
    PointerFacts,
    Width,
    access_width,
    atomic_elements,
    blocked_layout,
    elements_per_thread,
    share_of,
)
from .encodings import Bases, Blocked, Encoding


class Kind(enum.Enum):
    """What an access does. COPY: from global to shared memory."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    COPY = "copy"


_KINDS = {
    "tt.load": Kind.LOAD,
    "tt.store": Kind.STORE,
    "tt.atomic_rmw": Kind.ATOMIC,
    "tt.atomic_cas": Kind.ATOMIC,
    "ttg.async_copy_global_to_local": Kind.COPY,
}

_BUFFER_KINDS = {
    "buffer_load": Kind.LOAD,
    "buffer_store": Kind.STORE,
    "buffer_atomic_rmw": Kind.ATOMIC,
    "buffer_atomic_cas": Kind.ATOMIC,
    "buffer_load_to_local": Kind.COPY,
}
"""AMD's accesses through a scalar base and a tensor of offsets, which its backend makes of those above."""


@dataclass(frozen=True, slots=True)
class Access:
    """An op that goes through a tensor of pointers, or through a base and a tensor of offsets.

    places: the pointers or the offsets; base: None for pointers.
    """

    op: Operation
    kind: Kind
    places: Value
    base: Value | None = None

    @property
    def type(self) -> Tensor:
        """Of the pointers or the offsets: it has the access's shape and layout."""
        assert isinstance(self.places.type, Tensor)
        return self.places.type

    @property
    def pointee(self) -> Type:
        """What is loaded or stored."""
        pointer = self.type.element if self.base is None else self.base.type
        assert isinstance(pointer, Pointer)
        return pointer.pointee

    def facts(self, analysis: AxisAnalysis) -> PointerFacts:
        """What the rule needs to know of its pointers."""
        axes = analysis.of(self.places)
        bits = max(8, element_bits(self.pointee))
        divisibility = axes.divisibility
        if self.base is not None:
            base = analysis.of(self.base).divisibility[0]
            divisibility = tuple(math.gcd(base, min(d * (bits // 8), HUGE)) for d in divisibility)
        return PointerFacts(self.type.shape, bits, axes.contiguity, divisibility)


def access_of(op: Operation) -> Access | None:
    """The access that an op is; None if it is none through tensors."""
    values = [operand.value for operand in op.operands]
    if op.name in _KINDS and values:
        type_ = values[0].type
        is_tensor = isinstance(type_, Tensor) and isinstance(type_.element, Pointer) and type_.shape
        return Access(op, _KINDS[op.name], values[0]) if is_tensor else None
    dialect, _, name = op.name.partition(".")
    if dialect in ("amdg", "amdgpu") and name in _BUFFER_KINDS:
        for base, offsets in pairwise(values):
            if isinstance(base.type, Pointer) and isinstance(offsets.type, Tensor):
                return Access(op, _BUFFER_KINDS[name], offsets, base)
    return None


@dataclass(frozen=True, slots=True)
class Choice:
    """One access through a tensor of pointers.

    width: what its own pointers allow; widest: the connected access (perhaps itself) that a load takes its width
    from. rule: the layout by the rule; chosen: the layout it has, None in TTIR. reasons: why the two differ, or
    why the width is not the greatest.
    """

    op: Operation
    kind: Kind
    facts: PointerFacts
    width: Width
    widest: Operation
    elements: int
    rule: Blocked
    chosen: Encoding | None
    reasons: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the layout it has is the rule's, or there is none to compare."""
        return self.chosen is None or self.chosen == self.rule


_ARTICLES = {Kind.STORE: "a store", Kind.ATOMIC: "an atomic", Kind.COPY: "a copy", Kind.LOAD: "a load"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What the rule depends on besides the pointers: the module's attributes, where it has them.

    target: `cuda:90`, `hip:gfx950`, `xpu`.
    """

    warps: int
    threads_per_warp: int
    target: str

    @staticmethod
    def of(module: Module) -> Setting:
        """As the module says."""
        return Setting(module.num_warps, module.threads_per_warp, module.target)


def choices(module: Module, setting: Setting | None = None) -> list[Choice]:
    """All accesses of a module through tensors of pointers, in the order of the text.

    setting: instead of the module's own, for TTIR, which says nothing.
    """
    analysis = AxisAnalysis.run(module)
    setting = setting or Setting.of(module)
    found: list[Choice] = []
    for function in module.functions:
        for op in function.walk():
            if (access := access_of(op)) is not None:
                found.append(_choose(access, analysis, setting))
    return found


def _choose(access: Access, analysis: AxisAnalysis, setting: Setting) -> Choice:
    kind = access.kind
    facts = access.facts(analysis)
    order = facts.order
    chosen = access.type.encoding
    cga: Bases = chosen.cga if isinstance(chosen, Blocked) else ()
    share = share_of(facts.shape, cga)
    own = access_width(facts, order, share, _cap(access, setting))
    widest, width = access.op, own.elements
    # Triton looks for connected accesses only where the pointers are computed, not where a loop hands them over.
    for op in _connected(access.op) if access.places.definition is not None else ():
        other = access_of(op)
        if other is None or op is access.op or other.type.shape != facts.shape:
            continue
        theirs = other.facts(analysis)
        if theirs.order == order and (w := access_width(theirs, order, share, _cap(other, setting)).elements) > width:
            widest, width = op, w
    limit = None if kind is Kind.LOAD else own.elements
    elements = elements_per_thread(width, share, setting.warps, setting.threads_per_warp, limit)
    size = [1] * len(share)
    size[order[0]] = elements
    rule = blocked_layout(share, size, order, setting.warps, setting.threads_per_warp, cga)
    reasons = _reasons(kind, facts, own, elements, width, rule, chosen, access.op is widest)
    return Choice(access.op, kind, facts, own, widest, elements, rule, chosen, reasons)


def _cap(access: Access, setting: Setting) -> int | None:
    """The elements that an atomic takes of a lane; None if it is none."""
    if access.kind is not Kind.ATOMIC:
        return None
    pointee = access.pointee
    kind = "cas" if access.op.name.endswith("cas") else access.op.keywords[0] if access.op.keywords else ""
    return atomic_elements(kind, pointee.name if isinstance(pointee, Scalar) else "", setting.target)


def _connected(op: Operation) -> set[Operation]:
    """The ops that use what it defines or define what it uses, and so on, both ways."""
    seen = {op}
    todo = [op]
    while todo:
        at = todo.pop()
        for near in _neighbours(at):
            if near not in seen:
                seen.add(near)
                todo.append(near)
    return seen


def _neighbours(op: Operation) -> Iterable[Operation]:
    for operand in op.operands:
        if operand.value.definition is not None:
            yield operand.value.definition
    for result in op.results:
        for use in result.uses:
            yield use.user


def _reasons(
    kind: Kind,
    facts: PointerFacts,
    own: Width,
    elements: int,
    width: int,
    rule: Blocked,
    chosen: Encoding | None,
    alone: bool,  # noqa: FBT001
) -> tuple[str, ...]:
    reasons: list[str] = []
    if elements < min(width, own.elements if kind is not Kind.LOAD else width):
        reasons.append("there are not more elements for each thread")
    elif own.limit == "atomics":
        reasons.append(f"one atomic instruction of this target takes {own.elements} of a lane")
    elif kind is Kind.LOAD and not alone:
        reasons.append(f"a connected access takes {width} elements, its own pointers allow {own.elements}")
    elif kind is not Kind.LOAD and width > own.elements:
        reasons.append(
            f"{_ARTICLES[kind]} takes no more than its own {own.elements}, though a connected access takes {width}"
        )
    elif own.elements < own.by_vector:
        dim = rule.order[0]
        known = facts.divisibility if own.limit == "divisibility" else facts.contiguity
        reasons.append(f"{own.limit} {known[dim]} along dimension {dim}")
    if chosen is None or chosen == rule:
        return tuple(reasons)
    reasons.append(_difference(kind, rule, chosen))
    return tuple(reasons)


def _difference(kind: Kind, rule: Blocked, chosen: Encoding) -> str:
    if kind is Kind.COPY:
        return "a later pass fitted it to the shared memory that it fills"
    if not isinstance(chosen, Blocked):
        return "a later pass gave it the layout of the values it is used with"
    if chosen.order != rule.order:
        return f"it is fed along dimension {chosen.order[0]} first, the rule along {rule.order[0]}"
    if chosen.size_per_thread != rule.size_per_thread:
        has, would = chosen.size_per_thread[rule.order[0]], rule.size_per_thread[rule.order[0]]
        return f"it takes {has} elements a thread, the rule {would}"
    return "lanes and warps are spent otherwise"
