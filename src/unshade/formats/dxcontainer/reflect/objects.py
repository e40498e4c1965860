"""The state object that a library describes by its subobjects, from RDAT.

    TriangleHitGroup glass = { "", "shade" };     hit group glass, closest-hit shader shade
    RaytracingShaderConfig sizes = { 16, 8 };     payloads of 16 bytes, attributes of 8

A library without subobjects describes no state object.
"""

from typing import Any

from ....model.stateobjects import (
    StoredAssociation,
    StoredHitGroup,
    StoredLibrary,
    StoredRayConfig,
    StoredStateObject,
)
from ....vocab.d3d12 import HitGroupKind, StateObjectType
from ....vocab.numbers import named
from ..container import Container
from ..parts import rdat
from ..parts.runtime.subobjects import RdatSubobject, SubobjectKind

__all__ = ["object_of_library", "root_of_library"]

K = SubobjectKind


def _subobjects(container: Container) -> list[RdatSubobject]:
    part = container.parts.get("RDAT")
    if part is None or not isinstance(part.value, rdat.RuntimeData):
        return []
    return [
        each
        for table in part.value.tables
        if table.type == rdat.RdatTableType.SUBOBJECTS
        for each in table.records
    ]


def root_of_library(container: Container, name: str) -> bytes | None:
    """Return the serialized root signature of a subobject, or None."""
    for each in _subobjects(container):
        if each.name == name and each.kind in (K.GLOBAL_ROOT_SIGNATURE, K.LOCAL_ROOT_SIGNATURE):
            data: bytes = each.content.data
            return data
    return None


def object_of_library(container: Container) -> StoredStateObject | None:
    """Return the state object of a library's subobjects; None if it has none."""
    subobjects = _subobjects(container)
    if not subobjects:
        return None
    found = StoredStateObject(
        key="", type=named(StateObjectType.RAYTRACING_PIPELINE, StateObjectType), flags=0,
        libraries=[StoredLibrary(key="")], global_root_signatures=[], local_root_signatures=[],
        hit_groups=[], shader_configs=[], pipeline_configs=[], associations=[],
    )  # fmt: skip
    for each in subobjects:
        _add(found, each.kind, each.name or "", each.content)
    if not found.pipeline_configs:
        found.type = named(StateObjectType.COLLECTION, StateObjectType)
    return found


def _add(found: StoredStateObject, kind: int, name: str, content: Any) -> None:
    """Add a subobject."""
    match kind:
        case K.STATE_OBJECT_CONFIG:
            found.flags = content.flags
        case K.GLOBAL_ROOT_SIGNATURE:
            found.global_root_signatures.append(name)
        case K.LOCAL_ROOT_SIGNATURE:
            found.local_root_signatures.append(name)
        case K.SUBOBJECT_TO_EXPORTS_ASSOCIATION:
            found.associations.append(
                StoredAssociation(subobject=content.subobject or "", exports=list(content.exports))
            )
        case K.RAYTRACING_SHADER_CONFIG:
            found.shader_configs.append(
                StoredRayConfig(
                    key=name,
                    max_payload_size=content.max_payload_size,
                    max_attribute_size=content.max_attribute_size,
                )
            )
        case K.RAYTRACING_PIPELINE_CONFIG | K.RAYTRACING_PIPELINE_CONFIG_1:
            found.pipeline_configs.append(
                StoredRayConfig(
                    key=name,
                    max_recursion=content.max_recursion_depth,
                    flags=getattr(content, "flags", 0),
                )
            )
        case K.HIT_GROUP:
            found.hit_groups.append(
                StoredHitGroup(
                    name=name,
                    type=named(content.type, HitGroupKind),
                    any_hit=content.any_hit or None,
                    closest_hit=content.closest_hit or None,
                    intersection=content.intersection or None,
                )
            )
