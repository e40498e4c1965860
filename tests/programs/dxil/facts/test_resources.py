"""Resources and sizes from metadata: names, kinds, ranges, what a read returns."""

from __future__ import annotations

import pytest

from tests.programs.dxil.nodes import Nodes
from tests.programs.facts import shown
from unshade.model.facts import ProgramFacts
from unshade.programs.dxil.facts import facts_of
from unshade.programs.dxil.facts.layouts import size_of
from unshade.programs.dxil.model import TypeTable
from unshade.programs.dxil.model.constants import UndefinedValue
from unshade.programs.dxil.model.metadata import MetadataValue
from unshade.programs.dxil.model.types import StructType


def of(group: int, *rows: list[object]) -> ProgramFacts:
    lists: list[object] = [None, None, None, None]
    lists[group] = list(rows)
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", None, lists, None])
    return facts_of(nodes.code(5, "cs"))


T: dict[str, object] = {
    "register_class": "t", "register": 2, "declared": True, "count": 1, "id": 3, "name": "t2",
}  # fmt: skip
U = T | {"register_class": "u", "name": "u2", "writable": True}
# The list, what follows space, first register and their number, and the resource.
KINDS: tuple[tuple[int, list[object], dict[str, object]], ...] = (
    (0, [2, 0, [0, 9]], T | {"kind": "texture", "dimension": "2d", "return_type": "float"}),
    (0, [3, 8, [0, 4]],
     T | {"kind": "texture", "dimension": "2dms", "samples": 8, "return_type": "sint"}),
    (0, [10, 0, [0, 5]],
     T | {"kind": "typed_buffer", "dimension": "buffer", "return_type": "uint"}),
    (0, [11, 0, None], T | {"kind": "raw_buffer", "dimension": "buffer"}),
    (0, [12, 0, [1, 20]], T | {"kind": "structured_buffer", "dimension": "buffer", "stride": 20}),
    (0, [16, 0, None], T | {"kind": "acceleration_structure"}),
    (0, [99, 0, None], T | {"kind": "unknown_99"}),
    (1, [12, 0, 0, 0, [1, 20]],
     U | {"kind": "structured_buffer", "dimension": "buffer", "stride": 20}),
    (1, [12, 1, 1, 1, [1, 4]],
     U | {"kind": "structured_buffer", "dimension": "buffer", "stride": 4, "counter": "counter",
          "globally_coherent": True, "rasterizer_ordered": True}),
    (2, [64, None], T | {"register_class": "b", "name": "cb2", "kind": "constant_buffer"}),
    (3, [0, None], T | {"register_class": "s", "name": "s2", "kind": "sampler"}),
    (3, [1, None],
     T | {"register_class": "s", "name": "s2", "kind": "sampler", "comparison": True}),
    (3, [2, None], T | {"register_class": "s", "name": "s2", "kind": "sampler"}),
)  # fmt: skip


@pytest.mark.parametrize(("group", "rest", "expected"), KINDS)
def test_kinds(group: int, rest: list[object], expected: dict[str, object]) -> None:
    facts = of(group, [3, 0, "", 0, 2, 1, *rest])
    (found,) = facts.resources
    assert shown(found.resource) == expected
    letter = ("t", "u", "cb", "s")[group]
    assert found.label == f"{letter}3"
    assert found.path == f"dx.entryPoints[0].{('srvs', 'uavs', 'cbuffers', 'samplers')[group]}[0]"
    if group == 2:
        (buffer,) = facts.constant_buffers
        assert (buffer.name, buffer.resource, buffer.size, buffer.declared_size) == (
            "cb2",
            0,
            64,
            64,
        )


@pytest.mark.parametrize(
    ("name", "space", "lower", "registers", "shown_name", "count", "where"),
    [
        ("", 0, 2, 1, "t2", 1, "t2"), ("", 3, 2, 4, "t2_space3", 4, "t2, space3"),
        ("", 0, 0, -1, "t0", None, "t0"), ("map", 1, 7, 2, "map", 2, "t7, space1"),
    ],
)  # fmt: skip
def test_names_and_ranges(
    name: str,
    space: int,
    lower: int,
    registers: int,
    shown_name: str,
    count: int | None,
    where: str,
) -> None:
    (found,) = of(0, [0, 0, name, space, lower, registers, 11, 0, None]).resources
    each = found.resource
    assert (each.name, each.count, each.where) == (shown_name, count, where)
    assert each.declared is not bool(name)


def test_paths_count_in_each_list() -> None:
    lists: list[object] = [
        [[0, 0, "a", 0, 0, 1, 11, 0, None], [1, 0, "b", 0, 1, 1, 11, 0, None]],
        [[0, 0, "c", 0, 0, 1, 11, 0, 0, 0, None]], None, [[0, 0, "d", 0, 0, 1, 0, None]],
    ]  # fmt: skip
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", None, None, None])
    nodes.name("dx.resources", lists)
    found = facts_of(nodes.code(5, "cs")).resources
    assert [(each.resource.name, each.path) for each in found] == [
        ("d", "dx.resources.samplers[0]"), ("a", "dx.resources.srvs[0]"),
        ("b", "dx.resources.srvs[1]"), ("c", "dx.resources.uavs[0]"),
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_components_of_a_read(count: int) -> None:
    """From the type in HLSL: Texture2D<float4>, a structure with a vector."""
    nodes = Nodes()
    types = nodes.module.types
    real = types.floating("float")
    inner = types.vector(count, real) if count > 1 else real
    texture = StructType("class.Texture2D<float4>", [inner])
    variable = MetadataValue(UndefinedValue(types.pointer(types.array(3, texture))))
    row: list[object] = [0, variable, "t", 0, 0, 3, 2, 0, [0, 9]]
    nodes.name("dx.entryPoints", [None, "main", None, [[row], None, None, None], None])
    (found,) = facts_of(nodes.code(0, "ps")).resources
    assert (found.resource.components, found.resource.count) == (count, 3)


def test_sizes_of_types() -> None:
    """In bytes, without padding; a bit takes one byte, a pointer four."""
    types = TypeTable()
    word, real = types.integer(32), types.floating("double")
    assert [size_of(types.integer(bits)) for bits in (1, 8, 16, 32, 64)] == [1, 1, 2, 4, 8]
    assert [size_of(types.floating(name)) for name in ("half", "float", "double")] == [2, 4, 8]
    assert size_of(types.pointer(real)) == 4
    assert size_of(types.array(3, types.vector(4, types.pointer(word)))) == 48
    assert size_of(StructType("s", [word, real, types.array(2, word)])) == 20
    assert size_of(StructType("opaque", None)) == 0
    assert size_of(types.array(0, real)) == 0


def test_rows_without_an_index_are_counted() -> None:
    nodes = Nodes()
    row: list[object] = [0, "A", 9, 0, [7, 3], 2, 4, 1, 0, 0, None]
    nodes.name("dx.entryPoints", [None, "main", [[row], None, None], None, None])
    found = facts_of(nodes.code(1, "vs")).inputs
    assert [each.index for each in found] == [7, 3, 2, 3]
