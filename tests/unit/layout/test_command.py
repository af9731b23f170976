"""`regtriage layout`: what it prints, its JSON, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode

DATA = Path(__file__).parents[2] / "data" / "ttgir"
START, SHUFFLED = "[1,4]/[8,4]/[2,1]", "[1,2]/[8,4]/[2,1]"


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> Any:
        assert execute(["layout", *arguments, "--json"]) is ExitCode.CLEAN
        found = json.loads(capsys.readouterr().out)
        assert (found["schema"], found["command"]) == (1, f"layout {arguments[0]}")
        return found

    return run


def test_coalesce(answer: Any):
    found = answer("coalesce", "--shape", "64x64", "--divisibility", "8")
    assert found["elements_per_thread"] == 2
    assert found["layout"]["size_per_thread"] == [1, 2]
    assert found["layout"]["threads_per_warp"] == [1, 32]
    file = answer("coalesce", str(DATA / "softmax-sm80.ttgir"))
    assert [access["op"] for access in file["accesses"]] == ["tt.load", "tt.store", "tt.atomic_rmw"]
    assert all(access["agrees"] for access in file["accesses"])
    ttir = answer("coalesce", str(DATA / "matmul-sm80.ttir"), "--warps", "8", "--target", "cuda:80")
    assert ttir["accesses"][0]["chosen"] is None
    assert ttir["accesses"][0]["rule"]["warps_per_cta"] == [8, 1]


def test_show(answer: Any):
    found = answer("show", START, "--shape", "16x16", "--thread", "1,5", "--element", "9,4")
    assert found["thread"]["elements"] == [[9, 4], [9, 5], [9, 6], [9, 7]]
    assert found["holders"]["places"] == [{"register": 0, "lane": 5, "warp": 1, "block": 0}]
    assert found["bases"]["warp"] == [[8, 0]]
    shared = answer(
        "show", "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "--shape", "8x32"
    )
    assert shared["bases"]["offset"][5] == [1, 4]


def test_sectors(answer: Any):
    found = answer("sectors", "[1,4]/[2,16]/[4,1]", "--shape", "64x64")
    rows, columns = found["cases"]
    assert (rows["sectors"][0][0], rows["efficiency"]) == (16, 1.0)
    assert (columns["sectors"][0][0], columns["efficiency"]) == (64, 0.25)
    given = answer("sectors", "[1,4]/[2,16]/[4,1]", "--shape", "64x64", "--strides", "1,64", "--width", "128")
    assert [case["name"] for case in given["cases"]] == ["given"]


def test_convert(answer: Any):
    found = answer("convert", START, SHUFFLED, "--shape", "16x16")
    assert (found["by_ownership"], found["triton"][0]["means"]) == ("warp_shuffle", "warp_shuffle")
    assert sum(found["moves"].values()) == 256
    swizzle = "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
    other = answer("convert", "[1,4]/[4,8]/[4,1]", "[4,1]/[8,4]/[1,4]", "--shape", "32x32", "--via", swizzle)
    plain = answer("convert", "[1,4]/[4,8]/[4,1]", "[4,1]/[8,4]/[1,4]", "--shape", "32x32")
    assert other["shared"][0]["bytes"] == 4096
    assert other["shared"][0]["load"]["conflicts"] < plain["shared"][0]["load"]["conflicts"]


def test_explain(answer: Any):
    found = answer("explain", str(DATA / "dot-xpu.ttgir"))
    (function,) = found["functions"]
    assert function["dots"][0]["operand_elements"] == [2048, 512]
    assert function["conversions"][0]["triton"] == "shared_memory"


def test_text(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    svg = tmp_path / "map.svg"
    assert (
        execute(["layout", "show", START, "--shape", "16x16", "--thread", "1,5", "--svg", str(svg)]) is ExitCode.CLEAN
    )
    assert "warp 1 lane 5     (9,4) (9,5) (9,6) (9,7)" in capsys.readouterr().out
    assert svg.read_text().startswith("<svg")
    assert execute(["layout", "convert", "[8]/[32]/[4]", "[4]/[32]/[4]", "--shape", "256"]) is ExitCode.CLEAN
    out = capsys.readouterr().out
    assert "Triton 3.9        warp_shuffle" in out
    assert "Triton 3.8        shared_memory: it reads each copy from one fixed owner" in out


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("coalesce",), ("coalesce", "gone.ttgir"), ("coalesce", "--shape", "64x64", "--order", "1,1"),
        ("coalesce", "--shape", "64x64", "--divisibility", "0"), ("coalesce", "--shape", "64", "--warps", "3"),
        ("show", START), ("show", START, "--shape", "16"), ("show", START, "--shape", "16x16", "--thread", "2,0"),
        ("show", START, "--shape", "16x16", "--thread", "1"), ("show", START, "--shape", "16x16", "--element", "16,0"),
        ("show", START, "--shape", "16x16", "--at", "1"), ("sectors", START, "--shape", "16x16", "--strides", "1"),
        ("sectors", START, "--shape", "16x16", "--alignment", "3"), ("convert", START, "x", "--shape", "16x16"),
        ("convert", START, SHUFFLED, "--shape", "16x16", "--via", START), ("explain", __file__),
    ],
)  # fmt: skip
def test_wrong_calls_exit_with_two_and_one_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    assert execute(["layout", *arguments]) is ExitCode.INPUT
    if arguments:
        assert len(capsys.readouterr().err.splitlines()) == 1
