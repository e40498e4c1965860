"""Operations: the instruction of each, or several where the rules of SPIR-V differ.

    fadd a, b          OpFAdd, decorated NoContraction; Fma too, which may be two roundings else
    fmin a, b          NMin: FMin may return a NaN
    ftoi x             OpConvertFToS of a clamped number: others have no result
    a << b             OpShiftLeftLogical by b & 31
    x / y              the divisor is 1 where it is 0, and the result is selected

The module asks for each result as the program defines it. How exact divisions, square roots and
functions such as `sin` are is left to the implementation by Vulkan.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ...errors import UnsupportedError
from ...ir.fold import from_float
from ...ir.ops import OPS, Op
from ...ir.types import F16, F32, F64
from ...ir.waves import Wave
from ..operations import SOURCE_OPS
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType
from .writer import UINT, SpirvWriter

__all__ = ["EXPANSIONS", "INSTRUCTIONS", "emitted"]

BOOL, INT, FLOAT = ScalarKind.BOOL, ScalarKind.INT, ScalarKind.FLOAT
WORD_BITS = 32
WORD = (1 << WORD_BITS) - 1
FLOATS = {16: F16, 32: F32, 64: F64}
MANTISSA = {16: 11, 32: 24, 64: 53}
SCOPE = 3  # a subgroup

Operands: TypeAlias = Sequence[str]
Expansion: TypeAlias = Callable[[SpirvWriter, SourceExpression, TermType, Operands], str]

INSTRUCTIONS: Mapping[object, str] = {
    OPS.fadd: "OpFAdd", OPS.fsub: "OpFSub", OPS.fmul: "OpFMul", OPS.fdiv: "OpFDiv",
    OPS.fneg: "OpFNegate", OPS.frem: "OpFRem", OPS.iadd: "OpIAdd", OPS.isub: "OpISub",
    OPS.imul: "OpIMul", OPS.ineg: "OpSNegate", OPS.and_: "OpBitwiseAnd", OPS.or_: "OpBitwiseOr",
    OPS.xor: "OpBitwiseXor", OPS.not_: "OpNot", (OPS.and_, BOOL): "OpLogicalAnd",
    (OPS.or_, BOOL): "OpLogicalOr", (OPS.xor, BOOL): "OpLogicalNotEqual",
    (OPS.not_, BOOL): "OpLogicalNot", OPS.ieq: "OpIEqual", OPS.ine: "OpINotEqual",
    (OPS.ieq, BOOL): "OpLogicalEqual", (OPS.ine, BOOL): "OpLogicalNotEqual",
    OPS.feq: "OpFOrdEqual", OPS.fne: "OpFUnordNotEqual", OPS.flt: "OpFOrdLessThan",
    OPS.fle: "OpFOrdLessThanEqual", OPS.ilt: "OpSLessThan", OPS.ile: "OpSLessThanEqual",
    OPS.ult: "OpULessThan", OPS.ule: "OpULessThanEqual", OPS.popcount: "OpBitCount",
    OPS.bitrev: "OpBitReverse", OPS.select: "OpSelect", OPS.itof: "OpConvertSToF",
    OPS.utof: "OpConvertUToF", OPS.fconv: "OpFConvert", OPS.iconv: "OpSConvert",
    OPS.ffma: "Fma", OPS.fsqrt: "Sqrt", OPS.fmin: "NMin", OPS.fmax: "NMax", OPS.ffloor: "Floor",
    OPS.fceil: "Ceil", OPS.ftrunc: "Trunc", OPS.frint: "RoundEven", OPS.fabs: "FAbs",
    OPS.imin: "SMin", OPS.imax: "SMax", OPS.umin: "UMin", OPS.umax: "UMax", OPS.sin: "Sin",
    OPS.cos: "Cos", OPS.tan: "Tan", OPS.asin: "Asin", OPS.acos: "Acos", OPS.atan: "Atan",
    OPS.sinh: "Sinh", OPS.cosh: "Cosh", OPS.tanh: "Tanh", OPS.exp2: "Exp2", OPS.log2: "Log2",
    SOURCE_OPS.all_: "OpAll", SOURCE_OPS.any_: "OpAny",
    OPS.pow: "Pow", OPS.rsqrt: "InverseSqrt",
    SOURCE_OPS.ddx_fine: "OpDPdxFine", SOURCE_OPS.ddy_fine: "OpDPdyFine",
    SOURCE_OPS.ddx_coarse: "OpDPdxCoarse", SOURCE_OPS.ddy_coarse: "OpDPdyCoarse",
}  # fmt: skip
CAPABILITIES = {
    SOURCE_OPS.ddx_fine: "DerivativeControl", SOURCE_OPS.ddy_fine: "DerivativeControl",
    SOURCE_OPS.ddx_coarse: "DerivativeControl", SOURCE_OPS.ddy_coarse: "DerivativeControl",
}  # fmt: skip
# Operations that may neither be joined with others nor, as Fma, be taken apart.
EXACT = frozenset({OPS.fadd, OPS.fsub, OPS.fmul, OPS.fdiv, OPS.fneg, OPS.frem, OPS.ffma})
# Operations of which Vulkan has those on 32 bits only.
WORDS = frozenset({
    OPS.popcount, OPS.bitrev, OPS.clz, OPS.ctz, SOURCE_OPS.first_high, SOURCE_OPS.first_high_i,
    SOURCE_OPS.first_low,
})  # fmt: skip


def emitted(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    """Return the result of an operation on operands of the width of its result."""
    op = value.op
    kind = value.args[0].type.kind if value.args else None
    if isinstance(value.attr, Wave) or op in WAVES:
        return waved(w, value, type, args)
    if op in WORDS and value.args[0].type.bits != WORD_BITS:
        raise UnsupportedError(
            f"{value.args[0].type.bits} bits are no operand of {op.name} in Vulkan"
        )
    expansion = EXPANSIONS.get(op) if isinstance(op, Op) else None
    if expansion is not None:
        return expansion(w, value, type, args)
    word = INSTRUCTIONS.get((op, kind)) or INSTRUCTIONS.get(op)
    if word is None or not isinstance(op, Op):
        raise UnsupportedError(f"{getattr(op, 'name', op)} cannot be translated yet")
    if op in CAPABILITIES:
        w.module.require(CAPABILITIES[op])
    if word.startswith("Op"):
        made = w.op(word, type, *args)
    elif type.bits == 64 and word in NARROW:
        raise UnsupportedError(f"{op.name} of 64 bits has no instruction")
    else:
        made = w.extended(word, type, *args)
    if op in EXACT:
        w.module.decorate(made, "NoContraction")
    return made


NARROW = frozenset({
    "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Exp2", "Log2", "Pow",
})  # fmt: skip


# ---------------------------------------------------------------- small steps


def constant(w: SpirvWriter, type: TermType, bits: int) -> str:
    """Return a constant with equal components."""
    return w.module.constant(type, bits)


def real(w: SpirvWriter, type: TermType, number: float) -> str:
    """Return a float with equal components."""
    return w.module.constant(type, from_float(number, FLOATS[type.bits]))


def compared(w: SpirvWriter, opcode: str, type: TermType, *args: str) -> str:
    """Return a comparison of operands of a width."""
    return w.op(opcode, TermType(BOOL, 32, type.width), *args)


def exact(w: SpirvWriter, opcode: str, type: TermType, *args: str) -> str:
    """Return the result of arithmetic that is not contracted."""
    made = w.op(opcode, type, *args)
    w.module.decorate(made, "NoContraction")
    return made


def cast(w: SpirvWriter, type: TermType, of: TermType, value: str) -> str:
    """Return the bits of a value as another type."""
    return value if type == of else w.op("OpBitcast", type, value)


def per_component(
    w: SpirvWriter, type: TermType, args: Operands, of: TermType, each: Callable[[list[str]], str]
) -> str:
    """Return a vector of the results of a function of scalars."""
    if type.width == 1:
        return each([*args])
    parts = []
    for at in range(type.width):
        parts.append(each([w.op("OpCompositeExtract", of.wide(1), arg, at) for arg in args]))
    return w.op("OpCompositeConstruct", type, *parts)


# ---------------------------------------------------------------- expansions


def _canonical(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    return exact(w, "OpFMul", type, args[0], real(w, type, 1.0))


def _dot(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    """Return a scalar product by its sums in order, since OpDot may sum in any order."""
    scalar = type.wide(1)
    total = ""
    for at in range(value.args[0].type.width):
        pair = [w.op("OpCompositeExtract", scalar, arg, at) for arg in args]
        product = exact(w, "OpFMul", scalar, *pair)
        total = exact(w, "OpFAdd", scalar, total, product) if total else product
    return total


def _fraction(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    found = exact(w, "OpFSub", type, args[0], w.extended("Floor", type, args[0]))
    whole = compared(w, "OpFOrdEqual", type, found, real(w, type, 1.0))
    return w.op("OpSelect", type, whole, constant(w, type, 0x3F7F_FFFF), found)


def _saturate(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    zero = real(w, type, 0.0)
    above = compared(w, "OpFOrdGreaterThan", type, args[0], zero)
    least = w.extended("NMin", type, args[0], real(w, type, 1.0))
    return w.op("OpSelect", type, above, least, zero)


def _product(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    """Return a * b, but 0 for zero times infinity: a NaN of operands that are numbers."""
    found = exact(w, "OpFMul", type, *args)
    both = [compared(w, "OpFOrdEqual", type, each, each) for each in args]
    none = compared(w, "OpFUnordNotEqual", type, found, found)
    flags = TermType(BOOL, 32, type.width)
    numbers = w.op("OpLogicalAnd", flags, *both)
    odd = w.op("OpLogicalAnd", flags, none, numbers)
    return w.op("OpSelect", type, odd, real(w, type, 0.0), found)


def _legacy(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    zero = real(w, type, 0.0)
    either = [compared(w, "OpFOrdEqual", type, each, zero) for each in args]
    found = exact(w, "OpFMul", type, *args)
    test = w.op("OpLogicalOr", TermType(BOOL, 32, type.width), *either)
    return w.op("OpSelect", type, test, zero, found)


def _high(opcode: str, kind: ScalarKind) -> Expansion:
    def expand(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
        own = type._replace(kind=kind)
        given = [cast(w, own, type, each) for each in args]
        id = w.module.type(own)
        both = w.op(opcode, w.module.declared("OpTypeStruct", id, id), *given)
        return cast(w, type, own, w.op("OpCompositeExtract", own, both, 1))

    return expand


def _highest(signed: bool) -> Expansion:
    """Return the expansion for the zeros above the highest bit, all ones for none."""

    def expand(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
        of = value.args[0].type.wide(type.width)
        whole = UINT.wide(type.width)
        kind = of._replace(kind=INT) if signed else whole
        word = "FindSMsb" if signed else "FindUMsb"
        at = w.extended(word, whole, cast(w, kind, of, args[0]))
        none = compared(w, "OpIEqual", type, at, constant(w, whole, WORD))
        above = w.op("OpISub", whole, constant(w, whole, 31), at)
        found = w.op("OpSelect", whole, none, constant(w, whole, WORD), above)
        return cast(w, type, whole, found)

    return expand


def _leading(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    whole = UINT.wide(type.width)
    at = w.extended("FindUMsb", whole, cast(w, whole, type, args[0]))  # -1 for 0
    return cast(w, type, whole, w.op("OpISub", whole, constant(w, whole, 31), at))


def _lowest(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    return w.extended("FindILsb", type, args[0])


def _trailing(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    at = w.extended("FindILsb", type, args[0])
    none = compared(w, "OpIEqual", type, args[0], constant(w, type, 0))
    return w.op("OpSelect", type, none, constant(w, type, 32), at)


def _to_half(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    of, zero = TermType(FLOAT), real(w, TermType(FLOAT), 0.0)

    def packed(parts: list[str]) -> str:
        pair = w.op("OpCompositeConstruct", of.wide(2), parts[0], zero)
        return w.extended("PackHalf2x16", UINT, pair)

    whole = UINT.wide(type.width)
    return cast(w, type, whole, per_component(w, whole, args, of, packed))


def _from_half(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    def unpacked(parts: list[str]) -> str:
        pair = w.extended("UnpackHalf2x16", type.wide(2), parts[0])
        return w.op("OpCompositeExtract", type.wide(1), pair, 0)

    return per_component(w, type, args, value.args[0].type.wide(1), unpacked)


def _shift(opcode: str) -> Expansion:
    def expand(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
        amount = value.args[1]
        one, other = args
        known = amount.op is NodeForm.LITERAL
        if not (known and all(each < type.bits for each in amount.attr)):
            of = amount.type.wide(type.width)
            other = w.op("OpBitwiseAnd", of, other, constant(w, of, type.bits - 1))
        return w.op(opcode, type, one, other)

    return expand


def _quotient(opcode: str, signed: bool) -> Expansion:
    """Return the expansion of a division or remainder, which is all ones for the divisor 0."""

    def expand(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
        own = type if signed else type._replace(kind=ScalarKind.UINT)
        a, b = (cast(w, own, value.args[at].type.wide(type.width), args[at]) for at in (0, 1))
        ones = (1 << type.bits) - 1
        divisor = value.args[1]
        known = divisor.op is NodeForm.LITERAL
        if known and all(each not in (0, ones) for each in divisor.attr):
            return cast(w, type, own, w.op(opcode, own, a, b))
        zero = compared(w, "OpIEqual", own, b, constant(w, own, 0))
        bad = zero
        if signed:
            flags = TermType(BOOL, 32, type.width)
            least = compared(w, "OpIEqual", own, a, constant(w, own, 1 << type.bits - 1))
            minus = compared(w, "OpIEqual", own, b, constant(w, own, ones))
            over = w.op("OpLogicalAnd", flags, least, minus)
            bad = w.op("OpLogicalOr", flags, zero, over)
        by = w.op("OpSelect", own, bad, constant(w, own, 1), b)
        found = w.op(opcode, own, a, by)
        return cast(w, type, own, w.op("OpSelect", own, zero, constant(w, own, ones), found))

    return expand


def _to_integer(signed: bool) -> Expansion:
    """Return the expansion of a conversion to an integer: the nearest that exists, 0 for NaN."""

    def expand(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
        of = value.args[0].type.wide(type.width)
        x = args[0]
        if of.bits == 16:
            wide = of._replace(bits=32)
            x, of = w.op("OpFConvert", wide, x), wide
        top = type.bits - signed
        limit = 2.0**top
        last = min(top, MANTISSA[of.bits])
        largest = limit - 2.0 ** (top - last)
        least = -limit if signed else 0.0
        own = type._replace(kind=INT if signed else ScalarKind.UINT)
        inside = w.extended("NClamp", of, x, real(w, of, least), real(w, of, largest))
        found = w.op("OpConvertFToS" if signed else "OpConvertFToU", own, inside)
        if last < top:
            over = compared(w, "OpFOrdGreaterThanEqual", of, x, real(w, of, limit))
            found = w.op("OpSelect", own, over, constant(w, own, (1 << top) - 1), found)
        if signed:
            none = compared(w, "OpFUnordNotEqual", of, x, x)
            found = w.op("OpSelect", own, none, constant(w, own, 0), found)
        return cast(w, type, own, found)

    return expand


def _zero_extended(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    own = type._replace(kind=ScalarKind.UINT)
    of = value.args[0].type.wide(type.width)
    x = cast(w, of._replace(kind=ScalarKind.UINT), of, args[0])
    return cast(w, type, own, w.op("OpUConvert", own, x) if of.bits != own.bits else x)


def _is_helper(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    w.module.require("DemoteToHelperInvocation")
    return w.op("OpIsHelperInvocationEXT", type)


EXPANSIONS: Mapping[Op, Expansion] = {
    OPS.fcanonicalise: _canonical, SOURCE_OPS.dot: _dot, SOURCE_OPS.fraction: _fraction,
    SOURCE_OPS.saturate: _saturate, SOURCE_OPS.product: _product, OPS.fmul_legacy: _legacy,
    OPS.umulh: _high("OpUMulExtended", ScalarKind.UINT), OPS.imulh: _high("OpSMulExtended", INT),
    SOURCE_OPS.first_high: _highest(False), SOURCE_OPS.first_high_i: _highest(True),
    SOURCE_OPS.first_low: _lowest, OPS.clz: _leading, OPS.ctz: _trailing,
    SOURCE_OPS.to_half: _to_half, SOURCE_OPS.from_half: _from_half,
    OPS.ishl: _shift("OpShiftLeftLogical"), OPS.ishr: _shift("OpShiftRightArithmetic"),
    OPS.ushr: _shift("OpShiftRightLogical"), OPS.udiv: _quotient("OpUDiv", False),
    OPS.urem: _quotient("OpUMod", False), OPS.idiv: _quotient("OpSDiv", True),
    OPS.irem: _quotient("OpSRem", True), OPS.ftoi: _to_integer(True),
    OPS.ftou: _to_integer(False), OPS.uconv: _zero_extended, OPS.is_helper: _is_helper,
}  # fmt: skip


# ---------------------------------------------------------------- waves

WAVES: Mapping[Op, tuple[str, str]] = {  # instruction and capability
    OPS.wave_elect: ("OpGroupNonUniformElect", ""),
    OPS.wave_all: ("OpGroupNonUniformAll", "Vote"),
    OPS.wave_any: ("OpGroupNonUniformAny", "Vote"),
    OPS.wave_equal: ("OpGroupNonUniformAllEqual", "Vote"),
    OPS.wave_ballot: ("OpGroupNonUniformBallot", "Ballot"),
    OPS.wave_first: ("OpGroupNonUniformBroadcastFirst", "Ballot"),
    OPS.wave_read: ("OpGroupNonUniformShuffle", "Shuffle"),
    OPS.wave_reduce: ("Reduce", "Arithmetic"),
    OPS.wave_before: ("ExclusiveScan", "Arithmetic"),
    OPS.quad_swap: ("OpGroupNonUniformQuadSwap", "Quad"),
    SOURCE_OPS.quad_read: ("OpGroupNonUniformQuadBroadcast", "Quad"),
}  # fmt: skip
COMBINATIONS: Mapping[Op, str] = {
    OPS.iadd: "IAdd", OPS.fadd: "FAdd", OPS.imul: "IMul", OPS.fmul: "FMul", OPS.imin: "SMin",
    OPS.umin: "UMin", OPS.fmin: "FMin", OPS.imax: "SMax", OPS.umax: "UMax", OPS.fmax: "FMax",
    OPS.and_: "BitwiseAnd", OPS.or_: "BitwiseOr", OPS.xor: "BitwiseXor",
}  # fmt: skip


def waved(w: SpirvWriter, value: SourceExpression, type: TermType, args: Operands) -> str:
    """Return the result of an operation between the lanes of a wave."""
    op = value.op
    assert isinstance(op, Op)
    found = WAVES.get(op)
    wave = value.attr if isinstance(value.attr, Wave) else Wave()
    if found is None:
        raise UnsupportedError(f"{op.name} cannot be translated yet")
    word, capability = found
    w.module.require("GroupNonUniform")
    if capability:
        w.module.require(f"GroupNonUniform{capability}")
    scope = w.number(SCOPE)
    if op is OPS.quad_swap:
        return w.op(word, type, scope, args[0], w.number(value.attr - 1))
    if op in (OPS.wave_reduce, OPS.wave_before):
        combination = COMBINATIONS.get(wave.op) if wave.op is not None else None
        if combination is None:
            raise UnsupportedError(f"{op.name} of this operation cannot be translated yet")
        size: list[str] = []
        if wave.cluster:
            w.module.require("GroupNonUniformClustered")
            word, size = "ClusteredReduce", [w.number(wave.cluster)]
        name = f"OpGroupNonUniform{combination}"
        if type.kind is BOOL:
            name = name.replace("Bitwise", "Logical")
        return w.op(name, type, scope, word, *args, *size)
    if op is OPS.wave_equal and type.width > 1:
        raise UnsupportedError("votes of vectors cannot be translated yet")
    return w.op(word, type, scope, *args)
