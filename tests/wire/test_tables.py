"""Tables in place: four forms, references, other layouts, and damage."""

import struct

import pytest

from unshade.errors import EncodeError, FormatError, LimitError
from unshade.limits import Limits
from unshade.wire import (
    ByteTable,
    ListTable,
    Record,
    Reference,
    TextTable,
    WordTable,
    array,
    derived,
    field,
    read,
    reference,
    table,
    trace,
    u8,
    u32,
    write,
)
from unshade.wire.data import from_data, to_data
from unshade.wire.region import placement_of
from unshade.wire.types import TableForm

pytestmark = pytest.mark.fast

TEXTS = TextTable(shared=True)
WORDS = WordTable()
LISTS = ListTable()
BYTES = ByteTable()
NONE = 0xFFFF_FFFF


class Row(Record):
    """A row that refers to every form of table."""

    name: str = reference("name", "texts", TEXTS)
    last: str = reference("added after all others", "texts", TEXTS, order=1)
    words: list[int] = reference("numbers", "words", WORDS, length="count")
    count: u32 | None = derived("their number", "len(words)")
    listed: list[int] = reference("numbers", "lists", LISTS, null=NONE)
    names: list[str] = reference("names", "lists", LISTS, of=Reference("texts", TEXTS), null=NONE)
    raw: bytes = reference("bytes", "raw_bytes", BYTES, length="size", default=b"")
    size: u32 | None = derived("their number", "len(raw)")


class Root(Record):
    """Rows, then the tables."""

    row_count: u32 | None = derived("number of rows", "len(rows)")
    rows: list[Row] = array("rows", Row, count="row_count")
    text_size: u32 | None = derived("size of the texts", "size(texts)")
    texts: list[str] = table("texts", TEXTS, "text_size")
    word_count: u32 | None = derived("number of words", "size(words) // 4")
    words: list[int] = table("words", WORDS, "word_count")
    list_size: u32 | None = derived("size of the lists", "size(lists)")
    lists: list[int] = table("lists", LISTS, "list_size")
    byte_size: u32 | None = derived("size of the bytes", "size(raw_bytes)")
    raw_bytes: list[bytes] = table("bytes", BYTES, "byte_size")


def rows() -> list[Row]:
    return [
        Row(name="a", last="z", words=[1, 2, 3], listed=[7], names=["a", "b"], raw=b"xyz"),
        Row(name="b", last="", words=[2, 3], listed=[7], names=[], raw=b"xyz"),
    ]


def test_tables_are_built_of_the_references() -> None:
    data = write(Root(rows=rows()))
    assert (
        data[4 + 2 * 32 :]
        == struct.pack("<I", 8)
        + b"\0a\0b\0z\0\0"
        + struct.pack("<4I5I", 3, 1, 2, 3, 20, 1, 7, 2, 1)
        + struct.pack("<II", 3, 4)
        + b"xyz\0"
    )
    first, second = (struct.unpack_from("<8I", data, 4 + 32 * i) for i in (0, 1))
    assert first == (1, 5, 0, 3, 0, 2, 0, 3)
    assert second == (3, 0, 1, 2, 0, NONE, 0, 3), "shared, and a part of another sequence"


def test_references_are_read_as_contents() -> None:
    data = write(Root(rows=rows()))
    found = read(Root, data)
    assert found == Root(rows=rows())
    assert (found.texts, found.words, found.lists) == ([], [], []), "as a writer would build them"
    assert write(found) == data
    assert from_data(Root, to_data(found)) == found
    assert not {"texts", "words", "text_size", "count"} & to_data(found).keys()


def test_another_order_is_listed() -> None:
    root = Root(rows=[Row(name="b"), Row(name="a")], texts=["", "a", "b", "unused"])
    data = write(root)
    found = read(Root, data)
    assert [row.name for row in found.rows] == ["b", "a"]
    assert found.texts[:4] == ["", "a", "b", "unused"]
    assert write(found) == data
    found.rows[0].name = "new"
    assert [row.name for row in read(Root, write(found)).rows] == ["new", "a"]


def test_a_number_that_a_writer_would_not_choose_is_kept_in_the_layout() -> None:
    root = Root(rows=[Row(name="ab", last="ab")], texts=["", "ab", "ab"])
    data = bytearray(write(root))
    struct.pack_into("<I", data, 8, 4)  # the second text of the same letters
    placement = placement_of(Root, bytes(data))
    assert placement is not None
    assert placement.at["rows[0].last"] == 4
    assert write(read(Root, bytes(data)), placement=placement) == data


def test_spans_name_the_items() -> None:
    spans = {path: value for _, _, path, value, _ in trace(Root, write(Root(rows=rows()))).spans}
    assert spans[".texts[1]"] == "a"
    assert spans[".words[2]"] == 3
    assert spans[".rows[0].name"] == 1, "the number in the file"


@pytest.mark.parametrize(
    ("at", "number", "path", "problem"),
    [
        (4, 9, "rows[0].name", "expected an offset of text below 0x8, got 0x9"),
        (12, 1, "rows[0].words", "expected an end of at most 3, got 4"),
        (16, 0xFFFFFFFF, "rows[0].words", "expected an end of at most 3, got 4294967295"),
        (20, 4, "rows[0].listed", "expected an end of at most 5, got"),
        (24, 4, "rows[0].names", "expected an end of at most 5"),
        (32, 5, "rows[0].raw", "expected an end of at most 4, got 5"),
    ],
)
def test_invalid_numbers(at: int, number: int, path: str, problem: str) -> None:
    data = bytearray(write(Root(rows=rows())))
    struct.pack_into("<I", data, at, number)
    with pytest.raises(FormatError, match=problem) as caught:
        read(Root, bytes(data))
    assert caught.value.path == path
    assert caught.value.offset in (at, at - 4)


def test_the_work_of_references_is_bounded() -> None:
    root = Root(rows=[Row(name="x" * 5000) for _ in range(300)])
    with pytest.raises(LimitError, match="sharing"):
        read(Root, write(root), limits=Limits(sharing=1000))


@pytest.mark.parametrize("form", [TEXTS, WORDS, LISTS, BYTES], ids=lambda form: type(form).__name__)
def test_every_form_encodes_its_items(form: TableForm) -> None:
    data = b"ab\0\0" + bytes(8)
    assert form.encode(form.items(data)) == data


def test_texts_end_with_nul() -> None:
    data = bytearray(write(Root(rows=[Row(name="ab")])))
    data[data.index(b"\0ab\0") + 3] = 1
    with pytest.raises(FormatError, match="expected NUL"):
        read(Root, bytes(data))


def test_values_of_a_wrong_type() -> None:
    wrong: list[int] = ["x"]  # type: ignore[list-item]
    with pytest.raises(EncodeError) as caught:
        write(Root(rows=[Row(words=wrong)]))
    assert caught.value.path.startswith("rows[0].words")


class Chain(Record):
    """A text, and perhaps another link."""

    name: str = reference("text", "texts", TEXTS)
    more: u8 | None = derived("1 if there is a next link", "len(next)")
    next: "list[Chain]" = array("the next link", "Chain", count="more")


class Chained(Record):
    """Links in one another, then their texts."""

    first: Chain = field("the outermost link")
    text_size: u32 | None = derived("size of the texts", "size(texts)")
    texts: list[str] = table("texts", TEXTS, "text_size")


def test_references_are_found_as_deep_as_records_are_read() -> None:
    deepest = Limits().depth
    made = Chain(name="z")
    for _ in range(deepest - 1):
        made = Chain(name="a", next=[made])
    data = write(Chained(first=made))
    assert write(read(Chained, data)) == data
    deeper = Chained(first=Chain(name="a", next=[made]))
    with pytest.raises(EncodeError, match=f"Chained: nested more than {deepest} deep"):
        write(deeper)
