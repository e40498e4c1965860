"""Regions with a layout of their own: kept if possible, replaced if values no longer fit."""
# ruff: noqa: E501  (the tables are columns)

import pytest

from tests.wire import records as r
from unshade.errors import FormatError
from unshade.wire import Placement, Record, placement_of, read, write
from unshade.wire.data import placement_from_data, placement_to_data

# fmt: off
ODD = [
    # layout                       record         bytes
    ("targets in another order",  r.Words,       "0e000000 0c000000 00000000 6200 6100"),
    ("a target aligned further",  r.Ordered,     "0c000000 14000000 00000000 0100 00000000 0000 0200"),
    ("equal texts twice",         r.Words,       "0c000000 0e000000 00000000 6100 6100"),
    ("a text as another's tail",  r.Words,       "0c000000 0d000000 00000000 616200"),
    ("bytes behind everything",   r.Words,       "0c000000 0c000000 00000000 6100 beef"),
    ("a gap before the target",   r.Chain,       "01 0c000000 070809 0a0b0c0d 02 00000000"),
    ("padding of another byte",   r.Chain,       "01 08000000 abcdef 02 00000000"),
    ("an empty table somewhere",  r.Blobs,       "00 0300 00 ff 000000"),
    ("a table inside the header", r.Present,     "05 01 01"),
    ("an empty table, no place",  r.Present,     "05 00 00"),
]
# fmt: on


@pytest.mark.parametrize(("cls", "data"), [case[1:] for case in ODD], ids=[case[0] for case in ODD])
def test_an_unusual_layout_is_kept(cls: type[Record], data: str) -> None:
    raw = bytes.fromhex(data)
    record = read(cls, raw)
    assert write(record) != raw
    placement = placement_of(cls, raw)
    assert placement is not None
    assert write(record, placement=placement) == raw
    plain = placement_to_data(placement)
    assert write(record, placement=placement_from_data(plain, "layout")) == raw


def test_an_edit_of_the_same_size_keeps_the_layout() -> None:
    raw = bytes.fromhex("0e000000 0c000000 00000000 6200 6100")
    record = read(r.Words, raw)
    assert (record.first, record.second) == ("a", "b")
    record.second = "c"
    assert write(record, placement=placement_of(r.Words, raw)) == raw.replace(b"b", b"c")


def test_an_edit_that_does_not_fit_discards_the_layout() -> None:
    raw = bytes.fromhex("0e000000 0c000000 00000000 6200 6100")
    record = read(r.Words, raw)
    record.second = "longer"
    made = write(record, placement=placement_of(r.Words, raw))
    assert made == write(record)
    assert read(r.Words, made) == record


def test_a_new_target_discards_the_layout() -> None:
    raw = bytes.fromhex("0c000000 0e000000 00000000 6100 6100")
    record = read(r.Words, raw)
    record.third = "new"
    made = write(record, placement=placement_of(r.Words, raw))
    assert read(r.Words, made) == record


def test_a_removed_target_discards_the_layout() -> None:
    raw = bytes.fromhex("0e000000 0c000000 10000000 6200 6100 6300")
    record = read(r.Words, raw)
    assert record.third == "c"
    record.third = None
    made = write(record, placement=placement_of(r.Words, raw))
    assert made == write(record)
    assert read(r.Words, made) == record


def test_overlapping_values_that_agree() -> None:
    """The string is stored in the slot of another pointer: its bytes depend on its offset."""
    raw = bytes.fromhex("01000000 0c000000 00000000 6100")
    record = read(r.Words, raw)
    assert record.first == ""
    placement = placement_of(r.Words, raw)  # here the overlapping bytes agree
    assert placement is not None
    assert write(record, placement=placement) == raw


def test_the_placement_of_another_record_is_discarded() -> None:
    record = r.Words(first="a", second="b")
    assert write(record, placement=Placement(4, {}, {})) == write(record)
    odd = Placement(100, {"first": 2, "second": 50, "third": 0}, {})
    assert write(record, placement=odd) == write(record)


def test_padding_and_the_last_bytes() -> None:
    record = r.Chain(value=1, next=r.Chain(value=2))
    assert write(record, pad=0xAB).hex(" ") == "01 08 00 00 00 ab ab ab 02 00 00 00 00"
    assert write(record, end=8)[-3:] == bytes(3)
    assert len(write(record, end=8)) == 16
    raw = write(record, pad=0xAB, end=4)
    assert placement_of(r.Chain, raw, pad=0xAB, end=4) is None
    assert placement_of(r.Chain, raw, pad=0, end=4) is not None


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"size": "x"},
        {"size": 1, "at": []},
        {"size": 1, "at": {"a": "x"}},
        {"size": 1, "fill": {"0": "xx"}},
        {"size": 1, "fill": {"zz": "00"}},
        {"size": -1},
        {"size": 1 << 40},
        {"size": 4, "fill": {"0x8": "00"}},
        {"size": 4, "at": {"a": -1}},
    ],
)
def test_invalid_plain_data_of_a_placement(data: object) -> None:
    with pytest.raises(FormatError) as caught:
        placement_from_data(data, "parts[0].layout")
    assert caught.value.path == "parts[0].layout"


# -- bytes that belong to no field ---------------------------------------------------------------

# fmt: off
UNREAD = [
    # bytes without a field          bytes                                             kept
    ("between two targets",          "0e000000 14000000 00000000 beef 6100 deadbeef 6200", "beef dead beef"),
    ("behind everything",            "0c000000 0c000000 00000000 6100 beef",               ""),
    ("more behind everything",       "0c000000 0c000000 00000000 6100 beef 01020304",      "beef 01 02 03 04"),
    ("zeros between other bytes",    "10000000 10000000 00000000 00ab0001 6100",           "00 ab 00 01"),
    ("zeros alone, as padding",      "14000000 10000000 00000000 00000000 6100 0000 6200", ""),
]
# fmt: on


@pytest.mark.parametrize(
    ("data", "kept"), [case[1:] for case in UNREAD], ids=[c[0] for c in UNREAD]
)
def test_an_edit_that_does_not_fit_keeps_bytes_without_a_field(data: str, kept: str) -> None:
    raw = bytes.fromhex(data)
    record = read(r.Words, raw)
    record.first = "longer than it was before"
    placement = placement_of(r.Words, raw)
    assert placement is not None
    made = write(record, placement=placement, end=4)
    assert made == write(record, end=4) + bytes.fromhex(kept) + bytes(-len(bytes.fromhex(kept)) % 4)
    assert read(r.Words, made) == record
    again = placement_of(r.Words, made, end=4)
    record.second = "longer than it was before, too"
    assert again is None or bytes.fromhex(kept) in write(record, placement=again, end=4)
