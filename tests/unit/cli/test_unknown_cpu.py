"""A processor that no compiler knows is named in one line, before anything is run or written."""

from __future__ import annotations

from pathlib import Path

import pytest
from regtriage.tools.cli.app import execute
from regtriage.tools.cli.exits import ExitCode
from regtriage.tools.llc.cpus import AMDGPU, require_cpu
from regtriage.tools.llc.run import InputError, resolve_llc

from .program import MISCOMPILED

FOR_AMDGPU = f" for the target {AMDGPU}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fuzz", "--mcpu", "gfx950", "--mcpu", "gfx1", "--keep", "new"), "'gfx1'" + FOR_AMDGPU),
        (("fuzz", "--mcpu", "skylake", "--keep", "new"), "'skylake'" + FOR_AMDGPU),
        (("collect", "kernels.py", "--guess", "1", "--cpu", "gfx1", "-o", "new"), "'gfx1'" + FOR_AMDGPU),
        (("sweep", str(MISCOMPILED), "--mcpu", "gfx1", "--store", "new"), "'gfx1'"),
        (("sweep", str(MISCOMPILED), "--vary", "mcpu=,gfx950,gfx1", "--store", "new"), "'gfx1'"),
        (("sweep", str(MISCOMPILED), "--mcpu", "skylake", "--mtriple", AMDGPU, "--store", "new"),
         "'skylake'" + FOR_AMDGPU),
    ],
)  # fmt: skip
def test_one_line_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
):
    (tmp_path / "kernels.py").write_text("import triton\n@triton.jit\ndef k(x):\n    pass\n")
    monkeypatch.chdir(tmp_path)
    assert execute(arguments) is ExitCode.INPUT
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"regtriage: error: unknown cpu {said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["kernels.py"]


@pytest.mark.parametrize(
    ("cpu", "triple"), [("gfx942", None), ("skylake", None), ("cortex-a53", None), ("gfx942", AMDGPU)]
)
def test_one_that_a_target_knows_is_let_pass(cpu: str, triple: str | None):
    require_cpu(resolve_llc(), cpu, triple)


def test_a_compiler_of_ones_own_is_asked_itself(tmp_path: Path):
    llc = tmp_path / "llc"
    words = "'$cpu' is not a recognized processor for this target (ignoring processor)"
    llc.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && { echo LLVM version 9; exit 0; }\n'
        f'for a; do case $a in -mcpu=*) cpu=${{a#-mcpu=}};; esac; done\n[ "$cpu" = mine ] && exit 1\necho "{words}" >&2\n'
    )
    llc.chmod(0o755)
    require_cpu(resolve_llc(str(llc)), "mine")  # that it cannot compile the probe is left to the kernels to tell
    with pytest.raises(InputError, match="unknown cpu 'gfx950'"):
        require_cpu(resolve_llc(str(llc)), "gfx950")
