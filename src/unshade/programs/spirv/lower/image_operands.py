"""The optional operands of image instructions: a mask, and the operands of its bits.

    Bias %b    Lod %l    Grad %dx %dy    ConstOffset %o    Sample %s    MinLod %m

Operands follow in the order of the bits. Operands of the memory model need nothing.

Source: SPIR-V specification, section 3.14 (Image Operands).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dataclass import dataclass, field
from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.types import F32, I32
from ..tables.numbers import ImageOperands as Bits
from .operations import Components

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["Operands", "as_float", "as_integer", "operands_of"]

# Bits with their numbers of operands, in order.
COUNTS = (
    (Bits.Bias, 1), (Bits.Lod, 1), (Bits.Grad, 2), (Bits.ConstOffset, 1), (Bits.Offset, 1),
    (Bits.ConstOffsets, 1), (Bits.Sample, 1), (Bits.MinLod, 1), (Bits.MakeTexelAvailable, 1),
    (Bits.MakeTexelVisible, 1), (Bits.NonPrivateTexel, 0), (Bits.VolatileTexel, 0),
    (Bits.SignExtend, 0), (Bits.ZeroExtend, 0), (Bits.Nontemporal, 0), (Bits.Offsets, 1),
)  # fmt: skip


@dataclass(slots=True)
class Operands:
    """The operands, by bit; offsets are 32-bit integers."""

    given: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __contains__(self, bit: int) -> bool:
        return bit in self.given

    def values(self, lowering: "Lowering", bit: int) -> Components:
        """Return the scalars of all operands of a bit."""
        return tuple(value for each in self.given[bit] for value in lowering.value(each))

    def offset(self, lowering: "Lowering") -> list[Value]:
        """Return the offset, or an empty list."""
        for bit in (Bits.ConstOffset, Bits.Offset):
            if bit in self.given:
                return [as_integer(lowering, each) for each in self.values(lowering, bit)]
        return []

    def offsets(self, lowering: "Lowering") -> list[list[Value]]:
        """Return the offsets of the four texels of a gather; empty without them."""
        for bit in (Bits.ConstOffsets, Bits.Offsets):
            if bit in self.given:
                flat = [as_integer(lowering, each) for each in self.values(lowering, bit)]
                size = len(flat) // 4
                return [flat[at * size : (at + 1) * size] for at in range(4)]
        return []


def operands_of(words: Sequence[int]) -> Operands:
    """Return the operands from the mask on."""
    found = Operands()
    if not words:
        return found
    mask, rest = words[0], list(words[1:])
    for bit, count in COUNTS:
        if mask & bit:
            mask &= ~bit
            if len(rest) < count:
                raise UnsupportedError("expected as many operands as the mask of an image lists")
            found.given[bit] = tuple(rest[:count])
            del rest[:count]
    if mask:
        raise UnsupportedError(f"image operands 0x{mask:x} cannot be run")
    return found


def as_float(lowering: "Lowering", value: Value) -> Value:
    """Return a coordinate as a float of 32 bits."""
    return value if value.type == F32 else lowering.b.fconv(value, type=F32)


def as_integer(lowering: "Lowering", value: Value) -> Value:
    """Return a coordinate as an integer of 32 bits."""
    return value if value.type == I32 else lowering.b.iconv(value, type=I32)
