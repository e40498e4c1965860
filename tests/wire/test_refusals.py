"""Errors while reading: offset, path and message."""
# ruff: noqa: E501  (the tables are columns)

import pytest

from tests.wire import records as r
from unshade.errors import FormatError, LimitError
from unshade.limits import Limits
from unshade.wire import (
    U16,
    Array,
    CString,
    Nested,
    Record,
    array,
    field,
    nested,
    pointer,
    read,
    text,
    u8,
)
from unshade.wire.types import U8

# fmt: off
REFUSALS = [
    # record        bytes                  offset  path                   words
    (r.Numbers,    "01 02",                1, "b",                       "expected 2 bytes for b, got 1"),
    (r.Numbers,    "",                     0, "a",                       "expected 1 bytes for a, got 0"),
    (r.Sized,      "02 00 0000",           2, "items",                   "expected 4 bytes for 2 items, got 2"),
    (r.Sized,      "00 05 41",             2, "raw",                     "expected 5 bytes for size, got 1"),
    (r.Named,      "01 41 42",             1, "name",                    "no NUL before the end"),
    (r.Prefixed,   "05 616263",            1, "name",                    "expected 5 bytes for size, got 3"),
    (r.Fixed,      "41424344 00000000",    4, "words",                   "expected 8 bytes for 2 items, got 4"),
    (r.Matrix,     "01 00 01 05 00",       4, "sized[0].items",          "expected 2 bytes for 1 items, got 1"),
    (r.Strided,    "00 01 07",             2, "items",                   "expected a stride of at least 1, got 0"),
    (r.Strided,    "04 03 00000000",       2, "items",                   "expected 12 bytes for 3 items, got 4"),
    (r.Shape,      "02 0000",              1, "body",                    "expected one of 0, 1, got 2"),
    (r.Shape,      "01 0000",              3, "body.depth",              "expected 1 bytes for depth, got 0"),
    (r.FarShape,   "07 05000000 01",       5, "body",                    "expected one of 0, 1, got 7"),
    (r.Words,      "ff000000 04000000 00", 8, "third",                   "expected 4 bytes for third, got 1"),
    (r.Words,      "0d000000 " + "00" * 8, 0, "first",                   "offset 0xd is past the end at 0xc"),
    (r.Words,      "0c000000 " * 2 + "00" * 4, 12, "first",              "no NUL before the end"),
    (r.Branches,   "01000000 08000000",    8, "rows",                    "expected 8 bytes for 1 items, got 0"),
    (r.Branches,   "01000000 08000000 ff000000 00000000", 8, "rows[0].name", "offset 0xff is past"),
    (r.Branches,   "ffffffff 08000000",    8, "rows",                    "bytes for 4294967295 items"),
    (r.Chain,      "01 00000001",          1, "next",                    "offset 0x1000000 is past the end"),
    (r.Chain,      "01 05000000 02 05000000", 5, "next.next",            "contains itself"),
    (r.Tree,       "00 02 00 01 00 00",    6, "children[1].value",       "expected 1 bytes for value, got 0"),
    (r.Command,    "01 00 0000 05",        5, "body.right.body",         "expected one of 0, 1, got 5"),
]
# fmt: on


@pytest.mark.parametrize(
    ("cls", "data", "offset", "path", "words"),
    REFUSALS,
    ids=[f"{case[0].__name__} {case[3]}" for case in REFUSALS],
)
def test_refusal(cls: type[Record], data: str, offset: int, path: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(cls, bytes.fromhex(data))
    assert caught.value.path == path
    assert caught.value.offset == offset
    assert words in caught.value.problem
    assert str(caught.value).startswith(f"at 0x{offset:x}, {path}: ")


def test_too_few_bytes_for_a_batch_name_the_item() -> None:
    with pytest.raises(FormatError) as caught:
        read(r.StridedAway, bytes.fromhex("02 02 06000000 0000 01"))
    assert caught.value.path == "items"


def test_a_single_byte_after_the_last_record_is_not_read() -> None:
    assert read(r.Pairs, b"\1\2\3").pairs == [r.Pair(low=1, high=2)]


def test_a_longer_item_without_a_field_for_its_bytes() -> None:
    class Short(Record):
        value: u8 = field("value")

    class Table(Record):
        items: list[Short] = pointer("items", Array(Nested(Short), count=2, stride="3"))

    with pytest.raises(FormatError, match="the item is 2 bytes longer than Short") as caught:
        read(Table, (4).to_bytes(4, "little") + b"abcdef")
    assert (caught.value.offset, caught.value.path) == (5, "items[0]")


def test_an_item_that_overlaps_the_next() -> None:
    with pytest.raises(FormatError, match="overlaps the next by 1 bytes") as caught:
        read(StridedNames, bytes.fromhex("01 02 6100 6200"))
    assert caught.value.path == "names[0]"


class OneName(Record):
    """A record of at least one byte."""

    name: str = text("name")


class StridedNames(Record):
    """Items of variable size in an array with a stride."""

    stride: u8 = field("stride")
    count: u8 = field("count")
    names: list[OneName] = array("names", OneName, count="count", stride="stride")


class Narrow(Record):
    """A count, and a pointer to as many bytes."""

    count: u8 = field("count")
    items: list[int] = pointer("items", Array(U8, count="count"), slot=U8)


class Wide(Record):
    """The same field names with twice the width."""

    count: u8 = field("count")
    items: list[int] = pointer("items", Array(U16, count="count"), slot=U8)


class Both(Record):
    """Two records whose pointers of the same name have the same target."""

    narrow: Narrow = nested("bytes", Narrow)
    wide: Wide = nested("half words", Wide)


def test_targets_are_shared_by_field_not_by_name() -> None:
    both = read(Both, bytes.fromhex("02 04 02 04 0102 0304"))
    assert both.narrow.items == [1, 2]
    assert both.wide.items == [0x201, 0x403]


# -- limits --------------------------------------------------------------------------------------


def chain(length: int) -> bytes:
    """Return a linked list of `length` links, in order."""
    links = [bytes([0]) + (5 * (i + 1)).to_bytes(4, "little") for i in range(length - 1)]
    return b"".join(links) + bytes(5)


def test_depth_of_pointers() -> None:
    limits = Limits(depth=10)
    assert read(r.Chain, chain(11), limits=limits).next is not None
    with pytest.raises(LimitError) as caught:
        read(r.Chain, chain(12), limits=limits)
    assert (caught.value.limit, caught.value.allowed) == ("depth", 10)
    assert "limit depth = 10 exceeded" in str(caught.value)


def test_depth_of_inline_records() -> None:
    limits = Limits(depth=10)
    data = b"\0\1" * 10 + b"\0\0"
    assert read(r.Tree, data, limits=limits).children
    with pytest.raises(LimitError, match="depth"):
        read(r.Tree, b"\0\1" + data, limits=limits)


@pytest.mark.parametrize("cls", [r.Tree, r.Command])
def test_depth_is_bounded_by_default(cls: type[Record]) -> None:
    with pytest.raises(LimitError, match="depth"):
        read(cls, b"\1" * 100_000)


class Aside(Record):
    """Many pointers to strings, which may overlap."""

    count: u8 = field("how many")
    names: list["Name"] = array("names", Nested("Name"), count="count")


class Name(Record):
    """A pointer to a string."""

    name: str = pointer("name", CString(), slot=U16)


def test_overlap_of_strings() -> None:
    """Overlapping strings count with all their bytes; a string that is read twice counts once."""
    body = b"a" * 1000 + b"\0"
    start = 1 + 2 * 200
    same = bytes([200]) + start.to_bytes(2, "little") * 200 + body
    assert len({name.name for name in read(Aside, same).names}) == 1
    tails = b"".join((start + i).to_bytes(2, "little") for i in range(200))
    with pytest.raises(LimitError) as caught:
        read(Aside, bytes([200]) + tails + body)
    assert caught.value.limit == "overlap"


def test_string_size() -> None:
    limits = Limits(string_size=3)
    assert read(r.Named, b"\0abc\0\0", limits=limits).name == "abc"
    with pytest.raises(LimitError, match="string_size = 3 exceeded: the data needs 4"):
        read(r.Named, b"\0abcd\0\0", limits=limits)


class Grove(Record):
    """Many pointers to one table."""

    count: u8 = field("pointers")
    tables: list["Table"] = array("tables", Nested("Table"), count="count")


class Table(Record):
    """A pointer to fifty pairs."""

    pairs: list[r.Pair] = pointer("pairs", Array(Nested(r.Pair), count=50), slot=U16)


def test_sharing() -> None:
    """A shared table is read once, but a walk of the records visits it each time."""
    count = 40
    start = 1 + 2 * count
    data = bytes([count]) + start.to_bytes(2, "little") * count + bytes(100)
    tree = count * 100
    limits = Limits(sharing=tree - 16 * len(data))
    assert len(read(Grove, data, limits=limits).tables) == count
    limits.sharing -= 1
    with pytest.raises(LimitError) as caught:
        read(Grove, data, limits=limits)
    assert caught.value.limit == "sharing"


class Fork(Record):
    """Two pointers to the next link."""

    left: "Fork | None" = pointer("the next", Nested("Fork"), null=0, slot=U16)
    right: "Fork | None" = pointer("the next as well", Nested("Fork"), null=0, slot=U16)


def test_sharing_that_doubles_at_each_link() -> None:
    data = b"".join((4 * (i + 1)).to_bytes(2, "little") * 2 for i in range(50)) + bytes(4)
    with pytest.raises(LimitError, match="sharing"):
        read(Fork, data)
