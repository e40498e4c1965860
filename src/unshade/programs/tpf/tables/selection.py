"""Component selection of operands, in letters: bits 2 to 11 of the operand token.

     11  10   9   8   7   6   5   4   3   2
    +---+---+---+---+---+---+---+---+---+---+
    | 0   0   0   0 | w | z | y | x | 0   0 |   mask      r0.xyz    the components to write
    +---+---+---+---+---+---+---+---+---+---+
    |  4th  |  3rd  |  2nd  |  1st  | 0   1 |   swizzle   r0.xxyw   a source for each of four
    +-------+-------+-------+-------+---+---+
    | 0   0   0   0   0   0 |  one  | 1   0 |   select    r0.x      one as a scalar
    +---+---+---+---+---+---+-------+---+---+

Source: the public header d3d12TokenizedProgramFormat.hpp.
"""

from .enumerations import SelectionMode

LETTERS = "xyzw"
_MASKS = tuple("".join(c for i, c in enumerate(LETTERS) if mask >> i & 1) for mask in range(16))
_SWIZZLES = [x + y + z + w for w in LETTERS for z in LETTERS for y in LETTERS for x in LETTERS]


def mask_letters(mask: int) -> str:
    """Return the letters of a mask: 13 is "xzw"."""
    return _MASKS[mask & 15]


def swizzle_letters(swizzle: int) -> str:
    """Return the letters of a swizzle: 0xE4 is "xyzw"."""
    return _SWIZZLES[swizzle & 255]


def select_letter(select: int) -> str:
    """Return the letter of a component: 1 is "y"."""
    return LETTERS[select & 3]


def selection(name: str, letters: str) -> int | None:
    """Return bits 2 to 11 for a "mask", "swizzle" or "select"; None if the letters are invalid."""
    numbers = [LETTERS.find(letter) for letter in letters]
    if -1 in numbers:
        return None
    if name == "mask" and len(set(numbers)) == len(numbers):
        return SelectionMode.MASK << 2 | sum(1 << n for n in numbers) << 4
    if name == "swizzle" and len(numbers) == 4:
        return SelectionMode.SWIZZLE << 2 | sum(n << 2 * i for i, n in enumerate(numbers)) << 4
    if name == "select" and len(numbers) == 1:
        return SelectionMode.SELECT_1 << 2 | numbers[0] << 4
    return None
