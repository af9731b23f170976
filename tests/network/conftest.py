"""Packages from PyPI: fetched once a session, or once and for all into $REGTRIAGE_NETWORK_CACHE."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

AITER = "amd-aiter==0.1.7.post2.dev18"

TritonPython = Callable[..., Path]
"""Takes the version and further requirements."""


def run_or_fail(*command: object, environment: dict[str, str] | None = None) -> str:
    """Run a command and return what it wrote on stdout; where it fails, the test fails with its words."""
    finished = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    if finished.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))}\n{finished.stderr}")
    return finished.stdout


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("REGTRIAGE_NETWORK_CACHE")
    if named is None:
        return tmp_path_factory.mktemp("network")
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def triton_python(cache: Path) -> TritonPython:
    """The Python of an environment that holds that version of Triton, and nothing else unless asked for."""

    def python(version: str, *others: str) -> Path:
        requirements = [f"triton=={version}", *others]
        folder = cache / "-".join(requirements)
        complete = folder / "complete"
        program = folder / "bin" / "python"
        if not complete.exists():
            run_or_fail(sys.executable, "-m", "venv", "--clear", folder)
            run_or_fail(program, "-m", "pip", "install", "--quiet", "--no-deps", *requirements)
            complete.touch()
        return program

    return python


@pytest.fixture(scope="session")
def unpacked_aiter(cache: Path) -> Path:
    """The folder of the unpacked wheel."""
    folder = cache / AITER
    complete = folder / "complete"
    if not complete.exists():
        run_or_fail(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, AITER)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.startswith("aiter/ops/triton/")])
        wheel.unlink()
        complete.touch()
    return folder
