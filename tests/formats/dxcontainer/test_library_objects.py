"""The state object that the subobjects of a library describe."""

from typing import Any

from tests.fixtures.libraries import Ray, library
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rdat import RdatTable, RdatTableType, RuntimeData
from unshade.formats.dxcontainer.parts.runtime.subobjects import (
    ExportsAssociation,
    HitGroup,
    RaytracingPipelineConfig1,
    RaytracingShaderConfig,
    RdatSubobject,
    RootSignatureBytes,
    StateObjectConfig,
    SubobjectKind,
)

K = SubobjectKind


def described(*subobjects: tuple[SubobjectKind, str, Any]) -> DxContainer:
    made = DxContainer.loads(library(Ray("gen", "raygeneration")).to_bytes())
    records = [RdatSubobject(kind=kind, name=name, content=each) for kind, name, each in subobjects]
    tables = [RdatTable(type=RdatTableType.SUBOBJECTS, records=records)]
    made["RDAT"] = RuntimeData(tables=tables)
    return made


def test_every_kind_of_subobject() -> None:
    made = described(
        (K.STATE_OBJECT_CONFIG, "config", StateObjectConfig(flags=4)),
        (K.GLOBAL_ROOT_SIGNATURE, "root", RootSignatureBytes(data=b"RTS0")),
        (K.LOCAL_ROOT_SIGNATURE, "own", RootSignatureBytes(data=b"local")),
        (K.RAYTRACING_SHADER_CONFIG, "sizes",
         RaytracingShaderConfig(max_payload_size=16, max_attribute_size=8)),
        (K.RAYTRACING_PIPELINE_CONFIG_1, "depth",
         RaytracingPipelineConfig1(max_recursion_depth=2, flags=0x100)),
        (K.HIT_GROUP, "glass", HitGroup(type=1, closest_hit="shade", intersection="box")),
        (K.SUBOBJECT_TO_EXPORTS_ASSOCIATION, "to",
         ExportsAssociation(subobject="own", exports=["glass", "gen"])),
    )  # fmt: skip
    [found] = made.state_objects
    assert (found.key, found.type, found.flags) == ("", "raytracing_pipeline", 4)
    assert (found.global_root_signatures, found.local_root_signatures) == (["root"], ["own"])
    [sizes], [depth], [group] = found.shader_configs, found.pipeline_configs, found.hit_groups
    assert (sizes.max_payload_size, sizes.max_attribute_size) == (16, 8)
    assert (depth.max_recursion, depth.flags) == (2, 0x100)
    assert (group.name, group.type, group.any_hit) == ("glass", "procedural_primitive", None)
    assert (group.closest_hit, group.intersection) == ("shade", "box")
    [association] = found.associations
    assert (association.subobject, association.exports) == ("own", ["glass", "gen"])
    assert made.pipeline_file("own") == b"local"
    assert made.pipeline_file("glass") is None
    assert made.pipeline_file("") == made.to_bytes()


def test_a_library_without_subobjects_describes_none() -> None:
    assert library(Ray("gen", "raygeneration")).state_objects == []
    assert described().state_objects == []


def test_without_the_configuration_of_a_pipeline_it_is_a_collection() -> None:
    [found] = described((K.HIT_GROUP, "glass", HitGroup(type=0))).state_objects
    assert found.type == "collection"
