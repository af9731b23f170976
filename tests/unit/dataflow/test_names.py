"""Names of values that are written in part of the wave again and again."""

from __future__ import annotations

from regtriage.dataflow.cfg import build_cfg
from regtriage.dataflow.exec_mask import ENTRY, ExecMasks
from regtriage.dataflow.lanes import LaneMap, Locations
from regtriage.dataflow.names import Names
from regtriage.dataflow.targets import AMDGPU

from .mirtext import function

BRANCHES = 1100
"""More than Python calls may be nested."""


def names_under_masks(count: int) -> tuple[Names, list[int]]:
    """Names, and so many masks of which none is known to have a lane of another one."""
    branch = (
        "    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def dead $scc, implicit $exec\n"
        "    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def $scc\n"
    )
    f = function(f"  bb.0:\n{branch * count}    S_ENDPGM 0\n")
    locations = Locations(AMDGPU, 32)
    masks = ExecMasks(f, build_cfg(f), locations, LaneMap(locations))
    names = Names()
    names.masks = masks
    found = sorted(set(masks.within(0)) - {ENTRY})
    assert len(found) == count
    return names, found


def test_a_value_has_as_many_layers_as_it_was_written_under_masks():
    names, masks = names_under_masks(BRANCHES)
    values = [names.fresh() for _ in masks]
    held = first = names.fresh()
    for value, mask in zip(values, masks, strict=True):
        held = names.written(value, mask, held)
    assert names.depth(held) == BRANCHES
    parts = names.parts(held)
    assert {held, first, *values} <= parts
    assert names.parts(first) == {first}
    assert names.written(values[0], masks[0], held) != held, "the first layer of all is replaced"
    assert names.depth(names.written(values[0], masks[0], held)) == BRANCHES
    assert names.written(first, ENTRY, held) == first, "nothing is left below the whole wave"
