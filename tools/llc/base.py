"""What every compiler has in common: the interface, and results that appear whole or not at all."""

from __future__ import annotations

import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from .errors import InputError
from .request import Compilation, CompileRequest, LlcIdentity, Stage, StageWhen, Variant

ASM_NAME = "asm.s"
_STAGE_NAME = re.compile(r"(?P<sequence>\d\d)-(?P<when>before|after)-(?P<pass>.+)-(?P<index>\d+)\.mir")


class Llc(ABC):
    """A compiler that shows the MIR around register allocation."""

    @cached_property
    def identity(self) -> LlcIdentity:
        """Which compiler this is. Raises ToolFailure if it cannot be run."""
        return self._identify()

    @abstractmethod
    def _identify(self) -> LlcIdentity: ...

    @abstractmethod
    def supports(self, variant: Variant) -> bool:
        """Whether it can compile this way."""

    @abstractmethod
    def compile(self, request: CompileRequest, out_dir: Path) -> Compilation:
        """Compile, and leave assembly and stages in out_dir, which is made if need be.

        Raises InputError if the input or the request is wrong, ToolFailure if the compiler fails; out_dir is
        then as it was.
        """

    def require(self, variant: Variant, why_not: str) -> None:
        """Raises InputError if the variant is not supported."""
        if not self.supports(variant):
            raise InputError(f"{self.identity.path}: error: no variant '{variant}': {why_not}")


@contextmanager
def scratch_directory() -> Generator[Path, None, None]:
    """A directory that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="regtriage-") as name:
        yield Path(name)


def deliver(scratch: Path, out_dir: Path) -> tuple[Stage, ...]:
    """Move all files of a scratch directory to where they are wanted, and return the stages among them.

    Raises InputError if they cannot be written there.
    """
    files = sorted(scratch.iterdir())
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.move(file, out_dir / file.name)
    except OSError as error:
        place = error.filename or out_dir
        raise InputError(f"{place}: error: cannot write: {error.strerror or error}") from None
    return tuple(sorted(filter(None, (_stage(out_dir / file.name) for file in files))))


def _stage(path: Path) -> Stage | None:
    found = _STAGE_NAME.fullmatch(path.name)
    if not found:
        return None
    return Stage(int(found["sequence"]), StageWhen(found["when"]), found["pass"], int(found["index"]), path)


def stage_file_name(sequence: int, when: StageWhen, pass_name: str, index: int) -> str:
    """The file name of a stage, as the llc of this package gives it."""
    return f"{sequence:02}-{when}-{pass_name}-{index}.mir"
