"""Random kernels in TTIR, for asking Triton and this project the same question about their accesses."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

BITS = {"i8": 8, "f16": 16, "bf16": 16, "f32": 32, "i32": 32, "f64": 64, "i64": 64}


@dataclass
class Writer:
    """Writes one function; `new` names values."""

    choose: random.Random
    lines: list[str] = field(default_factory=list[str])
    arguments: list[str] = field(default_factory=list[str])
    count: int = 0
    indent: str = "    "

    def new(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"{self.indent}%v{self.count} = {text}")
        return f"%v{self.count}"

    def argument(self, type_: str) -> str:
        name = f"%a{len(self.arguments)}"
        divisor = self.choose.choice((None, 2, 4, 8, 16, 16, 32))
        hint = f" {{tt.divisibility = {divisor} : i32}}" if divisor else ""
        self.arguments.append(f"{name}: {type_}{hint}")
        return name


def kernel(seed: int) -> str:
    """A module of one kernel: loads, stores and atomics of one shape, some of them connected."""
    choose = random.Random(seed)
    writer = Writer(choose)
    rank = choose.choice((1, 2, 2, 2, 3))
    shape = [1 << choose.randrange(0, 8 if rank < 3 else 5) for _ in range(rank)]
    element = choose.choice(tuple(BITS))
    loop = choose.random() < 0.3
    accesses = [_pointers(writer, shape, element) for _ in range(choose.randrange(1, 4))]
    if loop:
        accesses = _begin_loop(writer, shape, element, accesses)
    loaded: list[str] = []
    for pointer in accesses:
        if not loaded or choose.random() < 0.5:
            loaded.append(writer.new(f"tt.load {pointer} : {_tensor(shape, f'!tt.ptr<{element}>')}"))
        else:
            _write(writer, shape, element, pointer, choose.choice(loaded))
    if loop:
        _end_loop(writer, shape, element, accesses)
    body = "\n".join(writer.lines)
    return f"module {{\n  tt.func public @k({', '.join(writer.arguments)}) {{\n{body}\n    tt.return\n  }}\n}}\n"


def _tensor(shape: list[int], element: str) -> str:
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def _pointers(writer: Writer, shape: list[int], element: str) -> str:
    base = writer.argument(f"!tt.ptr<{element}>")
    total = ""
    for dim in range(len(shape)):
        offset = _along(writer, shape, dim)
        full = _tensor(shape, "i32")
        total = writer.new(f"arith.addi {total}, {offset} : {full}") if total else offset
    pointers = _tensor(shape, f"!tt.ptr<{element}>")
    splat = writer.new(f"tt.splat {base} : !tt.ptr<{element}> -> {pointers}")
    return writer.new(f"tt.addptr {splat}, {total} : {pointers}, {_tensor(shape, 'i32')}")


def _along(writer: Writer, shape: list[int], dim: int) -> str:
    """Offsets along one dimension, of the tensor's shape."""
    choose = writer.choose
    extent = shape[dim]
    start = choose.choice((0, 0, 0, 4, 16))
    value = writer.new(f"tt.make_range {{end = {start + extent} : i32, start = {start} : i32}} : tensor<{extent}xi32>")
    line = [extent]
    for _ in range(choose.randrange(0, 3)):
        value = _step(writer, value, line)
    at = 0
    for other in range(len(shape)):
        if other == dim:
            at += 1
            continue
        axis = other
        wider = [*line[:axis], 1, *line[axis:]]
        value = writer.new(
            f"tt.expand_dims {value} {{axis = {axis} : i32}} : {_tensor(line, 'i32')} -> {_tensor(wider, 'i32')}"
        )
        line = wider
    stride = choose.choice(("none", "none", "constant", "argument"))
    if stride != "none":
        value = writer.new(f"arith.muli {value}, {_scalar(writer, line, stride)} : {_tensor(line, 'i32')}")
    if line != shape:
        value = writer.new(f"tt.broadcast {value} : {_tensor(line, 'i32')} -> {_tensor(shape, 'i32')}")
    return value


def _scalar(writer: Writer, shape: list[int], kind: str) -> str:
    type_ = _tensor(shape, "i32")
    if kind == "constant":
        number = writer.choose.choice((0, 1, 1, 2, 3, 4, 8, 12, 16, 64, 100))
        return writer.new(f"arith.constant dense<{number}> : {type_}")
    return writer.new(f"tt.splat {writer.argument('i32')} : i32 -> {type_}")


def _step(writer: Writer, value: str, shape: list[int]) -> str:
    choose = writer.choose
    op = choose.choice(
        (
            "addi",
            "addi",
            "subi",
            "muli",
            "remsi",
            "divsi",
            "andi",
            "shli",
            "shrsi",
            "minsi",
            "maxsi",
            "select",
            "xori",
            "ori",
        )
    )
    type_ = _tensor(shape, "i32")
    if op == "select":
        other = _scalar(writer, shape, choose.choice(("constant", "argument")))
        bound = _scalar(writer, shape, choose.choice(("constant", "argument")))
        predicate = choose.choice(("slt", "sge", "sgt", "sle", "eq", "ne", "ult"))
        condition = writer.new(f"arith.cmpi {predicate}, {value}, {bound} : {type_}")
        return writer.new(f"arith.select {condition}, {value}, {other} : {_tensor(shape, 'i1')}, {type_}")
    if op in ("remsi", "divsi", "shli", "shrsi"):
        number = choose.choice((0, 1, 2, 3)) if op.startswith("sh") else choose.choice((1, 2, 3, 4, 8, 16, 32, 128))
        operand = writer.new(f"arith.constant dense<{number}> : {type_}")
        if op in ("remsi", "divsi") and choose.random() < 0.2:
            operand = _scalar(writer, shape, "argument")
    else:
        operand = _scalar(writer, shape, choose.choice(("constant", "argument")))
    pair = (value, operand) if op.endswith("si") or op.startswith("sh") or choose.random() < 0.7 else (operand, value)
    return writer.new(f"arith.{op} {pair[0]}, {pair[1]} : {type_}")


def _write(writer: Writer, shape: list[int], element: str, pointer: str, value: str) -> None:
    pointers = _tensor(shape, f"!tt.ptr<{element}>")
    if BITS[element] >= 32 and writer.choose.random() < 0.4:
        mask = writer.new(f"arith.constant dense<true> : {_tensor(shape, 'i1')}")
        kind = "fadd" if element.startswith("f") else "add"
        types = f"({pointers}, {_tensor(shape, element)}, {_tensor(shape, 'i1')}) -> {_tensor(shape, element)}"
        writer.new(f"tt.atomic_rmw {kind}, acq_rel, gpu, {pointer}, {value}, {mask} : {types}")
    else:
        writer.lines.append(f"{writer.indent}tt.store {pointer}, {value} : {pointers}")


def _begin_loop(writer: Writer, shape: list[int], element: str, accesses: list[str]) -> list[str]:
    end = writer.argument("i32")
    zero = writer.new("arith.constant 0 : i32")
    step = writer.new("arith.constant 1 : i32")
    pointers = _tensor(shape, f"!tt.ptr<{element}>")
    inside = [f"%l{at}" for at in range(len(accesses))]
    given = ", ".join(f"{a} = {b}" for a, b in zip(inside, accesses, strict=True))
    writer.count += 1
    writer.lines.append(
        f"    %v{writer.count}:{len(accesses)} = scf.for %i = {zero} to {end} step {step} iter_args({given}) "
        f"-> ({', '.join([pointers] * len(accesses))})  : i32 {{"
    )
    writer.indent = "      "
    return inside


def _end_loop(writer: Writer, shape: list[int], element: str, accesses: list[str]) -> None:
    pointers = _tensor(shape, f"!tt.ptr<{element}>")
    moved: list[str] = []
    for pointer in accesses:
        by = _scalar(writer, shape, writer.choose.choice(("constant", "constant")))
        moved.append(writer.new(f"tt.addptr {pointer}, {by} : {pointers}, {_tensor(shape, 'i32')}"))
    writer.lines.append(f"      scf.yield {', '.join(moved)} : {', '.join([pointers] * len(accesses))}")
    writer.lines.append("    }")
