"""Numbers as fxc prints them: the literals of instructions and of constant tables.

    mul  r0.x, r0.x, l(0.500000)          float     always six decimal places
    iadd r0.x, r0.x, l(-1)                integer   decimal up to 10000, else 0x0001d4c0
    mov  r0.xy, l(1.000000,-1,0,0)        untyped   float or integer, guessed from the bits
    dadd r0.xy, r0.xyxy, d(0.500000l, 0.000000l)

The C run-time library of the compiler (`Library`) determines the number of digits, the rounding of
ties (exact binary fractions reach them), and the spelling of infinity.

When read, hex is the bits; a number with a point or an exponent is a float; an integer is a float
if the operation takes floats (fxc never prints that), and itself everywhere else. Exact text
differs only where the native digits would be read as another number: l(0.33333334), l(0x7fc00001).

Source: listings of fxc; the public documentation of the Universal C Runtime, which changed the
rounding of halves with Windows 10 build 19041; comments in public assemblers (1.#INF).
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite
from struct import Struct

from ....enums import IntEnum


class Library(IntEnum):
    """The C run-time library that prints the floats.

                 digits                       ties     infinity
    COMPILER_46  17, then zeros               away     1.#INF0000   fxc 9.x
    MSVCRT       17, then zeros               away     1.#INF00     fxc 6.3 and Windows' own DLL
    UCRT         all                          away     inf          fxc 10.x until 2020
    UCRT_19041   all                          even     inf          fxc 10.x since
    """

    COMPILER_46 = 0
    MSVCRT = 1
    UCRT = 2
    UCRT_19041 = 3


DECIMAL_LIMIT = 10000  # integers of greater magnitude are printed in hex

_WORD = Struct("<I")
_FLOAT = Struct("<f")
_QUAD = Struct("<Q")
_DOUBLE = Struct("<d")
_SEVENTEEN = Context(prec=17, rounding=ROUND_HALF_UP)
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_MILLIONTH = Decimal("0.000001")

FLOAT = "f"
UNTYPED = "x"
LONGEST = 400  # characters of a number: the smallest double has 327
_INFINITE = 0x7F80_0000
_QUIET = 0x0040_0000
_WORDS = {
    "inf": 0, "nan": _QUIET, "nan(ind)": _QUIET, "1.#INF": 0, "1.#QNAN": _QUIET, "1.#IND": _QUIET,
}  # fmt: skip


# ---------------------------------------------------------------- printing


@lru_cache(maxsize=1 << 16)
def number(bits: int, letter: str, library: Library, exact: bool = False) -> str:
    """Return a dword as a literal; `letter` is the operand's in the table of operations.

    An `exact` literal is read back as the same dword.
    """
    if letter == FLOAT:
        text = floating(bits, library)
    elif letter == UNTYPED:
        text = untyped(bits, library)
    else:
        text = integer(bits)
    return _shortest(bits) if exact and bits_of(text, letter) != bits else text


def integer(bits: int) -> str:
    """Return a dword as a signed integer if it is small, else in hex."""
    value = bits - 0x1_0000_0000 if bits & 0x8000_0000 else bits
    if -DECIMAL_LIMIT <= value <= DECIMAL_LIMIT:
        return str(value)
    return f"0x{bits:08x}"


@lru_cache(maxsize=1 << 15)
def floating(bits: int, library: Library) -> str:
    """Return a dword as a float with six decimal places."""
    if bits & 0x7F80_0000 == 0x7F80_0000:
        return _special(bits >> 31, bits & 0x007F_FFFF, 0x0040_0000, library)
    value: float = _FLOAT.unpack(_WORD.pack(bits))[0]
    return _fixed(value, library)


@lru_cache(maxsize=1 << 12)
def double(bits: int, library: Library, exact: bool = False) -> str:
    """Return 64 bits as a double: like a float, with the suffix l."""
    text = _double(bits, library)
    if not exact or double_bits_of(text) == bits:
        return text
    value: float = _DOUBLE.unpack(_QUAD.pack(bits))[0]
    return f"{value!r}l" if isfinite(value) else f"0x{bits:016x}"


def _double(bits: int, library: Library) -> str:
    if bits >> 52 & 0x7FF == 0x7FF:
        return _special(bits >> 63, bits & (1 << 52) - 1, 1 << 51, library) + "l"
    value: float = _DOUBLE.unpack(_QUAD.pack(bits))[0]
    return _fixed(value, library) + "l"


def untyped(bits: int, library: Library) -> str:
    """Return a dword of unknown type: as a float if its bits are a normal float."""
    exponent = bits & 0x7F80_0000
    if bits == 0x8000_0000:
        return "-0.000000"
    if exponent in (0, 0x7F80_0000):
        return integer(bits)
    return floating(bits, library)


def _fixed(value: float, library: Library) -> str:
    if library == Library.UCRT_19041:
        return f"{value:.6f}"
    exact = Decimal(value)
    if library < Library.UCRT:
        exact = _SEVENTEEN.create_decimal(exact)  # unlike plus, keeps the sign of zero
    return f"{exact.quantize(_MILLIONTH, context=_WIDE):f}"


def _special(negative: int, fraction: int, quiet: int, library: Library) -> str:
    """Return infinity or NaN.

    Loading a float makes a NaN quiet. Invalid operations of the processor return a negative NaN
    with the quiet bit alone, which is named indefinite.
    """
    sign = "-" if negative else ""
    indefinite = negative and fraction == quiet
    if library >= Library.UCRT:
        return sign + ("inf" if not fraction else "nan(ind)" if indefinite else "nan")
    word = "#INF" if not fraction else "#IND" if indefinite else "#QNAN"
    return f"{sign}1.{word.ljust(8 if library == Library.COMPILER_46 else 6, '0')}"


def _shortest(bits: int) -> str:
    """Return the shortest number that is read as these bits; hex for a NaN."""
    value: float = _FLOAT.unpack(_WORD.pack(bits))[0]
    if isfinite(value):
        for digits in range(1, 10):
            text = f"{value:.{digits}g}"
            if bits_of(text, FLOAT) == bits:
                return text
    return f"0x{bits:08x}"


# ---------------------------------------------------------------- reading


def bits_of(text: str, letter: str) -> int | None:
    """Return the dword of a literal; None if it is not a number or does not fit."""
    if not _readable(text):
        return None
    try:
        if text[:2] in ("0x", "0X"):
            value = int(text, 16)
            return value if value <= 0xFFFF_FFFF else None
        if letter != FLOAT and text.lstrip("+-").isdecimal():
            value = int(text)
            return value & 0xFFFF_FFFF if -(1 << 31) <= value < 1 << 32 else None
        special = _special_bits(text)
        if special is not None:
            return special[0] << 31 | _INFINITE | special[1]
        number = float(text)
        found: int = _WORD.unpack(_FLOAT.pack(number))[0]
        return found if isfinite(number) else None
    except (ValueError, OverflowError):
        return None


def double_bits_of(text: str) -> int | None:
    """Return the 64 bits of a literal, or None; the suffix l may be missing."""
    if not _readable(text):
        return None
    try:
        if text[:2] in ("0x", "0X"):
            value = int(text, 16)
            return value if value >> 64 == 0 else None
        text = text.removesuffix("l")
        special = _special_bits(text)
        if special is not None:
            return special[0] << 63 | 0x7FF << 52 | special[1] << 29
        number = float(text)
        found: int = _QUAD.unpack(_DOUBLE.pack(number))[0]
        return found if isfinite(number) else None
    except ValueError:
        return None


def _readable(text: str) -> bool:
    """Return False for texts that only Python reads as numbers: 1_000, digits of other scripts."""
    return len(text) <= LONGEST and text.isascii() and "_" not in text


def _special_bits(text: str) -> tuple[int, int] | None:
    """Return sign and fraction (of a float) of infinity or NaN, in any library's spelling."""
    word = text.lstrip("+-")
    fraction = _WORDS.get(word.rstrip("0"))
    return None if fraction is None else (int(text[0] == "-"), fraction)
