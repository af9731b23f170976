"""The driver of ocloc: versions, old and new ways to fail, and where the program is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.intel.measure import Toolchain, measure
from regtriage.tools.intel.ocloc import Ocloc, find_ocloc, over_cap_message, private_ocloc
from regtriage.tools.llc.errors import InputError, ToolFailure

from . import fake
from .kernels import device


@pytest.fixture
def spirv(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.spv"
    path.write_bytes(b"\x03\x02\x23\x07")
    return path


def compiler(tmp_path: Path, **behaviour: object) -> Ocloc:
    return Ocloc((str(fake.ocloc(tmp_path / "bin", **behaviour)),))  # type: ignore[arg-type]


def test_a_build_gives_the_facts_of_the_kernel(tmp_path: Path, spirv: Path):
    build = compiler(tmp_path, binary=fake.zebin()).compile(spirv, device())
    (kernel,) = build.kernels
    assert (kernel.spill_bytes, build.device) == (327872, "arl-s")


def test_the_limit_is_raised_and_the_old_format_not_asked_for(tmp_path: Path, spirv: Path):
    compiler(tmp_path, binary=fake.zebin()).compile(spirv, device())
    calls = (tmp_path / "bin" / "calls").read_text()
    assert "MaxPerThreadScratchSpaceOverride=16777216" in calls
    assert "--format" not in calls


def test_the_ocloc_of_2022_is_asked_for_a_zebin_and_counts_registers_in_its_log(tmp_path: Path, spirv: Path):
    old = compiler(tmp_path, binary=fake.zebin(spill=None), log=fake.OLD_SUCCESS, version="22.43.24595", only="dg2")
    build = old.compile(spirv, device("arl-s"))
    (kernel,) = build.kernels
    assert build.device == "dg2"
    assert kernel.spill_bytes == 10222 * 32
    assert "'--format', 'zebin'" in (tmp_path / "bin" / "calls").read_text()


@pytest.mark.parametrize(
    ("spill", "scratch", "over"),
    [(262144, 262144, False), (262208, 524288, True), (None, 524288, True), (None, 262144, False)],
)
def test_the_verdict_is_by_comparison_whatever_the_compiler_says(
    tmp_path: Path,
    spirv: Path,
    spill: int | None,
    scratch: int,
    over: bool,  # noqa: FBT001
):
    # "Build succeeded", exit 0: so said the old compiler of kernels past the cap too.
    tools = Toolchain(compiler(tmp_path, binary=fake.zebin(spill, scratch), log="Build succeeded.\n"))
    (found,) = measure(spirv, device(), tools)
    assert found.is_over is over
    assert "ocloc 26.27.039122" in found.tools


def test_a_failed_build_shows_the_compilers_own_words(tmp_path: Path, spirv: Path):
    with pytest.raises(ToolFailure) as failure:
        compiler(tmp_path, log=fake.REFUSED, status=245).compile(spirv, device())
    assert str(failure.value) == (
        "ocloc: error: in kernel 'dot': total scratch space exceeds HW supported limit: 327872 bytes"
        " (max permitted PTSS 262144 bytes)"
    )
    assert failure.value.stderr == "error: backend compiler failed build."


@pytest.mark.parametrize(
    "text",
    [
        fake.REFUSED,
        "total scratch space exceeds HW supported limit for kernel dot: 327872 bytes (max permitted PTSS 262144 bytes)",
    ],
)
def test_both_wordings_of_the_refusal_are_understood(text: str):
    assert over_cap_message(text) == (327872, 262144)
    assert over_cap_message(fake.NEW_SUCCESS) is None


def test_a_device_that_nobody_knows(tmp_path: Path, spirv: Path):
    old = compiler(tmp_path, only="skl")
    with pytest.raises(ToolFailure, match="does not know the device pvc"):
        old.compile(spirv, device("pvc"))
    calls = (tmp_path / "bin" / "calls").read_text()
    assert "dg2" not in calls  # its registers are half as wide: no stand-in


def test_success_without_code_is_a_failure(tmp_path: Path, spirv: Path):
    shell = fake.elf({".ze_info": fake.ZE_INFO.encode()})
    with pytest.raises(ToolFailure, match="no code for 'dot'"):
        compiler(tmp_path, binary=shell).compile(spirv, device())


def test_a_compiler_that_takes_too_long_is_ended(tmp_path: Path, spirv: Path):
    with pytest.raises(ToolFailure, match=r"took longer than 0\.5 s"):
        compiler(tmp_path, binary=fake.zebin(), delay=20).compile(spirv, device(), time_limit=0.5)


def test_missing_input(tmp_path: Path):
    with pytest.raises(InputError, match=r"none\.spv: error: no such file"):
        compiler(tmp_path).compile(tmp_path / "none.spv", device())


def test_the_matrix_unit_is_asked_of_the_compiler(tmp_path: Path):
    extension = "cl_intel_subgroup_matrix_multiply_accumulate"
    assert compiler(tmp_path / "1", extensions=f"cl_khr_fp16 {extension}").has_dpas("bmg") is True
    assert compiler(tmp_path / "2", extensions=f"{extension}_tensor_float32").has_dpas("x") is False
    assert compiler(tmp_path / "3", extensions="").has_dpas("x") is None


def test_the_one_that_is_named_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    named, by_environment, on_path = (fake.ocloc(tmp_path / name) for name in ("a", "b", "c"))
    monkeypatch.setenv("PATH", f"{on_path.parent}:/usr/bin:/bin")
    private = tmp_path / "private"

    def found(spec: str | None, environment: str | None) -> str | None:
        made = find_ocloc(spec, private, environment)
        return made.command[-1] if made else None

    assert found(str(named), str(by_environment)) == str(named)
    assert found(None, str(by_environment)) == str(by_environment)
    assert found(None, None) == str(on_path)
    on_path.unlink()
    assert found(None, None) is None
    with pytest.raises(InputError, match="no such program, named by --ocloc"):
        found(str(tmp_path / "nowhere"), None)


def test_a_private_copy_runs_through_its_own_loader(tmp_path: Path):
    libraries = tmp_path / "root/usr/lib/x86_64-linux-gnu"
    libraries.mkdir(parents=True)
    program = tmp_path / "root/usr/bin/ocloc-99.1.1"
    program.parent.mkdir()
    program.touch()
    assert private_ocloc(tmp_path) is None
    (libraries / "ld-linux-x86-64.so.2").touch()
    (libraries / "libigc.so.2").touch()
    (libraries / "libigc.so.2.40.14+0").touch()
    copy = private_ocloc(tmp_path)
    assert copy is not None
    assert copy.command == (str(libraries / "ld-linux-x86-64.so.2"), "--library-path", str(libraries), str(program))
