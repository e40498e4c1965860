"""GLSL: spellings of operations, and the guards around them.

    min(a, b)      FMin of Vulkan may return a NaN; exact: NMin, an instruction of its own
    int(x)         undefined beyond the range; exact: a function that saturates
    a << b         undefined beyond the width; exact: b & 31

In style `exact` the guards give the results of the program on every implementation. Subnormal
numbers are flushed by an execution mode, which GL_EXT_spirv_intrinsics declares.
"""

from collections.abc import Mapping, Sequence

from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS, Op
from ...model.resources import ConstantBuffer
from ...vocab.words import Stage
from ..block_rules import rule_of
from ..common import COMMON, HIGH_PRODUCTS
from ..interface import EntryInterface
from ..meshes import GROUPED
from ..names import DecompiledNames
from ..operations import SOURCE_OPS
from ..parts import SourceParts
from ..pixel_places import offset_of
from ..points import PointSets
from ..printer import Printer
from ..spelling import CallSpelling as Call
from ..spelling import Helper, Infix, Rank, Spellings, helper_names
from ..tree import Assign, Define, NodeForm, ScalarKind, SourceExpression, TermType
from .accesses import access, stored
from .entry import BARYCENTRICS, adapt, place_name
from .groups import EXTENSION, adapt_groups
from .points import adapt_points
from .program import program
from .types import ARITHMETIC, EXTENDED, type_name
from .words import RESERVED

__all__ = ["GlslTarget"]

INTRINSICS = "GL_EXT_spirv_intrinsics"

PRODUCT = """\
{T} product({T} a, {T} b) {
    precise {T} found = a * b;
    return found == found ? found : a == a ? b == b ? 0.0 : found : found;
}"""
FRACTION = """\
{T} fraction({T} x) {
    precise {T} found = x - floor(x);
    return found == 1.0 ? 0.99999994 : found;
}"""
SATURATE = """\
{T} saturate({T} x) {
    return x > 0.0 ? min(x, 1.0) : 0.0;
}"""
DEMOTE = "GL_EXT_demote_to_helper_invocation"
FIRST_HIGH = """\
{U} first_high({U} x) {
    return x == 0u ? 0xffffffffu : 31u - uint(findMSB(x));
}"""
FIRST_HIGH_SIGNED = """\
{U} first_high_signed({I} x) {
    uint bits = uint(x ^ (x >> 31));
    return bits == 0u ? 0xffffffffu : 31u - uint(findMSB(bits));
}"""
FIRST_LOW = """\
{U} first_low({U} x) {
    return uint(findLSB(x));
}"""
LEADING_ZEROS = """\
{U} leading_zeros({U} x) {
    return uint(31 - findMSB(x));
}"""
TRAILING_ZEROS = """\
{U} trailing_zeros({U} x) {
    return x == 0u ? 32u : uint(findLSB(x));
}"""
BIT_COUNT = """\
{U} bit_count({U} x) {
    return uint(bitCount(x));
}"""
HIGH_UNSIGNED = """\
{U} high_product({U} a, {U} b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}"""
HIGH_SIGNED = """\
{I} high_product({I} a, {I} b) {
    int high, low;
    imulExtended(a, b, high, low);
    return high;
}"""
TO_HALF = """\
{U} to_half({F} x) {
    return packHalf2x16(vec2(x, 0.0));
}"""
FROM_HALF = """\
{F} from_half({U} x) {
    return unpackHalf2x16(x).x;
}"""
# Instructions of GLSL.std.450 that return the number of a number and a NaN.
MINIMUM = 'spirv_instruction(set = "GLSL.std.450", id = 79)\n{T} min_number({T} a, {T} b);'
MAXIMUM = 'spirv_instruction(set = "GLSL.std.450", id = 80)\n{T} max_number({T} a, {T} b);'

TO_INT = """\
{I} to_int({F} x) {
    if (!(x > -2147483648.0)) return isnan(x) ? 0 : int(0x80000000u);
    return x < 2147483648.0 ? int(x) : 0x7fffffff;
}"""
TO_UINT = """\
{U} to_uint({F} x) {
    return x > 0.0 ? x < 4294967296.0 ? uint(x) : 0xffffffffu : 0u;
}"""
UNSIGNED_QUOTIENT = """\
{U} quotient({U} a, {U} b) {
    return b == 0u ? 0xffffffffu : a / b;
}"""
UNSIGNED_REMAINDER = """\
{U} remainder({U} a, {U} b) {
    return b == 0u ? 0xffffffffu : a % b;
}"""
SIGNED_REMAINDER = """\
{T} signed_remainder({T} a, {T} b) {
    return a - a / b * b;
}"""  # GLSL leaves a % b of negative numbers open, and glslang gives it the sign of b
GUARDED_REMAINDER = """\
{T} signed_remainder({T} a, {T} b) {
    if (b == {T}(0)) return ~{T}(0);
    return b == {T}(-1) ? {T}(0) : a - a / b * b;
}"""
GUARDED_QUOTIENT = """\
{T} signed_quotient({T} a, {T} b) {
    if (b == {T}(0)) return ~{T}(0);
    return b == {T}(-1) ? -a : a / b;
}"""  # the least number by -1 is as open as a division by 0
OTHER_DIVISION = """\
{U} WORD({U} a, {U} b) {
    return b == {U}(0) ? ~{U}(0) : a SIGN b;
}"""

REMAINDER = "spirv_instruction(id = 140)\n{T} remainder_of({T} a, {T} b);"  # OpFRem
LEGACY = """\
{T} legacy_product({T} a, {T} b) {
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}"""

REDUCTIONS = {
    OPS.iadd: "Add", OPS.fadd: "Add", OPS.imul: "Mul", OPS.fmul: "Mul", OPS.imin: "Min",
    OPS.umin: "Min", OPS.fmin: "Min", OPS.imax: "Max", OPS.umax: "Max", OPS.fmax: "Max",
    OPS.and_: "And", OPS.or_: "Or", OPS.xor: "Xor",
}  # fmt: skip
SUBGROUPS = {
    OPS.wave_elect: "basic", OPS.wave_all: "vote", OPS.wave_any: "vote", OPS.wave_equal: "vote",
    OPS.wave_ballot: "ballot", OPS.wave_first: "ballot", OPS.wave_read: "shuffle",
    OPS.wave_reduce: "arithmetic", OPS.wave_before: "arithmetic", OPS.quad_swap: "quad",
    SOURCE_OPS.quad_read: "quad",
}  # fmt: skip
BOOL = ScalarKind.BOOL
SPELLINGS: Spellings = {
    **COMMON,
    OPS.frint: Call("roundEven"), OPS.rsqrt: Call("inversesqrt"),
    OPS.popcount: Helper("bit_count", BIT_COUNT, bits=32),
    OPS.bitrev: Call("bitfieldReverse", bits=32),
    OPS.imulh: Helper("high_product", HIGH_SIGNED, bits=32),
    OPS.umulh: Helper("high_product", HIGH_UNSIGNED, bits=32),
    **HIGH_PRODUCTS,
    SOURCE_OPS.saturate: Helper("saturate", SATURATE),
    SOURCE_OPS.fraction: Helper("fraction", FRACTION),
    SOURCE_OPS.modulo: Call("mod", True), SOURCE_OPS.exp: Call("exp"),
    SOURCE_OPS.log: Call("log"), SOURCE_OPS.atan2: Call("atan", True),
    SOURCE_OPS.ldexp: Call("ldexp", True),
    SOURCE_OPS.product: Helper("product", PRODUCT),
    SOURCE_OPS.at_centroid: Call("interpolateAtCentroid"),
    SOURCE_OPS.ddx_fine: Call("dFdxFine"), SOURCE_OPS.ddy_fine: Call("dFdyFine"),
    SOURCE_OPS.ddx_coarse: Call("dFdxCoarse"), SOURCE_OPS.ddy_coarse: Call("dFdyCoarse"),
    SOURCE_OPS.first_high: Helper("first_high", FIRST_HIGH, bits=32),
    SOURCE_OPS.first_high_i: Helper("first_high_signed", FIRST_HIGH_SIGNED, bits=32),
    SOURCE_OPS.first_low: Helper("first_low", FIRST_LOW, bits=32),
    OPS.clz: Helper("leading_zeros", LEADING_ZEROS, bits=32),
    OPS.ctz: Helper("trailing_zeros", TRAILING_ZEROS, bits=32),
    OPS.frem: Helper("remainder_of", REMAINDER, declared=True),
    OPS.irem: Helper("signed_remainder", SIGNED_REMAINDER),
    OPS.fmul_legacy: Helper("legacy_product", LEGACY),
    OPS.is_helper: Call("helperInvocationEXT"),
    OPS.wave_elect: Call("subgroupElect"), OPS.wave_all: Call("subgroupAll"),
    OPS.wave_any: Call("subgroupAny"), OPS.wave_equal: Call("subgroupAllEqual"),
    OPS.wave_ballot: Call("subgroupBallot"), OPS.wave_first: Call("subgroupBroadcastFirst"),
    OPS.wave_read: Call("subgroupShuffle"),
    (OPS.quad_swap, 1): Call("subgroupQuadSwapHorizontal"),
    (OPS.quad_swap, 2): Call("subgroupQuadSwapVertical"),
    (OPS.quad_swap, 3): Call("subgroupQuadSwapDiagonal"),
    SOURCE_OPS.quad_read: Call("subgroupQuadBroadcast"),
    **{
        (wave, op): Call(f"subgroup{start}{word}")
        for wave, start in ((OPS.wave_reduce, ""), (OPS.wave_before, "Exclusive"))
        for op, word in REDUCTIONS.items()
    },
    SOURCE_OPS.to_half: Helper("to_half", TO_HALF, bits=32),
    SOURCE_OPS.from_half: Helper("from_half", FROM_HALF, bits=32),
}  # fmt: skip
GUARDED: Spellings = {
    OPS.fmin: Helper("min_number", MINIMUM, declared=True),
    OPS.fmax: Helper("max_number", MAXIMUM, declared=True),
    OPS.ftoi: Helper("to_int", TO_INT, bits=32), OPS.ftou: Helper("to_uint", TO_UINT, bits=32),
    OPS.udiv: Helper("quotient", UNSIGNED_QUOTIENT, bits=32),
    OPS.urem: Helper("remainder", UNSIGNED_REMAINDER, bits=32),
    OPS.irem: Helper("signed_remainder", GUARDED_REMAINDER),
    OPS.idiv: Helper("signed_quotient", GUARDED_QUOTIENT),
    **{
        (op, bits): Helper(word, OTHER_DIVISION.replace("WORD", word).replace("SIGN", sign))
        for op, word, sign in ((OPS.udiv, "quotient", "/"), (OPS.urem, "remainder", "%"))
        for bits in (8, 16, 64)
    },
}  # fmt: skip
QUOTIENTS: dict[object, Infix] = {
    OPS.idiv: Infix("/", Rank.MULTIPLY), OPS.udiv: Infix("/", Rank.MULTIPLY),
    OPS.urem: Infix("%", Rank.MULTIPLY),
}  # fmt: skip
COMPARISONS = {
    OPS.ieq: "equal", OPS.feq: "equal", OPS.ine: "notEqual", OPS.fne: "notEqual",
    OPS.flt: "lessThan", OPS.ilt: "lessThan", OPS.ult: "lessThan",
    OPS.fle: "lessThanEqual", OPS.ile: "lessThanEqual", OPS.ule: "lessThanEqual",
}  # fmt: skip
EQUALITIES: Mapping[object, str] = {  # of vectors
    (SOURCE_OPS.all_, OPS.ieq): "==",
    (SOURCE_OPS.all_, OPS.feq): "==",
    (SOURCE_OPS.any_, OPS.ine): "!=",
    (SOURCE_OPS.any_, OPS.fne): "!=",
}
BITS = {32: "floatBitsTo{}", 64: "doubleBitsTo{}64", 16: "float16BitsTo{}16"}
SOURCES = {
    "wave_lane": "gl_SubgroupInvocationID",
    "wave_size": "gl_SubgroupSize",
    "quad_lane": "(gl_SubgroupInvocationID & 3u)",
    "helper": "uint(gl_HelperInvocation)",
}
ENDINGS = {
    (ScalarKind.INT, 64): "l", (ScalarKind.UINT, 64): "ul",
    (ScalarKind.INT, 16): "s", (ScalarKind.UINT, 16): "us",
    (ScalarKind.FLOAT, 64): "lf", (ScalarKind.FLOAT, 16): "hf",
}  # fmt: skip
WORDS = {  # of numbers of 64 bits
    (ScalarKind.UINT, 64, 32): "packUint2x32", (ScalarKind.UINT, 32, 64): "unpackUint2x32",
}  # fmt: skip
FLOATS = {32: "{}BitsToFloat", 64: "{}64BitsToDouble", 16: "{}16BitsToFloat16"}


class GlslTarget:
    """The target; `extensions` are those that the text needs."""

    precise = "precise "
    broadcasts = False
    trailing_tests = True
    by_rows = False
    componentwise = True
    truncates_halves = True  # glslang
    reserved = RESERVED | helper_names(SPELLINGS) | helper_names(GUARDED)
    stages = frozenset({
        Stage.PIXEL, Stage.VERTEX, Stage.COMPUTE, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN,
        Stage.MESH, Stage.AMPLIFICATION,
    })  # fmt: skip
    bool_kind = ScalarKind.UINT
    widths = True
    attachments = True
    instances = True
    global_members = False
    indexed_resources = False
    unbounded_resources = True
    by_bytes = False
    heaps = False
    payload_member = ""
    helper_lanes = False
    functions: Mapping[str, str] = {
        "frac": "fract", "atan2": "atan", "(float2x2)": "mat2", "(float3x3)": "mat3",
        "NonUniformResourceIndex": "nonuniformEXT",
    }  # fmt: skip
    sources: Mapping[str, str] = SOURCES
    endings: Mapping[tuple[ScalarKind, int], str] = ENDINGS

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.extensions: set[str] = set()
        self.views: dict[tuple[str, int], str] = {}  # blocks by the size of their numbers
        self.discard = "discard"
        self.images: set[object] = set()  # memories of images, which are not textures
        self.spellings: Spellings = {**SPELLINGS, **GUARDED} if exact else SPELLINGS

    def adapt(self, interface: EntryInterface, kernel: KernelIR, points: PointSets) -> None:
        """Give parameters and members of points the names and kinds of their built-ins."""
        adapt(interface, kernel, points, self.extensions)
        if kernel.stage in GROUPED:
            self.extensions.add(EXTENSION)
            adapt_groups(points, interface.names)
        else:
            adapt_points(points, interface.names)

    def place_name(self, names: DecompiledNames, word: str) -> str:
        """Return the name of a position of the lane."""
        return place_name(word)

    def program(self, parts: SourceParts) -> str:
        """Return the whole text."""
        if self.exact and parts.continues_after_discard:
            self.discard = "demote"
            self.extensions.add(DEMOTE)
        return program(self, parts)

    def packs(self, buffer: ConstantBuffer, uniform: bool, stride: int) -> bool:
        """Return True if a layout of GLSL places every member where the buffer has it."""
        return rule_of(buffer, uniform, stride) is not None

    def type(self, type: TermType) -> str:
        """Return the name of a type."""
        return type_name(type, self.extensions)

    def bits(self, type: TermType, text: str, of: TermType) -> str:
        """Return the call that casts bits."""
        words = WORDS.get((type.kind, type.bits, of.bits))
        if words is not None:
            self.type(type)
            return f"{words}({text})"
        if type.bits != of.bits or type.bits not in BITS:
            raise UnsupportedError("numbers of another width cannot be cast yet")
        self.type(type)
        self.type(of)
        if type.kind is ScalarKind.FLOAT:
            return f"{FLOATS[type.bits].format(of.kind.value)}({text})"
        return f"{BITS[type.bits].format(type.kind.value.capitalize())}({text})"

    def special(self, bits: int, type: TermType) -> str:
        """Return a float without a decimal spelling."""
        whole = TermType(ScalarKind.UINT, type.bits)
        ending = {16: "us", 32: "u", 64: "ul"}[type.bits]
        return self.bits(type, f"{bits:#x}{ending}", whole)

    def widened(self, printer: Printer, value: SourceExpression, width: int) -> str:
        """Return a vector with a scalar in every component."""
        return f"{self.type(value.type.wide(width))}({printer.text(value)})"

    def select(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return a choice: the conditional operator, or `mix` for a vector of conditions."""
        condition, one, other = value.args
        width = value.type.width
        if condition.type.width > 1:
            parts = [printer.widened(each, width) for each in (other, one, condition)]
            return f"mix({', '.join(parts)})", Rank.PRIMARY
        head = printer.text(condition, Rank.OR)
        first, second = (
            printer.text(each, Rank.OR)
            if each.type.width == width
            else printer.widened(each, width)
            for each in (one, other)
        )
        return f"{head} ? {first} : {second}", Rank.SELECT

    def compare(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return a comparison of vectors; None for other operations."""
        width = max((each.type.width for each in value.args), default=1)
        if width == 1:
            return None
        if value.op is OPS.not_:
            return f"not({printer.text(value.args[0])})", Rank.PRIMARY
        word = COMPARISONS.get(value.op) if isinstance(value.op, Op) else None
        if word is None:
            return None
        a, b = (printer.widened(each, width) for each in value.args)
        return f"{word}({a}, {b})", Rank.PRIMARY

    def operation(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return an operation with a special spelling; None for other operations."""
        op = value.op
        equal = EQUALITIES.get((op, value.args[0].op)) if value.args else None
        if equal is not None:
            return _of_vectors(printer, equal, value.args[0]), Rank.EQUAL
        if op is OPS.frem or (op in (OPS.fmin, OPS.fmax) and self.exact):
            self.extensions.add(INTRINSICS)
        if op in SUBGROUPS:
            self.extensions.add(f"GL_KHR_shader_subgroup_{SUBGROUPS[op]}")
            named: set[str] = set()
            for each in (value, *value.args):
                type_name(each.type, named)
            self.extensions |= {each.replace(ARITHMETIC, EXTENDED) for each in named}
        elif op is OPS.is_helper:
            self.extensions.add(DEMOTE)
        if op in (SOURCE_OPS.at_offset, SOURCE_OPS.at_snapped):
            args = printer.list((value.args[0], offset_of(value)))
            return f"interpolateAtOffset({args})", Rank.PRIMARY
        if op is SOURCE_OPS.at_sample:
            whole, number = value.args
            if number.type.kind is ScalarKind.UINT:
                number = SourceExpression(NodeForm.CONVERT, TermType(ScalarKind.INT), (number,))
            return f"interpolateAtSample({printer.list((whole, number))})", Rank.PRIMARY
        if op is SOURCE_OPS.at_vertex:
            self.extensions.add(BARYCENTRICS)
            return f"{printer.text(value.args[0])}[{printer.text(value.args[1])}]", Rank.PRIMARY
        if op in QUOTIENTS and _is_safe_divisor(value.args[1]):
            return printer.infix(value, QUOTIENTS[op])
        if op not in (OPS.ishl, OPS.ishr, OPS.ushr):
            return None
        a, b = value.args
        if a.type.width < b.type.width:
            wide = a.type.wide(b.type.width)
            a = SourceExpression(NodeForm.SWIZZLE, wide, (a,), (0,) * b.type.width)
        if self.exact and b.op is not NodeForm.LITERAL:
            mask = SourceExpression(NodeForm.LITERAL, b.type.wide(1), (), (value.type.bits - 1,))
            if b.op is not OPS.and_ or b.args[1].attr != mask.attr:
                b = SourceExpression(OPS.and_, b.type, (b, mask))
        elif a is value.args[0]:
            return None
        word = "<<" if op is OPS.ishl else ">>"
        return printer.infix(SourceExpression(op, value.type, (a, b)), Infix(word, Rank.SHIFT))

    def access(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return an access to a resource."""
        return access(self, printer, value)

    def stored(self, printer: Printer, line: Assign) -> str:
        """Return a store to an image; nothing for other assignments."""
        return stored(printer, line)

    def definition(self, printer: Printer, line: Define) -> Sequence[str]:
        """Return nothing: each definition is one statement."""
        return ()


def _is_safe_divisor(divisor: SourceExpression) -> bool:
    """Return True for literals other than 0 and -1, for which GLSL defines the quotient."""
    ones = (1 << divisor.type.bits) - 1
    return divisor.op is NodeForm.LITERAL and all(each not in (0, ones) for each in divisor.attr)


def _of_vectors(printer: Printer, word: str, value: SourceExpression) -> str:
    """Return a comparison of whole vectors, which is one bool."""
    width = value.type.width
    return f" {word} ".join(
        printer.text(each, Rank.ORDER) if each.type.width == width
        else printer.widened(each, width)
        for each in value.args
    )  # fmt: skip
