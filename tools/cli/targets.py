"""Files and folders that a command writes: refused, before any work is done, where writing would fail or lose an input.

An option is an output if its type is `OutputFile`; whatever else of a call names a file is an input.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

import click


class OutputFile(click.Path):
    """A file to write, which may be there already. `-` is let through: what it means is for the option."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False, readable=False)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; fails if it could not be written in the end."""
        given = os.fspath(value)
        why = None if given == "-" else _why_no_file(given)
        if why is not None:
            self.fail(f"cannot write {given}: {why}", param, ctx)
        return Path(given)


class OutputFolder(click.Path):
    """A folder to write to, which is made if it is not there."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False, readable=False)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; fails if it could not be written to in the end."""
        path = Path(os.fspath(value))
        try:
            there = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
            if not there.is_dir():
                name = path if there == path.absolute() else there
                self.fail(f"{name} is a file, not a folder", param, ctx)
            if not os.access(there, os.W_OK | os.X_OK):
                self.fail(f"cannot write to {path}: Permission denied", param, ctx)
        except OSError as error:
            self.fail(f"cannot write to {path}: {error.strerror}", param, ctx)
        return path


def _why_no_file(name: str) -> str | None:
    """Why a file cannot be written; None if it can. Files are replaced, so it is their folder that counts."""
    path = Path(name)
    try:
        if path.is_dir():
            return "it is a directory"
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):  # a pipe, /dev/null
            return None if os.access(path, os.W_OK) else "Permission denied"
        folder = path.resolve().parent
        if not folder.is_dir():
            return "there is no such directory"
        return None if os.access(folder, os.W_OK | os.X_OK) else "Permission denied"
    except OSError as error:
        return error.strerror or str(error)
    except RuntimeError:  # Path.resolve, up to Python 3.12
        return os.strerror(errno.ELOOP)


@runtime_checkable
class _HasPath(Protocol):
    @property
    def path(self) -> Path | None: ...


def refuse_lost_files(context: click.Context, parameters: Iterable[click.Parameter]) -> None:
    """Refuse a call whose outputs would overwrite one of its inputs, or each other.

    Files are the same whatever they are called: links are followed. What is no plain file, such as /dev/null, may be
    written to as often as one likes. Raises InputError.
    """
    from regtriage.tools.llc.errors import InputError

    outputs: list[tuple[str, Path]] = []
    inputs: list[tuple[str, Path]] = []
    for parameter in parameters:
        value: object = context.params.get(parameter.name or "")
        if isinstance(parameter.type, OutputFile):
            outputs += [(parameter.opts[-1], path) for path in _paths(value) if _is_plain(path)]
        else:
            what = "the input" if isinstance(parameter, click.Argument) else f"the file of {parameter.opts[-1]}"
            names = isinstance(parameter, click.Argument) or "PATH" in (parameter.metavar or "")
            inputs += [(what, path) for path in (_named(value) if names else _paths(value))]
    for number, (option, path) in enumerate(outputs):
        for what, other in inputs:
            if _is_same(path, other):
                raise InputError(f"{path}: error: {option} would overwrite {what}")
            if _is_kernel_in(path, other):
                what = "overwrite" if path.exists() else "be taken for"
                raise InputError(f"{path}: error: {option} would {what} a kernel of {other}")
        for earlier, other in outputs[:number]:
            if _is_same(path, other):
                both = f"{earlier} and {option} name" if earlier != option else f"{option} names"
                raise InputError(f"{path}: error: {both} the same file{' twice' if earlier == option else ''}")


def _paths(value: object) -> Iterator[Path]:
    """The paths in the value of a parameter."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, _HasPath) and value.path is not None:
        yield value.path
    elif isinstance(value, tuple):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _paths(one)  # pyright: ignore[reportUnknownArgumentType]


def _named(value: object) -> Iterator[Path]:
    """Also files that a text begins with: `STORE:KEY=VALUE`, `KERNEL#NAME`, `PATH=…`."""
    if isinstance(value, str):
        ends = [*(m.start() for m in re.finditer("[:#=@%]", value)), len(value)]
        yield from (Path(value[:end]) for end in ends if end)
    elif isinstance(value, tuple):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _named(one)  # pyright: ignore[reportUnknownArgumentType]
    else:
        yield from _paths(value)


def _is_plain(path: Path) -> bool:
    return not path.exists() or path.is_file()


def _is_kernel_in(path: Path, folder: Path) -> bool:
    """Whether a file is, or would be, one of those that a folder is read for."""
    try:
        if not folder.is_dir() or folder.resolve() not in path.resolve().parents:
            return False
    except (OSError, RuntimeError):
        return False
    from regtriage.tools.sweep.kernels import SUFFIXES

    return path.resolve().suffix in SUFFIXES


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve() or one.samefile(other)
    except (OSError, RuntimeError):  # there is no such file, or none can be
        return False
