"""The words of fxc's tables, by the number that the file has.

Words without a mark were seen in listings. Those marked `unseen` have no listing that shows them:
they continue the series, or are the spelling of Direct3D's headers.
"""

from typing import NamedTuple

from .....vocab.d3d import (
    BufferType,
    ComponentType,
    InputType,
    MinPrecision,
    ReturnType,
    SrvDimension,
    SystemValue,
    TessellatorDomain,
    TessellatorOutputPrimitive,
    TessellatorPartitioning,
    VariableType,
)


class Resource(NamedTuple):
    """How a binding of one kind stands in the table."""

    type: str
    format: str | None  # None: return type and components
    dimension: str | None  # None: shape of the view
    register: str


# fmt: off
RESOURCES: dict[int, Resource] = {
    InputType.CBUFFER:                       Resource("cbuffer", "NA",     "NA",      "cb"),
    InputType.TBUFFER:                       Resource("tbuffer", "NA",     "NA",      "t"),
    InputType.TEXTURE:                       Resource("texture", None,     None,      "t"),
    InputType.SAMPLER:                       Resource("sampler", "NA",     "NA",      "s"),
    InputType.UAV_RWTYPED:                   Resource("UAV",     None,     None,      "u"),
    InputType.STRUCTURED:                    Resource("texture", "struct", "r/o",     "t"),
    InputType.UAV_RWSTRUCTURED:              Resource("UAV",     "struct", "r/w",     "u"),
    InputType.BYTEADDRESS:                   Resource("texture", "byte",   "r/o",     "t"),
    InputType.UAV_RWBYTEADDRESS:             Resource("UAV",     "byte",   "r/w",     "u"),
    InputType.UAV_APPEND_STRUCTURED:         Resource("UAV",     "struct", "append",  "u"),
    InputType.UAV_CONSUME_STRUCTURED:        Resource("UAV",     "struct", "consume", "u"),
    InputType.UAV_RWSTRUCTURED_WITH_COUNTER: Resource("UAV",     "struct", "r/w+cnt", "u"),
}
COMPARISON_SAMPLER = Resource("sampler_c", "NA", "NA", "s")

FORMATS: dict[int, str] = {
    ReturnType.UNORM: "unorm", ReturnType.SNORM: "snorm", ReturnType.SINT: "sint",
    ReturnType.UINT: "uint", ReturnType.FLOAT: "float", ReturnType.DOUBLE: "double",
    ReturnType.MIXED: "mixed",          # unseen
    ReturnType.CONTINUED: "<continued>",  # unseen
}

DIMENSIONS: dict[int, str] = {
    SrvDimension.BUFFER: "buf",
    SrvDimension.TEXTURE1D: "1d", SrvDimension.TEXTURE1DARRAY: "1darray",
    SrvDimension.TEXTURE2D: "2d", SrvDimension.TEXTURE2DARRAY: "2darray",
    SrvDimension.TEXTURE2DMS: "2dMS", SrvDimension.TEXTURE2DMSARRAY: "2darrayMS",
    SrvDimension.TEXTURE3D: "3d",
    SrvDimension.TEXTURECUBE: "cube", SrvDimension.TEXTURECUBEARRAY: "cubearray",
    SrvDimension.BUFFEREX: "buf",       # unseen
}
MULTISAMPLED: frozenset[int] = frozenset({SrvDimension.TEXTURE2DMS, SrvDimension.TEXTURE2DMSARRAY})

BUFFERS: dict[int, str] = {
    BufferType.CBUFFER: "cbuffer",
    BufferType.TBUFFER: "tbuffer",
    BufferType.INTERFACE_POINTERS: "interfaces",
    BufferType.RESOURCE_BIND_INFO: "Resource bind info for",
}

SCALARS: dict[int, str] = {
    VariableType.BOOL: "bool", VariableType.INT: "int", VariableType.UINT: "uint",
    VariableType.FLOAT: "float", VariableType.DOUBLE: "double",
    VariableType.VOID: "void",  # this and all below: unseen
    VariableType.STRING: "string", VariableType.UINT8: "uint8",
    VariableType.MIN8FLOAT: "min8float", VariableType.MIN10FLOAT: "min10float",
    VariableType.MIN16FLOAT: "min16float", VariableType.MIN12INT: "min12int",
    VariableType.MIN16INT: "min16int", VariableType.MIN16UINT: "min16uint",
}

SYSTEM_VALUES: dict[int, str] = {
    SystemValue.UNDEFINED: "NONE", SystemValue.POSITION: "POS",
    SystemValue.CLIP_DISTANCE: "CLIPDST", SystemValue.CULL_DISTANCE: "CULLDST",
    SystemValue.RENDER_TARGET_ARRAY_INDEX: "RTINDEX", SystemValue.VIEWPORT_ARRAY_INDEX: "VPINDEX",
    SystemValue.VERTEX_ID: "VERTID", SystemValue.PRIMITIVE_ID: "PRIMID",
    SystemValue.INSTANCE_ID: "INSTID", SystemValue.IS_FRONT_FACE: "FFACE",
    SystemValue.SAMPLE_INDEX: "SAMPLE", SystemValue.FINAL_QUAD_EDGE_TESSFACTOR: "QUADEDGE",
    SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR: "QUADINT",
    SystemValue.FINAL_TRI_EDGE_TESSFACTOR: "TRIEDGE",
    SystemValue.FINAL_TRI_INSIDE_TESSFACTOR: "TRIINT",
    SystemValue.FINAL_LINE_DETAIL_TESSFACTOR: "LINEDET",
    SystemValue.FINAL_LINE_DENSITY_TESSFACTOR: "LINEDEN",
    SystemValue.TARGET: "TARGET", SystemValue.DEPTH: "DEPTH", SystemValue.COVERAGE: "COVERAGE",
    SystemValue.DEPTH_GREATER_EQUAL: "DEPTHGE", SystemValue.DEPTH_LESS_EQUAL: "DEPTHLE",
    SystemValue.STENCIL_REF: "STENCILREF",
    SystemValue.INNER_COVERAGE: "INNERCOV",  # unseen
}

# What stands in the column of the register where a row has none.
REGISTERLESS: dict[int, str] = {
    SystemValue.PRIMITIVE_ID: "primID", SystemValue.DEPTH: "oDepth",
    SystemValue.COVERAGE: "oMask", SystemValue.DEPTH_GREATER_EQUAL: "oDepthGE",
    SystemValue.DEPTH_LESS_EQUAL: "oDepthLE",
    SystemValue.STENCIL_REF: "   oStencilRef",  # wider than its column, and filled up all the same
}
REGISTERLESS_OTHER = "special"  # unseen; dxc, whose tables follow these, prints it

COMPONENTS: dict[int, str] = {
    ComponentType.UINT32: "uint", ComponentType.SINT32: "int", ComponentType.FLOAT32: "float",
    ComponentType.UNKNOWN: "unknown",  # this and all below: unseen
    ComponentType.UINT16: "uint16", ComponentType.SINT16: "int16", ComponentType.FLOAT16: "fp16",
    ComponentType.UINT64: "uint64", ComponentType.SINT64: "int64", ComponentType.FLOAT64: "double",
}
PRECISIONS: dict[int, str] = {
    MinPrecision.FLOAT_16: "min16f", MinPrecision.FLOAT_2_8: "min2_8f",
    MinPrecision.SINT_16: "min16i", MinPrecision.UINT_16: "min16u",
}

DOMAINS: dict[int, str] = {
    TessellatorDomain.ISOLINE: "Isoline", TessellatorDomain.TRI: "Triangle",
    TessellatorDomain.QUAD: "Quadrilateral",
}
OUTPUT_PRIMITIVES: dict[int, str] = {
    TessellatorOutputPrimitive.POINT: "Point", TessellatorOutputPrimitive.LINE: "Line",
    TessellatorOutputPrimitive.TRIANGLE_CW: "Clockwise Triangles",
    TessellatorOutputPrimitive.TRIANGLE_CCW: "Counter-Clockwise Triangles",
}
PARTITIONINGS: dict[int, str] = {
    TessellatorPartitioning.INTEGER: "Integer", TessellatorPartitioning.POW2: "Integer Power of 2",
    TessellatorPartitioning.FRACTIONAL_ODD: "Odd Fractional",
    TessellatorPartitioning.FRACTIONAL_EVEN: "Even Fractional",
}

# Bits of SFI0 that the first note names.
FEATURES = (
    (0x0001, "Double-precision floating point"),
    (0x0002, "Early depth-stencil"),
    (0x0004, "UAVs at every shader stage"),
    (0x0008, "64 UAV slots"),
    (0x0010, "Minimum-precision data types"),
    (0x0020, "Double-precision extensions for 11.1"),
    (0x0040, "Shader extensions for 11.1"),
    (0x0080, "Comparison filtering for feature level 9"),
    (0x0100, "Tiled resources"),
    (0x0200, "PS Output Stencil Ref"),
    (0x0400, "PS Inner Coverage"),
    (0x0800, "Typed UAV Load Additional Formats"),
    (0x1000, "Raster Ordered UAVs"),
    (0x2000, "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding"
             " rasterizer"),
)
# fmt: on
