"""Words as plain data and as spans, by name and by spelling."""

from __future__ import annotations

from enum import IntEnum

import pytest

from unshade.errors import EncodeError, FormatError
from unshade.isa import Bits, Word
from unshade.isa.data import (
    field_from_data,
    integer_from_data,
    nothing_left,
    take_word,
    word_from_data,
    word_to_data,
)
from unshade.isa.spans import word_spans


class Kind(IntEnum):
    PLAIN = 0
    FANCY = 2


class Token(Word):
    number = Bits(0, 4, "how many")
    kind = Bits(4, 2, enum=Kind)
    letter = Bits(6, 2, spell=lambda value: "xyzw"[value])


def test_fields_by_name_and_spelling() -> None:
    word = Token(number=3, kind=2, letter=1).word | 0x8000_0000
    assert word_to_data(Token, word) == {
        "number": 3, "kind": "FANCY", "letter": 1, "unnamed": "0x80000000",
    }  # fmt: skip
    spelled = word_to_data(Token, word, spelled=True)
    assert spelled["letter"] == "y"
    assert take_word(Token, dict(spelled), "") == word
    assert word_to_data(Token, 0) == {}
    assert word_to_data(Token, 3, ("number",)) == {}


def test_text_of_a_field() -> None:
    assert Token.kind.text_of(2) == "FANCY"
    assert Token.kind.text_of(1) == "1"
    assert Token.kind.value_of("PLAIN") == 0
    assert Token.kind.value_of("OTHER") is None
    assert Token.letter.text_of(3) == "w"
    assert Token.letter.value_of("z") == 2
    assert Token.letter.value_of("q") is None
    assert Token.number.text_of(7) == "7"
    assert Token.number.value_of("7") is None


def test_refusals() -> None:
    with pytest.raises(FormatError, match="one of PLAIN, FANCY"):
        field_from_data(Token.kind, "OTHER", "kind")
    with pytest.raises(FormatError, match="expected letter"):
        field_from_data(Token.letter, "q", "letter")
    assert field_from_data(Token.letter, "3", "letter") == 3
    with pytest.raises(EncodeError):
        take_word(Token, {"number": 16}, "")
    for bad in (True, 1.5, "x", None, 1 << 64):
        with pytest.raises(FormatError, match="expected a number"):
            integer_from_data(bad, "there")
    with pytest.raises(FormatError, match="expected a 32-bit number"):
        word_from_data(1 << 32, "there")
    with pytest.raises(FormatError, match="unknown field 'more'"):
        nothing_left({"more": 1}, "there")


def test_spans() -> None:
    spans = list(word_spans(Token, 0x103, 8, "one", Token.kind.mask << Token.kind.low))
    assert [(s.offset, s.path, s.value, s.bits, s.kind) for s in spans] == [
        (8, "one.number", 3, (0, 4), "field"),
        (8, "one.letter", "x", (6, 2), "field"),
        (8, "one.unnamed", 0x100, (8, 1), "raw"),
    ]
