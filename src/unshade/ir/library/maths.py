"""The maths functions, expanded into basic operations.

    sin(x)     quadrant and remainder of x / (pi / 2) in 64 bits; a polynomial of the remainder
    exp2(x)    2^n * 2^f, n the nearest integer
    log2(x)    the exponent, and a polynomial of the fraction
    pow(a, b)  exp2(b * log2(a)), as in Direct3D; the error of log2 is multiplied by b

Nothing is contracted, so results are the same on every machine; there are no branches or tables, so
the code vectorises. Special values are those of Direct3D: log2(0) is -inf, log2 of less is NaN; sin
of an infinity is NaN; rsqrt(0) is inf. `bitcast` reads bits where any NaN will do: the result is
then combined with a NaN again. Errors against exact results are measured in
tests/ir/library/test_maths.py.

16-bit functions are computed in 32 bits and rounded. Of the functions only rsqrt exists in 64 bits;
the instruction sets have no others.
"""

from collections.abc import Callable, Sequence

from ...errors import UnsupportedError
from ..builder import Builder, constant
from ..kernel import KernelIR, Value
from ..ops import OPS, Op
from ..rewrite import rewrite
from ..types import F16, F32, F64, I32
from . import coefficients as c
from .conversions import CONVERSIONS

__all__ = ["expand"]

INFINITY = constant(0x7F80_0000, F32)
NAN = constant(0x7FC0_0000, F32)
ONE = 0x3F80_0000
SIGN = 0x8000_0000
ROUND_64 = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer
TWO_THIRDS = 0x3F2A_AAAB
LEAST = 1.1754943508222875e-38  # the least normal number


def expand(kernel: KernelIR) -> None:
    """Expand every maths function of a kernel, in place."""

    def rule(b: Builder, value: Value) -> Value | None:
        if not value.op.library:
            return None
        conversion = CONVERSIONS.get(value.op)
        if conversion is not None:
            return conversion(b, value.args[0], value.type)
        function = FUNCTIONS[value.op]
        if value.type == F16:
            args = [b.fconv(each, type=F32) for each in value.args]
            return b.fconv(function(b, *args), type=F16)
        if value.type == F64 and value.op is not OPS.rsqrt:
            raise UnsupportedError(f"{value.op.name} of 64-bit floats is not supported")
        return function(b, *value.args)

    if any(value.op.library for value in kernel.values()):
        rewrite(kernel, rule)


def polynomial(b: Builder, coefficients: Sequence[float], x: Value) -> Value:
    """Append a polynomial by Horner's scheme."""
    *rest, last = coefficients
    found: Value | float = last
    for each in reversed(rest):
        found = b.fadd(b.fmul(x, found), each)
    assert isinstance(found, Value)
    return found


def odd(b: Builder, coefficients: Sequence[float], x: Value) -> Value:
    """Append x + x * z * P(z) with z = x * x."""
    z = b.fmul(x, x)
    return b.fadd(x, b.fmul(x, b.fmul(z, polynomial(b, coefficients, z))))


def unit(b: Builder, x: Value) -> Value:
    """Append 1 with the sign of x."""
    return b.asfloat(b.or_(b.and_(b.bitcast(x), SIGN), ONE))


def reciprocal_root(b: Builder, x: Value) -> Value:
    return b.fdiv(b.number(1.0, x.type), b.fsqrt(x))


# ---------------------------------------------------------------- trigonometry


def _quadrant(b: Builder, x: Value) -> tuple[Value, Value]:
    """Append the quadrant (modulo 4) and the 64-bit remainder, between -pi/4 and pi/4."""
    wide = b.fconv(x, type=F64)
    shifted = b.fadd(b.fmul(wide, c.TWO_PI), ROUND_64)
    turns = b.fsub(shifted, ROUND_64)
    # Products with the first 33 bits are exact up to 2^20 quarter turns; beyond, precision drops.
    rest = b.fsub(b.fsub(wide, b.fmul(turns, c.HALF_PI[0])), b.fmul(turns, c.HALF_PI[1]))
    return b.uconv(b.bitcast(shifted), type=I32), rest


def _single(b: Builder, x: Value, rest: Value) -> Value:
    """Append the remainder in 32 bits; 0 or NaN if x is too large for a quadrant."""
    r = b.fconv(rest, type=F32)
    return b.select(b.flt(b.fabs(x), 2.0**50), r, b.fmul(x, 0.0))


def _wave(b: Builder, x: Value, ahead: int) -> Value:
    quadrant, rest = _quadrant(b, x)
    r = _single(b, x, rest)
    z = b.fmul(r, r)
    sine = b.fadd(r, b.fmul(r, b.fmul(z, polynomial(b, c.SIN, z))))
    sine = b.select(b.feq(r, 0.0), r, sine)  # -0.0, too
    tail = b.fmul(b.fmul(z, z), polynomial(b, c.COS, z))
    cosine = b.fadd(b.fsub(1.0, b.fmul(z, 0.5)), tail)
    if ahead:
        quadrant = b.iadd(quadrant, ahead)
    found = b.select(b.ieq(b.and_(quadrant, 1), 0), sine, cosine)
    sign = b.and_(b.ishl(quadrant, 30), SIGN)
    return b.fmul(found, b.asfloat(b.or_(sign, ONE)))


def sin(b: Builder, x: Value) -> Value:
    return _wave(b, x, 0)


def cos(b: Builder, x: Value) -> Value:
    return _wave(b, x, 1)


def tan(b: Builder, x: Value) -> Value:
    """Append tan, from sine and cosine with the rounding errors of the remainder and 1 - z / 2."""
    quadrant, rest = _quadrant(b, x)
    r = _single(b, x, rest)
    left = b.fconv(b.fsub(rest, b.fconv(r, type=F64)), type=F32)
    z = b.fmul(r, r)
    half = b.fmul(z, 0.5)
    near = b.fsub(1.0, half)
    tail = b.fmul(r, b.fmul(z, polynomial(b, c.SIN, z)))
    sine = b.fadd(r, b.fadd(tail, b.fmul(left, near)))
    sine = b.select(b.feq(r, 0.0), r, sine)
    tail = b.fsub(b.fmul(b.fmul(z, z), polynomial(b, c.COS, z)), b.fmul(r, left))
    cosine = b.fadd(near, b.fadd(b.fsub(b.fsub(1.0, near), half), tail))
    even = b.ieq(b.and_(quadrant, 1), 0)
    over, under = b.select(even, sine, b.fneg(cosine)), b.select(even, cosine, sine)
    return b.fdiv(over, under)


def atan(b: Builder, x: Value) -> Value:
    """Append atan, by atan(a) = pi/2 - atan(1/a) = pi/4 + atan((a - 1) / (a + 1))."""
    a = b.fabs(x)
    far, middle = b.flt(2.0, a), b.flt(0.5, a)
    over = b.select(far, b.f32(-1.0), b.select(middle, b.fsub(a, 1.0), a))
    under = b.select(far, a, b.select(middle, b.fadd(a, 1.0), b.f32(1.0)))
    found = odd(b, c.ATAN, b.fdiv(over, under))
    start = [
        b.select(far, b.f32(c.PI_2[n]), b.select(middle, b.f32(c.PI_4[n]), b.f32(0.0)))
        for n in (0, 1)
    ]
    return b.fmul(b.fadd(start[0], b.fadd(start[1], found)), unit(b, x))


def _arc(b: Builder, a: Value, far: Value) -> Value:
    """Append asin(a), or asin(sqrt((1 - a) / 2)) if a is far from 0; NaN beyond 1."""
    half = b.fmul(b.fsub(1.0, a), 0.5)
    s = b.select(far, b.fsqrt(half), a)
    z = b.select(far, half, b.fmul(a, a))
    return b.fadd(s, b.fmul(s, b.fmul(z, polynomial(b, c.ASIN, z))))


def asin(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    far = b.flt(0.55, a)
    found = _arc(b, a, far)
    other = b.fsub(c.PI_2[0], b.fsub(b.fadd(found, found), c.PI_2[1]))
    return b.fmul(b.select(far, other, found), unit(b, x))


def acos(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    far = b.flt(0.55, a)
    found = b.fmul(_arc(b, a, far), unit(b, x))
    twice = b.fadd(found, found)
    near = b.fsub(c.PI_2[0], b.fsub(found, c.PI_2[1]))
    below = b.fadd(c.PI[0], b.fadd(twice, c.PI[1]))
    return b.select(far, b.select(b.flt(x, 0.0), below, twice), near)


# ---------------------------------------------------------------- powers


def _between(b: Builder, x: Value, low: float, high: float) -> Value:
    """Append x clamped to a range; NaN is kept."""
    x = b.select(b.flt(x, low), b.f32(low), x)
    return b.select(b.flt(high, x), b.f32(high), x)


def _scaled(b: Builder, x: Value, n: Value) -> Value:
    """Append x * 2^n for n from -252 to 254, in two steps, of which only the second rounds."""
    half = b.ishr(n, 1)
    for each in (half, b.isub(n, half)):
        x = b.fmul(x, b.asfloat(b.ishl(b.iadd(each, 127), 23)))
    return x


def exp2(b: Builder, x: Value) -> Value:
    x = _between(b, x, -151.0, 129.0)
    n = b.frint(x)
    f = b.fsub(x, n)
    found = b.fadd(b.fmul(f, polynomial(b, c.EXP2, f)), 1.0)
    return _scaled(b, found, b.ftoi(n, type=I32))


def log2(b: Builder, x: Value) -> Value:
    bits, ahead = b.bitcast(x), b.f32(0.0)
    if 32 not in b.kernel.flush:  # scale subnormals to normal numbers first
        small = b.flt(x, LEAST)
        bits = b.bitcast(b.select(small, b.fmul(x, 2.0**23), x))
        ahead = b.select(small, b.f32(-23.0), b.f32(0.0))
    exponent = b.ishr(b.isub(bits, TWO_THIRDS), 23)
    f = b.fsub(b.asfloat(b.isub(bits, b.ishl(exponent, 23))), 1.0)
    whole = b.itof(exponent, type=F32)
    if 32 not in b.kernel.flush:
        whole = b.fadd(whole, ahead)
    whole = b.select(b.flt(x, INFINITY), whole, x)
    no_number = b.select(b.feq(x, 0.0), constant(0xFF80_0000, F32), NAN)
    whole = b.select(b.flt(0.0, x), whole, no_number)
    tail = b.fmul(b.fmul(f, f), polynomial(b, c.LOG2[1:], f))
    return b.fadd(whole, b.fadd(f, b.fadd(b.fmul(f, c.LOG2[0]), tail)))


def power(b: Builder, x: Value, y: Value) -> Value:
    return exp2(b, b.fmul(y, log2(b, x)))


def _half_exp(b: Builder, a: Value) -> tuple[Value, Value]:
    """Append e^a / 2 and e^-a / 2 for 0 <= a; the second underflows to 0."""
    a = b.select(b.flt(100.0, a), b.f32(100.0), a)
    n = b.frint(b.fmul(a, c.LOG2_E))
    r = b.fsub(b.fsub(a, b.fmul(n, c.LN2[0])), b.fmul(n, c.LN2[1]))
    found = b.fadd(b.fadd(b.fmul(b.fmul(r, r), polynomial(b, c.EXP, r)), r), 1.0)
    half = _scaled(b, found, b.isub(b.ftoi(n, type=I32), 1))
    return half, b.fdiv(0.25, half)


def sinh(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    grown, shrunk = _half_exp(b, a)
    found = b.select(b.flt(a, 1.0), odd(b, c.SINH, a), b.fsub(grown, shrunk))
    return b.fmul(found, unit(b, x))


def cosh(b: Builder, x: Value) -> Value:
    grown, shrunk = _half_exp(b, b.fabs(x))
    return b.fadd(grown, shrunk)


def tanh(b: Builder, x: Value) -> Value:
    a = b.fabs(x)
    grown, _ = _half_exp(b, b.fadd(a, a))
    far = b.fsub(1.0, b.fdiv(1.0, b.fadd(grown, 0.5)))
    return b.fmul(b.select(b.flt(a, 0.625), odd(b, c.TANH, a), far), unit(b, x))


# fmt: off
FUNCTIONS: dict[Op, Callable[..., Value]] = {
    OPS.sin: sin, OPS.cos: cos, OPS.tan: tan, OPS.asin: asin, OPS.acos: acos, OPS.atan: atan,
    OPS.sinh: sinh, OPS.cosh: cosh, OPS.tanh: tanh,
    OPS.exp2: exp2, OPS.log2: log2, OPS.pow: power, OPS.rsqrt: reciprocal_root,
}
# fmt: on
