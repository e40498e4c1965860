"""Stages together: which follow each other, tessellation, payloads, positions, shared buffers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import unshade
from tests.analysis.pipelines.modules import domain, fragment, geometry, hull, vertex
from tests.examples import EXAMPLES
from unshade.analysis.pipelines.findings import PipelineFindings
from unshade.analysis.pipelines.stages import PipelineStage, stages_of
from unshade.analysis.pipelines.structure import check_structure
from unshade.formats.dxcontainer import DxContainer
from unshade.model.reflection import Geometry, MeshShading, SignatureParameter, Tessellation
from unshade.vocab.words import Domain, OutputPrimitive, Primitive, Stage, SystemValue, Topology

SKINNING, PHONG = EXAMPLES / "skinning.dxbc", EXAMPLES / "phong.dxbc"
HULL, DOMAIN = EXAMPLES / "sheet.h.dxbc", EXAMPLES / "sheet.d.dxbc"


def stage(word: str, **facts: Any) -> PipelineStage:
    """Return a stage with other facts: of a shader that no compiler has to make."""
    [made] = stages_of(unshade.open(PHONG), f"{word}.dxbc")
    made.stage = word
    made.reflection.assign(inputs=[], outputs=[], patch_constants=[], **facts)
    return made


def codes(*stages: PipelineStage) -> list[str]:
    found = PipelineFindings("d3d12")
    check_structure(found, stages)
    return [each.code for each in found.found]


def tessellation(**given: Any) -> Tessellation:
    return Tessellation(**{"domain": Domain.QUAD, **given})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["vertex", "hull", "domain", "geometry"], []),
        (["hull", "domain"], []),
        (["vertex", "hull"], []),  # the rest may follow
        (["domain", "geometry"], []),
        (["vertex", "domain"], ["stages.tessellation"]),
        (["hull", "geometry"], ["stages.tessellation"]),
        (["amplification", "mesh"], []),
        (["amplification"], []),
        (["amplification", "pixel"], ["stages.mesh"]),
        (["mesh", "geometry"], ["stages.mesh"]),
        (["compute"], []),
    ],
)
def test_stages_that_follow_each_other(words: list[str], expected: list[str]) -> None:
    assert codes(*map(stage, words)) == expected


def test_control_points_and_domains() -> None:
    ours = tessellation(output_control_points=4, output_primitive=OutputPrimitive.TRIANGLE_CW)
    before = stage("hull", tessellation=ours)
    assert codes(before, stage("domain", tessellation=tessellation(input_control_points=4))) == []
    other = stage("domain", tessellation=tessellation(input_control_points=3))
    assert codes(before, other) == ["link.control-points"]
    other = stage("domain", tessellation=tessellation(domain=Domain.TRI))
    assert codes(before, other) == ["link.domain"]


@pytest.mark.parametrize(
    ("made", "taken", "expected"),
    [
        (OutputPrimitive.TRIANGLE_CW, Primitive.TRIANGLE, []),
        (OutputPrimitive.POINT, Primitive.POINT, []),
        (OutputPrimitive.LINE, Primitive.TRIANGLE, ["link.primitive"]),
        (OutputPrimitive.TRIANGLE_CCW, Primitive.TRIANGLE_ADJ, ["link.primitive"]),
    ],
)
def test_a_geometry_shader_takes_what_the_tessellator_makes(
    made: OutputPrimitive, taken: Primitive, expected: list[str]
) -> None:
    settings = Geometry(input_primitive=taken, output_topology=Topology.POINTLIST)
    assert codes(
        stage("hull", tessellation=tessellation(output_primitive=made)),
        stage("domain", tessellation=tessellation()),
        stage("geometry", geometry=settings),
    ) == expected  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "expected"), [(32, []), (16, ["link.payload"]), (0, []), (None, [])]
)
def test_payloads(wanted: int | None, expected: list[str]) -> None:
    before = stage("amplification", mesh=MeshShading(payload_size=32))
    assert codes(before, stage("mesh", mesh=MeshShading(payload_size=wanted))) == expected


def row(value: SystemValue, components: str) -> SignatureParameter:
    return SignatureParameter(
        semantic="SV", components=components, used=components, component_type="float32",
        system_value=value, register=1,
    )  # fmt: skip


def outputs(*rows: SignatureParameter) -> PipelineStage:
    made = stage("vertex")
    made.reflection.assign(outputs=list(rows))
    return made


def test_a_position_is_needed_before_a_pixel_shader() -> None:
    position = row(SystemValue.POSITION, "xyzw")
    assert codes(outputs(position), stage("pixel")) == []
    assert codes(outputs(), stage("pixel")) == ["link.position"]
    assert codes(outputs()) == []


def test_distances() -> None:
    clip, cull = row(SystemValue.CLIP_DISTANCE, "xyzw"), row(SystemValue.CULL_DISTANCE, "xyzw")
    assert codes(outputs(clip, cull)) == []
    assert codes(outputs(clip, clip, cull)) == ["link.distances"]


# -- patches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read", "expected"),
    [
        ({0: "float4", 1: "patch float2"}, {0: "float4", 1: "patch float2"}, []),
        ({0: "float4", 1: "patch float2"}, {0: "float4", 1: "float2"}, ["link.patch"]),
        ({0: "float4"}, {0: "patch float4"}, ["link.patch"]),
        ({0: "patch float4"}, {0: "patch int4"}, ["link.type"]),
        ({0: "float4"}, {0: "float4", 2: "patch float"}, ["link.missing"]),
    ],
)
def test_patches_of_vulkan(
    written: dict[Any, str], read: dict[Any, str], expected: list[str]
) -> None:
    assert [each.code for each in unshade.Pipeline(hull(written), domain(read)).check()] == expected


def test_arrays_by_vertex_are_matched_by_element() -> None:
    vs, gs = vertex({0: "float3", 1: "int2"}), geometry({0: "float3", 1: "int2"}, {2: "float"})
    assert unshade.Pipeline(vs, gs, fragment({2: "float"})).check() == []
    found = unshade.Pipeline(vs, geometry({0: "float3", 1: "float2"})).check()
    assert [each.code for each in found] == ["link.type"]


def edited(path: Any, part: str, change: Callable[[Any], None]) -> DxContainer:
    shader = DxContainer.open(path)
    change(shader[part].elements)
    return shader


def test_patch_constants_of_direct3d() -> None:
    assert unshade.Pipeline(HULL, DOMAIN).check() == []

    def rename(elements: Any) -> None:
        elements[5].index = 3

    [found] = unshade.Pipeline(HULL, edited(DOMAIN, "PCSG", rename)).check()
    assert found.code == "link.missing"
    assert found.places[0].path == "PCSG.elements[5]"
    assert "(SV_InsideTessFactor,3)" in found.message
    assert found.reference.startswith("EXECUTION ERROR #342: ")
    root = unshade.assemble("DescriptorTable(CBV(b0))")
    [found] = unshade.Pipeline(HULL, edited(DOMAIN, "PCSG", rename), root_signature=root).check()
    assert found.reference.startswith("STATE_CREATION ERROR #659: ")

    def narrow(elements: Any) -> None:
        elements[0].mask = 3

    [found] = unshade.Pipeline(edited(HULL, "OSGN", narrow), DOMAIN).check()
    assert (found.code, found.places[0].path) == ("link.mask", "ISGN.elements[0]")


# -- shared buffers ------------------------------------------------------------------------------


def shared(**changed: int) -> list[str]:
    """Return the findings of two stages whose buffer U is alike, but for an offset."""
    pixel = DxContainer.open(PHONG)
    vs = DxContainer.open(PHONG)
    for name, offset in changed.items():
        [variable] = [each for each in vs["RDEF"].buffers[0].variables if each.name == name]
        variable.offset = offset
    [before], [after] = stages_of(vs, "a.dxbc"), stages_of(pixel, "b.dxbc")
    before.stage = str(Stage.VERTEX)
    return [each.message for each in unshade.Pipeline(before, after).check()
            if each.code == "link.buffer"]  # fmt: skip


def test_buffers_that_stages_share() -> None:
    assert shared() == []
    assert shared(u_eye=144) == [
        "u_eye of U (b0) is at byte 144 in vertex shader, at byte 128 in pixel shader"
    ]
    # skinning and phong have buffers of one name at one binding, without a common variable
    assert unshade.Pipeline(SKINNING, PHONG).check() == []


TASK = """OpCapability MeshShadingEXT
OpExtension "SPV_EXT_mesh_shader"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" %data
%void = OpTypeVoid
%float = OpTypeFloat 32
%vector = OpTypeVector %float {count}
%pointer = OpTypePointer TaskPayloadWorkgroupEXT %vector
%data = OpVariable %pointer TaskPayloadWorkgroupEXT
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(("count", "expected"), [(4, []), (3, ["link.payload"])])
def test_payloads_of_task_and_mesh_shaders(count: int, expected: list[str]) -> None:
    task = unshade.assemble(TASK.format(model="TaskEXT", count=4), "spirv")
    mesh = unshade.assemble(TASK.format(model="MeshEXT", count=count), "spirv")
    found = unshade.Pipeline(task, mesh).check()
    assert [each.code for each in found] == expected
    assert [each.message for each in found] == [
        "task shader has a payload of 16 bytes, mesh shader of 12" for _ in expected
    ]
