"""24-bit floats of the PICA200's shader units, and their packing into uniforms.

     23 22       16 15                0
    +--+-----------+-------------------+
    | s| exponent  |     mantissa      |    exponent bias 63; 0x3f0000 is 1.0
    +--+-----------+-------------------+

    exponent 0          0 (hardware has no −0 as a result), or subnormal: mantissa × 2^-78
    exponent 1 to 126   (1 + mantissa / 2^16) × 2^(exponent − 63);  2^-62 to (2 − 2^-16) × 2^63
    exponent 127        mantissa 0: infinity; else NaN, 0x7f8000

Every value is exact as a 32-bit float, and so as a Python float. The conversion to 24 bits rounds
towards zero, as in all tools. Arithmetic flushes subnormal sources and results to +0; mov, max and
min keep them.

Uniforms are uploaded as three words of f24 or as four 32-bit floats; w comes first:

    31       24 23       16 15        8 7         0
    |     w[23:8]           |   w[7:0]  | z[23:16] |    then z[15:0] y[23:8], then y[7:0] x

picasso's conversion of constants (`picasso=True`) differs in two errors. Numbers from 2^-63 up to
2^-62 keep exponent 0 with the mantissa of a normal number, and so are read as much smaller numbers
(2^-63 itself as 0). Numbers from 2^64 up to 2^65 get exponent 127 with a mantissa, and so are read
as NaN. NaN becomes infinity.

Source: 3dbrew; azahar's decoding, which its tests compare with hardware (pull request 2350 for
subnormal numbers); libctru's packing; picasso's conversion, confirmed by running it.
"""

import struct
from collections.abc import Sequence
from math import copysign, inf, isinf, isnan, nan

from ..errors import EncodeError, UsageError

BITS = 24
BIAS = 63
MANTISSA_BITS = 16
SIGN = 1 << 23
INFINITY = 0x7F0000
NAN = 0x7F8000
ONE = 0x3F0000
SMALLEST = 2.0**-62  # the smallest normal number


def to_float(bits: int) -> float:
    """Return the exact value of a 24-bit float; subnormal numbers are not flushed."""
    if not 0 <= bits < 1 << BITS:
        raise UsageError(f"expected a 24-bit float, got {bits!r:.40}")
    sign = -1.0 if bits & SIGN else 1.0
    exponent = bits >> MANTISSA_BITS & 0x7F
    mantissa = bits & 0xFFFF
    if exponent == 0x7F:
        return copysign(nan if mantissa else inf, sign)
    if exponent == 0:
        return sign * mantissa * 2.0**-78
    return sign * (1 + mantissa / 65536) * 2.0 ** (exponent - BIAS)


def from_float(value: float, *, subnormal: bool = False, picasso: bool = False) -> int:
    """Return the 24 bits of a number, rounded towards zero.

    Numbers below 2^-62 become zero of their sign; `subnormal` keeps them where the format can.
    `picasso` converts as that assembler does.
    """
    try:
        if picasso:
            return _from_float_by_picasso(value)
        sign = SIGN if copysign(1.0, value) < 0 else 0
        if isnan(value):
            return sign | NAN
        size = abs(value)
        if size >= 2.0**64:
            return sign | INFINITY
        if size < SMALLEST:
            return sign | int(size * 2.0**78) if subnormal else sign
    except (TypeError, OverflowError, struct.error):
        raise EncodeError(f"expected a number for a 24-bit float, got {value!r:.40}") from None
    whole = int(size * 2.0**78)  # 1.mantissa, shifted left by exponent + 15
    exponent = whole.bit_length() - MANTISSA_BITS
    return sign | exponent << MANTISSA_BITS | whole >> exponent - 1 & 0xFFFF


def _from_float_by_picasso(value: float) -> int:
    """Convert as picasso does: by shifting the fields of a 32-bit float."""
    try:
        raw: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        raw = 0x7F80_0000 | (value < 0) << 31
    sign = raw >> 31 << 23
    exponent = (raw >> 23 & 0xFF) - 64
    if exponent < 0:
        return sign
    if exponent > 0x7F:
        return sign | INFINITY
    return sign | exponent << MANTISSA_BITS | raw >> 7 & 0xFFFF


def is_subnormal(bits: int) -> bool:
    """Return True for a subnormal number, which arithmetic treats as zero."""
    return not bits & INFINITY and bits & 0xFFFF != 0


def flushed(bits: int) -> int:
    """Return the bits with zeros and subnormal numbers flushed to +0, as arithmetic does."""
    return bits if bits & INFINITY else 0


def text(bits: int) -> str:
    """Return the shortest decimal number that rounds to these bits; inf, -inf or nan."""
    value = to_float(bits)
    if isnan(value) or isinf(value) or not value:
        return "-0" if value == 0 and bits else str(value).removesuffix(".0")
    # All numbers from this one up to the next are rounded to it: look around their middle.
    middle = value + (value - to_float(bits - 1)) / 2
    for digits in range(1, 18):
        short = f"{middle:.{digits}g}"
        if from_float(float(short), subnormal=True) == bits:
            return short
    return repr(value)


def source_text(bits: int) -> str:
    """Return the shortest number that picasso converts to these bits."""
    sign = "-" if bits >> 23 else ""
    size = bits & SIGN - 1
    if not size:
        return f"{sign}0.0"
    if size == INFINITY:
        return f"{sign}inf"
    value = (1 + (size & 0xFFFF) / 65536) * 2.0 ** ((size >> MANTISSA_BITS) - 63)
    for digits in range(1, 18):
        short = float(f"{value:.{digits}g}")
        if from_float(short, picasso=True) == size:
            return f"{sign}{short!r}"
    return f"{sign}{value!r}"


# ---------------------------------------------------------------- uniforms


def pack(components: Sequence[int]) -> tuple[int, int, int]:
    """Pack x, y, z, w as f24 into the three words of a uniform upload."""
    x, y, z, w = components
    return w << 8 | z >> 16, (z & 0xFFFF) << 16 | y >> 8, (y & 0xFF) << 24 | x


def unpack(words: Sequence[int]) -> tuple[int, int, int, int]:
    """Return x, y, z, w as f24 from the three words of an upload."""
    first, second, third = words
    z = (first & 0xFF) << 16 | second >> 16
    y = (second & 0xFFFF) << 8 | third >> 24
    return third & 0xFFFFFF, y, z, first >> 8
