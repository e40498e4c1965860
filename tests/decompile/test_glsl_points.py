"""Geometry, hull and domain shaders in GLSL."""

import shutil

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.errors import UnsupportedError

from .recompiled import FEW, outcome
from .test_hull import COPIED, DECLARED, EDGES, INSIDE, JOINED
from .test_points import GEOMETRY

EXAMPLES = REPOSITORY / "examples"


def source(name: str) -> str:
    return unshade.open(str(EXAMPLES / name)).decompile("glsl", style="exact")


def geometry(*lines: str) -> str:
    """Return the source of a geometry shader of triangles."""
    return unshade.assemble(GEOMETRY.format("\n".join(lines)), "dxcontainer").decompile("glsl")


def test_a_member_of_the_vertices_is_an_array() -> None:
    text = geometry("mov o0.xyzw, v[2][0].xyzw", "mov o1.xy, v[0][1].yxyy", "emit_stream m0")
    assert "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 6) out;\n" in text
    assert "layout(location = 1) in vec2 vertices_texcoord1[];\n" in text
    assert "    gl_Position = gl_in[2].gl_Position;\n" in text
    assert "    out_texcoord1 = vertices_texcoord1[0].yx;\n    EmitVertex();\n" in text


def test_a_cut_ends_the_primitive() -> None:
    lines = ("mov o0.xyzw, v[0][0].xyzw", "mov o1.xy, v[0][1].xyxx", "emit_stream m0")
    text = geometry(*lines, "cut_stream m0", *lines)
    assert text.count("    EndPrimitive();\n") == 1


def test_several_streams_are_refused() -> None:
    text = GEOMETRY.format("emit_stream m0").replace(
        "dcl_maxout",
        "dcl_stream m1\ndcl_outputtopology trianglestrip\ndcl_output o2.xy\ndcl_maxout",
    )
    with pytest.raises(UnsupportedError, match="several streams cannot be decompiled to GLSL"):
        unshade.assemble(text, "dxcontainer").decompile("glsl")


def test_the_place_in_a_patch_is_a_built_in() -> None:
    text = source("sheet.d.dxbc")
    assert "layout(quads) in;\n" in text
    assert "layout(location = 0) in vec3 points_position[];\n" in text
    assert "(points_position[1] - points_position[0]) * gl_TessCoord.x" in text


def hull(*phases: str) -> str:
    return unshade.assemble(DECLARED + "".join(phases), "dxcontainer").decompile("glsl", "exact")


def test_a_hull_shader_runs_its_functions_on_both_sides_of_a_barrier() -> None:
    text = hull(COPIED, EDGES, JOINED)
    assert "layout(vertices = 3) out;\n" in text
    assert "out_corner[gl_InvocationID] = vertices_corner[uint(gl_InvocationID)];" in text
    total = "gl_TessLevelOuter[0] + gl_TessLevelOuter[1]"
    assert f"    gl_TessLevelInner[0] = {total} + out_corner[2].y;\n" in text
    main = text.split("void main()")[1]
    assert main.index("control_point_phase") < main.index("barrier()") < main.index("== 0")


def test_a_component_that_a_phase_may_not_write_is_zero() -> None:
    moved = "if_nz vpc0.x\nmov o3.x, vpc1.x\nendif"
    assert "    gl_TessLevelInner[0] = 0.0;\n" in hull(COPIED, EDGES, INSIDE.format(moved))
    assert "gl_TessLevelInner[0] = 0.0" not in hull(COPIED, EDGES, JOINED)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize(
    ("name", "stage"),
    [("billboards.dxbc", "geometry"), ("sheet.d.dxbc", "domain"), ("sheet.h.dxbc", "hull")],
)
def test_recompiled_source_computes_the_same_bits(name: str, stage: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    assert outcome(shader, source(name), stage, seeds=2, language="glsl", turns=FEW) == "equal"
