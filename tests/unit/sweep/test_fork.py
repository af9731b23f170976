"""What a unit does to its process stays there, and is told."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest
from regtriage.tools.sweep.fork import ForkServer
from regtriage.tools.sweep.model import NO_COMPILER, Answer, Compiler, ErrorKind, Limits, Method
from regtriage.tools.sweep.versions import compiler_of

from .make import REPRODUCERS, alive, gone, task


@pytest.fixture(scope="module")
def server() -> Generator[ForkServer]:
    with ForkServer() as made:
        yield made


def llc(folder: Path, action: str) -> Compiler:
    """A compiler that does this instead of compiling."""
    program = folder / "llc"
    program.write_text(f'#!/bin/sh\ncase "$*" in *--version*) echo "LLVM version 9"; exit 0;; esac\n{action}\n')
    program.chmod(0o755)
    return compiler_of(str(program))[0]


def test_a_unit_has_an_answer(server: ForkServer):
    outcome = server.run(task(compiler_of("builtin")[0], name="deep/kernel.ll"))
    assert (outcome.answer, outcome.wrong, outcome.error) == (Answer.BUG, 1, None)
    assert (outcome.runs, outcome.differ) == (50, 50)
    assert outcome.spills is not None
    assert outcome.spills > 0
    assert [(f.exit, f.exit_by) for f in outcome.found] == [("redundant-spill", "trace")]
    result = json.loads(outcome.result)
    assert (result["input"], result["kept"]) == ("deep/kernel.ll", None)
    assert result["functions"][0]["variants"][0]["verdict"] == "BUG"


def test_attributes_are_set(server: ForkServer):
    made = task(compiler_of("builtin")[0])
    assert made.options is not None
    few = replace(made.options, attributes=(("amdgpu-waves-per-eu", "4,4"),))
    assert server.run(replace(made, options=few)).code != server.run(made).code
    binary = replace(made, options=few, content=task(NO_COMPILER, content=b"BC\xc0\xde").content, name="k.bc")
    assert server.run(binary).error is ErrorKind.INPUT


def test_a_wrong_kernel_is_said_in_the_compilers_words_with_its_own_name(server: ForkServer):
    outcome = server.run(task(compiler_of("builtin")[0], name="deep/kernel.ll", content=b"define void @k( {\n"))
    assert outcome.error is ErrorKind.INPUT
    assert outcome.message == "deep/kernel.ll:2:1: error: expected type"


def test_a_compiler_that_dies(server: ForkServer, tmp_path: Path):
    outcome = server.run(task(llc(tmp_path, "kill -SEGV $$")))
    assert outcome.error is ErrorKind.COMPILER_CRASH
    assert outcome.message == f"{tmp_path}/llc: error: crashed (SIGSEGV)"


def test_a_compiler_that_reports_an_error(server: ForkServer, tmp_path: Path):
    outcome = server.run(task(llc(tmp_path, 'echo "LLVM ERROR: ran out of registers" >&2; exit 1')))
    assert (outcome.error, "ran out of registers" in outcome.message) == (ErrorKind.COMPILER, True)


def test_a_compiler_that_runs_out_of_memory(server: ForkServer, tmp_path: Path):
    outcome = server.run(task(llc(tmp_path, 'echo "LLVM ERROR: out of memory" >&2; kill -ABRT $$')))
    assert outcome.error is ErrorKind.MEMORY


def test_a_check_that_dies_says_where_it_was(server: ForkServer, tmp_path: Path):
    outcome = server.run(task(llc(tmp_path, "kill -SEGV $PPID; sleep 60")))
    assert outcome.error is ErrorKind.CRASH
    assert "ended by SIGSEGV: Fatal Python error: Segmentation fault File " in outcome.message
    outcome = server.run(task(llc(tmp_path, "kill -KILL $PPID; sleep 60")))
    assert outcome.message == "the process of the unit was ended by SIGKILL, as the system does when memory runs out"


def test_a_unit_that_takes_too_long_ends_with_all_that_it_started(server: ForkServer, tmp_path: Path):
    compiler = llc(tmp_path, f"echo $$ > {tmp_path}/pid; sleep 60")
    outcome = server.run(task(compiler, limits=Limits(seconds=1.5)))
    assert (outcome.error, outcome.message) == (ErrorKind.TIME_OUT, "took longer than 1.5 s")
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_unit_gets_no_more_memory_than_its_limit(server: ForkServer, tmp_path: Path):
    compiler = llc(
        tmp_path, f"{sys.executable} -c 'import mmap; mmap.mmap(-1, 3 << 30)'; echo 'error: other' >&2; exit 1"
    )
    assert server.run(task(compiler, limits=Limits(memory=1 << 30))).error is ErrorKind.MEMORY
    assert server.run(task(compiler)).error is ErrorKind.COMPILER


def test_after_a_death_the_next_unit_runs(server: ForkServer, tmp_path: Path):
    server.run(task(llc(tmp_path, "kill -SEGV $PPID; sleep 60")))
    # The helper's process group is the unit's; the parent of the unit is the helper.
    killed = server.run(task(llc(tmp_path, "kill -KILL $(ps -o ppid= -p $PPID); sleep 60"), limits=Limits(seconds=20)))
    assert (killed.error, killed.message) == (ErrorKind.LOST, "the process that runs units was killed")
    assert server.run(task(compiler_of("builtin")[0])).answer is Answer.BUG


def test_nothing_is_left_in_the_folder_of_temporary_files(
    server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    server.run(task(compiler_of("builtin")[0]))
    server.run(task(llc(tmp_path, "kill -KILL $PPID; sleep 60")))
    server.run(task(llc(tmp_path, "sleep 60"), limits=Limits(seconds=0.5)))
    assert list(scratch.iterdir()) == []


_KILLED = """
import sys
from regtriage.tools.sweep.fork import ForkServer
sys.path.insert(0, sys.argv[2])
from tests.unit.sweep.make import task
from regtriage.tools.sweep.versions import compiler_of
ForkServer().run(task(compiler_of(sys.argv[1])[0]))
"""


def test_the_unit_ends_when_whoever_ordered_it_is_killed(tmp_path: Path):
    llc(tmp_path, f"echo $PPID $$ > {tmp_path}/part; mv {tmp_path}/part {tmp_path}/pids; sleep 60")
    root = str(Path(__file__).parents[3])
    caller = subprocess.Popen([sys.executable, "-c", _KILLED, str(tmp_path / "llc"), root])
    end = time.monotonic() + 60
    while not (tmp_path / "pids").exists() and time.monotonic() < end:
        time.sleep(0.02)
    unit, compiler = map(int, (tmp_path / "pids").read_text().split())
    assert alive(unit)
    caller.kill()
    caller.wait()
    assert gone(unit)
    assert gone(compiler)


def test_a_machine_that_is_not_fit_says_so_and_runs_nothing(server: ForkServer, tmp_path: Path):
    builtin = compiler_of("builtin")[0]
    other = server.run(replace(task(builtin), tool="0.0+other"))
    assert other.error is ErrorKind.LOST
    assert "the sweep 0.0+other: install the same" in other.message
    missing = server.run(task(Compiler(str(tmp_path / "none"), None, "external", "9", "")))
    assert (missing.error, "no such compiler" in missing.message) == (ErrorKind.LOST, True)
    rebuilt = server.run(task(replace(builtin, build="other")))
    assert (rebuilt.error, "another build of this compiler" in rebuilt.message) == (ErrorKind.LOST, True)
    changed = server.run(replace(task(builtin), content=b""))
    assert (changed.error, "changed since" in changed.message) == (ErrorKind.LOST, True)


def test_assembly_is_judged_and_ttgir_estimated(server: ForkServer):
    code = b"f:\n  s_mov_b32 s0, 0\n  s_endpgm\n"
    judged = server.run(replace(task(NO_COMPILER, name="k.s", content=code), method=Method.ASM, options=None))
    assert (judged.answer, judged.wrong) == (Answer.UNSUSPECTED, 0)
    assert json.loads(judged.result)["input"] == "k.s"
    strange = replace(task(NO_COMPILER, name="k.s", content=b"f:\n  s_strange s0\n  s_endpgm\n"), method=Method.ASM)
    assert server.run(strange).answer is Answer.UNPROVEN
    ttgir = (REPRODUCERS / "intel" / "dot_64x128x128_fp16_w4_t32.ttgir").read_bytes()
    estimated = server.run(replace(task(NO_COMPILER, name="k.ttgir", content=ttgir), method=Method.PTSS, options=None))
    assert (estimated.answer, estimated.spills) == (Answer.OVER, 327680)


def test_a_python_file_in_the_current_folder_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')\n")
    monkeypatch.chdir(tmp_path)
    with ForkServer() as made:
        assert made.run(task(compiler_of("builtin")[0])).answer is Answer.BUG


def test_closing_twice_is_closing():
    server = ForkServer()
    server.close()
    server.close()
