"""Intel's offline compiler, ocloc, which turns SPIR-V into machine code with IGC and needs no GPU.

Two generations differ in what matters here. Of a kernel past the cap, IGC 2 says `total scratch space exceeds HW
supported limit` and fails, while the ocloc of 2022 reports success. So a kernel is always built with IGC's limit
raised out of the way, and its own figure is compared with the cap. Exit codes say little (a failed build ends with
245, an unknown device with 223): the messages and the binary are what counts.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regtriage.dataflow.intel.devices import Device
from regtriage.tools.llc.errors import InputError, ToolFailure
from regtriage.tools.llc.process import Finished, run_process

from .zebin import ZebinError, ZebinKernel, read_zebin

_RAISED_LIMIT = 16 << 20
_TIME_LIMIT = 300.0

_ERROR = re.compile(r"(?m)^(?:error: .*|.*: error: .*|Error: .*)$")
_SPILLED = re.compile(
    r"(?:in kernel '(?P<new>[^']*)': )?.*compiled SIMD\d+ allocated \d+ regs and spilled around (?P<n>\d+)"
)
_PTSS = re.compile(
    r"total scratch space exceeds HW supported limit(?: for kernel (?P<old>[^:]*))?: (?P<bytes>\d+) bytes"
    r" \(max permitted PTSS (?P<cap>\d+) bytes\)"
)
_NO_DEVICE = re.compile(
    r"Cannot get HW Info for device|Could not determine device target|Unknown device|Invalid device"
)


@dataclass(frozen=True, slots=True)
class OclocVersion:
    """driver: of ocloc and the runtime it belongs to; igc: of the compiler proper, "" if not known."""

    driver: str
    igc: str

    def __str__(self) -> str:
        return f"ocloc {self.driver}" + (f", IGC {self.igc}" if self.igc else "")


@dataclass(frozen=True, slots=True)
class Build:
    """One compilation. log: all that ocloc printed. device: the name that was accepted."""

    device: str
    kernels: tuple[ZebinKernel, ...]
    log: str
    seconds: float


@dataclass(frozen=True)
class Ocloc:
    """command: the words that start it (its own loader first, for a private copy). folder: where its libraries lie."""

    command: tuple[str, ...]
    folder: Path | None = None

    @cached_property
    def version(self) -> OclocVersion:
        """Raises ToolFailure if the program does not run."""
        with tempfile.TemporaryDirectory(prefix="regtriage-ocloc-") as directory:
            # ocloc writes the answers of `query` into files of the current directory.
            finished = self._run("query", "OCL_DRIVER_VERSION", directory=Path(directory), time_limit=60)
            answer = Path(directory) / "OCL_DRIVER_VERSION"
            if not answer.is_file():
                raise _failure(finished, self.command[-1])
            driver = answer.read_text(errors="replace").strip("\0 \n")
        return OclocVersion(driver, self._igc_version())

    def _igc_version(self) -> str:
        folders = [self.folder] if self.folder else [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/local/lib")]
        names = [file.name for folder in folders for file in folder.glob("libigc.so.*")]
        # `libigc.so.2.40.14+0`; what older packages have after the name is no version of IGC.
        versions = [name.removeprefix("libigc.so.").partition("+")[0] for name in names if "+" in name]
        return max(versions, default="")

    def has_dpas(self, device: str) -> bool | None:
        """Whether the device has a matrix unit, as this compiler reports it; None if this one cannot say."""
        with tempfile.TemporaryDirectory(prefix="regtriage-ocloc-") as directory:
            query = ("query", "CL_DEVICE_EXTENSIONS", "-device", device)
            self._run(*query, directory=Path(directory), time_limit=60)
            answer = Path(directory) / "CL_DEVICE_EXTENSIONS"
            if not answer.is_file():
                return None
            words = answer.read_text(errors="replace").split()
        if not words:
            return None
        return "cl_intel_subgroup_matrix_multiply_accumulate" in words

    def compile(self, spirv: Path, device: Device, *, time_limit: float | None = None) -> Build:
        """Compile SPIR-V with the limit on scratch raised.

        Where ocloc does not know the device, dg2 stands in for the other devices of 32-byte registers: the same
        kernels came out within 5 % of arl-s there. Raises InputError for SPIR-V that IGC refuses to read, ToolFailure
        otherwise, in IGC's words.
        """
        if not spirv.is_file():
            raise InputError(f"{spirv}: error: no such file")
        names = [device.name]
        if device.grf_bytes == 32 and device.name != "dg2":
            names.append("dg2")
        for name in names:
            with tempfile.TemporaryDirectory(prefix="regtriage-ocloc-") as directory:
                finished = self._compile(spirv, name, Path(directory), time_limit or _TIME_LIMIT)
                log = finished.stdout + finished.stderr
                if _NO_DEVICE.search(log):
                    continue
                # Both name it after -output and the device, each in its own way.
                binaries = sorted(Path(directory).glob("kernel*.bin"))
                data = binaries[0].read_bytes() if binaries else b""
                return Build(name, self._kernels(finished, data, device), log, finished.seconds)
        raise ToolFailure(f"{self.command[-1]}: error: does not know the device {device.name}", self.command)

    def _compile(self, spirv: Path, device: str, directory: Path, time_limit: float) -> Finished:
        options = f"-igc_opts 'MaxPerThreadScratchSpaceOverride={_RAISED_LIMIT}'"
        arguments = ("compile", "-spirv_input", "-file", str(spirv.absolute()), "-device", device)
        # The ocloc of 2022 does not know -o.
        arguments += ("-output", "kernel", "-out_dir", str(directory), "-options", options)
        return self._run(*arguments, *self._format, directory=directory, time_limit=time_limit)

    @cached_property
    def _format(self) -> tuple[str, ...]:
        major = self.version.driver.partition(".")[0]
        return ("--format", "zebin") if major.isdigit() and int(major) < 23 else ()

    def _kernels(self, finished: Finished, data: bytes, device: Device) -> tuple[ZebinKernel, ...]:
        log = finished.stdout + finished.stderr
        if not data:
            raise _failure(finished, self.command[-1])
        try:
            kernels = read_zebin(data)
        except ZebinError as error:
            raise ToolFailure(f"{self.command[-1]}: error: {error}", finished.command, finished.status, log) from None
        return tuple(_with_spill_of_log(kernel, log, device) for kernel in kernels)

    def _run(self, *arguments: str, directory: Path, time_limit: float) -> Finished:
        command = ("env", "-C", str(directory), *self.command, *arguments)
        return run_process(command, time_limit=time_limit)


def _with_spill_of_log(kernel: ZebinKernel, log: str, device: Device) -> ZebinKernel:
    """IGC before 2024 has no spill_size in .ze_info. Its log counts spilled registers, if there are many."""
    if kernel.spill_bytes is not None:
        return kernel
    counts = [int(m["n"]) for m in _SPILLED.finditer(log) if m["new"] in (None, kernel.name)]
    spill = counts[-1] * device.grf_bytes if counts else None
    return ZebinKernel(
        kernel.name, kernel.simd, kernel.grf_count, kernel.threads, spill,
        kernel.scratch_bytes, kernel.slm_bytes, kernel.barriers, kernel.code_bytes,
    )  # fmt: skip


def over_cap_message(log: str) -> tuple[int, int] | None:
    """Bytes wanted and bytes permitted, if IGC refused a kernel for its scratch; its older wording counts too."""
    found = _PTSS.search(log)
    return (int(found["bytes"]), int(found["cap"])) if found else None


def _failure(finished: Finished, program: str) -> ToolFailure:
    """IGC's own words: its errors, in order, without the summary that ocloc adds."""
    log = (finished.stdout + finished.stderr).strip()
    words = [line.strip() for line in _ERROR.findall(log)] or _last_line(log)
    first = (
        words[0].removeprefix("error: ").removeprefix("Error: ") if words else f"exited with status {finished.status}"
    )
    return ToolFailure(f"{Path(program).name}: error: {first}", finished.command, finished.status, "\n".join(words[1:]))


def _last_line(log: str) -> list[str]:
    said = [line.strip() for line in log.splitlines() if line.strip()]
    said = [line for line in said if not line.startswith(("Command was:", "Build failed", "Compilation from IR"))]
    return said[-1:]


# -- finding it -------------------------------------------------------------------------------------------


def find_ocloc(spec: str | None, private: Path, environment: str | None) -> Ocloc | None:
    """The compiler: the one named (`spec`), by the environment, on PATH, or the private copy; None if there is none.

    Raises InputError if one is named and is not there.
    """
    for named, what in ((spec, "--ocloc"), (environment, "REGTRIAGE_OCLOC")):
        if named:
            found = shutil.which(named)
            if found is None:
                raise InputError(f"{named}: error: no such program, named by {what}")
            return Ocloc((found,))
    for name in ("ocloc", "ocloc-26.27.1"):
        found = shutil.which(name)
        if found is not None:
            return Ocloc((found,))
    return private_ocloc(private)


def private_ocloc(private: Path) -> Ocloc | None:
    """The copy that `--install-ocloc` unpacked into a folder, started through the C library that came with it."""
    root = private / "root"
    programs = sorted(file for file in (root / "usr/bin").glob("ocloc*") if file.is_file())
    for libraries in sorted((root / "usr/lib").glob("*-linux-gnu*")):
        loaders = sorted(libraries.glob("ld-linux-*.so.*"))
        if programs and loaders:
            command = (str(loaders[0]), "--library-path", str(libraries), str(programs[-1]))
            return Ocloc(command, libraries)
    return None
