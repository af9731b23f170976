"""The layouts of a kernel's accesses to memory: those it has, those the coalescing rule gives, and why they differ."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from ..ttgir.model import Module, Operation, Value
from ..ttgir.types import Pointer, Scalar, Tensor, element_bits
from .axes import AxisAnalysis
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


def pointer_of(op: Operation) -> Value | None:
    """The tensor of pointers that an op accesses memory through."""
    if op.name not in _KINDS or not op.operands:
        return None
    value = op.operands[0].value
    is_pointers = isinstance(value.type, Tensor) and isinstance(value.type.element, Pointer) and value.type.shape
    return value if is_pointers else None


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
        accesses = [op for op in function.walk() if pointer_of(op) is not None]
        for op in accesses:
            found.append(_choose(op, analysis, setting))
    return found


def pointer_facts(value: Value, analysis: AxisAnalysis) -> PointerFacts:
    """What the rule needs to know of a tensor of pointers."""
    assert isinstance(value.type, Tensor)
    assert isinstance(value.type.element, Pointer)
    axes = analysis.of(value)
    bits = max(8, element_bits(value.type.element.pointee))
    return PointerFacts(value.type.shape, bits, axes.contiguity, axes.divisibility)


def _choose(op: Operation, analysis: AxisAnalysis, setting: Setting) -> Choice:
    pointer = pointer_of(op)
    assert pointer is not None
    assert isinstance(pointer.type, Tensor)
    kind = _KINDS[op.name]
    facts = pointer_facts(pointer, analysis)
    order = facts.order
    chosen = pointer.type.encoding
    cga: Bases = chosen.cga if isinstance(chosen, Blocked) else ()
    share = share_of(facts.shape, cga)
    own = access_width(facts, order, share, _cap(op, setting))
    widest, width = op, own.elements
    # Triton looks for connected accesses only where the pointers are computed, not where a loop hands them over.
    for other in _connected(op) if pointer.definition is not None else ():
        value = pointer_of(other)
        if value is None or other is op or not isinstance(value.type, Tensor) or value.type.shape != facts.shape:
            continue
        theirs = pointer_facts(value, analysis)
        if theirs.order == order and (w := access_width(theirs, order, share, _cap(other, setting)).elements) > width:
            widest, width = other, w
    limit = None if kind is Kind.LOAD else own.elements
    elements = elements_per_thread(width, share, setting.warps, setting.threads_per_warp, limit)
    size = [1] * len(share)
    size[order[0]] = elements
    rule = blocked_layout(share, size, order, setting.warps, setting.threads_per_warp, cga)
    reasons = _reasons(kind, facts, own, elements, width, rule, chosen, op is widest)
    return Choice(op, kind, facts, own, widest, elements, rule, chosen, reasons)


def _cap(op: Operation, setting: Setting) -> int | None:
    """The elements that an atomic takes of a lane; None if it is none."""
    if _KINDS[op.name] is not Kind.ATOMIC:
        return None
    pointer = pointer_of(op)
    assert pointer is not None
    assert isinstance(pointer.type, Tensor)
    assert isinstance(pointer.type.element, Pointer)
    pointee = pointer.type.element.pointee
    kind = "cas" if op.name == "tt.atomic_cas" else op.keywords[0] if op.keywords else ""
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
    elif kind is Kind.LOAD and not alone:
        reasons.append(f"a connected access takes {width} elements, its own pointers allow {own.elements}")
    elif kind is not Kind.LOAD and width > own.elements:
        reasons.append(
            f"{_ARTICLES[kind]} takes no more than its own {own.elements}, though a connected access takes {width}"
        )
    elif own.elements < own.by_vector:
        dim = rule.order[0]
        known = {
            "divisibility": f"divisibility {facts.divisibility[dim]} along dimension {dim}",
            "contiguity": f"contiguity {facts.contiguity[dim]} along dimension {dim}",
            "atomics": f"an atomic of this target takes {own.elements} of a lane",
        }  # fmt: skip
        reasons.append(known[own.limit])
    if chosen is None or chosen == rule:
        return tuple(reasons)
    reasons.append(_difference(rule, chosen))
    return tuple(reasons)


def _difference(rule: Blocked, chosen: Encoding) -> str:
    if not isinstance(chosen, Blocked):
        return "a later pass gave it the layout of the values it is used with"
    if chosen.order != rule.order:
        return f"it is fed along dimension {chosen.order[0]} first, the rule along {rule.order[0]}"
    if chosen.size_per_thread != rule.size_per_thread:
        has, would = chosen.size_per_thread[rule.order[0]], rule.size_per_thread[rule.order[0]]
        return f"it takes {has} elements a thread, the rule {would}"
    return "lanes and warps are spent otherwise"
