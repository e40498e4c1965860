"""Numbers as people read them, and back."""

from math import inf

import pytest

from unshade import FormatError
from unshade.formats.shbin.spelling import FLOAT24, MASK, REGISTER, letters
from unshade.wire.field import Spelling

SPELLED = [
    (FLOAT24, 0x3F0000, 1.0),
    (FLOAT24, 0xBF0000, -1.0),
    (FLOAT24, 0x3B9999, 0.1),
    (FLOAT24, 0x000001, 5e-24),
    (FLOAT24, 0x7F0000, inf),
    (FLOAT24, 0xFF0000, -inf),
    (FLOAT24, 0x7F8000, "0x7f8000"),
    (FLOAT24, 0x123F0000, "0x123f0000"),
    (REGISTER, 0x00, "v0"),
    (REGISTER, 0x10, "c0"),
    (REGISTER, 0x6F, "c95"),
    (REGISTER, 0x77, "i7"),
    (REGISTER, 0x87, "b15"),
    (REGISTER, 0x88, 0x88),
    (MASK, 5, "xz"),
    (MASK, 15, "xyzw"),
    (MASK, 0, 0),
    (MASK, 16, 16),
]


@pytest.mark.parametrize(("spelling", "number", "shown"), SPELLED)
def test_round_trip(spelling: Spelling, number: int, shown: object) -> None:
    assert spelling.shown(number) == shown
    assert spelling.number(shown, "here") == number


def test_every_float_round_trips() -> None:
    for bits in [*range(0, 1 << 24, 16411), 0x800000, 0x00FFFF, 0x010000, 0x7EFFFF]:
        assert FLOAT24.number(FLOAT24.shown(bits), "") == bits


def test_numbers_in_between_are_rounded_towards_zero() -> None:
    assert FLOAT24.number(1.0000001, "") == 0x3F0000
    assert FLOAT24.number(1, "") == 0x3F0000
    assert FLOAT24.number(1e40, "") == 0x7F0000


@pytest.mark.parametrize(
    ("spelling", "given"),
    [
        (FLOAT24, "one"),
        (FLOAT24, True),
        (FLOAT24, None),
        (FLOAT24, float("nan")),
        (REGISTER, "c96"),
        (REGISTER, "r0"),
        (REGISTER, 1.5),
        (MASK, "zx"),
        (MASK, ""),
        (MASK, True),
    ],
)
def test_refused_numbers(spelling: Spelling, given: object) -> None:
    with pytest.raises(FormatError, match="expected") as caught:
        spelling.number(given, "a.b")
    assert caught.value.path == "a.b"


def test_letters_leave_out_other_bits() -> None:
    assert letters(0x1F) == "xyzw"
