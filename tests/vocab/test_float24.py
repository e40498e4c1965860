"""24-bit floats: exact conversions, picasso's two errors, the packing of uniforms."""

from __future__ import annotations

import struct
from math import inf, isnan, nan

import pytest

from unshade.errors import EncodeError, UsageError
from unshade.vocab import float24
from unshade.vocab.float24 import from_float, to_float

# Values that hardware and emulators agree on; subnormal ones: the bits as float of 32 bits.
KNOWN = (
    (0x000000, 0.0),
    (0x3F0000, 1.0),
    (0xBF0000, -1.0),
    (0x3E0000, 0.5),
    (0x408000, 3.0),
    (0x7F0000, inf),
    (0xFF0000, -inf),
    (0x010000, 2.0**-62),
    (0x7EFFFF, (2 - 2.0**-16) * 2.0**63),
    (0x380000, 0.0078125),
)
SUBNORMAL = ((0x000001, 0x1880_0000), (0x00FFFF, 0x207F_FF00), (0x800001, 0x9880_0000))


@pytest.mark.parametrize(("bits", "value"), KNOWN)
def test_known_values(bits: int, value: float) -> None:
    assert to_float(bits) == value
    assert from_float(value) == bits
    assert from_float(value, picasso=True) == bits


@pytest.mark.parametrize(("bits", "single"), SUBNORMAL)
def test_subnormal_numbers(bits: int, single: int) -> None:
    assert struct.pack("<f", to_float(bits)) == single.to_bytes(4, "little")
    assert from_float(to_float(bits), subnormal=True) == bits
    assert from_float(to_float(bits)) == bits & float24.SIGN
    assert float24.is_subnormal(bits)
    assert float24.flushed(bits) == 0


def test_every_number_round_trips() -> None:
    for bits in [*range(0, 0x7F0000, 1021), 0x7EFFFF, 0x7F0000]:
        for signed in (bits, bits | float24.SIGN):
            assert from_float(to_float(signed), subnormal=True) == signed


def test_nan_and_zero() -> None:
    assert isnan(to_float(0x7F8000))
    assert isnan(to_float(0x7F0001))
    assert from_float(nan) == 0x7F8000
    assert from_float(nan, picasso=True) == 0x7F0000
    assert from_float(-0.0) == 0x800000
    assert float24.flushed(0x800000) == 0
    assert float24.flushed(0x3F0000) == 0x3F0000


def test_rounds_towards_zero() -> None:
    assert from_float(1 + 2.0**-17) == 0x3F0000
    assert from_float(1 + 2.0**-16 + 2.0**-17) == 0x3F0001
    assert from_float(-1 - 2.0**-17) == 0xBF0000
    assert from_float(0.1) == from_float(0.1, picasso=True) == 0x3B9999
    assert from_float(2.0**64 * (1 - 2.0**-30)) == 0x7EFFFF
    assert from_float(2.0**64) == from_float(1e300) == 0x7F0000


def test_errors_of_picasso() -> None:
    """Just below the least normal number, and just above the greatest."""
    assert from_float(2.0**-63, picasso=True) == 0x000000
    assert from_float(1.5 * 2.0**-63, picasso=True) == 0x008000
    assert from_float(-1.5 * 2.0**-63, picasso=True) == 0x808000
    assert from_float(1.5 * 2.0**64, picasso=True) == 0x7F8000
    assert from_float(2.0**65, picasso=True) == 0x7F0000
    assert from_float(1e300, picasso=True) == 0x7F0000
    assert from_float(2.0**-80, picasso=True) == 0x000000


def test_text_is_the_shortest() -> None:
    assert float24.text(from_float(0.1)) == "0.1"
    assert float24.text(0x370101) == "0.0039216"
    assert float24.text(0) == "0"
    assert float24.text(0x800000) == "-0"
    assert float24.text(0x7EFFFF) == "1.84467e+19"
    assert float24.text(0x3F0000) == "1"
    assert float24.text(0xFF0000) == "-inf"
    assert float24.text(0x7F8000) == "nan"
    for bits in range(0, 0x7F0000, 4099):
        assert from_float(float(float24.text(bits)), subnormal=True) == bits


def test_uniforms() -> None:
    x, y, z, w = 0x3F0001, 0x400002, 0x410003, 0x420004
    words = float24.pack((x, y, z, w))
    assert words == (0x42000441, 0x00034000, 0x023F0001)
    assert float24.unpack(words) == (x, y, z, w)


def test_refusals() -> None:
    with pytest.raises(UsageError):
        to_float(1 << 24)
    for bad in ("1", None, 10**400):
        with pytest.raises(EncodeError):
            from_float(bad)  # type: ignore[arg-type]
        with pytest.raises(EncodeError):
            from_float(bad, picasso=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        (0, "0.0"), (0x800000, "-0.0"), (0x7F0000, "inf"), (0xFF0000, "-inf"), (0x3F0000, "1.0"),
        (0xBF0000, "-1.0"), (0x3B9999, "0.1"), (0x3F0001, "1.00002"), (0x400000, "2.0"),
    ],
)  # fmt: skip
def test_numbers_in_sources(bits: int, text: str) -> None:
    assert float24.source_text(bits) == text


def test_numbers_in_sources_are_converted_back() -> None:
    for bits in [*range(1, 0x7F0000, 4099), 0x008000, 0x7EFFFF, 0x7F8000, 0x808001]:
        assert from_float(float(float24.source_text(bits)), picasso=True) == bits


@pytest.mark.parametrize(
    ("bits", "subnormal", "flushed"),
    [
        (0, False, 0), (1, True, 0), (0xFFFF, True, 0), (0x010000, False, 0x010000),
        (0x800000, False, 0), (0x800001, True, 0), (0x810000, False, 0x810000),
        (0x7F0000, False, 0x7F0000), (0x7F8000, False, 0x7F8000),
    ],
)  # fmt: skip
def test_flushing(bits: int, subnormal: bool, flushed: int) -> None:
    assert float24.is_subnormal(bits) is subnormal
    assert float24.flushed(bits) == flushed
