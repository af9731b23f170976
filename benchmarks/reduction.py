"""How small `regtriage reduce` makes miscompiled kernels, at what cost, and how it compares with llvm-reduce.

    python benchmarks/reduction.py KERNEL... [--into DIR] [--suffix .ll|.mir] [--jobs 2] [--descents 6]
    python benchmarks/reduction.py KERNEL... --llvm-reduce /usr/lib/llvm-19/bin/llvm-reduce [--limit 600]

The first form reduces one kernel after the other, and prints a row for each: lines before and after, candidates, CPU
seconds of everything that ran for it, the exit, and whether the test passes: its RUN line, as it stands in the file,
must fail with the compiler as it is and succeed with a variant that cures the kernel. The tests are left in DIR.

The second form lets llvm-reduce do the same, twice for each kernel. Under *bug* its test asks whether the kernel is
wrong; under *cause* it asks all that `regtriage reduce` asks (`tools/reduce/interesting.py`). A run that takes longer
than the limit is stopped; what it had reached by then is counted. *drifted* counts the candidates that were wrong for
another cause: under *bug* these were taken, under *cause* refused. *cause kept*: whether the result is still wrong for
the cause of the original.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from regtriage.tools.llc.builtin import find_builtin
from regtriage.tools.llc.run import BuiltinLlc, Variant
from regtriage.tools.llc.warm import WarmLlc
from regtriage.tools.reduce.interesting import Judge
from regtriage.tools.reduce.model import Outcome, Setup, body_lines, code_lines
from regtriage.tools.reduce.reduction import ReduceReport, ReduceRequest, find_cause, reduce

_CURES = {
    Variant.GUARD: "-hoist-spill-guard=subranges",
    Variant.PRIVATE: "-private-slot=on",
}


def main() -> None:
    """Print the table that is asked for."""
    options = _options()
    if options.llvm_reduce:
        _compare(options)
    else:
        _reduce(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How small regtriage reduce makes miscompiled kernels.")
    parser.add_argument("kernels", nargs="+", type=Path)
    parser.add_argument("--into", type=Path, default=Path("reduced"), help="where the tests are written")
    parser.add_argument("--suffix", choices=(".ll", ".mir"), default=".ll", help="IR or MIR")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--descents", type=int, default=6, help="as of regtriage reduce")
    parser.add_argument("--llvm-reduce", type=Path, help="compare with this program")
    parser.add_argument("--limit", type=float, default=600, help="seconds that llvm-reduce may take for each kernel")
    return parser.parse_args()


# -- regtriage reduce -----------------------------------------------------------------------------------------------


def _reduce(options: argparse.Namespace) -> None:
    options.into.mkdir(parents=True, exist_ok=True)
    print("| kernel | exit | cures | lines before | after | candidates | drifted | CPU s | s | its test |", flush=True)
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for kernel in options.kernels:
        output = options.into / f"{kernel.stem}{options.suffix}"
        before = _cpu_seconds()
        started = time.monotonic()
        work = output.with_name(output.name + ".reduce")
        request = ReduceRequest(kernel, output, work, jobs=options.jobs, descents=options.descents)
        report = reduce(request, BuiltinLlc())
        wall = time.monotonic() - started
        print(_row(kernel, report, _cpu_seconds() - before, wall), flush=True)


def _row(kernel: Path, report: ReduceReport, cpu: float, wall: float) -> str:
    if report.cause is None:
        return f"| {kernel.name} | nothing is wrong |"
    cures = ", ".join(report.cause.cures) or "none"
    return (
        f"| {kernel.name} | {report.cause.exit} | {cures} | {report.before} | {report.after} | {report.tried} "
        f"| {report.drifted} | {cpu:.0f} | {wall:.0f} | {_try_test(report)} |"
    )


def _cpu_seconds() -> float:
    """Of this process and of all children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def _try_test(report: ReduceReport) -> str:
    """Run the test's own RUN line, with the compiler as it is and with each variant that cures the kernel."""
    assert report.cause is not None
    if _passes(report.output, ()):
        return "passes on the broken allocation"
    fixed = [cure for cure in report.cause.cures if _passes(report.output, (_CURES[cure],))]
    return "fails, passes with " + ", ".join(fixed) if fixed else "fails, no cure to try"


def _passes(test: Path, flags: Sequence[str]) -> bool:
    run = re.search(r"RUN: llc (.*) \| FileCheck %s", test.read_text())
    assert run is not None, "the test has no RUN line"
    command = [str(find_builtin()), *flags, *(str(test) if word == "%s" else word for word in shlex.split(run[1]))]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        return False
    filecheck = "import sys; from filecheck.main import main; sys.exit(main())"
    checked = subprocess.run(
        [sys.executable, "-c", filecheck, str(test)], input=compiled.stdout, capture_output=True, text=True, check=False
    )
    return checked.returncode == 0


# -- llvm-reduce ----------------------------------------------------------------------------------------------------


class Answers:
    """Answers llvm-reduce's test, which is a shell script that writes the name of a candidate and reads a number.

    So a question costs no more than it does in `regtriage reduce`. any_cause: whatever is wrong is interesting.
    """

    def __init__(self, setup: Setup, folder: Path, *, any_cause: bool) -> None:
        self.counts: Counter[str] = Counter()
        self.test = folder / "test.sh"
        self._any_cause = any_cause
        self._llc = WarmLlc(find_builtin())
        self._judge = Judge(dataclasses.replace(setup, llc=self._llc))
        questions, answers = folder / "questions", folder / "answers"
        for pipe in (questions, answers):
            os.mkfifo(pipe)
        self.test.write_text(f'#!/bin/sh\nrealpath "$1" > {questions}\nread answer < {answers}\nexit "$answer"\n')
        self.test.chmod(0o755)
        self._thread = threading.Thread(target=self._serve, args=(questions, answers), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the compiler, so that its time is counted."""
        self._llc.close()

    def _serve(self, questions: Path, answers: Path) -> None:
        # open for both ways, a pipe has no end
        with questions.open("rb+", buffering=0) as asked, answers.open("rb+", buffering=0) as answered:
            for line in asked:
                answered.write(b"0\n" if self._is_interesting(Path(os.fsdecode(line.rstrip(b"\n")))) else b"1\n")

    def _is_interesting(self, candidate: Path) -> bool:
        judgement = self._judge.judge(candidate)
        is_kept = judgement.outcome is Outcome.KEPT
        self.counts["kept" if is_kept else "drifted" if judgement.lost else "right"] += 1
        return is_kept or (self._any_cause and judgement.lost > 0)


def _compare(options: argparse.Namespace) -> None:
    print(
        "| kernel | test | lines before | after | candidates | drifted | CPU s | s | ended | cause kept |", flush=True
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---|---|", flush=True)
    for kernel in options.kernels:
        setup = find_cause(ReduceRequest(kernel, Path("test.ll"), Path("test.ll.reduce")), BuiltinLlc())
        if setup is None:
            print(f"| {kernel.name} | nothing is wrong |", flush=True)
            continue
        for any_cause in (True, False):
            print(_llvm_reduce(options, kernel, setup, any_cause=any_cause), flush=True)


def _llvm_reduce(options: argparse.Namespace, kernel: Path, setup: Setup, *, any_cause: bool) -> str:
    with tempfile.TemporaryDirectory(prefix="regtriage-reduction-") as name:
        folder = Path(name)
        answers = Answers(setup, folder, any_cause=any_cause)
        result = folder / "reduced.ll"
        command = [
            str(options.llvm_reduce.resolve()),
            f"--test={answers.test}",
            "-o",
            str(result),
            str(kernel.resolve()),
        ]
        before, started = _cpu_seconds(), time.monotonic()
        ended = _run_for(command, folder, options.limit)
        answers.close()
        cpu, wall = _cpu_seconds() - before, time.monotonic() - started
        best = result if result.exists() else kernel
        judged = Judge(setup).judge(best)
        kept = "yes" if judged.outcome is Outcome.KEPT else f"no: {judged.why}"
        counts = answers.counts
        return (
            f"| {kernel.name} | {'bug' if any_cause else 'cause'} | {_size(kernel)} | {_size(best)} "
            f"| {sum(counts.values())} | {counts['drifted']} | {cpu:.0f} | {wall:.0f} | {ended} | {kept} |"
        )


def _run_for(command: Sequence[str], folder: Path, seconds: float) -> str:
    """Run a command for so long. Returns how it ended."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return f"stopped after {seconds:.0f} s"
    if process.returncode != 0:
        return output.strip().splitlines()[-1] if output.strip() else f"status {process.returncode}"
    return "by itself"


def _size(file: Path) -> int:
    text = file.read_text()
    return body_lines(text) if file.suffix == ".mir" else code_lines(text)


if __name__ == "__main__":
    main()
