"""The approximations of Skia's raster pipeline, which define SkSL on a CPU.

    log2(x)    the exponent and the mantissa of the bits as one number, corrected by the mantissa
    exp2(x)    the inverse: a number whose bits, rounded, are the bits of the result
    pow(x, y)  exp2(y * log2(x)); x itself if that is 0 or 1
    sin, cos   an odd polynomial of the fifth degree of a quarter turn
    tan        an odd polynomial of the ninth degree, by (1 + t) / (1 - t) beyond an eighth turn
    atan       a polynomial of the fourth degree up to 1, by pi / 2 - atan(1 / x) beyond
    asin       pi / 2 - sqrt(1 - x) * a cubic polynomial

These functions replace the more exact ones of `ir.library`, so that results agree with Skia's even
where the error of a function is visible: log2 and exp2 differ by up to 2e-4. Products and sums are
rounded separately, as by Skia on some processors.

Source: the formulas and coefficients of SkRasterPipeline_opts.h of Skia, which names its own: P.
Mineiro's approximations of logarithm and power, polynomials fitted for swiftshader, and
Abramowitz and Stegun's Handbook of Mathematical Functions (4.4.45).
"""

from collections.abc import Sequence
from math import pi

from ..builder import Builder
from ..kernel import Value
from ..types import F32, I32

__all__ = [
    "acos",
    "asin",
    "atan",
    "atan_of",
    "cos",
    "exp",
    "exp2",
    "fract",
    "log",
    "log2",
    "power",
    "sin",
    "tan",
]

MANTISSA = 0x007F_FFFF
HALF = 0x3F00_0000
INFINITY_BITS = float(0x7F80_0000)
SINE = (6.28230858, -41.1693687, 74.4388885)  # of quarter turns: x, x^3, x^5
TANGENT = (1.0, 1 / 3, 2 / 15, 17 / 315, 62 / 2835)
ARC_TANGENT = (
    -0.00014758242182738969, 1.0037696976200385, -0.016172900528248768, -0.34312835980675116,
    0.14130025741326729,
)  # fmt: skip
ARC_SINE = (1.5707288, -0.2121144, 0.0742610, -0.0187293)
LOG2_E = 1.4426950408889634
LN_2 = 0.69314718


def _polynomial(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    *rest, last = coefficients
    found: Value = b.f32(last)
    for each in reversed(rest):
        found = b.fadd(b.fmul(x, found), each)
    return found


def fract(b: Builder, x: Value) -> Value:
    """Append x - floor(x)."""
    return b.fsub(x, b.ffloor(x))


def log2(b: Builder, x: Value) -> Value:
    """Append the binary logarithm; log2(0) is about -127."""
    bits = b.asint(x)
    exponent = b.fmul(b.itof(bits, type=F32), 2.0**-23)
    mantissa = b.asfloat(b.or_(b.and_(bits, MANTISSA), HALF))
    found = b.fsub(exponent, 124.225514990)
    found = b.fsub(found, b.fmul(mantissa, 1.498030302))
    return b.fsub(found, b.fdiv(1.725879990, b.fadd(mantissa, 0.3520887068)))


def exp2(b: Builder, x: Value) -> Value:
    """Append the power of 2; from 0 to infinity."""
    part = fract(b, x)
    found = b.fadd(x, 121.274057500)
    found = b.fsub(found, b.fmul(part, 1.490129070))
    found = b.fadd(found, b.fdiv(27.728023300, b.fsub(4.84252568, part)))
    found = b.fmul(found, 2.0**23)
    found = b.select(b.flt(0.0, found), found, b.f32(0.0))
    found = b.select(b.flt(found, INFINITY_BITS), found, b.f32(INFINITY_BITS))
    return b.asfloat(b.ftoi(b.frint(found), type=I32))


def log(b: Builder, x: Value) -> Value:
    """Append the natural logarithm."""
    return b.fmul(log2(b, x), LN_2)


def exp(b: Builder, x: Value) -> Value:
    """Append the power of e."""
    return exp2(b, b.fmul(x, LOG2_E))


def power(b: Builder, x: Value, y: Value) -> Value:
    """Append x to the power of y; 0 and 1 are their own powers."""
    own = b.or_(b.feq(x, 0.0), b.feq(x, 1.0))
    return b.select(own, x, exp2(b, b.fmul(log2(b, x), y)))


def _quarter_wave(b: Builder, turns: Value) -> Value:
    """Append the sine of turns, shifted by a quarter."""
    whole = b.ffloor(b.fadd(turns, 0.5))
    x = b.fsub(0.25, b.fabs(b.fsub(turns, whole)))
    return b.fmul(x, _polynomial(b, b.fmul(x, x), SINE))


def sin(b: Builder, x: Value) -> Value:
    """Append the sine."""
    return _quarter_wave(b, b.fadd(b.fmul(x, -0.5 / pi), 0.25))


def cos(b: Builder, x: Value) -> Value:
    """Append the cosine."""
    return _quarter_wave(b, b.fmul(x, 0.5 / pi))


def tan(b: Builder, x: Value) -> Value:
    """Append the tangent."""
    x = b.fsub(b.fmul(fract(b, b.fadd(b.fmul(x, 1 / pi), 0.5)), pi), pi / 2)
    below = b.flt(x, 0.0)
    x = b.fabs(x)
    far = b.flt(pi / 8, x)
    x = b.select(far, b.fsub(x, pi / 4), x)
    x = b.fmul(x, _polynomial(b, b.fmul(x, x), TANGENT))
    x = b.select(far, b.fdiv(b.fadd(x, 1.0), b.fsub(1.0, x)), x)
    return b.select(below, b.fneg(x), x)


def atan(b: Builder, x: Value) -> Value:
    """Append the arc tangent."""
    below = b.flt(x, 0.0)
    x = b.fabs(x)
    far = b.flt(1.0, x)
    found = _polynomial(b, b.select(far, b.fdiv(1.0, x), x), ARC_TANGENT)
    found = b.select(far, b.fsub(pi / 2, found), found)
    return b.select(below, b.fneg(found), found)


def atan_of(b: Builder, y: Value, x: Value) -> Value:
    """Append the angle of (x, y)."""
    steep = b.flt(b.fabs(x), b.fabs(y))
    ratio = b.fdiv(b.select(steep, x, y), b.select(steep, y, x))
    below = b.flt(ratio, 0.0)
    found = _polynomial(b, b.fabs(ratio), ARC_TANGENT)
    found = b.select(steep, b.fsub(pi / 2, found), found)
    found = b.select(below, b.fneg(found), found)
    above_left = b.and_(b.fle(0.0, y), b.flt(x, 0.0))
    below_left = b.and_(b.flt(y, 0.0), b.fle(x, 0.0))
    found = b.select(above_left, b.fadd(found, pi), found)
    return b.select(below_left, b.fsub(found, pi), found)


def asin(b: Builder, x: Value) -> Value:
    """Append the arc sine; NaN beyond 1."""
    a = b.fabs(x)
    found = b.fmul(b.fsqrt(b.fsub(1.0, a)), _polynomial(b, a, ARC_SINE))
    found = b.fsub(pi / 2, found)
    return b.select(b.flt(x, 0.0), b.fneg(found), found)


def acos(b: Builder, x: Value) -> Value:
    """Append the arc cosine; NaN beyond 1."""
    return b.fsub(pi / 2, asin(b, x))
