"""Numbers as the C run-time library of each generation of fxc prints them."""

from __future__ import annotations

import random
import struct

import pytest

from unshade.programs.tpf.text.literals import (
    Library,
    bits_of,
    double,
    double_bits_of,
    floating,
    integer,
    number,
    untyped,
)

NEW = Library.UCRT_19041


def bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def double_bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0, "0"),
        (10000, "10000"),
        (10001, "0x00002711"),
        (0xFFFF_FFFF, "-1"),
        (0xFFFF_D8F0, "-10000"),
        (0xFFFF_D8EF, "0xffffd8ef"),
        (0x3F80_0000, "0x3f800000"),
        (0x8000_0000, "0x80000000"),
    ],
)
def test_integer(word: int, text: str) -> None:
    assert integer(word) == text


@pytest.mark.parametrize(
    ("value", "old", "middle", "new"),
    [
        (0.5, "0.500000", "0.500000", "0.500000"),
        (-0.0, "-0.000000", "-0.000000", "-0.000000"),
        (1e-40, "0.000000", "0.000000", "0.000000"),
        # exact halves of the last digit: 2^-7, and an odd multiple of 2^-6
        (0.0078125, "0.007813", "0.007813", "0.007812"),
        (-0.0078125, "-0.007813", "-0.007813", "-0.007812"),
        (3.421875, "3.421875", "3.421875", "3.421875"),
        (0.0234375, "0.023438", "0.023438", "0.023438"),
        # more digits than the old library calculates
        (2.0**70, "1180591620717411300000.000000", "1180591620717411303424.000000",
         "1180591620717411303424.000000"),
    ],
)  # fmt: skip
def test_floating(value: float, old: str, middle: str, new: str) -> None:
    assert floating(bits(value), Library.MSVCRT) == old
    assert floating(bits(value), Library.COMPILER_46) == old
    assert floating(bits(value), Library.UCRT) == middle
    assert floating(bits(value), Library.UCRT_19041) == new


def test_the_largest_float_is_written_out() -> None:
    assert floating(0x7F7F_FFFF, Library.MSVCRT) == f"34028234663852886{'0' * 22}.000000"
    assert floating(0x7F7F_FFFF, NEW) == "340282346638528859811704183484516925440.000000"


@pytest.mark.parametrize(
    ("word", "eight", "six", "new"),
    [
        (0x7F80_0000, "1.#INF0000", "1.#INF00", "inf"),
        (0xFF80_0000, "-1.#INF0000", "-1.#INF00", "-inf"),
        (0x7FC0_0000, "1.#QNAN000", "1.#QNAN0", "nan"),
        (0xFFC0_0000, "-1.#IND0000", "-1.#IND00", "-nan(ind)"),
        (0xFFC0_0001, "-1.#QNAN000", "-1.#QNAN0", "-nan"),
        (0x7F80_0001, "1.#QNAN000", "1.#QNAN0", "nan"),
    ],
)
def test_infinity_and_nan(word: int, eight: str, six: str, new: str) -> None:
    assert floating(word, Library.COMPILER_46) == eight
    assert floating(word, Library.MSVCRT) == six
    assert floating(word, NEW) == new


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0, "0"),
        (1, "1"),
        (0x8000_0000, "-0.000000"),
        (0x8000_0001, "0x80000001"),  # a denormal is more likely an integer
        (0x0080_0000, "0.000000"),
        (0x3F80_0000, "1.000000"),
        (0xFFFF_FFFF, "-1"),
        (0x7F80_0000, "0x7f800000"),
        (0xFF80_0000, "0xff800000"),
        (123456, "0x0001e240"),
    ],
)
def test_untyped(word: int, text: str) -> None:
    assert untyped(word, NEW) == text


def test_double() -> None:
    assert double(double_bits(766800.0), NEW) == "766800.000000l"
    assert double(double_bits(-0.0078125), Library.UCRT) == "-0.007813l"
    assert double(double_bits(float("inf")), Library.MSVCRT) == "1.#INF00l"
    assert double(0xFFF8_0000_0000_0000, Library.MSVCRT) == "-1.#IND00l"
    assert double(0x7FF0_0000_0000_0001, NEW) == "nanl"


@pytest.mark.parametrize("library", Library)
@pytest.mark.parametrize("letter", "fix")
def test_exact_numbers_round_trip(letter: str, library: Library) -> None:
    chance = random.Random(7)
    special = [0, 1, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FFFF, 0x7F80_0000, 0x7F80_0001, 0x7FC0_0000]
    words = [word | sign << 31 for word in special for sign in (0, 1)]
    words += [chance.getrandbits(32) for _ in range(500)]
    words += [bits(chance.uniform(-4, 4)) for _ in range(500)]
    for word in words:
        text = number(word, letter, library, exact=True)
        assert bits_of(text, letter) == word
        assert len(text) <= len(number(word, letter, library)) + 8


def test_exact_doubles_round_trip() -> None:
    chance = random.Random(7)
    words = [0, 1, 1 << 63, 0x7FF << 52, 0x7FF << 52 | 1, 0xFFF8 << 48]
    words += [chance.getrandbits(64) for _ in range(2000)]
    for word in words:
        assert double_bits_of(double(word, NEW, exact=True)) == word


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "x", "0x", "1_0", "\u0663", "1e", "--1", "1.#BAD", "1e39", "1e400", "0x100000000",
        "4294967296", "-2147483649", "1.5l", "9" * 401,
    ],
)  # fmt: skip
def test_invalid_numbers(text: str) -> None:
    assert bits_of(text, "i") is None


def test_invalid_doubles() -> None:
    for text in ("", "l", "1e400l", "0x1ffffffffffffffff", "1 2", "9" * 401):
        assert double_bits_of(text) is None
