"""`regtriage collect`: LLVM IR of Triton kernels, from their Python source."""

from __future__ import annotations

import shutil
import sys
from itertools import product
from pathlib import Path

import click
from regtriage.tools.collect.collection import CollectRequest, Item, collect
from regtriage.tools.collect.model import Options
from regtriage.tools.collect.signatures import read_signatures
from regtriage.tools.llc.cpus import AMDGPU, require_cpu
from regtriage.tools.llc.run import InputError, resolve_llc

from . import output
from .exits import ExitCode
from .options import Session, command

_EXAMPLES = """
regtriage collect kernels.py --signature signatures.yaml -o llir
regtriage collect src/package/ops --guess 2 -o llir --triton ~/triton/bin/python
regtriage collect attention.py --guess 1 --num-warps 4 --num-warps 8 --waves-per-eu 2 -o llir
"""


@command("collect", _EXAMPLES)
@click.argument("sources", nargs=-1, required=True, metavar="MODULE.py|DIR…", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option(
    "--signature", type=click.Path(path_type=Path), metavar="FILE", help="How kernels are called: YAML or JSON."
)
@click.option(
    "--guess",
    type=click.IntRange(1),
    metavar="N",
    help="Guess what is not said, from the source, and keep the first N guesses that compile.",
)
@click.option("--kernel", "kernels", multiple=True, metavar="NAME", help="Collect this kernel only.")
@click.option("--cpu", default="gfx950", metavar="CPU", help="The processor.  [default: gfx950]")
@click.option(
    "--num-warps", multiple=True, type=click.IntRange(1), metavar="N", help="In place of what is said or guessed."
)
@click.option("--num-stages", multiple=True, type=click.IntRange(1), metavar="N", help="Likewise.")
@click.option(
    "--waves-per-eu", multiple=True, type=click.IntRange(0), metavar="N", help="Likewise; 0 leaves it to LLVM."
)
@click.option("--triton", "python", metavar="PYTHON", help="The Python that has Triton.  [default: this one]")
@click.option(
    "--root", type=click.Path(path_type=Path), metavar="DIR", help="Where imports start.  [default: by __init__.py]"
)
@click.option(
    "--time-limit", type=click.FloatRange(1), default=60.0, metavar="S", help="For one compilation.  [default: 60]"
)
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Modules at a time.  [default: 1]")
def collect_command(
    session: Session,
    sources: tuple[Path, ...],
    out: Path,
    signature: Path | None,
    guess: int | None,
    kernels: tuple[str, ...],
    cpu: str,
    num_warps: tuple[int, ...],
    num_stages: tuple[int, ...],
    waves_per_eu: tuple[int, ...],
    python: str | None,
    root: Path | None,
    time_limit: float,
    jobs: int,
) -> ExitCode:
    """Compile the Triton kernels of modules to .llir, the input of the other commands.

    Writes DIR/KERNEL-HASH.llir and DIR/index.json, which says how each was called and why others have no file. Needs no
    GPU and no torch: what cannot be imported is replaced by a stand-in. The modules are run, as Python's import runs
    them. An option that is given several times makes a file for each value.

    A kernel that fails does not stop the rest. Exits with 3 if one does, and with 2 if there is no kernel.
    """
    if signature is None and guess is None:
        raise click.UsageError("say how kernels are called: --signature FILE, --guess N, or both")
    require_cpu(resolve_llc(), cpu, AMDGPU)
    choices = product(num_warps or (None,), num_stages or (None,), waves_per_eu or (None,))
    request = CollectRequest(
        sources=sources,
        out=out,
        python=_python(python),
        root=root,
        arch=cpu,
        wanted=read_signatures(signature) if signature else (),
        guess=guess or 0,
        options=tuple(Options(*choice) for choice in choices),
        kernels=kernels,
        time_limit=time_limit,
        jobs=jobs,
    )
    with output.progress(session.verbose) as progress:
        items = collect(request, progress)
    return _report(request, items, session)


def _python(given: str | None) -> Path:
    if given is None:
        return Path(sys.executable)
    found = shutil.which(given)
    if found is None:
        raise InputError(f"{given}: error: no such program")
    return Path(found).absolute()


def _report(request: CollectRequest, items: tuple[Item, ...], session: Session) -> ExitCode:
    made = [i for i in items if i.file]
    failed = [i for i in items if not i.file]
    if not items:
        raise InputError(f"{', '.join(map(str, request.sources))}: error: no kernel to compile")
    for item in made:
        output.write(f"{request.out / (item.file or '')}\n")
    for item in failed:
        place = ":".join(filter(None, (item.module, item.kernel)))
        output.complain(f"{place}: error: {item.error}")
    kernels = {(i.module, i.kernel) for i in made}
    complete = f"{len(made)} files of {len(kernels)} kernels"
    output.complain(
        f"regtriage: {complete}, {len({(i.module, i.kernel) for i in failed})} failed"
        if failed
        else f"regtriage: {complete}"
    )
    return ExitCode.FAILURE if failed else ExitCode.CLEAN
