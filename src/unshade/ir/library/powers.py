"""Powers and logarithms, expanded into basic operations.

    exp2(x)    2^n * 2^f, n the nearest integer
    log2(x)    the exponent, and a polynomial of the fraction
    pow(a, b)  exp2(b * log2(a)), as in Direct3D; the error of log2 is multiplied by b

Difficult cases are computed in a branch that is rarely taken: powers that may not be normal
numbers, and logarithms of anything but normal positive numbers. A test costs less than computing
both.
"""

from collections.abc import Sequence

from ..builder import Builder, constant
from ..kernel import Value
from ..types import F32, I32
from ..unique_names import UniqueNames
from . import coefficients as c

__all__ = ["INFINITY", "NAN", "ROUND_32", "Powers", "fused"]

INFINITY = constant(0x7F80_0000, F32)
NAN = constant(0x7FC0_0000, F32)
ROUND_32 = 12582912.0  # 1.5 * 2^23: adding it rounds to an integer
NEAR = 64.0  # powers of smaller numbers are far from the ends of the range
LEAST = 1.1754943508222875e-38  # the least normal number
LEAST_BITS = 0x0080_0000  # its bits
NORMAL_COUNT = 0x7F00_0000  # how many numbers are positive and normal
EXPONENT = 0xFF80_0000  # of a 32-bit float, and the sign
ROOT_HALF = 0x3F35_04F3  # sqrt(1 / 2)
STEPS = 23  # exponents between the least subnormal number and the least normal one


def fused(b: Builder, coefficients: Sequence[float], x: Value) -> Value:
    """Append a polynomial by Horner's scheme, in fused products."""
    *rest, found = (b.f32(each) for each in coefficients)
    for each in reversed(rest):
        found = b.ffma(x, found, each)
    return found


class Powers:
    """The powers and logarithms of a kernel.

    Args:
        names: The names of its variables.
    """

    def __init__(self, names: UniqueNames) -> None:
        self.names = names

    def exp2(self, b: Builder, x: Value) -> Value:
        """Append 2^x; if it may not be normal, as 2^(x + k) * 2^-k, where only the last rounds."""
        made = b.var(self.names.unique("power"), F32, internal=True)
        b.set(made, _near_power(b, x))
        with b.when(b.not_(b.flt(b.fabs(x), NEAR))):
            below = b.flt(x, 0.0)
            moved = b.fadd(
                _between(b, x, -151.0, 129.0), b.select(below, b.f32(NEAR), b.f32(-NEAR))
            )
            scale = b.select(below, b.f32(2.0**-NEAR), b.f32(2.0**NEAR))
            b.set(made, b.fmul(_near_power(b, moved), scale))
        return b.get(made)

    def log2(self, b: Builder, x: Value) -> Value:
        bits, start = self._decomposed(b, x)
        above = b.isub(bits, ROOT_HALF)
        f = b.fsub(b.asfloat(b.isub(bits, b.and_(above, EXPONENT))), 1.0)
        whole = b.itof(b.ishr(above, 23), type=F32)
        z = b.fmul(f, f)
        # The polynomial in halves, which do not wait for each other.
        even, odd = (fused(b, c.LOG2[first::2], z) for first in (1, 2))
        tail = b.ffma(f, b.f32(c.LOG2[0]), b.ffma(z, b.ffma(f, odd, even), start))
        return b.fadd(whole, b.fadd(f, tail))

    def _decomposed(self, b: Builder, x: Value) -> tuple[Value, Value]:
        """Append the bits of x, and the start of a sum: 0, or the result if log2(x) is not finite.

        Subnormal numbers are multiplied by a power of 2, and as many exponents are subtracted from
        their bits.
        """
        word = b.var(self.names.unique("bits"), I32, internal=True)
        start = b.var(self.names.unique("start"), F32, internal=True)
        bits = b.bitcast(x)
        b.set(word, bits)
        b.set(start, b.f32(0.0))
        with b.when(b.ule(NORMAL_COUNT, b.isub(bits, LEAST_BITS))):
            positive = b.select(b.flt(x, INFINITY), b.f32(0.0), x)
            other = b.select(b.feq(x, 0.0), constant(0xFF80_0000, F32), NAN)
            b.set(start, b.select(b.flt(0.0, x), positive, other))
            if 32 not in b.kernel.flush:
                scaled = b.isub(b.bitcast(b.fmul(x, 2.0**STEPS)), STEPS << 23)
                b.set(word, b.select(b.flt(x, LEAST), scaled, bits))
        return b.get(word), b.get(start)

    def pow(self, b: Builder, x: Value, y: Value) -> Value:
        return self.exp2(b, b.fmul(y, self.log2(b, x)))


def _near_power(b: Builder, x: Value) -> Value:
    """Append 2^x for numbers around 0."""
    # Adding 1.5 * 2^23 rounds to an integer, which with 127 more is an exponent's bits.
    shifted = b.fadd(x, ROUND_32 + 127)
    f = b.fsub(x, b.fsub(shifted, ROUND_32 + 127))
    scale = b.asfloat(b.ishl(b.bitcast(shifted), 23))
    z = b.fmul(f, f)
    # The polynomial in pairs, which do not wait for each other.
    first, *pairs, last = (b.f32(each) for each in c.EXP2)
    low, high = (b.ffma(f, pairs[n + 1], pairs[n]) for n in (0, 2))
    rest = b.ffma(f, b.ffma(z, b.ffma(z, last, high), low), first)
    return b.ffma(b.fmul(f, scale), rest, scale)


def _between(b: Builder, x: Value, low: float, high: float) -> Value:
    """Append x clamped to a range; NaN is kept."""
    x = b.select(b.flt(x, low), b.f32(low), x)
    return b.select(b.flt(high, x), b.f32(high), x)
