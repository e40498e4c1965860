"""Numbers of DXIL as words of the vocabulary.

Source: microsoft/DirectXShaderCompiler, DxilConstants.h and DxilShaderFlags.h.
"""

from collections.abc import Mapping

from ....vocab.dxil import (
    DxilComponentType,
    DxilInterpolation,
    DxilResourceKind,
    DxilSemantic,
)
from ....vocab.features import FEATURES
from ....vocab.numbers import same_names
from ....vocab.words import (
    ComponentType,
    Dimension,
    Interpolation,
    ResourceKind,
    ReturnType,
    SystemValue,
)

__all__ = [
    "BUILTINS",
    "COMPONENTS",
    "FLAGS",
    "INTERPOLATIONS",
    "KINDS",
    "NATIVE",
    "RETURNS",
    "SCALARS",
    "SEMANTICS",
    "features",
]

C, K, D, S = DxilComponentType, DxilResourceKind, Dimension, SystemValue

INTERPOLATIONS: Mapping[int, Interpolation] = same_names(DxilInterpolation, Interpolation)

COMPONENTS: Mapping[int, ComponentType] = {
    C.I1: ComponentType.UINT32,
    C.I16: ComponentType.SINT16,
    C.U16: ComponentType.UINT16,
    C.I32: ComponentType.SINT32,
    C.U32: ComponentType.UINT32,
    C.I64: ComponentType.SINT64,
    C.U64: ComponentType.UINT64,
    C.F16: ComponentType.FLOAT16,
    C.F32: ComponentType.FLOAT32,
    C.F64: ComponentType.FLOAT64,
}

# HLSL's names of scalars; scalars of 16 bits are minimum precision without native types.
SCALARS: Mapping[int, str] = {
    C.I1: "bool",
    C.I16: "int16_t",
    C.U16: "uint16_t",
    C.I32: "int",
    C.U32: "uint",
    C.I64: "int64_t",
    C.U64: "uint64_t",
    C.F16: "half",
    C.F32: "float",
    C.F64: "double",
    C.SNORM_F16: "half",
    C.UNORM_F16: "half",
    C.SNORM_F32: "float",
    C.UNORM_F32: "float",
    C.SNORM_F64: "double",
    C.UNORM_F64: "double",
}

RETURNS: Mapping[int, ReturnType] = {
    C.I1: ReturnType.UINT,
    C.I16: ReturnType.SINT,
    C.U16: ReturnType.UINT,
    C.I32: ReturnType.SINT,
    C.U32: ReturnType.UINT,
    C.I64: ReturnType.SINT,
    C.U64: ReturnType.UINT,
    C.F16: ReturnType.FLOAT,
    C.F32: ReturnType.FLOAT,
    C.F64: ReturnType.DOUBLE,
    C.SNORM_F16: ReturnType.SNORM,
    C.UNORM_F16: ReturnType.UNORM,
    C.SNORM_F32: ReturnType.SNORM,
    C.UNORM_F32: ReturnType.UNORM,
    C.SNORM_F64: ReturnType.SNORM,
    C.UNORM_F64: ReturnType.UNORM,
    C.PACKED_S8X32: ReturnType.SINT,
    C.PACKED_U8X32: ReturnType.UINT,
}

# The kind of a resource, and its dimension.
KINDS: Mapping[int, tuple[ResourceKind, Dimension | None]] = {
    K.TEXTURE_1D: (ResourceKind.TEXTURE, D.D1),
    K.TEXTURE_2D: (ResourceKind.TEXTURE, D.D2),
    K.TEXTURE_2DMS: (ResourceKind.TEXTURE, D.D2_MS),
    K.TEXTURE_3D: (ResourceKind.TEXTURE, D.D3),
    K.TEXTURE_CUBE: (ResourceKind.TEXTURE, D.CUBE),
    K.TEXTURE_1D_ARRAY: (ResourceKind.TEXTURE, D.D1_ARRAY),
    K.TEXTURE_2D_ARRAY: (ResourceKind.TEXTURE, D.D2_ARRAY),
    K.TEXTURE_2DMS_ARRAY: (ResourceKind.TEXTURE, D.D2_MS_ARRAY),
    K.TEXTURE_CUBE_ARRAY: (ResourceKind.TEXTURE, D.CUBE_ARRAY),
    K.TYPED_BUFFER: (ResourceKind.TYPED_BUFFER, D.BUFFER),
    K.RAW_BUFFER: (ResourceKind.RAW_BUFFER, D.BUFFER),
    K.STRUCTURED_BUFFER: (ResourceKind.STRUCTURED_BUFFER, D.BUFFER),
    K.CBUFFER: (ResourceKind.CONSTANT_BUFFER, None),
    K.TBUFFER: (ResourceKind.TEXTURE_BUFFER, D.BUFFER),
    K.ACCELERATION_STRUCTURE: (ResourceKind.ACCELERATION_STRUCTURE, None),
    K.FEEDBACK_TEXTURE_2D: (ResourceKind.FEEDBACK_TEXTURE, D.D2),
    K.FEEDBACK_TEXTURE_2D_ARRAY: (ResourceKind.FEEDBACK_TEXTURE, D.D2_ARRAY),
}

SEMANTICS: Mapping[int, SystemValue] = same_names(DxilSemantic, SystemValue) | {
    DxilSemantic.DISPATCH_THREAD_ID: S.THREAD_ID,
    DxilSemantic.GROUP_ID: S.THREAD_GROUP_ID,
    DxilSemantic.GROUP_INDEX: S.THREAD_ID_IN_GROUP_FLATTENED,
    DxilSemantic.GROUP_THREAD_ID: S.THREAD_ID_IN_GROUP,
    DxilSemantic.VIEW_ID: S.VIEW_INDEX,
    DxilSemantic.SHADING_RATE: S.SHADINGRATE,
    DxilSemantic.CULL_PRIMITIVE: S.CULLPRIMITIVE,
    DxilSemantic.START_VERTEX_LOCATION: S.BASE_VERTEX,
    DxilSemantic.START_INSTANCE_LOCATION: S.BASE_INSTANCE,
}

# By operation of DXIL: the built-in input that it returns.
BUILTINS = {
    "ThreadId": S.THREAD_ID,
    "GroupId": S.THREAD_GROUP_ID,
    "ThreadIdInGroup": S.THREAD_ID_IN_GROUP,
    "FlattenedThreadIdInGroup": S.THREAD_ID_IN_GROUP_FLATTENED,
    "OutputControlPointID": S.OUTPUT_CONTROL_POINT_ID,
    "DomainLocation": S.DOMAIN_LOCATION,
    "PrimitiveID": S.PRIMITIVE_ID,
    "GSInstanceID": S.GS_INSTANCE_ID,
    "SampleIndex": S.SAMPLE_INDEX,
    "Coverage": S.COVERAGE,
    "InnerCoverage": S.INNER_COVERAGE,
    "ViewID": S.VIEW_INDEX,
    "StartVertexLocation": S.BASE_VERTEX,
    "StartInstanceLocation": S.BASE_INSTANCE,
}

# Flags of a shader, as dxc lists them.
FLAGS = (
    (0, "disableOptimizations"),
    (1, "disableMathRefactoring"),
    (2, "enableDoublePrecision"),
    (3, "forceEarlyDepthStencil"),
    (4, "enableRawAndStructuredBuffers"),
    (5, "enableMinimumPrecision"),
    (6, "enableDoubleExtensions"),
    (7, "enableMSAD"),
    (8, "allResourcesBound"),
)
LOW_PRECISION, NATIVE = 1 << 5, 1 << 23


def features(flags: int) -> list[str]:
    """Return the features that flags require, by the names of SFI0."""
    found = [each.name for each in FEATURES if each.flag is not None and flags >> each.flag & 1]
    if flags & LOW_PRECISION:
        found.append("NativeLowPrecision" if flags & NATIVE else "MinimumPrecision")
    return found
