"""Points as squares with coordinates, and patches that go straight to a geometry shader."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import fragment, module
from tests.run.raster.geometry.test_pipeline import PASS
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import draw

pytestmark = pytest.mark.heavy

SPRITE = fragment(
    "%at = OpLoad %v2float %coord\n%x = OpCompositeExtract %float %at 0\n"
    "%y = OpCompositeExtract %float %at 1\n"
    "%all = OpCompositeConstruct %v4float %x %y %f0 %f1\nOpStore %out %all",
    inputs="%coord",
    decorations="OpDecorate %coord BuiltIn PointCoord",
    globals="%p_in2 = OpTypePointer Input %v2float\n%coord = OpVariable %p_in2 Input",
)
SIZED = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %place %gl
OpName %place "place"
OpDecorate %place Location 0
OpMemberDecorate %vertex 0 BuiltIn Position
OpMemberDecorate %vertex 1 BuiltIn PointSize
OpDecorate %vertex Block
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%vertex = OpTypeStruct %v4float %float
%p_in = OpTypePointer Input %v4float
%p_vertex = OpTypePointer Output %vertex
%p_v4 = OpTypePointer Output %v4float
%p_float = OpTypePointer Output %float
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%four = OpConstant %float 4
%place = OpVariable %p_in Input
%gl = OpVariable %p_vertex Output
%main = OpFunction %void None %function
%entry = OpLabel
%p = OpLoad %v4float %place
%to = OpAccessChain %p_v4 %gl %i0
OpStore %to %p
%size = OpAccessChain %p_float %gl %i1
OpStore %size %four
OpReturn
OpFunctionEnd
"""
GEOMETRY = """\
gs_5_0
dcl_input v[5][0].xyzw
dcl_inputprimitive patch5
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_maxout 3
mov o0.xyzw, v[0][0].xyzw
emit_stream m0
mov o0.xyzw, v[4][0].xyzw
emit_stream m0
mov o0.xyzw, v[2][0].xyzw
emit_stream m0
ret
"""


def test_point_coordinates_run_over_the_square() -> None:
    """To the right and down, whichever way the viewport is."""
    vertex = unshade.kernel(unshade.assemble(SIZED, "spirv"), engine="lockstep")
    pixel = unshade.kernel(SPRITE, engine="lockstep")
    inputs = {"place": np.array([[0, 0, 0.5, 1]], np.float32)}
    for viewport in (None, (0, 8, 8, -8)):
        picture = draw(
            vertex, pixel, inputs, None, (8, 8), topology="point_list", viewports=viewport
        )
        found = picture.targets["colour"]
        assert picture.covered.sum() == 16
        assert found[2, 2:6, 0].tolist() == [0.125, 0.375, 0.625, 0.875]
        assert found[2:6, 2, 1].tolist() == [0.125, 0.375, 0.625, 0.875]


@pytest.mark.parametrize("samples", [1, 4])
def test_point_coordinates_are_those_of_the_point_before_rounding(samples: int) -> None:
    """s = 1/2 + (x of the place - x of the point) / size; the place is the sample where a shader
    runs for each. Source: Vulkan specification, Basic Point Rasterization.
    """
    x, y, size = 0.1001, -0.0333, 3.3
    pixel = fragment(
        "%at = OpLoad %v2float %coord\n%number = OpLoad %int %id\n"
        "%f = OpConvertSToF %float %number\n%x = OpCompositeExtract %float %at 0\n"
        "%y = OpCompositeExtract %float %at 1\n"
        "%all = OpCompositeConstruct %v4float %x %y %f %f1\nOpStore %out %all",
        inputs="%coord %id", capabilities="OpCapability SampleRateShading",
        decorations="OpDecorate %coord BuiltIn PointCoord\nOpDecorate %id BuiltIn SampleId\n"
        "OpDecorate %id Flat",
        globals="%p_in2 = OpTypePointer Input %v2float\n%coord = OpVariable %p_in2 Input\n"
        "%p_int = OpTypePointer Input %int\n%id = OpVariable %p_int Input",
    )  # fmt: skip
    given = {
        "Position": np.array([[x, y, 0.5, 1]], "<f4"), "PointSize": np.array([size], "<f4"),
    }  # fmt: skip
    offsets = np.array([(0, 0)] if samples == 1 else [(-2, -6), (6, -2), (-6, 2), (2, 6)]) / 16
    kernel = unshade.kernel(pixel, engine="lockstep")
    picture = draw(None, kernel, given, None, (8, 8), topology="point_list", samples=samples)
    covered = picture.covered.reshape(8, 8, samples)
    found = picture.targets["colour"].reshape(8, 8, samples, 4)
    centre = np.array([[4, -4]]) * np.array([[x, y]], "<f4") + 4
    places = np.stack(np.meshgrid(np.arange(8), np.arange(8)), axis=-1)[:, :, np.newaxis] + 0.5
    wanted = 0.5 + (places + offsets - centre) / float(np.float32(size))
    assert covered.any()
    np.testing.assert_allclose(found[covered][:, :2], wanted[covered], rtol=1e-6)


INNER = """\
ps_5_0
dcl_input vInnerCoverage
dcl_output o0.xyzw
utof o0.xyzw, vInnerCoverage
ret
"""


def test_whole_pixels_inside_of_a_triangle() -> None:
    """The sample mask does not matter, nor which samples are covered."""
    corners = np.array([[-1, 1, 0, 1], [1.5, 1, 0, 1], [-1, -1.5, 0, 1]], "<f4")
    pixel = assembled(INNER)
    for mask in (0xF, 0b0101):
        picture = draw(
            None, pixel, {"SV_Position": corners}, None, (4, 4), samples=4, sample_mask=mask
        )
        found = picture.targets["SV_Target"][..., 0].max(axis=-1)
        # The long side is x + y = 5 in pixels: the last corner of a pixel is before it.
        assert found.tolist() == [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_patches_go_straight_to_a_geometry_shader(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    stages = [assembled(PASS, engine), assembled(GEOMETRY, engine)]
    corners = np.zeros((5, 4), np.float32)
    corners[[0, 4, 2]] = [[-1, -1, 0, 1], [-1, 1, 0, 1], [1, -1, 0, 1]]
    inputs = {"TEXCOORD": corners}
    for topology in ("patch_list", "5 control point patch list"):
        picture = draw(stages, None, inputs, None, (8, 8), topology=topology)
        assert picture.covered.sum() == 28
    with pytest.raises(UsageError, match="expected patches of 5 control points, got '4"):
        draw(stages, None, inputs, None, (8, 8), topology="4 control point patch list")
    with pytest.raises(UsageError, match="expected a hull or geometry shader for patches"):
        draw(stages[:1], None, inputs, None, (8, 8), topology="patch_list")


COVERING = """\
gs_5_0
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_maxout 3
mov o0.xyzw, l(-1.0, 1.0, 0.0, 1.0)
emit_stream m0
mov o0.xyzw, l(3.0, 1.0, 0.0, 1.0)
emit_stream m0
mov o0.xyzw, l(-1.0, -3.0, 0.0, 1.0)
emit_stream m0
ret
"""
NOTHING = module("Vertex", "")
LEVELS = module(
    "TessellationControl",
    "\n".join(
        f"%l{name}{at} = OpAccessChain %p_float %{name} %i{at}\nOpStore %l{name}{at} %f1"
        for name, count in (("outer", 4), ("inner", 2))
        for at in range(count)
    ),
    interface="%outer %inner",
    modes="OpExecutionMode %main OutputVertices 1",
    decorations="OpDecorate %outer BuiltIn TessLevelOuter\nOpDecorate %outer Patch\n"
    "OpDecorate %inner BuiltIn TessLevelInner\nOpDecorate %inner Patch",
    globals="%c4 = OpConstant %uint 4\n%four = OpTypeArray %float %c4\n"
    "%two = OpTypeArray %float %c2\n%p_four = OpTypePointer Output %four\n"
    "%p_two = OpTypePointer Output %two\n%p_float = OpTypePointer Output %float\n"
    "%outer = OpVariable %p_four Output\n%inner = OpVariable %p_two Output",
    capabilities="OpCapability Tessellation",
)
SQUARE = module(
    "TessellationEvaluation",
    "%at = OpLoad %v3float %coord\n%x = OpCompositeExtract %float %at 0\n"
    "%y = OpCompositeExtract %float %at 1\n%p = OpCompositeConstruct %v4float %x %y %f0 %f1\n"
    "OpStore %position %p",
    interface="%coord %position",
    modes="OpExecutionMode %main Quads\nOpExecutionMode %main SpacingEqual\n"
    "OpExecutionMode %main VertexOrderCcw",
    decorations="OpDecorate %coord BuiltIn TessCoord\nOpDecorate %position BuiltIn Position",
    globals="%p_in3 = OpTypePointer Input %v3float\n%coord = OpVariable %p_in3 Input\n"
    "%p_out4 = OpTypePointer Output %v4float\n%position = OpVariable %p_out4 Output",
    capabilities="OpCapability Tessellation",
)
FILLED = fragment("%all = OpCompositeConstruct %v4float %f1 %f1 %f1 %f1\nOpStore %out %all")


def test_vertices_without_outputs_reach_a_geometry_shader() -> None:
    """As many as are drawn, as in piglit's invocation-id-basic; none of them was counted."""
    pixel = assembled("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n")
    for text, vertices in (
        ("vs_5_0\nret\n", 2),
        ("vs_5_0\ndcl_input v0.x\nret\n", {"TEXCOORD": np.zeros((2, 1), np.float32)}),
    ):
        stages = [assembled(text), assembled(COVERING)]
        picture = draw(
            stages, pixel, vertices, None, (4, 4), topology="point_list", instances=2,
            depth_function=None,
        )  # fmt: skip
        assert (picture.triangle == 3).all()  # the last of 2 points in 2 instances


@pytest.mark.parametrize(("size", "vertices"), [(1, 1), (3, 3), (32, 32)])
def test_a_control_shader_that_reads_no_point_takes_patches_of_any_size(
    size: int, vertices: int
) -> None:
    stages = [unshade.kernel(each, engine="lockstep") for each in (NOTHING, LEVELS, SQUARE)]
    pixel = unshade.kernel(FILLED, engine="lockstep")
    for rows, topology in (
        (None, f"{size} control point patch list"),
        ([[*range(size)]], None),
    ):
        picture = draw(stages, pixel, vertices, rows, (4, 4), topology=topology)
        assert picture.covered[:2, 2:].all()  # the quarter from 0 to 1
        assert picture.covered.sum() == 4
