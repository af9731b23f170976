from __future__ import annotations

from regtriage.dataflow.cfg import build_cfg

from .mirtext import function

NESTED = """
  bb.0:
    successors: %bb.1
  bb.1:
    successors: %bb.2
  bb.2:
    successors: %bb.2, %bb.3
  bb.3:
    successors: %bb.1, %bb.4
  bb.4:
    S_ENDPGM 0
  bb.5:
    successors: %bb.4
"""


def test_orders_dominators_and_loops():
    cfg = build_cfg(function(NESTED))
    assert cfg.order == [0, 1, 2, 3, 4], "what is not reached is left out"
    assert cfg.dominates(1, 3)
    assert not cfg.dominates(3, 1)
    assert cfg.is_back_edge(2, 2)
    assert cfg.is_back_edge(3, 1)
    assert dict(cfg.natural_loops()) == {1: frozenset({1, 2, 3}), 2: frozenset({2})}
    assert cfg.loop_of(2) == {2}
    assert cfg.loop_of(3) == {1, 2, 3}
    assert cfg.loop_of(4) == frozenset()
    assert cfg.irreducible == frozenset()


def test_shortest_paths():
    cfg = build_cfg(function(NESTED))
    assert cfg.shortest_path(0, 3) == [0, 1, 2, 3]
    assert cfg.shortest_path(3, 2) == [3, 1, 2]
    assert cfg.shortest_path(2, 2) == [2]
    assert cfg.shortest_path(2, 2, least_edges=1) == [2, 2]
    assert cfg.shortest_path(3, 3, least_edges=1) == [3, 1, 2, 3]
    assert cfg.shortest_path(4, 0) is None
    assert cfg.shortest_path(0, 0) == [0]
    assert cfg.shortest_path(0, 0, least_edges=1) is None
    assert cfg.shortest_path(0, 4) == [0, 1, 2, 3, 4]
    assert cfg.shortest_path(0, 5) is None


def test_irreducible_cycle():
    cfg = build_cfg(
        function(
            "bb.0:\n successors: %bb.1, %bb.2\nbb.1:\n successors: %bb.2\nbb.2:\n successors: %bb.1, %bb.3\nbb.3:\n"
        )
    )
    assert cfg.irreducible == {1, 2}
