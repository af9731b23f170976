from __future__ import annotations

import pytest
from regtriage.dataflow.liveness import LivenessError, parse_lane_liveness


def test_functions_allocations_and_lines():
    read = parse_lane_liveness("function k 0\nin 3 17 3c\nedge 1 3 17 3\nfunction an odd name 2\nin 0 5 f\n")
    assert read["k", 0].live_in == {(3, 17): 0x3C}
    assert read["k", 0].edges == {(1, 3, 17): 0x3}
    assert read["an odd name", 2].live_in == {(0, 5): 0xF}


@pytest.mark.parametrize("text", ["function k\n", "in 1 2\n", "what 1 2 3\n", "function k x\n", "in a 2 3\n"])
def test_lines_that_cannot_be_read(text: str):
    with pytest.raises(LivenessError, match="line 1"):
        parse_lane_liveness(text)
