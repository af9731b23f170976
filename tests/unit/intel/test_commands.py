"""`regtriage ptss`, `stage`, and what `run` says of Intel kernels: exit codes, reports, JSON, files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode

from . import fake
from .kernels import DATA, KERNELS, REPRODUCERS

SCHEMAS = Path(__file__).parents[3] / "docs" / "schema"
OVER = KERNELS / "dot_64x128x128_fp16_w4_t32.ttgir"
FITS = KERNELS / "dot_32x32x32_fp16_w4_t32.ttgir"
BORDERLINE = REPRODUCERS / "seed_8x8.ttgir"


@pytest.fixture(autouse=True)
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Whatever is installed on this machine, a test finds only what it puts there."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("REGTRIAGE_OCLOC_DIR", str(tmp_path / "no-ocloc"))
    monkeypatch.delenv("REGTRIAGE_OCLOC", raising=False)
    monkeypatch.delenv("REGTRIAGE_TRITON_XPU", raising=False)


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[ExitCode, str, str]:
    code = execute([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[ExitCode, dict[str, Any]]:
    """The JSON, which is as the schema says."""
    code, out, _ = run(capsys, *arguments, "--json")
    found = json.loads(out)
    of_run = Resource[Any].from_contents(schema("run"))
    registry = Registry[Any]().with_resource("run.schema.json", of_run)
    Draft202012Validator(schema("ptss"), registry=registry).validate(found)  # pyright: ignore[reportUnknownMemberType]
    return code, found


def schema(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


@pytest.mark.parametrize("command", ["ptss", "run"])
@pytest.mark.parametrize(
    ("kernel", "code", "verdict"),
    [(OVER, ExitCode.BUG, "OVER"), (FITS, ExitCode.CLEAN, "FITS"), (BORDERLINE, ExitCode.FAILURE, "BORDERLINE")],
)
def test_the_verdict_is_the_exit_code(
    capsys: pytest.CaptureFixture[str], command: str, kernel: Path, code: ExitCode, verdict: str
):
    got, out, err = run(capsys, command, kernel)
    assert got is code
    assert out.splitlines()[1].startswith(f"{verdict}, estimated: ")
    assert bool(err) == (code is ExitCode.FAILURE)
    got, found = answer(capsys, command, kernel)
    assert (got, found["ptss"]["verdict"], found["ptss"]["basis"]) == (code, verdict, "estimated")
    assert found["functions"] == []
    assert found["target"] == {"triple": "spirv64", "cpu": "arl-s", "opt": None}


def test_the_report_has_every_number(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, "ptss", OVER)
    for text in (
        "16 x 4 results of 4 warps of 32 lanes, 8192 multiply-adds", "327680 bytes = 262144 + 65536",
        "16384 + 32768 = 49152 of 65536 B", "16384 + 32768 = 49152 of 57344 B", "design    stage, K_TILE 16",
        "upstream  stage, K_TILE 16", "16; 32 needs up to 90112 B of scratch", "next: regtriage stage",
    ):  # fmt: skip
        assert text in out


def test_another_device_has_another_cap(capsys: pytest.CaptureFixture[str]):
    code, found = answer(capsys, "ptss", OVER, "--device", "adl-s")
    assert (code, found["ptss"]["cap"]) == (ExitCode.CLEAN, 2 << 20)
    code, _, err = run(capsys, "ptss", OVER, "--device", "gfx950")
    assert (code, err.count("\n")) == (ExitCode.INPUT, 1)
    assert "'gfx950' is no device that is known: arl-s, mtl" in err


def test_devices_are_listed(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, "ptss", "--devices")
    assert code is ExitCode.CLEAN
    assert "acm-g10" in out


@pytest.mark.parametrize("command", ["ptss", "run"])
def test_a_kernel_for_another_vendor_is_wrong_input(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str):
    kernel = tmp_path / "k.ttgir"
    kernel.write_text(OVER.read_text().replace('"xpu"', '"hip:gfx950"'))
    code, out, err = run(capsys, command, kernel)
    assert (code, out) == (ExitCode.INPUT, "")
    assert err == f"{kernel}: error: the kernel is for hip:gfx950, not for an Intel GPU\n"


@pytest.mark.parametrize("command", [("ptss",), ("run",), ("stage", "-o", "/dev/null")])
def test_what_cannot_be_read_has_a_place(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]):
    kernel = tmp_path / "k.ttgir"
    kernel.write_text(OVER.read_text().replace("%36 = tt.dot %32,", "%36 = tt.dot %nothing,"))
    code, out, err = run(capsys, *command, kernel)
    assert (code, out, err.count("\n")) == (ExitCode.INPUT, "", 1)
    assert err.startswith(f"{kernel}:")
    assert ": error: " in err


def test_calls_that_make_no_sense(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, message in (
        (["ptss"], "name a kernel"),
        (["ptss", str(empty)], "there is no kernel in this directory"),
        (["ptss", str(tmp_path / "none.ttgir")], "no such file"),
        (["ptss", str(tmp_path / "kernel.txt")], "not a kernel for an Intel GPU"),
        (["stage", str(OVER), "-o", str(tmp_path / "o"), "--k-tile", "many"], "neither a number nor auto"),
        (["run", str(OVER), "--mcpu", "gfx950"], "no Intel GPU 'gfx950' is known"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code is ExitCode.INPUT
        assert message in err


def test_measuring_without_a_compiler_says_how_to_get_one(capsys: pytest.CaptureFixture[str]):
    code, _, err = run(capsys, "ptss", OVER, "--measure")
    assert code is ExitCode.FAILURE
    assert err == "regtriage: error: no ocloc is installed: 'regtriage ptss --install-ocloc' sets up a private copy\n"


def test_spirv_cannot_be_estimated(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    kernel = tmp_path / "k.spv"
    kernel.write_bytes(b"\x03\x02\x23\x07")
    code, out, err = run(capsys, "run", kernel)
    assert code is ExitCode.FAILURE
    assert "UNKNOWN: only the compiler can tell: --measure" in out
    assert "not settled" in err


@pytest.mark.parametrize(("spill", "code"), [(262208, ExitCode.BUG), (262144, ExitCode.CLEAN)])
def test_what_is_measured_is_the_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spill: int, code: ExitCode
):
    kernel = tmp_path / "k.spv"
    kernel.write_bytes(b"\x03\x02\x23\x07")
    monkeypatch.setenv("REGTRIAGE_OCLOC", str(fake.ocloc(tmp_path / "bin", binary=fake.zebin(spill))))
    got, found = answer(capsys, "run", kernel)
    assert (got, found["ptss"]["basis"], found["ptss"]["measured"][0]["spill"]) == (code, "measured", spill)
    assert found["ptss"]["why"] == (
        "64 bytes over the cap of 262144" if spill > 262144 else "0 bytes under the cap of 262144"
    )


def test_a_compiler_that_fails_leaves_the_estimate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("REGTRIAGE_OCLOC", str(fake.ocloc(tmp_path / "bin")))
    code, found = answer(capsys, "ptss", OVER, "--measure")
    assert (code, found["ptss"]["basis"]) == (ExitCode.BUG, "estimated")
    assert found["ptss"]["failure"].startswith("triton-xpu: error: ")


# -- many kernels -----------------------------------------------------------------------------------------


def test_a_folder_is_a_table_a_csv_and_a_plot(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    folder = tmp_path / "kernels"
    folder.mkdir()
    for kernel in (OVER, FITS, BORDERLINE, KERNELS / "dot_64x128x64_fp16_w4_t16_dpas.ttgir"):
        shutil.copy(kernel, folder)
    table, plot = tmp_path / "t.csv", tmp_path / "p.svg"
    recorded = DATA / "measured.jsonl"
    code, out, err = run(capsys, "ptss", folder, "--recorded", recorded, "--csv", table, "--plot", plot)
    assert (code, err) == (ExitCode.BUG, "")
    assert [line.split()[0] for line in out.splitlines()[1:]] == sorted(path.name for path in folder.iterdir())
    assert "8192 327680 327872 -0.1 % OVER estimated 16" in " ".join(out.split())
    rows = table.read_text().splitlines()
    assert rows[0].startswith("kernel,device,m,n,k,lanes,lane_m,lane_n,fma,estimate,low,high,kind,measured,verdict")
    assert len(rows) == 5
    picture = plot.read_text()
    assert picture.count("<circle") == 3
    assert "cap of arl-s" in picture
    code, found = answer(capsys, "ptss", folder, "--recorded", recorded)
    assert [k["recorded"] for k in found["kernels"]] == [14976, 327872, None, None]


def test_a_broken_record_has_a_place(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "m.jsonl"
    file.write_text('{"name": "a", "spill_bytes": 1}\n{"name": 3\n')
    code, _, err = run(capsys, "ptss", OVER, "--recorded", file)
    assert (code, err) == (ExitCode.INPUT, f"{file}:2: error: not an object with name and spill_bytes\n")


# -- stage ------------------------------------------------------------------------------------------------


def test_staging_says_what_was_done_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out_file = tmp_path / "staged.ttgir"
    code, out, _ = run(capsys, "stage", OVER, "-o", out_file)
    assert code is ExitCode.CLEAN
    assert "staged, loop, K_TILE 16; estimate 327680 -> 16384 bytes" in out
    assert "2 executions on the CPU, 0 differ" in out
    assert "scf.for" in out_file.read_text()
    code, found = answer(capsys, "ptss", out_file)
    assert (code, found["ptss"]["verdict"]) == (ExitCode.CLEAN, "FITS")


def test_a_kernel_that_is_left_alone_is_copied_byte_for_byte(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    odd = tmp_path / "odd.ttgir"
    odd.write_bytes(FITS.read_bytes().replace(b"\n", b"\r\n") + b"\n\n// \xc3\xa9\n")
    out_file = tmp_path / "o.ttgir"
    code, found = answer(capsys, "stage", odd, "-o", out_file)
    assert code is ExitCode.CLEAN
    assert out_file.read_bytes() == odd.read_bytes()
    (dot,) = found["stage"]["dots"]
    assert (found["stage"]["changed"], dot["staged"]) == (False, False)
    assert dot["why_not"] == "spill over budget: 16384 B estimated, 262144 B permitted: FITS"


def test_upstreams_gates_and_none_can_be_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out_file = tmp_path / "o.ttgir"
    for gates, kernel, changed in (("upstream", BORDERLINE, True), ("upstream", FITS, False), ("none", FITS, True)):
        code, found = answer(
            capsys, "stage", kernel, "-o", out_file, "--gates", gates, "--form", "unrolled", "--confirm", "1"
        )
        assert (code, found["stage"]["changed"]) == (ExitCode.CLEAN, changed)
        assert found["stage"]["execution"]["differ"] == 0


def test_a_slice_of_the_users_choice(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out_file = tmp_path / "o.ttgir"
    _, found = answer(capsys, "stage", OVER, "-o", out_file, "--k-tile", "64")
    assert found["stage"]["dots"][0]["k_tile"] == 64
    _, found = answer(capsys, "stage", OVER, "-o", out_file, "--k-tile", "100")
    assert found["stage"]["dots"][0]["why_not"] == "slices of 100 do not divide K = 128"
    assert out_file.read_bytes() == OVER.read_bytes()
