"""Descriptors, blocks with their layouts, push constants, shared memory, specialisation."""

from __future__ import annotations

import pytest

from tests.programs.spirv.facts.stages import EMPTY, HEAD, TYPES, facts_of
from unshade.model.facts import ProgramFacts

COMPUTE = f"""{HEAD} OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 4 1"""


def bound(number: str, binding: int, space: int = 0) -> str:
    return f"OpDecorate {number} DescriptorSet {space}\nOpDecorate {number} Binding {binding}\n"


def test_descriptors_by_type() -> None:
    found = facts_of(
        f"""{COMPUTE} {bound("%s", 0)} {bound("%t", 1)} {bound("%both", 2)} {bound("%st", 3)}
        {bound("%tb", 4)} {bound("%at", 5, 2)} {bound("%many", 6)} {bound("%tlas", 7)}
        OpDecorate %at InputAttachmentIndex 3
        OpDecorate %st NonWritable
        OpName %t "t" {TYPES}
        %sampler = OpTypeSampler
        %image = OpTypeImage %float 2D 0 1 0 1 Unknown
        %stored = OpTypeImage %float 3D 0 0 0 2 Rg8Snorm
        %texels = OpTypeImage %uint Buffer 0 0 0 2 R32ui
        %pixel = OpTypeImage %float SubpassData 0 0 0 2 Unknown
        %combined = OpTypeSampledImage %image
        %rays = OpTypeAccelerationStructureKHR
        %unbounded = OpTypeRuntimeArray %combined
        %ps = OpTypePointer UniformConstant %sampler
        %pt = OpTypePointer UniformConstant %image
        %pb = OpTypePointer UniformConstant %combined
        %pst = OpTypePointer UniformConstant %stored
        %ptb = OpTypePointer UniformConstant %texels
        %pp = OpTypePointer UniformConstant %pixel
        %pm = OpTypePointer UniformConstant %unbounded
        %pr = OpTypePointer UniformConstant %rays
        %s = OpVariable %ps UniformConstant
        %t = OpVariable %pt UniformConstant
        %both = OpVariable %pb UniformConstant
        %st = OpVariable %pst UniformConstant
        %tb = OpVariable %ptb UniformConstant
        %at = OpVariable %pp UniformConstant
        %many = OpVariable %pm UniformConstant
        %tlas = OpVariable %pr UniformConstant {EMPTY}"""
    ).of(0)
    rows = [each.resource for each in found.resources]
    assert [(each.register, each.kind, each.descriptor, each.writable) for each in rows] == [
        (0, "sampler", "sampler", False),
        (1, "texture", "sampled_image", False),
        (2, "combined_sampler", "combined_image_sampler", False),
        (3, "texture", "storage_image", False),
        (4, "typed_buffer", "storage_texel_buffer", True),
        (5, "input_attachment", "input_attachment", False),
        (6, "combined_sampler", "combined_image_sampler", False),
        (7, "acceleration_structure", "acceleration_structure", False),
    ]
    assert [each.dimension for each in rows[1:6]] == ["2darray", "2darray", "3d", "buffer", "2d"]
    assert (rows[3].return_type, rows[3].components, rows[3].texel_format) == (
        "snorm", 2, "Rg8Snorm",
    )  # fmt: skip
    assert (rows[5].space, rows[5].attachment) == (2, 3)
    assert rows[6].count is None
    assert rows[1].name == "t"
    assert rows[0].name == "set0_binding0"
    assert rows[0].declared
    assert not any(each.used for each in rows)


def block(
    members: str, decorations: str, storage: str = "Uniform", debug: str = "", types: str = ""
) -> ProgramFacts:
    return facts_of(
        f"""{COMPUTE} {debug} OpDecorate %B Block
        {bound("%b", 0) if storage != "PushConstant" else ""} {decorations} {TYPES}
        %four = OpTypeArray %float %uint_4
        %open = OpTypeRuntimeArray %v4float
        {types}
        %B = OpTypeStruct {members}
        %p = OpTypePointer {storage} %B
        %b = OpVariable %p {storage}
        %pointer = OpTypePointer {storage} %float
        %main = OpFunction %void None %fn
        %l = OpLabel
        %chain = OpAccessChain %pointer %b %uint_1
        %value = OpLoad %float %chain
        OpReturn
        OpFunctionEnd"""
    ).of(0)


def at(*offsets: int) -> str:
    lines = (f"OpMemberDecorate %B {n} Offset {each}" for n, each in enumerate(offsets))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("members", "offsets", "stride", "layout"),
    [
        ("%float %v3float", (0, 16), 16, "std140"),
        ("%float %v3float", (0, 4), 16, "scalar"),
        ("%float %four", (0, 16), 16, "std140"),
        ("%float %four", (0, 4), 4, "std430"),
        ("%v3float %float", (0, 12), 16, "std140"),
        ("%float %float", (0, 2), 16, "None"),
        ("%v4float %float", (0, 8), 16, "None"),
    ],
)
def test_layouts_are_told_apart(
    members: str, offsets: tuple[int, ...], stride: int, layout: str
) -> None:
    found = block(members, f"{at(*offsets)}\nOpDecorate %four ArrayStride {stride}")
    assert str(found.constant_buffers[0].layout) == layout


def test_members_have_their_offsets_and_strides() -> None:
    order = "OpMemberDecorate %B 1 RowMajor\nOpMemberDecorate %B 1 MatrixStride 16\n"
    found = block("%v4float %mat4x3", f'{at(0, 16)} {order} OpMemberName %B 0 "first"')
    (buffer,) = found.constant_buffers
    first, second = buffer.variables
    assert (first.name, first.used, second.name, second.used) == ("first", False, "member1", True)
    assert (second.type.type_class, second.type.rows, second.type.columns) == ("matrix_rows", 3, 4)
    assert (second.type.matrix_stride, second.size, buffer.size) == (16, 48, 64)


@pytest.mark.parametrize("language", ["HLSL 600", "Slang 1"])
def test_matrices_of_hlsl_are_described_as_in_the_source(language: str) -> None:
    """OpTypeMatrix of 4 columns of 3 is float4x3, and RowMajor is its column_major."""
    order = "OpMemberDecorate %B 1 RowMajor\nOpMemberDecorate %B 1 MatrixStride 16\n"
    found = block("%v4float %mat4x3", f"{at(0, 16)} {order}", debug=f"OpSource {language}")
    type = found.constant_buffers[0].variables[1].type
    assert (type.type_class, type.rows, type.columns) == ("matrix_columns", 4, 3)
    assert (type.matrix_stride, type.size) == (16, 48)
    order = "OpMemberDecorate %B 1 ColMajor\nOpMemberDecorate %B 1 MatrixStride 16\n"
    found = block("%v4float %mat4x3", f"{at(0, 16)} {order}", debug=f"OpSource {language}")
    type = found.constant_buffers[0].variables[1].type
    assert (type.type_class, type.rows, type.columns) == ("matrix_rows", 4, 3)
    assert (type.matrix_stride, type.size) == (16, 60)


def test_an_array_that_slang_puts_into_a_structure_is_an_array() -> None:
    names = (
        'OpName %wrapped "_Array_std140_float4" OpMemberName %wrapped 0 "data"\n'
        'OpName %plain "Pair" OpMemberName %plain 0 "data"'
    )
    inside = "OpDecorate %four ArrayStride 16 OpMemberDecorate %wrapped 0 Offset 0"
    found = block(
        "%float %wrapped %plain", f"{at(0, 16, 80)} {inside} OpMemberDecorate %plain 0 Offset 0",
        debug=names, types="%wrapped = OpTypeStruct %four\n%plain = OpTypeStruct %four",
    )  # fmt: skip
    _, wrapped, plain = found.constant_buffers[0].variables
    assert (str(wrapped.type.type_class), wrapped.type.elements, wrapped.type.strides) == (
        "scalar", [4], [16],
    )  # fmt: skip
    assert [each.name for each in plain.type.members] == ["data"]


def test_matrices_in_an_array_that_slang_puts_into_a_structure_have_its_layout() -> None:
    """The member of that structure is decorated, and not the member that it is."""
    names = (
        'OpName %wrapped "_Array_std140_matrix" OpMemberName %wrapped 0 "data"\nOpSource Slang 1'
    )
    inside = (
        "OpDecorate %several ArrayStride 64 OpMemberDecorate %wrapped 0 Offset 0\n"
        "OpMemberDecorate %wrapped 0 RowMajor OpMemberDecorate %wrapped 0 MatrixStride 16"
    )
    found = block(
        "%float %wrapped", f"{at(0, 16)} {inside}", debug=names,
        types="%several = OpTypeArray %mat4x3 %uint_2\n%wrapped = OpTypeStruct %several",
    )  # fmt: skip
    (buffer,) = found.constant_buffers
    type = buffer.variables[1].type
    assert (str(type.type_class), type.rows, type.columns) == ("matrix_columns", 4, 3)
    assert (type.elements, type.strides, type.matrix_stride) == ([2], [64], 16)
    assert buffer.size == 16 + 64 + 48


def test_a_buffer_that_is_an_array_is_described_by_one_element() -> None:
    found = block("%open", f"{at(0)}\nOpDecorate %open ArrayStride 16", "StorageBuffer")
    assert (found.resources[0].resource.kind, found.resources[0].resource.stride) == (
        "structured_buffer", 16,
    )  # fmt: skip
    assert found.constant_buffers[0].variables[0].type.elements == []
    mixed = block("%float %open", f"{at(0, 16)}\nOpDecorate %open ArrayStride 16", "StorageBuffer")
    assert mixed.resources[0].resource.kind == "raw_buffer"
    assert mixed.constant_buffers[0].variables[1].type.elements == [0]


def test_push_constants_have_a_layout_and_no_resource() -> None:
    (buffer,) = block("%float %float", at(0, 4), "PushConstant").constant_buffers
    assert (buffer.kind, buffer.resource, buffer.size) == ("push_constants", None, 8)


SPECIALISED = """
OpDecorate %n SpecId 7
OpDecorate %on SpecId 1
OpDecorate %size BuiltIn WorkgroupSize
OpName %n "n"
"""


def test_specialisation_reaches_array_lengths_and_the_workgroup() -> None:
    found = facts_of(
        f"""{COMPUTE} {SPECIALISED} {TYPES}
        %n = OpSpecConstant %uint 3
        %on = OpSpecConstantTrue %bool
        %m = OpSpecConstantOp %uint IMul %n %uint_4
        %size = OpSpecConstantComposite %v3uint %n %uint_2 %uint_1
        %arr = OpTypeArray %v4float %m
        %p = OpTypePointer Workgroup %arr
        %w = OpVariable %p Workgroup {EMPTY}"""
    ).of(0)
    assert (found.thread_group, found.thread_group_constants) == ([3, 2, 1], [7, None, None])
    constants = [
        (each.id, each.type, each.default, each.name) for each in found.specialisation_constants
    ]
    assert constants == [(1, "bool", True, None), (7, "uint", 3, "n")]
    (shared,) = found.shared_memory
    assert (shared.size, shared.stride, shared.count) == (192, 16, 12)


def test_a_resource_belongs_to_the_entry_points_that_use_it() -> None:
    found = facts_of(
        f"""{HEAD} OpEntryPoint GLCompute %main "main"
        OpEntryPoint GLCompute %second "second"
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionModeId %second LocalSizeId %uint_4 %uint_2 %uint_1
        OpDecorate %B Block
        OpMemberDecorate %B 0 Offset 0 {bound("%b", 0)} {bound("%unused", 1)} {TYPES}
        %B = OpTypeStruct %float
        %p = OpTypePointer Uniform %B
        %b = OpVariable %p Uniform
        %unused = OpVariable %p Uniform {EMPTY}
        %second = OpFunction %void None %fn
        %k = OpLabel
        %value = OpLoad %B %b
        OpReturn
        OpFunctionEnd"""
    )
    first, second = found.all()
    assert [(each.resource.register, each.resource.used) for each in first.resources] == [
        (1, False)
    ]
    assert [(each.resource.register, each.resource.used) for each in second.resources] == [
        (0, True), (1, False)
    ]  # fmt: skip
    assert (first.thread_group, second.thread_group) == ([1, 1, 1], [4, 2, 1])
