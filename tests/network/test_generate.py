"""What the attention kernel's generator writes with Triton from PyPI is what the repository holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import TritonPython, run_or_fail

pytestmark = pytest.mark.network

ATTENTION = Path(__file__).parents[2] / "reproducers" / "attention"


@pytest.mark.parametrize("committed", sorted(ATTENTION.glob("*.llir")), ids=lambda path: path.stem)
def test_the_committed_ir_is_reproduced(committed: Path, triton_python: TritonPython, tmp_path: Path) -> None:
    name, _, version = committed.stem.partition("-triton-")
    run_or_fail(triton_python(version), ATTENTION / "generate.py", name, "--out", tmp_path)
    assert (tmp_path / committed.name).read_text() == committed.read_text()
