"""Names and numbers as LLVM spells them."""

from __future__ import annotations

import pytest

from unshade.programs.dxil.text.spelling import float_text, metadata_identifier, quoted_name


@pytest.mark.parametrize(
    ("bits", "width", "expected"),
    [
        (0x3F80_0000, 32, "1.000000e+00"),
        (0x3DCC_CCCD, 32, "0x3FB99999A0000000"),
        (0x7FC0_0000, 32, "0x7FF8000000000000"),
        (0x3FF0_0000_0000_0000, 64, "1.000000e+00"),
        (0x3C00, 16, "0xH3C00"),
        (1 << 40 | 0x3F80_0000, 32, "1.000000e+00"),
        (1 << 70 | 0x3FF0_0000_0000_0000, 64, "1.000000e+00"),
        (1 << 20 | 0x3C00, 16, "0xH3C00"),
    ],
)
def test_floats(bits: int, width: int, expected: str) -> None:
    assert float_text(bits, width) == expected


@pytest.mark.fast
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "<empty name> "),
        ("dx.version", "dx.version"),
        ("-$._a9", "-$._a9"),
        ("9a9", "\\39a9"),
        ("a b", "a\\20b"),
        (" a", "\\20a"),
        ("é", "\\C3\\A9"),
        ("0", "\\30"),
    ],
)
def test_names_of_metadata(name: str, expected: str) -> None:
    """A digit would begin a number; other characters are bytes in hexadecimal."""
    assert metadata_identifier(name) == expected


@pytest.mark.fast
@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.b", "a.b"), ("a b", '"a b"'), ("9", '"9"'), ('"', '"\\22"'), ("\\", '"\\5C"')],
)
def test_names_of_values(name: str, expected: str) -> None:
    assert quoted_name(name) == expected
