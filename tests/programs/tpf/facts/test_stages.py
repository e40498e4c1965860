"""Facts of a program of each stage, as a whole."""

from __future__ import annotations

import pytest

from tests.programs.facts import of_stage, rows, shown
from unshade.model.facts import ProgramFacts
from unshade.programs.tpf import Program


def facts(text: str) -> ProgramFacts:
    lines = [line.strip() for line in text.strip().splitlines()]
    return Program.assemble("\n".join([*lines, "ret", ""])).facts()


def placed(*lines: str) -> list[str]:
    """Return the lines with `@5` written out as the path of the operand of instruction 5."""
    return [line.partition("@")[0] + f"instructions[{line.partition('@')[2]}].operands[0]"
            for line in lines]  # fmt: skip


def test_a_pixel_shader() -> None:
    found = facts("""
        ps_5_0
        dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | skipOptimization
        dcl_input_ps linear v0.xy
        dcl_input_ps_siv linear noperspective v1.xyzw, position
        dcl_input_ps_sgv constant v2.x, is_front_face
        dcl_input_ps constant v3.w
        dcl_input vCoverage
        dcl_output o0.xyzw
        dcl_output oMask
        dcl_temps 3
        dcl_indexableTemp x1[4], 2
    """)
    assert rows(found) == placed(
        "v0: 0.xy - - - linear input pixel 0 @1",
        "v1: 0.xyzw - - position linear_noperspective input pixel 1 @2",
        "v2: 0.x - - is_front_face constant input pixel 2 @3",
        "v3: 0.w - - - constant input pixel 3 @4",
        "o0: 0.xyzw - - - - output pixel 0 @6",
        "oMask: 0.x - - - - output pixel coverage @7",
        "vCoverage: 0.x - - - undefined input pixel coverage @5",
    )
    assert of_stage(found) == {
        "stage": "pixel",
        "features": ["Doubles"],
        "global_flags": ["refactoringAllowed", "enableDoublePrecisionFloatOps", "skipOptimization"],
        "temp_registers": 3,
        "temp_arrays": [{"register": 1, "count": 4, "components": 2}],
    }


@pytest.mark.parametrize(
    ("declaration", "by_sample"),
    [
        ("dcl_input_ps linear v0.x", False), ("dcl_input_ps linear centroid v0.x", False),
        ("dcl_input_ps linear noperspective centroid v0.x", False),
        ("dcl_input_ps linear sample v0.x", True),
        ("dcl_input_ps linear noperspective sample v0.x", True),
        ("dcl_input_ps_sgv constant v0.x, sampleIndex", True),
        ("dcl_input_ps_sgv constant v0.x, is_front_face", False),
    ],
)  # fmt: skip
def test_inputs_by_sample(declaration: str, by_sample: bool) -> None:
    assert facts(f"ps_5_0\n{declaration}").sample_frequency is by_sample


def test_a_compute_shader() -> None:
    found = facts("""
        cs_5_0
        dcl_tgsm_raw g0, 64
        dcl_tgsm_structured g2, 8, 5
        dcl_input vThreadID.xz
        dcl_input vThreadIDInGroupFlattened
        dcl_input vThreadID.x
        dcl_thread_group 8, 4, 2
        dcl_temps 2
        dcl_temps 1
    """)
    assert rows(found) == placed(
        "vThreadID: 0.xz - - - - input thread thread_id @2",
        "vThreadIDInGroupFlattened: 0.x - - - - input thread thread_id_in_group_flattened @3",
    )
    assert of_stage(found) == {
        "stage": "compute",
        "thread_group": [8, 4, 2],
        "temp_registers": 2,
        "shared_memory": [{"size": 64}, {"register": 2, "size": 40, "stride": 8, "count": 5}],
    }


def test_a_geometry_shader() -> None:
    found = facts("""
        gs_5_0
        dcl_inputprimitive patch7
        dcl_stream m0
        dcl_outputtopology pointlist
        dcl_output_siv o0.xyzw, position
        dcl_stream m2
        dcl_outputtopology linestrip
        dcl_output o1.y
        dcl_maxout 6
        dcl_gsinstances 5
        dcl_input v[7][3].xyz
        dcl_input vGSInstanceID
        dcl_input vPrim
    """)
    assert rows(found) == placed(
        "v3: 0.xyz - - - - input vertex 3 @9",
        "o0: 0.xyzw - - position - output vertex 0 @3",
        "o1: 0.y - - - - output vertex 1 stream=2 @6",
        "vGSInstanceID: 0.x - - - - input primitive gs_instance_id @10",
        "vPrim: 0.x - - - - input primitive primitive_id @11",
    )
    assert of_stage(found) == {
        "stage": "geometry",
        "geometry": {
            "input_primitive": "patch",
            "input_vertices": 7,
            "instances": 5,
            "max_output_vertices": 6,
            "output_topology": "pointlist",
            "streams": ["pointlist", "undefined", "linestrip"],
        },
    }


@pytest.mark.parametrize(
    ("name", "primitive", "vertices"),
    [
        ("point", "point", 1), ("line", "line", 2), ("triangle", "triangle", 3),
        ("lineadj", "line_adj", 4), ("triangleadj", "triangle_adj", 6), ("patch1", "patch", 1),
        ("patch32", "patch", 32),
    ],
)  # fmt: skip
def test_primitives(name: str, primitive: str, vertices: int) -> None:
    geometry = facts(f"gs_5_0\ndcl_inputprimitive {name}").geometry
    assert geometry is not None
    assert (geometry.input_primitive, geometry.input_vertices) == (primitive, vertices)


@pytest.mark.parametrize("number", [4, 5, 40, 41])
def test_other_primitives_are_unknown(number: int) -> None:
    program = Program.assemble("gs_5_0\ndcl_inputprimitive point\nret\n")
    program.instructions[0].token += (number - 1) << 11
    geometry = program.facts().geometry
    assert geometry is not None
    assert (geometry.input_primitive, geometry.input_vertices) == (f"unknown_{number}", None)


def test_a_hull_shader() -> None:
    found = facts("""
        hs_5_0
        hs_decls
        dcl_input_control_point_count 3
        dcl_output_control_point_count 4
        dcl_tessellator_domain domain_isoline
        dcl_tessellator_partitioning partitioning_pow2
        dcl_tessellator_output_primitive output_line
        dcl_hs_max_tessfactor l(15.5)
        hs_fork_phase
        dcl_output_siv o3.x, finalLineDensityTessFactor
        dcl_input vForkInstanceID
        ret
        hs_join_phase
        dcl_input vpc3.x
        dcl_input vicp[3][1].xy
        dcl_input vocp[4][2].z
        dcl_input vJoinInstanceID
    """)
    assert rows(found) == placed(
        "vicp1: 0.xy - - - - input control_point 1 @13",
        "vocp2: 0.z - - - - output control_point 2 @14",
        "o3: 0.x - - final_line_density_tessfactor - output patch 3 @8",
        "vpc3: 0.x - - - - output patch 3 @12",
        "vForkInstanceID: 0.x - - - - input patch fork_instance_id @9",
        "vJoinInstanceID: 0.x - - - - input patch join_instance_id @15",
    )
    assert of_stage(found) == {
        "stage": "hull",
        "passes_control_points": True,
        "tessellation": {
            "domain": "isoline",
            "partitioning": "pow2",
            "output_primitive": "line",
            "input_control_points": 3,
            "output_control_points": 4,
            "max_factor": 15.5,
        },
    }


def test_a_domain_shader() -> None:
    found = facts("""
        ds_5_0
        dcl_tessellator_domain domain_quad
        dcl_input vDomain.xy
        dcl_input vpc3.x
        dcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor
        dcl_input vicp[16][1].xy
        dcl_output o0.xy
    """)
    assert rows(found) == placed(
        "vicp1: 0.xy - - - - input control_point 1 @4",
        "o0: 0.xy - - - - output vertex 0 @5",
        "vpc3: 0.x - - - - input patch 3 @2",
        "vpc0: 0.x - - final_quad_edge_tessfactor - input patch 0 @3",
        "vDomain: 0.xy - - - - input vertex domain_location @1",
    )
    assert of_stage(found) == {"stage": "domain", "tessellation": {"domain": "quad"}}


def test_a_vertex_shader() -> None:
    found = facts("""
        vs_4_1
        dcl_input v0.xyz
        dcl_input_sgv v1.x, vertex_id
        dcl_input_sgv v2.x, instance_id
        dcl_output_siv o0.xyzw, position
        dcl_output_siv o1.y, viewport_array_index
    """)
    assert rows(found) == placed(
        "v0: 0.xyz - - - - input vertex 0 @0",
        "v1: 0.x - - vertex_id - input vertex 1 @1",
        "v2: 0.x - - instance_id - input vertex 2 @2",
        "o0: 0.xyzw - - position - output vertex 0 @3",
        "o1: 0.y - - viewport_array_index - output vertex 1 @4",
    )
    assert of_stage(found) == {
        "stage": "vertex",
        "features": ["ViewportAndRTArrayIndexFromAnyShader"],
    }


FLOATS = "(float,float,float,float)"
COMMON = {"declared": True, "count": 1}
# A declaration of Shader Model 5.0, the same of 5.1, and the resource.
RESOURCES: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("dcl_constantbuffer CB2[3], immediateIndexed",
     "dcl_constantbuffer CB7[2:2][3], immediateIndexed, space=0",
     {"name": "cb2", "kind": "constant_buffer", "register_class": "b", "register": 2}),
    ("dcl_constantbuffer CB0[3], dynamicIndexed",
     "dcl_constantbuffer CB7[0:0][3], dynamicIndexed, space=0",
     {"name": "cb0", "kind": "constant_buffer", "register_class": "b",
      "dynamically_indexed": True}),
    ("dcl_sampler s3, mode_default", "dcl_sampler S7[3:3], mode_default, space=0",
     {"name": "s3", "kind": "sampler", "register_class": "s", "register": 3}),
    ("dcl_sampler s3, mode_comparison", "dcl_sampler S7[3:3], mode_comparison, space=0",
     {"name": "s3", "kind": "sampler", "register_class": "s", "register": 3, "comparison": True}),
    (f"dcl_resource_texture2d {FLOATS} t4", f"dcl_resource_texture2d {FLOATS} T7[4:4], space=0",
     {"name": "t4", "kind": "texture", "register_class": "t", "register": 4, "dimension": "2d",
      "return_type": "float"}),
    (f"dcl_resource_texture2dms(4) {FLOATS} t4",
     f"dcl_resource_texture2dms(4) {FLOATS} T7[4:4], space=0",
     {"name": "t4", "kind": "texture", "register_class": "t", "register": 4, "dimension": "2dms",
      "return_type": "float", "samples": 4}),
    ("dcl_resource_buffer (uint,uint,uint,uint) t4",
     "dcl_resource_buffer (uint,uint,uint,uint) T7[4:4], space=0",
     {"name": "t4", "kind": "typed_buffer", "register_class": "t", "register": 4,
      "dimension": "buffer", "return_type": "uint"}),
    ("dcl_resource_raw t4", "dcl_resource_raw T7[4:4], space=0",
     {"name": "t4", "kind": "raw_buffer", "register_class": "t", "register": 4,
      "dimension": "buffer"}),
    ("dcl_resource_structured t4, 20", "dcl_resource_structured T7[4:4], 20, space=0",
     {"name": "t4", "kind": "structured_buffer", "register_class": "t", "register": 4,
      "dimension": "buffer", "stride": 20}),
    ("dcl_uav_typed_texture3d (sint,sint,sint,sint) u4",
     "dcl_uav_typed_texture3d (sint,sint,sint,sint) U7[4:4], space=0",
     {"name": "u4", "kind": "texture", "register_class": "u", "register": 4, "dimension": "3d",
      "return_type": "sint", "writable": True}),
    ("dcl_uav_raw_glc u4", "dcl_uav_raw_glc U7[4:4], space=0",
     {"name": "u4", "kind": "raw_buffer", "register_class": "u", "register": 4,
      "dimension": "buffer", "writable": True, "globally_coherent": True}),
    ("dcl_uav_structured u4, 8", "dcl_uav_structured U7[4:4], 8, space=0",
     {"name": "u4", "kind": "structured_buffer", "register_class": "u", "register": 4,
      "dimension": "buffer", "writable": True, "stride": 8}),
    ("dcl_uav_structured_opc u4, 8", "dcl_uav_structured_opc U7[4:4], 8, space=0",
     {"name": "u4", "kind": "structured_buffer", "register_class": "u", "register": 4,
      "dimension": "buffer", "writable": True, "stride": 8, "counter": "counter"}),
)  # fmt: skip


@pytest.mark.parametrize(("before", "since", "expected"), RESOURCES)
def test_resources(before: str, since: str, expected: dict[str, object]) -> None:
    (old,) = facts(f"ps_5_0\n{before}").resources
    assert shown(old.resource) == COMMON | expected
    (new,) = facts(f"ps_5_1\n{since}").resources
    assert shown(new.resource) == COMMON | expected | {"id": 7}
    letter = {"b": "cb"}.get(str(expected["register_class"]), expected["register_class"])
    assert (old.label, new.label) == (f"{letter}{expected.get('register', 0)}", f"{letter}7")


@pytest.mark.parametrize(
    ("text", "first", "count", "space", "name"),
    [
        ("T0[4:4], space=0", 4, 1, 0, "t4"), ("T0[4:6], space=0", 4, 3, 0, "t4"),
        ("T0[4:4], space=2", 4, 1, 2, "t4_space2"), ("T0[0:*], space=1", 0, None, 1, "t0_space1"),
        ("T0[4:3], space=0", 4, 0, 0, "t4"), ("T0[4:2], space=0", 4, 0, 0, "t4"),
    ],
)  # fmt: skip
def test_ranges_of_resources(
    text: str, first: int, count: int | None, space: int, name: str
) -> None:
    (found,) = facts(f"ps_5_1\ndcl_resource_raw {text}").resources
    each = found.resource
    assert (each.register, each.count, each.space, each.name) == (first, count, space, name)


@pytest.mark.parametrize(
    ("uses", "counter"),
    [
        ("", None), ("imm_atomic_alloc r0.x, u1", "append"),
        ("imm_atomic_consume r0.x, u1", "consume"),
        ("imm_atomic_alloc r0.x, u1\nimm_atomic_alloc r0.x, u1", "append"),
        ("imm_atomic_consume r0.x, u1\nimm_atomic_consume r0.x, u1", "consume"),
        ("imm_atomic_alloc r0.x, u1\nimm_atomic_consume r0.x, u1", "counter"),
        ("imm_atomic_alloc r0.x, u2", None),
    ],
)  # fmt: skip
def test_counters(uses: str, counter: str | None) -> None:
    found = facts(f"cs_5_0\ndcl_uav_structured u1, 16\ndcl_temps 1\n{uses}")
    assert found.resources[0].resource.counter == counter
    either = facts(f"cs_5_0\ndcl_uav_structured_opc u1, 16\ndcl_temps 1\n{uses}")
    assert either.resources[0].resource.counter == "counter"
