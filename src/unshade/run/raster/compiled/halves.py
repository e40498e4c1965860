"""Floats of 16 bits, four at a time, in the instructions that every processor has.

0x1p-14 and more     the exponent moves by 112, the significand loses 13 bits, to even
less                 adding 0.5 rounds the significand where it ends, and leaves it in the bits
0x1.ffcp15 and more  infinity; any NaN is 0x7E00
"""

from ....vm.jit.written import F32, I32, Num
from .quads import QUAD

SIGN, HALF_SIGN = 0x8000_0000 - (1 << 32), 0x8000
INFINITY, NAN = 0x7C00, 0x7E00
MOVED = 13  # bits of the significand that a half lacks
BIAS = 112  # difference of exponents
LEAST = 113 << 23  # the bits of 0x1p-14, the least normal half
BEYOND = 143 << 23  # the bits of 0x1p16
FLOAT_INFINITY = 255 << 23
HALF = 126 << 23  # the bits of 0.5


def to_halves(number: Num) -> Num:
    """Return the bits of the nearest halves for floats, as 32-bit integers."""
    code, ints, floats = number.code, I32.of(QUAD), F32.of(QUAD)
    bits = number.bits_as(ints)
    sign = bits & SIGN
    size = bits ^ sign
    odd = size >> MOVED & 1
    usual = (size + odd + ((1 << MOVED - 1) - 1 - (BIAS << 23))) >> MOVED
    half = code.constant(0.5, floats)
    small = (size.bits_as(floats) + half).bits_as(ints) - HALF
    large = size.is_("ugt", FLOAT_INFINITY).choose(
        code.constant(NAN, ints), code.constant(INFINITY, ints)
    )
    made = size.is_("ult", LEAST).choose(small, usual)
    made = size.is_("uge", BEYOND).choose(large, made)
    signed = made | sign >> 16
    return size.is_("ugt", FLOAT_INFINITY).choose(made, signed)


def from_halves(bits: Num) -> Num:
    """Return floats for the bits of halves, given as 32-bit integers."""
    code, ints, floats = bits.code, I32.of(QUAD), F32.of(QUAD)
    size = (bits & HALF_SIGN - 1) << MOVED
    exponent = size & INFINITY << MOVED
    usual = size + (BIAS << 23)
    large = usual + (BIAS << 23)
    least = code.constant(LEAST, ints).bits_as(floats)
    small = ((usual + (1 << 23)).bits_as(floats) - least).bits_as(ints)
    made = exponent.is_("eq", INFINITY << MOVED).choose(large, usual)
    made = exponent.is_("eq", 0).choose(small, made)
    return (made | (bits & HALF_SIGN) << 16).bits_as(floats)
