"""Tokens of Shader Model 4 and 5 programs: 32-bit words and their bit fields.

     31  30      24 23                      11 10         0
    +---+----------+--------------------------+------------+
    | x |  length  |  controls                |   opcode   |   opcode token
    +---+----------+--------------------------+------------+
     31  30  28 27 25 24 22 21 20 19      12 11     4 3 2 1 0
    +---+------+-----+-----+-----+----------+--------+---+---+
    | x | ix 2 | ix 1| ix 0| dim |   type   | select | m | n | operand token
    +---+------+-----+-----+-----+----------+--------+---+---+
    x: an extended token follows    m: selection mode    n: component count

The meaning of bits 11 to 23 depends on the opcode: the table of operations (ops.py) has a class of
this module for each. The meaning of bits 4 to 11 of an operand depends on its selection mode:
`operand_word`.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

from ....enums import member_of
from ....isa import Bits, Word
from ....vocab.d3d import (
    D3DMinPrecision,
    D3DPrimitive,
    PrimitiveTopology,
    ShaderKind,
    TessellatorDomain,
    TessellatorOutputPrimitive,
    TessellatorPartitioning,
)
from .enumerations import (
    AccessPattern,
    Components,
    CustomClass,
    ExtendedOpcode,
    ExtendedOperand,
    IndexRepresentation,
    InterpolationMode,
    Modifier,
    OperandType,
    ResinfoReturnType,
    ResourceDimension,
    SamplerMode,
    SelectionMode,
    SystemValueName,
    TypedReturnType,
)
from .selection import mask_letters, select_letter, swizzle_letters

# ---------------------------------------------------------------- the first token


class VersionToken(Word):
    """Shader model and stage of a program."""

    minor = Bits(0, 4, "minor version: 1 in Shader Model 5.1")
    major = Bits(4, 4, "major version: 5 in Shader Model 5.1")
    kind = Bits(16, 16, "stage; 6 and above occur in DXIL only", enum=ShaderKind)

    @property
    def profile(self) -> str:
        """Return the first line of a listing: `ps_5_0`."""
        known = member_of(ShaderKind, self.kind)
        stage = f"<{self.kind}>" if known is None else known.profile
        return f"{stage}_{self.major}_{self.minor}"


# ---------------------------------------------------------------- opcode tokens


class OpcodeToken(Word):
    """The first token of an instruction; subclasses add the controls of particular operations."""

    opcode = Bits(0, 11, "operation")
    length = Bits(24, 7, "dwords of the instruction, this token included")
    extended = Bits(31, 1, "an extended opcode token follows")


class Arithmetic(OpcodeToken):
    """Operations that compute a value: `add_sat [precise(xy)]`."""

    saturate = Bits(13, 1, "clamp the result to [0, 1]")
    precise = Bits(
        19,
        4,
        "components (x is bit 19) that must not be reassociated or contracted",
        spell=mask_letters,
    )


class Test(OpcodeToken):
    """Operations with a condition: if, breakc, callc, continuec, discard, retc."""

    test_nonzero = Bits(18, 1, "1: true if any bit of the operand is set, 0: true if none is")


class Resinfo(Arithmetic):
    """resinfo."""

    return_type = Bits(11, 2, "type of the returned sizes", enum=ResinfoReturnType)


class SampleInfo(Arithmetic):
    """sampleinfo."""

    return_uint = Bits(11, 1, "1: the count is returned as an unsigned integer, 0: as a float")


class Sync(OpcodeToken):
    """sync: a thread barrier and the memory that it orders."""

    threads_in_group = Bits(11, 1, "execution barrier for the threads of the group")
    shared_memory = Bits(12, 1, "fence on thread group shared memory")
    uav_group = Bits(13, 1, "fence on unordered access views, for the thread group")
    uav_global = Bits(14, 1, "fence on unordered access views, for all threads")


class GlobalFlags(OpcodeToken):
    """dcl_globalFlags."""

    refactoring_allowed = Bits(11, 1, "arithmetic that is not precise may be reordered")
    enable_double_precision = Bits(12, 1, "double precision operations")
    force_early_depth_stencil = Bits(13, 1, "depth and stencil tests precede the pixel shader")
    enable_raw_and_structured_buffers = Bits(14, 1, "raw and structured buffers, in 4.x")
    skip_optimization = Bits(15, 1, "compiled without optimisation; drivers may skip theirs")
    enable_minimum_precision = Bits(16, 1, "operands of minimum precision")
    enable_double_extensions = Bits(17, 1, "double operations of Direct3D 11.1")
    enable_shader_extensions = Bits(18, 1, "other operations of Direct3D 11.1")
    all_resources_bound = Bits(19, 1, "all declared resources are bound")


class ResourceDcl(OpcodeToken):
    """dcl_resource."""

    dimension = Bits(11, 5, "dimension of the resource", enum=ResourceDimension)
    sample_count = Bits(16, 7, "samples of a multisampled texture; 0 if not declared")


class UavDcl(OpcodeToken):
    """dcl_uav_typed, dcl_uav_raw, dcl_uav_structured."""

    dimension = Bits(11, 5, "dimension of a typed view", enum=ResourceDimension)
    globally_coherent = Bits(16, 1, "writes are visible to all groups after a fence")
    rasterizer_ordered = Bits(17, 1, "accesses are in primitive order")
    has_counter = Bits(23, 1, "a structured view with a hidden counter")


class ConstantBufferDcl(OpcodeToken):
    """dcl_constantbuffer."""

    access = Bits(11, 1, "constant or dynamic row indices", enum=AccessPattern)


class SamplerDcl(OpcodeToken):
    """dcl_sampler."""

    mode = Bits(11, 4, "sampler mode", enum=SamplerMode)


class InputPs(OpcodeToken):
    """dcl_input_ps, dcl_input_ps_sgv and dcl_input_ps_siv."""

    interpolation = Bits(11, 4, "interpolation mode", enum=InterpolationMode)


class GsTopology(OpcodeToken):
    """dcl_outputtopology."""

    topology = Bits(11, 6, "output topology", enum=PrimitiveTopology)


class GsPrimitive(OpcodeToken):
    """dcl_inputprimitive; 8 to 39 are patches of 1 to 32 control points."""

    primitive = Bits(11, 6, "input primitive", enum=D3DPrimitive)


class ControlPoints(OpcodeToken):
    """dcl_input_control_point_count and dcl_output_control_point_count."""

    count = Bits(11, 6, "number of control points")


class TessDomain(OpcodeToken):
    """dcl_tessellator_domain."""

    domain = Bits(11, 2, "shape of the patch", enum=TessellatorDomain)


class TessPartitioning(OpcodeToken):
    """dcl_tessellator_partitioning."""

    partitioning = Bits(11, 3, "rounding of the factors", enum=TessellatorPartitioning)


class TessOutputPrimitive(OpcodeToken):
    """dcl_tessellator_output_primitive."""

    output_primitive = Bits(11, 3, "primitive produced", enum=TessellatorOutputPrimitive)


class InterfaceDcl(OpcodeToken):
    """dcl_interface."""

    dynamic_indexed = Bits(11, 1, "the array of slots has a dynamic index")


class CustomData(Word):
    """customdata: neither controls nor length; the next dword counts all dwords, both included."""

    opcode = Bits(0, 11, "operation")
    custom_class = Bits(11, 21, "class of the data", enum=CustomClass)


# ---------------------------------------------------------------- extended opcode tokens


class ExtendedToken(Word):
    """An extended opcode token; subclasses add the fields of each kind."""

    kind = Bits(0, 6, "kind of the token", enum=ExtendedOpcode)
    extended = Bits(31, 1, "another extended token follows")


class SampleControls(ExtendedToken):
    """Texel offsets of a sample, gather or load: `_aoffimmi(u,v,w)`."""

    u = Bits(9, 4, "texel offset along u", signed=True)
    v = Bits(13, 4, "texel offset along v", signed=True)
    w = Bits(17, 4, "texel offset along w", signed=True)


class ResourceDim(ExtendedToken):
    """Dimension of the resource that is read: `_indexable(texture2d)`."""

    dimension = Bits(6, 5, "dimension of the resource", enum=ResourceDimension)
    stride = Bits(11, 12, "size of a structure in bytes")


class ResourceReturn(ExtendedToken):
    """Component types of the resource that is read: `(float,float,float,float)`."""

    x = Bits(6, 4, "type of component x", enum=TypedReturnType)
    y = Bits(10, 4, "type of component y", enum=TypedReturnType)
    z = Bits(14, 4, "type of component z", enum=TypedReturnType)
    w = Bits(18, 4, "type of component w", enum=TypedReturnType)


EXTENDED_OPCODES: dict[int, type[Word]] = {
    ExtendedOpcode.SAMPLE_CONTROLS: SampleControls,
    ExtendedOpcode.RESOURCE_DIM: ResourceDim,
    ExtendedOpcode.RESOURCE_RETURN_TYPE: ResourceReturn,
}


# ---------------------------------------------------------------- operand tokens


class OperandToken(Word):
    """An operand; subclasses add the bits that select among four components."""

    components = Bits(0, 2, "code for the number of components", enum=Components)
    type = Bits(12, 8, "register file", enum=OperandType)
    dimension = Bits(20, 2, "number of indices")
    index0 = Bits(22, 3, "representation of the first index", enum=IndexRepresentation)
    index1 = Bits(25, 3, "representation of the second index", enum=IndexRepresentation)
    index2 = Bits(28, 3, "representation of the third index", enum=IndexRepresentation)
    extended = Bits(31, 1, "an extended operand token follows")


class ModeToken(OperandToken):
    """An operand of four components."""

    mode = Bits(2, 2, "selection mode", enum=SelectionMode)


class MaskToken(ModeToken):
    """A write mask: `r0.xyz`."""

    mask = Bits(4, 4, "x is bit 4, w is bit 7", spell=mask_letters)


class SwizzleToken(ModeToken):
    """A swizzle, a source for each of four components: `r0.xxyw`."""

    swizzle = Bits(4, 8, "two bits per component, the lowest for x", spell=swizzle_letters)


class SelectToken(ModeToken):
    """One component as a scalar: `r0.x`."""

    select = Bits(4, 2, "0 x, 1 y, 2 z, 3 w", spell=select_letter)


class OperandModifier(Word):
    """An extended operand token."""

    kind = Bits(0, 6, "kind of the token", enum=ExtendedOperand)
    modifier = Bits(6, 8, "sign modifier of a source", enum=Modifier)
    min_precision = Bits(14, 3, "minimum precision", enum=D3DMinPrecision)
    non_uniform = Bits(17, 1, "the index may differ between the lanes of a wave")
    extended = Bits(31, 1, "another extended token follows")


def operand_word(token: int) -> type[OperandToken]:
    """Return the class with all fields of an operand token."""
    if token & 3 != Components.FOUR:
        return OperandToken
    return (MaskToken, SwizzleToken, SelectToken, ModeToken)[token >> 2 & 3]


# ---------------------------------------------------------------- dwords after operands


class ReturnTypes(Word):
    """Component types of a typed resource, in its declaration."""

    x = Bits(0, 4, "type of component x", enum=TypedReturnType)
    y = Bits(4, 4, "type of component y", enum=TypedReturnType)
    z = Bits(8, 4, "type of component z", enum=TypedReturnType)
    w = Bits(12, 4, "type of component w", enum=TypedReturnType)


class SystemName(Word):
    """System value of a declared input or output."""

    name = Bits(0, 16, "system value", enum=SystemValueName)


class TableSizes(Word):
    """Lengths in dcl_interface."""

    table_length = Bits(0, 16, "number of function tables that follow")
    array_length = Bits(16, 16, "elements of the interface array")
