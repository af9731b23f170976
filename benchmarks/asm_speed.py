"""How long `regtriage asm` takes: parsing and judging final assembly, per file and together.

Usage: python benchmarks/asm_speed.py [ASM...] [--repeat N]

Without files, the attention kernels of this repository are compiled by the built-in llc, which is not measured. Prints
a line a file: lines, seconds (the best of N, processor time), lines a second, what is suspect, unknown mnemonics.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from regtriage.dataflow.asm.judge import judge_asm
from regtriage.dataflow.asm.parser import parse_asm
from regtriage.tools.llc.run import CompileRequest, resolve_llc

KERNELS = Path(__file__).parents[1] / "reproducers" / "attention"


def measure(path: Path, repeat: int) -> tuple[int, float]:
    """Print the line of one file; its lines and its seconds."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    best = float("inf")
    lines = suspects = unknown = 0
    for _ in range(repeat):
        started = time.process_time()
        file = parse_asm(text, str(path))
        judgements = judge_asm(file)
        best = min(best, time.process_time() - started)
        lines, suspects, unknown = file.lines, sum(len(j.suspects) for j in judgements), len(file.unknown)
    speed = f"{lines} lines, {best:.2f} s, {lines / best:,.0f} a second"
    print(f"{path.name}: {speed}, {suspects} suspect, {unknown} unknown")
    return lines, best


def compiled(folder: Path) -> list[Path]:
    """The assembly of this repository's kernels."""
    llc = resolve_llc("builtin")
    found: list[Path] = []
    for kernel in sorted(KERNELS.glob("*.llir")):
        asm = llc.compile(CompileRequest(kernel, cpu="gfx950"), folder / kernel.stem).asm
        found.append(asm.rename(folder / f"{kernel.stem}.s"))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asm", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        figures = [measure(path, options.repeat) for path in options.asm or compiled(Path(folder))]
    lines, seconds = sum(n for n, _ in figures), sum(s for _, s in figures)
    print(f"together: {lines} lines in {seconds:.2f} s; 35000 lines in {35000 * seconds / lines:.2f} s")


if __name__ == "__main__":
    main()
