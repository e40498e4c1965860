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

from ....isa import Bits, Word
from ....vocab.d3d import (
    MinPrecision,
    Primitive,
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
    Interpolation,
    Modifier,
    Name,
    OperandType,
    ResinfoReturnType,
    ResourceDimension,
    ResourceReturnType,
    SamplerMode,
    SelectionMode,
)
from .selection import mask_letters, select_letter, swizzle_letters

# ---------------------------------------------------------------- the first token


class VersionToken(Word):
    """Which shader model the program is written in, and for which stage."""

    minor = Bits(0, 4, "the 1 of shader model 5.1")
    major = Bits(4, 4, "the 5 of it")
    kind = Bits(16, 16, "stage; those from 6 on are DXIL's", enum=ShaderKind)

    @property
    def profile(self) -> str:
        """The first line of a listing: `ps_5_0`."""
        known = ShaderKind._value2member_map_.get(self.kind)
        stage = known.profile if isinstance(known, ShaderKind) else f"<{self.kind}>"
        return f"{stage}_{self.major}_{self.minor}"


# ---------------------------------------------------------------- opcode tokens


class OpcodeToken(Word):
    """The first token of every instruction; the subclasses name the controls of some opcodes."""

    opcode = Bits(0, 11, "operation")
    length = Bits(24, 7, "dwords of the instruction, this token included")
    extended = Bits(31, 1, "an extended opcode token follows")


class Arithmetic(OpcodeToken):
    """Instructions that write a value: `add_sat [precise(xy)]`."""

    saturate = Bits(13, 1, "clamp the result to 0..1")
    precise = Bits(
        19,
        4,
        "components (x is bit 19) that may not be reassociated or contracted",
        spell=mask_letters,
    )


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

    refactoring_allowed = Bits(11, 1, "arithmetic that is not precise may be reordered")
    enable_double_precision = Bits(12, 1, "doubles are used")
    force_early_depth_stencil = Bits(13, 1, "depth is tested before the pixel shader runs")
    enable_raw_and_structured_buffers = Bits(14, 1, "a 4.x program uses such buffers")
    skip_optimization = Bits(15, 1, "compiled without optimisation; drivers may do the same")
    enable_minimum_precision = Bits(16, 1, "operands of less precision are used")
    enable_double_extensions = Bits(17, 1, "the double instructions of Direct3D 11.1")
    enable_shader_extensions = Bits(18, 1, "the other instructions of Direct3D 11.1")
    all_resources_bound = Bits(19, 1, "no resource that the program declares is unbound")


class ResourceDcl(OpcodeToken):
    """dcl_resource."""

    dimension = Bits(11, 5, "shape of the resource", enum=ResourceDimension)
    sample_count = Bits(16, 7, "samples of a multisampled texture, 0 where not stated")


class UavDcl(OpcodeToken):
    """dcl_uav_typed, dcl_uav_raw, dcl_uav_structured."""

    dimension = Bits(11, 5, "of a typed view", enum=ResourceDimension)
    globally_coherent = Bits(16, 1, "writes are seen by all groups at once")
    rasterizer_ordered = Bits(17, 1, "accesses are in the order of the primitives")
    has_counter = Bits(23, 1, "a structured view with a hidden counter")


class ConstantBufferDcl(OpcodeToken):
    """dcl_constantbuffer."""

    access = Bits(11, 1, "whether an index is calculated", enum=AccessPattern)


class SamplerDcl(OpcodeToken):
    """dcl_sampler."""

    mode = Bits(11, 4, "kind of sampler", enum=SamplerMode)


class InputPs(OpcodeToken):
    """dcl_input_ps and its siblings with system names."""

    interpolation = Bits(11, 4, "how the attribute is interpolated", enum=Interpolation)


class GsTopology(OpcodeToken):
    """dcl_outputtopology."""

    topology = Bits(11, 6, "strip that comes out", enum=PrimitiveTopology)


class GsPrimitive(OpcodeToken):
    """dcl_inputprimitive; 8 to 39 are patches of 1 to 32 control points."""

    primitive = Bits(11, 6, "primitive that goes in", enum=Primitive)


class ControlPoints(OpcodeToken):
    """dcl_input_control_point_count and dcl_output_control_point_count."""

    count = Bits(11, 6, "control points")


class TessDomain(OpcodeToken):
    """dcl_tessellator_domain."""

    domain = Bits(11, 2, "shape of the patch", enum=TessellatorDomain)


class TessPartitioning(OpcodeToken):
    """dcl_tessellator_partitioning."""

    partitioning = Bits(11, 3, "how factors are rounded", enum=TessellatorPartitioning)


class TessOutputPrimitive(OpcodeToken):
    """dcl_tessellator_output_primitive."""

    output_primitive = Bits(11, 3, "what the tessellator makes", enum=TessellatorOutputPrimitive)


class InterfaceDcl(OpcodeToken):
    """dcl_interface."""

    dynamic_indexed = Bits(11, 1, "the slot is calculated")


class CustomData(Word):
    """customdata: no controls and no length; the next dword counts all dwords, both included."""

    opcode = Bits(0, 11, "operation")
    custom_class = Bits(11, 21, "what the data is", enum=CustomClass)


# ---------------------------------------------------------------- extended opcode tokens


class ExtendedToken(Word):
    """A token behind an opcode token, of a kind that has no class of its own."""

    kind = Bits(0, 6, "what the token says", enum=ExtendedOpcode)
    extended = Bits(31, 1, "one more follows")


class SampleControls(ExtendedToken):
    """Texel offsets of a sample, gather or load: `_aoffimmi(u,v,w)`."""

    u = Bits(9, 4, "texel offset", signed=True)
    v = Bits(13, 4, "texel offset", signed=True)
    w = Bits(17, 4, "texel offset", signed=True)


class ResourceDim(ExtendedToken):
    """What is sampled or loaded from: `_indexable(texture2d)`."""

    dimension = Bits(6, 5, "shape of the resource", enum=ResourceDimension)
    stride = Bits(11, 12, "bytes of a structure")


class ResourceReturn(ExtendedToken):
    """What the resource's components are: `(float,float,float,float)`."""

    x = Bits(6, 4, "type of component x", enum=ResourceReturnType)
    y = Bits(10, 4, "type of component y", enum=ResourceReturnType)
    z = Bits(14, 4, "type of component z", enum=ResourceReturnType)
    w = Bits(18, 4, "type of component w", enum=ResourceReturnType)


EXTENDED_OPCODES: dict[int, type[Word]] = {
    ExtendedOpcode.SAMPLE_CONTROLS: SampleControls,
    ExtendedOpcode.RESOURCE_DIM: ResourceDim,
    ExtendedOpcode.RESOURCE_RETURN_TYPE: ResourceReturn,
}


# ---------------------------------------------------------------- operand tokens


class OperandToken(Word):
    """An operand; the subclasses name the bits that choose among four components."""

    components = Bits(0, 2, "number of components, as a code", enum=Components)
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

    mask = Bits(4, 4, "x is bit 4, w is bit 7", spell=mask_letters)


class SwizzleToken(ModeToken):
    """One component for each of four: `r0.xxyw`."""

    swizzle = Bits(4, 8, "two bits a component, the first the lowest", spell=swizzle_letters)


class SelectToken(ModeToken):
    """One component as a scalar: `r0.x`."""

    select = Bits(4, 2, "0 x, 1 y, 2 z, 3 w", spell=select_letter)


class OperandModifier(Word):
    """The extended operand token."""

    kind = Bits(0, 6, "what the token says", enum=ExtendedOperand)
    modifier = Bits(6, 8, "what is done to a source", enum=Modifier)
    min_precision = Bits(14, 3, "least precision of the operand", enum=MinPrecision)
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

    x = Bits(0, 4, "type of component x", enum=ResourceReturnType)
    y = Bits(4, 4, "type of component y", enum=ResourceReturnType)
    z = Bits(8, 4, "type of component z", enum=ResourceReturnType)
    w = Bits(12, 4, "type of component w", enum=ResourceReturnType)


class SystemName(Word):
    """What a declared input or output means to the pipeline."""

    name = Bits(0, 16, "system value", enum=Name)


class TableSizes(Word):
    """The last counts of dcl_interface."""

    table_length = Bits(0, 16, "function tables that follow")
    array_length = Bits(16, 16, "elements of the interface array")
