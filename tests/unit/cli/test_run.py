"""What `run` asks the triage for, and what it makes of the answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from regtriage.dataflow.findings import Layer, LayerResult, Verdict
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode
from regtriage.tools.llc.run import (
    BuiltinLlc,
    GuardFlags,
    InputError,
    Llc,
    LlcIdentity,
    LlcKind,
    ToolFailure,
    Variant,
)
from regtriage.tools.results import Conclusion, FunctionReport, RunReport, TargetInfo, VariantReport
from regtriage.tools.triage import TriageRequest

from .program import PROGRAM, REPRODUCERS


def report(*verdicts: Verdict) -> RunReport:
    """A report whose function `k` has a variant of each verdict."""
    variants = [
        VariantReport(
            variant,
            verdict,
            None,
            (LayerResult(Layer.REWRITTEN, verdict, (), (), ("S_FOO is strange",), 1),),
            None,
            {},
        )
        for variant, verdict in zip(Variant, verdicts, strict=False)
    ]
    function = FunctionReport("k", Conclusion.CLEAN, (), tuple(variants))
    llc = LlcIdentity(LlcKind.BUILTIN, "23.1.1", Path("llc"))
    return RunReport("k.ll", TargetInfo("amdgcn", "gfx950", 3), llc, (function,))


Answer = RunReport | Exception | Callable[[], RunReport]


class Fake:
    """Stands for compilers and triage: hands out answers in order, remembers what was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[TriageRequest] = []
        self.compilers: list[tuple[str, GuardFlags | None]] = []

    def resolve(self, spec: str, guard: GuardFlags | None) -> Llc:
        self.compilers.append((spec, guard))
        return BuiltinLlc(Path(spec))

    def triage(self, request: TriageRequest, llc: Llc, progress: Callable[[str], None]) -> RunReport:
        self.requests.append(request)
        progress("compiling")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, RunReport) else answer()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    module = "regtriage.tools.cli.run"
    __import__(module)
    monkeypatch.setattr(sys.modules[module], "resolve_llc", made.resolve)
    monkeypatch.setattr(sys.modules[module], "triage", made.triage)
    return made


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.CLEAN, Verdict.CLEAN], ExitCode.CLEAN),
        ([Verdict.HAZARD, Verdict.CLEAN], ExitCode.CLEAN),
        ([Verdict.BUG, Verdict.CLEAN], ExitCode.BUG),
        ([Verdict.CLEAN, Verdict.BUG], ExitCode.BUG),
        ([Verdict.UNPROVEN, Verdict.BUG], ExitCode.BUG),
        ([Verdict.CLEAN, Verdict.UNPROVEN], ExitCode.FAILURE),
    ],
)
def test_exit_code(fake: Fake, verdicts: list[Verdict], code: ExitCode):
    fake.answers = [report(*verdicts)]
    assert execute(["run", "k.ll"]) is code


def test_what_is_not_proved_is_said_on_stderr(fake: Fake, capsys: pytest.CaptureFixture[str]):
    fake.answers = [report(Verdict.CLEAN, Verdict.UNPROVEN)]
    execute(["run", "k.ll", "--json"])
    out, err = capsys.readouterr()
    assert err == "k.ll: error: k, guard: not proved: S_FOO is strange\n"
    assert json.loads(out)["functions"][0]["variants"][1]["verdict"] == "UNPROVEN"


def test_defaults(fake: Fake):
    fake.answers = [report(Verdict.CLEAN)]
    execute(["run", "k.ll"])
    assert fake.compilers == [("builtin", None)]
    request = fake.requests[0]
    assert request == TriageRequest(Path("k.ll"), jobs=request.jobs)
    assert request.jobs >= 1


def test_options_reach_the_triage(fake: Fake):
    fake.answers = [report(Verdict.CLEAN)]
    line = (
        "run k.ll --variant private --variant off --variant private --mcpu gfx942 --mtriple amdgcn -O1 -j3 "
        "--llc-arg=-a --llc-arg=-b --function f --function g --confirm 7 --keep out"
    )
    execute(line.split())
    assert fake.requests == [
        TriageRequest(
            input=Path("k.ll"),
            variants=(Variant.PRIVATE, Variant.OFF),
            triple="amdgcn",
            cpu="gfx942",
            opt=1,
            llc_args=("-a", "-b"),
            confirm=7,
            confirm_all=True,
            jobs=3,
            keep=Path("out"),
            functions=("f", "g"),
        )
    ]


def test_confirm_nothing(fake: Fake):
    fake.answers = [report(Verdict.CLEAN)]
    execute(["run", "k.ll", "--confirm", "0"])
    assert (fake.requests[0].confirm, fake.requests[0].confirm_all) == (0, False)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("on=-g,off=-no-g", GuardFlags("-g", "-no-g")),
        ("off=-no-g,on=-g=a,b", GuardFlags("-g=a,b", "-no-g")),
        ("on=-g,off=", GuardFlags("-g", "")),
    ],
)
def test_guard_flags_are_for_compilers_of_ones_own(fake: Fake, text: str, flags: GuardFlags):
    fake.answers = [report(Verdict.CLEAN), report(Verdict.CLEAN)]
    execute(["run", "k.ll", "--llc", "builtin", "--llc", "/my/llc", "--guard-flag", text])
    assert fake.compilers == [("builtin", None), ("/my/llc", flags)]


@pytest.mark.parametrize("text", ["", "on=-g", "-g", "on=-g;off=-h", "off=-h"])
def test_wrong_guard_flags(fake: Fake, text: str):
    assert execute(["run", "k.ll", "--llc", "/my/llc", "--guard-flag", text]) is ExitCode.INPUT
    assert not fake.requests


def test_several_compilers_have_a_block_and_a_folder_each(fake: Fake, capsys: pytest.CaptureFixture[str]):
    fake.answers = [report(Verdict.CLEAN), report(Verdict.BUG)]
    assert execute(["run", "k.ll", "--llc", "a", "--llc", "b", "--llc", "a", "--keep", "out"]) is ExitCode.BUG
    assert [r.keep for r in fake.requests] == [Path("out/llc-0"), Path("out/llc-1")]
    assert capsys.readouterr().out.count("k.ll: amdgcn gfx950 -O3") == 2


@pytest.mark.parametrize("error", [InputError("k.ll:1:1: error: new syntax"), ToolFailure("b: error: crashed")])
def test_a_compiler_among_others_that_fails(fake: Fake, capsys: pytest.CaptureFixture[str], error: Exception):
    fake.answers = [error, report(Verdict.CLEAN)]
    assert execute(["run", "k.ll", "--llc", "b", "--llc", "a", "--json"]) is ExitCode.FAILURE
    out, err = capsys.readouterr()
    assert err == f"{error}\n"
    assert json.loads(out)["runs"][0] == {"llc": "b", "error": str(error)}


def test_a_bug_is_a_bug_whatever_else_fails(fake: Fake):
    fake.answers = [report(Verdict.BUG), ToolFailure("b: error: crashed")]
    assert execute(["run", "k.ll", "--llc", "a", "--llc", "b"]) is ExitCode.BUG


def test_json_goes_to_a_file_besides_the_report(fake: Fake, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    fake.answers = [report(Verdict.CLEAN)]
    assert execute(["run", "k.ll", f"--json={tmp_path / 'out.json'}"]) is ExitCode.CLEAN
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == 1
    assert "k: clean" in capsys.readouterr().out


def test_nothing_is_written_where_the_triage_fails(fake: Fake, tmp_path: Path):
    fake.answers = [ToolFailure("llc: error: crashed")]
    out = tmp_path / "out.json"
    out.write_text("of an earlier run")
    assert execute(["run", "k.ll", f"--json={out}"]) is ExitCode.FAILURE
    assert out.read_text() == "of an earlier run"


def test_steps_are_told_only_when_asked_for(fake: Fake, capsys: pytest.CaptureFixture[str]):
    fake.answers = [report(Verdict.CLEAN), report(Verdict.CLEAN)]
    execute(["run", "k.ll"])
    assert capsys.readouterr().err == ""
    execute(["run", "k.ll", "-v"])
    assert capsys.readouterr().err == "regtriage: compiling\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_ends_it_quietly_and_leaves_nothing(tmp_path: Path, number: signal.Signals, code: int, jobs: str):
    """A terminal sends the signal to every process of the group."""
    kernel = REPRODUCERS / "miscompiles" / "insert_spill_large.ll"
    process = subprocess.Popen(
        [*PROGRAM, "run", str(kernel), "--jobs", jobs],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not list(tmp_path.glob("regtriage-*/*")) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, number)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (code, "", "")
    assert list(tmp_path.glob("regtriage-*")) == []
