"""Operand descriptors: component masks, swizzles and signs, shared by instructions.

     31 30       23 22 21       14 13 12        5  4  3  0
    +--+-----------+--+-----------+--+-----------+--+-----+
    | ?|   swz3    |n3|   swz2    |n2|   swz1    |n1|mask |   and an unused second word
    +--+-----------+--+-----------+--+-----------+--+-----+
    mask: bit 3 is x, bit 2 y, bit 1 z, bit 0 w        swz: x in the top two bits, 0 to 3 are x to w

A swizzle selects a source component for each of x, y, z and w; then `neg` negates all four. The
identity is 0x1b. There are at most 128 descriptors; mad and madi can name only the first 32.

Source: 3dbrew's page on the shader instruction set. The second word: picasso and nihstro write 0,
aemstro 0xf, and bit 31 of the first with it (all 116 of its descriptors in the corpus); libctru
does not upload it. The meaning of bit 31 is not known.
"""

from ...isa import Bits, Word
from ...vocab.pica import COMPONENTS

IDENTITY = 0x1B
MAX_DESCRIPTORS = 128
MAX_MAD_DESCRIPTORS = 32

_MASKS = tuple("".join(c for i, c in enumerate(COMPONENTS) if m << i & 8) for m in range(16))
_SWIZZLES = tuple("".join(COMPONENTS[n >> 6 - 2 * i & 3] for i in range(4)) for n in range(256))


def mask_letters(mask: int) -> str:
    """Return the components of a mask: 0b1011 is "xzw"."""
    return _MASKS[mask]


def swizzle_letters(swizzle: int) -> str:
    """Return a swizzle as letters: 0x1b is "xyzw"."""
    return _SWIZZLES[swizzle]


def swizzle_components(swizzle: int) -> tuple[int, int, int, int]:
    """Return the component, 0 to 3, that a swizzle selects for each of x, y, z and w."""
    return swizzle >> 6 & 3, swizzle >> 4 & 3, swizzle >> 2 & 3, swizzle & 3


class OperandDescriptor(Word):
    """One operand descriptor; `high` is its second word."""

    __slots__ = ("high",)

    mask = Bits(0, 4, "components that are written: bit 3 x, 2 y, 1 z, 0 w", spell=mask_letters)
    neg1 = Bits(4, 1, "the first source is negated")
    swz1 = Bits(
        5,
        8,
        "components of the first source, two bits each, x in the top two",
        spell=swizzle_letters,
    )
    neg2 = Bits(13, 1, "the second source is negated")
    swz2 = Bits(14, 8, "components of the second source, the same way", spell=swizzle_letters)
    neg3 = Bits(22, 1, "the third source is negated")
    swz3 = Bits(23, 8, "components of the third source, the same way", spell=swizzle_letters)
    unknown_31 = Bits(31, 1, "set by aemstro; meaning not known")

    def __init__(self, word: int = 0, high: int = 0, **values: int) -> None:
        super().__init__(word, **values)
        self.high = high

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OperandDescriptor)
            and other.word == self.word
            and other.high == self.high
        )

    __hash__ = None  # it can change

    def __repr__(self) -> str:
        signs = self.neg1, self.neg2, self.neg3
        sources = (
            f"{'-' * sign}{swizzle_letters(swizzle)}"
            for sign, swizzle in zip(signs, self.swizzles, strict=True)
        )
        high = f", high=0x{self.high:x}" if self.high else ""
        return f"<OperandDescriptor {mask_letters(self.mask) or '-'}, {', '.join(sources)}{high}>"

    @property
    def swizzles(self) -> tuple[int, int, int]:
        """The swizzle of each source."""
        return self.swz1, self.swz2, self.swz3

    @property
    def negates(self) -> tuple[int, int, int]:
        """1 for each source that is negated."""
        return self.neg1, self.neg2, self.neg3

    def encode(self) -> tuple[int, int]:
        """Return the two words of the table entry, low first."""
        return self.word, self.high
