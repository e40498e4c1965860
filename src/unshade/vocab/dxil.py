"""Numbers of DXIL that metadata, PSV0 and RDAT share.

Source: microsoft/DirectXShaderCompiler, include/dxc/DXIL/DxilConstants.h.
"""

from ..enums import IntEnum
from .words import NodeLaunchMode, Topology

__all__ = [
    "MESH_TOPOLOGIES",
    "NODE_LAUNCHES",
    "DxilComponentType",
    "DxilInterpolation",
    "DxilResourceKind",
    "DxilSamplerKind",
    "DxilSemantic",
    "MeshTopology",
    "NodeLaunch",
    "SamplerFeedback",
]


class DxilComponentType(IntEnum):
    """The type of a component of a signature element, resource or field."""

    INVALID = 0
    I1 = 1
    I16 = 2
    U16 = 3
    I32 = 4
    U32 = 5
    I64 = 6
    U64 = 7
    F16 = 8
    F32 = 9
    F64 = 10
    SNORM_F16 = 11
    UNORM_F16 = 12
    SNORM_F32 = 13
    UNORM_F32 = 14
    SNORM_F64 = 15
    UNORM_F64 = 16
    PACKED_S8X32 = 17
    PACKED_U8X32 = 18
    I8 = 19
    U8 = 20
    F8_E4M3FN = 21
    F8_E5M2 = 22
    BFLOAT16 = 23


class DxilInterpolation(IntEnum):
    """The interpolation of a pixel shader's input."""

    UNDEFINED = 0
    CONSTANT = 1
    LINEAR = 2
    LINEAR_CENTROID = 3
    LINEAR_NOPERSPECTIVE = 4
    LINEAR_NOPERSPECTIVE_CENTROID = 5
    LINEAR_SAMPLE = 6
    LINEAR_NOPERSPECTIVE_SAMPLE = 7
    INVALID = 8


class DxilSemantic(IntEnum):
    """The system value of a signature element; ARBITRARY for a user-defined semantic."""

    ARBITRARY = 0
    VERTEX_ID = 1
    INSTANCE_ID = 2
    POSITION = 3
    RENDER_TARGET_ARRAY_INDEX = 4
    VIEWPORT_ARRAY_INDEX = 5
    CLIP_DISTANCE = 6
    CULL_DISTANCE = 7
    OUTPUT_CONTROL_POINT_ID = 8
    DOMAIN_LOCATION = 9
    PRIMITIVE_ID = 10
    GS_INSTANCE_ID = 11
    SAMPLE_INDEX = 12
    IS_FRONT_FACE = 13
    COVERAGE = 14
    INNER_COVERAGE = 15
    TARGET = 16
    DEPTH = 17
    DEPTH_LESS_EQUAL = 18
    DEPTH_GREATER_EQUAL = 19
    STENCIL_REF = 20
    DISPATCH_THREAD_ID = 21
    GROUP_ID = 22
    GROUP_INDEX = 23
    GROUP_THREAD_ID = 24
    TESS_FACTOR = 25
    INSIDE_TESS_FACTOR = 26
    VIEW_ID = 27
    BARYCENTRICS = 28
    SHADING_RATE = 29
    CULL_PRIMITIVE = 30
    START_VERTEX_LOCATION = 31
    START_INSTANCE_LOCATION = 32
    INVALID = 33


class DxilResourceKind(IntEnum):
    """The shape of a resource."""

    INVALID = 0
    TEXTURE_1D = 1
    TEXTURE_2D = 2
    TEXTURE_2DMS = 3
    TEXTURE_3D = 4
    TEXTURE_CUBE = 5
    TEXTURE_1D_ARRAY = 6
    TEXTURE_2D_ARRAY = 7
    TEXTURE_2DMS_ARRAY = 8
    TEXTURE_CUBE_ARRAY = 9
    TYPED_BUFFER = 10
    RAW_BUFFER = 11
    STRUCTURED_BUFFER = 12
    CBUFFER = 13
    SAMPLER = 14
    TBUFFER = 15
    ACCELERATION_STRUCTURE = 16
    FEEDBACK_TEXTURE_2D = 17
    FEEDBACK_TEXTURE_2D_ARRAY = 18


class DxilSamplerKind(IntEnum):
    """The kind of a sampler."""

    DEFAULT = 0
    COMPARISON = 1
    MONO = 2
    INVALID = 3


class SamplerFeedback(IntEnum):
    """The contents of a feedback texture."""

    MIN_MIP = 0
    MIP_REGION_USED = 1


class MeshTopology(IntEnum):
    """The primitives that a mesh shader writes."""

    UNDEFINED = 0
    LINE = 1
    TRIANGLE = 2


MESH_TOPOLOGIES: dict[int, Topology] = {
    MeshTopology.LINE: Topology.LINELIST,
    MeshTopology.TRIANGLE: Topology.TRIANGLELIST,
}


class NodeLaunch(IntEnum):
    """The way in which a node of a work graph is launched."""

    INVALID = 0
    BROADCASTING = 1
    COALESCING = 2
    THREAD = 3
    MESH = 4


NODE_LAUNCHES: dict[int, NodeLaunchMode] = {
    NodeLaunch.BROADCASTING: NodeLaunchMode.BROADCASTING,
    NodeLaunch.COALESCING: NodeLaunchMode.COALESCING,
    NodeLaunch.THREAD: NodeLaunchMode.THREAD,
    NodeLaunch.MESH: NodeLaunchMode.MESH,
}
