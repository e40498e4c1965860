"""Values in a hex dump."""

import pytest

from unshade.screens.blocks import columns
from unshade.screens.hexdump import _folded as folded

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("room", [8, 20, 71, 200])
@pytest.mark.parametrize(
    "text", ["", "word", "two  words and more of them", "a" * 50, "字" * 12, "é and 字 in a text"]
)
def test_values_that_are_too_long_for_a_line_are_folded(text: str, room: int) -> None:
    """No space is lost; some characters take two columns."""
    lines = folded(text, room)
    assert all(line.startswith("  ") and columns(line) <= room for line in lines)
    assert "".join(line[2:] for line in lines) == text
    if text.isascii():
        assert len(lines) <= 1 or len(text) > room - 2
