"""Hull shaders whose invocations have one function for a control point and the patch: SPIR-V."""

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import module
from tests.programs.spirv.lower.test_tessellation import (
    EVALUATION,
    FIRST,
    LEVELS,
    NEIGHBOUR,
    PATCHES,
    control,
)
from unshade import Shader, UnsupportedError, kernel

UNCOUNTED = LEVELS.replace("%count", "%id")  # HLSL has no number of points


def in_domain(shader: Shader, *modes: str) -> Shader:
    """Return a shader that states modes, too."""
    text = shader.disassemble()
    (line,) = (each for each in text.splitlines() if " OutputVertices 3" in each)
    more = "".join(f"\nOpExecutionMode %main {each}" for each in modes)
    return unshade.assemble(text.replace(line, line + more), "spirv")


def same_results(shader: Shader, other: Shader) -> bool:
    """Return True if both make the same control points and constants of PATCHES."""
    found = []
    for each in (shader, other):
        (given,) = (row.name for row in kernel(each).inputs.rows if row.name.endswith("given"))
        made = kernel(each).tessellate({given: PATCHES["given"]})
        found.append([
            np.asarray(value)
            for name in ("made", "edge", "TessLevelOuter1")
            for key, value in made.items() if key.endswith(name)
        ])  # fmt: skip
    assert len(found[0]) == 3
    return all(np.array_equal(a, b) for a, b in zip(*found, strict=True))


def test_the_code_of_an_invocation_becomes_two_functions() -> None:
    text = control(FIRST + LEVELS).decompile("glsl")
    assert "layout(vertices = 3) out;\n" in text
    first, second = text.split("void patch_constant_phase()")
    assert "    out_made[gl_InvocationID] = " in first.split("void control_point_phase()")[1]
    assert "gl_TessLevelOuter[1] = 2.0;\n" in second
    assert "constants_edge = float(" in second.replace("float(int(", "float(")
    assert "if (gl_InvocationID == 0) {\n        patch_constant_phase();" in second


def test_a_translated_module_makes_the_same_patches() -> None:
    shader = control(FIRST + LEVELS)
    made = shader.translate("spirv")
    assert same_results(shader, made)
    assert list(made.verify()) == []


def test_an_invocation_reads_back_what_it_wrote() -> None:
    code = "%back = OpLoad %float %po\n%more = OpFAdd %float %back %f1\nOpStore %po %more\n"
    shader = control(FIRST + code + LEVELS)
    assert same_results(shader, shader.translate("spirv"))
    stated = in_domain(
        control(FIRST + code + UNCOUNTED), "Triangles", "SpacingEqual", "VertexOrderCw"
    )
    assert "points[" not in stated.decompile("hlsl")


def test_a_control_point_made_from_another_one_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="a control point made from another one cannot be"):
        control(FIRST + NEIGHBOUR).decompile("glsl")


def test_a_control_point_made_from_the_patch_is_refused() -> None:
    code = "%level = OpLoad %float %edge\nOpStore %po %level\n"
    with pytest.raises(UnsupportedError, match="made from constants of the patch cannot be"):
        control(FIRST + LEVELS + code).decompile("glsl")


@pytest.mark.parametrize(
    ("domain", "factors", "topology"),
    [("Triangles", 3, "triangle_cw"), ("Quads", 4, "triangle_cw"), ("Isolines", 2, "line")],
)  # fmt: skip
def test_hlsl_has_the_factors_of_the_domain(domain: str, factors: int, topology: str) -> None:
    shader = in_domain(control(FIRST + UNCOUNTED), domain, "SpacingFractionalOdd", "VertexOrderCw")
    text = shader.decompile("hlsl")
    assert f"[{factors}] : SV_TessFactor;" in text
    assert f'[partitioning("fractional_odd")]\n[outputtopology("{topology}")]\n' in text
    assert ".TessLevelOuter[1] = 2.0;" in text


def test_hlsl_needs_the_domain_that_glsl_states_elsewhere() -> None:
    shader = control(FIRST + UNCOUNTED)
    with pytest.raises(UnsupportedError, match="a domain that is not stated"):
        shader.decompile("hlsl")
    stated = in_domain(shader, "Triangles", "SpacingFractionalOdd").decompile("glsl")
    assert "// for the evaluation shader: layout(triangles, fractional_odd_spacing) in;" in stated


def test_an_evaluation_shader_keeps_spacing_and_order() -> None:
    assert "layout(quads, equal_spacing, ccw) in;" in EVALUATION.decompile("glsl")
    made = EVALUATION.translate("spirv")
    found = made.reflect().tessellation
    assert found == EVALUATION.reflect().tessellation


def test_locations_of_constants_of_the_patch_are_kept() -> None:
    text = EVALUATION.translate("spirv").disassemble()
    assert "OpDecorate %constants_edge Location 1\n" in text
    assert "layout(location = 1) patch in float" in EVALUATION.decompile("glsl")


def test_a_component_by_number() -> None:
    """The number of the control point selects a component of the position of the first point."""
    shader = module(
        "TessellationControl",
        """%i = OpLoad %int %id
%px = OpAccessChain %p_in %points %i0 %i0 %i
%x = OpLoad %float %px
%po = OpAccessChain %p_float %made %i
OpStore %po %x
""",
        interface="%points %made %id",
        decorations="""OpName %made "made"
OpDecorate %made Location 0
OpDecorate %id BuiltIn InvocationId
OpMemberDecorate %vertex 0 BuiltIn Position
OpMemberDecorate %vertex 1 BuiltIn PointSize
OpMemberDecorate %vertex 2 BuiltIn ClipDistance
OpDecorate %vertex Block
""",
        globals="""%c32 = OpConstant %uint 32
%distances = OpTypeArray %float %c1
%vertex = OpTypeStruct %v4float %float %distances
%many = OpTypeArray %vertex %c32
%three = OpTypeArray %float %c3
%p_many = OpTypePointer Input %many
%p_three = OpTypePointer Output %three
%p_float = OpTypePointer Output %float
%p_in = OpTypePointer Input %float
%p_int = OpTypePointer Input %int
%points = OpVariable %p_many Input
%made = OpVariable %p_three Output
%id = OpVariable %p_int Input
""",
        modes="OpExecutionMode %main OutputVertices 3",
        capabilities="OpCapability Tessellation",
    )
    text = shader.decompile("glsl")
    assert "out_made[gl_InvocationID] = gl_in[0].gl_Position[gl_InvocationID];" in text
    assert "Distance" not in text  # declared and not used
    assert "PointSize" not in text
    points = {"Position": np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]], "<f4")}
    for each in (shader, shader.translate("spirv")):
        assert next(iter(kernel(each).tessellate(points).values())).tolist() == [[1, 2, 3]]
