"""Lowering of pure operations: LLVM's instructions and functions dx.op, one formula a row.

    %3 = fmul fast float %1, %2              fmul
    %4 = call float @dx.op.unary.f32(i32 7)  fmin(fmax(x, 0), 1)

Formulas take the operands in their order. Types are taken from the operands or the result. Flags
(nuw, nsw, exact, fast maths) have no effect. Vectors are taken element by element.

Choices that the specification leaves:

    FMad, dot products   round after every step, from x on
    FMin, FMax           of zeros with different signs: the second of FMin, the first of FMax
    udiv, urem by 0      all ones
    conversions          to integers truncate, clamp, and make 0 of NaN
    Dot2AddHalf          products of halves are exact in 32 bits; they are added one after the other

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; the language reference of LLVM 3.7; the
Direct3D 11.3 functional specification, section 22.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.fold import LEAST_NORMAL, from_float
from ....ir.kernel import Value
from ....ir.library import direct3d
from ....ir.ops import OPS
from ....ir.types import BOOL, F16, F32, F64, I16, I32, I64, Type
from .calls import Handlers

__all__ = ["BINARY", "CASTS", "FORMULAS", "PACKING", "REDUCTIONS", "compare", "join", "split"]

Formula = Callable[..., Any]


# ---------------------------------------------------------------- LLVM's instructions


# fmt: off
BINARY: dict[str, Formula] = {
    "add":  lambda b, x, y: b.iadd(x, y),
    "sub":  lambda b, x, y: b.isub(x, y),
    "mul":  lambda b, x, y: b.imul(x, y),
    "udiv": lambda b, x, y: b.udiv(x, y),
    "sdiv": lambda b, x, y: b.idiv(x, y),
    "urem": lambda b, x, y: b.urem(x, y),
    "srem": lambda b, x, y: b.irem(x, y),
    "shl":  lambda b, x, y: b.ishl(x, y),
    "lshr": lambda b, x, y: b.ushr(x, y),
    "ashr": lambda b, x, y: b.ishr(x, y),
    "and":  lambda b, x, y: b.and_(x, y),
    "or":   lambda b, x, y: b.or_(x, y),
    "xor":  lambda b, x, y: b.xor(x, y),
    "fadd": lambda b, x, y: b.fadd(x, y),
    "fsub": lambda b, x, y: b.fsub(x, y),
    "fmul": lambda b, x, y: b.fmul(x, y),
    "fdiv": lambda b, x, y: b.fdiv(x, y),
    "frem": lambda b, x, y: b.frem(x, y),
}
PREDICATES: dict[str, Formula] = {
    "eq":  lambda b, x, y: b.ieq(x, y),
    "ne":  lambda b, x, y: b.ine(x, y),
    "ugt": lambda b, x, y: b.ult(y, x),
    "uge": lambda b, x, y: b.ule(y, x),
    "ult": lambda b, x, y: b.ult(x, y),
    "ule": lambda b, x, y: b.ule(x, y),
    "sgt": lambda b, x, y: b.ilt(y, x),
    "sge": lambda b, x, y: b.ile(y, x),
    "slt": lambda b, x, y: b.ilt(x, y),
    "sle": lambda b, x, y: b.ile(x, y),
}
FLOAT_PREDICATES: dict[str, Formula] = {
    "false": lambda b, x, y: b.bool(False),
    "oeq": lambda b, x, y: b.feq(x, y),
    "ogt": lambda b, x, y: b.flt(y, x),
    "oge": lambda b, x, y: b.fle(y, x),
    "olt": lambda b, x, y: b.flt(x, y),
    "ole": lambda b, x, y: b.fle(x, y),
    "one": lambda b, x, y: b.or_(b.flt(x, y), b.flt(y, x)),
    "ord": lambda b, x, y: b.and_(b.feq(x, x), b.feq(y, y)),
    "uno": lambda b, x, y: b.or_(b.fne(x, x), b.fne(y, y)),
    "ueq": lambda b, x, y: b.not_(b.or_(b.flt(x, y), b.flt(y, x))),
    "ugt": lambda b, x, y: b.not_(b.fle(x, y)),
    "uge": lambda b, x, y: b.not_(b.flt(x, y)),
    "ult": lambda b, x, y: b.not_(b.fle(y, x)),
    "ule": lambda b, x, y: b.not_(b.flt(y, x)),
    "une": lambda b, x, y: b.fne(x, y),
    "true": lambda b, x, y: b.bool(True),
}
# fmt: on


def compare(b: Builder, name: str, x: Value, y: Value) -> Value:
    """Append a comparison of integers, bools or floats by LLVM's predicate."""
    table = FLOAT_PREDICATES if x.type.kind == "f" else PREDICATES
    if name not in table:
        raise UnsupportedError(f"a comparison {name} of {x.type.name} cannot be run")
    if x.type == BOOL and name not in ("eq", "ne"):  # true is -1 as a signed number
        ones = constant(0xFFFF_FFFF, I32)
        x, y = b.select(x, ones, 0), b.select(y, ones, 0)
    found: Value = table[name](b, x, y)
    return found


def _widened(b: Builder, x: Value, type: Type, *, signed: bool) -> Value:
    if x.type == BOOL:
        ones = type.mask if signed else 1
        found: Value = b.select(x, constant(ones, type), constant(0, type))
    else:
        found = (b.iconv if signed else b.uconv)(x, type=type)
    return found


def _narrowed(b: Builder, x: Value, type: Type) -> Value:
    if type == BOOL:
        found: Value = b.ine(b.and_(x, 1), 0)
    else:
        found = b.uconv(x, type=type)
    return found


def _to_float(b: Builder, x: Value, type: Type, *, signed: bool) -> Value:
    if x.type == BOOL:
        x = _widened(b, x, I32, signed=signed)
    found: Value = (b.itof if signed else b.utof)(x, type=type)
    return found


def _to_integer(b: Builder, x: Value, type: Type, *, signed: bool) -> Value:
    found: Value
    if type == BOOL:
        found = b.ine((b.ftoi if signed else b.ftou)(x, type=I32), 0)
    else:
        found = (b.ftoi if signed else b.ftou)(x, type=type)
    return found


def _bits(b: Builder, x: Value, type: Type) -> Value:
    if x.type == type:
        return x
    found: Value = b.asfloat(x) if type.kind == "f" else b.asint(x)
    return found


# fmt: off
CASTS: dict[str, Formula] = {
    "trunc":   _narrowed,
    "zext":    lambda b, x, type: _widened(b, x, type, signed=False),
    "sext":    lambda b, x, type: _widened(b, x, type, signed=True),
    "fptoui":  lambda b, x, type: _to_integer(b, x, type, signed=False),
    "fptosi":  lambda b, x, type: _to_integer(b, x, type, signed=True),
    "uitofp":  lambda b, x, type: _to_float(b, x, type, signed=False),
    "sitofp":  lambda b, x, type: _to_float(b, x, type, signed=True),
    "fptrunc": lambda b, x, type: b.fconv(x, type=type),
    "fpext":   lambda b, x, type: b.fconv(x, type=type),
    "bitcast": _bits,
}
# fmt: on

# ---------------------------------------------------------------- dx.op


def _infinity(type: Type) -> Value:
    return constant(from_float(float("inf"), type), type)


def _normal(b: Builder, x: Value) -> Value:
    size = b.fabs(x)
    least = constant(LEAST_NORMAL[x.type.bits], x.type)
    found: Value = b.and_(b.fle(least, size), b.flt(size, _infinity(x.type)))
    return found


def _dot(b: Builder, *components: Value) -> Value:
    count = len(components) // 2
    total: Value | None = None
    for x, y in zip(components[:count], components[count:], strict=True):
        product = b.fmul(x, y)
        total = product if total is None else b.fadd(total, product)
    assert total is not None
    return total


def _dot_halves(b: Builder, sum: Value, ax: Value, ay: Value, bx: Value, by: Value) -> Value:
    for x, y in ((ax, bx), (ay, by)):
        sum = b.fadd(sum, b.fmul(b.fconv(x, type=F32), b.fconv(y, type=F32)))
    return sum


def _byte(b: Builder, word: Value, at: int, *, signed: bool) -> Value:
    """Append a byte of a word, as an i32."""
    if signed:
        return b.ishr(b.ishl(word, 24 - 8 * at), 24)
    return b.and_(b.ushr(word, 8 * at), 255)


def _dot_bytes(b: Builder, sum: Value, x: Value, y: Value, *, signed: bool) -> Value:
    for at in range(4):
        one, other = _byte(b, x, at, signed=signed), _byte(b, y, at, signed=signed)
        sum = b.iadd(sum, b.imul(one, other))
    return sum


def _make_double(b: Builder, low: Value, high: Value) -> Value:
    found: Value = b.asfloat(join(b, low, high))
    return found


def join(b: Builder, low: Value, high: Value) -> Value:
    """Append the i64 of two words."""
    found: Value = b.or_(b.uconv(low, type=I64), b.ishl(b.uconv(high, type=I64), 32))
    return found


def split(b: Builder, x: Value) -> tuple[Value, Value]:
    """Append the two words of 64 bits."""
    bits = b.asint(x) if x.type.kind == "f" else x
    return b.uconv(bits, type=I32), b.uconv(b.ushr(bits, 32), type=I32)


def _carry(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    total = b.iadd(x, y)
    return total, b.ult(total, x)


def _bits_counted(b: Builder, x: Value) -> Value:
    found = b.popcount(x)
    return found if found.type == I32 else b.uconv(found, type=I32)


# fmt: off
# The name of an operation; its operands are the operands of the call after the number.
FORMULAS: dict[str, Formula] = {
    "FAbs":      lambda b, x: b.fabs(x),
    "Saturate":  direct3d.saturated,
    "IsNaN":     lambda b, x: b.fne(x, x),
    "IsInf":     lambda b, x: b.feq(b.fabs(x), _infinity(x.type)),
    "IsFinite":  lambda b, x: b.flt(b.fabs(x), _infinity(x.type)),
    "IsNormal":  _normal,
    "Cos":       lambda b, x: b.cos(x),
    "Sin":       lambda b, x: b.sin(x),
    "Tan":       lambda b, x: b.tan(x),
    "Acos":      lambda b, x: b.acos(x),
    "Asin":      lambda b, x: b.asin(x),
    "Atan":      lambda b, x: b.atan(x),
    "Hcos":      lambda b, x: b.cosh(x),
    "Hsin":      lambda b, x: b.sinh(x),
    "Htan":      lambda b, x: b.tanh(x),
    "Exp":       lambda b, x: b.exp2(x),
    "Frc":       direct3d.fraction,
    "Log":       lambda b, x: b.log2(x),
    "Sqrt":      lambda b, x: b.fsqrt(x),
    "Rsqrt":     lambda b, x: b.rsqrt(x),
    "Round_ne":  lambda b, x: b.frint(x),
    "Round_ni":  lambda b, x: b.ffloor(x),
    "Round_pi":  lambda b, x: b.fceil(x),
    "Round_z":   lambda b, x: b.ftrunc(x),
    "Bfrev":     lambda b, x: b.bitrev(x),
    "Countbits": _bits_counted,
    "FirstbitLo":  direct3d.first_low,
    "FirstbitHi":  direct3d.first_high,
    "FirstbitSHi": direct3d.first_high_signed,
    "FMax":      lambda b, x, y: b.fmax(y, x),
    "FMin":      lambda b, x, y: b.fmin(x, y),
    "IMax":      lambda b, x, y: b.imax(x, y),
    "IMin":      lambda b, x, y: b.imin(x, y),
    "UMax":      lambda b, x, y: b.umax(x, y),
    "UMin":      lambda b, x, y: b.umin(x, y),
    "IMul":      lambda b, x, y: (b.imulh(x, y), b.imul(x, y)),
    "UMul":      lambda b, x, y: (b.umulh(x, y), b.imul(x, y)),
    "UDiv":      lambda b, x, y: (b.udiv(x, y), b.urem(x, y)),
    "UAddc":     _carry,
    "USubb":     lambda b, x, y: (b.isub(x, y), b.ult(x, y)),
    "FMad":      lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    "Fma":       lambda b, x, y, z: b.ffma(x, y, z),
    "IMad":      lambda b, x, y, z: b.iadd(b.imul(x, y), z),
    "UMad":      lambda b, x, y, z: b.iadd(b.imul(x, y), z),
    "Msad":      direct3d.msad,
    "Ibfe":      lambda b, w, o, x: direct3d.field(b, w, o, x, OPS.ishr),
    "Ubfe":      lambda b, w, o, x: direct3d.field(b, w, o, x, OPS.ushr),
    "Bfi":       direct3d.bits_inserted,
    "Dot2":      _dot,
    "Dot3":      _dot,
    "Dot4":      _dot,
    "Dot2AddHalf":     _dot_halves,
    "Dot4AddI8Packed": lambda b, sum, x, y: _dot_bytes(b, sum, x, y, signed=True),
    "Dot4AddU8Packed": lambda b, sum, x, y: _dot_bytes(b, sum, x, y, signed=False),
    "MakeDouble":      _make_double,
    "SplitDouble":     split,
    "BitcastI16toF16": lambda b, x: _bits(b, x, F16),
    "BitcastF16toI16": lambda b, x: _bits(b, x, I16),
    "BitcastI32toF32": lambda b, x: _bits(b, x, F32),
    "BitcastF32toI32": lambda b, x: _bits(b, x, I32),
    "BitcastI64toF64": lambda b, x: _bits(b, x, F64),
    "BitcastF64toI64": lambda b, x: _bits(b, x, I64),
    "LegacyF32ToF16":  direct3d.half,
    "LegacyF16ToF32":  direct3d.from_half,
    "LegacyDoubleToFloat":  lambda b, x: b.fconv(x, type=F32),
    "LegacyDoubleToSInt32": lambda b, x: b.ftoi(x, type=I32),
    "LegacyDoubleToUInt32": lambda b, x: b.ftou(x, type=I32),
    "CheckAccessFullyMapped": lambda b, x: b.ieq(x, 0),
}
# fmt: on


# Modes of Pack4x8 and Unpack4x8.
UNSIGNED, SIGNED = 0, 1
TRUNCATED, CLAMPED_UNSIGNED, CLAMPED_SIGNED = range(3)


def unpacked(b: Builder, mode: int, word: Value, type: Type) -> tuple[Value, ...]:
    """Append the four bytes of a word, zero- or sign-extended."""
    bytes_ = [_byte(b, word, at, signed=mode == SIGNED) for at in range(4)]
    return tuple(each if type == I32 else b.uconv(each, type=type) for each in bytes_)


def packed(b: Builder, mode: int, *components: Value) -> Value:
    """Append the word of four bytes, cut or clamped to a byte."""
    word: Value | None = None
    for at, x in enumerate(components):
        value = x
        if mode == CLAMPED_UNSIGNED:
            value = b.imin(b.imax(x, constant(0, x.type)), constant(255, x.type))
        elif mode == CLAMPED_SIGNED:
            value = b.imin(b.imax(x, constant(-128, x.type)), constant(127, x.type))
        if value.type != I32:
            value = b.uconv(value, type=I32)
        value = b.ishl(b.and_(value, 255), 8 * at)
        word = value if word is None else b.or_(word, value)
    assert word is not None
    return word


PACKING: Handlers = {
    "Unpack4x8": lambda b, call: unpacked(
        b, call.integer("unpackMode"), call.scalar("pk"), call.type
    ),
    "Pack4x8": lambda b, call: packed(
        b, call.integer("packMode"), *call.scalars("x", "y", "z", "w")
    ),
}
# Operations on whole vectors.
REDUCTIONS: Handlers = {
    "VectorReduceAnd": lambda b, call: reduce(b.and_, call.elements("a")),
    "VectorReduceOr": lambda b, call: reduce(b.or_, call.elements("a")),
    "FDot": lambda b, call: _dot(b, *call.elements("a"), *call.elements("b")),
}
