"""What a shader takes, gives and uses, in the same words for every format.

`shader.reflect()` makes a `Reflection`; `.to_dict()` turns it into plain data, which `schema()`
describes.
"""

from typing import Any

from ..vocab.words import (
    BufferKind,
    ComponentType,
    Counter,
    Dimension,
    Domain,
    GeometryMode,
    Interpolation,
    MinPrecision,
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
from .facts import ProgramFacts, ProgramPort, ProgramResource, RegisterBank
from .reflection import (
    Geometry,
    InterfaceClass,
    InterfaceInstance,
    Interfaces,
    InterfaceSlot,
    Reflection,
    ShaderHash,
    SharedMemory,
    SignatureParameter,
    SpecialisationConstant,
    Statistics,
    TempArray,
    Tessellation,
)
from .resources import ConstantBuffer, Member, Resource, TypeDescription, Variable
from .rootsignature import RootParameter, RootRange, RootSignature, StaticSampler

__all__ = [
    "BufferKind",
    "ComponentType",
    "ConstantBuffer",
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
    "MinPrecision",
    "OutputPrimitive",
    "Partitioning",
    "Primitive",
    "ProgramFacts",
    "ProgramPort",
    "ProgramResource",
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
    "schema",
]


def schema() -> dict[str, Any]:
    """The JSON Schema of `Reflection.to_dict()`."""
    from .plain import schema_of

    return schema_of(Reflection, "urn:unshade:reflection:1")
