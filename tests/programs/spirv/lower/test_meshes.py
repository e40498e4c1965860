"""Mesh and task shaders: outputs of workgroups, payloads, launches, and draws with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UnsupportedError
from unshade.run.raster import draw

from .graphics import engines, fragment, module

MESHES = (
    "OpCapability MeshShadingEXT\nOpCapability FragmentShadingRateKHR\n"
    'OpExtension "SPV_EXT_mesh_shader"\nOpExtension "SPV_KHR_fragment_shading_rate"'
)
OUTPUTS = ("positions", "shades", "faces", "numbers", "flags", "indices")
NAMES = "\n".join(f'OpName %{each} "{each}"' for each in OUTPUTS)
PAYLOAD = """
%Payload = OpTypeStruct %v2float %uint
%payload_pointer = OpTypePointer TaskPayloadWorkgroupEXT %Payload
%payload = OpVariable %payload_pointer TaskPayloadWorkgroupEXT
%payload_uint = OpTypePointer TaskPayloadWorkgroupEXT %uint
%payload_float = OpTypePointer TaskPayloadWorkgroupEXT %float
"""
INPUTS = """
%v3uint = OpTypeVector %uint 3
%in_uint = OpTypePointer Input %uint
%in_v3uint = OpTypePointer Input %v3uint
%lane = OpVariable %in_uint Input
%group = OpVariable %in_v3uint Input
"""
BUILT_INS = """
OpDecorate %lane BuiltIn LocalInvocationIndex
OpDecorate %group BuiltIn WorkgroupId
"""


def mesh(more: str = "", **changed: str) -> unshade.Shader:
    """Return a mesh shader of three invocations: a triangle for each group, and a second one.

    Vertex i is at (i & 1, i >> 1), moved by the payload; the payload counts the primitives. `more`
    is code of the invocations that have a primitive.
    """
    given = {
        "capabilities": MESHES,
        "interface": " ".join(["%lane %group %payload", *(f"%{each}" for each in OUTPUTS)]),
        "modes": "OpExecutionMode %main LocalSize 3 1 1\nOpExecutionMode %main OutputVertices 3\n"
                 "OpExecutionMode %main OutputPrimitivesEXT 2\n"
                 "OpExecutionMode %main OutputTrianglesEXT",
        "decorations": f"""{NAMES}{BUILT_INS}
            OpDecorate %positions BuiltIn Position
            OpDecorate %shades Location 1
            OpDecorate %faces Location 2
            OpDecorate %faces PerPrimitiveEXT
            OpDecorate %numbers BuiltIn PrimitiveId
            OpDecorate %numbers PerPrimitiveEXT
            OpMemberDecorate %Flags 0 BuiltIn CullPrimitiveEXT
            OpMemberDecorate %Flags 0 PerPrimitiveEXT
            OpMemberDecorate %Flags 1 BuiltIn PrimitiveShadingRateKHR
            OpMemberDecorate %Flags 1 PerPrimitiveEXT
            OpDecorate %Flags Block
            OpDecorate %indices BuiltIn PrimitiveTriangleIndicesEXT""",
        "globals": f"""{PAYLOAD}{INPUTS}
            %v4_3 = OpTypeArray %v4float %c3
            %f_3 = OpTypeArray %float %c3
            %u_2 = OpTypeArray %uint %c2
            %i_2 = OpTypeArray %int %c2
            %u3_2 = OpTypeArray %v3uint %c2
            %Flags = OpTypeStruct %bool %int
            %flags_2 = OpTypeArray %Flags %c2
            %out_v4_3 = OpTypePointer Output %v4_3
            %out_f_3 = OpTypePointer Output %f_3
            %out_u_2 = OpTypePointer Output %u_2
            %out_i_2 = OpTypePointer Output %i_2
            %out_u3_2 = OpTypePointer Output %u3_2
            %out_flags = OpTypePointer Output %flags_2
            %out_v4 = OpTypePointer Output %v4float
            %out_float = OpTypePointer Output %float
            %out_uint = OpTypePointer Output %uint
            %out_int = OpTypePointer Output %int
            %out_v3uint = OpTypePointer Output %v3uint
            %out_bool = OpTypePointer Output %bool
            %positions = OpVariable %out_v4_3 Output
            %shades = OpVariable %out_f_3 Output
            %faces = OpVariable %out_u_2 Output
            %numbers = OpVariable %out_i_2 Output
            %flags = OpVariable %out_flags Output
            %indices = OpVariable %out_u3_2 Output
            %corners = OpConstantComposite %v3uint %c0 %c1 %c2""",
    }  # fmt: skip
    code = """
        %i = OpLoad %uint %lane
        %count_at = OpAccessChain %payload_uint %payload %i1
        %count = OpLoad %uint %count_at
        OpSetMeshOutputsEXT %c3 %count
        %column = OpBitwiseAnd %uint %i %c1
        %row = OpShiftRightLogical %uint %i %c1
        %x0 = OpConvertUToF %float %column
        %y = OpConvertUToF %float %row
        %moved_at = OpAccessChain %payload_float %payload %i0 %i0
        %moved = OpLoad %float %moved_at
        %x = OpFAdd %float %x0 %moved
        %position = OpCompositeConstruct %v4float %x %y %half %f1
        %position_at = OpAccessChain %out_v4 %positions %i
        OpStore %position_at %position
        %shade_at = OpAccessChain %out_float %shades %i
        OpStore %shade_at %y
        %first = OpULessThan %bool %i %c2
        OpSelectionMerge %done None
        OpBranchConditional %first %each %done
        %each = OpLabel
        %at = OpAccessChain %out_v3uint %indices %i
        OpStore %at %corners
        %group_at = OpAccessChain %in_uint %group %c0
        %g = OpLoad %uint %group_at
        %face = OpIAdd %uint %g %i
        %face_at = OpAccessChain %out_uint %faces %i
        OpStore %face_at %face
        %number = OpBitcast %int %face
        %number_at = OpAccessChain %out_int %numbers %i
        OpStore %number_at %number
        %flag_at = OpAccessChain %out_bool %flags %i %i0
        %second = OpIEqual %bool %i %c1
        OpStore %flag_at %second
        MORE
        OpBranch %done
        %done = OpLabel
    """
    return module("MeshEXT", code.replace("MORE", more), **{**given, **changed})


TASK: dict[str, str] = {
    "capabilities": MESHES,
    "interface": "%lane %group %payload %shared",
    "modes": "OpExecutionMode %main LocalSize 4 1 1",
    "decorations": BUILT_INS,
    "globals": f"""{PAYLOAD}{INPUTS}
        %c264 = OpConstant %uint 264
        %wg_uint = OpTypePointer Workgroup %uint
        %shared = OpVariable %wg_uint Workgroup""",
}
# Lanes add their numbers to the payload's count; group 1 launches nothing.
LAUNCH = """
    %i = OpLoad %uint %lane
    %group_at = OpAccessChain %in_uint %group %c0
    %g = OpLoad %uint %group_at
    %is_first = OpIEqual %bool %i %c0
    OpSelectionMerge %ready None
    OpBranchConditional %is_first %fill %ready
    %fill = OpLabel
    %x = OpConvertUToF %float %g
    %x_at = OpAccessChain %payload_float %payload %i0 %i0
    OpStore %x_at %x
    OpStore %shared %c2
    OpBranch %ready
    %ready = OpLabel
    OpControlBarrier %c2 %c2 %c264
    %n = OpLoad %uint %shared
    %count_at = OpAccessChain %payload_uint %payload %i1
    %old = OpAtomicIAdd %uint %count_at %c1 %c0 %i
    OpControlBarrier %c2 %c2 %c264
    %skipped = OpIEqual %bool %g %c1
    OpSelectionMerge %after None
    OpBranchConditional %skipped %nothing %something
    %something = OpLabel
    %width = OpIAdd %uint %g %c1
    OpEmitMeshTasksEXT %width %n %c1 %payload
    %nothing = OpLabel
    OpEmitMeshTasksEXT %c0 %c0 %c0 %payload
    %after = OpLabel
"""
SMALL_PAYLOAD = np.array([[0x3F000000, 0, 2]], "<u4")


@pytest.fixture(autouse=True)
def _engines() -> None:
    pytest.importorskip("llvmlite", reason="not installed: pip install unshade[jit]")


def test_outputs_of_a_group() -> None:
    assert not mesh().verify()
    for kernel in engines(mesh()):
        found = kernel.dispatch((2, 1, 1), payload=SMALL_PAYLOAD)
        corners = [[0.5, 0, 0.5, 1], [1.5, 0, 0.5, 1], [0.5, 1, 0.5, 1]]
        np.testing.assert_array_equal(found["positions"], np.array([*corners, *corners], "<f4"))
        np.testing.assert_array_equal(found["shades"], [0, 0, 1, 0, 0, 1])
        np.testing.assert_array_equal(found["primitives"], [[0, 1, 2]] * 2 + [[3, 4, 5]] * 2)
        np.testing.assert_array_equal(found["faces"], [0, 1, 1, 2])
        np.testing.assert_array_equal(found["numbers"], [0, 1, 1, 2])
        np.testing.assert_array_equal(found["sources"], [0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_payload_decides_how_many_primitives_there_are(count: int) -> None:
    given = np.array([[0x3F000000, 0, count]], "<u4")
    for kernel in engines(mesh()):
        found = kernel.dispatch((1, 1, 1), payload=given)
        assert len(found["primitives"]) == min(count, 2)  # the mode declares two
        assert len(found["positions"]) == 3
        assert kernel.report.out_of_bounds.get("primitives", 0) == max(count - 2, 0)


def test_launches_of_a_task_shader() -> None:
    for kernel in engines(module("TaskEXT", LAUNCH + "OpUnreachable\n%end = OpLabel", **TASK)):
        found = kernel.dispatch((3, 1, 1))
        np.testing.assert_array_equal(found["groups"], [[1, 2, 1], [0, 0, 0], [3, 2, 1]])
        payload = np.asarray(found["payload"])
        np.testing.assert_array_equal(payload[:, 0].copy().view("<f4"), [0, 1, 2])
        np.testing.assert_array_equal(payload[:, 2], [6, 6, 6])  # 0 + 1 + 2 + 3


def test_a_draw_of_a_task_a_mesh_and_a_fragment_shader() -> None:
    pixel = fragment(
        "%f = OpLoad %uint %face\n%v = OpConvertUToF %float %f\n"
        "%o = OpCompositeConstruct %v4float %v %f0 %f0 %f1\nOpStore %out %o",
        inputs="%face", capabilities=MESHES,
        decorations="OpDecorate %face Location 2\nOpDecorate %face Flat\n"
                    "OpDecorate %face PerPrimitiveEXT",
        globals="%in_u = OpTypePointer Input %uint\n%face = OpVariable %in_u Input",
    )  # fmt: skip
    pictures: list[Any] = []
    task = module("TaskEXT", LAUNCH + "OpUnreachable\n%end = OpLabel", **TASK)
    for stages in zip(*(engines(each) for each in (task, mesh(), pixel)), strict=True):
        *before, shader = stages
        picture = draw(before, shader, (1, 1, 1), None, (8, 8))
        pictures.append(picture.targets["colour"])
    assert pictures[0][..., 3].any()
    np.testing.assert_array_equal(*pictures)


def test_reflection_of_the_vertices_of_a_primitive() -> None:
    found = mesh().reflect()
    rows = {each.semantic: each for each in found.patch_constants}
    assert rows["indices"].system_value == "primitive_indices"
    assert [*rows] == ["faces", "numbers", "CullPrimitiveEXT", "PrimitiveShadingRateKHR", "indices"]
    assert [each.semantic for each in found.outputs] == ["positions", "shades"]


def test_a_translation_has_the_same_outputs_at_the_same_locations() -> None:
    shader = mesh()
    made = shader.translate("spirv", target="vulkan1.3")
    proof = unshade.prove(shader, unshade.loads(made.to_bytes()))
    assert proof.equal
    assert {"faces", "numbers", "shades", "primitives"} <= {*proof.compared}
    places = {each.register for each in unshade.loads(made.to_bytes()).reflect().patch_constants}
    assert 2 in places


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"modes": "OpExecutionMode %main LocalSize 3 1 1"}, "without its execution modes"),
        (
            {"modes": "OpExecutionMode %main LocalSize 3 1 1\n"
                      "OpExecutionMode %main OutputVertices 300\n"
                      "OpExecutionMode %main OutputPrimitivesEXT 2\n"
                      "OpExecutionMode %main OutputTrianglesEXT"},
            "expected at most 256 vertices and primitives of a group, got 300",
        ),
    ],
)  # fmt: skip
def test_refused(changed: dict[str, str], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        unshade.kernel(mesh(**changed))
