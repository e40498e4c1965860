"""Functions of SPIR-V on one float: exponents, inverse hyperbolics, angles, parts, and FMod.

    frexp   x = significand * 2^exponent, significand from 1/2 to 1
    ldexp   x * 2^exponent, rounded once
    modf    whole and fractional part, both with the sign of x

Subnormal numbers are scaled to normal ones before their exponent is read. Results that GLSL leaves
undefined: frexp of an infinity or NaN is the number itself with exponent 0; modf of an infinity has
the fraction 0; FSign of NaN is 0.

Source: SPIR-V extended instructions for GLSL; Vulkan specification, Precision of GLSL.std.450
instructions, which requires less precision than these functions have (atan2: 4096 ulp).
"""

from ..builder import Builder, constant
from ..kernel import Value
from ..types import F16, F32, F64, I32, INTEGERS, Type

__all__ = [
    "acosh",
    "asinh",
    "atan2",
    "atanh",
    "copy_sign",
    "exp",
    "fract",
    "frexp",
    "ldexp",
    "log",
    "modf",
    "modulo",
    "sign",
]

LOG2_E = 1.4426950408889634
LN_2 = 0.6931471805599453
PI = 3.141592653589793
DIGITS = {16: 10, 32: 23, 64: 52}  # stored bits of the significand
# The greatest useful exponent of ldexp: beyond, every number is 0 or infinite.
FAR = {16: 64, 32: 300, 64: 3200}
LEAST_64, GREATEST_64 = -1022, 1023  # exponents of normal numbers


def _sign_mask(type: Type) -> Value:
    return constant(1 << type.bits - 1, INTEGERS[type.bits])


def copy_sign(b: Builder, x: Value, of: Value) -> Value:
    """Append x, a positive number, with the sign of another number."""
    sign = b.and_(b.bitcast(of), _sign_mask(of.type))
    return b.asfloat(b.or_(b.bitcast(x), sign))


def infinite(b: Builder, x: Value) -> Value:
    return b.feq(b.fabs(x), b.number(float("inf"), x.type))


def sign(b: Builder, x: Value) -> Value:
    below = b.select(b.flt(x, 0.0), b.number(-1.0, x.type), b.number(0.0, x.type))
    return b.select(b.flt(0.0, x), b.number(1.0, x.type), below)


def fract(b: Builder, x: Value) -> Value:
    return b.fsub(x, b.ffloor(x))


def modulo(b: Builder, x: Value, y: Value) -> Value:
    """Append the remainder with the sign of the divisor, rounded once; zeros are signed as well."""
    rest = b.frem(x, y)
    sign = _sign_mask(y.type)
    zero = b.asfloat(b.and_(b.bitcast(y), sign))
    other = b.ine(b.and_(b.xor(b.bitcast(rest), b.bitcast(y)), sign), 0)
    found = b.select(other, b.fadd(rest, y), rest)
    return b.select(b.feq(rest, 0.0), zero, found)


# ---------------------------------------------------------------- exponents


def exp(b: Builder, x: Value) -> Value:
    return b.exp2(b.fmul(x, LOG2_E))


def log(b: Builder, x: Value) -> Value:
    return b.fmul(b.log2(x), LN_2)


def _log_of_1_plus(b: Builder, x: Value) -> Value:
    """Append log(1 + x), corrected by the rounding error of 1 + x."""
    near = b.fadd(x, 1.0)
    kept = b.fsub(near, 1.0)
    found = b.fmul(log(b, near), b.fdiv(x, kept))
    found = b.select(b.feq(kept, 0.0), x, found)
    return b.select(infinite(b, near), near, found)


def asinh(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    square = b.fmul(a, a)
    root = b.fsqrt(b.fadd(square, 1.0))
    near = _log_of_1_plus(b, b.fadd(a, b.fdiv(square, b.fadd(root, 1.0))))
    far = b.fadd(log(b, a), LN_2)  # its square is infinite or loses the 1
    large = b.flt(b.number(2.0 ** (DIGITS[x.type.bits] // 2 + 1), x.type), a)
    return copy_sign(b, b.select(large, far, near), x)


def acosh(b: Builder, x: Value) -> Value:
    over = b.fsub(x, 1.0)
    root = b.fsqrt(b.fmul(over, b.fadd(over, 2.0)))
    near = _log_of_1_plus(b, b.fadd(over, root))
    large = b.flt(b.number(2.0 ** (DIGITS[x.type.bits] // 2 + 1), x.type), x)
    return b.select(large, b.fadd(log(b, x), LN_2), near)


def atanh(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    ratio = b.fdiv(b.fadd(a, a), b.fsub(1.0, a))
    return copy_sign(b, b.fmul(_log_of_1_plus(b, ratio), 0.5), x)


def atan2(b: Builder, y: Value, x: Value) -> Value:
    """Append the angle of (x, y): by the ratio of the smaller to the greater, at most 1."""
    ax, ay = b.fabs(x), b.fabs(y)
    steep = b.flt(ax, ay)
    low, high = b.select(steep, ax, ay), b.select(steep, ay, ax)
    ratio = b.fdiv(low, high)
    zeros = b.feq(b.fadd(low, high), 0.0)  # false if either is a NaN
    ratio = b.select(zeros, b.number(0.0, x.type), ratio)
    both = b.and_(infinite(b, x), infinite(b, y))
    angle = b.atan(b.select(both, b.number(1.0, x.type), ratio))
    angle = b.select(steep, b.fsub(PI / 2, angle), angle)
    left = b.ine(b.and_(b.bitcast(x), _sign_mask(x.type)), constant(0, INTEGERS[x.type.bits]))
    angle = b.select(left, b.fsub(PI, angle), angle)
    return copy_sign(b, angle, y)


# ---------------------------------------------------------------- parts


def modf(b: Builder, x: Value) -> tuple[Value, Value]:
    """Append the fractional and the whole part."""
    whole = b.ftrunc(x)
    rest = b.select(infinite(b, x), b.number(0.0, x.type), b.fabs(b.fsub(x, whole)))
    return copy_sign(b, rest, x), whole


def frexp(b: Builder, x: Value) -> tuple[Value, Value]:
    """Append the significand, and the exponent as i32."""
    type = x.type
    whole = INTEGERS[type.bits]
    digits = DIGITS[type.bits]
    bias = (1 << type.bits - digits - 2) - 1
    small = b.flt(b.fabs(x), 2.0 ** (1 - bias))
    bits = b.bitcast(b.select(small, b.fmul(x, 2.0 ** (digits + 1)), x))
    mask = (1 << type.bits - 1 - digits) - 1
    field = b.and_(b.ushr(bits, digits), mask)
    field = field if whole == I32 else b.uconv(field, type=I32)
    exponent = b.isub(field, b.select(small, b.i32(bias - 1 + digits + 1), b.i32(bias - 1)))
    kept = b.and_(bits, constant(~(mask << digits), whole))
    found = b.asfloat(b.or_(kept, constant((bias - 1) << digits, whole)))
    finite = b.flt(b.fabs(x), b.number(float("inf"), type))
    usual = b.and_(finite, b.fne(x, 0.0))
    return b.select(usual, found, x), b.select(usual, exponent, b.i32(0))


def ldexp(b: Builder, x: Value, exponent: Value) -> Value:
    """Append x * 2^exponent; the exponent is an integer of any width."""
    type = x.type
    far = FAR[type.bits]
    if exponent.type.bits < I32.bits:
        exponent = b.iconv(exponent, type=I32)
    exponent = b.imax(b.imin(exponent, far), -far)
    if exponent.type != I32:
        exponent = b.uconv(exponent, type=I32)
    if type == F64:
        return _scaled(b, x, exponent)
    wide = F32 if type == F16 else F64  # in which the product is exact
    return b.fconv(b.fmul(b.fconv(x, type=wide), _power(b, exponent, wide)), type=type)


def _power(b: Builder, exponent: Value, type: Type) -> Value:
    """Append 2^exponent, a normal number."""
    digits = DIGITS[type.bits]
    bias = (1 << type.bits - digits - 2) - 1
    field = b.iadd(exponent, bias)
    if type == F64:
        field = b.uconv(field, type=INTEGERS[64])
    return b.asfloat(b.ishl(field, digits))


def _scaled(b: Builder, x: Value, exponent: Value) -> Value:
    """Append x * 2^exponent in 64 bits, in three steps; only the last step rounds.

    Steps towards 0 leave 53 bits of room, so that no number between is subnormal.
    """
    down = LEAST_64 + DIGITS[64] + 1
    for _ in range(2):
        over, under = b.ilt(GREATEST_64, exponent), b.ilt(exponent, LEAST_64)
        step = b.select(over, b.i32(GREATEST_64), b.select(under, b.i32(down), b.i32(0)))
        x = b.fmul(x, _power(b, step, F64))
        exponent = b.isub(exponent, step)
    exponent = b.imax(b.imin(exponent, GREATEST_64), LEAST_64)
    return b.fmul(x, _power(b, exponent, F64))
