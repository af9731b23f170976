"""Collects `.llir` from modules of Triton kernels: finds the modules, asks a worker for each, writes what compiles.

A kernel is a function of Triton's that returns nothing, and that no other such function of the sources calls; one
that the list of signatures names is a kernel in any case. What is written names no folder of this machine: sources
are named from the root of their imports, Triton's own files from `triton`.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from regtriage.tools.llc.errors import InputError

from .guess import guesses, is_kernel
from .model import Constant, Description, Options, Signature
from .signatures import Wanted
from .worker_process import Worker, WorkerDied

INDEX = "index.json"
_SCHEMA = 1
_MOST_TRIES = 16

_T = TypeVar("_T")
_R = TypeVar("_R")
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
    root: Path
    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class _Surveyed:
    """A module that was imported once. called: identities of the functions that its functions call."""

    module: _Module
    descriptions: tuple[Description, ...]
    called: frozenset[str]
    error: str | None
    triton: str


def collect(request: CollectRequest, progress: Progress = lambda _: None) -> tuple[Item, ...]:
    """Write the files and the index; the index's items of these sources, sorted.

    Raises InputError for sources that cannot be read, an index that is none, entries of `wanted` that fit no kernel;
    ToolFailure where there is no Triton.
    """
    modules = _modules(request.sources, request.root)
    request.out.mkdir(parents=True, exist_ok=True)
    old = _old_items(request.out / INDEX)
    with concurrent.futures.ThreadPoolExecutor(request.jobs) as pool:
        surveyed = [
            s for s in _each(pool, lambda m: _survey(request, m), modules, progress, "reading") if s is not None
        ]
        called = frozenset[str]().union(*(s.called for s in surveyed))
        _check_wanted(request, surveyed)
        found = _each(pool, lambda s: _collect_module(request, s, called), surveyed, progress, "compiling")
    items = sorted((i for part in found for i in part), key=lambda i: (i.module, i.kernel, i.file or ""))
    _write_index(request.out / INDEX, old, items, {m.name for m in modules})
    return tuple(items)


def _each(
    pool: concurrent.futures.Executor, work: Callable[[_T], _R], over: Sequence[_T], progress: Progress, verb: str
) -> list[_R]:
    futures = [pool.submit(work, one) for one in over]
    try:
        results: list[_R] = []
        for number, future in enumerate(futures, 1):
            results.append(future.result())
            progress(f"{verb} modules: {number} of {len(futures)}")
        return results
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


# Sources


def _modules(sources: Iterable[Path], root: Path | None) -> list[_Module]:
    found: dict[Path, _Module] = {}
    for source in sources:
        if not source.exists():
            raise InputError(f"{source}: error: no such file or directory")
        files = sorted(source.rglob("*.py")) if source.is_dir() else [source]
        if not source.is_dir() and source.suffix != ".py":
            raise InputError(f"{source}: error: not a Python module (.py)")
        for path in files:
            if source.is_dir() and not _has_kernels(path):
                continue
            found[path.resolve()] = _module(path.resolve(), root.resolve() if root else None)
    if not found:
        raise InputError(f"{', '.join(map(str, sources))}: error: no module here uses triton.jit")
    return list(found.values())


def _has_kernels(path: Path) -> bool:
    return b"triton.jit" in path.read_bytes()


def _module(path: Path, root: Path | None) -> _Module:
    start = root
    if start is None:
        start = path.parent
        while (start / "__init__.py").exists() and start.parent != start:
            start = start.parent
    try:
        parts = path.relative_to(start).with_suffix("").parts
    except ValueError:
        raise InputError(f"{path}: error: not below the root {start}") from None
    name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    return _Module(start, name, path)


def _survey(request: CollectRequest, module: _Module) -> _Surveyed | None:
    try:
        with _worker(request, module) as worker:
            called = frozenset(c for d in worker.descriptions for f in d.functions.values() for c in f.calls.values())
            return _Surveyed(module, worker.descriptions, called, worker.module_error, worker.triton)
    except WorkerDied as error:
        return _Surveyed(module, (), frozenset(), str(error), "")


def _worker(request: CollectRequest, module: _Module) -> Worker:
    return Worker(request.python, module.root, module.name, request.arch, request.time_limit)


def _check_wanted(request: CollectRequest, surveyed: Sequence[_Surveyed]) -> None:
    for wanted in request.wanted:
        named = [d for s in surveyed for d in s.descriptions if wanted.fits(s.module.name, d.kernel)]
        if not named:
            raise InputError(f"{wanted.place}: error: no kernel `{wanted.kernel}` in these modules")
        for description in named:
            known = {p.name for p in description.functions[description.function].parameters}
            strange = [n for n in (*wanted.types, *wanted.constants, *(wanted.attributes or ())) if n not in known]
            if strange:
                raise InputError(f"{wanted.place}: error: `{wanted.kernel}` has no argument `{strange[0]}`")


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
            fixed = [_replaced(s, entry, description) for s in guesses(description, Options())]
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


def _replaced(guess: Signature, entry: Wanted, description: Description) -> Signature:
    types = {n: t for n, t in guess.types.items() if n not in entry.constants} | dict(entry.types)
    constants = {n: c for n, c in guess.constants.items() if n not in entry.types} | dict(entry.constants)
    del description
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


def _collect_module(request: CollectRequest, surveyed: _Surveyed, called: frozenset[str]) -> list[Item]:
    module = surveyed.module
    items: list[Item] = []
    if surveyed.error is not None:
        items.append(_failed(request, surveyed, "", surveyed.error))
    todo: list[tuple[Description, list[Wanted]]] = []
    for description in surveyed.descriptions:
        wanted = [w for w in request.wanted if w.fits(module.name, description.kernel)]
        function = description.functions[description.function]
        launched = description.function not in called and is_kernel(function)
        if request.kernels and description.kernel not in request.kernels:
            continue
        if wanted or (launched and request.guess):
            todo.append((description, wanted))
    if todo:
        with _Restarting(request, module) as worker:
            for description, wanted in todo:
                items += _collect_kernel(request, surveyed, worker, description, wanted)
    return items


class _Restarting:
    """A worker that is started anew where it died."""

    def __init__(self, request: CollectRequest, module: _Module) -> None:
        self._request = request
        self._module = module
        self._worker: Worker | None = None

    def __enter__(self) -> _Restarting:
        return self

    def __exit__(self, *_reason: object) -> None:
        self._drop()

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def compile(self, signature: Signature) -> dict[str, Any]:
        try:
            if self._worker is None:
                self._worker = _worker(self._request, self._module)
            answer = self._worker.compile(signature)
        except WorkerDied as error:
            self._drop()
            return {"error": str(error)}
        if "llir" in answer:
            answer["llir"] = without_paths(answer["llir"], self._module.root, self._worker.package)
        return answer


def _collect_kernel(
    request: CollectRequest,
    surveyed: _Surveyed,
    worker: _Restarting,
    description: Description,
    wanted: Sequence[Wanted],
) -> list[Item]:
    items: dict[str, Item] = {}
    failures: list[str] = []
    for signatures in _candidates(request, description, wanted):
        kept = 0
        errors: list[str] = []
        for signature in signatures[:_MOST_TRIES]:
            made = 0
            for options in request.options:
                asked = replace(signature, options=_over(signature.options, options))
                answer = worker.compile(asked)
                if "error" in answer:
                    errors.append(answer["error"])
                    break
                item = _written(request, surveyed, description, asked, answer, guessed=len(signatures) > 1)
                made += item.file not in items
                items.setdefault(item.file or "", item)
            kept += made > 0
            if kept >= max(request.guess, 1):
                break
        if not kept and errors:
            failures.append(errors[0])
    failed = [_failed(request, surveyed, description.kernel, error) for error in failures]
    return [*items.values(), *failed]


def _over(own: Options, asked: Options) -> Options:
    return replace(own, **asked.as_json())


def _written(
    request: CollectRequest,
    surveyed: _Surveyed,
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
    return Item(surveyed.module.name, description.kernel, file, None, surveyed.triton, request.arch, final, guessed)


def _failed(request: CollectRequest, surveyed: _Surveyed, kernel: str, error: str) -> Item:
    return Item(surveyed.module.name, kernel, None, error, surveyed.triton, request.arch, None, guessed=False)


_DIRECTORY = re.compile(r'(directory: ")(/[^"]*)(")')


def without_paths(llir: str, root: Path, triton: Path) -> str:
    """Debug information without folders of this machine. triton: the folder of Triton's package."""

    def relative(match: re.Match[str]) -> str:
        folder = Path(match.group(2))
        for base, name in ((root, Path()), (triton, Path("triton"))):
            if folder.is_relative_to(base):
                return match.group(1) + str(name / folder.relative_to(base)) + match.group(3)
        return match.group(1) + folder.name + match.group(3)

    return _DIRECTORY.sub(relative, llir)


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


def _write_index(path: Path, old: list[dict[str, Any]], items: Sequence[Item], modules: set[str]) -> None:
    kernels = [i for i in old if i["module"] not in modules] + [i.as_json() for i in items]
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
