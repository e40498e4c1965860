"""Names and numbers as LLVM spells them."""

from __future__ import annotations

import pytest

from unshade.programs.dxil.text.spelling import float_text


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
