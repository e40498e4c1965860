"""Subobjects of a library: the state of pipelines.

Source: DXC RDAT_SubobjectTypes.inl.
"""

from typing import Any

from .....enums import IntEnum
from .....wire import Record, derived, field, rest, switch, u32
from .references import bytes_of, text_of, texts_of


class SubobjectKind(IntEnum):
    """DXIL::SubobjectKind."""

    STATE_OBJECT_CONFIG = 0
    GLOBAL_ROOT_SIGNATURE = 1
    LOCAL_ROOT_SIGNATURE = 2
    SUBOBJECT_TO_EXPORTS_ASSOCIATION = 8
    RAYTRACING_SHADER_CONFIG = 9
    RAYTRACING_PIPELINE_CONFIG = 10
    HIT_GROUP = 11
    RAYTRACING_PIPELINE_CONFIG_1 = 12


class HitGroupType(IntEnum):
    """DXIL::HitGroupType."""

    TRIANGLE = 0
    PROCEDURAL_PRIMITIVE = 1


class StateObjectConfig(Record):
    """A configuration of a state object."""

    flags: u32 = field("1: local may depend on external, 2: external on local, 4: additions")


class RootSignatureBytes(Record):
    """A global or local root signature, as in RTS0."""

    data: bytes = bytes_of("serialized root signature", "size")
    size: u32 | None = derived("size in bytes", "len(data)")


class ExportsAssociation(Record):
    """An association of a subobject with exports."""

    subobject: str | None = text_of("name of the subobject")
    exports: list[str] = texts_of("names of the exports")


class RaytracingShaderConfig(Record):
    """Sizes of payload and attributes."""

    max_payload_size: u32 = field("maximum size of the payload in bytes")
    max_attribute_size: u32 = field("maximum size of the attributes in bytes")


class RaytracingPipelineConfig(Record):
    """The recursion of a ray-tracing pipeline."""

    max_recursion_depth: u32 = field("maximum depth of TraceRay")


class HitGroup(Record):
    """A hit group."""

    type: u32 = field("kind of geometry", enum=HitGroupType)
    any_hit: str | None = text_of("name of the any-hit shader")
    closest_hit: str | None = text_of("name of the closest-hit shader")
    intersection: str | None = text_of("name of the intersection shader")


class RaytracingPipelineConfig1(Record):
    """The recursion and flags of a ray-tracing pipeline."""

    max_recursion_depth: u32 = field("maximum depth of TraceRay")
    flags: u32 = field("0x100: skip triangles, 0x200: skip procedural primitives")


class UnknownSubobject(Record):
    """A subobject of an unknown kind."""


class RdatSubobject(Record):
    """A subobject of a state object. 24 bytes; the end is unused by most kinds."""

    kind: u32 = field("kind", enum=SubobjectKind)
    name: str | None = text_of("name")
    content: Any = switch(
        "contents",
        "kind",
        {
            SubobjectKind.STATE_OBJECT_CONFIG: StateObjectConfig,
            SubobjectKind.GLOBAL_ROOT_SIGNATURE: RootSignatureBytes,
            SubobjectKind.LOCAL_ROOT_SIGNATURE: RootSignatureBytes,
            SubobjectKind.SUBOBJECT_TO_EXPORTS_ASSOCIATION: ExportsAssociation,
            SubobjectKind.RAYTRACING_SHADER_CONFIG: RaytracingShaderConfig,
            SubobjectKind.RAYTRACING_PIPELINE_CONFIG: RaytracingPipelineConfig,
            SubobjectKind.HIT_GROUP: HitGroup,
            SubobjectKind.RAYTRACING_PIPELINE_CONFIG_1: RaytracingPipelineConfig1,
        },
        other=UnknownSubobject,
    )
    later: bytes = rest("unused words of the union, or fields of a newer version")
