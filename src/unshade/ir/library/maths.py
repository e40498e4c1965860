"""The maths functions, expanded into basic operations.

    sin(x)     quadrant and remainder of x / (pi / 2), by fused products, or in 64 bits if x is
               large; a polynomial of the remainder
    exp2(x), log2(x), pow(a, b)      powers.py
    frem(a, b)                       remainders.py

Products are fused only where the code requests it, so results are the same on every machine;
there are no tables, and the only branches are for numbers that are rare, so the code vectorises.
Special values follow Direct3D: log2(0) is -inf, log2 of less is NaN; sin of an infinity is
NaN; rsqrt(0) is inf. `bitcast` reads bits where any NaN will do: the result is then combined with a
NaN again. Errors against exact results are measured in tests/ir/library/test_maths.py.

16-bit functions are computed in 32 bits and rounded. Only rsqrt and frem exist in 64 bits; the
instruction sets have no others.
"""

from collections.abc import Callable, Sequence

from ...errors import UnsupportedError
from ..builder import Builder
from ..kernel import KernelIR, Region, Value
from ..memory import Var
from ..ops import OPS, Op
from ..transforms.rewrite import rewrite
from ..types import F16, F32, F64, I32
from ..unique_names import UniqueNames
from . import coefficients as c
from .conversions import CONVERSIONS
from .powers import ROUND_32, Powers, fused
from .remainders import Remainders

__all__ = ["expand", "has_width"]

ONE = 0x3F80_0000
SIGN = 0x8000_0000
ROUND_64 = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer
WIDE = frozenset({OPS.rsqrt, OPS.frem})  # exist in 64 bits
FAR = 2.0**20  # larger angles are reduced in 64 bits


def has_width(value: Value) -> bool:
    """Return True for a function that exists for floats of this width."""
    return value.type != F64 or value.op in WIDE or value.op in CONVERSIONS


def expand(kernel: KernelIR) -> None:
    """Expand every maths function of a kernel, in place."""

    names = UniqueNames(kernel.variables)
    angles, powers = Angles(names), Powers(names)
    functions: dict[Op, Callable[..., Value]] = {
        **FUNCTIONS,
        OPS.sin: angles.sin,
        OPS.cos: angles.cos,
        OPS.exp2: powers.exp2,
        OPS.log2: powers.log2,
        OPS.pow: powers.pow,
        OPS.frem: Remainders(names).frem,
    }

    def rule(b: Builder, value: Value) -> Value | None:
        if not value.op.library:
            return None
        conversion = CONVERSIONS.get(value.op)
        if conversion is not None:
            return conversion(b, value.args[0], value.type)
        function = functions[value.op]
        if value.type == F16:
            args = [b.fconv(each, type=F32) for each in value.args]
            return b.fconv(function(b, *args), type=F16)
        if not has_width(value):
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


Reduced = tuple[Value, Value, Value, Value]  # see _reduced


class Angles:
    """Sines and cosines of a kernel; all of one angle in one region share its reduction."""

    def __init__(self, names: UniqueNames) -> None:
        self.names = names
        self.known: dict[Value, tuple[Region, Reduced]] = {}

    def _reduced(self, b: Builder, x: Value) -> Reduced:
        known = self.known.get(x)
        if known is None or known[0] is not b.region:
            var = b.var(self.names.unique("angle"), F32, internal=True)
            known = self.known[x] = b.region, _reduced(b, x, var)
        return known[1]

    def sin(self, b: Builder, x: Value) -> Value:
        return _wave(b, 0, *self._reduced(b, x))

    def cos(self, b: Builder, x: Value) -> Value:
        return _wave(b, 1, *self._reduced(b, x))


def _near(b: Builder, x: Value, var: Var) -> Value:
    """Append the angle without whole turns if it is large; 0 or NaN if it is too large."""
    b.set(var, x)
    with b.when(b.not_(b.flt(b.fabs(x), FAR))):
        wide = b.fconv(x, type=F64)
        turns = b.fsub(b.fadd(b.fmul(wide, c.TWO_PI / 4), ROUND_64), ROUND_64)
        b.set(var, _single(b, x, b.fsub(wide, b.fmul(turns, c.WHOLE_TURN))))
    return b.get(var)


def _reduced(b: Builder, x: Value, var: Var) -> Reduced:
    """Append n, r and e for which x = n * pi / 2 + r + e, and r + e is between -pi/4 and pi/4.

    The first product is subtracted exactly, and e is too small to be added to r.
    """
    x = _near(b, x, var)
    shifted = b.ffma(x, b.f32(c.TWO_PI_32), b.f32(ROUND_32))
    n = b.fsub(shifted, ROUND_32)
    first, second, third = (-each for each in c.HALF_PI_32)
    r = b.ffma(n, second, b.ffma(n, first, x))
    return x, b.bitcast(shifted), r, b.fmul(n, third)


def _wave(b: Builder, ahead: int, x: Value, n: Value, r: Value, rest: Value) -> Value:
    z = b.fmul(r, r)
    sine = b.fadd(r, b.ffma(b.fmul(r, z), fused(b, c.SIN, z), rest))
    sine = b.select(b.feq(x, 0.0), x, sine)  # -0.0, too
    cosine = fused(b, (1.0, -0.5, *c.COS), z)
    if ahead:
        n = b.iadd(n, ahead)
    found = b.select(b.ieq(b.and_(n, 1), 0), sine, cosine)
    sign = b.and_(b.ishl(n, 30), SIGN)
    return b.fmul(found, b.asfloat(b.or_(sign, ONE)))


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


def _scaled(b: Builder, x: Value, n: Value) -> Value:
    """Append x * 2^n for n from -252 to 254, in two steps; only the second rounds."""
    half = b.ishr(n, 1)
    for each in (half, b.isub(n, half)):
        x = b.fmul(x, b.asfloat(b.ishl(b.iadd(each, 127), 23)))
    return x


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
    OPS.tan: tan, OPS.asin: asin, OPS.acos: acos, OPS.atan: atan,
    OPS.sinh: sinh, OPS.cosh: cosh, OPS.tanh: tanh,
    OPS.rsqrt: reciprocal_root,
}
# fmt: on
