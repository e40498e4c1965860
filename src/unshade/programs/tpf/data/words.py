"""The numbers of tokens as plain data.

    0x3f000000  as a float literal  0.5        as any other  1056964608

A number with a point is a float's bits, one without is the bits themselves, so the two need no
types beside them. Bit fields of tokens are told by `isa.data`.
"""

import struct
from functools import lru_cache
from math import isfinite

from ....errors import FormatError
from ....isa.data import integer_from_data, list_from_data
from ....wire.data import Plain

UNTYPED = "x"  # the table's letter for what is only copied


@lru_cache(maxsize=1 << 14)
def number(word: int, kind: str) -> int | float:
    """A dword as the number it was meant to be: `kind` is the operand's letter in the table."""
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
    """A dword from a float, an integer (negative ones too) or hex text."""
    if isinstance(data, float):
        found = _float_bits(data)
        if found is not None:
            return found
    value = integer_from_data(data, path)
    if value >> 32 > 0:
        raise FormatError(f"{value} does not fit 32 bits", path=path)
    return value & 0xFFFF_FFFF


def dwords_from_data(data: Plain, path: str) -> list[int]:
    return [
        dword_from_data(item, f"{path}[{i}]") for i, item in enumerate(list_from_data(data, path))
    ]
