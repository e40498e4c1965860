"""Numbers of sRGB of 8 bits, by tables that are made of the functions of `texels`.

    bits of a colour, from 0x1p-13 on      exponent | 7 bits | the rest: its interval
    interval                               a number, and the least colour of the next number

So results are those of the arrays, whatever functions of powers NumPy has on this machine. `tables`
looks at each place where the number changes, and refuses functions that go down there.
"""

from functools import cache

import numpy as np

from ....vm.jit.written import F32, I32, I64, Num, ValueType
from ....vm.launch import Array
from ...binding.pixel_formats import pixel_format
from .quads import QUAD
from .uncovered import Uncovered

SRGB_WORDS = ["srgb_colours", "srgb_numbers", "srgb_next"]
FIRST, SHIFT = 114 << 23, 16  # the bits of the first interval's end, and of an interval
COUNT = (127 << 23) - FIRST >> SHIFT  # intervals before 1.0
NUMBERS = 256
AROUND = 256  # colours on both sides of a change that are looked at
FORMAT = "R8_SRGB"


@cache
def tables() -> tuple[Array, Array, Array]:
    """Return the colours of numbers; the number where an interval begins, and the next one's least
    colour.

    Raises:
        Uncovered: Numbers do not rise with colours, or change twice in an interval.
    """
    form = pixel_format(FORMAT)

    def encoded(bits: Array) -> Array:
        colours = np.zeros((bits.size, 4), "<f4")
        colours[:, 0] = bits.reshape(-1).astype("<u4").view("<f4")
        return form.encode(colours).reshape(bits.shape)

    colours = form.decode(np.arange(NUMBERS, dtype="u1")[:, np.newaxis])[:, 0].copy()
    wanted = np.arange(1, NUMBERS)
    low, high = np.zeros(len(wanted), np.int64), np.full(len(wanted), 127 << 23, np.int64)
    while (high - low > 1).any():  # low is below the number, high is not
        middle = low + high >> 1
        enough = encoded(middle) >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    near = high[:, np.newaxis] + np.arange(-AROUND, AROUND)
    rises = encoded(near) == wanted[:, np.newaxis] - (near < high[:, np.newaxis])
    starts = FIRST + (np.arange(COUNT + 1, dtype=np.int64) << SHIFT)
    starts[0] = 0
    numbers = np.searchsorted(high, starts, side="right")
    changes = np.diff(np.append(numbers, NUMBERS - 1))
    if not rises.all() or changes.max() > 1:
        raise Uncovered
    after = np.append(high, 255 << 23)[numbers]  # infinity after the last
    return colours, numbers.astype("<i4"), after.astype("<u4").view("<f4")


def to_srgb(colour: Num) -> Num:
    """Return the numbers of colours from 0 to 1, as 32-bit integers."""
    code = colour.code
    far = colour.bits_as(I32.of(QUAD)) - FIRST
    at = far.is_("slt", 0).choose(code.constant(0, far.kind), far.signed_shift(SHIFT))
    number, after = (_looked_up(at, *each) for each in (("srgb_numbers", I32), ("srgb_next", F32)))
    return number + colour.is_("oge", after).to(I32, "zext")


def from_srgb(number: Num) -> Num:
    """Return the colours of numbers."""
    return _looked_up(number, "srgb_colours", F32)


def _looked_up(at: Num, word: str, kind: ValueType) -> Num:
    """Return elements of a table."""
    code = at.code
    places = (code.at(word, kind, at.lane(lane).to(I64, "sext")) for lane in range(QUAD))
    return code.gathered([each.load() for each in places])
