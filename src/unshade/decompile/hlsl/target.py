"""HLSL: spellings, types, and the entry point; resources are in declarations.py.

    void main(float2 texcoord0 : TEXCOORD0, out float4 out_target0 : SV_Target0)

HLSL is the language that bytecode of Direct3D comes from, so most operations have the rules of the
kernel. Helper functions spell the others: `frac` of targets that round to 1, the position of a bit
from the top.
"""

import re
from collections.abc import Mapping, Sequence

from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS
from ...model.resources import ConstantBuffer
from ...vocab.slots import Direction
from ...vocab.words import Interpolation, Stage, SystemValue
from ..common import COMMON, HIGH_PRODUCTS
from ..interface import EntryInterface, EntryParameter
from ..layout import packs
from ..names import IDENTIFIER, DecompiledNames
from ..operations import SOURCE_OPS
from ..parts import SourceParts
from ..pixel_places import snapped_of
from ..points import PointSets
from ..printer import Printer
from ..spelling import INDENT, Helper, Rank, Spellings, helper_names
from ..spelling import CallSpelling as Call
from ..tree import LETTERS, Assign, Define, ScalarKind, SourceExpression, TermType
from .accesses import access, atomic_definition, stored_word
from .groups import adapt_groups
from .joined import join_distances, join_locations
from .program import program

__all__ = ["Hlsl"]

NAMES = {
    (ScalarKind.FLOAT, 32): "float",
    (ScalarKind.FLOAT, 64): "double",
    (ScalarKind.FLOAT, 16): "half",
    (ScalarKind.INT, 32): "int",
    (ScalarKind.UINT, 32): "uint",
    (ScalarKind.BOOL, 32): "bool",
    (ScalarKind.INT, 64): "int64_t",
    (ScalarKind.UINT, 64): "uint64_t",
    (ScalarKind.INT, 16): "int16_t",
    (ScalarKind.UINT, 16): "uint16_t",
}

MODULO = """\
{T} mod({T} x, {T} y) {
    return x - y * floor(x / y);
}"""
FRACTION = """\
{T} fraction({T} x) {
    precise {T} found = x - floor(x);
    return found == 1.0 ? 0.99999994 : found;
}"""
PRODUCT = """\
{T} product({T} a, {T} b) {
    precise {T} found = a * b;
    return found == found ? found : a == a ? b == b ? ({T})0 : found : found;
}"""
LEGACY = """\
{T} legacy_product({T} a, {T} b) {
    precise {T} found = a * b;
    return a == ({T})0 || b == ({T})0 ? ({T})0 : found;
}"""
FIRST_HIGH = """\
{U} first_high({U} x) {
    return x == 0u ? 0xffffffffu : 31u - firstbithigh(x);
}"""
FIRST_HIGH_SIGNED = """\
{U} first_high_signed({I} x) {
    {U} bits = {U}(x ^ (x >> 31));
    return bits == 0u ? 0xffffffffu : 31u - firstbithigh(bits);
}"""
FIRST_LOW = """\
{U} first_low({U} x) {
    return x == 0u ? 0xffffffffu : firstbitlow(x);
}"""
LEADING_ZEROS = """\
{U} leading_zeros({U} x) {
    return x == 0u ? 32u : 31u - firstbithigh(x);
}"""
TRAILING_ZEROS = """\
{U} trailing_zeros({U} x) {
    return x == 0u ? 32u : firstbitlow(x);
}"""
HIGH_UNSIGNED = """\
{U} high_product({U} a, {U} b) {
    {U} low = (a & 0xffffu) * (b & 0xffffu);
    {U} mixed = (a >> 16) * (b & 0xffffu) + (low >> 16);
    {U} other = (a & 0xffffu) * (b >> 16) + (mixed & 0xffffu);
    return (a >> 16) * (b >> 16) + (mixed >> 16) + (other >> 16);
}"""
HIGH_SIGNED = """\
{I} high_product({I} a, {I} b) {
    {U} x = {U}(a), y = {U}(b);
    {U} low = (x & 0xffffu) * (y & 0xffffu);
    {U} mixed = (x >> 16) * (y & 0xffffu) + (low >> 16);
    {U} other = (x & 0xffffu) * (y >> 16) + (mixed & 0xffffu);
    {U} high = (x >> 16) * (y >> 16) + (mixed >> 16) + (other >> 16);
    return {I}(high) - (a >> 31 & b) - (b >> 31 & a);
}"""

CENTROID = """\
// Slang and glslang have another name for this function of fxc and dxc.
#if defined(__SLANG__) || defined(GL_core_profile)
#define EvaluateAttributeCentroid EvaluateAttributeAtCentroid
#endif"""

# Casts of bits that HLSL has for the two words of one number only: by the kind and bits of the
# result, and the bits of a component of the operand.
CASTS = {
    (ScalarKind.FLOAT, 64, 64): (
        "double_of_bits",
        "double double_of_bits(uint64_t x) {\n    return asdouble(uint(x), uint(x >> 32));\n}",
    ),
    (ScalarKind.UINT, 64, 64): (
        "bits_of_double",
        "uint64_t bits_of_double(double x) {\n    uint low, high;\n    asuint(x, low, high);\n"
        "    return uint64_t(high) << 32 | uint64_t(low);\n}",
    ),
    (ScalarKind.UINT, 64, 32): (
        "joined_words",
        "uint64_t joined_words(uint2 x) {\n    return uint64_t(x.y) << 32 | uint64_t(x.x);\n}",
    ),
    (ScalarKind.UINT, 32, 64): (
        "words_of",
        "uint2 words_of(uint64_t x) {\n    return uint2(uint(x), uint(x >> 32));\n}",
    ),
}
FUNCTION = re.compile(r"(\w+) (\w+)\((\w+) x\)")

BOOL = ScalarKind.BOOL
SPELLINGS: Spellings = {
    **COMMON,
    OPS.frint: Call("round"), OPS.rsqrt: Call("rsqrt"),
    OPS.popcount: Call("countbits", bits=32), OPS.bitrev: Call("reversebits", bits=32),
    OPS.imulh: Helper("high_product", HIGH_SIGNED, bits=32),
    OPS.umulh: Helper("high_product", HIGH_UNSIGNED, bits=32),
    **HIGH_PRODUCTS,
    SOURCE_OPS.saturate: Call("saturate"),
    SOURCE_OPS.fraction: Helper("fraction", FRACTION),
    SOURCE_OPS.modulo: Helper("mod", MODULO), SOURCE_OPS.exp: Call("exp"),
    SOURCE_OPS.log: Call("log"), SOURCE_OPS.atan2: Call("atan2", True),
    SOURCE_OPS.ldexp: Call("ldexp", True),
    SOURCE_OPS.product: Helper("product", PRODUCT),
    OPS.fmul_legacy: Helper("legacy_product", LEGACY),
    SOURCE_OPS.at_sample: Call("EvaluateAttributeAtSample"),
    SOURCE_OPS.at_vertex: Call("GetAttributeAtVertex"),
    SOURCE_OPS.ddx_fine: Call("ddx_fine"), SOURCE_OPS.ddy_fine: Call("ddy_fine"),
    SOURCE_OPS.ddx_coarse: Call("ddx_coarse"), SOURCE_OPS.ddy_coarse: Call("ddy_coarse"),
    SOURCE_OPS.first_high: Helper("first_high", FIRST_HIGH, bits=32),
    SOURCE_OPS.first_high_i: Helper("first_high_signed", FIRST_HIGH_SIGNED, bits=32),
    SOURCE_OPS.first_low: Helper("first_low", FIRST_LOW, bits=32),
    OPS.clz: Helper("leading_zeros", LEADING_ZEROS, bits=32),
    OPS.ctz: Helper("trailing_zeros", TRAILING_ZEROS, bits=32), OPS.frem: Call("fmod", True),
    SOURCE_OPS.to_half: Call("f32tof16"), SOURCE_OPS.from_half: Call("f16tof32"),
    OPS.wave_elect: Call("WaveIsFirstLane"), OPS.wave_all: Call("WaveActiveAllTrue"),
    OPS.wave_any: Call("WaveActiveAnyTrue"), OPS.wave_equal: Call("WaveActiveAllEqual"),
    OPS.wave_ballot: Call("WaveActiveBallot"), OPS.wave_first: Call("WaveReadLaneFirst"),
    OPS.wave_read: Call("WaveReadLaneAt"), OPS.is_helper: Call("IsHelperLane"),
    (OPS.quad_swap, 1): Call("QuadReadAcrossX"), (OPS.quad_swap, 2): Call("QuadReadAcrossY"),
    (OPS.quad_swap, 3): Call("QuadReadAcrossDiagonal"),
    SOURCE_OPS.quad_read: Call("QuadReadLaneAt"),
    (OPS.wave_reduce, OPS.iadd): Call("WaveActiveSum"),
    (OPS.wave_reduce, OPS.fadd): Call("WaveActiveSum"),
    (OPS.wave_reduce, OPS.imul): Call("WaveActiveProduct"),
    (OPS.wave_reduce, OPS.fmul): Call("WaveActiveProduct"),
    (OPS.wave_reduce, OPS.imin): Call("WaveActiveMin"),
    (OPS.wave_reduce, OPS.umin): Call("WaveActiveMin"),
    (OPS.wave_reduce, OPS.fmin): Call("WaveActiveMin"),
    (OPS.wave_reduce, OPS.imax): Call("WaveActiveMax"),
    (OPS.wave_reduce, OPS.umax): Call("WaveActiveMax"),
    (OPS.wave_reduce, OPS.fmax): Call("WaveActiveMax"),
    (OPS.wave_reduce, OPS.and_): Call("WaveActiveBitAnd"),
    (OPS.wave_reduce, OPS.or_): Call("WaveActiveBitOr"),
    (OPS.wave_reduce, OPS.xor): Call("WaveActiveBitXor"),
    (OPS.wave_before, OPS.iadd): Call("WavePrefixSum"),
    (OPS.wave_before, OPS.fadd): Call("WavePrefixSum"),
    (OPS.wave_before, OPS.imul): Call("WavePrefixProduct"),
    (OPS.wave_before, OPS.fmul): Call("WavePrefixProduct"),
}  # fmt: skip

WORDS = """
and or not xor if else for while do switch case default break continue return discard struct
cbuffer tbuffer register packoffset in out inout uniform static const extern precise
nointerpolation linear centroid noperspective sample groupshared row_major column_major
true false void bool int uint float half double dword string texture sampler matrix vector
snorm unorm min16float min10float min16int min12int min16uint point line triangle lineadj
triangleadj class interface namespace this typedef export technique pass shared volatile
inline asm compile operator private public protected template typename using enum sizeof
goto catch try throw new delete union unsigned signed short long char virtual friend explicit
mutable reinterpret_cast static_cast dynamic_cast const_cast auto
abs acos all any asin atan atan2 ceil clamp cos cosh countbits cross ddx ddy degrees distance
dot exp exp2 floor fma fmod frac frexp fwidth isinf isnan ldexp length lerp lit log log10 log2
mad max min modf mul normalize pow radians rcp reflect refract reversebits round rsqrt saturate
sign sin sincos sinh smoothstep sqrt step tan tanh transpose trunc firstbithigh firstbitlow
f16tof32 f32tof16 asfloat asint asuint asdouble select determinant clip main texture2d
texture1d texture3d texturecube buffer samplerstate stateblock pixelshader vertexshader
let var func property extension
import module where is as __init this self none input output vec2 vec3 vec4 mat3 mat4
"""
# Words that compilers know in any case, and types, whose names have capitals.
CASELESS = "asm compile pass technique texture pixelshader vertexshader stateblock"
TYPES = """
Buffer ByteAddressBuffer StructuredBuffer RWBuffer RWByteAddressBuffer RWStructuredBuffer
AppendStructuredBuffer ConsumeStructuredBuffer ConstantBuffer TextureBuffer SamplerState
SamplerComparisonState Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS
Texture2DMSArray Texture3D TextureCube TextureCubeArray RWTexture1D RWTexture1DArray RWTexture2D
RWTexture2DArray RWTexture3D PointStream LineStream TriangleStream InputPatch OutputPatch
BlendState DepthStencilState RasterizerState RenderTargetView DepthStencilView NULL sampler1D
sampler2D sampler3D samplerCUBE RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer
RasterizerOrderedStructuredBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture2D
RasterizerOrderedTexture3D
"""
RESERVED = (
    frozenset((*WORDS.split(), *TYPES.split()))
    | {form for each in CASELESS.split() for form in (each.capitalize(), each.upper())}
    | helper_names(SPELLINGS)
    | {word for word, _ in CASTS.values()}
)

INTERPOLATIONS = {
    Interpolation.CONSTANT: "nointerpolation ",
    Interpolation.PER_VERTEX: "nointerpolation ",
    Interpolation.LINEAR_CENTROID: "centroid ",
    Interpolation.LINEAR_NOPERSPECTIVE: "noperspective ",
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: "noperspective centroid ",
    Interpolation.LINEAR_SAMPLE: "sample ",
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: "noperspective sample ",
}
SEMANTICS = {  # of parameters that no signature lists
    SystemValue.POSITION: "SV_Position", SystemValue.TARGET: "SV_Target",
    SystemValue.DEPTH: "SV_Depth", SystemValue.COVERAGE: "SV_Coverage",
    SystemValue.VERTEX_ID: "SV_VertexID", SystemValue.INSTANCE_ID: "SV_InstanceID",
    SystemValue.PRIMITIVE_ID: "SV_PrimitiveID", SystemValue.IS_FRONT_FACE: "SV_IsFrontFace",
    SystemValue.SAMPLE_INDEX: "SV_SampleIndex",
    SystemValue.DEPTH_GREATER_EQUAL: "SV_DepthGreaterEqual",
    SystemValue.DEPTH_LESS_EQUAL: "SV_DepthLessEqual",
    SystemValue.RENDER_TARGET_ARRAY_INDEX: "SV_RenderTargetArrayIndex",
    SystemValue.VIEWPORT_ARRAY_INDEX: "SV_ViewportArrayIndex",
    SystemValue.INNER_COVERAGE: "SV_InnerCoverage",
    SystemValue.STENCIL_REF: "SV_StencilRef", SystemValue.GS_INSTANCE_ID: "SV_GSInstanceID",
    SystemValue.THREAD_ID: "SV_DispatchThreadID", SystemValue.THREAD_GROUP_ID: "SV_GroupID",
    SystemValue.THREAD_ID_IN_GROUP: "SV_GroupThreadID",
    SystemValue.THREAD_ID_IN_GROUP_FLATTENED: "SV_GroupIndex",
    SystemValue.CLIP_DISTANCE: "SV_ClipDistance", SystemValue.CULL_DISTANCE: "SV_CullDistance",
    SystemValue.DOMAIN_LOCATION: "SV_DomainLocation",
    SystemValue.OUTPUT_CONTROL_POINT_ID: "SV_OutputControlPointID",
    SystemValue.POINT_SIZE: "SV_PointSize", SystemValue.VIEW_INDEX: "SV_ViewID",
    SystemValue.BARYCENTRICS: "SV_Barycentrics",
    SystemValue.BARYCENTRICS_NOPERSPECTIVE: "SV_Barycentrics",
    SystemValue.CULLPRIMITIVE: "SV_CullPrimitive",
    SystemValue.BASE_VERTEX: "SV_StartVertexLocation",
    SystemValue.BASE_INSTANCE: "SV_StartInstanceLocation",
    # Names of the PICA200's outputs, which are ordinary semantics elsewhere.
    SystemValue.NORMALQUAT: "NORMALQUAT", SystemValue.COLOR: "COLOR",
    SystemValue.TEXCOORD0: "TEXCOORD0", SystemValue.TEXCOORD0W: "TEXCOORD0W",
    SystemValue.TEXCOORD1: "TEXCOORD1", SystemValue.TEXCOORD2: "TEXCOORD2",
    SystemValue.VIEW: "VIEW",
}  # fmt: skip


NOTES: Mapping[SystemValue | None, str] = {  # on built-ins of Vulkan
    SystemValue.VERTEX_ID:
        "of Vulkan, from the first vertex of the draw call; SV_VertexID is from 0",
    SystemValue.INSTANCE_ID:
        "of Vulkan, from the first instance of the draw call; SV_InstanceID is from 0",
    SystemValue.POINT_SIZE: "PointSize of Vulkan; Direct3D has no such semantic",
}  # fmt: skip
SOURCES: Mapping[str, str] = {
    "helper": "uint(IsHelperLane())",
    "wave_lane": "WaveGetLaneIndex()",
    "wave_size": "WaveGetLaneCount()",
    "quad_lane": "(WaveGetLaneIndex() & 3u)",
}


class Hlsl:
    """The target."""

    spellings = SPELLINGS

    def __init__(self, exact: bool) -> None:
        """Make the target; both styles have the same spellings."""
        self.casts: dict[str, str] = {}  # functions that the source defines

    precise = "precise "
    broadcasts = True
    trailing_tests = True
    by_rows = True
    componentwise = False
    discard: str = "discard"
    truncates_halves = False
    endings: Mapping[tuple[ScalarKind, int], str] = {
        (ScalarKind.FLOAT, 16): "h", (ScalarKind.FLOAT, 64): "L",
        (ScalarKind.INT, 64): "ll", (ScalarKind.UINT, 64): "ull",
    }  # fmt: skip
    bool_kind = ScalarKind.BOOL
    widths = True
    attachments = True
    instances = False
    global_members = True
    indexed_resources = True
    unbounded_resources = True
    by_bytes = True
    heaps = True
    payload_member = "words"
    helper_lanes = True
    functions: Mapping[str, str] = {}
    sources = SOURCES
    reserved = RESERVED
    stages = frozenset({
        Stage.PIXEL, Stage.VERTEX, Stage.COMPUTE, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN,
        Stage.MESH, Stage.AMPLIFICATION,
    })  # fmt: skip

    def type(self, type: TermType) -> str:
        """Return the name of a type."""
        word = NAMES.get((type.kind, type.bits))
        if word is None:
            raise UnsupportedError(f"HLSL has no {type.kind} of {type.bits} bits")
        return word if type.width == 1 else f"{word}{type.width}"

    def bits(self, type: TermType, text: str, of: TermType) -> str:
        """Return the call that casts bits."""
        if type.bits == of.bits < 64:
            return f"as{type.kind}{'16' * (type.bits == 16)}({text})"
        kind = ScalarKind.FLOAT if type.kind is ScalarKind.FLOAT else ScalarKind.UINT
        known = CASTS.get((kind, type.bits, of.bits))
        if known is None:
            raise UnsupportedError(f"{of.bits} bits cannot be cast to {type.bits} yet")
        word, function = known
        self.casts[word] = function
        if type.width > 1 and type.bits == of.bits:
            self.casts[f"{word}{type.width}"] = of_vectors(function, type.width)
        if of.kind is ScalarKind.INT:
            text = f"{self.type(of._replace(kind=ScalarKind.UINT))}({text})"
        call = f"{word}({text})"
        return f"{self.type(type)}({call})" if type.kind is ScalarKind.INT else call

    def special(self, bits: int, type: TermType) -> str:
        """Return a float without a decimal spelling."""
        if type.bits == 64:
            return f"asdouble({bits & 0xFFFF_FFFF:#x}u, {bits >> 32:#x}u)"
        return f"asfloat16(uint16_t({bits:#x}))" if type.bits == 16 else f"asfloat({bits:#x}u)"

    def widened(self, printer: Printer, value: SourceExpression, width: int) -> str:
        """Return a vector with a scalar in every component."""
        return f"{printer.text(value, Rank.PRIMARY)}.{'x' * width}"

    def select(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return a choice: the conditional operator, which takes vectors, too."""
        condition, one, other = value.args
        head = printer.text(condition, Rank.OR)
        return (
            f"{head} ? {printer.text(one, Rank.OR)} : {printer.text(other, Rank.OR)}",
            Rank.SELECT,
        )

    def compare(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return None: comparisons of vectors are spelled as those of scalars."""
        return None

    def operation(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return an input at another place; None for operations with a row in the table.

        Remainders of halves are refused.
        """
        if value.op is OPS.frem and value.type.bits == 16:
            raise UnsupportedError("a remainder of halves cannot be decompiled yet")
        if value.op is SOURCE_OPS.at_centroid:
            printer.helpers.setdefault(("EvaluateAttributeCentroid", ""), CENTROID)
            return f"EvaluateAttributeCentroid({printer.list(value.args)})", Rank.PRIMARY
        if value.op in (SOURCE_OPS.at_offset, SOURCE_OPS.at_snapped):
            args = printer.list((value.args[0], snapped_of(value)))
            return f"EvaluateAttributeSnapped({args})", Rank.PRIMARY
        return None

    def packs(self, buffer: ConstantBuffer, uniform: bool, stride: int) -> bool:
        """Return True if HLSL places every member where the buffer has it."""
        return packs(buffer) if uniform else True

    def adapt(self, interface: EntryInterface, kernel: KernelIR, points: PointSets) -> None:
        """Declare the side of a primitive as a bool, and distances as vectors."""
        for each in interface.inputs:
            if each.meaning is SystemValue.IS_FRONT_FACE:
                each.type = TermType(ScalarKind.BOOL)
        for parameters in (interface.inputs, interface.outputs):
            join_distances(interface, parameters)
            join_locations(interface, parameters)
        if kernel.stage is Stage.MESH:
            adapt_groups(points, interface.names)

    def place_name(self, names: DecompiledNames, word: str) -> str:
        """Return the name of a position of the lane, `thread_id`."""
        return names.unique(word)

    def program(self, parts: SourceParts) -> str:
        """Return the whole text."""
        return program(self, parts)

    def access(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return an access to a resource."""
        return access(printer, value)

    def stored(self, printer: Printer, line: Assign) -> str:
        """Return a store to a raw buffer; nothing for other assignments."""
        return stored_word(printer, line)

    def definition(self, printer: Printer, line: Define) -> Sequence[str]:
        """Return the statements of an atomic operation with a result; none otherwise."""
        return atomic_definition(printer, line)

    # ------------------------------------------------------------ entry point

    def interpolation(self, parameter: EntryParameter) -> str:
        """Return the modifier of an input's interpolation, with a space behind it."""
        return INTERPOLATIONS.get(parameter.interpolation or Interpolation.LINEAR, "")

    def semantic(self, parameter: EntryParameter) -> str:
        """Return the semantic of a parameter."""
        return semantic_of(parameter)

    def parameter(self, parameter: EntryParameter, dual: bool = False) -> str:
        """Return the declaration of a parameter of the entry point.

        With `dual`, the program has two sources of a blend: SV_Target0 and SV_Target1 in Direct3D,
        two indices of one location in Vulkan.
        """
        semantic = semantic_of(parameter)
        out = parameter.direction is Direction.OUTPUT
        how = (
            ""
            if out or parameter.meaning is SystemValue.POSITION
            else self.interpolation(parameter)
        )
        if parameter.meaning in (
            SystemValue.IS_FRONT_FACE, SystemValue.SAMPLE_INDEX, SystemValue.PRIMITIVE_ID,
            SystemValue.COVERAGE, SystemValue.OUTPUT_CONTROL_POINT_ID,
        ):  # fmt: skip
            how = ""
        text = f"{'out ' * out}{how}{self.type(parameter.type)} {parameter.name} : {semantic}"
        if dual and parameter.meaning is SystemValue.TARGET:
            location = f"[[vk::location({parameter.location})]]"
            text = f"{location} [[vk::index({parameter.blend})]] {text}"
        note = NOTES.get(parameter.meaning) if parameter.by_register else None
        return text if note is None else f"// {note}\n{INDENT}{text}"


def of_vectors(function: str, width: int) -> str:
    """Return the overload of a function of one number for vectors."""
    found = FUNCTION.match(function)
    assert found is not None
    result, word, operand = found.groups()
    calls = ", ".join(f"{word}(x.{each})" for each in LETTERS[:width])
    whole = f"{result}{width}"
    return f"{whole} {word}({operand}{width} x) {{\n    return {whole}({calls});\n}}"


def semantic_of(parameter: EntryParameter) -> str:
    """Return the semantic of a parameter."""
    stem, number = parameter.semantic, parameter.index
    if parameter.meaning is not None and not stem.upper().startswith("SV_"):
        # The signature of another API, whose name is a label.
        stem = SEMANTICS.get(parameter.meaning, "")
        if parameter.meaning is SystemValue.TARGET:
            number = (parameter.location or 0) + parameter.blend
        number += parameter.meaning is SystemValue.BARYCENTRICS_NOPERSPECTIVE
        if not stem:
            raise UnsupportedError(f"the system value {parameter.meaning} has no semantic")
    if not stem:
        stem = "TEXCOORD"
    elif parameter.by_register and parameter.meaning is None and parameter.location is not None:
        stem, number = "TEXCOORD", parameter.location
    numbered = number or stem.upper() in ("TEXCOORD", "SV_TARGET")
    if stem.upper() in ("SV_DEPTH", "SV_COVERAGE", "SV_DEPTHGREATEREQUAL", "SV_DEPTHLESSEQUAL"):
        numbered = False
    if not IDENTIFIER.fullmatch(stem):
        raise UnsupportedError(f"the semantic {stem!r:.60} cannot be written in HLSL")
    return f"{stem}{number if numbered else ''}"
