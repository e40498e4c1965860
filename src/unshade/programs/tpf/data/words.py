"""Conversion of dwords to plain data and back.

    0x3f000000  as a float literal  0.5        as any other  1056964608

A number with a point stands for the bits of a float, a number without for the bits themselves; so
no further type is needed. `isa.data` converts the bit fields of tokens.
"""

import struct
from functools import lru_cache
from math import isfinite

from ....errors import FormatError
from ....isa.data import integer_from_data, list_from_data
from ....wire.data import Plain

UNTYPED = "x"  # the letter of operands without a type


@lru_cache(maxsize=1 << 14)
def number(word: int, kind: str) -> int | float:
    """Return a dword as a float or integer, by `kind`, the operand's letter in the table."""
    exponent = word >> 23 & 255
    if kind == "f" or (kind == UNTYPED and (exponent or word == 1 << 31)):
        value: float = struct.unpack("<f", struct.pack("<I", word))[0]
        if isfinite(value):
            for digits in range(6, 10):
                short = float(f"{value:.{digits}g}")
                if _float_bits(short) == word:
                    return short
    return word - (1 << 32) if kind in ("i", "c") and word >> 24 == 255 else word


def _float_bits(value: float) -> int | None:
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return None


def dword_from_data(data: Plain, path: str) -> int:
    """Return the dword for a float, an integer of either sign, or hex text."""
    if isinstance(data, float):
        found = _float_bits(data)
        if found is not None:
            return found
    value = integer_from_data(data, path)
    if value >> 32 > 0:
        raise FormatError(f"{value} does not fit 32 bits", path=path)
    return value & 0xFFFF_FFFF


def dwords_from_data(data: Plain, path: str) -> list[int]:
    """Return the dwords for a list."""
    return [
        dword_from_data(item, f"{path}[{i}]") for i, item in enumerate(list_from_data(data, path))
    ]
