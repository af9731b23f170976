"""How long `regtriage run` takes, as a ratio of the plain compiles that it makes, and its peak memory.

    python benchmarks/run_speed.py [KERNEL] [--repeat N]
    python benchmarks/run_speed.py --sizes [2000,20000,…] [--plot FILE.svg] [--seed S]

The first form prints one line: the time of a triage run of two variants (all stages, all layers), that of the two
plain compiles by the same llc made one after the other, their ratio, and the peak resident memory of any process of
the run. Each figure is the best of N. Ratios, because the machine's speed is nobody's fault.

The second form does so for generated kernels (`regtriage.tools.fuzz.generator.generate_parts`) of about so many machine
instructions, in processor time of all processes together, which does not depend on what else the machine does, and
prints a table in Markdown and the slope of time over size, both as logarithms (1 is linear). `--plot` needs
matplotlib (`pip install .[dev]`).
"""

from __future__ import annotations

import argparse
import importlib
import math
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regtriage.tools.fuzz.generator import generate_parts
from regtriage.tools.llc.run import BuiltinLlc

DEFAULT = Path(__file__).parents[1] / "reproducers" / "attention"
SIZES = "2000,5000,10000,20000,50000,100000,200000"
_INSTRUCTION = re.compile(r"^\t[a-z]\w+", re.MULTILINE)
_PER_PART = 200
"""Instructions of one part of a generated kernel, about."""
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """One kernel. instructions: of its assembly. compiles, triage: seconds."""

    instructions: int
    compiles: float
    triage: float


def wall_seconds(action: Callable[[], None]) -> float:
    """How long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def processor_seconds(action: Callable[[], None]) -> float:
    """The time that the processes an action starts spend on processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_command(command: Sequence[str], accepted: Sequence[int]) -> None:
    """Run a command quietly. Raises SystemExit with its output if its exit status is not one that is accepted."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in accepted:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def measure(
    kernel: Path, scratch: Path, repeat: int, seconds: Callable[[Callable[[], None]], float], accepted: Sequence[int]
) -> Sample:
    """Time both, each the best of so many."""
    assembly = scratch / "plain.s"
    plain = [str(BuiltinLlc().identity.path), str(kernel), "-default-cpu=gfx950", "-O3", "-o", str(assembly)]
    triage = [sys.executable, "-m", "regtriage.tools.cli", "run", str(kernel)]

    def compile_twice() -> None:
        for guard in ("off", "subranges"):
            run_command([*plain, f"--hoist-spill-guard={guard}"], (0,))

    def run() -> None:
        run_command([*triage, "--variant", "off", "--variant", "guard", "--json"], accepted)

    compiles = min(seconds(compile_twice) for _ in range(repeat))
    whole = min(seconds(run) for _ in range(repeat))
    return Sample(len(_INSTRUCTION.findall(assembly.read_text())), compiles, whole)


def generated(size: int, seed: int, scratch: Path) -> Path:
    """A kernel of about that size that LLVM compiles and gets right. Raises SystemExit if no seed gives one."""
    kernel = scratch / f"{size}.ll"
    for number in range(seed, seed + _TRIES):
        kernel.write_text(generate_parts(number, max(1, round(size / _PER_PART))).text)
        command = [str(BuiltinLlc().identity.path), str(kernel), "-O3", "-o", str(scratch / "try.s")]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return kernel
    raise SystemExit(f"no kernel of {size} instructions compiles")


def slope(samples: Sequence[Sample]) -> float:
    """Of the triage's time over size, both as logarithms."""
    sizes = [math.log(s.instructions) for s in samples]
    return statistics.linear_regression(sizes, [math.log(s.triage) for s in samples]).slope


def plot(samples: Sequence[Sample], path: Path) -> None:
    """Both times over size, with a line for what is linear."""
    # by name: it is not needed otherwise, and its types are not known in full
    plt: Any = importlib.import_module("matplotlib.pyplot")
    sizes = [s.instructions for s in samples]
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.loglog(sizes, [s.triage for s in samples], "o-", label="regtriage run, two variants")
    axes.loglog(sizes, [s.compiles for s in samples], "s-", label="two plain compiles")
    axes.loglog(sizes, [samples[0].triage * n / sizes[0] for n in sizes], ":", color="gray", label="linear")
    axes.xaxis.set_minor_formatter("")
    axes.set_xlabel("machine instructions")
    axes.set_ylabel("processor seconds")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def by_size(options: argparse.Namespace, scratch: Path) -> None:
    """Print the table of sizes, a row as soon as it is known."""
    samples: list[Sample] = []
    print("| instructions | two compiles | run, two variants | ratio |\n|---:|---:|---:|---:|")
    for size in map(int, options.sizes.split(",")):
        kernel = generated(size, options.seed, scratch)
        sample = measure(kernel, scratch, options.repeat, processor_seconds, (0, 1, 3))
        samples.append(sample)
        cells = f"{sample.compiles:.2f} s | {sample.triage:.2f} s | {sample.triage / sample.compiles:.1f}"
        print(f"| {sample.instructions} | {cells} |", flush=True)
    if len(samples) > 1:
        print(f"\nslope: {slope(samples):.2f}")
    if options.plot is not None:
        plot(samples, options.plot)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", nargs="?", type=Path, help="default: the first .llir of reproducers/attention")
    parser.add_argument("--repeat", type=int, default=None, help="default: 3, with --sizes 1")
    parser.add_argument("--sizes", nargs="?", const=SIZES, help=f"machine instructions, about; default: {SIZES}")
    parser.add_argument("--plot", type=Path, help="with --sizes: draw the times into this file")
    parser.add_argument("--seed", type=int, default=1, help="with --sizes: of the kernels")
    options = parser.parse_args()
    options.repeat = options.repeat or (1 if options.sizes else 3)
    with tempfile.TemporaryDirectory() as scratch:
        if options.sizes:
            by_size(options, Path(scratch))
            return
        kernel: Path = options.kernel or sorted(DEFAULT.glob("*.llir"))[0]
        sample = measure(kernel, Path(scratch), options.repeat, wall_seconds, (0, 1))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{kernel.name}: triage {sample.triage:.2f} s, two plain compiles {sample.compiles:.2f} s, "
        f"ratio {sample.triage / sample.compiles:.1f}, peak memory of a process {memory:.0f} MiB"
    )


if __name__ == "__main__":
    main()
