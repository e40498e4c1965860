"""The words of fxc's tables, by the numbers in the file.

Words marked `unseen` occur in no known listing: they continue a series, or are spelled as in
Direct3D's headers. All others are from listings of fxc.
"""

from .....tuples import NamedTuple
from .....vocab import features
from .....vocab.d3d import (
    BufferType,
    D3DMinPrecision,
    D3DName,
    InputType,
    RegisterComponentType,
    ResourceReturnType,
    SrvDimension,
    TessellatorDomain,
    TessellatorOutputPrimitive,
    TessellatorPartitioning,
    VariableType,
)


class BindingWords(NamedTuple):
    """The words of the table for a kind of binding."""

    type: str
    format: str | None  # None: return type and components
    dimension: str | None  # None: shape of the view
    register: str


# fmt: off
RESOURCES: dict[int, BindingWords] = {
    InputType.CBUFFER:                       BindingWords("cbuffer", "NA",     "NA",      "cb"),
    InputType.TBUFFER:                       BindingWords("tbuffer", "NA",     "NA",      "t"),
    InputType.TEXTURE:                       BindingWords("texture", None,     None,      "t"),
    InputType.SAMPLER:                       BindingWords("sampler", "NA",     "NA",      "s"),
    InputType.UAV_RWTYPED:                   BindingWords("UAV",     None,     None,      "u"),
    InputType.STRUCTURED:                    BindingWords("texture", "struct", "r/o",     "t"),
    InputType.UAV_RWSTRUCTURED:              BindingWords("UAV",     "struct", "r/w",     "u"),
    InputType.BYTEADDRESS:                   BindingWords("texture", "byte",   "r/o",     "t"),
    InputType.UAV_RWBYTEADDRESS:             BindingWords("UAV",     "byte",   "r/w",     "u"),
    InputType.UAV_APPEND_STRUCTURED:         BindingWords("UAV",     "struct", "append",  "u"),
    InputType.UAV_CONSUME_STRUCTURED:        BindingWords("UAV",     "struct", "consume", "u"),
    InputType.UAV_RWSTRUCTURED_WITH_COUNTER: BindingWords("UAV",     "struct", "r/w+cnt", "u"),
}
COMPARISON_SAMPLER = BindingWords("sampler_c", "NA", "NA", "s")

FORMATS: dict[int, str] = {
    ResourceReturnType.UNORM: "unorm", ResourceReturnType.SNORM: "snorm",
    ResourceReturnType.SINT: "sint",
    ResourceReturnType.UINT: "uint", ResourceReturnType.FLOAT: "float",
    ResourceReturnType.DOUBLE: "double",
    ResourceReturnType.MIXED: "mixed",          # unseen
    ResourceReturnType.CONTINUED: "<continued>",  # unseen
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
    D3DName.UNDEFINED: "NONE", D3DName.POSITION: "POS",
    D3DName.CLIP_DISTANCE: "CLIPDST", D3DName.CULL_DISTANCE: "CULLDST",
    D3DName.RENDER_TARGET_ARRAY_INDEX: "RTINDEX", D3DName.VIEWPORT_ARRAY_INDEX: "VPINDEX",
    D3DName.VERTEX_ID: "VERTID", D3DName.PRIMITIVE_ID: "PRIMID",
    D3DName.INSTANCE_ID: "INSTID", D3DName.IS_FRONT_FACE: "FFACE",
    D3DName.SAMPLE_INDEX: "SAMPLE", D3DName.FINAL_QUAD_EDGE_TESSFACTOR: "QUADEDGE",
    D3DName.FINAL_QUAD_INSIDE_TESSFACTOR: "QUADINT",
    D3DName.FINAL_TRI_EDGE_TESSFACTOR: "TRIEDGE",
    D3DName.FINAL_TRI_INSIDE_TESSFACTOR: "TRIINT",
    D3DName.FINAL_LINE_DETAIL_TESSFACTOR: "LINEDET",
    D3DName.FINAL_LINE_DENSITY_TESSFACTOR: "LINEDEN",
    D3DName.TARGET: "TARGET", D3DName.DEPTH: "DEPTH", D3DName.COVERAGE: "COVERAGE",
    D3DName.DEPTH_GREATER_EQUAL: "DEPTHGE", D3DName.DEPTH_LESS_EQUAL: "DEPTHLE",
    D3DName.STENCIL_REF: "STENCILREF",
    D3DName.INNER_COVERAGE: "INNERCOV",  # unseen
}

# Words in the column Register of rows without a register, by system value.
REGISTERLESS: dict[int, str] = {
    D3DName.PRIMITIVE_ID: "primID", D3DName.DEPTH: "oDepth",
    D3DName.COVERAGE: "oMask", D3DName.DEPTH_GREATER_EQUAL: "oDepthGE",
    D3DName.DEPTH_LESS_EQUAL: "oDepthLE",
    D3DName.STENCIL_REF: "   oStencilRef",  # padded although it is wider than its column
}
REGISTERLESS_OTHER = "special"  # unseen; dxc, whose tables follow these, prints it

COMPONENTS: dict[int, str] = {
    RegisterComponentType.UINT32: "uint", RegisterComponentType.SINT32: "int",
    RegisterComponentType.FLOAT32: "float",
    RegisterComponentType.UNKNOWN: "unknown",  # this and all below: unseen
    RegisterComponentType.UINT16: "uint16", RegisterComponentType.SINT16: "int16",
    RegisterComponentType.FLOAT16: "fp16",
    RegisterComponentType.UINT64: "uint64", RegisterComponentType.SINT64: "int64",
    RegisterComponentType.FLOAT64: "double",
}
PRECISIONS: dict[int, str] = {
    D3DMinPrecision.FLOAT_16: "min16f", D3DMinPrecision.FLOAT_2_8: "min2_8f",
    D3DMinPrecision.SINT_16: "min16i", D3DMinPrecision.UINT_16: "min16u",
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

# Bits of SFI0 and their words in the note on additional functionality; fxc knows 14 of them.
FEATURES = [(1 << bit, each.fxc or each.listed) for bit, each in enumerate(features.FEATURES[:14])]
# fmt: on
