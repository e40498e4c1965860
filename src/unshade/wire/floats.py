"""Lossless conversion between 32-bit floats and Python numbers.

    s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm   e all ones and m not 0: a NaN with payload m

Source: IEEE 754. Conversion to a Python float, which has 64 bits, makes a signalling NaN quiet.
"""

import struct

_FLOAT = struct.Struct("<f")
_WORD = struct.Struct("<I")


class NanBits(float):
    """A NaN with its 32 bits, which conversion to a Python float could change."""

    __slots__ = ("bits",)
    bits: int

    def __new__(cls, bits: int) -> "NanBits":
        self = super().__new__(cls, "nan")
        self.bits = bits
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NanBits) and other.bits == self.bits

    def __hash__(self) -> int:
        return hash(("nan", self.bits))


def f32_from_bits(bits: int) -> float:
    """Return the number that 32 bits encode; a NaN keeps its bits."""
    value: float = _FLOAT.unpack(_WORD.pack(bits))[0]
    return value if value == value else NanBits(bits)  # noqa: PLR0124


def f32_to_bits(value: float) -> int:
    """Return the 32 bits of a number, rounded to nearest; raise OverflowError if too large."""
    if isinstance(value, NanBits):
        return value.bits
    bits: int = _WORD.unpack(_FLOAT.pack(value))[0]
    return bits
