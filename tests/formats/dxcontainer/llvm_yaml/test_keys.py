"""Scalars and mappings of LLVM's YAML."""

import pytest

from unshade import FormatError, UnsupportedError
from unshade.formats.dxcontainer.llvm_yaml.keys import (
    HEX8,
    TEXT,
    U8,
    U32,
    Fields,
    Listed,
    MappingKey,
    MappingReader,
    Names,
    Number,
    shown,
)
from unshade.formats.dxcontainer.llvm_yaml.style import emitted, quoted


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("10", 10), ("0x1F", 31), ("0b101", 5), ("0o17", 15), ("017", 15), ("00", 0)],
)
def test_numbers_as_in_c(text: str, number: int) -> None:
    assert U8.read(text, "") == number


@pytest.mark.parametrize("text", ["", "x", "1.5", "256", "-1", "0x", "9" * 50, "1_000", "१"])
def test_invalid_numbers(text: str) -> None:
    with pytest.raises(FormatError):
        U8.read(text, "Size")


def test_all_bits_as_minus_one() -> None:
    signed = Number(32, signed=True)
    assert signed.read("-1", "") == 0xFFFF_FFFF
    with pytest.raises(FormatError):
        signed.read("-4294967296", "")


def test_names() -> None:
    names = Names({0: "Unknown", 3: "Float32"})
    assert names.read("Float32", "") == 3
    assert names.show(3, "") == "Float32"
    with pytest.raises(FormatError, match="did you mean"):
        names.read("Float23", "CompType")
    with pytest.raises(UnsupportedError, match="no name for the number 9"):
        names.show(9, "CompType")
    both = Names({1: "Sampler"}, numbers=U32)
    assert both.read("Sampler", "") == both.read("1", "") == 1
    assert both.show(1, "") == "1"


def test_rows_and_paths() -> None:
    keys = MappingKey("Mask", HEX8, "mask"), MappingKey("Name", TEXT, "name", optional=True)
    rows = Listed(Fields(*keys))
    assert rows.read([{"Mask": "0xA"}], "Rows") == [{"mask": 10}]
    assert rows.show([{"mask": 10}], "Rows") == [{"Mask": "0xA"}]
    with pytest.raises(FormatError) as caught:
        rows.read([{"Mask": "1"}, {"Mask": "300"}], "Rows")
    assert caught.value.path == "Rows[1].Mask"


def test_a_mapping_is_read_by_several_tables() -> None:
    reader = MappingReader({"A": "1", "B": "2"}, "Part")
    assert reader.values(MappingKey("A", U8, "a")) == {"a": 1}
    with pytest.raises(FormatError, match="unknown key 'B'"):
        reader.finish()
    assert reader.values(MappingKey("B", U8, "b")) == {"b": 2}
    reader.finish()


# fmt: off
QUOTED = [
    ("SV_Position", "SV_Position"), ("", "''"), ("true", "'true'"), ("12", "'12'"),
    ("no", "no"), ("a: b", "'a: b'"), ("it's", "'it''s'"), ("a\nb", '"a\\x0Ab"'),
    ("é", '"\\u00E9"'), (" a", "' a'"), ("a ", "'a '"),
]
# fmt: on


@pytest.mark.parametrize(("text", "written"), QUOTED)
def test_quotes(text: str, written: str) -> None:
    assert quoted(text) == written


def test_texts_that_no_table_can_hold() -> None:
    for text in ("a\0b", "\ud800"):
        with pytest.raises(FormatError):
            TEXT.read(text, "Name")


def test_keys_are_aligned() -> None:
    keys = (MappingKey("A", U8, "a"), MappingKey("AKeyOfMoreThanSixteen", U8, "b"))
    lines = emitted(shown(keys, {"a": 1, "b": 2})).splitlines()
    assert lines == ["A:               1", "AKeyOfMoreThanSixteen: 2"]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("signed", [False, True])
def test_numbers_in_every_base_up_to_the_last_one(bits: int, signed: bool) -> None:
    """LLVM's `to_integer` takes 0x, 0b, 0o and a leading 0, in as many digits as there are."""
    form = Number(bits, signed=signed)
    least, most = (-(1 << bits - 1) if signed else 0), (1 << bits) - 1
    for number in {0, 1, 7, 8, 9, 15, 16, most - 1, most, least, least + 1}:
        sign, size = "-" if number < 0 else "", abs(number)
        for text in (f"{size}", f"0x{size:x}", f"0X{size:X}", f"0b{size:b}", f"0{size:o}"):
            if len(sign + text) <= 40:
                assert form.read(sign + text, "a.b") == number % (1 << bits), text
        assert form.show(number % (1 << bits), "a.b") == str(number % (1 << bits))
    for number in (least - 1, most + 1):
        with pytest.raises(FormatError, match=rf"a\.b: expected {least} to {most}, got {number}"):
            form.read(str(number), "a.b")


@pytest.mark.parametrize("text", ["0" * 39 + "5", "0x" + "0" * 37 + "5", "0b" + "0" * 35 + "101"])
def test_numbers_have_at_most_40_characters(text: str) -> None:
    assert U8.read(text, "a") == 5
    with pytest.raises(FormatError, match="a: expected a number, got"):
        U8.read(text[:2] + "0" + text[2:], "a")


@pytest.mark.parametrize(
    "text", ["", "-", "0x", "0b", "0b2", "08", "0xG", "+1", " 1", "1 ", "1.0", "1_0", "--1"]
)
def test_what_is_not_a_number(text: str) -> None:
    with pytest.raises(FormatError, match="a: expected a number, got"):
        U8.read(text, "a")
