"""Facts of shaders of ray tracing and of nodes."""

from tests.fixtures.libraries import UNBOUNDED, Node, Ray, Sent, library
from unshade.model import ProgramFacts


def facts(shader: Ray | Node) -> ProgramFacts:
    [program] = library(shader).programs
    return program.facts(shader.name)


def test_what_a_shader_of_ray_tracing_takes_and_passes() -> None:
    found = facts(Ray("shade", "closesthit", payload=16, attributes=8, passes=(32, 16), calls=(4,)))
    assert found.node is None
    assert found.ray_tracing is not None
    assert found.ray_tracing.to_dict() == {
        "payload_size": 16, "attribute_size": 8, "passed_payloads": [16, 32],
        "passed_parameters": [4],
    }  # fmt: skip


def test_a_node() -> None:
    sent = (Sent("leaf", 8, at=1), Sent("many", 4, nodes=UNBOUNDED, sparse=True), Sent("empty"))
    found = facts(Node("split", 2, "coalescing", 12, sent, recursion=3, shares="other"))
    assert (found.stage, found.ray_tracing) == ("node", None)
    node = found.node
    assert node is not None
    assert (node.name, node.index, node.launch) == ("split", 2, "coalescing")
    assert (node.max_recursion, node.shares_input_of, node.is_entry) == (3, "other", False)
    assert [each.record_size for each in node.inputs] == [12]
    assert [(each.name, each.index, each.record_size) for each in node.outputs] == [
        ("leaf", 1, 8), ("many", 0, 4), ("empty", 0, None),
    ]  # fmt: skip
    assert [(each.array_size, each.sparse) for each in node.outputs] == [
        (None, False), (-1, True), (None, False),
    ]  # fmt: skip


def test_other_stages_have_neither() -> None:
    [program] = library(Ray("gen", "raygeneration")).programs
    found = program.facts("gen")
    assert found.ray_tracing is not None
    assert found.ray_tracing.passed_payloads == []
    assert found.node is None
