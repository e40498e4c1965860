"""Records written in the layout of the bytes that they were read from."""

from collections.abc import Callable

import pytest

from tests.wire import records as r
from unshade.errors import FormatError, LimitError
from unshade.wire import read, write
from unshade.wire.data import Plain
from unshade.wire.roundtrip import fields_or_bytes, layout_to_data, write_like, write_placed

USUAL = bytes.fromhex("0c000000 0e000000 00000000 6100 6200")
SWAPPED = bytes.fromhex("0e000000 0c000000 00000000 6200 6100")


@pytest.mark.parametrize("data", [USUAL, SWAPPED, USUAL + b"\0\7"])
def test_an_unchanged_record_gives_the_same_bytes(data: bytes) -> None:
    record = read(r.Words, data)
    assert write_like(record, (), data) == data


@pytest.mark.parametrize("data", [USUAL, SWAPPED])
def test_an_edit_keeps_the_layout(data: bytes) -> None:
    record = read(r.Words, data)
    record.second = "c"
    assert write_like(record, (), data) == data.replace(b"b", b"c")


def test_without_a_file() -> None:
    record = read(r.Words, SWAPPED)
    assert write_like(record, (), None) == write(record) == USUAL
    assert layout_to_data(record, (), None) is None


def test_padding_and_the_last_bytes() -> None:
    record = read(r.Words, USUAL)
    for pad in (b"\0", b"\xab"):
        padded = USUAL + pad * 8
        assert write_like(record, (), None, pad=pad[0], end=12) == padded
        assert write_like(record, (), padded, pad=pad[0], end=12) == padded
        assert layout_to_data(record, (), padded, pad=pad[0], end=12) is None
        assert layout_to_data(record, (), padded) is not None


def test_the_layout_as_plain_data() -> None:
    record = read(r.Words, SWAPPED)
    assert layout_to_data(read(r.Words, USUAL), (), USUAL) is None
    layout = layout_to_data(record, (), SWAPPED)
    assert layout == {"size": 16, "at": {"first": 14, "second": 12, "third": 0}, "fill": {}}
    assert write_placed(record, (), layout, "layout") == SWAPPED
    assert write_placed(record, (), None, "layout") == USUAL


def _raises(error: Exception) -> Callable[[], dict[str, Plain]]:
    def fields() -> dict[str, Plain]:
        raise error

    return fields


def test_bytes_instead_of_fields() -> None:
    fields: dict[str, Plain] = {"a": 1}
    assert fields_or_bytes(lambda: fields, lambda: b"\1\xff") == {"a": 1}
    for error in (FormatError("overlap"), LimitError("nodes", 1, "more")):
        assert fields_or_bytes(_raises(error), lambda: b"\1\xff") == {"data": "01ff"}
