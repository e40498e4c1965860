"""Enumerations of the tokens of Shader Model 4 and 5.

    D3D10_SB_OPERAND_TYPE_CONSTANT_BUFFER = 8        OperandType.CONSTANT_BUFFER

Members have the names of the specification, also in plain data. tokens.py defines the bit fields
that hold them; enumerations shared with other formats are in `vocab.d3d`.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

from ....enums import IntEnum


class OperandType(IntEnum):
    """D3D10_SB_OPERAND_TYPE: the register file."""

    TEMP = 0
    INPUT = 1
    OUTPUT = 2
    INDEXABLE_TEMP = 3
    IMMEDIATE32 = 4
    IMMEDIATE64 = 5
    SAMPLER = 6
    RESOURCE = 7
    CONSTANT_BUFFER = 8
    IMMEDIATE_CONSTANT_BUFFER = 9
    LABEL = 10
    INPUT_PRIMITIVEID = 11
    OUTPUT_DEPTH = 12
    NULL = 13
    RASTERIZER = 14
    OUTPUT_COVERAGE_MASK = 15
    STREAM = 16
    FUNCTION_BODY = 17
    FUNCTION_TABLE = 18
    INTERFACE = 19
    FUNCTION_INPUT = 20
    FUNCTION_OUTPUT = 21
    OUTPUT_CONTROL_POINT_ID = 22
    INPUT_FORK_INSTANCE_ID = 23
    INPUT_JOIN_INSTANCE_ID = 24
    INPUT_CONTROL_POINT = 25
    OUTPUT_CONTROL_POINT = 26
    INPUT_PATCH_CONSTANT = 27
    INPUT_DOMAIN_POINT = 28
    THIS_POINTER = 29
    UNORDERED_ACCESS_VIEW = 30
    THREAD_GROUP_SHARED_MEMORY = 31
    INPUT_THREAD_ID = 32
    INPUT_THREAD_GROUP_ID = 33
    INPUT_THREAD_ID_IN_GROUP = 34
    INPUT_COVERAGE_MASK = 35
    INPUT_THREAD_ID_IN_GROUP_FLATTENED = 36
    INPUT_GS_INSTANCE_ID = 37
    OUTPUT_DEPTH_GREATER_EQUAL = 38
    OUTPUT_DEPTH_LESS_EQUAL = 39
    CYCLE_COUNTER = 40
    OUTPUT_STENCIL_REF = 41
    INNER_COVERAGE = 42


class Components(IntEnum):
    """D3D10_SB_OPERAND_NUM_COMPONENTS: the code for an operand's number of components."""

    ZERO = 0
    ONE = 1
    FOUR = 2
    N = 3


class SelectionMode(IntEnum):
    """D3D10_SB_OPERAND_4_COMPONENT_SELECTION_MODE: the way components are selected."""

    MASK = 0
    SWIZZLE = 1
    SELECT_1 = 2


class IndexRepresentation(IntEnum):
    """D3D10_SB_OPERAND_INDEX_REPRESENTATION: the encoding of an index after the operand."""

    IMMEDIATE32 = 0
    IMMEDIATE64 = 1
    RELATIVE = 2
    IMMEDIATE32_PLUS_RELATIVE = 3
    IMMEDIATE64_PLUS_RELATIVE = 4


class Modifier(IntEnum):
    """D3D10_SB_OPERAND_MODIFIER: the change of sign of a source before use."""

    NONE = 0
    NEG = 1
    ABS = 2
    ABSNEG = 3


class ExtendedOpcode(IntEnum):
    """D3D10_SB_EXTENDED_OPCODE_TYPE: the kind of a token that follows an opcode token."""

    EMPTY = 0
    SAMPLE_CONTROLS = 1
    RESOURCE_DIM = 2
    RESOURCE_RETURN_TYPE = 3


class ExtendedOperand(IntEnum):
    """D3D10_SB_EXTENDED_OPERAND_TYPE: the kind of a token that follows an operand token."""

    EMPTY = 0
    MODIFIER = 1


class CustomClass(IntEnum):
    """D3D10_SB_CUSTOMDATA_CLASS."""

    COMMENT = 0
    DEBUGINFO = 1
    OPAQUE = 2
    DCL_IMMEDIATE_CONSTANT_BUFFER = 3
    SHADER_MESSAGE = 4
    SHADER_CLIP_PLANE_CONSTANT_MAPPINGS_FOR_DX9 = 5


class InterpolationMode(IntEnum):
    """D3D10_SB_INTERPOLATION_MODE."""

    UNDEFINED = 0
    CONSTANT = 1
    LINEAR = 2
    LINEAR_CENTROID = 3
    LINEAR_NOPERSPECTIVE = 4
    LINEAR_NOPERSPECTIVE_CENTROID = 5
    LINEAR_SAMPLE = 6
    LINEAR_NOPERSPECTIVE_SAMPLE = 7


class SamplerMode(IntEnum):
    """D3D10_SB_SAMPLER_MODE."""

    DEFAULT = 0
    COMPARISON = 1
    MONO = 2


class AccessPattern(IntEnum):
    """D3D10_SB_CONSTANT_BUFFER_ACCESS_PATTERN."""

    IMMEDIATE_INDEXED = 0
    DYNAMIC_INDEXED = 1


class ResourceDimension(IntEnum):
    """D3D10_SB_RESOURCE_DIMENSION."""

    UNKNOWN = 0
    BUFFER = 1
    TEXTURE1D = 2
    TEXTURE2D = 3
    TEXTURE2DMS = 4
    TEXTURE3D = 5
    TEXTURECUBE = 6
    TEXTURE1DARRAY = 7
    TEXTURE2DARRAY = 8
    TEXTURE2DMSARRAY = 9
    TEXTURECUBEARRAY = 10
    RAW_BUFFER = 11
    STRUCTURED_BUFFER = 12


class TypedReturnType(IntEnum):
    """D3D10_SB_RESOURCE_RETURN_TYPE: the numbers of d3dcommon.h, and UNUSED."""

    UNORM = 1
    SNORM = 2
    SINT = 3
    UINT = 4
    FLOAT = 5
    MIXED = 6
    DOUBLE = 7
    CONTINUED = 8
    UNUSED = 9


class ResinfoReturnType(IntEnum):
    """D3D10_SB_RESINFO_INSTRUCTION_RETURN_TYPE."""

    FLOAT = 0
    RCPFLOAT = 1
    UINT = 2


class SystemValueName(IntEnum):
    """D3D10_SB_NAME: up to 10 as in signatures, then one name for each tessellation factor."""

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
    FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR = 11
    FINAL_QUAD_V_EQ_0_EDGE_TESSFACTOR = 12
    FINAL_QUAD_U_EQ_1_EDGE_TESSFACTOR = 13
    FINAL_QUAD_V_EQ_1_EDGE_TESSFACTOR = 14
    FINAL_QUAD_U_INSIDE_TESSFACTOR = 15
    FINAL_QUAD_V_INSIDE_TESSFACTOR = 16
    FINAL_TRI_U_EQ_0_EDGE_TESSFACTOR = 17
    FINAL_TRI_V_EQ_0_EDGE_TESSFACTOR = 18
    FINAL_TRI_W_EQ_0_EDGE_TESSFACTOR = 19
    FINAL_TRI_INSIDE_TESSFACTOR = 20
    FINAL_LINE_DETAIL_TESSFACTOR = 21
    FINAL_LINE_DENSITY_TESSFACTOR = 22
    BARYCENTRICS = 23
    SHADINGRATE = 24
    CULLPRIMITIVE = 25
