"""Constant folding: the definition of each pure operation on plain numbers.

Both engines are tested against these definitions. A value is its bits as an unsigned integer; a
bool is 0 or 1. Float arithmetic uses Python's doubles: for sum, difference, product, quotient and
root of 32- or 16-bit floats, rounding the double again yields the correctly rounded result (53 >= 2
* 24 + 2 bits; Figueroa, "When is double rounding innocuous?", 1995). Sums of 64-bit floats are
Python's own; ffma is exact.
"""

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from .ops import OPS, Op
from .types import FLOATS, FLUSH_32, Type, Widths

_CODES = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
_SIGN = {bits: 1 << bits - 1 for bits in (8, 16, 32, 64)}
_QUIET = {16: 0x7E00, 32: 0x7FC0_0000, 64: 0x7FF8_0000_0000_0000}
_INFINITY = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}
LEAST_NORMAL = {16: 0x0400, 32: 0x0080_0000, 64: 0x0010_0000_0000_0000}
_DIGITS = {16: 11, 32: 24, 64: 53}
_EXPONENTS = {16: -14, 32: -126, 64: -1022}  # of the least normal numbers
# Numbers below this round, to full precision (24 bits for a 32-bit float), to less than the least
# normal number; a tie is rounded up, to even.
TINY = {
    bits: Fraction(2) ** least - Fraction(2) ** (least - _DIGITS[bits] - 1)
    for bits, least in _EXPONENTS.items()
}


def to_float(bits: int, type: Type) -> float:
    """Return the value of a float's bits."""
    float_code, word_code = _CODES[type.bits]
    found: float = struct.unpack(float_code, struct.pack(word_code, bits))[0]
    return found


def from_float(value: float, type: Type) -> int:
    """Return the bits of the nearest float; every NaN becomes the quiet NaN."""
    if math.isnan(value):
        return _QUIET[type.bits]
    float_code, word_code = _CODES[type.bits]
    try:
        raw = struct.pack(float_code, value)
    except OverflowError:
        return _INFINITY[type.bits] | (_SIGN[type.bits] if value < 0 else 0)
    found: int = struct.unpack(word_code, raw)[0]
    return found


def flushed(bits: int, type: Type) -> int:
    """Return the bits of a float, zero with its sign if it is subnormal."""
    magnitude = bits & ~_SIGN[type.bits]
    return bits & _SIGN[type.bits] if magnitude < LEAST_NORMAL[type.bits] else bits


def signed(bits: int, type: Type) -> int:
    """Return the signed value of an integer's bits."""
    return bits - (1 << type.bits) if bits & _SIGN[type.bits] else bits


# ---------------------------------------------------------------- integers

Integers = Callable[[Type, int, int], int]


def _idiv(t: Type, a: int, b: int) -> int:
    if not b:
        return t.mask
    quotient = abs(signed(a, t)) // abs(signed(b, t))
    return -quotient if (a ^ b) & _SIGN[t.bits] else quotient


def _irem(t: Type, a: int, b: int) -> int:
    if not b:
        return t.mask
    rest = abs(signed(a, t)) % abs(signed(b, t))
    return -rest if a & _SIGN[t.bits] else rest


# fmt: off
_INTEGER: dict[Op, Integers] = {
    OPS.iadd:  lambda t, a, b: a + b,
    OPS.isub:  lambda t, a, b: a - b,
    OPS.imul:  lambda t, a, b: a * b,
    OPS.imulh: lambda t, a, b: signed(a, t) * signed(b, t) >> t.bits,
    OPS.umulh: lambda t, a, b: a * b >> t.bits,
    OPS.idiv:  _idiv,
    OPS.irem:  _irem,
    OPS.udiv:  lambda t, a, b: a // b if b else t.mask,
    OPS.urem:  lambda t, a, b: a % b if b else t.mask,
    OPS.imin:  lambda t, a, b: min(signed(a, t), signed(b, t)),
    OPS.imax:  lambda t, a, b: max(signed(a, t), signed(b, t)),
    OPS.umin:  lambda t, a, b: min(a, b),
    OPS.umax:  lambda t, a, b: max(a, b),
    OPS.and_:  lambda t, a, b: a & b,
    OPS.or_:   lambda t, a, b: a | b,
    OPS.xor:   lambda t, a, b: a ^ b,
    OPS.ishl:  lambda t, a, b: a << (b & t.bits - 1),
    OPS.ishr:  lambda t, a, b: signed(a, t) >> (b & t.bits - 1),
    OPS.ushr:  lambda t, a, b: a >> (b & t.bits - 1),
}
_UNARY: dict[Op, Callable[[Type, int], int]] = {
    OPS.ineg:     lambda t, a: -a,
    OPS.not_:     lambda t, a: ~a,
    OPS.popcount: lambda t, a: a.bit_count(),
    OPS.clz:      lambda t, a: t.bits - a.bit_length(),
    OPS.ctz:      lambda t, a: (a & -a).bit_length() - 1 if a else t.bits,
    OPS.bitrev:   lambda t, a: int(f"{a:0{t.bits}b}"[::-1], 2),
}
_COMPARE: dict[Op, Callable[[Type, int, int], bool]] = {
    OPS.ieq: lambda t, a, b: a == b,
    OPS.ine: lambda t, a, b: a != b,
    OPS.ilt: lambda t, a, b: signed(a, t) < signed(b, t),
    OPS.ile: lambda t, a, b: signed(a, t) <= signed(b, t),
    OPS.ult: lambda t, a, b: a < b,
    OPS.ule: lambda t, a, b: a <= b,
}

# ---------------------------------------------------------------- floats

_FLOAT_COMPARE: dict[Op, Callable[[float, float], bool]] = {
    OPS.feq: lambda a, b: a == b,
    OPS.fne: lambda a, b: a != b,
    OPS.flt: lambda a, b: a < b,
    OPS.fle: lambda a, b: a <= b,
}
_ROUND: dict[Op, Callable[[float], float]] = {
    OPS.ffloor: math.floor,
    OPS.fceil:  math.ceil,
    OPS.ftrunc: math.trunc,
    OPS.frint:  round,
}
# fmt: on


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if not a or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _fma(a: float, b: float, c: float, type: Type, flush: Widths) -> int:
    """Return a * b + c, rounded once: the sum is an exact fraction."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return from_float(a * b + c, type)
    if not math.isfinite(c):
        return from_float(c, type)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:  # a zero product leaves the sign to the sum, two that cancel give +0
        return from_float(0.0 if a and b else a * b + c, type)
    if type.bits in flush and abs(exact) < TINY[type.bits]:
        return _SIGN[type.bits] if exact < 0 else 0
    return nearest(exact, type)


def nearest(value: Fraction | int, type: Type) -> int:
    """Return the bits of the float nearest to an exact number other than 0, ties to even."""
    sign = _SIGN[type.bits] if value < 0 else 0
    value = abs(Fraction(value))
    digits, least = _DIGITS[type.bits], _EXPONENTS[type.bits]
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, least)
    unit = Fraction(2) ** (exponent - digits + 1)
    found = round(value / unit)  # ties to even
    bits = ((exponent - least) << digits - 1) + found  # a carry moves into the exponent
    return sign | min(bits, _INFINITY[type.bits])


def _rounded(
    value: float, type: Type, flush: Widths, exact: Callable[[], Fraction] | None = None
) -> int:
    """Return the bits of the float nearest to a double, with flushing.

    If the double is itself rounded, `exact` returns the exact number, which decides on flushing.
    """
    if type.bits in flush and 0 < abs(value) <= 2.0 ** _EXPONENTS[type.bits]:
        size = Fraction(value) if exact is None else exact()
        if abs(size) < TINY[type.bits]:
            value = math.copysign(0.0, value)
    return from_float(value, type)


def _float(op: Op, t: Type, args: tuple[int, ...], flush: Widths) -> int:
    a, *more = (to_float(each, t) for each in args)
    if op in _ROUND:
        if not math.isfinite(a):
            return from_float(a, t)
        return from_float(math.copysign(float(_ROUND[op](a)), a), t)
    if op is OPS.fsqrt:
        return from_float(math.sqrt(a) if a >= 0 else math.nan, t)
    b = more[0]
    match op:
        case OPS.fadd:
            return _rounded(a + b, t, flush)
        case OPS.fsub:
            return _rounded(a - b, t, flush)
        case OPS.fmul:
            return _rounded(a * b, t, flush, lambda: Fraction(a) * Fraction(b))
        case OPS.fmul_legacy:
            product = a * b if a and b else 0.0
            return _rounded(product, t, flush, lambda: Fraction(a) * Fraction(b))
        case OPS.fdiv:
            return _rounded(_divide(a, b), t, flush, lambda: Fraction(a) / Fraction(b))
        case OPS.fmin:
            return from_float(a if a < b or math.isnan(b) else b, t)
        case OPS.fmax:
            return from_float(a if a > b or math.isnan(b) else b, t)
        case _:
            return _fma(a, b, more[1], t, flush)


def _to_integer(value: float, low: int, high: int) -> int:
    if math.isnan(value):
        return 0
    return int(min(max(value, low), high))


# ---------------------------------------------------------------- all operations


def fold(
    op: Op, type: Type, args: tuple[tuple[int, Type], ...], flush: Widths = FLUSH_32
) -> int | None:
    """Return the result of a pure operation on constants.

    Args:
        op: the operation.
        type: type of the result.
        args: bits and type of each operand.
        flush: widths of floats whose subnormal numbers count as zero.

    Returns:
        The bits, or None if the operation cannot be folded.
    """
    bits = tuple(each for each, _ in args)
    of = args[0][1] if args else type
    if of.kind == "f" and of.bits in flush and not op.moves:
        bits = tuple(flushed(each, of) for each in bits)
    found = _folded(op, type, of, bits, flush)
    return None if found is None else found & type.mask


def _folded(op: Op, type: Type, of: Type, bits: tuple[int, ...], flush: Widths) -> int | None:
    if op in _INTEGER:
        return _INTEGER[op](of, *bits)
    if op in _UNARY:
        return _UNARY[op](of, bits[0])
    if op in _COMPARE:
        return int(_COMPARE[op](of, *bits))
    if op in _FLOAT_COMPARE:
        a, b = (to_float(each, of) for each in bits)
        return int(_FLOAT_COMPARE[op](a, b))
    match op:
        case OPS.fneg:
            return bits[0] ^ _SIGN[of.bits]
        case OPS.fcanonicalise:
            return from_float(to_float(bits[0], of), of)
        case OPS.fabs:
            return bits[0] & ~_SIGN[of.bits]
        case OPS.asint | OPS.bitcast | OPS.asfloat | OPS.uconv:
            return bits[0]
        case OPS.iconv:
            return signed(bits[0], of)
        case OPS.select:
            return bits[1] if bits[0] else bits[2]
        case OPS.ftoi:
            half = 1 << type.bits - 1
            return _to_integer(to_float(bits[0], of), -half, half - 1)
        case OPS.ftou:
            return _to_integer(to_float(bits[0], of), 0, type.mask)
        case OPS.itof | OPS.utof:
            number = signed(bits[0], of) if op is OPS.itof else bits[0]
            return nearest(number, type) if number else 0
        case OPS.fconv:
            return _convert(bits[0], of, type, flush)
    if of in FLOATS.values() and op in _FLOATS:
        return _float(op, of, bits, flush)
    return None


_FLOATS = frozenset({
    OPS.fadd, OPS.fsub, OPS.fmul, OPS.fmul_legacy, OPS.fdiv, OPS.ffma, OPS.fsqrt, OPS.fmin,
    OPS.fmax, *_ROUND,
})  # fmt: skip


def _convert(bits: int, of: Type, type: Type, flush: Widths) -> int:
    value = to_float(bits, of)
    if of.bits > type.bits and math.isfinite(value) and value:
        if type.bits in flush and abs(Fraction(value)) < TINY[type.bits]:
            return _SIGN[type.bits] if value < 0 else 0
        return nearest(Fraction(value), type)  # struct rounds a double once, but overflows
    return from_float(value, type)
