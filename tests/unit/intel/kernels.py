"""The kernels and measurements in tests/data/intel, and small kernels made for one test."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from regtriage.dataflow.intel.devices import Device, find_device
from regtriage.dataflow.intel.dots import Dot, find_dots
from regtriage.dataflow.ttgir.model import Module
from regtriage.dataflow.ttgir.parser import read

DATA = Path(__file__).parents[2] / "data" / "intel"
KERNELS = DATA / "kernels"
REPRODUCERS = Path(__file__).parents[3] / "reproducers" / "intel"


def device(name: str = "arl-s") -> Device:
    found = find_device(name)
    assert found is not None
    return found


@cache
def module(name: str) -> Module:
    path = KERNELS / f"{name}.ttgir"
    if not path.exists():
        path = REPRODUCERS / f"{name}.ttgir"
    return read(path.read_text(), str(path))


def dot(name: str) -> Dot:
    """Its only one."""
    (found,) = find_dots(module(name))
    return found


@dataclass(frozen=True)
class Measured:
    name: str
    spill: int


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / file).read_text().splitlines()]


def measured(file: str) -> list[Measured]:
    return [Measured(row["name"], row["spill_bytes"]) for row in lines(file)]


FIRST = measured("measured.jsonl")
"""The table the formula was written beside."""
LATER = measured("measured_later.jsonl")
"""Measured when the formula stood."""

WITH_FMA = [row for row in FIRST + LATER if not row.name.endswith("_dpas")]


def small(body: str, *, target: str = "xpu", warps: int = 1, attributes: str = "") -> Module:
    """A kernel of one warp of 32 lanes, around lines of TTGIR."""
    text = f"""#blocked = #ttg.blocked<{{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [{warps}, 1], order = [1, 0]}}>
#shared = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}}>
#smem = #ttg.shared_memory
module attributes {{{attributes}"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {warps} : i32, ttg.target = "{target}", "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @k(%a: tensor<16x32xf32, #blocked>, %b: tensor<32x16xf32, #blocked>, %c: tensor<16x16xf32, #blocked>) {{
{body}
    tt.return
  }}
}}
"""
    return read(text, "k.ttgir")


A = "tensor<16x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>"
B = "tensor<32x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>"
C = "tensor<16x16xf32, #blocked>"
CONVERTED = f"""    %0 = ttg.convert_layout %a : tensor<16x32xf32, #blocked> -> {A}
    %1 = ttg.convert_layout %b : tensor<32x16xf32, #blocked> -> {B}"""
DOT = f"    %2 = tt.dot %0, %1, %c : {A} * {B} -> {C}"
