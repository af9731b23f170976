from __future__ import annotations

from regtriage.dataflow.chains import Direction, LinkKind, Walker
from regtriage.dataflow.graph import LaneGraph
from regtriage.dataflow.mir.parser import Reader
from regtriage.dataflow.mir_lanes import mir_program
from regtriage.dataflow.targets import target_for

TEXT = """---
name: k
body: |
  bb.0:
    successors: %bb.1
    liveins: $sgpr0_sgpr1
    %1:sgpr_128 = S_LOAD_DWORDX4_IMM $sgpr0_sgpr1, 16, 0
    SI_SPILL_S128_SAVE %1, %stack.3, implicit $exec, implicit $sgpr32
    undef %2.sub1:sgpr_64 = S_MOV_B32 7
    %5:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr0, 4, %5
  bb.1:
    successors: %bb.1, %bb.2
    %3:sgpr_128 = SI_SPILL_S128_RESTORE %stack.3, implicit $exec, implicit $sgpr32
    %4:sgpr_32 = COPY %3.sub2
    S_NOP 0, implicit %4
    %3.sub2:sgpr_128 = COPY %2.sub1
    SI_SPILL_S128_SAVE %3, %stack.3, implicit $exec, implicit $sgpr32
    S_CBRANCH_SCC1 %bb.1, implicit $scc
  bb.2:
    $sgpr9 = SI_RESTORE_S32_FROM_VGPR %5, 4
    S_ENDPGM 0, implicit $sgpr9
...
"""


def graph() -> LaneGraph:
    target = target_for("amdgcn-amd-amdhsa")
    file = Reader(target).read(TEXT, "k.mir")
    return LaneGraph(mir_program(file, file.functions[0], target))


def test_a_lane_goes_through_its_word_of_the_slot():
    g = graph()
    chain = Walker(g, Direction.BACKWARD, computes=1, most=50).chain(g.reaching(1, 2, "%4.sub0"), None)
    assert [(link.kind, link.location) for link in chain.links] == [
        (LinkKind.COPY, "%4.sub0"),
        (LinkKind.RELOAD, "%3.sub2"),
        (LinkKind.MERGE, "%stack.3+8"),
        (LinkKind.SPILL, "%stack.3+8"),
        (LinkKind.COMPUTE, "%1.sub2"),
        (LinkKind.ENTRY, "$sgpr0"),
        (LinkKind.ENTRY, "$sgpr1"),
        (LinkKind.SPILL, "%stack.3+8"),
        (LinkKind.COPY, "%3.sub2"),
        (LinkKind.CONSTANT, "%2.sub1"),
    ]
    assert [link.over_back_edge for link in chain.links].index(True) == 7


def test_other_lanes_of_the_register_are_not_concerned():
    g = graph()
    chain = Walker(g, Direction.BACKWARD, computes=0, most=50).chain(g.reaching(1, 4, "%3.sub0"), None)
    assert {link.location for link in chain.links} == {"%3.sub0", "%stack.3+0", "%1.sub0"}
    assert chain.links[-1].seen, "around the loop it comes back to itself"


def test_a_lane_of_a_vector_register():
    g = graph()
    chain = Walker(g, Direction.BACKWARD, computes=1, most=50).chain(g.reaching(2, 1, "$sgpr9"), None)
    assert [link.location for link in chain.links] == ["$sgpr9", "%5[4]", "$sgpr0"]


def test_forward_ends_at_uses_that_define_nothing():
    g = graph()
    chain = Walker(g, Direction.FORWARD, computes=0, most=50).chain(g.reaching(1, 2, "%4.sub0"), None)
    assert [link.kind for link in chain.links] == [LinkKind.COPY, LinkKind.USE]
    assert chain.links[-1].place is not None
    assert chain.links[-1].place.text.startswith("S_NOP")


def test_a_chain_that_is_cut_says_so():
    g = graph()
    start = g.reaching(1, 2, "%4.sub0")
    short = Walker(g, Direction.BACKWARD, computes=1, most=2).chain(start, None)
    assert len(short.links) == 2
    assert short.links[-1].cut
    shallow = Walker(g, Direction.BACKWARD, computes=0, most=50).chain(start, None)
    assert [link.location for link in shallow.links if link.cut] == ["%1.sub2"]


def test_a_slice_holds_what_the_chains_went_over():
    g = graph()
    walker = Walker(g, Direction.BACKWARD, computes=1, most=50)
    chain = walker.chain(g.reaching(1, 2, "%4.sub0"), None)
    assert walker.slice().number_of_nodes() == len({(li.kind, li.location, li.place) for li in chain.links})
