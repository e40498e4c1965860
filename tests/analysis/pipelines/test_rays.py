"""Ray tracing in state objects: hit groups, configurations, payloads."""

from __future__ import annotations

import pytest

from tests.fixtures.libraries import Ray, library
from unshade.analysis.pipelines import StateObject
from unshade.analysis.pipelines.exports import ExportedShader, ObjectExports
from unshade.analysis.pipelines.findings import PipelineReport
from unshade.analysis.pipelines.stages import PipelineStage
from unshade.model.stateobjects import (
    StoredAssociation,
    StoredHitGroup,
    StoredRayConfig,
    StoredStateObject,
)

GEN, SKY = Ray("gen", "raygeneration", passes=(16,)), Ray("sky", "miss", payload=16)
SHADE = Ray("shade", "closesthit", payload=16, attributes=8)
GLASS = StoredHitGroup(name="glass", type="triangles", closest_hit="shade")


def exported(*shaders: Ray) -> list[ExportedShader]:
    shader = library(*shaders)
    [program] = shader.programs
    return [
        ExportedShader(name, PipelineStage(shader, program, name, stage, "rays.dxil"))
        for name, stage in program.entry_points
    ]


def report(
    *shaders: Ray,
    groups: tuple[StoredHitGroup, ...] = (GLASS,),
    payload: int = 16,
    attributes: int = 8,
    configs: int = 1,
    pipelines: int = 1,
    associations: tuple[StoredAssociation, ...] = (),
) -> PipelineReport:
    described = StoredStateObject(
        key="scene",
        type="raytracing_pipeline",
        hit_groups=list(groups),
        shader_configs=[
            StoredRayConfig(
                key=f"sizes {at}", max_payload_size=payload + at, max_attribute_size=attributes
            )
            for at in range(configs)
        ],
        pipeline_configs=[
            StoredRayConfig(key=f"depth {at}", max_recursion=1 + at) for at in range(pipelines)
        ],
        associations=list(associations),
    )
    return StateObject(ObjectExports("a.sodb!scene", described, exported(*shaders))).check()


def codes(*shaders: Ray, **given: object) -> list[str]:
    return [each.code for each in report(*shaders, **given)]  # type: ignore[arg-type]


def test_a_pipeline_that_works() -> None:
    assert codes(GEN, SKY, SHADE) == []


def test_a_payload_that_is_larger_than_the_configuration() -> None:
    larger = GEN._replace(passes=(20,)), SKY._replace(payload=20)
    assert codes(*larger, groups=(), payload=20) == []
    found = report(GEN, SKY, groups=(), payload=12)[1]
    assert (found.code, found.reference) == (
        "object.payload", "STATE_CREATION ERROR #1194: CREATE_STATE_OBJECT_ERROR",
    )  # fmt: skip
    assert found.message == (
        "Raytracing shader config specifies MaxPayloadSizeInBytes of 12 but function this config"
        ' is associated with, "sky", has a larger payload size: 16 bytes'
    )
    assert found.places[0].file == "rays.dxil"
    # what a shader passes counts, too
    assert codes(GEN, groups=(), payload=12) == ["object.payload"]


def test_attributes_that_are_too_large() -> None:
    assert codes(GEN, SHADE, attributes=4) == ["object.attributes"]
    wide = SHADE._replace(attributes=12)
    [found] = report(GEN, wide, attributes=12)
    assert (found.code, found.message) == (
        "object.attributes", "'shade' takes attributes of 12 bytes, triangles have 8",
    )  # fmt: skip


def test_what_is_passed_is_taken_by_a_shader() -> None:
    [found] = report(GEN, SKY._replace(payload=12), groups=())
    assert (found.code, found.severity, found.reference) == ("object.passed", "warning", "")
    assert found.message == (
        "'gen' passes a payload of 16 bytes, no hit or miss shader takes one of that size: 12"
    )
    callable = Ray("light", "callable", payload=8)
    caller = Ray("gen", "raygeneration", calls=(4,))
    assert codes(caller, callable, groups=()) == ["object.passed"]
    assert codes(caller._replace(calls=(8,)), callable, groups=()) == []


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (StoredHitGroup(name="glass", type="triangles", closest_hit="sky"),
         "the hit group 'glass': expected a closesthit shader as closest-hit shader, got a miss"
         " shader"),
        (StoredHitGroup(name="glass", type="triangles", intersection="box"),
         "the hit group 'glass' of triangles has an intersection shader"),
        (StoredHitGroup(name="glass", type="procedural_primitive", closest_hit="shade"),
         "the hit group 'glass' of procedural primitives has no intersection shader"),
    ],
)  # fmt: skip
def test_hit_groups(group: StoredHitGroup, message: str) -> None:
    found = report(GEN, SKY, SHADE, Ray("box", "intersection"), groups=(group,))
    assert [(each.code, each.message) for each in found] == [("object.hit-group", message)]


def test_an_import_that_no_library_has() -> None:
    gone = StoredHitGroup(name="glass", type="triangles", any_hit="fade")
    [found] = report(GEN, SKY, groups=(gone,))
    assert (found.code, found.message) == (
        "object.export", "the hit group 'glass' imports 'fade', which is no export",
    )  # fmt: skip


def test_configurations() -> None:
    assert codes(GEN, SKY, groups=(), pipelines=0) == ["object.config"]
    assert codes(GEN, SKY, groups=(), pipelines=2) == ["object.config"]
    [found] = report(GEN, SKY, groups=(), configs=0)
    assert found.message == ("expected one ray-tracing shader configuration of 'gen', got none")
    assert codes(GEN, SKY, groups=(), configs=2) == ["object.config"]


def test_associations_decide_which_configuration_holds() -> None:
    both = (
        StoredAssociation(subobject="sizes 0", exports=["gen", "sky"]),
        StoredAssociation(subobject="sizes 1", exports=["glass"]),
    )
    assert codes(GEN, SKY, SHADE, configs=2, associations=both) == []
    default = (
        StoredAssociation(subobject="sizes 0", exports=[]),
        StoredAssociation(subobject="sizes 1", exports=["glass"]),
    )
    assert codes(GEN, SKY, SHADE, configs=2, associations=default) == []
    assert codes(GEN, SKY, SHADE, configs=2, associations=both[:1]) == []
    odd = (StoredAssociation(subobject="sizes 0", exports=["gone"]),)
    assert codes(GEN, SKY, SHADE, associations=odd)[0] == "object.export"
