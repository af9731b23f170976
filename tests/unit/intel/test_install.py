"""The private copy: what apt and dpkg are asked, and that a failure is one line and leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

import pytest
from regtriage.tools.intel import install
from regtriage.tools.intel.install import install_ocloc, private_folder
from regtriage.tools.llc.errors import ToolFailure

APT = """#!{python}
import pathlib, sys
pathlib.Path({log!r}).open("a").write(" ".join(sys.argv[1:]) + "\\n")
if {fail!r} in sys.argv:
    sys.stderr.write("E: Failed to fetch http://deb.debian.org/debian  Could not resolve 'deb.debian.org'\\n")
    sys.exit(100)
if "download" in sys.argv:
    pathlib.Path("ocloc.deb").write_text("")
"""
UNPACK = """#!{python}
import os, pathlib, sys
root = pathlib.Path(sys.argv[3])
lib = root / "usr/lib/x86_64-linux-gnu"
lib.mkdir(parents=True)
(root / "usr/bin").mkdir(parents=True)
program = root / "usr/bin/ocloc-1.2.3"
program.write_text("")
if {whole}:
    loader = lib / "ld-linux-x86-64.so.2"
    loader.write_text("#!/bin/sh\\nprintf 1.2.3 > OCL_DRIVER_VERSION\\n")
    loader.chmod(0o755)
    (lib / "libigc.so.9.8.7+0").write_text("")
"""


class MakeSystem(Protocol):
    """Returns the log of apt's calls. fail: the word of a call that fails. whole: the packages hold a loader."""

    def __call__(self, *, fail: str = "nothing", whole: bool = True) -> Path: ...


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeSystem:
    """Puts an apt-get and a dpkg-deb on PATH; returns what makes them, and the log of apt's calls."""

    def make(*, fail: str = "nothing", whole: bool = True) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        log = tmp_path / "apt.log"
        for name, text in (("apt-get", APT), ("dpkg-deb", UNPACK)):
            program = folder / name
            program.write_text(text.format(python=sys.executable, log=str(log), fail=fail, whole=whole))
            program.chmod(0o755)
        keyring = tmp_path / "keyring.gpg"
        keyring.touch()
        monkeypatch.setattr(install, "_KEYRING", keyring)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        return log

    return make


def test_a_copy_is_unpacked_and_answers(tmp_path: Path, system: MakeSystem):
    log = system()
    steps: list[str] = []
    copy = install_ocloc(tmp_path / "data" / "ocloc", steps.append)
    assert str(copy.version) == "ocloc 1.2.3, IGC 9.8.7"
    assert steps[-1] == "ocloc 1.2.3, IGC 9.8.7 answers"
    calls = log.read_text().splitlines()
    assert len(calls) == 2
    # The system's own lists, sources and packages are out of reach.
    assert all(
        "-oDir::Etc::sourcelist=/dev/null" in call and "-oDir::State::status=/dev/null" in call for call in calls
    )
    assert all(f"-oDir::State::lists={tmp_path / 'data'}" in call for call in calls)


def test_an_older_copy_is_replaced(tmp_path: Path, system: MakeSystem):
    system()
    folder = tmp_path / "ocloc"
    folder.mkdir()
    (folder / "old").touch()
    install_ocloc(folder, lambda step: None)
    assert [path.name for path in folder.iterdir()] == ["root"]


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        ("update", r"the package list cannot be read: E: Failed to fetch .* Could not resolve"),
        ("download", r"the packages cannot be downloaded: E: Failed to fetch"),
    ],
)
def test_a_failure_is_one_line_and_keeps_the_older_copy(tmp_path: Path, system: MakeSystem, fail: str, message: str):
    system(fail=fail)
    folder = tmp_path / "data" / "ocloc"
    folder.mkdir(parents=True)
    (folder / "old").touch()
    with pytest.raises(ToolFailure, match=message) as failure:
        install_ocloc(folder, lambda step: None)
    assert "\n" not in str(failure.value)
    assert [path.name for path in folder.parent.iterdir()] == ["ocloc"]
    assert (folder / "old").exists()


def test_packages_without_a_loader_are_refused(tmp_path: Path, system: MakeSystem):
    system(whole=False)
    with pytest.raises(ToolFailure, match="do not hold ocloc and a loader"):
        install_ocloc(tmp_path / "ocloc", lambda step: None)


def test_without_debians_tools_the_reason_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolFailure, match="there is no apt-get"):
        install_ocloc(tmp_path / "ocloc", lambda step: None)


def test_where_the_copy_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("REGTRIAGE_OCLOC_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert private_folder() == tmp_path / "regtriage" / "ocloc"
    monkeypatch.setenv("REGTRIAGE_OCLOC_DIR", "/elsewhere")
    assert private_folder() == Path("/elsewhere")
