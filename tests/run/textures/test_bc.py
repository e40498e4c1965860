"""BC1 to BC5: each number of a block against the formulas of the specification, in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from unshade.run.textures.bc import bc1, bc1_opaque, bc2, bc3, bc4, bc5

Rational = tuple[Fraction, ...]


def blocks(size: int, count: int = 60) -> Any:
    """Random blocks, each order of the end points among them."""
    made = np.random.default_rng(size).integers(0, 256, (count, size), np.uint8)
    made[0] = 0
    made[1] = 255
    return made


def colours(block: bytes, *, punch: bool) -> list[Rational]:
    first, second = (int.from_bytes(block[at : at + 2], "little") for at in (0, 2))

    def end(word: int) -> Rational:
        red, green, blue = word >> 11, word >> 5 & 63, word & 31
        return Fraction(red, 31), Fraction(green, 63), Fraction(blue, 31), Fraction(1)

    low, high = end(first), end(second)

    def mean(a: int, b: int) -> Rational:
        return tuple((a * x + b * y) / (a + b) for x, y in zip(low, high, strict=True))

    four = [low, high, mean(2, 1), mean(1, 2)]
    if punch and first <= second:
        four = [low, high, mean(1, 1), (Fraction(0),) * 4]
    bits = int.from_bytes(block[4:8], "little")
    return [four[bits >> 2 * texel & 3] for texel in range(16)]


def numbers(block: bytes, signed: bool) -> list[Fraction]:
    raw = [each - 256 if signed and each > 127 else each for each in block[:2]]
    low, high = (Fraction(max(each, -127), 127 if signed else 255) for each in raw)
    if raw[0] > raw[1]:
        eight = [low, high, *((low * (7 - n) + high * n) / 7 for n in range(1, 7))]
    else:
        between = ((low * (5 - n) + high * n) / 5 for n in range(1, 5))
        eight = [low, high, *between, Fraction(-1 if signed else 0), Fraction(1)]
    bits = int.from_bytes(block[2:8], "little")
    return [eight[bits >> 3 * texel & 7] for texel in range(16)]


def same(found: Any, wanted: Any) -> None:
    rounded = np.array([[[float(x) for x in texel] for texel in block] for block in wanted])
    assert found.dtype == np.float32
    assert np.array_equal(found, rounded.astype(np.float32))


def test_colours_with_and_without_transparent_black() -> None:
    given = blocks(8)
    wanted = [colours(each.tobytes(), punch=True) for each in given]
    same(bc1(given), wanted)
    same(bc1_opaque(given), [[(*each[:3], 1) for each in block] for block in wanted])
    orders = {int(each[:2].view("<u2")[0]) > int(each[2:4].view("<u2")[0]) for each in given}
    assert orders == {True, False}


def test_alpha_of_four_bits_and_interpolated() -> None:
    given = blocks(16)
    wanted = []
    for each in given:
        nibbles = int.from_bytes(each[:8].tobytes(), "little")
        alpha = [Fraction(nibbles >> 4 * texel & 15, 15) for texel in range(16)]
        own = colours(each[8:].tobytes(), punch=False)
        wanted.append([(*colour[:3], a) for colour, a in zip(own, alpha, strict=True)])
    same(bc2(given), wanted)
    third = [
        [(*c[:3], a) for c, a in zip(block, numbers(each.tobytes(), False), strict=True)]
        for block, each in zip(wanted, given, strict=True)
    ]
    same(bc3(given), third)


@pytest.mark.parametrize("signed", [False, True])
def test_one_and_two_channels(signed: bool) -> None:
    given = blocks(8)
    given[2, :2] = 128, 5  # -128, which is -1 as -127 is
    same(bc4(given, signed), [[(n,) for n in numbers(each.tobytes(), signed)] for each in given])
    pairs = blocks(16)
    wanted = [
        [*zip(numbers(x[:8].tobytes(), signed), numbers(x[8:].tobytes(), signed), strict=True)]
        for x in pairs
    ]
    same(bc5(pairs, signed), wanted)
