"""The 32-bit tokens that a Shader Model 4 and 5 program is made of, and their bit fields.

     31  30      24 23                      11 10         0
    +---+----------+--------------------------+------------+
    | x |  length  |  controls                |   opcode   |   opcode token
    +---+----------+--------------------------+------------+
     31  30  28 27 25 24 22 21 20 19      12 11     4 3 2 1 0
    +---+------+-----+-----+-----+----------+--------+---+---+
    | x | ix 2 | ix 1| ix 0| dim |   type   | select | m | n | operand token
    +---+------+-----+-----+-----+----------+--------+---+---+
    x: a token that extends this one follows    m: selection mode    n: component count

What bits 11 to 23 mean depends on the opcode: the table (ops.py) names one of the classes here for
each. What bits 4 to 11 of an operand mean depends on its selection mode: `operand_word`.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

from enum import IntEnum

from ...isa import Bits, Word
from ...vocab.d3d import (
    MinPrecision,
    Primitive,
    PrimitiveTopology,
    ShaderKind,
    TessellatorDomain,
    TessellatorOutputPrimitive,
    TessellatorPartitioning,
)


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
    """How many components an operand has; the number in the token is not the count."""

    ZERO = 0
    ONE = 1
    FOUR = 2
    N = 3


class SelectionMode(IntEnum):
    """How an operand of four components says which of them it means."""

    MASK = 0
    SWIZZLE = 1
    SELECT_1 = 2


class IndexRepresentation(IntEnum):
    """What stands behind the operand for one of its indices."""

    IMMEDIATE32 = 0
    IMMEDIATE64 = 1
    RELATIVE = 2
    IMMEDIATE32_PLUS_RELATIVE = 3
    IMMEDIATE64_PLUS_RELATIVE = 4


class Modifier(IntEnum):
    """What is done to a source before it is used."""

    NONE = 0
    NEG = 1
    ABS = 2
    ABSNEG = 3


class ExtendedOpcode(IntEnum):
    """The kinds of tokens that may follow an opcode token."""

    EMPTY = 0
    SAMPLE_CONTROLS = 1
    RESOURCE_DIM = 2
    RESOURCE_RETURN_TYPE = 3


class ExtendedOperand(IntEnum):
    """The kinds of tokens that may follow an operand token."""

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


class Interpolation(IntEnum):
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


class ResourceReturnType(IntEnum):
    """D3D10_SB_RESOURCE_RETURN_TYPE: d3dcommon's numbers, and UNUSED."""

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


class Name(IntEnum):
    """D3D10_SB_NAME: as in signatures up to 10, then one name for each tessellation factor."""

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


# ---------------------------------------------------------------- the first token


class VersionToken(Word):
    """Which shader model the program is written in, and for which stage."""

    minor = Bits(0, 4)
    major = Bits(4, 4)
    kind = Bits(16, 16, "stage", enum=ShaderKind)


# ---------------------------------------------------------------- opcode tokens


class OpcodeToken(Word):
    """The first token of every instruction; the subclasses name the controls of some opcodes."""

    opcode = Bits(0, 11, "operation")
    length = Bits(24, 7, "dwords of the instruction, this token included")
    extended = Bits(31, 1, "an extended opcode token follows")


class Arithmetic(OpcodeToken):
    """Instructions that write a value: `add_sat [precise(xy)]`."""

    saturate = Bits(13, 1, "clamp the result to 0..1")
    precise = Bits(19, 4, "components (x is bit 19) that may not be reassociated or contracted")


class Test(OpcodeToken):
    """Instructions with a condition: if, breakc, callc, continuec, discard, retc."""

    test_nonzero = Bits(18, 1, "1: when a bit of the condition is set, 0: when none is")


class Resinfo(Arithmetic):
    """resinfo."""

    return_type = Bits(11, 2, "type of the sizes", enum=ResinfoReturnType)


class SampleInfo(Arithmetic):
    """sampleinfo."""

    return_uint = Bits(11, 1, "1: the count is an unsigned integer, 0: a float")


class Sync(OpcodeToken):
    """sync: who waits, and for which memory."""

    threads_in_group = Bits(11, 1, "the threads of the group wait for one another")
    shared_memory = Bits(12, 1, "thread group shared memory")
    uav_group = Bits(13, 1, "unordered access views, as the group sees them")
    uav_global = Bits(14, 1, "unordered access views, as all see them")


class GlobalFlags(OpcodeToken):
    """dcl_globalFlags."""

    refactoring_allowed = Bits(11, 1)
    enable_double_precision = Bits(12, 1)
    force_early_depth_stencil = Bits(13, 1)
    enable_raw_and_structured_buffers = Bits(14, 1)
    skip_optimization = Bits(15, 1)
    enable_minimum_precision = Bits(16, 1)
    enable_double_extensions = Bits(17, 1, "the double instructions of Direct3D 11.1")
    enable_shader_extensions = Bits(18, 1, "the other instructions of Direct3D 11.1")
    all_resources_bound = Bits(19, 1)


class ResourceDcl(OpcodeToken):
    """dcl_resource."""

    dimension = Bits(11, 5, enum=ResourceDimension)
    sample_count = Bits(16, 7, "samples of a multisampled texture, 0 where not stated")


class UavDcl(OpcodeToken):
    """dcl_uav_typed, dcl_uav_raw, dcl_uav_structured."""

    dimension = Bits(11, 5, "of a typed view", enum=ResourceDimension)
    globally_coherent = Bits(16, 1)
    rasterizer_ordered = Bits(17, 1)
    has_counter = Bits(23, 1, "a structured view with a hidden counter")


class ConstantBufferDcl(OpcodeToken):
    """dcl_constantbuffer."""

    access = Bits(11, 1, enum=AccessPattern)


class SamplerDcl(OpcodeToken):
    """dcl_sampler."""

    mode = Bits(11, 4, enum=SamplerMode)


class InputPs(OpcodeToken):
    """dcl_input_ps and its siblings with system names."""

    interpolation = Bits(11, 4, enum=Interpolation)


class GsTopology(OpcodeToken):
    """dcl_outputtopology."""

    topology = Bits(11, 6, enum=PrimitiveTopology)


class GsPrimitive(OpcodeToken):
    """dcl_inputprimitive; 8 to 39 are patches of 1 to 32 control points."""

    primitive = Bits(11, 6, enum=Primitive)


class ControlPoints(OpcodeToken):
    """dcl_input_control_point_count and dcl_output_control_point_count."""

    count = Bits(11, 6)


class TessDomain(OpcodeToken):
    """dcl_tessellator_domain."""

    domain = Bits(11, 2, enum=TessellatorDomain)


class TessPartitioning(OpcodeToken):
    """dcl_tessellator_partitioning."""

    partitioning = Bits(11, 3, enum=TessellatorPartitioning)


class TessOutputPrimitive(OpcodeToken):
    """dcl_tessellator_output_primitive."""

    output_primitive = Bits(11, 3, enum=TessellatorOutputPrimitive)


class InterfaceDcl(OpcodeToken):
    """dcl_interface."""

    dynamic_indexed = Bits(11, 1)


class CustomData(Word):
    """customdata: no controls and no length; the next dword counts all dwords, both included."""

    opcode = Bits(0, 11, "operation")
    custom_class = Bits(11, 21, "what the data is", enum=CustomClass)


# ---------------------------------------------------------------- extended opcode tokens


class ExtendedToken(Word):
    """A token behind an opcode token, of a kind that has no class of its own."""

    kind = Bits(0, 6, enum=ExtendedOpcode)
    extended = Bits(31, 1, "one more follows")


class SampleControls(ExtendedToken):
    """Texel offsets of a sample, gather or load: `_aoffimmi(u,v,w)`."""

    u = Bits(9, 4, "texel offset", signed=True)
    v = Bits(13, 4, "texel offset", signed=True)
    w = Bits(17, 4, "texel offset", signed=True)


class ResourceDim(ExtendedToken):
    """What is sampled or loaded from: `_indexable(texture2d)`."""

    dimension = Bits(6, 5, enum=ResourceDimension)
    stride = Bits(11, 12, "bytes of a structure")


class ResourceReturn(ExtendedToken):
    """What the resource's components are: `(float,float,float,float)`."""

    x = Bits(6, 4, enum=ResourceReturnType)
    y = Bits(10, 4, enum=ResourceReturnType)
    z = Bits(14, 4, enum=ResourceReturnType)
    w = Bits(18, 4, enum=ResourceReturnType)


EXTENDED_OPCODES: dict[int, type[Word]] = {
    ExtendedOpcode.SAMPLE_CONTROLS: SampleControls,
    ExtendedOpcode.RESOURCE_DIM: ResourceDim,
    ExtendedOpcode.RESOURCE_RETURN_TYPE: ResourceReturn,
}


# ---------------------------------------------------------------- operand tokens


class OperandToken(Word):
    """An operand; the subclasses name the bits that choose among four components."""

    components = Bits(0, 2, enum=Components)
    type = Bits(12, 8, "register file", enum=OperandType)
    dimension = Bits(20, 2, "number of indices")
    index0 = Bits(22, 3, "representation of the first index", enum=IndexRepresentation)
    index1 = Bits(25, 3, "representation of the second index", enum=IndexRepresentation)
    index2 = Bits(28, 3, "representation of the third index", enum=IndexRepresentation)
    extended = Bits(31, 1, "an extended operand token follows")


class ModeToken(OperandToken):
    """An operand of four components."""

    mode = Bits(2, 2, "how components are chosen", enum=SelectionMode)


class MaskToken(ModeToken):
    """The components that are written: `r0.xyz`."""

    mask = Bits(4, 4, "x is bit 4, w is bit 7")


class SwizzleToken(ModeToken):
    """One component for each of four: `r0.xxyw`."""

    swizzle = Bits(4, 8, "two bits a component, the first the lowest")


class SelectToken(ModeToken):
    """One component as a scalar: `r0.x`."""

    select = Bits(4, 2)


class OperandModifier(Word):
    """The extended operand token."""

    kind = Bits(0, 6, enum=ExtendedOperand)
    modifier = Bits(6, 8, enum=Modifier)
    min_precision = Bits(14, 3, enum=MinPrecision)
    non_uniform = Bits(17, 1, "the index may differ between the lanes of a wave")
    extended = Bits(31, 1, "one more follows")


def operand_word(token: int) -> type[OperandToken]:
    """The class that names all bits of an operand token."""
    if token & 3 != Components.FOUR:
        return OperandToken
    return (MaskToken, SwizzleToken, SelectToken, ModeToken)[token >> 2 & 3]


# ---------------------------------------------------------------- dwords behind operands


class ReturnTypes(Word):
    """What the components of a typed resource are, in its declaration."""

    x = Bits(0, 4, enum=ResourceReturnType)
    y = Bits(4, 4, enum=ResourceReturnType)
    z = Bits(8, 4, enum=ResourceReturnType)
    w = Bits(12, 4, enum=ResourceReturnType)


class SystemName(Word):
    """What a declared input or output means to the pipeline."""

    name = Bits(0, 16, enum=Name)


class TableSizes(Word):
    """The last counts of dcl_interface."""

    table_length = Bits(0, 16, "function tables that follow")
    array_length = Bits(16, 16, "elements of the interface array")
