"""How long `regtriage run` takes, as a ratio of the plain compiles that it makes, and its peak memory.

    python benchmarks/run_speed.py [KERNEL] [--repeat N]
    python benchmarks/run_speed.py --sizes [2000,20000,…] [--plot FILE.svg] [--seed S]

The first form prints one line: the time of a triage run of two variants (all stages, all layers), that of the two
plain compiles by the same llc made one after the other, their ratio, and the peak resident memory of any process of
the run. Each figure is the best of N. Ratios, because the machine's speed is nobody's fault.

The second form does so for generated kernels (`regtriage.tools.fuzz.generator.generate_parts`) of about so many machine
instructions in one function, in processor time of all processes together, which does not depend on what else the
machine does. Of the run it tells apart the compiler's processes, which print every stage, and regtriage's own. It
prints a table in Markdown and the slopes of these times over size, both as logarithms (1 is linear). The variants are
those with private stack slots: of a thousand parts some are miscompiled without, and code that is wrong takes longer,
for witnesses and executions. `--plot` needs matplotlib (`pip install .[dev]`).
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import math
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regtriage.tools.cli.app import execute
from regtriage.tools.fuzz.generator import generate_parts
from regtriage.tools.llc.run import BuiltinLlc

DEFAULT = Path(__file__).parents[1] / "reproducers" / "attention"
SIZES = "2000,6000,20000,60000,200000"
_INSTRUCTION = re.compile(r"^\t[a-z]\w+", re.MULTILINE)
_PER_PART = 200
"""Instructions of one part of a generated kernel, about."""
_PROBE_PARTS = 200
_TRIES = 20
_PLAIN = {"off": "-hoist-spill-guard=off", "guard": "-hoist-spill-guard=subranges"}
_PRIVATE = {"private": "-private-slot=on", "guard+private": "-private-slot=on -hoist-spill-guard=subranges"}
"""By variant, what makes it of a compile that prints no more than the assembly."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One kernel. instructions: of its assembly. compiles, triage: seconds of two plain compiles, and of the run."""

    instructions: int
    compiles: float
    triage: float


@dataclass(frozen=True, slots=True)
class SizedSample:
    """One generated kernel, in processor seconds.

    instructions: of its assembly. compiles: two plain compiles. llc, own: of the run, the compiler's processes and
    regtriage's. verdicts: of the variants, in order. memory: the most that a process of the run had, in MiB.
    """

    instructions: int
    compiles: float
    llc: float
    own: float
    verdicts: tuple[str, ...]
    memory: float

    @property
    def triage(self) -> float:
        """The whole run."""
        return self.llc + self.own

    def row(self) -> str:
        """Of the table."""
        times = " | ".join(f"{t:.2f} s" for t in (self.compiles, self.triage, self.llc, self.own))
        ratio = f"{self.triage / self.compiles:.1f}"
        return f"| {self.instructions} | {times} | {ratio} | {self.memory:.0f} MiB | {', '.join(self.verdicts)} |"


def run_command(command: Sequence[str], accepted: Sequence[int]) -> str:
    """Run a command, return its stdout. Raises SystemExit with its output if its exit status is not accepted."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in accepted:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def plain_compile(kernel: Path, assembly: Path, flags: str) -> list[str]:
    """The command of a compile that prints no more than the assembly."""
    llc = str(BuiltinLlc().identity.path)
    return [llc, str(kernel), "-default-cpu=gfx950", "-O3", "-o", str(assembly), *flags.split()]


def variant_options(variants: Iterable[str]) -> list[str]:
    """Of `regtriage run`."""
    return [word for variant in variants for word in ("--variant", variant)]


def count_instructions(assembly: Path) -> int:
    """Of the machine."""
    return len(_INSTRUCTION.findall(assembly.read_text()))


def wall_seconds(action: Callable[[], None]) -> float:
    """How long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def measure(kernel: Path, scratch: Path, repeat: int) -> Sample:
    """Wall time of both, each the best of so many."""
    assembly = scratch / "plain.s"
    triage = [sys.executable, "-m", "regtriage.tools.cli", "run", str(kernel), *variant_options(_PLAIN), "--json"]

    def compile_twice() -> None:
        for flags in _PLAIN.values():
            run_command(plain_compile(kernel, assembly, flags), (0,))

    def run() -> None:
        run_command(triage, (0, 1))

    compiles = min(wall_seconds(compile_twice) for _ in range(repeat))
    whole = min(wall_seconds(run) for _ in range(repeat))
    return Sample(count_instructions(assembly), compiles, whole)


# -- over size ----------------------------------------------------------------------------------------------


def processor_seconds(who: int) -> float:
    """What this process (RUSAGE_SELF), or the ended ones that it started (RUSAGE_CHILDREN), spent on processors."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def measure_sized(kernel: Path, scratch: Path) -> SizedSample:
    """Processor time of two plain compiles and of one run."""
    assembly = scratch / "plain.s"
    before = processor_seconds(resource.RUSAGE_CHILDREN)
    for flags in _PRIVATE.values():
        run_command(plain_compile(kernel, assembly, flags), (0,))
    compiles = processor_seconds(resource.RUSAGE_CHILDREN) - before
    usage = scratch / "usage.json"
    # one job: the variants are checked in the process itself, so that all that it starts are compilers
    driver = [sys.executable, __file__, "--driver", str(usage)]
    triage = [*driver, "run", str(kernel), *variant_options(_PRIVATE), "--jobs", "1", "--json"]
    report = json.loads(run_command(triage, (0, 1, 3)))
    verdicts = tuple(v["verdict"] for f in report["functions"] for v in f["variants"])
    used = json.loads(usage.read_text())
    return SizedSample(count_instructions(assembly), compiles, used["llc"], used["own"], verdicts, used["memory"])


def drive(usage: Path, arguments: Sequence[str]) -> int:
    """The command line in this process; then write what it and the compilers used. Returns its exit status."""
    status = execute(arguments)
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, llc = map(processor_seconds, kinds)
    memory = max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024
    usage.write_text(json.dumps({"own": own, "llc": llc, "memory": memory}))
    return int(status)


def generated(size: int, seed: int, scratch: Path) -> Path:
    """A kernel of about that size. How many instructions a part has is found with a kernel of few parts.

    The seed is the first one from there whose small kernel LLVM compiles. Raises SystemExit if there is none.
    """
    kernel, assembly = scratch / f"{size}.ll", scratch / "try.s"
    few = max(1, min(round(size / _PER_PART), _PROBE_PARTS))
    for number in range(seed, seed + _TRIES):
        kernel.write_text(generate_parts(number, few).text)
        command = plain_compile(kernel, assembly, "")
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            parts = max(1, round(few * size / count_instructions(assembly)))
            kernel.write_text(generate_parts(number, parts).text)
            return kernel
    raise SystemExit(f"no kernel of {size} instructions compiles")


def slope(samples: Sequence[SizedSample], seconds: Callable[[SizedSample], float]) -> float:
    """Of a time over size, both as logarithms."""
    sizes = [math.log(s.instructions) for s in samples]
    return statistics.linear_regression(sizes, [math.log(seconds(s)) for s in samples]).slope


def plot(samples: Sequence[SizedSample], path: Path) -> None:
    """The times over size, with a line for what is linear."""
    # by name: it is not needed otherwise, and its types are not known in full
    plt: Any = importlib.import_module("matplotlib.pyplot")
    sizes = [s.instructions for s in samples]
    figure, axes = plt.subplots(figsize=(6, 4))
    for label, mark, seconds in _LINES:
        axes.loglog(sizes, [seconds(s) for s in samples], mark, label=label)
    axes.loglog(sizes, [samples[0].own * n / sizes[0] for n in sizes], ":", color="gray", label="linear")
    axes.xaxis.set_minor_formatter("")
    axes.set_xlabel("machine instructions")
    axes.set_ylabel("processor seconds")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


_LINES: tuple[tuple[str, str, Callable[[SizedSample], float]], ...] = (
    ("regtriage run, two variants", "o-", lambda s: s.triage),
    ("its compiles", "^-", lambda s: s.llc),
    ("the run without its compiles", "v-", lambda s: s.own),
    ("two plain compiles", "s-", lambda s: s.compiles),
)


_HEAD = """\
| instructions | two plain compiles | run, two variants | its compiles | without them | ratio | memory | verdicts |
|---:|---:|---:|---:|---:|---:|---:|---|"""


def by_size(options: argparse.Namespace, scratch: Path) -> None:
    """Print the table of sizes, a row as soon as it is known, and the slopes: over all, and between neighbours."""
    samples: list[SizedSample] = []
    print(_HEAD)
    for size in map(int, options.sizes.split(",")):
        kernel = generated(size, options.seed, scratch)
        samples.append(measure_sized(kernel, scratch))
        print(samples[-1].row(), flush=True)
    if len(samples) > 1:
        print("\nslope of the time over size, over all (between neighbours):")
        for label, _, seconds in _LINES:
            between = ", ".join(f"{slope(pair, seconds):.2f}" for pair in itertools.pairwise(samples))
            print(f"  {label}: {slope(samples, seconds):.2f} ({between})")
    if options.plot is not None:
        plot(samples, options.plot)


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--driver"]:
        sys.exit(drive(Path(sys.argv[2]), sys.argv[3:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", nargs="?", type=Path, help="default: the first .llir of reproducers/attention")
    parser.add_argument("--repeat", type=int, default=3, help="without --sizes; default: 3")
    parser.add_argument("--sizes", nargs="?", const=SIZES, help=f"machine instructions, about; default: {SIZES}")
    parser.add_argument("--plot", type=Path, help="with --sizes: draw the times into this file")
    parser.add_argument("--seed", type=int, default=1, help="with --sizes: of the kernels")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.sizes:
            by_size(options, Path(scratch))
            return
        kernel: Path = options.kernel or sorted(DEFAULT.glob("*.llir"))[0]
        sample = measure(kernel, Path(scratch), options.repeat)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{kernel.name}: triage {sample.triage:.2f} s, two plain compiles {sample.compiles:.2f} s, "
        f"ratio {sample.triage / sample.compiles:.1f}, peak memory of a process {memory:.0f} MiB"
    )


if __name__ == "__main__":
    main()
