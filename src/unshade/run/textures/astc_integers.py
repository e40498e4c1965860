"""Sequences of integers in blocks of ASTC, and the numbers that they stand for.

    2 ** b values        b bits for each
    3 * 2 ** b           5 numbers in 5 b + 8 bits: five trits in a byte T, among the bits
    5 * 2 ** b           3 numbers in 3 b + 7 bits: three quints in seven bits Q

Source: Khronos Data Format Specification 1.4, section 23.11 and after: integer sequence encoding,
endpoint unquantization, weight unquantization.
"""

from functools import cache

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array


@dataclass(frozen=True, slots=True)
class Quantisation:
    """The numbers of values that an integer can have: `base` (1, 3 or 5) times 2 ** `bits`."""

    base: int
    bits: int

    @property
    def values(self) -> int:
        """The number of values."""
        return self.base << self.bits

    def size(self, count: int) -> int:
        """Return the number of bits of a sequence of `count` integers."""
        packed = {1: 0, 3: -(-8 * count // 5), 5: -(-7 * count // 3)}
        return packed[self.base] + count * self.bits


QUANTISATIONS = sorted(
    (Quantisation(base, bits) for base in (1, 3, 5) for bits in range(9)
     if 2 <= base << bits <= 256 and (base, bits) not in ((1, 0), (3, 7), (5, 6))),
    key=lambda each: each.values,
)  # fmt: skip
# For each packed number the places of its bits between those of the integers.
TRITS = (2, 2, 1, 2, 1)
QUINTS = (3, 2, 2)


def integers(bits: Array, count: int, how: Quantisation) -> Array:
    """Return the integers (n, count) at the start of bits (n, at least their size)."""
    if how.base == 1:
        fields = bits[:, : count * how.bits].reshape(len(bits), count, how.bits)
        return _number(fields)
    widths, table = (TRITS, _trits()) if how.base == 3 else (QUINTS, _quints())
    several = len(widths)
    whole = -(-count // several)
    size = several * how.bits + sum(widths)
    missing = max(0, whole * size - bits.shape[1])
    bits = np.pad(bits, ((0, 0), (0, missing)))[:, : whole * size].copy()
    bits[:, how.size(count) :] = 0
    group = bits.reshape(len(bits), whole, size)
    low, packed = [], []
    at = 0
    for width in widths:
        low.append(_number(group[..., at : at + how.bits]))
        packed.append(group[..., at + how.bits : at + how.bits + width])
        at += how.bits + width
    digits = table[_number(np.concatenate(packed, axis=-1))]
    found: Array = np.stack(low, axis=-1) + (digits << how.bits)
    return found.reshape(len(bits), -1)[:, :count]


def _number(bits: Array) -> Array:
    """Return the numbers of bits along the last axis, the lowest first."""
    found: Array = (bits.astype(np.int64) << np.arange(bits.shape[-1])).sum(axis=-1)
    return found


@cache
def _trits() -> Array:
    """Return the five trits of a byte."""
    t = np.arange(256)

    def bit(number: Array, at: int) -> Array:
        return number >> at & 1

    high = t >> 2 & 7
    c = np.where(high == 7, t >> 5 << 2 | t & 3, t & 31)
    two = t >> 5 & 3
    t4 = np.where(high == 7, 2, np.where(two == 3, 2, bit(t, 7)))
    t3 = np.where(high == 7, 2, np.where(two == 3, bit(t, 7), two))
    first, second = c & 3 == 3, c >> 2 & 3 == 3
    t2 = np.where(first | second, 2, bit(c, 4))
    t1 = np.where(first, bit(c, 4), np.where(second, 2, c >> 2 & 3))
    t0 = np.where(
        first, bit(c, 3) << 1 | bit(c, 2) & (1 - bit(c, 3)),
        np.where(second, c & 3, bit(c, 1) << 1 | bit(c, 0) & (1 - bit(c, 1))),
    )  # fmt: skip
    return np.stack([t0, t1, t2, t3, t4], axis=1)


@cache
def _quints() -> Array:
    """Return the three quints of seven bits."""
    q = np.arange(128)
    low = q & 1
    special = (q >> 1 & 3 == 3) & (q >> 5 & 3 == 0)
    top = q >> 1 & 3 == 3
    c = np.where(top, (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | low, q & 31)
    q2 = np.where(
        special, low << 2 | (q >> 4 & 1 & (1 - low)) << 1 | q >> 3 & 1 & (1 - low),
        np.where(top, 4, q >> 5 & 3),
    )  # fmt: skip
    five = c & 7 == 5
    q1 = np.where(special, 4, np.where(five, 4, c >> 3 & 3))
    q0 = np.where(special, 4, np.where(five, c >> 3 & 3, c & 7))
    return np.stack([q0, q1, q2], axis=1)


# ---------------------------------------------------------------- numbers

# By base and bits: the bits of B, from the highest, as letters of the integer's bits; C.
COLOURS = {
    (3, 1): ("000000000", 204), (3, 2): ("b000b0bb0", 93), (3, 3): ("cb000cbcb", 44),
    (3, 4): ("dcb000dcb", 22), (3, 5): ("edcb000ed", 11), (3, 6): ("fedcb000f", 5),
    (5, 1): ("000000000", 113), (5, 2): ("b0000bb00", 54), (5, 3): ("cb0000cbc", 26),
    (5, 4): ("dcb0000dc", 13), (5, 5): ("edcb0000e", 6),
}  # fmt: skip
WEIGHTS = {
    (3, 1): ("0000000", 50), (3, 2): ("b000b0b", 23), (3, 3): ("cb000cb", 11),
    (5, 1): ("0000000", 28), (5, 2): ("b0000b0", 13),
}  # fmt: skip
SMALL = {(3, 0): (0, 32, 63), (5, 0): (0, 16, 32, 47, 63)}  # weights without bits


@cache
def colours(how: Quantisation) -> Array:
    """Return the number from 0 to 255 of each integer of a colour."""
    if how.base == 1:
        return _replicated(how.bits, 8)
    return _scaled(how, *COLOURS[how.base, how.bits], high=0x80)


@cache
def weights(how: Quantisation) -> Array:
    """Return the number from 0 to 64 of each integer of a weight."""
    if how.base == 1:
        found = _replicated(how.bits, 6)
    elif how.bits == 0:
        found = np.array(SMALL[how.base, how.bits])
    else:
        found = _scaled(how, *WEIGHTS[how.base, how.bits], high=0x20)
    return found + (found > 32)


def _replicated(bits: int, to: int) -> Array:
    """Return numbers whose bits are repeated until there are enough."""
    number = np.arange(1 << bits)
    made = np.zeros_like(number)
    for shift in range(to - bits, -bits, -bits):
        made |= number << shift if shift >= 0 else number >> -shift
    return made


def _scaled(how: Quantisation, pattern: str, c: int, high: int) -> Array:
    number = np.arange(how.values)
    digit, low = number >> how.bits, number & (1 << how.bits) - 1
    a = np.where(low & 1, (1 << len(pattern)) - 1, 0)
    b = np.zeros_like(number)
    for letter in pattern:
        b = b << 1 | (low >> "abcdef".index(letter) & 1 if letter != "0" else 0)
    t = (digit * c + b) ^ a
    return a & high | t >> 2
