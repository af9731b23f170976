"""The attention kernel computes attention: what is miscompiled is a real kernel."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import TritonPython, run_or_fail

pytestmark = pytest.mark.network


@pytest.mark.parametrize(
    "case",
    [
        {"q_heads": 4, "k_heads": 1, "rope": 0, "causal": True, "q_lengths": [70, 33, 5], "k_lengths": [70, 90, 40]},
        {"q_heads": 3, "k_heads": 3, "rope": 16, "causal": True, "q_lengths": [64, 100], "k_lengths": [64, 20]},
        {"q_heads": 2, "k_heads": 2, "rope": 16, "causal": False, "q_lengths": [40], "k_lengths": [50]},
    ],
    ids=["grouped", "rope-queries-without-keys", "all-keys"],
)
@pytest.mark.parametrize(
    "constants",
    [{"WIDE": True, "DIES": 8, "EARLY_V": True}, {"WIDE": False, "DIES": 2, "EARLY_V": False}],
    ids=["wide", "narrow"],
)
def test_outputs_are_those_of_plain_attention(
    case: dict[str, object], constants: dict[str, object], triton_python: TritonPython
) -> None:
    question = json.dumps({**case, **constants})
    python = triton_python("3.9.0", "numpy==2.3.5")
    script = Path(__file__).with_name("attend.py")
    assert float(run_or_fail(python, script, question, environment={"TRITON_INTERPRET": "1"})) < 1e-5
