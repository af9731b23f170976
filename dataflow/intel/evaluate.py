"""Executes a TTGIR function on the CPU, to compare a kernel before and after a rewrite: the ops a matmul is made of.

Tensors are numpy arrays, layouts do not matter, shared memory is an array that views share. Global memory needs no
size: what a pointer's buffer holds at an element, before anything is stored there, is a pseudo-random number of
buffer and element. The result is all that was stored.

A dot adds its products in the order of K, one fused multiply-add at a time, in float32 (by way of float64, which
holds a product of two float32 exactly): what Triton's FMA lowering does for each element of the result. bfloat16
values are float32 rounded to 8 bits of fraction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ttgir.model import Block, Module, Operation, Value
from ..ttgir.types import Dense, MemDesc, Pointer, Scalar, Tensor, Type

Array = NDArray[Any]
_MOST_STEPS = 4096


class CannotEvaluate(Exception):
    """An op, type or value that is not known here. The exception's text is one clause."""


@dataclass(slots=True)
class _Pointers:
    """One pointer, or a tensor of pointers into one buffer. offsets: in elements."""

    buffer: int
    offsets: Array


@dataclass(slots=True)
class Memory:
    """Global memory. written: by buffer and element, what was stored last."""

    seed: int
    written: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])

    def load(self, buffer: int, offsets: Array, element: Type) -> Array:
        """What is there, as the element type holds it: numbers between -1 and 1, or small integers."""
        # Numbers from a mix of the bits of seed, buffer and element (the finalizer of splitmix64).
        with np.errstate(over="ignore"):
            bits = offsets.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            bits += np.uint64((self.seed * 0x9E37 + buffer + 1) * 0xD1342543DE82EF95 & 0xFFFFFFFFFFFFFFFF)
            for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
                bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
            bits ^= bits >> np.uint64(31)
        fractions = (bits >> np.uint64(40)).astype(np.float64) / 2**23 - 1.0
        values = _to(fractions if _is_float(element) else np.round(fractions * 8), element)
        if self.written:
            flat, places = values.reshape(-1), offsets.reshape(-1)
            for at, place in enumerate(places.tolist()):
                if (buffer, place) in self.written:
                    flat[at] = self.written[buffer, place]
        return values

    def store(self, buffer: int, offsets: Array, values: Array, mask: Array | None) -> None:
        """Elements in order, so that the last of several to one place stays."""
        kept = np.ones(offsets.shape, bool) if mask is None else mask
        places, numbers = offsets[kept].tolist(), np.broadcast_to(values, offsets.shape)[kept].tolist()
        self.written.update(((buffer, place), number) for place, number in zip(places, numbers, strict=True))


def evaluate(module: Module, function: Operation, seed: int, integers: int, program: int = 0) -> Memory:
    """Run a function. Pointer arguments are buffers 0, 1, …; integer arguments are all `integers`.

    program: the number of the block along each axis. Raises CannotEvaluate.
    """
    memory = Memory(seed)
    machine = _Machine(module, memory, program)
    block = function.regions[0].entry
    for number, argument in enumerate(block.arguments):
        machine.values[id(argument)] = _argument(argument, number, integers)
    machine.run(block)
    return memory


def _argument(argument: Value, number: int, integers: int) -> Any:
    if isinstance(argument.type, Pointer):
        return _Pointers(number, np.zeros((), np.int64))
    if isinstance(argument.type, Scalar):
        return _to(np.asarray(float(integers)), argument.type)
    raise CannotEvaluate(f"an argument of type {argument.type}")


def same(one: Memory, other: Memory) -> bool:
    """Whether the same was stored, to the last bit (-0.0 is not 0.0; any NaN is a NaN)."""
    if one.written.keys() != other.written.keys():
        return False
    first = np.array(list(one.written.values()), np.float64)
    second = np.array([other.written[key] for key in one.written], np.float64)
    equal = (first == second) & (np.signbit(first) == np.signbit(second))
    return bool(np.all(equal | (np.isnan(first) & np.isnan(second))))


# -- numbers ----------------------------------------------------------------------------------------------

_NUMPY = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "tf32": np.float32,
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
}  # fmt: skip


def _is_float(element: Type) -> bool:
    return isinstance(element, Scalar) and element.name in ("f64", "f32", "f16", "bf16", "tf32")


def _to(values: Array, element: Type) -> Array:
    """Numbers as a type holds them."""
    if not isinstance(element, Scalar) or element.name not in _NUMPY:
        raise CannotEvaluate(f"the type {getattr(element, 'name', element)}")
    converted = values.astype(_NUMPY[element.name])
    return _round_to_bf16(converted) if element.name == "bf16" else converted


def _round_to_bf16(values: Array) -> Array:
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    result = (rounded & np.uint32(0xFFFF0000)).view(np.float32).reshape(values.shape)
    return np.where(np.isnan(values), values, result)


def _element(of: Type) -> Type:
    return of.element if isinstance(of, Tensor | MemDesc) else of


# -- ops --------------------------------------------------------------------------------------------------


class _Machine:
    """Values of one execution, by the identity of what the text defines."""

    def __init__(self, module: Module, memory: Memory, program: int) -> None:
        self.module = module
        self.memory = memory
        self.program = program
        self.values: dict[int, Any] = {}

    def run(self, block: Block) -> list[Any]:
        """Returns what its last op hands on."""
        for op in block.operations:
            if op.name in ("tt.return", "scf.yield"):
                return [self._value(op, i) for i in range(len(op.operands))]
            if op.name == "scf.for":
                self._loop(op)
                continue
            handler = _OPS.get(op.name)
            if handler is None:
                raise CannotEvaluate(f"the op {op.name}")
            result = handler(self, op)
            if op.results:
                self.values[id(op.result)] = result
        return []

    def _value(self, op: Operation, index: int) -> Any:
        return self.values[id(op.operands[index].value)]

    def _loop(self, op: Operation) -> None:
        start, end, step = (int(self._value(op, i)) for i in range(3))
        block = op.regions[0].entry
        counter, *carried = block.arguments
        values = [self._value(op, i) for i in range(3, len(op.operands))]
        steps = range(start, end, step) if step > 0 else range(0)
        if len(steps) > _MOST_STEPS:
            raise CannotEvaluate(f"a loop of {len(steps)} steps")
        for at in steps:
            self.values[id(counter)] = _to(np.asarray(at), counter.type)
            for argument, value in zip(carried, values, strict=True):
                self.values[id(argument)] = value
            values = self.run(block)
        for result, value in zip(op.results, values, strict=True):
            self.values[id(result)] = value

    # Each of these is one op, or one family of ops.

    def constant(self, op: Operation) -> Any:
        value = op.attributes.get("value")
        of = op.result.type
        if isinstance(value, Dense):
            value = value.value
        if isinstance(value, bool | int | float):
            shape = of.shape if isinstance(of, Tensor) else ()
            return _to(np.full(shape, value), _element(of))
        raise CannotEvaluate("a constant that is no single number")

    def make_range(self, op: Operation) -> Any:
        start, end = op.attributes["start"], op.attributes["end"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        return np.arange(start, end, dtype=np.int32)

    def program_id(self, op: Operation) -> Any:
        return np.asarray(self.program, np.int32)

    def reshape(self, op: Operation) -> Any:
        """Any op that gives the same elements another shape: expand_dims, splat, broadcast."""
        value, of = self._value(op, 0), op.result.type
        assert isinstance(of, Tensor)
        axis = op.attributes.get("axis")

        def change(array: Array) -> Array:
            if op.name == "tt.expand_dims":
                assert isinstance(axis, int)
                return np.expand_dims(array, axis)
            return np.broadcast_to(array, of.shape)

        if isinstance(value, _Pointers):
            return _Pointers(value.buffer, change(value.offsets))
        return change(value)

    def move(self, op: Operation) -> Any:
        """The same values elsewhere."""
        return self._value(op, 0)

    def add_pointer(self, op: Operation) -> Any:
        pointers, offsets = self._value(op, 0), self._value(op, 1)
        return _Pointers(pointers.buffer, pointers.offsets + offsets.astype(np.int64))

    def load(self, op: Operation) -> Any:
        pointers = self._value(op, 0)
        element = _element(op.result.type)
        values = self.memory.load(pointers.buffer, pointers.offsets, element)
        if len(op.operands) > 1:
            mask = self._value(op, 1)
            other = self._value(op, 2) if len(op.operands) > 2 else np.zeros((), values.dtype)
            values = np.where(mask, values, other).astype(values.dtype)
        return values

    def store(self, op: Operation) -> Any:
        pointers, values = self._value(op, 0), self._value(op, 1)
        mask = self._value(op, 2) if len(op.operands) > 2 else None
        self.memory.store(pointers.buffer, pointers.offsets, values, mask)

    def cast(self, op: Operation) -> Any:
        return _to(self._value(op, 0), _element(op.result.type))

    def arithmetic(self, op: Operation) -> Any:
        with np.errstate(over="ignore"):
            result = _ARITHMETIC[op.name](self._value(op, 0), self._value(op, 1))
        return _to(result, _element(op.result.type))

    def compare(self, op: Operation) -> Any:
        for keyword in op.keywords:
            if keyword in _COMPARISONS:
                return _COMPARISONS[keyword](self._value(op, 0), self._value(op, 1))
        raise CannotEvaluate("a comparison " + " ".join(op.keywords))

    def local_alloc(self, op: Operation) -> Any:
        of = op.result.type
        assert isinstance(of, MemDesc)
        if op.operands:
            return np.array(self._value(op, 0))
        return _to(np.zeros(of.shape), of.element)

    def local_store(self, op: Operation) -> Any:
        self._value(op, 1)[...] = self._value(op, 0)

    def local_load(self, op: Operation) -> Any:
        return np.array(self._value(op, 0))

    def subview(self, op: Operation) -> Any:
        """Offsets are operands up to Triton 3.3, and part of the text after."""
        of = op.result.type
        assert isinstance(of, MemDesc)
        offsets = [int(self._value(op, i)) for i in range(1, len(op.operands))] or self._static_offsets(op)
        buffer = self._value(op, 0)
        if len(offsets) != buffer.ndim or buffer.ndim != len(of.shape):
            raise CannotEvaluate("a view of a buffer with other dimensions")
        return buffer[tuple(slice(at, at + size) for at, size in zip(offsets, of.shape, strict=True))]

    def _static_offsets(self, op: Operation) -> list[int]:
        end = op.signature.start if op.signature else op.span.end
        found = re.match(r"\s*\[([\d\s,]+)\]", self.module.source.text[op.operands[0].span.end : end])
        if found is None:
            raise CannotEvaluate("a view whose offsets are not understood")
        return [int(at) for at in found[1].split(",")]

    def dot(self, op: Operation) -> Any:
        a, b = (self._value(op, i).astype(np.float64) for i in range(2))
        total = self._value(op, 2)
        if total.dtype != np.float32 or a.ndim != 2:
            raise CannotEvaluate("a dot that is not two-dimensional or does not sum up in f32")
        for k in range(a.shape[1]):
            total = (a[:, k, None] * b[None, k, :] + total).astype(np.float32)
        return total


_ARITHMETIC: Mapping[str, Callable[[Array, Array], Array]] = {
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and, "arith.ori": np.bitwise_or, "arith.xori": np.bitwise_xor,
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply,
    "arith.minsi": np.minimum, "arith.maxsi": np.maximum,
    "arith.remsi": np.fmod, "arith.divsi": lambda a, b: np.trunc(a / b),
}  # fmt: skip
_COMPARISONS: Mapping[str, Callable[[Array, Array], Array]] = {
    "slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal,
    "eq": np.equal, "ne": np.not_equal, "ult": np.less, "ule": np.less_equal,
}  # fmt: skip


def _table() -> dict[str, Callable[[_Machine, Operation], Any]]:
    machine = _Machine
    table: dict[str, Callable[[_Machine, Operation], Any]] = {
        "arith.constant": machine.constant, "tt.make_range": machine.make_range,
        "tt.get_program_id": machine.program_id, "tt.addptr": machine.add_pointer,
        "tt.load": machine.load, "tt.store": machine.store, "arith.cmpi": machine.compare,
        "ttg.local_alloc": machine.local_alloc, "ttg.local_store": machine.local_store,
        "ttg.local_load": machine.local_load, "ttg.memdesc_subview": machine.subview,
        "ttg.memdesc_subslice": machine.subview, "tt.dot": machine.dot,
    }  # fmt: skip
    groups: Sequence[tuple[Callable[[_Machine, Operation], Any], Sequence[str]]] = (
        (machine.reshape, ("tt.expand_dims", "tt.splat", "tt.broadcast")),
        (machine.move, ("ttg.convert_layout",)),
        (machine.cast, ("tt.fp_to_fp", "arith.extf", "arith.truncf", "arith.extsi", "arith.trunci", "arith.sitofp")),
        (machine.arithmetic, tuple(_ARITHMETIC)),
    )
    for handler, names in groups:
        table.update(dict.fromkeys(names, handler))
    return table


_OPS = _table()
