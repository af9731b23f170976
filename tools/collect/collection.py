"""Collects `.llir` from modules of Triton kernels: finds the kernels, asks a worker for each module, writes the files.

Which functions are kernels `survey.py` says; one that the list of signatures names is a kernel in any case. What is
written names no folder of this machine: sources are named from the root of their imports, Triton's own files from
`triton`.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regtriage.tools.llc.errors import InputError

from .guess import guesses
from .model import Constant, Description, Options, Signature
from .session import Session, Stop
from .signatures import Wanted
from .survey import Source, kernels_of, read_source
from .worker_process import WorkerDied

INDEX = "index.json"
_SCHEMA = 1
_MOST_TRIES = 16
_MOST_DEATHS = 2
"""Of workers, over one kernel: a kernel that Triton does not finish is not tried for ever."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CollectRequest:
    """What to collect.

    sources: modules and folders of modules; root: where their imports start, None to find it by `__init__.py`.
    python: has Triton. guess: how many signatures to keep of each kernel that `wanted` does not spell out, 0 for
    none. options: a file is made for each. kernels: names, all if empty. time_limit: seconds for one compilation.
    """

    sources: tuple[Path, ...]
    out: Path
    python: Path
    root: Path | None = None
    arch: str = "gfx950"
    wanted: tuple[Wanted, ...] = ()
    guess: int = 0
    options: tuple[Options, ...] = (Options(),)
    kernels: tuple[str, ...] = ()
    time_limit: float = 60.0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the index: a file, or why there is none. kernel: "" where the module itself is to blame."""

    module: str
    kernel: str
    file: str | None
    error: str | None
    triton: str
    arch: str
    signature: Signature | None
    guessed: bool

    def as_json(self) -> dict[str, Any]:
        """As the index has it."""
        found: dict[str, Any] = {
            "module": self.module,
            "kernel": self.kernel,
            "file": self.file,
            "error": self.error,
            "triton": self.triton,
            "arch": self.arch,
        }
        if self.signature is not None:
            found["guessed"] = self.guessed
            found["arguments"] = dict(self.signature.types)
            found["constants"] = dict(self.signature.constants)
            found["attributes"] = {
                name: {kind.removeprefix("tt."): number for kind, number in pairs}
                for name, pairs in self.signature.attributes.items()
                if name in self.signature.types
            }
            found["options"] = self.signature.options.as_json()
        return found


@dataclass(frozen=True, slots=True)
class _Module:
    """kernels: those to collect. source: what its text says."""

    root: Path
    name: str
    path: Path
    source: Source
    kernels: frozenset[str]


def collect(request: CollectRequest, progress: Progress = lambda _: None) -> tuple[Item, ...]:
    """Write the files and the index; the index's items of these sources, sorted.

    Where it is stopped, the index has the modules that are done.

    Raises InputError for sources that cannot be read, an index that is none, entries of `wanted` that fit no kernel;
    ToolFailure where there is no Triton.
    """
    modules = _modules(request)
    request.out.mkdir(parents=True, exist_ok=True)
    _old_items(request.out / INDEX)
    todo = [m for m in modules if m.kernels]
    found: dict[str, list[Item]] = {m.name: [] for m in modules if not m.kernels}
    stop = Stop()

    def keep(module: str, items: list[Item]) -> None:
        found[module] = items
        progress(f"{len(found) + len(todo) - len(modules)} of {len(todo)} modules: {module}")

    with concurrent.futures.ThreadPoolExecutor(request.jobs) as pool:
        shares = [todo[n :: request.jobs] for n in range(request.jobs)]
        futures = [pool.submit(_collect_modules, request, share, keep, stop) for share in shares]
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
        finally:
            stop.now()
            _write_index(request.out / INDEX, found)
    return tuple(
        sorted((i for items in found.values() for i in items), key=lambda i: (i.module, i.kernel, i.file or ""))
    )


# Sources


def _modules(request: CollectRequest) -> list[_Module]:
    files: dict[Path, Source] = {}
    for given in request.sources:
        if not given.exists():
            raise InputError(f"{given}: error: no such file or directory")
        if not given.is_dir() and given.suffix != ".py":
            raise InputError(f"{given}: error: not a Python module (.py)")
        for path in sorted(given.rglob("*.py")) if given.is_dir() else [given]:
            files[_absolute(path)] = read_source(path)
    kernels = kernels_of(files)
    modules: list[_Module] = []
    for path, source in files.items():
        if source.parameters:
            root, name = _name(path, _absolute(request.root) if request.root else None)
            modules.append(_Module(root, name, path, source, _asked(request, name, source, kernels[path])))
    if not modules:
        raise InputError(f"{', '.join(map(str, request.sources))}: error: no function under triton.jit here")
    _check_names(request, modules)
    return modules


def _absolute(path: Path) -> Path:
    """Links are kept: a module below the root may be one that leads out of it."""
    return Path(os.path.abspath(path))  # noqa: PTH100  # Path.absolute leaves `..`


def _name(path: Path, root: Path | None) -> tuple[Path, str]:
    """Where imports start, and the module's name from there."""
    start = root or path.parent
    while root is None and (start / "__init__.py").exists() and start.parent != start:
        start = start.parent
    if not path.is_relative_to(start):
        raise InputError(f"{path}: error: not below the root {start}")
    parts = path.relative_to(start).with_suffix("").parts
    return start, ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _asked(request: CollectRequest, module: str, source: Source, kernels: frozenset[str]) -> frozenset[str]:
    """The functions to collect: kernels if they are to be guessed, and what the signatures name."""
    named = {name for name in source.parameters for w in request.wanted if w.fits(module, name)}
    found = named | kernels if request.guess else named
    return frozenset(name for name in found if not request.kernels or name in request.kernels)


def _check_names(request: CollectRequest, modules: Sequence[_Module]) -> None:
    for wanted in request.wanted:
        fitting = [m for m in modules if wanted.kernel in m.source.parameters and wanted.fits(m.name, wanted.kernel)]
        if not fitting:
            raise InputError(f"{wanted.place}: error: no kernel `{wanted.kernel}` in these modules")
        known = fitting[0].source.parameters[wanted.kernel]
        for name in (*wanted.types, *wanted.constants, *(wanted.attributes or ())):
            if name not in known:
                raise InputError(f"{wanted.place}: error: `{wanted.kernel}` has no argument `{name}`")
    known = {name for m in modules for name in m.source.parameters}
    for name in request.kernels:
        if name not in known:
            raise InputError(f"--kernel {name}: error: no such function under triton.jit in these modules")


# Signatures


def _candidates(
    request: CollectRequest, description: Description, wanted: Sequence[Wanted]
) -> Iterator[list[Signature]]:
    """Lists of signatures of one kernel: of each, the first that compile are wanted, as many as are asked for."""
    if not wanted and request.guess:
        yield list(guesses(description, Options()))
    for entry in wanted:
        complete = _complete(description, entry)
        if complete is not None:
            yield [complete]
        elif request.guess:
            fixed = [_replaced(s, entry) for s in guesses(description, Options())]
            yield [s for i, s in enumerate(fixed) if s not in fixed[:i]]
        else:
            names = [p.name for p in description.functions[description.function].parameters]
            missing = next(n for n in names if n not in entry.types and n not in entry.constants)
            raise InputError(
                f"{entry.place}: error: neither type nor constant for argument `{missing}` of `{entry.kernel}`"
            )


def _complete(description: Description, entry: Wanted) -> Signature | None:
    """What the entry says, defaults filled in; None where something is missing."""
    types, constants = dict(entry.types), dict(entry.constants)
    for parameter in description.functions[description.function].parameters:
        if parameter.name in types or parameter.name in constants:
            continue
        if not (parameter.constexpr and parameter.has_default):
            return None
        constants[parameter.name] = parameter.default
    return Signature(entry.kernel, types, constants, (), entry.attributes or {}, entry.options)


def _replaced(guess: Signature, entry: Wanted) -> Signature:
    types = {n: t for n, t in guess.types.items() if n not in entry.constants} | dict(entry.types)
    constants = {n: c for n, c in guess.constants.items() if n not in entry.types} | dict(entry.constants)
    given = entry.options.as_json()
    return replace(
        guess,
        types=types,
        constants=constants,
        derive=tuple(n for n in guess.derive if n not in entry.constants),
        attributes={**guess.attributes, **(entry.attributes or {})},
        options=replace(guess.options, **given),
    )


# Compiling


def _collect_modules(
    request: CollectRequest, modules: Sequence[_Module], keep: Callable[[str, list[Item]], None], stop: Stop
) -> None:
    """Through one worker for each root: to import a package once for all its modules saves most of the time."""
    for root in dict.fromkeys(m.root for m in modules):
        with Session(request.python, root, request.arch, request.time_limit, stop) as worker:
            for module in modules:
                if module.root == root:
                    keep(module.name, _collect_module(request, worker, module))


def _collect_module(request: CollectRequest, worker: Session, module: _Module) -> list[Item]:
    worker.module = module.name
    try:
        found = worker.described()
    except WorkerDied as error:
        return [_failed(request, worker, "", str(error))]
    kernels = {d.kernel: d for d in found.kernels}
    items = [_failed(request, worker, "", found.error)] if found.error else []
    for name in sorted(module.kernels):
        if name in kernels:
            items += _collect_kernel(request, worker, kernels[name])
        elif not found.error:
            items.append(_failed(request, worker, name, "the module has no such function once it is imported"))
    return items


def _collect_kernel(request: CollectRequest, worker: Session, description: Description) -> list[Item]:
    wanted = [w for w in request.wanted if w.fits(worker.module, description.kernel)]
    worker.deaths = 0
    items: dict[str, Item] = {}
    failures: list[str] = []
    for signatures in _candidates(request, description, wanted):
        kept, errors = 0, list[str]()
        for signature in signatures[:_MOST_TRIES]:
            made = _compiled(request, worker, description, signature, errors, guessed=len(signatures) > 1)
            kept += any(item.file not in items for item in made)
            items |= {item.file or "": item for item in made if item.file not in items}
            if kept >= max(request.guess, 1) or worker.deaths >= _MOST_DEATHS:
                break
        if not kept and errors:
            failures.append(errors[0])
    return [*items.values(), *(_failed(request, worker, description.kernel, error) for error in failures)]


def _compiled(
    request: CollectRequest,
    worker: Session,
    description: Description,
    signature: Signature,
    errors: list[str],
    *,
    guessed: bool,
) -> list[Item]:
    """The files of one signature, one for each of the options; what fails is added to `errors`."""
    made: list[Item] = []
    for options in request.options:
        asked = replace(signature, options=replace(signature.options, **options.as_json()))
        answer = worker.compile(asked)
        if "error" in answer:
            errors.append(answer["error"])
            if not made:
                break  # with other options it is as wrong
            continue
        made.append(_written(request, worker, description, asked, answer, guessed=guessed))
    return made


def _written(
    request: CollectRequest,
    worker: Session,
    description: Description,
    signature: Signature,
    answer: Mapping[str, Any],
    *,
    guessed: bool,
) -> Item:
    text: str = answer["llir"]
    constants: dict[str, Constant] = answer["constants"]
    file = f"{description.kernel}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.llir"
    _write_whole(request.out / file, text)
    final = replace(signature, constants=constants)
    return Item(worker.module, description.kernel, file, None, worker.triton, request.arch, final, guessed)


def _failed(request: CollectRequest, worker: Session, kernel: str, error: str) -> Item:
    return Item(worker.module, kernel, None, error, worker.triton, request.arch, None, guessed=False)


# The index


def _old_items(path: Path) -> list[dict[str, Any]]:
    """Items of earlier collections into the same folder."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["tool"] != "regtriage collect" or value["schema"] != _SCHEMA:
            raise ValueError
        return value["kernels"]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: error: not an index that `regtriage collect` wrote") from None


def _write_index(path: Path, found: Mapping[str, Sequence[Item]]) -> None:
    """What was found, by module, in place of what is there of these modules by now."""
    old = _old_items(path)
    kernels = [i for i in old if i["module"] not in found] + [i.as_json() for items in found.values() for i in items]
    kernels.sort(key=lambda i: (i["module"], i["kernel"], i["file"] or ""))
    value = {"schema": _SCHEMA, "tool": "regtriage collect", "kernels": kernels}
    _write_whole(path, json.dumps(value, indent=1) + "\n")


def _write_whole(path: Path, text: str) -> None:
    """Write the file, or leave what was there."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~_UMASK)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


_UMASK = _umask()
