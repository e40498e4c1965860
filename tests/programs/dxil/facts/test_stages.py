"""Facts of a shader of each stage, as a whole, from metadata alone."""

from __future__ import annotations

import pytest

from tests.programs.dxil.nodes import Nodes
from tests.programs.facts import of_stage, rows
from unshade.model.facts import ProgramFacts
from unshade.programs.dxil.facts import facts_of


def shader(
    kind: int, stage: str, properties: list[object], *signatures: list[object] | None
) -> ProgramFacts:
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", list(signatures), None, properties])
    return facts_of(nodes.code(kind, stage))


def test_a_vertex_shader() -> None:
    facts = shader(
        1, "vs", [0, 1 << 8 | 1 << 20 | 1 << 2],
        [[0, "POSITION", 9, 0, [0], 0, 1, 3, 0, 0, [3, 5]],
         [1, "SV_VertexID", 5, 1, [0], 0, 1, 1, 1, 0, None]],
        [[0, "SV_Position", 9, 3, [0], 4, 1, 4, 0, 0, None],
         [1, "SV_ClipDistance", 9, 6, [0, 1], 2, 2, 2, 1, 2, [2, 1, 3, 2]]],
    )  # fmt: skip
    assert rows(facts) == [
        "v0: POSITION0.xyz xz float32 - - input vertex 0 dx.entryPoints[0].inputs[0]",
        "v1: SV_VertexID0.x - uint32 vertex_id - input vertex 1 dx.entryPoints[0].inputs[1]",
        "o0: SV_Position0.xyzw - float32 position - output vertex 0 dx.entryPoints[0].outputs[0]",
        "o1: SV_ClipDistance0.zw w float32 clip_distance - output vertex 1 "
        "dx.entryPoints[0].outputs[1]",
        "o2: SV_ClipDistance1.zw w float32 clip_distance - output vertex 2 "
        "dx.entryPoints[0].outputs[1]",
    ]
    assert of_stage(facts) == {
        "stage": "vertex",
        "features": ["Doubles", "Int64Ops"],
        "global_flags": ["enableDoublePrecision", "allResourcesBound"],
    }


def test_a_pixel_shader() -> None:
    facts = shader(
        0, "ps", [],
        [[0, "SV_Position", 9, 3, [0], 4, 1, 4, 0, 0, [3, 15]],
         [1, "TEXCOORD", 9, 0, [3, 5], 2, 2, 2, 1, 1, [3, 2]],
         [2, "SV_SampleIndex", 5, 12, [0], 1, 1, 1, -1, -1, None],
         [3, "SV_Barycentrics", 9, 28, [1], 3, 1, 3, -1, -1, None]],
        [[0, "SV_Target", 9, 16, [2], 0, 1, 4, 2, 0, None],
         [1, "SV_Coverage", 5, 14, [0], 0, 1, 1, -1, -1, None]],
    )  # fmt: skip
    assert rows(facts) == [
        "v0: SV_Position0.xyzw xyzw float32 position linear_noperspective input pixel 0 "
        "dx.entryPoints[0].inputs[0]",
        "v1: TEXCOORD3.yz z float32 - linear input pixel 1 dx.entryPoints[0].inputs[1]",
        "v2: TEXCOORD5.yz z float32 - linear input pixel 2 dx.entryPoints[0].inputs[1]",
        "SV_SampleIndex: SV_SampleIndex0.x - uint32 sample_index constant input pixel "
        "sample_index dx.entryPoints[0].inputs[2]",
        "SV_Barycentrics: SV_Barycentrics1.xyz - float32 barycentrics linear_centroid input pixel "
        "barycentrics element=1 dx.entryPoints[0].inputs[3]",
        "o2: SV_Target2.xyzw - float32 target - output pixel 2 dx.entryPoints[0].outputs[0]",
        "SV_Coverage: SV_Coverage0.x - uint32 coverage - output pixel coverage "
        "dx.entryPoints[0].outputs[1]",
    ]
    assert of_stage(facts) == {"stage": "pixel", "sample_frequency": True}


@pytest.mark.parametrize(
    ("interpolation", "per_sample"), [(1, False), (2, False), (5, False), (6, True), (7, True)]
)
def test_inputs_by_sample(interpolation: int, per_sample: bool) -> None:
    inputs: list[object] = [[0, "A", 9, 0, [0], interpolation, 1, 4, 0, 0, None]]
    assert shader(0, "ps", [], inputs).sample_frequency is per_sample
    assert shader(1, "vs", [], inputs).sample_frequency is False


@pytest.mark.parametrize(
    ("primitive", "name", "vertices"),
    [
        (1, "point", None), (2, "line", None), (3, "triangle", None), (6, "line_adj", None),
        (7, "triangle_adj", None), (8, "patch", 1), (39, "patch", 32), (40, "", None),
    ],
)  # fmt: skip
def test_primitives_of_geometry_shaders(primitive: int, name: str, vertices: int | None) -> None:
    geometry = shader(2, "gs", [1, [primitive, 12, 1, 5, 3]]).geometry
    assert geometry is not None
    assert (geometry.input_primitive, geometry.input_vertices) == (name, vertices)
    assert (geometry.max_output_vertices, geometry.instances) == (12, 3)


@pytest.mark.parametrize(
    ("streams", "written"), [(0, "-"), (1, "x"), (2, "-x"), (5, "x-x"), (8, "---x"), (15, "xxxx")]
)
def test_streams_of_geometry_shaders(streams: int, written: str) -> None:
    geometry = shader(2, "gs", [1, [1, 1, streams, 1, 1]]).geometry
    assert geometry is not None
    names = {"x": "pointlist", "-": "undefined"}
    assert geometry.streams == [names[each] for each in written]


def test_a_geometry_shader() -> None:
    facts = shader(
        2, "gs", [1, [6, 12, 5, 5, 3]],
        [[0, "A", 2, 0, [0], 0, 1, 1, 0, 3, None]], [[0, "B", 8, 0, [0], 0, 1, 2, 0, 0, [0, 2]]],
    )  # fmt: skip
    assert rows(facts) == [
        "v0: A0.w - sint16 - - input vertex 0 dx.entryPoints[0].inputs[0]",
        "o0: B0.xy - float16 - - output vertex 0 stream=2 dx.entryPoints[0].outputs[0]",
    ]
    assert of_stage(facts) == {
        "stage": "geometry",
        "geometry": {
            "input_primitive": "line_adj",
            "instances": 3,
            "max_output_vertices": 12,
            "output_topology": "trianglestrip",
            "streams": ["trianglestrip", "undefined", "trianglestrip"],
        },
    }


POINT: list[object] = [[0, "A", 9, 0, [0], 0, 1, 4, 0, 0, None]]


def test_a_hull_shader() -> None:
    facts = shader(
        3, "hs", [3, [None, 16, 4, 3, 4, 3, 15.5]], POINT, POINT,
        [[0, "SV_TessFactor", 9, 25, [0, 1, 2, 3], 0, 4, 1, 0, 3, None],
         [1, "SV_InsideTessFactor", 9, 26, [0, 1], 0, 2, 1, 4, 3, None],
         [2, "C", 9, 0, [7], 0, 1, 2, 6, 0, None]],
    )  # fmt: skip
    place = "output patch {0} dx.entryPoints[0].patch[{1}]"
    edge = "o{0}: SV_TessFactor{0}.w - float32 final_quad_edge_tessfactor - " + place
    inside = "o{0}: SV_InsideTessFactor{2}.w - float32 final_quad_inside_tessfactor - " + place
    assert rows(facts) == [
        "v0: A0.xyzw - float32 - - input control_point 0 dx.entryPoints[0].inputs[0]",
        "o0: A0.xyzw - float32 - - output control_point 0 dx.entryPoints[0].outputs[0]",
        *(edge.format(number, 0) for number in range(4)),
        *(inside.format(4 + number, 1, number) for number in range(2)),
        "o6: C7.xy - float32 - - " + place.format(6, 2),
    ]
    assert of_stage(facts) == {
        "stage": "hull",
        "tessellation": {
            "domain": "quad",
            "partitioning": "fractional_even",
            "output_primitive": "triangle_cw",
            "input_control_points": 16,
            "output_control_points": 4,
            "max_factor": 15.5,
        },
    }


@pytest.mark.parametrize(
    ("domain", "edges", "inside"),
    [
        (0, [None], [None]),
        (1, ["final_line_density_tessfactor", "final_line_detail_tessfactor", None], [None]),
        (2, ["final_tri_edge_tessfactor"] * 3 + [None], ["final_tri_inside_tessfactor", None]),
        (3, ["final_quad_edge_tessfactor"] * 4 + [None],
         ["final_quad_inside_tessfactor"] * 2 + [None]),
        (4, [None], [None]),
    ],
)  # fmt: skip
def test_tessellation_factors(
    domain: int, edges: list[str | None], inside: list[str | None]
) -> None:
    """dxc lists the rows of an isoline as LINEDEN and LINEDET."""
    facts = shader(
        4, "ds", [2, [domain, 32]], POINT, POINT,
        [[0, "SV_TessFactor", 9, 25, [0], 0, len(edges), 1, 0, 3, None],
         [1, "SV_InsideTessFactor", 9, 26, [0], 0, len(inside), 1, 8, 3, None]],
    )  # fmt: skip
    found = facts.patch_constants
    assert [each.system_value for each in found] == edges + inside
    assert {(each.slot.direction, each.slot.rate) for each in found} == {("input", "patch")}
    assert facts.tessellation is not None
    assert facts.tessellation.input_control_points == 32


def test_a_mesh_shader() -> None:
    facts = shader(
        13, "ms", [9, [[32, 2, 1], 64, 126, 1, 20]], None,
        [[0, "SV_Position", 9, 3, [0], 4, 1, 4, 0, 0, None]],
        [[0, "SV_CullPrimitive", 1, 30, [0], 1, 1, 1, 0, 0, None]],
    )  # fmt: skip
    assert rows(facts) == [
        "o0: SV_Position0.xyzw - float32 position - output vertex 0 dx.entryPoints[0].outputs[0]",
        "o0: SV_CullPrimitive0.x - uint32 cullprimitive - output primitive 0 "
        "dx.entryPoints[0].patch[0]",
    ]
    assert of_stage(facts) == {
        "stage": "mesh",
        "thread_group": [32, 2, 1],
        "mesh": {
            "output_topology": "linelist",
            "max_vertices": 64,
            "max_primitives": 126,
            "payload_size": 20,
        },
    }


def test_shaders_of_thread_groups() -> None:
    assert of_stage(shader(14, "as", [10, [[4, 5, 6], 7], 11, [64]])) == {
        "stage": "amplification",
        "thread_group": [4, 5, 6],
        "wave_size": [64],
        "mesh": {"payload_size": 7},
    }
    assert of_stage(shader(5, "cs", [4, [8, 4, 2], 23, [16, 64, 32], 0, 1 << 19 | 1 << 4])) == {
        "stage": "compute",
        "thread_group": [8, 4, 2],
        "wave_size": [16, 64, 32],
        "features": ["WaveOps"],
        "global_flags": ["enableRawAndStructuredBuffers"],
    }
