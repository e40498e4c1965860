"""The reflection of a shader, in one vocabulary for all formats.

`shader.reflect()` returns a `Reflection`. `Reflection.to_dict()` returns it as plain data, which
`schema()` describes.
"""

from typing import Any

from ..vocab.words import (
    BlockLayout,
    BufferKind,
    ComponentType,
    Counter,
    Dimension,
    Domain,
    GeometryMode,
    Interpolation,
    MinPrecision,
    NodeLaunchMode,
    OutputPrimitive,
    Partitioning,
    Primitive,
    ResourceKind,
    ReturnType,
    Stage,
    SystemValue,
    Topology,
    TypeClass,
)
from .facts import ConstantReads, ProgramFacts, ProgramPort, ProgramResource, RegisterBank
from .reflection import (
    Geometry,
    InterfaceClass,
    InterfaceInstance,
    Interfaces,
    InterfaceSlot,
    MeshShading,
    NodePort,
    RayTracing,
    Reflection,
    ShaderHash,
    SharedMemory,
    SignatureParameter,
    SpecialisationConstant,
    Statistics,
    TempArray,
    Tessellation,
    WorkGraphNode,
)
from .resources import ConstantBuffer, Member, Resource, TypeDescription, Variable
from .rootsignature import RootParameter, RootRange, RootSignature, StaticSampler

__all__ = [
    "BlockLayout",
    "BufferKind",
    "ComponentType",
    "ConstantBuffer",
    "ConstantReads",
    "Counter",
    "Dimension",
    "Domain",
    "Geometry",
    "GeometryMode",
    "InterfaceClass",
    "InterfaceInstance",
    "InterfaceSlot",
    "Interfaces",
    "Interpolation",
    "Member",
    "MeshShading",
    "MinPrecision",
    "NodeLaunchMode",
    "NodePort",
    "OutputPrimitive",
    "Partitioning",
    "Primitive",
    "ProgramFacts",
    "ProgramPort",
    "ProgramResource",
    "RayTracing",
    "Reflection",
    "RegisterBank",
    "Resource",
    "ResourceKind",
    "ReturnType",
    "RootParameter",
    "RootRange",
    "RootSignature",
    "ShaderHash",
    "SharedMemory",
    "SignatureParameter",
    "SpecialisationConstant",
    "Stage",
    "StaticSampler",
    "Statistics",
    "SystemValue",
    "TempArray",
    "Tessellation",
    "Topology",
    "TypeClass",
    "TypeDescription",
    "Variable",
    "WorkGraphNode",
    "schema",
]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `Reflection.to_dict()`."""
    from .plain import schema_of

    return schema_of(Reflection, "urn:unshade:reflection:1")
