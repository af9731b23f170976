"""Sets up a private copy of ocloc from Debian's packages. The system's package lists and files stay as they are.

apt works on a state directory of its own, with one source: the distribution's own mirror, suite sid, where the
current compiler is. The packages are unpacked, not installed: their C library is newer than that of a stable Debian,
so the copy runs through its own loader (ocloc.private_ocloc). sid moves: no version and no file name is relied on.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from regtriage.tools.llc.errors import ToolFailure
from regtriage.tools.llc.process import run_process

from .ocloc import Ocloc, private_ocloc

_SUITE = "sid"
_PACKAGES = ("intel-ocloc", "libigc2", "libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libzstd1")
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_DEFAULT_MIRROR = "http://deb.debian.org/debian"
_TIME_LIMIT = 600.0


def private_folder() -> Path:
    """Where the private copy lies: $REGTRIAGE_OCLOC_DIR, else below the user's data directory."""
    named = os.environ.get("REGTRIAGE_OCLOC_DIR")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(data) / "regtriage" / "ocloc"


def install_ocloc(folder: Path, progress: Callable[[str], None]) -> Ocloc:
    """Download and unpack; whatever was in the folder is replaced once the new copy has answered.

    About 30 MB of downloads, 110 MB on disk. Raises ToolFailure, one line, if it cannot be done.
    """
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise _cannot(f"there is no {program}: only Debian's packages of ocloc are known here")
    if not _KEYRING.is_file():
        raise _cannot(f"{_KEYRING} is missing: Debian's packages could not be verified")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
        work = Path(scratch)
        apt = _apt(work)
        progress(f"reading the package list of Debian {_SUITE}")
        _run([*apt, "update"], "the package list cannot be read")
        progress("downloading " + ", ".join(_PACKAGES))
        debs = work / "debs"
        debs.mkdir()
        # apt-get download writes into the current directory.
        _run(["env", "-C", str(debs), *apt, "download", *_PACKAGES], "the packages cannot be downloaded")
        progress("unpacking")
        root = work / "copy" / "root"
        root.mkdir(parents=True)
        for package in sorted(debs.glob("*.deb")):
            _run(["dpkg-deb", "-x", str(package), str(root)], f"{package.name} cannot be unpacked")
        copy = private_ocloc(work / "copy")
        if copy is None:
            raise _cannot("the packages do not hold ocloc and a loader where they used to")
        version = copy.version
        progress(f"{version} answers")
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(folder)
        (work / "copy").rename(folder)
    installed = private_ocloc(folder)
    assert installed is not None
    return installed


def _apt(work: Path) -> list[str]:
    for name in ("lists/partial", "cache/archives/partial", "sources"):
        (work / name).mkdir(parents=True)
    (work / "sources/sid.sources").write_text(
        f"Types: deb\nURIs: {_mirror()}\nSuites: {_SUITE}\nComponents: main\nSigned-By: {_KEYRING}\n"
    )
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": work / "sources",
        "Dir::State::lists": work / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "",
        "APT::Update::Post-Invoke": "",
        "APT::Update::Post-Invoke-Success": "",
    }
    return ["apt-get", "-q", *(f"-o{name}={value}" for name, value in options.items())]


def _mirror() -> str:
    """The mirror of the system's own Debian sources, which may be a local one."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for file in files:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for address in re.findall(r"\b(?:https?|file)://?\S+", file.read_text()):
                if re.search(r"debian/?$", address) and "security" not in address:
                    return address.rstrip("/")
    return _DEFAULT_MIRROR


def _run(command: list[str], what: str) -> None:
    finished = run_process(command, time_limit=_TIME_LIMIT, environment={**os.environ, "LC_ALL": "C"})
    if finished.status != 0:
        lines = [line for line in finished.stderr.splitlines() if line.startswith(("E:", "dpkg"))]
        words = (lines or finished.stderr.strip().splitlines() or ["no reason is given"])[-1]
        raise ToolFailure(f"regtriage: error: {what}: {words}", command, finished.status)


def _cannot(why: str) -> ToolFailure:
    return ToolFailure(f"regtriage: error: cannot set up ocloc: {why}")
