"""Checks other people's kernels: all of three PyPI packages that compile, each in every variant.

    python benchmarks/corpus.py --cache DIR [--triton PYTHON] [--package NAME]... [--jobs N]
    python benchmarks/corpus.py --cache DIR --table
    python benchmarks/corpus.py --cache DIR --list > corpus.txt

Fetches the packages' wheels, which are unpacked and never installed, collects their Triton kernels as LLVM IR for
gfx950 (`regtriage collect`, with what `benchmarks/corpus/PACKAGE.yaml` says where a guess fails), compiles each with
the variants off, guard and private, checks every layer, and asks the judge of final assembly alone. Without --triton
it makes an environment with Triton in the cache. All of it can be stopped and goes on where it was.

--list collects and checks nothing: it prints one file of each kernel, the smallest first, for `regtriage sweep`.

Prints the table, every kernel with a BUG or an UNPROVEN, and every suspicion of the judge's. Exits with 1 where a
figure is not what it must be: no suspicion on code that is right, and assembly lines for every BUG.
"""

from __future__ import annotations

import argparse
import dataclasses
import filecmp
import json
import multiprocessing
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regtriage.dataflow.asm.judge import judge_asm
from regtriage.dataflow.findings import Layer
from regtriage.tools.asm import read_asm
from regtriage.tools.collect.collection import INDEX, CollectRequest, collect
from regtriage.tools.collect.model import Options
from regtriage.tools.collect.signatures import read_signatures
from regtriage.tools.llc.run import CompileRequest, InputError, Llc, ToolFailure, Variant, resolve_llc
from regtriage.tools.results import VariantReport
from regtriage.tools.triage import TriageRequest, default_target, triage

TRITON = "triton==3.9.0"
VARIANTS = (Variant.OFF, Variant.GUARD, Variant.PRIVATE)
RESULTS = "results.jsonl"
_SIGNATURES = Path(__file__).with_name("corpus")


@dataclass(frozen=True, slots=True)
class Package:
    """One wheel. unpack: the start of the names that are unpacked; sources: a pattern of where its kernels are.

    guess: how many signatures of each kernel.
    """

    name: str
    version: str
    unpack: str
    sources: str
    guess: int

    @property
    def requirement(self) -> str:
        """As pip wants it."""
        return f"{self.name}=={self.version}"


PACKAGES = (
    Package("amd-aiter", "0.1.7.post2.dev18", "aiter/ops/triton/", "aiter/ops/triton/_triton_kernels", 1),
    Package("fla-core", "0.6.0", "fla/", "fla/ops", 1),
    Package("liger-kernel", "0.8.5", "liger_kernel/", "liger_kernel/ops/*.py", 1),
)
SETTINGS = (Options(), Options(num_warps=1, waves_per_eu=4))
"""Of each signature: as it is tuned or guessed, and with much to hold in few registers."""
_COMPILE_SECONDS = 25.0


# Fetching and collecting


def fetch(package: Package, cache: Path) -> Path:
    """The folder with the unpacked wheel. Raises SystemExit with pip's words."""
    folder = cache / package.requirement
    complete = folder / "complete"
    if not complete.exists():
        _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package.requirement)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.startswith(package.unpack)])
        wheel.unlink()
        complete.touch()
    return folder


def triton_python(cache: Path) -> Path:
    """The Python of an environment that holds Triton and nothing else."""
    folder = cache / TRITON
    complete = folder / "complete"
    if not complete.exists():
        _run(sys.executable, "-m", "venv", "--clear", folder)
        _run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", TRITON)
        complete.touch()
    return folder / "bin" / "python"


def _run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")


def collected(package: Package, cache: Path, python: Path | None, jobs: int) -> Path:
    """The folder with the package's `.llir` and its index."""
    folder = cache / "llir" / package.name
    if not (folder / INDEX).exists():
        root = fetch(package, cache)
        signatures = _SIGNATURES / f"{package.name}.yaml"
        request = CollectRequest(
            sources=tuple(p for p in sorted(root.glob(package.sources)) if p.name != "__init__.py"),
            root=root,
            out=folder,
            python=python or triton_python(cache),
            wanted=read_signatures(signatures) if signatures.exists() else (),
            guess=package.guess,
            options=SETTINGS,
            time_limit=_COMPILE_SECONDS,
            jobs=jobs,
        )
        collect(request, lambda step: print(f"{package.name}: {step}", file=sys.stderr))
    return folder


# Checking


@dataclass(frozen=True, slots=True)
class Checked:
    """One variant of one file. findings, asm_findings: in the shipped code, and those that have assembly lines.

    suspects: of the judge of assembly alone, a line each. confirmed: of these runs, those that differ.
    """

    variant: str
    verdict: str
    findings: int = 0
    asm_findings: int = 0
    hazards: int = 0
    exits: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()
    confirmed: tuple[int, int] | None = None
    sgpr_spills: int = 0
    vgpr_spills: int = 0
    operands: int = 0
    copied: bool = False
    """The code is that of variant off."""
    suspects: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One file. error: why it could not be checked, or ""."""

    package: str
    file: str
    error: str = ""
    seconds: float = 0.0
    variants: tuple[Checked, ...] = field(default=())


class OutOfTimeError(Exception):
    """A file took too long."""


def examine(package: str, path: Path, limit: float) -> Record:
    """Compile and check one file. Everything that goes wrong becomes its record's error. limit: seconds of CPU time."""

    def out_of_time(_number: int, _frame: object) -> None:
        raise OutOfTimeError(f"not done in {limit:g} seconds of CPU time")

    started = time.perf_counter()
    signal.signal(signal.SIGPROF, out_of_time)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        with tempfile.TemporaryDirectory(prefix="regtriage-corpus-") as scratch:
            variants = tuple(_variants(path, Path(scratch)))
    except (InputError, ToolFailure, OutOfTimeError, MemoryError) as error:
        return Record(package, path.name, str(error) or type(error).__name__, time.perf_counter() - started)
    except Exception as error:  # an error of ours is a result of this file, and the others still count
        return Record(package, path.name, f"{type(error).__name__}: {error}", time.perf_counter() - started)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Record(package, path.name, "", round(time.perf_counter() - started, 2), variants)


def _examine(task: tuple[str, Path, float]) -> Record:
    return examine(*task)


def _variants(path: Path, scratch: Path) -> Iterator[Checked]:
    """Each variant. One whose code is, at every stage, that of variant off is not checked again: the answer is."""
    llc = resolve_llc("builtin")
    plain: list[Checked] = []
    for variant in VARIANTS:
        if plain and _same_code(path, llc, variant, scratch):
            yield from (dataclasses.replace(checked, variant=str(variant), copied=True) for checked in plain)
            continue
        request = TriageRequest(path, variants=(variant,), confirm=100, jobs=1, keep=scratch / "kept")
        report = triage(request, llc)
        asm = scratch / "kept" / str(variant) / "asm.s"
        found = [_checked(v, asm) for function in report.functions for v in function.variants]
        plain = plain or found
        yield from found


def _same_code(path: Path, llc: Llc, variant: Variant, scratch: Path) -> bool:
    triple, cpu = default_target(path, None, None)
    compiled = llc.compile(CompileRequest(path, variant, triple=triple, cpu=cpu), scratch / "again")
    plain = scratch / "kept" / str(Variant.OFF)
    files = [stage.path for stage in compiled.stages] + [compiled.asm]
    return all(filecmp.cmp(file, plain / file.name, shallow=False) for file in files)


def _checked(report: VariantReport, asm: Path) -> Checked:
    layers = {layer.layer: layer for layer in report.layers}
    text = asm.read_text(encoding="utf-8", errors="surrogateescape")
    file = read_asm(asm)
    suspects = [
        f"{s.slot} at line {s.store.line}, `{s.store.text}`, needed at line {s.use.line}, `{s.use.text}`"
        for judgement in judge_asm(file)
        for s in judgement.suspects
    ]
    joined = layers.get(Layer.ASM)
    return Checked(
        variant=str(report.variant),
        verdict=str(report.verdict),
        findings=len(report.shipped_findings),
        asm_findings=len(joined.findings) if joined else 0,
        hazards=sum(len(layer.hazards) for layer in report.layers if layer.layer is Layer.MIR),
        exits=tuple(sorted({str(f.exit) for f in report.shipped_findings})),
        unproven=tuple(sorted({line for layer in report.layers for line in layer.unproven})),
        confirmed=(report.confirmed.differ, report.confirmed.runs) if report.confirmed else None,
        sgpr_spills=_metadata(text, "sgpr_spill_count"),
        vgpr_spills=_metadata(text, "vgpr_spill_count"),
        operands=sum(layer.checked for layer in report.layers),
        suspects=tuple(suspects),
        unknown=tuple(file.unknown),
    )


def _metadata(asm: str, name: str) -> int:
    """What the code object's metadata says, summed over its kernels."""
    return sum(int(n) for n in re.findall(rf"\.{name}:\s*(\d+)", asm))


def check_all(folders: dict[str, Path], results: Path, jobs: int, limit: float) -> None:
    """Check every file that has no record yet, small ones first, and append its record."""
    done = {(r.package, r.file) for r in read_records(results)}
    files = [(p, folder / file) for p, folder in folders.items() for file in sorted(kernels_of(folder / INDEX)[0])]
    todo = [(package, path) for package, path in files if (package, path.name) not in done]
    todo.sort(key=lambda entry: entry[1].stat().st_size)
    context = multiprocessing.get_context("spawn")
    with (
        results.open("a", encoding="utf-8") as log,
        # a worker is replaced now and then for its memory; a ProcessPoolExecutor that does so deadlocks in Python 3.11
        context.Pool(jobs, maxtasksperchild=50) as pool,
    ):
        tasks = [(package, path, limit) for package, path in todo]
        for number, record in enumerate(pool.imap_unordered(_examine, tasks), 1):
            log.write(json.dumps(dataclasses.asdict(record)) + "\n")
            log.flush()
            worst = record.error or " ".join(f"{v.variant} {v.verdict}" for v in record.variants)
            print(f"{number} of {len(todo)}: {record.file}: {worst}", file=sys.stderr)


def read_records(results: Path) -> list[Record]:
    """The records of a log; the last line may have been cut off."""
    records: list[Record] = []
    for line in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        try:
            value: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        variants: list[dict[str, Any]] = value["variants"]
        value["variants"] = tuple(_as_checked(variant) for variant in variants)
        records.append(Record(**value))
    return records


def _as_checked(value: dict[str, Any]) -> Checked:
    found = Checked(**value)
    runs = found.confirmed
    return dataclasses.replace(
        found,
        exits=tuple(found.exits),
        unproven=tuple(found.unproven),
        suspects=tuple(found.suspects),
        unknown=tuple(found.unknown),
        confirmed=(runs[0], runs[1]) if runs else None,
    )


def one_of_each(folders: Iterable[Path]) -> list[Path]:
    """The first file of each kernel, the smallest first."""
    found: list[Path] = []
    for folder in folders:
        first: dict[str, Path] = {}
        for file, kernel in sorted(kernels_of(folder / INDEX)[0].items()):
            first.setdefault(kernel, folder / file)
        found += first.values()
    return sorted(found, key=lambda file: file.stat().st_size)


# The table


@dataclass(slots=True)
class Row:
    """One package. Kernels are counted once, whatever the number of their files.

    files: that were made; looked_at: those with a record; failed: of these, those that could not be checked.
    """

    tried: int = 0
    kernels: int = 0
    files: int = 0
    looked_at: int = 0
    checked: int = 0
    spilling: Counter[str] = field(default_factory=Counter[str])
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    confirmed: int = 0
    suspects: int = 0
    operands: int = 0
    failed: int = 0


def kernels_of(index: Path) -> tuple[dict[str, str], dict[str, str]]:
    """By file its kernel, and by kernel that has no file the reason."""
    kernels: dict[str, str] = {}
    failed: dict[str, str] = {}
    for item in json.loads(index.read_text(encoding="utf-8"))["kernels"]:
        name = f"{item['module']}:{item['kernel']}"
        if item["file"]:
            kernels.setdefault(item["file"], name)
        elif item["kernel"]:
            failed[name] = item["error"]
    return kernels, {name: why for name, why in failed.items() if name not in kernels.values()}


def row_of(kernels: dict[str, str], failed: dict[str, str], records: Sequence[Record]) -> Row:
    """Sum a package up."""
    compiled = set(kernels.values())
    row = Row(len(compiled) + len(failed), len(compiled), len(kernels), len(records))
    row.checked = len({kernels[record.file] for record in records if not record.error})
    for record in records:
        row.failed += bool(record.error)
        for v in record.variants:
            row.verdicts[v.variant, v.verdict] += 1
            row.operands += v.operands
            row.suspects += v.verdict == "CLEAN" and bool(v.suspects)
            row.confirmed += v.verdict == "BUG" and v.confirmed is not None and v.confirmed[0] > 0
        for v in record.variants[:1]:
            row.spilling["SGPR"] += v.sgpr_spills > 0
            row.spilling["VGPR"] += v.vgpr_spills > 0
    return row


def table_lines(rows: dict[str, Row]) -> Iterator[str]:
    """The table, in Markdown."""
    yield (
        "| package | kernels tried | compiled | checked | files of these | checked | given up "
        "| spill SGPRs | spill VGPRs | operands checked |"
    )
    yield "|---|" + "---:|" * 9
    for name, row in rows.items():
        files = (row.files, row.looked_at - row.failed, row.failed, row.spilling["SGPR"], row.spilling["VGPR"])
        cells = (row.tried, row.kernels, row.checked, *files, row.operands)
        yield f"| {name} | {' | '.join(map(str, cells))} |"
    yield ""
    yield "| package | variant | CLEAN | HAZARD | UNPROVEN | BUG |"
    yield "|---|---|---:|---:|---:|---:|"
    for name, row in rows.items():
        for variant in VARIANTS:
            counts = (row.verdicts[str(variant), verdict] for verdict in ("CLEAN", "HAZARD", "UNPROVEN", "BUG"))
            yield f"| {name} | {variant} | {' | '.join(map(str, counts))} |"
    yield ""
    yield f"BUG confirmed by execution: {sum(row.confirmed for row in rows.values())} of " + str(
        sum(n for row in rows.values() for (_, verdict), n in row.verdicts.items() if verdict == "BUG")
    )
    yield f"Code that is CLEAN and that the judge of assembly suspects: {sum(row.suspects for row in rows.values())}"


def detail_lines(records: Iterable[Record]) -> Iterator[str]:
    """Every file that is not simply right."""
    for record in sorted(records, key=lambda r: (r.package, r.file)):
        if record.error:
            yield f"{record.package} {record.file}: not checked: {record.error}"
        for v in record.variants:
            if v.verdict == "BUG":
                confirmed = f"{v.confirmed[0]} of {v.confirmed[1]}" if v.confirmed else "-"
                exits = ", ".join(v.exits)
                yield (
                    f"{record.package} {record.file}: {v.variant}: BUG {v.findings} ({exits}), "
                    f"assembly lines for {v.asm_findings}, confirmed {confirmed}, judge: {len(v.suspects)} suspect"
                )
            elif v.verdict == "UNPROVEN":
                yield f"{record.package} {record.file}: {v.variant}: UNPROVEN: {'; '.join(v.unproven)}"
            if v.verdict != "BUG" and v.suspects:
                yield f"{record.package} {record.file}: {v.variant}: {v.verdict}, suspect: {v.suspects[0]}"
            if v.unknown:
                yield f"{record.package} {record.file}: {v.variant}: unknown instructions: {', '.join(v.unknown)}"


def is_as_it_must_be(records: Iterable[Record]) -> bool:
    """No suspicion on clean code, and assembly lines for every finding."""
    return all(
        not (v.verdict == "CLEAN" and v.suspects) and (v.verdict != "BUG" or v.asm_findings == v.findings > 0)
        for record in records
        for v in record.variants
    )


def main() -> int:
    """Run what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="packages, kernels and results are kept here")
    parser.add_argument("--triton", type=Path, help="a Python that has Triton")
    parser.add_argument(
        "--package", action="append", choices=[p.name for p in PACKAGES], help="this one only; repeatable"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU time for one file, default 600")
    parser.add_argument("--table", action="store_true", help="only print what the results say so far")
    parser.add_argument("--list", action="store_true", help="only print one file of each kernel that was collected")
    options = parser.parse_args()
    cache: Path = options.cache.absolute()
    cache.mkdir(parents=True, exist_ok=True)
    packages = [p for p in PACKAGES if options.package is None or p.name in options.package]
    if options.table or options.list:
        folders = {p.name: cache / "llir" / p.name for p in packages if (cache / "llir" / p.name / INDEX).exists()}
    else:
        folders = {p.name: collected(p, cache, options.triton, options.jobs) for p in packages}
        check_all(folders, cache / RESULTS, options.jobs, options.seconds)
    if options.list:
        print(*one_of_each(folders.values()), sep="\n")
        return 0
    records = [r for r in read_records(cache / RESULTS) if r.package in folders]
    rows: dict[str, Row] = {}
    failures: list[str] = []
    for name, folder in folders.items():
        kernels, failed = kernels_of(folder / INDEX)
        rows[name] = row_of(kernels, failed, [r for r in records if r.package == name and r.file in kernels])
        failures += [f"{kernel}: {why}" for kernel, why in sorted(failed.items())]
    print("\n".join(table_lines(rows)))
    print("\n".join(["", *detail_lines(records)]))
    print("\n".join(["", "Kernels that did not compile:", *failures]))
    return 0 if is_as_it_must_be(records) else 1


if __name__ == "__main__":
    sys.exit(main())
