"""The lane graph against the textbook: reaching definitions by a fix-point, on random control flow."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from regtriage.dataflow.cfg import build_cfg
from regtriage.dataflow.findings import Place
from regtriage.dataflow.graph import AT_ENTRY, Definition, EdgeKind, LaneGraph, LaneProgram, Step
from regtriage.dataflow.mir.model import Block, MachineFunction

LOCATIONS = ("a", "b", "m[0]")


def program(successors: list[list[int]], steps: list[list[Step]]) -> LaneProgram:
    function = MachineFunction("f", "", 1)
    function.blocks = [Block(n, "", 1, successors=s) for n, s in enumerate(successors)]
    cfg = build_cfg(function)

    def place(block: int, index: int) -> Place:
        return Place("f.s", 100 * block + index, f"b{block}", f"i{block}.{index}", ())

    labels = {n: f"b{n}" for n in range(len(successors))}
    return LaneProgram("f", cfg, labels, {n: steps[n] for n in cfg.order}, place, lambda name: name.endswith("]"))


def write(location: str, *sources: str, kind: EdgeKind = EdgeKind.COMPUTE) -> Step:
    return Step(kind, ((location, sources),), sources)


def read(location: str) -> Step:
    return Step(EdgeKind.COMPUTE, (), (location,))


def expanded(graph: LaneGraph, node: Definition) -> set[Definition]:
    """The definitions behind merges."""
    queue = [node]
    for n in queue:
        if n.is_merge:
            queue += [d for d, _ in graph.inputs(n) if d not in queue]
    return {n for n in queue if not n.is_merge}


def reaching_by_fixpoint(p: LaneProgram, location: str) -> dict[int, set[Definition]]:
    """What reaches the start of each block."""
    start = {b: set[Definition]() for b in p.cfg.order}
    start[p.cfg.entry].add(Definition(AT_ENTRY, AT_ENTRY, location))
    changed = True
    while changed:
        changed = False
        for b in p.cfg.order:
            out = set(start[b])
            for i, step in enumerate(p.steps[b]):
                if any(w == location for w, _ in step.flows):
                    out = {Definition(b, i, location)}
            for s in p.cfg.successors[b]:
                if not out <= start[s]:
                    start[s] |= out
                    changed = True
    return start


steps = st.lists(
    st.one_of(
        st.builds(write, st.sampled_from(LOCATIONS), st.sampled_from(LOCATIONS)),
        st.builds(read, st.sampled_from(LOCATIONS)),
    ),
    max_size=3,
)


@st.composite
def programs(draw: st.DrawFn) -> LaneProgram:
    count = draw(st.integers(1, 7))
    successors = [draw(st.lists(st.integers(0, count - 1), max_size=2, unique=True)) for _ in range(count)]
    return program(successors, [draw(steps) for _ in range(count)])


@settings(max_examples=400, deadline=None)
@given(programs())
def test_reaching_definitions_are_those_of_the_fixpoint(p: LaneProgram):
    graph = LaneGraph(p)
    for location in LOCATIONS:
        start = reaching_by_fixpoint(p, location)
        for b in p.cfg.order:
            assert expanded(graph, graph.reaching(b, 0, location)) == start[b]


@settings(max_examples=200, deadline=None)
@given(programs())
def test_a_merge_joins_several_definitions(p: LaneProgram):
    graph = LaneGraph(p)
    for location in LOCATIONS:
        for b in p.cfg.order:
            if graph.merged_at(b, location):
                assert len(expanded(graph, Definition(b, AT_ENTRY, location))) > 1


@settings(max_examples=200, deadline=None)
@given(programs())
def test_outputs_are_inputs_seen_from_the_other_side(p: LaneProgram):
    graph = LaneGraph(p)
    nodes = [Definition(b, i, w) for b, row in p.steps.items() for i, step in enumerate(row) for w, _ in step.flows]
    nodes += [Definition(b, AT_ENTRY, x) for b in p.cfg.order for x in LOCATIONS if graph.merged_at(b, x)]
    forward = {(n, d) for n in nodes for d, _ in graph.outputs(n)}
    backward = {(d, n) for n in nodes for d, _ in graph.inputs(n) if not d.is_live_in}
    assert forward == backward


LOOP = program(
    [[1], [1, 2], []],
    [
        [write("a"), write("m[0]", "a", kind=EdgeKind.SPILL)],
        [
            write("b", "m[0]", kind=EdgeKind.RELOAD),
            read("b"),
            write("a", "b", "a"),
            write("m[0]", "a", kind=EdgeKind.SPILL),
        ],
        [read("a")],
    ],
)


def test_a_loop_merges_the_value_before_it_and_its_own():
    graph = LaneGraph(LOOP)
    merge = graph.reaching(1, 0, "m[0]")
    assert merge == Definition(1, AT_ENTRY, "m[0]")
    assert merge.is_merge
    assert [d for d, kind in graph.inputs(merge) if kind is EdgeKind.PHI] == [
        Definition(0, 1, "m[0]"),
        Definition(1, 3, "m[0]"),
    ]


def test_origins_are_behind_everything_that_only_moves():
    graph = LaneGraph(LOOP)
    reload = Definition(1, 0, "b")
    assert graph.origins(reload) == [Definition(0, 0, "a"), Definition(1, 2, "a")]
    assert graph.origins(reload, stop=lambda d: d.is_merge) == [Definition(1, AT_ENTRY, "m[0]")]


def test_derives_from():
    graph = LaneGraph(LOOP)
    store, merge = Definition(1, 3, "m[0]"), Definition(1, AT_ENTRY, "m[0]")
    assert graph.derives_from(store, lambda d: d == merge, 100) is True
    assert graph.derives_from(store, lambda d: False, 100) is False
    assert graph.derives_from(store, lambda d: False, 1) is None, "too large to say"


def test_readers():
    graph = LaneGraph(LOOP)
    assert graph.readers(Definition(1, 0, "b")) == [(1, 1), (1, 2)]
    assert graph.readers(Definition(0, 0, "a")) == [(0, 1)]


def test_slices_are_graphs_with_attributes_and_clobbers():
    graph = LaneGraph(LOOP)
    found = graph.backward([Definition(1, 0, "b")], 100)
    assert isinstance(found, nx.DiGraph)
    store = Definition(1, 3, "m[0]")
    assert found.nodes[store]["text"] == "i1.3"
    assert found.nodes[store]["kind"] == "spill"
    assert found.nodes[Definition(1, AT_ENTRY, "m[0]")]["block"] == "b1"
    assert found.edges[Definition(1, AT_ENTRY, "m[0]"), Definition(1, 0, "b")]["kind"] is EdgeKind.RELOAD
    clobbers = [(s, t) for s, t, a in found.edges(data=True) if a["kind"] is EdgeKind.CLOBBER]
    assert clobbers == [(Definition(1, AT_ENTRY, "m[0]"), store)]
    assert len(graph.backward([Definition(1, 0, "b")], 2)) == 2
    forward = graph.forward([Definition(0, 0, "a")], 100)
    assert Definition(1, 2, "a") in forward


@pytest.mark.parametrize("location", ["a", "m[0]"])
def test_a_location_that_nothing_defines_is_live_in(location: str):
    graph = LaneGraph(program([[]], [[read(location)]]))
    node = graph.reaching(0, 0, location)
    assert node.is_live_in
    assert graph.inputs(node) == []
