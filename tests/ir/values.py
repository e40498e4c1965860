"""Random numbers for tests, which include the edge cases of their type."""

import random
from itertools import combinations

from unshade.ir.types import F16, F32, F64, I32, Type, Widths

# fmt: off
FLOAT_BITS = {
    F16: (
        0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x7D01, 1, 0x3FF, 0x400, 0x7BFF,
    ),
    F32: (
        0, 0x8000_0000, 0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000,
        0x7F80_0001, 0xFFC0_1234, 1, 0x8000_0003, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FFFF,
        0x3F7F_FFFF, 0x3F80_0001, 0x4B00_0001, 0x4F00_0000, 0xCF00_0000, 0x4F80_0000, 0x2F80_0000,
    ),
    F64: (
        0, 1 << 63, 0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0x7FF8 << 48,
        0x7FF0_0000_0000_0001, 1, (1 << 63) + 1, 0x0010 << 48, (0x0010 << 48) - 1,
        0x41E0 << 48, 0x3810 << 48, 0x3FB9_9999_9999_999A,
    ),
}
# fmt: on
# All sets of widths whose subnormal numbers count as zero.
FLUSHES: tuple[Widths, ...] = tuple(
    frozenset(each) for count in range(4) for each in combinations((16, 32, 64), count)
)


def random_bits(chance: random.Random, type: Type) -> int:
    """Return random bits, often edge cases."""
    if type.kind == "b":
        return chance.getrandbits(1)
    if type.kind == "f":
        special = FLOAT_BITS[type]
        if type == F64 and chance.random() < 0.5:  # like whole numbers and fractions
            return 0x3FD0_0000_0000_0000 + (chance.getrandbits(12) << 44)
        if chance.random() < 0.5:
            return chance.choice(special)
        if chance.random() < 0.6:
            exponent = chance.randint(-3, 4) + {16: 15, 32: 127, 64: 1023}[type.bits]
            digits = {16: 10, 32: 23, 64: 52}[type.bits]
            bits = (exponent << digits) | chance.getrandbits(digits)
            return bits | chance.getrandbits(1) << type.bits - 1
        return chance.getrandbits(type.bits)
    kind = chance.random()
    if kind < 0.5:
        return chance.randint(0, 9)
    if kind < 0.6:
        return type.mask - chance.randint(0, 4)
    if kind < 0.8:
        return (1 << chance.randrange(type.bits)) - chance.getrandbits(1)
    return chance.getrandbits(type.bits)


def random_bytes(chance: random.Random, size: int) -> bytes:
    """Return an array of random numbers."""
    found = bytearray()
    while len(found) < size:
        type = chance.choice((I32, F32, F32, F64))
        found += random_bits(chance, type).to_bytes(type.size, "little")
    return bytes(found[:size])
