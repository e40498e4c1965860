"""Signatures of code without tables."""

from __future__ import annotations

import pytest

import unshade
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.signature import ProgramSignature
from unshade.vocab.d3d import D3DName

NOWHERE = 0xFFFFFFFF


def assembled(*lines: str) -> DxContainer:
    shader = unshade.assemble("\n".join([*lines, "ret"]))
    assert isinstance(shader, DxContainer)
    return shader


def rows(signature: ProgramSignature) -> list[tuple[str, int, int, int]]:
    """Return name with index, register, mask and system value of each row."""
    return [
        (f"{row.name}{row.index}", row.register, row.mask, row.system_value)
        for row in signature.elements
    ]


def test_vertex_shader() -> None:
    shader = assembled(
        "vs_5_0",
        "dcl_input v0.xyz",
        "dcl_input_sgv v3.x, vertex_id",
        "dcl_input_sgv v4.x, instance_id",
        "dcl_output_siv o0.xyzw, position",
        "dcl_output o2.xy",
        "dcl_output o2.w",
        "dcl_output_siv o3.xyzw, clip_distance",
        "dcl_output_siv o4.x, clip_distance",
    )
    assert rows(shader["ISGN"]) == [
        ("TEXCOORD0", 0, 7, 0),
        ("SV_VertexID0", 3, 1, D3DName.VERTEX_ID),
        ("SV_InstanceID0", 4, 1, D3DName.INSTANCE_ID),
    ]
    assert rows(shader["OSGN"]) == [
        ("SV_Position0", 0, 15, D3DName.POSITION),
        ("TEXCOORD2", 2, 11, 0),
        ("SV_ClipDistance0", 3, 15, D3DName.CLIP_DISTANCE),
        ("SV_ClipDistance1", 4, 1, D3DName.CLIP_DISTANCE),
    ]
    assert [row.component_type for row in shader["ISGN"].elements] == [3, 1, 1]


def test_used_masks_follow_reads_and_writes() -> None:
    shader = assembled("vs_4_0", "dcl_input v0.xz", "dcl_output o1.y")
    assert shader["ISGN"].elements[0].rw_mask == 0b0101
    assert shader["OSGN"].elements[0].rw_mask == 0b1101
    assert "SHDR" in shader


def test_pixel_shader() -> None:
    shader = assembled(
        "ps_5_0",
        "dcl_input_ps linear v2.yz",
        "dcl_input_ps_siv linear noperspective v0.xy, position",
        "dcl_input_ps_sgv constant v1.x, is_front_face",
        "dcl_output o0.xyzw",
        "dcl_output o3.x",
        "dcl_output oDepth",
        "dcl_output oMask",
    )
    assert rows(shader["ISGN"]) == [
        ("SV_Position0", 0, 3, D3DName.POSITION),
        ("SV_IsFrontFace0", 1, 1, D3DName.IS_FRONT_FACE),
        ("TEXCOORD2", 2, 6, 0),
    ]
    assert rows(shader["OSGN"]) == [
        ("SV_Target0", 0, 15, 0),
        ("SV_Target3", 3, 1, 0),
        ("SV_Depth0", NOWHERE, 1, 0),
        ("SV_Coverage0", NOWHERE, 1, 0),
    ]


def test_geometry_shader() -> None:
    shader = assembled(
        "gs_5_0",
        "dcl_input_siv v[3][0].xyzw, position",
        "dcl_input v[3][1].xy",
        "dcl_input vPrim",
        "dcl_inputprimitive triangle ",
        "dcl_stream m0",
        "dcl_outputtopology pointlist ",
        "dcl_output_siv o0.xyzw, position",
        "dcl_stream m1",
        "dcl_outputtopology pointlist ",
        "dcl_output o0.x",
        "dcl_maxout 1",
    )
    assert rows(shader["ISGN"]) == [
        ("SV_Position0", 0, 15, D3DName.POSITION),
        ("TEXCOORD1", 1, 3, 0),
        ("SV_PrimitiveID0", NOWHERE, 1, D3DName.PRIMITIVE_ID),
    ]
    assert [(row.stream, row.name) for row in shader["OSG5"].elements] == [
        (0, "SV_Position"),
        (1, "TEXCOORD"),
    ]


HULL = """\
hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
hs_control_point_phase
dcl_input v[3][0].xyz
dcl_output o0.xyz
ret
hs_fork_phase
dcl_input vicp[3][1].x
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
ret
hs_join_phase
dcl_output_siv o3.x, finalTriInsideTessFactor
dcl_output o4.xy"""
DOMAIN = """\
ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_input_siv vpc0.x, finalTriUeq0EdgeTessFactor
dcl_input vpc4.xy
dcl_input vDomain.xyz
dcl_input vicp[3][0].xyz
dcl_output_siv o0.xyzw, position"""
EDGE, INSIDE = D3DName.FINAL_TRI_EDGE_TESSFACTOR, D3DName.FINAL_TRI_INSIDE_TESSFACTOR


def test_tessellation() -> None:
    hull, domain = assembled(HULL), assembled(DOMAIN)
    assert [part.name for part in hull.parts] == ["ISGN", "OSGN", "PCSG", "SHEX", "STAT"]
    assert [part.name for part in domain.parts] == ["ISGN", "PCSG", "OSGN", "SHEX", "STAT"]
    assert rows(hull["ISGN"]) == [("TEXCOORD0", 0, 7, 0), ("TEXCOORD1", 1, 1, 0)]
    assert rows(hull["OSGN"]) == rows(domain["ISGN"]) == [("TEXCOORD0", 0, 7, 0)]
    assert rows(hull["PCSG"]) == [
        ("SV_TessFactor0", 0, 1, EDGE),
        ("SV_TessFactor1", 1, 1, EDGE),
        ("SV_TessFactor2", 2, 1, EDGE),
        ("SV_InsideTessFactor0", 3, 1, INSIDE),
        ("TEXCOORD4", 4, 3, 0),
    ]
    assert rows(domain["PCSG"]) == [("SV_TessFactor0", 0, 1, EDGE), ("TEXCOORD4", 4, 3, 0)]
    assert [row.rw_mask for row in domain["PCSG"].elements] == [1, 3]


def test_compute_shader() -> None:
    shader = assembled("cs_5_0", "dcl_input vThreadID.x", "dcl_thread_group 1, 1, 1")
    assert shader["ISGN"].elements == shader["OSGN"].elements == []


def test_minimum_precision() -> None:
    shader = assembled("ps_5_0", "dcl_globalFlags enableMinimumPrecision", "dcl_output o0.xyzw")
    assert [part.name for part in shader.parts] == ["ISG1", "OSG1", "SHEX", "SFI0", "STAT"]


@pytest.mark.parametrize("title", ["Input", "Output"])
def test_a_table_replaces_only_its_own_signature(title: str) -> None:
    """Signatures without a table still follow from the code."""
    table = (
        f"// {title} signature:\n//\n"
        "// Name Index Mask Register SysValue Format Used\n// ---- --- ---\n"
        "// COLOR 0 xyzw 7 NONE float xyzw\n//"
    )
    shader = assembled(table, "vs_5_0", "dcl_input v0.x", "dcl_output o0.x")
    found = {"Input": rows(shader["ISGN"]), "Output": rows(shader["OSGN"])}
    assert found.pop(title) == [("COLOR0", 7, 15, 0)]
    assert [*found.values()] == [[("TEXCOORD0", 0, 1, 0)]]


FLOAT, UINT, EDGES, INNER = 3, 1, "SV_TessFactor", "SV_InsideTessFactor"
# Declarations, and the semantic, its index, D3D_NAME and type: d3dcommon.h, and Microsoft's pages
# about system values (factors of a quad: u = 0, v = 0, u = 1, v = 1; of isolines: density, detail).
SYSTEM_VALUES = [
    ("vs_5_0", "dcl_output_siv o0.xyzw, position", "SV_Position", 0, 1, FLOAT),
    ("vs_5_0", "dcl_output_siv o0.xyzw, clip_distance", "SV_ClipDistance", 0, 2, FLOAT),
    ("vs_5_0", "dcl_output_siv o0.xyzw, cull_distance", "SV_CullDistance", 0, 3, FLOAT),
    ("gs_5_0", "dcl_output_siv o0.x, rendertarget_array_index", "SV_RenderTargetArrayIndex", 0, 4,
     UINT),
    ("gs_5_0", "dcl_output_siv o0.x, viewport_array_index", "SV_ViewportArrayIndex", 0, 5, UINT),
    ("vs_5_0", "dcl_input_sgv v0.x, vertex_id", "SV_VertexID", 0, 6, UINT),
    ("ps_5_0", "dcl_input_ps_sgv constant v0.x, primitive_id", "SV_PrimitiveID", 0, 7, UINT),
    ("vs_5_0", "dcl_input_sgv v0.x, instance_id", "SV_InstanceID", 0, 8, UINT),
    ("ps_5_0", "dcl_input_ps_sgv constant v0.x, is_front_face", "SV_IsFrontFace", 0, 9, UINT),
    ("ps_5_0", "dcl_input_ps_sgv constant v0.x, sampleIndex", "SV_SampleIndex", 0, 10, UINT),
    ("hs_5_0", "finalQuadUeq0EdgeTessFactor", EDGES, 0, 11, FLOAT),
    ("hs_5_0", "finalQuadVeq0EdgeTessFactor", EDGES, 1, 11, FLOAT),
    ("hs_5_0", "finalQuadUeq1EdgeTessFactor", EDGES, 2, 11, FLOAT),
    ("hs_5_0", "finalQuadVeq1EdgeTessFactor", EDGES, 3, 11, FLOAT),
    ("hs_5_0", "finalQuadUInsideTessFactor", INNER, 0, 12, FLOAT),
    ("hs_5_0", "finalQuadVInsideTessFactor", INNER, 1, 12, FLOAT),
    ("hs_5_0", "finalTriUeq0EdgeTessFactor", EDGES, 0, 13, FLOAT),
    ("hs_5_0", "finalTriVeq0EdgeTessFactor", EDGES, 1, 13, FLOAT),
    ("hs_5_0", "finalTriWeq0EdgeTessFactor", EDGES, 2, 13, FLOAT),
    ("hs_5_0", "finalTriInsideTessFactor", INNER, 0, 14, FLOAT),
    ("hs_5_0", "finalLineDetailTessFactor", EDGES, 1, 15, FLOAT),
    ("hs_5_0", "finalLineDensityTessFactor", EDGES, 0, 16, FLOAT),
    ("ps_5_0", "dcl_output oDepth", "SV_Depth", 0, 0, FLOAT),
    ("ps_5_0", "dcl_output oDepthGE", "SV_DepthGreaterEqual", 0, 0, FLOAT),
    ("ps_5_0", "dcl_output oDepthLE", "SV_DepthLessEqual", 0, 0, FLOAT),
    ("ps_5_0", "dcl_output oMask", "SV_Coverage", 0, 0, UINT),
]  # fmt: skip
CONTROL = HULL.partition("dcl_input vicp")[0]


def test_each_system_value_has_its_semantic() -> None:
    for profile, line, name, index, number, kind in SYSTEM_VALUES:
        if profile == "hs_5_0":
            shader = assembled(f"{CONTROL}dcl_output_siv o3.x, {line}")
            (row,) = shader["PCSG"].elements
        else:
            shader = assembled(profile, line)
            outputs = "OSG5" if profile == "gs_5_0" else "OSGN"
            (row,) = [each for name in ("ISGN", outputs) for each in shader[name].elements]
        found = (row.name, row.index, row.system_value, row.component_type)
        assert found == (name, index, number, kind), line
