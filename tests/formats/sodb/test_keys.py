"""Spellings of keys."""

import pytest

from unshade import UsageError
from unshade.formats.sodb.keys import key_of, spelled

pytestmark = pytest.mark.fast

SPELLINGS = {
    b"pso": "pso",
    b"pso\0": r"pso\0",
    b"a b": "a b",
    b" a": "0x2061",  # a space at the start
    b"": "0x",
    b"\0": "0x00",
    b"\x12\xff": "0x12ff",
    b"0x12": "0x30783132",  # looks like digits
    b"a\\0": "0x615c30",  # has the sign of a NUL itself
    "ä".encode(): "0xc3a4",
}


@pytest.mark.parametrize(("key", "text"), SPELLINGS.items())
def test_a_key_has_one_spelling(key: bytes, text: str) -> None:
    assert spelled(key) == text
    assert key_of(text) == key


@pytest.mark.parametrize("text", ["", "0xabc", "0xAB", "0x zz", "ä", " a", "0x616263", "a\0"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected a key"):
        key_of(text)
