"""Geometry and domain shaders: points that they take, and vertices that they emit."""

from importlib.util import find_spec

import pytest

import unshade
from tests.corpus import REPOSITORY

from .recompiled import FEW, outcome

EXAMPLES = REPOSITORY / "examples"
GEOMETRY = """
gs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xy
dcl_input vPrim
dcl_temps 2
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_maxout 6
{}
ret
"""


def source(name: str) -> str:
    return unshade.open(str(EXAMPLES / name)).decompile(style="exact")


def geometry(*lines: str) -> str:
    """Return the source of a geometry shader of triangles."""
    return unshade.assemble(GEOMETRY.format("\n".join(lines)), "dxcontainer").decompile("hlsl")


def test_vertices_of_a_primitive_are_an_array_of_structures() -> None:
    text = geometry("mov o0.xyzw, v[2][0].xyzw", "mov o1.xy, v[0][1].yxyy", "emit_stream m0")
    assert "[maxvertexcount(6)]\n" in text
    assert "    triangle Vertex vertices[3],\n" in text
    assert "    inout TriangleStream<StreamVertex> stream)" in text
    assert "    emitted.position = vertices[2].position;\n" in text
    assert "    emitted.texcoord1 = vertices[0].texcoord1.yx;\n" in text
    assert "    stream.Append(emitted);\n" in text


def test_a_vertex_at_an_index_that_is_computed() -> None:
    text = geometry(
        "mov r0.x, l(0)", "loop", "uge r0.y, r0.x, l(3)", "breakc_nz r0.y",
        "mov o0.xyzw, v[r0.x + 0][0].xyzw", "mov o1.xy, l(0,0,0,0)", "emit_stream m0",
        "iadd r0.x, r0.x, l(1)", "endloop",
    )  # fmt: skip
    assert "emitted.position = vertices[i].position;" in text


def test_a_cut_ends_the_strip() -> None:
    lines = ("mov o0.xyzw, v[0][0].xyzw", "mov o1.xy, v[0][1].xyxx")
    once = geometry(*lines, "emit_stream m0", "cut_stream m0", *lines, "emit_stream m0")
    assert once.count("stream.RestartStrip();") == 1
    assert once.index("RestartStrip") > once.index("Append")
    assert "RestartStrip" not in geometry(*lines, "emit_stream m0")


def test_a_primitive_has_its_number_as_a_parameter() -> None:
    text = geometry("utof o0.xyzw, vPrim", "mov o1.xy, v[0][1].xyxx", "emit_stream m0")
    assert "uint primitiveID : SV_PrimitiveID," in text


def test_points_of_a_patch_and_the_place_in_it() -> None:
    text = source("sheet.d.dxbc")
    assert '[domain("quad")]\n' in text
    assert "    const OutputPatch<ControlPoint, 4> points,\n    PatchConstants constants,\n" in text
    assert "    float tessFactor[4] : SV_TessFactor;\n" in text
    assert "    float2 vDomain : SV_DomainLocation,\n" in text
    assert "(points[1].position - points[0].position) * vDomain.x + points[0].position;" in text


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize(
    ("name", "stage"), [("billboards.dxbc", "geometry"), ("sheet.d.dxbc", "domain")]
)
def test_recompiled_source_computes_the_same_bits(name: str, stage: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    assert outcome(shader, shader.decompile(style="exact"), stage, seeds=2, turns=FEW) == "equal"


def test_a_geometry_shader_that_appends_nothing_has_a_stream_and_a_primitive() -> None:
    """Compilers demand both."""
    text = unshade.assemble(
        """gs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 1
dcl_inputprimitive point
dcl_maxout 1
imm_atomic_iadd r0.x, u0, l(0), l(1)
ret
"""
    ).decompile()
    assert "    point Vertex vertices[1],\n    inout PointStream<NoVertex> stream)\n" in text
