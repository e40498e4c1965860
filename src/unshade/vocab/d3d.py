"""Direct3D's shared enumerations, with the names of d3dcommon.h.

The prefix D3D is kept where the neutral vocabulary contains a class of the same name. The table
after an enumeration maps its numbers to the words of the neutral vocabulary.

Source: the public headers d3dcommon.h, d3d12shader.h and DxilConstants.h; values checked on files.
"""

from ..enums import IntEnum
from . import words
from .numbers import same_names

UNBOUNDED = 0xFFFF_FFFF  # number of registers, or last register, of a range without a limit


class D3DName(IntEnum):
    """D3D_NAME: the system value of a signature row."""

    UNDEFINED = 0
    POSITION = 1
    CLIP_DISTANCE = 2
    CULL_DISTANCE = 3
    RENDER_TARGET_ARRAY_INDEX = 4
    VIEWPORT_ARRAY_INDEX = 5
    VERTEX_ID = 6
    PRIMITIVE_ID = 7
    INSTANCE_ID = 8
    IS_FRONT_FACE = 9
    SAMPLE_INDEX = 10
    FINAL_QUAD_EDGE_TESSFACTOR = 11
    FINAL_QUAD_INSIDE_TESSFACTOR = 12
    FINAL_TRI_EDGE_TESSFACTOR = 13
    FINAL_TRI_INSIDE_TESSFACTOR = 14
    FINAL_LINE_DETAIL_TESSFACTOR = 15
    FINAL_LINE_DENSITY_TESSFACTOR = 16
    BARYCENTRICS = 23
    SHADINGRATE = 24
    CULLPRIMITIVE = 25
    TARGET = 64
    DEPTH = 65
    COVERAGE = 66
    DEPTH_GREATER_EQUAL = 67
    DEPTH_LESS_EQUAL = 68
    STENCIL_REF = 69
    INNER_COVERAGE = 70


SYSTEM_VALUES = same_names(D3DName, words.SystemValue)
# The outputs of a pixel shader have 0 in the file and are identified by their semantic names.
PIXEL_OUTPUTS = {
    "sv_target": D3DName.TARGET,
    "sv_depth": D3DName.DEPTH,
    "sv_coverage": D3DName.COVERAGE,
    "sv_depthgreaterequal": D3DName.DEPTH_GREATER_EQUAL,
    "sv_depthlessequal": D3DName.DEPTH_LESS_EQUAL,
    "sv_stencilref": D3DName.STENCIL_REF,
}


class RegisterComponentType(IntEnum):
    """D3D_REGISTER_COMPONENT_TYPE."""

    UNKNOWN = 0
    UINT32 = 1
    SINT32 = 2
    FLOAT32 = 3
    UINT16 = 4
    SINT16 = 5
    FLOAT16 = 6
    UINT64 = 7
    SINT64 = 8
    FLOAT64 = 9


COMPONENT_TYPES = same_names(RegisterComponentType, words.ComponentType)


class D3DMinPrecision(IntEnum):
    """D3D_MIN_PRECISION."""

    DEFAULT = 0
    FLOAT_16 = 1
    FLOAT_2_8 = 2
    RESERVED = 3
    SINT_16 = 4
    UINT_16 = 5
    ANY_16 = 0xF0
    ANY_10 = 0xF1


MIN_PRECISIONS = same_names(D3DMinPrecision, words.MinPrecision)


class InputType(IntEnum):
    """D3D_SHADER_INPUT_TYPE: the kind of a bound resource."""

    CBUFFER = 0
    TBUFFER = 1
    TEXTURE = 2
    SAMPLER = 3
    UAV_RWTYPED = 4
    STRUCTURED = 5
    UAV_RWSTRUCTURED = 6
    BYTEADDRESS = 7
    UAV_RWBYTEADDRESS = 8
    UAV_APPEND_STRUCTURED = 9
    UAV_CONSUME_STRUCTURED = 10
    UAV_RWSTRUCTURED_WITH_COUNTER = 11
    RTACCELERATIONSTRUCTURE = 12
    UAV_FEEDBACKTEXTURE = 13


class ResourceReturnType(IntEnum):
    """D3D_RESOURCE_RETURN_TYPE; 0 if the resource does not have a return type."""

    NONE = 0
    UNORM = 1
    SNORM = 2
    SINT = 3
    UINT = 4
    FLOAT = 5
    MIXED = 6
    DOUBLE = 7
    CONTINUED = 8


RETURN_TYPES = same_names(ResourceReturnType, words.ReturnType)


class SrvDimension(IntEnum):
    """D3D_SRV_DIMENSION: the dimension of a resource in RDEF."""

    UNKNOWN = 0
    BUFFER = 1
    TEXTURE1D = 2
    TEXTURE1DARRAY = 3
    TEXTURE2D = 4
    TEXTURE2DARRAY = 5
    TEXTURE2DMS = 6
    TEXTURE2DMSARRAY = 7
    TEXTURE3D = 8
    TEXTURECUBE = 9
    TEXTURECUBEARRAY = 10
    BUFFEREX = 11


DIMENSIONS: dict[int, words.Dimension] = {
    SrvDimension.BUFFER: words.Dimension.BUFFER,
    SrvDimension.TEXTURE1D: words.Dimension.D1,
    SrvDimension.TEXTURE1DARRAY: words.Dimension.D1_ARRAY,
    SrvDimension.TEXTURE2D: words.Dimension.D2,
    SrvDimension.TEXTURE2DARRAY: words.Dimension.D2_ARRAY,
    SrvDimension.TEXTURE2DMS: words.Dimension.D2_MS,
    SrvDimension.TEXTURE2DMSARRAY: words.Dimension.D2_MS_ARRAY,
    SrvDimension.TEXTURE3D: words.Dimension.D3,
    SrvDimension.TEXTURECUBE: words.Dimension.CUBE,
    SrvDimension.TEXTURECUBEARRAY: words.Dimension.CUBE_ARRAY,
    SrvDimension.BUFFEREX: words.Dimension.BUFFER,
}


class BufferType(IntEnum):
    """D3D_CBUFFER_TYPE: the kind of a buffer in RDEF."""

    CBUFFER = 0
    TBUFFER = 1
    INTERFACE_POINTERS = 2
    RESOURCE_BIND_INFO = 3


class VariableClass(IntEnum):
    """D3D_SHADER_VARIABLE_CLASS."""

    SCALAR = 0
    VECTOR = 1
    MATRIX_ROWS = 2
    MATRIX_COLUMNS = 3
    OBJECT = 4
    STRUCT = 5
    INTERFACE_CLASS = 6
    INTERFACE_POINTER = 7


TYPE_CLASSES = same_names(VariableClass, words.TypeClass)


class VariableType(IntEnum):
    """D3D_SHADER_VARIABLE_TYPE."""

    VOID = 0
    BOOL = 1
    INT = 2
    FLOAT = 3
    STRING = 4
    TEXTURE = 5
    TEXTURE1D = 6
    TEXTURE2D = 7
    TEXTURE3D = 8
    TEXTURECUBE = 9
    SAMPLER = 10
    SAMPLER1D = 11
    SAMPLER2D = 12
    SAMPLER3D = 13
    SAMPLERCUBE = 14
    PIXELSHADER = 15
    VERTEXSHADER = 16
    PIXELFRAGMENT = 17
    VERTEXFRAGMENT = 18
    UINT = 19
    UINT8 = 20
    GEOMETRYSHADER = 21
    RASTERIZER = 22
    DEPTHSTENCIL = 23
    BLEND = 24
    BUFFER = 25
    CBUFFER = 26
    TBUFFER = 27
    TEXTURE1DARRAY = 28
    TEXTURE2DARRAY = 29
    RENDERTARGETVIEW = 30
    DEPTHSTENCILVIEW = 31
    TEXTURE2DMS = 32
    TEXTURE2DMSARRAY = 33
    TEXTURECUBEARRAY = 34
    HULLSHADER = 35
    DOMAINSHADER = 36
    INTERFACE_POINTER = 37
    COMPUTESHADER = 38
    DOUBLE = 39
    RWTEXTURE1D = 40
    RWTEXTURE1DARRAY = 41
    RWTEXTURE2D = 42
    RWTEXTURE2DARRAY = 43
    RWTEXTURE3D = 44
    RWBUFFER = 45
    BYTEADDRESS_BUFFER = 46
    RWBYTEADDRESS_BUFFER = 47
    STRUCTURED_BUFFER = 48
    RWSTRUCTURED_BUFFER = 49
    APPEND_STRUCTURED_BUFFER = 50
    CONSUME_STRUCTURED_BUFFER = 51
    MIN8FLOAT = 52
    MIN10FLOAT = 53
    MIN16FLOAT = 54
    MIN12INT = 55
    MIN16INT = 56
    MIN16UINT = 57


class D3DPrimitive(IntEnum):
    """D3D_PRIMITIVE: the input primitive of a geometry shader."""

    UNDEFINED = 0
    POINT = 1
    LINE = 2
    TRIANGLE = 3
    LINE_ADJ = 6
    TRIANGLE_ADJ = 7


# Vertices of primitives by number; patches of 1 to 32 control points are 8 to 39.
PRIMITIVE_VERTICES: dict[int, int] = {1: 1, 2: 2, 3: 3, 6: 4, 7: 6}
PRIMITIVE_VERTICES.update((points + 7, points) for points in range(1, 33))


class PrimitiveTopology(IntEnum):
    """D3D_PRIMITIVE_TOPOLOGY, without the values that no shader can output."""

    UNDEFINED = 0
    POINTLIST = 1
    LINELIST = 2
    LINESTRIP = 3
    TRIANGLELIST = 4
    TRIANGLESTRIP = 5


TOPOLOGIES = same_names(PrimitiveTopology, words.Topology)


class TessellatorDomain(IntEnum):
    """D3D_TESSELLATOR_DOMAIN."""

    UNDEFINED = 0
    ISOLINE = 1
    TRI = 2
    QUAD = 3


DOMAINS = same_names(TessellatorDomain, words.Domain)


class TessellatorPartitioning(IntEnum):
    """D3D_TESSELLATOR_PARTITIONING."""

    UNDEFINED = 0
    INTEGER = 1
    POW2 = 2
    FRACTIONAL_ODD = 3
    FRACTIONAL_EVEN = 4


PARTITIONINGS = same_names(TessellatorPartitioning, words.Partitioning)


class TessellatorOutputPrimitive(IntEnum):
    """D3D_TESSELLATOR_OUTPUT_PRIMITIVE."""

    UNDEFINED = 0
    POINT = 1
    LINE = 2
    TRIANGLE_CW = 3
    TRIANGLE_CCW = 4


OUTPUT_PRIMITIVES = same_names(TessellatorOutputPrimitive, words.OutputPrimitive)


class ShaderKind(IntEnum):
    """The stage in a program's version token (DXIL's ShaderKind continues SM4's numbers)."""

    PIXEL = 0
    VERTEX = 1
    GEOMETRY = 2
    HULL = 3
    DOMAIN = 4
    COMPUTE = 5
    LIBRARY = 6
    RAYGENERATION = 7
    INTERSECTION = 8
    ANYHIT = 9
    CLOSESTHIT = 10
    MISS = 11
    CALLABLE = 12
    MESH = 13
    AMPLIFICATION = 14
    NODE = 15

    @property
    def profile(self) -> str:
        """The prefix of the target profile: "ps" of "ps_5_0"."""
        return _PROFILES[self]


_PROFILES = (
    "ps", "vs", "gs", "hs", "ds", "cs", "lib", "raygeneration", "intersection", "anyhit",
    "closesthit", "miss", "callable", "ms", "as", "node",
)  # fmt: skip

STAGES = same_names(ShaderKind, words.Stage)
