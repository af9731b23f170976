"""How long `regtriage run` takes, as a ratio of the plain compiles that it makes, and its peak memory.

Usage: python benchmarks/run_speed.py [KERNEL] [--repeat N]

Prints one line: the time of a triage run of two variants (all stages, all layers), that of the two plain
compiles by the same llc made one after the other, their ratio, and the peak resident memory of any process of
the run. Each figure is the best of N. Ratios, because the machine's speed is nobody's fault.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from regtriage.tools.llc.run import BuiltinLlc

DEFAULT = Path(__file__).parents[1] / "reproducers" / "attention"


def best_of(repeat: int, action: Callable[[], None]) -> float:
    """The shortest wall time of an action, in seconds."""
    times: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def run_command(command: Sequence[str], accepted: Sequence[int]) -> None:
    """Run a command quietly. Raises SystemExit with its output if its exit status is not one that is accepted."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in accepted:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", nargs="?", type=Path, help="default: the first .llir of reproducers/attention")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    kernel: Path = options.kernel or sorted(DEFAULT.glob("*.llir"))[0]
    llc = str(BuiltinLlc().identity.path)
    regtriage = [sys.executable, "-m", "regtriage.tools.cli"]
    with tempfile.TemporaryDirectory() as scratch:
        plain = [llc, str(kernel), "-default-cpu=gfx950", "-O3", "-o", str(Path(scratch) / "plain.s")]

        def compile_twice() -> None:
            for guard in ("off", "subranges"):
                run_command([*plain, f"--hoist-spill-guard={guard}"], (0,))

        def triage() -> None:
            run_command([*regtriage, "run", str(kernel), "--variant", "off", "--variant", "guard", "--json"], (0, 1))

        compiles = best_of(options.repeat, compile_twice)
        whole = best_of(options.repeat, triage)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{kernel.name}: triage {whole:.2f} s, two plain compiles {compiles:.2f} s, "
        f"ratio {whole / compiles:.1f}, peak memory of a process {memory:.0f} MiB"
    )


if __name__ == "__main__":
    main()
