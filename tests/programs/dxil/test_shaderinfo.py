"""Information about a shader in metadata."""

import pytest

from tests.programs.dxil.modules import part, saxpy
from tests.programs.dxil.nodes import Nodes
from unshade.errors import FormatError
from unshade.programs.dxil import Code
from unshade.programs.dxil.model.constants import ConstantData, ConstantNull, UndefinedValue
from unshade.programs.dxil.model.metadata import MetadataValue
from unshade.programs.dxil.model.types import DxilType
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.programs.dxil.shaderinfo.annotations import (
    FieldAnnotation,
    ParameterAnnotation,
    StructAnnotation,
    TemplateArgument,
    read_annotations,
)
from unshade.vocab.dxil import DxilResourceKind


def test_versions_and_threads() -> None:
    shader = read_shader(saxpy().module)
    assert (shader.version, shader.shader_model, shader.stage) == ((1, 6), (6, 6), "cs")
    (entry,) = shader.entry_points
    assert (entry.name, entry.function) == (
        "main",
        saxpy().module.function("main") and entry.function,
    )
    assert len(entry.properties.threads) == 3
    assert entry.resources == shader.resources


@pytest.mark.parametrize(
    ("validator", "known"),
    [(None, 0), ([1, 5], 1), ([1, 6], 2), ([0, 0], 2)],
)
def test_the_validator_that_a_shader_is_for(validator: list[object] | None, known: int) -> None:
    nodes = Nodes()
    if validator is not None:
        nodes.name("dx.valver", validator)
    shader = read_shader(nodes.code(5, "cs").module)
    assert sum(shader.is_validated_by(1, minor) for minor in (5, 6)) == known


def test_resources_and_types() -> None:
    module = Code.decode(part(b"STAT")).module
    shader = read_shader(module)
    found = shader.resources.all
    assert len(found) >= 3
    assert all(each.name and each.registers == 1 for each in found)
    (constants,) = shader.resources.cbuffers
    assert constants.kind == DxilResourceKind.CBUFFER
    annotation = next(each for each in shader.structures if each.type is constants.type)
    assert annotation.size == constants.size
    assert [each.offset for each in annotation.fields][:1] == [0]
    assert all(each.name for each in annotation.fields)


def test_properties_of_entry_points() -> None:
    nodes = Nodes()
    record = [0, ["out", 2], 1, 6, 2, [0, 16, 1, [0, 5, 3], 2, 4], 3, 9, 4, -1, 5, 7, 6, 1, 99, 1]
    nodes.name(
        "dx.entryPoints",
        [
            None,
            "main",
            None,
            None,
            [
                *(0, 8, 1, [1, 2, 3, 4, 5], 2, [2, 3], 4, [8, 4, 1], 5, [6], 6, 32, 7, 8, 8, 15),
                *(9, [[1, 2, 3], 64, 126, 2, 100], 10, [[4, 5, 6], 7], 11, [32], 13, 1, 14, 1),
                *(15, ["node", 3], 16, 5, 17, ["other", 1], 18, [2, 2, 2], 19, 4, 20, [record]),
                *(21, [record, record], 22, [9, 9, 9], 24, 4096, 77, 5),
            ],
        ],
    )
    (entry,) = read_shader(nodes.module).entry_points
    found = entry.properties
    assert (found.flags, found.threads, found.wave_size) == (8, (8, 4, 1), (32,))
    assert found.geometry == (1, 2, 3, 4, 5)
    assert found.domain == (2, 3)
    assert found.mesh == ((1, 2, 3), 100, 64, 126, 2)
    assert found.amplification == ((4, 5, 6), 7, 0, 0, 0)
    assert (found.payload_size, found.attribute_size, found.shader_kind) == (32, 8, 15)
    assert (found.binding_space, found.group_shared_limit) == (6, 4096)
    assert (found.node_id, found.shares_input_of) == (("node", 3), ("other", 1))
    assert (found.dispatch_grid, found.max_dispatch_grid) == ((2, 2, 2), (9, 9, 9))
    assert (found.launch, found.is_program_entry, found.max_recursion) == (1, True, 4)
    assert [tag for tag, _ in found.others] == [77]
    (one,) = found.node_inputs
    assert found.node_outputs == (one, one)
    assert (one.name, one.array_index, one.flags, one.record_size) == ("out", 2, 6, 16)
    assert (one.dispatch_grid, one.record_alignment) == ((0, 5, 3), 4)
    assert (one.max_records, one.max_records_shared_with) == (9, -1)
    assert (one.array_size, one.allow_sparse) == (7, True)


def test_signatures_and_resources_of_every_kind() -> None:
    nodes = Nodes()
    element = [0, "COLOR", 9, 0, [0, 1], 2, 2, 4, -1, 0, [0, 1, 2, 3, 3, 15]]
    srv = [0, 0, "t", 1, 2, -1, 2, 4, [0, 9]]
    uav = [1, 0, "u", 0, 0, 1, 12, 1, 0, 1, [1, 16, 3, 1, 4, 1]]
    nodes.name(
        "dx.entryPoints",
        [
            None,
            "main",
            [[element], None, None],
            [[srv], [uav], None, [[0, 0, "s", 0, 0, 1, 1, None]]],
            None,
        ],
    )
    (entry,) = read_shader(nodes.module).entry_points
    (found,) = entry.signatures.inputs
    assert (found.indices, found.start_row, found.stream) == ((0, 1), -1, 1)
    assert (found.dynamic_mask, found.usage_mask) == (3, 15)
    one, other = entry.resources.srvs[0], entry.resources.uavs[0]
    assert (one.space, one.lower, one.registers, one.samples) == (1, 2, 0xFFFF_FFFF, 4)
    assert (one.component_type, other.stride, other.atomic64) == (9, 16, True)
    assert (other.globally_coherent, other.has_counter, other.rasterizer_ordered) == (
        True,
        False,
        True,
    )
    assert other.reorder_coherent
    assert [each.group for each in entry.resources.all] == [3, 0, 1]


@pytest.mark.parametrize("tags", [*range(8), None])
def test_properties_of_elements_that_are_left_out(tags: int | None) -> None:
    """Stream, mask of dynamic indices and mask of use, each with or without the others."""
    known = {0: 2, 2: 5, 3: 9}
    given = [
        each
        for bit, (tag, value) in enumerate(known.items())
        if tags is not None and tags >> bit & 1
        for each in (tag, value)
    ]
    element = [0, "A", 9, 0, [0], 2, 1, 4, 0, 0, None if tags is None else [*given, 77, 1]]
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", [None, [element], None], None, None])
    (entry,) = read_shader(nodes.module).entry_points
    (found,) = entry.signatures.outputs
    there = dict(zip(given[::2], given[1::2], strict=True))
    assert found.stream == there.get(0, 0)
    assert found.dynamic_mask == there.get(2, 0)
    assert found.usage_mask == there.get(3)


def test_annotations_of_structures_and_functions() -> None:
    """Each tag of a field, template arguments of both kinds, parameters."""
    nodes = Nodes()
    types = nodes.module.types
    number, real = types.integer(32), types.floating("float")
    structure = types.literal([number, real])

    def of(type: DxilType) -> MetadataValue:
        return MetadataValue(UndefinedValue(type))

    words = MetadataValue(ConstantData(types.array(2, number), [7, 9]))
    bits = [6, "b", 3, 0, 12, 5]
    field = [
        *(6, "a", 3, 16, 7, 9, 4, "SEM", 5, 2, 8, 1, 9, 0, 2, [3, 4, 2], 10, words, 11, [bits]),
        *(12, 31, 13, 4),
    ]
    template: list[object] = [0, [[0, of(real)], [1, -3]], 1, 5]
    nodes.name(
        "dx.typeAnnotations",
        [0, of(structure), [20, field, [6, "second"], template], of(real), [4]],
        [0, of(structure), [20, [6, "only"]]],
        [1, None, [[0, [6, "result"], None], [2, field, [4, 5]]]],
    )
    (first, second, short), (function,) = read_annotations(nodes.module)
    assert short.fields == (FieldAnnotation(name="only"),)
    assert (first.type, first.size, second) == (structure, 20, StructAnnotation(real, 4, ()))
    assert first.template == (TemplateArgument(type=real), TemplateArgument(number=-3))
    one, other = first.fields
    assert one == FieldAnnotation(
        name="a", offset=16, component_type=9, matrix=(3, 4, 2), semantic="SEM", interpolation=2,
        precise=True, used=False, resource=(7, 9), bit_width=31, vector_size=4,
        bit_fields=(FieldAnnotation(name="b", offset=0, bit_width=5),),
    )  # fmt: skip
    assert other == FieldAnnotation(name="second")
    assert function.function is None
    assert function.parameters == (
        ParameterAnnotation(0, FieldAnnotation(name="result"), ()),
        ParameterAnnotation(2, one, (4, 5)),
    )


def test_sources() -> None:
    nodes = Nodes()
    nodes.name("dx.source.contents", ["a.hlsl", "text"], ["b.hlsl", ""])
    nodes.name("dx.source.mainFileName", ["a.hlsl"])
    nodes.name("dx.source.args", ["-E", "main"])
    shader = read_shader(nodes.module)
    assert [each.name for each in shader.sources] == ["a.hlsl", "b.hlsl"]
    assert (shader.main_file, shader.arguments) == ("a.hlsl", ["-E", "main"])


def test_the_state_of_view_ids_may_be_zeros() -> None:
    nodes = Nodes()
    types = nodes.module.types
    zeros = ConstantNull(types.array(3, types.integer(32)))
    nodes.name("dx.viewIdState", [MetadataValue(zeros)])
    assert read_shader(nodes.module).view_id_state == [0, 0, 0]
    huge = ConstantNull(types.array(2**40, types.integer(32)))
    nodes.module.named_metadata[0].nodes[0].elements[0] = MetadataValue(huge)
    with pytest.raises(FormatError, match="expected at most 1048576 numbers"):
        read_shader(nodes.module)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ([None, "main"], "expected more than 2 elements, got 2"),
        ([None, 5, None, None, None], r"dx.entryPoints\[0\]\[1\]: expected a string"),
        ([5, "main", None, None, None], "expected a function"),
        ([None, "main", 5, None, None], "expected a node"),
        ([None, "main", None, None, [0]], "expected pairs, got 1 elements"),
        ([None, "main", None, None, [0, "x"]], "expected a value"),
        ([None, "main", None, None, [12, [5]]], "expected an array"),
    ],
)
def test_other_structures_are_refused(entry: list[object], problem: str) -> None:
    nodes = Nodes()
    nodes.name("dx.entryPoints", entry)
    with pytest.raises(FormatError, match=problem):
        read_shader(nodes.module)
