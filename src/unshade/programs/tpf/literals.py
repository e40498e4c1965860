"""Numbers as fxc prints them: the literals of instructions and of constant tables.

    mul  r0.x, r0.x, l(0.500000)          float     six digits behind the point, always
    iadd r0.x, r0.x, l(-1)                integer   decimal up to 10000, else 0x0001d4c0
    mov  r0.xy, l(1.000000,-1,0,0)        untyped   whichever of the two the bits look like
    dadd r0.xy, r0.xyxy, d(0.500000l, 0.000000l)

Two C run-time libraries stand behind the listings. The older one calculates 17 significant digits,
prints zeros behind them, rounds halves away from zero and spells infinity 1.#INF; the newer one
prints every digit and rounds halves, which only exact binary fractions reach, to even.

Source: listings of fxc; facts of the rounding measured on 189 + 116 of them.
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from struct import Struct

DECIMAL_LIMIT = 10000  # beyond it either way an integer is printed in hex

_WORD = Struct("<I")
_FLOAT = Struct("<f")
_QUAD = Struct("<Q")
_DOUBLE = Struct("<d")
_SEVENTEEN = Context(prec=17, rounding=ROUND_HALF_UP)
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_MILLIONTH = Decimal("0.000001")


def integer(bits: int) -> str:
    """A word as a signed integer if it is small, in hex otherwise."""
    value = bits - 0x1_0000_0000 if bits & 0x8000_0000 else bits
    if -DECIMAL_LIMIT <= value <= DECIMAL_LIMIT:
        return str(value)
    return f"0x{bits:08x}"


@lru_cache(maxsize=1 << 15)
def floating(bits: int, exact: bool, special_digits: int) -> str:
    """A word as a float with six digits behind the point.

    `exact` chooses the newer library. Infinity and NaN fill `special_digits` places behind the
    point: 1.#INF00 with 6, 1.#INF0000 with 8.
    """
    if bits & 0x7F80_0000 == 0x7F80_0000:
        return _special(bits >> 31, bits & 0x007F_FFFF, 0x0040_0000, special_digits)
    value: float = _FLOAT.unpack(_WORD.pack(bits))[0]
    return _fixed(value, exact)


@lru_cache(maxsize=1 << 12)
def double(bits: int, exact: bool, special_digits: int) -> str:
    """64 bits as a double: the digits of a float and an l."""
    if bits >> 52 & 0x7FF == 0x7FF:
        return _special(bits >> 63, bits & (1 << 52) - 1, 1 << 51, special_digits) + "l"
    value: float = _DOUBLE.unpack(_QUAD.pack(bits))[0]
    return _fixed(value, exact) + "l"


def untyped(bits: int, exact: bool, special_digits: int) -> str:
    """A word that is only copied: a float if its bits are those of an ordinary one."""
    exponent = bits & 0x7F80_0000
    if bits == 0x8000_0000:
        return "-0.000000"
    if exponent in (0, 0x7F80_0000):
        return integer(bits)
    return floating(bits, exact, special_digits)


def _fixed(value: float, exact: bool) -> str:
    if exact:
        return f"{value:.6f}"
    digits = _SEVENTEEN.create_decimal_from_float(value)
    return f"{digits.quantize(_MILLIONTH, context=_WIDE):f}"


def _special(negative: int, fraction: int, quiet: int, digits: int) -> str:
    """Infinity and NaN in the words of the older library; a NaN that was loaded is quiet."""
    if not fraction:
        word = "#INF"
    elif negative and fraction == quiet:
        word = "#IND"  # what the processor's invalid operations give
    else:
        word = "#QNAN"
    return ("-1." if negative else "1.") + word.ljust(digits, "0")
