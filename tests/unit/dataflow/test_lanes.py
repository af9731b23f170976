"""Which locations the operands of an instruction stand for."""

from __future__ import annotations

from regtriage.dataflow.lanes import LaneMap, Locations
from regtriage.dataflow.targets import AMDGPU

from .mirtext import function

MOVES = """
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    $exec = S_MOV_B64 %2:sreg_64
    S_ENDPGM 0
"""


def test_reserved_registers_that_are_implied_are_left_out_from_the_first_on():
    locations = Locations(AMDGPU, 32)
    lanes = LaneMap(locations)
    first, second, written, _ = function(MOVES).blocks[0].instructions
    spelled = [{locations.spell(u) for u in lanes.all_units(i)} for i in (first, second, written)]
    assert spelled[:2] == [{"%0.sub0"}, {"%1.sub0"}]
    assert {"$exec_lo", "$exec_hi"} <= spelled[2]
