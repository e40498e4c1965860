"""Inputs and outputs: locations, components, built-ins, interpolation."""

from __future__ import annotations

import pytest

from tests.programs.spirv.facts.stages import EMPTY, HEAD, TYPES, facts_of
from unshade.model import Interpolation, MeshShading, SystemValue
from unshade.model.facts import ProgramPort
from unshade.programs.spirv.facts.vocabulary import BUILT_INS, BUILT_INS_OF_STAGES
from unshade.vocab.slots import Direction, Rate


def rows(ports: list[ProgramPort]) -> list[tuple[str, int | str, str, str | None]]:
    return [
        (each.label, each.slot.place, each.components, str(each.component_type)) for each in ports
    ]


def test_unnamed_sources_of_a_blend_have_names_of_their_own() -> None:
    found = facts_of(
        f"""{HEAD} OpEntryPoint Fragment %main "main" %one %two
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %one Location 0
        OpDecorate %two Location 0
        OpDecorate %two Index 1 {TYPES}
        %po = OpTypePointer Output %v4float
        %one = OpVariable %po Output
        %two = OpVariable %po Output {EMPTY}"""
    ).of(0)
    assert [(each.name, each.slot.index) for each in found.outputs] == [("out0", 0), ("out0_1", 1)]


VARIABLES = """
OpName %m "m"
OpName %d "d"
OpName %v "v"
OpName %B "B"
OpMemberName %B 0 "a"
OpMemberName %B 1 "b"
OpDecorate %m Location 2
OpDecorate %d Location 8
OpDecorate %half Location 1
OpDecorate %half Component 2
OpDecorate %B Block
OpDecorate %v Location 4
OpMemberDecorate %B 1 Flat
"""


def test_a_row_for_each_location() -> None:
    found = facts_of(
        f"""{HEAD} OpEntryPoint Fragment %main "main" %m %d %v %half
        OpExecutionMode %main OriginUpperLeft {VARIABLES} {TYPES}
        %B = OpTypeStruct %v4float %int
        %arr = OpTypeArray %v2float %uint_2
        %pm = OpTypePointer Input %mat3
        %pd = OpTypePointer Input %v3double
        %pv = OpTypePointer Input %B
        %ph = OpTypePointer Input %v2float
        %m = OpVariable %pm Input
        %d = OpVariable %pd Input
        %v = OpVariable %pv Input
        %half = OpVariable %ph Input {EMPTY}"""
    ).of(0)
    assert rows(found.inputs) == [
        ("m", 2, "xyz", "float32"), ("m[1]", 3, "xyz", "float32"), ("m[2]", 4, "xyz", "float32"),
        ("d", 8, "xz", "float64"), ("d[1]", 9, "x", "float64"),
        ("v.a", 4, "xyzw", "float32"), ("v.b", 5, "x", "sint32"),
        ("in1", 1, "zw", "float32"),
    ]  # fmt: skip
    assert [each.interpolation for each in found.inputs[-3:]] == [
        Interpolation.LINEAR, Interpolation.CONSTANT, Interpolation.LINEAR
    ]  # fmt: skip
    assert found.global_flags == ["OriginUpperLeft"]


PER_VERTEX = """
OpDecorate %PerVertex Block
OpMemberDecorate %PerVertex 0 BuiltIn Position
OpMemberDecorate %PerVertex 1 BuiltIn ClipDistance
OpDecorate %outer BuiltIn TessLevelOuter
OpDecorate %outer Patch
OpDecorate %c Location 0
OpDecorate %id BuiltIn InvocationId
"""


def test_control_points_are_rows_of_one() -> None:
    found = facts_of(
        f"""{HEAD} OpCapability Tessellation
        OpEntryPoint TessellationControl %main "main" %o %outer %c %id
        OpExecutionMode %main OutputVertices 3 {PER_VERTEX} {TYPES}
        %clip = OpTypeArray %float %uint_2
        %PerVertex = OpTypeStruct %v4float %clip
        %all = OpTypeArray %PerVertex %uint_4
        %po = OpTypePointer Output %all
        %levels = OpTypeArray %float %uint_2
        %pl = OpTypePointer Output %levels
        %cs = OpTypeArray %v4float %uint_4
        %pc = OpTypePointer Input %cs
        %pi = OpTypePointer Input %int
        %o = OpVariable %po Output
        %outer = OpVariable %pl Output
        %c = OpVariable %pc Input
        %id = OpVariable %pi Input {EMPTY}"""
    ).of(0)
    assert found.tessellation is not None
    assert found.tessellation.output_control_points == 3
    assert [(each.label, each.system_value) for each in found.outputs] == [
        ("gl_Position", SystemValue.POSITION),
        ("gl_ClipDistance", SystemValue.CLIP_DISTANCE),
        ("gl_ClipDistance[1]", SystemValue.CLIP_DISTANCE),
    ]
    assert [each.slot.element for each in found.outputs] == [0, 0, 1]
    assert {each.slot.rate for each in found.outputs} == {Rate.CONTROL_POINT}
    assert [(each.slot.rate, each.slot.element) for each in found.patch_constants] == [
        (Rate.PATCH, 0), (Rate.PATCH, 1)
    ]  # fmt: skip
    assert [each.slot.direction for each in found.inputs] == [Direction.INPUT] * 2
    assert found.inputs[1].system_value == SystemValue.OUTPUT_CONTROL_POINT_ID


def test_what_an_entry_point_uses_is_followed_through_calls() -> None:
    entry = f"""{HEAD} OpEntryPoint Vertex %main "main" %a %b %c
    OpDecorate %a Location 0
    OpDecorate %b Location 1
    OpDecorate %c Location 2 {TYPES}
    %p = OpTypePointer Input %v4float
    %pf = OpTypePointer Input %float
    %a = OpVariable %p Input
    %b = OpVariable %p Input
    %c = OpVariable %p Input
    %main = OpFunction %void None %fn
    %l = OpLabel
    %r = OpFunctionCall %void %other
    OpReturn
    OpFunctionEnd
    %other = OpFunction %void None %fn
    %m = OpLabel
    %x = OpLoad %v4float %a
    %by = OpAccessChain %pf %b %uint_1
    %y = OpLoad %float %by
    %again = OpFunctionCall %void %other
    OpReturn
    OpFunctionEnd"""
    found = facts_of(entry).of(0)
    assert [each.used for each in found.inputs] == ["xyzw", "y", ""]
    assert found.statistics is not None
    assert found.statistics.instructions == 7


def test_rows_of_a_huge_array_are_not_all_made() -> None:
    found = facts_of(
        f"""{HEAD} OpEntryPoint Vertex %main "main" %a
        OpDecorate %a Location 0 {TYPES}
        %many = OpConstant %uint 4294967295
        %arr = OpTypeArray %v4float %many
        %p = OpTypePointer Input %arr
        %a = OpVariable %p Input {EMPTY}"""
    ).of(0)
    assert len(found.inputs) == 256
    assert found.notes == ["in256: only the first 256 rows are listed"]


def test_settings_of_mesh_shaders() -> None:
    found = facts_of(f"""
        OpCapability MeshShadingEXT
        OpExtension "SPV_EXT_mesh_shader"
        OpMemoryModel Logical GLSL450
        OpEntryPoint MeshEXT %main "main"
        OpExecutionMode %main LocalSize 32 1 1
        OpExecutionMode %main OutputVertices 64
        OpExecutionMode %main OutputPrimitivesEXT 126
        OpExecutionMode %main OutputLinesEXT {TYPES} {EMPTY}""").of(0)
    assert found.mesh == MeshShading(
        output_topology="linelist", max_vertices=64, max_primitives=126
    )


def test_built_ins_of_one_stage_have_values_of_their_own() -> None:
    special = [(value, stage) for (_, stage), value in BUILT_INS_OF_STAGES.items()]
    assert len(special) == len(set(special))
    assert {value for value, _ in special}.isdisjoint(BUILT_INS.values())


def test_the_two_barycentric_coordinates_are_two_rows() -> None:
    found = facts_of(
        f"""{HEAD} OpEntryPoint Fragment %main "main" %a %b
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %a BuiltIn BaryCoordKHR
        OpDecorate %b BuiltIn BaryCoordNoPerspKHR {TYPES}
        %p = OpTypePointer Input %v3float
        %a = OpVariable %p Input
        %b = OpVariable %p Input {EMPTY}"""
    ).of(0)
    first, second = found.inputs
    assert first.system_value == SystemValue.BARYCENTRICS
    assert second.system_value == SystemValue.BARYCENTRICS_NOPERSPECTIVE
    assert first.slot != second.slot
    assert first.interpolation == Interpolation.LINEAR
    assert second.interpolation == Interpolation.LINEAR_NOPERSPECTIVE


def test_members_of_a_block_follow_each_other() -> None:
    """Each member begins after the locations of the one before it."""
    found = facts_of(
        f"""{HEAD} OpEntryPoint Fragment %main "main" %v
        OpExecutionMode %main OriginUpperLeft
        OpName %v "v"
        OpDecorate %B Block
        OpDecorate %v Location 3 {TYPES}
        %v2double = OpTypeVector %double 2
        %S = OpTypeStruct %float %mat3
        %arr = OpTypeArray %S %uint_2
        %wide = OpTypeArray %v3double %uint_2
        %B = OpTypeStruct %arr %float %wide %v2double %mat3 %int
        %pv = OpTypePointer Input %B
        %v = OpVariable %pv Input {EMPTY}"""
    ).of(0)
    first: dict[str, int | str] = {}
    for each in found.inputs:
        first.setdefault(each.label.split("[")[0].split(".")[1], each.slot.place)
    # twice a float and a matrix of three columns; a float; twice two locations; one; three; one
    assert [*first.values()] == [3, 11, 12, 16, 17, 20]
    assert sorted(int(each.slot.place) for each in found.inputs) == [*range(3, 21)]


@pytest.mark.parametrize(
    ("kind", "offsets"),
    [
        ("%float", [8]),
        ("%v4float", [8]),
        ("%mat3", [8, 20, 32]),
        ("%v3double", [8, 24]),  # a location has 16 bytes
        ("%pairs", [8, 16]),
        ("%matrices", [8, 20, 32, 44, 56, 68]),
        ("%S", [8, 12, 28]),
        ("%structures", [8, 12, 28, 36, 40, 56]),
        ("%outer", [8, 16, 24, 28, 44]),
    ],
)
def test_offsets_in_transform_feedback(kind: str, offsets: list[int]) -> None:
    """Components follow each other.

    Source: GLSL 4.60 specification, section 4.4.2.1: an aggregate is written out in order.
    """
    found = facts_of(
        f"""{HEAD} OpCapability TransformFeedback
        OpEntryPoint Vertex %main "main" %a
        OpExecutionMode %main Xfb
        OpDecorate %a Location 1
        OpDecorate %a Offset 8
        OpDecorate %a XfbBuffer 2
        OpDecorate %a XfbStride 128 {TYPES}
        %pairs = OpTypeArray %v2float %uint_2
        %matrices = OpTypeArray %mat3 %uint_2
        %S = OpTypeStruct %float %v4float %v2float
        %structures = OpTypeArray %S %uint_2
        %outer = OpTypeStruct %pairs %S
        %p = OpTypePointer Output {kind}
        %a = OpVariable %p Output {EMPTY}"""
    ).of(0)
    assert [each.feedback_offset for each in found.outputs] == offsets
    assert {each.feedback_buffer for each in found.outputs} == {2}
