"""Words of bit fields: setting a field changes no other bit."""

from enum import IntEnum

import pytest

from unshade.errors import EncodeError, UsageError
from unshade.isa import Bits, Word


class Kind(IntEnum):
    """Two kinds."""

    NEAR = 0
    FAR = 1


class Token(Word):
    """Bits 11 to 15 have no name."""

    opcode = Bits(0, 11, "operation")
    offset = Bits(16, 4, "from -8 to 7", signed=True)
    length = Bits(24, 7, "words")
    kind = Bits(31, 1, "near or far", enum=Kind)


class Longer(Token):
    """A subclass with another field, and with a second name for some bits."""

    saturate = Bits(13, 1, "clamp to 0..1")
    all_of_it = Bits(0, 32, "everything")


class Wide(Word):
    """A word of another size."""

    WIDTH = 64
    high = Bits(60, 4)


def test_fields_are_read_from_the_word() -> None:
    token = Token(0x8705_0036)
    assert (token.opcode, token.offset, token.length, token.kind) == (0x36, 5, 7, 1)
    assert Token(0x000F_0000).offset == -1


def test_an_edit_keeps_every_other_bit() -> None:
    token = Token(0xFFFF_FFFF)
    token.opcode = 0
    assert token.word == 0xFFFF_F800
    token.offset = -8
    assert token.word == 0xFFF8_F800
    token.kind = Kind.NEAR
    assert token.word == 0x7FF8_F800


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("opcode", 2048, "expected 0 to 2047 (11 bits), got 2048"),
        ("opcode", -1, "expected 0 to 2047 (11 bits), got -1"),
        ("offset", 8, "expected -8 to 7 (4 bits), got 8"),
        ("offset", -9, "expected -8 to 7 (4 bits), got -9"),
        ("kind", 2, "expected 0 to 1 (1 bits), got 2"),
    ],
)
def test_a_value_that_does_not_fit(name: str, value: int, words: str) -> None:
    token = Token(0x1234)
    with pytest.raises(EncodeError) as caught:
        setattr(token, name, value)
    assert caught.value.path == name
    assert words in caught.value.problem
    assert token.word == 0x1234


def test_values_by_name() -> None:
    assert Token(opcode=3, length=2).word == 0x0200_0003
    assert Token(0x0100_0000, opcode=3).word == 0x0100_0003


def test_fields_of_plain_integers() -> None:
    assert Token.length.of(0x0700_0000) == 7
    assert Token.length.put(0x0700_0001, 9) == 0x0900_0001


class Pair:
    """A pair of words, like those of an instruction."""

    first = 0
    second = 0
    opcode = Token.opcode.held_in("first")
    shift = Token.offset.held_in("second")


def test_fields_of_several_words() -> None:
    pair = Pair()
    pair.opcode = 5
    pair.shift = -1
    assert (pair.first, pair.second) == (5, 0x000F_0000)
    assert (pair.opcode, pair.shift) == (5, -1)
    assert (Pair.shift.name, Pair.shift.doc) == ("shift", Token.offset.doc)
    assert (Token.offset.name, Token.offset.holder) == ("offset", "word")
    with pytest.raises(EncodeError, match="opcode: expected 0 to 2047"):
        pair.opcode = 2048


def test_fields_by_position_and_inheritance() -> None:
    assert [f.name for f in Token.FIELDS] == ["opcode", "offset", "length", "kind"]
    assert {f.name for f in Longer.FIELDS} == {
        *("opcode", "offset", "length", "kind", "saturate", "all_of_it")
    }
    assert Token.named_mask() == 0xFF0F_07FF
    assert Longer.named_mask() == 0xFFFF_FFFF
    assert Wide.named_mask() == 0xF << 60


def test_items_and_repr() -> None:
    token = Token(0x8000_0005)
    assert [(bits.name, value) for bits, value in token.items()] == [
        *(("opcode", 5), ("offset", 0), ("length", 0), ("kind", 1))
    ]
    assert repr(token) == "Token(0x80000005: opcode=5, kind=1)"


def test_equal_words() -> None:
    assert Token(5) == Token(opcode=5)
    assert Token(5) != Token(6)
    assert Token(5) != 5
    with pytest.raises(TypeError, match="unhashable"):
        hash(Token(5))  # an edit would lose it


def test_unknown_field_names() -> None:
    with pytest.raises(UsageError, match="has no field 'lenght'"):
        Token(lenght=5)
