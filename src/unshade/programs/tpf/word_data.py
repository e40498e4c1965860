"""Numbers and bit fields of tokens as plain data, and the checks of what comes back.

    0x3f000000  as a float literal  0.5        as any other  1056964608
    0x07002038  as Arithmetic       {saturate: 1}

A number with a point is a float's bits, one without is the bits themselves, so the two need no
types beside them. Bits that no field names stand under `unnamed`, in hex.
"""

import struct
from collections.abc import Iterable
from functools import lru_cache
from math import isfinite

from ...errors import FormatError
from ...isa import Bits, Word
from ...wire.data import Plain, name_of

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


def integer_from_data(data: Plain, path: str) -> int:
    """An integer of up to 64 bits from itself or from text: 16, -1, "0x10"."""
    value = data
    if isinstance(data, str):
        try:
            value = int(data, 0)
        except ValueError:
            value = None
    if type(value) is int and -(1 << 31) <= value < 1 << 64:
        return value
    raise FormatError(f"a number expected, not {data!r:.40}", path=path)


def list_from_data(data: Plain, path: str) -> list[Plain]:
    """A list."""
    if isinstance(data, list):
        return data
    raise FormatError(f"a list expected, not {type(data).__name__}", path=path)


def mapping_from_data(data: Plain, path: str) -> dict[str, Plain]:
    """A copy of a mapping."""
    if isinstance(data, dict):
        return dict(data)
    raise FormatError(f"a mapping expected, not {type(data).__name__}", path=path)


def nothing_left(data: dict[str, Plain], path: str) -> None:
    """Refuses entries that nobody took."""
    if data:
        raise FormatError(f"{next(iter(data))!r} is no field here", path=path)


def dwords_from_data(data: Plain, path: str) -> list[int]:
    return [
        dword_from_data(item, f"{path}[{i}]") for i, item in enumerate(list_from_data(data, path))
    ]


def word_to_data(cls: type[Word], word: int, skip: Iterable[str] = ()) -> dict[str, Plain]:
    """The fields that are not zero, and the bits that have no name."""
    found: dict[str, Plain] = {}
    for f in cls.FIELDS:
        value = f.of(word)
        if value and f.name not in skip:
            found[f.name] = name_of(f.enum, value)
    rest = word & ~cls.named_mask()
    if rest:
        found["unnamed"] = f"0x{rest:08x}"
    return found


def take_word(cls: type[Word], data: dict[str, Plain], path: str, skip: Iterable[str] = ()) -> int:
    """The word that `word_to_data` told; its entries are taken out of `data`."""
    word = dword_from_data(data.pop("unnamed", 0), f"{path}.unnamed")
    for f in cls.FIELDS:
        if f.name in data and f.name not in skip:
            word = f.put(word, field_from_data(f, data.pop(f.name), f"{path}.{f.name}"))
    return word


def field_from_data(f: Bits, data: Plain, path: str) -> int:
    if isinstance(data, str) and f.enum is not None:
        member = f.enum.__members__.get(data)
        if member is not None:
            return member.value
        if not data[:1].isdigit():
            known = ", ".join(f.enum.__members__)
            raise FormatError(f"{data!r} is none of {known}", path=path)
    return integer_from_data(data, path)
