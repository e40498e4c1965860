"""Work graphs: nodes and the records that they send each other."""

from __future__ import annotations

import pytest

from tests.fixtures.libraries import UNBOUNDED, Node, Sent, library
from unshade.analysis.pipelines import StateObject, object_of
from unshade.analysis.pipelines.exports import ExportedShader, ObjectExports
from unshade.analysis.pipelines.stages import PipelineStage
from unshade.model.stateobjects import (
    StoredNode,
    StoredNodeId,
    StoredNodeOutput,
    StoredStateObject,
    StoredWorkGraph,
)

LEAF = Node("leaf", takes=8)
SPLIT = Node("split", sends=(Sent("leaf", 8),))


def codes(*nodes: Node) -> list[str]:
    """Return the findings of the graph of all nodes."""
    return [each.code for each in object_of([(library(*nodes), "graph.dxil")]).check()]


def messages(*nodes: Node) -> list[str]:
    return [each.message for each in object_of([(library(*nodes), "graph.dxil")]).check()]


def listed(graph: StoredWorkGraph, *nodes: Node) -> list[tuple[str, str]]:
    """Return the findings of a graph that a state object describes."""
    shader = library(*nodes)
    [program] = shader.programs
    exports = [
        ExportedShader(name, PipelineStage(shader, program, name, stage, "graph.dxil"))
        for name, stage in program.entry_points
    ]
    described = StoredStateObject(key="g", type="executable", work_graphs=[graph])
    found = StateObject(ObjectExports("a.sodb!g", described, exports)).check()
    return [(each.code, each.message) for each in found]


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ((SPLIT, LEAF), []),
        ((SPLIT, LEAF._replace(takes=12)), ["graph.record"]),
        ((SPLIT, LEAF._replace(takes=0)), ["graph.record"]),
        ((SPLIT._replace(sends=(Sent("leaf"),)), LEAF._replace(takes=0)), []),
        # a node without an input takes any records
        ((SPLIT, LEAF._replace(takes=None)), []),
        ((SPLIT,), ["graph.node"]),
        ((SPLIT._replace(sends=(Sent("leaf", 8, sparse=True),)),), []),
        # arrays: every node that is not sparse
        ((SPLIT._replace(sends=(Sent("leaf", 8, nodes=2),)), LEAF), ["graph.node"]),
        ((SPLIT._replace(sends=(Sent("leaf", 8, nodes=2, sparse=True),)), LEAF), []),
        ((SPLIT._replace(sends=(Sent("leaf", 8, nodes=UNBOUNDED),)), LEAF), []),
        ((SPLIT._replace(sends=(Sent("leaf", 4, nodes=UNBOUNDED),)), LEAF), ["graph.record"]),
        # recursion
        ((LEAF._replace(sends=(Sent("leaf", 8),)),), ["graph.recursion"]),
        ((LEAF._replace(sends=(Sent("leaf", 8),), recursion=4),), []),
        ((LEAF._replace(sends=(Sent("leaf", 8),), recursion=32),), ["graph.depth"]),
        # a circle
        ((Node("a", takes=8, sends=(Sent("b", 8),)), Node("b", takes=8, sends=(Sent("a", 8),))),
         ["graph.circle"]),
        # an input that is shared
        ((SPLIT, LEAF, Node("tap", takes=8, shares="leaf")), []),
        ((SPLIT, LEAF, Node("tap", takes=4, shares="leaf")), ["graph.record"]),
        ((SPLIT, LEAF, Node("tap", takes=8, shares="leaf", launch="coalescing")),
         ["graph.shared"]),
        ((SPLIT, LEAF, Node("tap", takes=8, shares="gone")), ["graph.node"]),
    ],
)  # fmt: skip
def test_a_graph_of_all_nodes(nodes: tuple[Node, ...], expected: list[str]) -> None:
    assert codes(*nodes) == expected


def test_messages_name_nodes_and_sizes() -> None:
    assert messages(SPLIT._replace(sends=(Sent("leaf", 8, at=1),)), Node("x", 0, takes=8)) == [
        "split sends records to leaf[1], which is no node"
    ]
    assert messages(SPLIT, LEAF._replace(takes=12)) == [
        "split sends records of 8 bytes to leaf, which takes records of 12 bytes"
    ]
    assert messages(SPLIT, LEAF._replace(takes=0)) == [
        "split sends records of 8 bytes to leaf, which takes empty records"
    ]


def test_a_row_of_nodes() -> None:
    def row(count: int) -> list[Node]:
        return [
            Node(f"n{at}", takes=4, sends=(Sent(f"n{at + 1}", 4),) if at + 1 < count else ())
            for at in range(count)
        ]

    assert codes(*row(32)) == []
    assert messages(*row(33)) == ["expected at most 32 nodes in a row, recursion included, got 33"]


def test_a_graph_lists_its_nodes_and_overrides_them() -> None:
    every = StoredWorkGraph(
        name="work", flags=["include_all_available_nodes"],
        entry_points=[StoredNodeId(name="split")],
    )  # fmt: skip
    assert listed(every, SPLIT, LEAF) == []
    every.entry_points.append(StoredNodeId(name="root", index=1))
    assert listed(every, SPLIT, LEAF) == [("graph.node", "the entry point 'root[1]' is no node")]
    alone = StoredWorkGraph(name="work", nodes=[StoredNode(shader="split")])
    assert listed(alone, SPLIT, LEAF) == [
        ("graph.node", "split sends records to leaf, which is no node")
    ]
    renamed = StoredNode(shader="leaf", id=StoredNodeId(name="end"))
    both = StoredWorkGraph(name="work", nodes=[StoredNode(shader="split"), renamed])
    assert [code for code, _ in listed(both, SPLIT, LEAF)] == ["graph.node"]
    to_end = StoredNodeOutput(output=0, target=StoredNodeId(name="end"))
    both = StoredWorkGraph(
        name="work", nodes=[StoredNode(shader="split", outputs=[to_end]), renamed]
    )
    assert listed(both, SPLIT, LEAF) == []
    taken = StoredNode(shader="leaf", id=StoredNodeId(name="split"))
    twice = StoredWorkGraph(name="work", nodes=[StoredNode(shader="split"), taken])
    assert listed(twice, SPLIT, LEAF)[0] == ("graph.twice", "two nodes have the id 'split'")
    gone = StoredWorkGraph(name="work", nodes=[StoredNode(shader="gone")])
    assert [code for code, _ in listed(gone, LEAF)] == ["graph.node"]


def test_a_graph_without_nodes() -> None:
    assert listed(StoredWorkGraph(name="work")) == [
        ("graph.node", "the work graph 'work' has no nodes")
    ]


def test_the_first_node_that_an_array_lacks_is_named() -> None:
    split = SPLIT._replace(sends=(Sent("leaf", 8, at=1, nodes=1_000_000_000),))
    assert messages(split, LEAF._replace(at=1)) == [
        "split sends records to leaf[2], which is no node"
    ]
