"""The files of docs/recipes, run as they stand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from regtriage.tools.llc.builtin import find_builtin

REPOSITORY = Path(__file__).parents[3]
RECIPES = REPOSITORY / "docs" / "recipes"
MISCOMPILES = REPOSITORY / "reproducers" / "miscompiles"
WRONG = MISCOMPILES / "insert_spill_65.ll"
RIGHT = REPOSITORY / "tests" / "data" / "llc" / "two_kernels.ll"


def run(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([sysconfig.get_path("scripts"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


# -- git bisect: a history of compilers

RIGHT_LLC, WRONG_LLC, NO_LLC, BLIND_LLC = "-private-slot=on", "", "does not build", "cannot read"
MAKE = "sh make.sh"

Commit = Callable[[str, str], str]


@pytest.fixture
def commit(tmp_path: Path) -> Commit:
    """Makes a commit whose `make.sh` builds such an llc; returns its name."""
    if shutil.which("git") is None:
        pytest.skip("git bisect needs git")

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@t")
        done = run("git", *identity, *arguments, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    git("init", "-q")
    (tmp_path / ".gitignore").write_text("build\n")

    def make(kind: str, subject: str) -> str:
        program = find_builtin()
        call = {NO_LLC: "", BLIND_LLC: "echo 'k.ll:1:1: error: expected type' >&2; exit 1"}.get(
            kind, f'exec {program} {kind} "$@"'
        )
        # An llc says its version even if it cannot read the kernel.
        version = f'case "$*" in --version) exec {program} --version ;; esac'
        body = f"mkdir -p build/bin\ncat > build/bin/llc <<'END'\n#!/bin/sh\n{version}\n{call}\nEND\nchmod +x build/bin/llc\n"
        (tmp_path / "make.sh").write_text("exit 1\n" if kind == NO_LLC else body)
        (tmp_path / "subject").write_text(subject)
        git("add", ".")
        git("commit", "-qm", subject)
        return git("rev-parse", "HEAD")

    return make


def bisected(folder: Path, *start: str, **environment: str) -> str:
    assert run("git", "bisect", "start", *start, folder=folder).returncode == 0
    done = run(
        "git",
        "bisect",
        "run",
        "sh",
        RECIPES / "git-bisect.sh",
        folder=folder,
        KERNEL=str(WRONG),
        MAKE_LLC=MAKE,
        **environment,
    )
    return done.stdout + done.stderr


def test_git_bisect_finds_the_commit_that_broke_the_kernel(tmp_path: Path, commit: Commit):
    good = commit(RIGHT_LLC, "one")
    commit(NO_LLC, "two")
    commit(RIGHT_LLC, "three")
    first_bad = commit(WRONG_LLC, "four")
    commit(BLIND_LLC, "five")
    bad = commit(WRONG_LLC, "six")
    said = bisected(tmp_path, bad, good)
    assert f"{first_bad} is the first bad commit" in said


def test_git_bisect_finds_the_commit_that_repaired_it(tmp_path: Path, commit: Commit):
    broken = commit(WRONG_LLC, "one")
    commit(WRONG_LLC, "two")
    repaired = commit(RIGHT_LLC, "three")
    fixed = commit(RIGHT_LLC, "four")
    said = bisected(tmp_path, "--term-old=broken", "--term-new=fixed", fixed, broken, FOUND="1")
    assert f"{repaired} is the first fixed commit" in said


@pytest.mark.parametrize(("kind", "code"), [(RIGHT_LLC, 0), (WRONG_LLC, 1), (NO_LLC, 125), (BLIND_LLC, 125)])
def test_git_bisect_answers(tmp_path: Path, commit: Commit, kind: str, code: int):
    commit(kind, "one")
    done = run("sh", RECIPES / "git-bisect.sh", folder=tmp_path, KERNEL=str(WRONG), MAKE_LLC=MAKE)
    assert done.returncode == code, done.stderr


def test_git_bisect_skips_a_kernel_that_is_none(tmp_path: Path, commit: Commit):
    commit(WRONG_LLC, "one")
    (tmp_path / "k.ll").write_text("define what\n")
    done = run("sh", RECIPES / "git-bisect.sh", folder=tmp_path, KERNEL="k.ll", MAKE_LLC=MAKE)
    assert done.returncode == 125


# -- reducers


def interesting(folder: Path, *arguments: str, **environment: str) -> bool:
    return run("sh", RECIPES / "interesting.sh", *arguments, folder=folder, **environment).returncode == 0


def test_the_kernel_itself_is_interesting_to_llvm_reduce(tmp_path: Path):
    assert interesting(tmp_path, str(WRONG), EXIT="insert-spill")


def test_a_kernel_that_is_right_is_not(tmp_path: Path):
    assert not interesting(tmp_path, str(RIGHT), EXIT="insert-spill", UNDEFINED="99")


def test_another_exit_is_not(tmp_path: Path):
    assert not interesting(tmp_path, str(WRONG), EXIT="hoist-cross-bb")


def test_what_is_no_kernel_is_not(tmp_path: Path):
    (tmp_path / "k.ll").write_text("define what\n")
    assert not interesting(tmp_path, "k.ll", EXIT="insert-spill")


def test_a_candidate_with_new_undefined_values_is_not(tmp_path: Path):
    text = WRONG.read_text()
    (tmp_path / "k.ll").write_text(text + "; undef\n")
    assert not interesting(tmp_path, "k.ll", EXIT="insert-spill")
    assert interesting(tmp_path, "k.ll", EXIT="insert-spill", UNDEFINED="1")


def test_cvise_leaves_the_candidate_in_the_folder(tmp_path: Path):
    (tmp_path / "small.ll").write_text(WRONG.read_text())
    assert interesting(tmp_path, KERNEL="small.ll", EXIT="insert-spill")


# -- GitHub Actions


def triage_step() -> str:
    workflow = yaml.safe_load((RECIPES / "github-actions.yml").read_text())
    steps = workflow["jobs"]["triage"]["steps"]
    return next(step["run"] for step in steps if step.get("name") == "Triage")


@pytest.mark.parametrize(("kernels", "code"), [([RIGHT], 0), ([RIGHT, WRONG], 1)])
def test_github_actions(tmp_path: Path, kernels: list[Path], code: int):
    (tmp_path / "kernels").mkdir()
    for kernel in kernels:
        (tmp_path / "kernels" / kernel.name).write_text(kernel.read_text())
    summary = tmp_path / "summary.md"
    done = run("bash", "-e", "-c", triage_step(), folder=tmp_path, GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == code, done.stdout + done.stderr
    assert sorted(p.name for p in (tmp_path / "reports").glob("*.json")) == sorted(f"{k.name}.json" for k in kernels)
    assert summary.read_text().count("### ") == len(kernels)
    if code:
        assert "::error file=kernels/insert_spill_65.ll::miscompiled" in done.stdout


def test_github_actions_fails_for_what_is_no_kernel(tmp_path: Path):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "k.ll").write_text("define what\n")
    done = run("bash", "-e", "-c", triage_step(), folder=tmp_path, GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    assert done.returncode == 1
    assert "::error file=kernels/k.ll::not proved (exit code 2)" in done.stdout
