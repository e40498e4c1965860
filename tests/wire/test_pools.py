"""Anchored records, arrays of pointers, string tables, magic, padding, spelled numbers.

file    "TABS"  count  offsets ──► Sheet    its offsets count from itself
                                    └─ rows ──► Row   their names count from the table's start
"""

from typing import Any

import pytest

from tools.pages.records import markdown
from unshade.errors import EncodeError, FormatError
from unshade.wire import (
    U32,
    Array,
    CString,
    Nested,
    Pointer,
    Record,
    array,
    derived,
    field,
    magic,
    padding,
    placement_of,
    pointer,
    read,
    sized,
    texts,
    trace,
    u8,
    u16,
    u32,
    write,
)
from unshade.wire.data import from_data, to_data
from unshade.wire.schema import json_schema
from unshade.wire.spans import Spelled, spans_of

LATE = (("late", True),)
USUAL = (("late", False),)


class Hex:
    """A number as hex."""

    def shown(self, number: int) -> int | float | str:
        return f"{number:#x}"

    def number(self, given: object, path: str) -> int:
        if isinstance(given, str):
            return int(given, 16)
        raise FormatError("hex expected", path=path)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


class Row(Record, params=("late",)):
    """A row with two names."""

    name: str = pointer("name", CString(), pool="names", order="1 if late else 0")
    alias: str = pointer("another", CString(), pool="names", order="0 if late else 1")
    value: u16 = field("a number", spell=Hex())
    filler: u16 = padding("zero")


class Sheet(Record, params=("late",), anchored=True):
    """A sheet of named rows."""

    rows: list[Row] = pointer(
        "rows", Array(Nested(Row, late="late"), count="count"), loose=True,
        order="1 if late else 0",
    )  # fmt: skip
    count: u32 | None = derived("how many", "len(rows)")
    numbers: list[int] = pointer(
        "numbers", Array(U32, count="length"), loose=True, present="numbers or not late"
    )
    length: u32 | None = derived("how many", "len(numbers)")
    names: list[str] = texts("names", "size", order=2, present="not late")
    size: u32 | None = sized("bytes of the names", "names")


class Book(Record, params=("late",)):
    """Sheets."""

    magic: bytes = magic("`TABS`", b"TABS", b"tabs")
    count: u32 | None = derived("how many", "len(sheets)")
    sheets: list[Sheet] = array(
        "sheets",
        Pointer(Nested(Sheet, late="late"), placed_after="1 if late else 0"),
        count="count",
    )
    tail: u8 = field("a byte behind the array")


def book() -> Book:
    first = Sheet(rows=[Row(name="a", alias="b", value=16), Row(name="c", alias="a")])
    return Book(sheets=[first, Sheet(numbers=[7])], tail=9)


@pytest.mark.parametrize("arguments", [USUAL, LATE])
def test_round_trip(arguments: Any) -> None:
    data = write(book(), arguments)
    assert read(Book, data, arguments) == book()
    assert trace(Book, data, arguments).record == book()
    assert placement_of(Book, data, arguments) is None
    plain = to_data(book())
    assert from_data(Book, plain, arguments) == book()


def test_the_order_of_each_compiler() -> None:
    usual, late = write(book(), USUAL), write(book(), LATE)
    head = 4 + 4 + 8 + 1
    first = head + 3
    assert usual[8:12] == first.to_bytes(4, "little")
    assert usual[first : first + 4] == (24).to_bytes(4, "little")  # from the sheet itself
    assert usual[first + 24 + 24 :].startswith(b"a\0c\0b\0")
    assert late[12:16] == (first + 24).to_bytes(4, "little")  # headers before tables
    assert b"b\0a\0c\0" in late


def test_empty_tables_with_and_without_an_offset() -> None:
    data = write(Book(sheets=[Sheet()]), USUAL)
    assert data[16:] == bytes([24, 0, 0, 0, 0, 0, 0, 0] * 3)
    assert write(Book(sheets=[Sheet()]), LATE)[24:] == bytes(16)


def test_a_string_table_in_another_order() -> None:
    sheet = Sheet(rows=[Row(name="a", alias="b")], names=["x", "b", "a", "x"])
    data = write(Book(sheets=[sheet]), USUAL)
    assert data.endswith(b"x\0b\0a\0x\0")
    assert read(Book, data, USUAL).sheets[0] == sheet
    assert placement_of(Book, data, USUAL) is None


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 3, 99, 0xFFFFFFFF])
def test_a_wrong_size_is_kept(size: int) -> None:
    sheet = Sheet(rows=[Row(name="a", alias="b")])
    data = bytearray(write(Book(sheets=[sheet]), USUAL))
    data[36:40] = size.to_bytes(4, "little")
    found = read(Book, bytes(data), USUAL)
    assert found.sheets[0].size == size
    assert found == trace(Book, bytes(data), USUAL).record
    placement = placement_of(Book, bytes(data), USUAL)
    assert write(found, USUAL, placement=placement) == data


def test_equal_rows_of_two_tables_are_distinct() -> None:
    """Two sheets share the offset of their rows, but have different string tables."""

    def words(*given: int) -> bytes:
        return b"".join(each.to_bytes(4, "little") for each in given)

    head = b"TABS" + words(2, 20, 44) + bytes(4)
    sheets = words(68 - 20, 1, 0, 0, 80 - 20, 4) + words(68 - 44, 1, 0, 0, 84 - 44, 4)
    data = head + sheets + words(0, 2, 0) + b"a\0b\0c\0d\0"
    found = read(Book, data, USUAL)
    assert [each.rows[0].name for each in found.sheets] == ["a", "c"]
    assert found == trace(Book, data, USUAL).record
    with pytest.raises(FormatError, match="two values overlap"):
        placement_of(Book, data, USUAL)


def test_a_placement_is_absolute() -> None:
    data = bytearray(write(book(), USUAL))
    at = int.from_bytes(data[8:12], "little")
    moved = bytes(data[:at]) + b"\xee" * 4 + bytes(data[at:])
    moved = moved[:8] + (at + 4).to_bytes(4, "little") + moved[12:]
    second = int.from_bytes(moved[12:16], "little") + 4
    moved = moved[:12] + second.to_bytes(4, "little") + moved[16:]
    record = read(Book, moved, USUAL)
    assert record == book()
    placement = placement_of(Book, moved, USUAL)
    assert placement is not None
    assert placement.at["sheets[0]"] == at + 4
    assert write(record, USUAL, placement=placement) == moved
    record.sheets[0].rows[0].name = "d"
    record.sheets[0].rows[1].alias = "d"
    assert read(Book, write(record, USUAL, placement=placement), USUAL) == record


@pytest.mark.parametrize(
    ("at", "value", "path"),
    [
        (0, b"TABZ", "magic"),
        (8, b"\xff\xff\0\0", "sheets[0]"),
        (20, b"\xff\xff\0\0", "sheets[0].rows"),
        (44, b"\xff\xff\0\0", "sheets[0].rows[0].name"),
    ],
)
def test_errors_have_a_path(at: int, value: bytes, path: str) -> None:
    data = bytearray(write(book(), USUAL))
    data[at : at + 4] = value
    with pytest.raises(FormatError) as caught:
        read(Book, bytes(data), USUAL)
    assert caught.value.path == path
    if path != "magic":
        assert caught.value.offset == at


def test_magic_of_another_spelling_is_kept() -> None:
    data = b"tabs" + write(Book(), USUAL)[4:]
    assert to_data(read(Book, data, USUAL))["magic"] == b"tabs".hex()
    assert "magic" not in to_data(Book())


def test_spelled_numbers_and_padding() -> None:
    data = write(book(), USUAL)
    plain = to_data(read(Book, data, USUAL))
    assert plain["sheets"][0]["rows"][0] == {"name": "a", "alias": "b", "value": "0x10"}
    spans = {span.path: span for span in spans_of(trace(Book, data, USUAL))}
    assert isinstance(spans["sheets[0].rows[0].value"].value, Spelled)
    assert spans["sheets[0].rows[0].filler"].kind == "padding"
    with pytest.raises(FormatError, match="hex"):
        from_data(Row, {"name": "", "alias": "", "value": 3}, USUAL)


def test_padding_that_is_not_zero() -> None:
    sheet = Sheet(rows=[Row(name="a", alias="a", filler=5)])
    data = write(Book(sheets=[sheet]), USUAL)
    assert to_data(read(Book, data, USUAL))["sheets"][0]["rows"][0]["filler"] == 5
    spans = {span.path: span for span in spans_of(trace(Book, data, USUAL))}
    assert spans["sheets[0].rows[0].filler"].kind == "raw"


def test_encode_errors_have_a_path() -> None:
    with pytest.raises(EncodeError, match="NUL"):
        write(Book(sheets=[Sheet(rows=[Row(name="a\0b")])]), USUAL)
    with pytest.raises(EncodeError, match="sheets"):
        write(Book(sheets=[Row()]), USUAL)  # type: ignore[list-item]


def test_documentation_and_schema() -> None:
    page = markdown(Book)
    assert "u32 offset in `names` of text, NUL" in page
    assert "u32 offset of texts" in page
    schema = json_schema(Book)["$defs"]
    assert schema["Sheet"]["properties"]["names"]["type"] == "array"
    assert "magic" not in schema["Book"]["required"]
