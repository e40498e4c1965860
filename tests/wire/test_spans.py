"""Spans of fields, the bytes between them, and what those are taken for."""

import pytest

from tests.wire import records as r
from unshade.wire import Record, padding, trace
from unshade.wire.spans import Span, gaps, spans_of, with_padding


def of(cls: type[Record], data: str) -> list[tuple[int, int, str, object, str]]:
    found = spans_of(trace(cls, bytes.fromhex(data)))
    return [(each.offset, each.length, each.path, each.value, each.kind) for each in found]


def test_each_scalar() -> None:
    data = "01 0302 07060504 0f0e0d0c0b0a0908 ff feff fdffffff 0000c03f 02 0700"
    assert of(r.Numbers, data) == [
        (0, 1, "a", 1, "field"), (1, 2, "b", 0x203, "field"), (3, 4, "c", 0x4050607, "field"),
        (7, 8, "d", 0x8090A0B0C0D0E0F, "field"), (15, 1, "e", -1, "field"),
        (16, 2, "f", -2, "field"), (18, 4, "g", -3, "field"), (22, 4, "h", 1.5, "field"),
        (26, 1, "colour", r.Colour.BLUE, "field"), (27, 2, "odd", 7, "raw"),
    ]  # fmt: skip
    assert isinstance(spans_of(trace(r.Numbers, bytes.fromhex(data)))[8].value, r.Colour)
    (colour,) = (each for each in of(r.Numbers, "00" * 26 + "01 0000") if each[2] == "colour")
    assert colour == (26, 1, "colour", 1, "field")  # a number without a name


def test_pointers_and_their_targets() -> None:
    assert of(r.Chain, "01 08000000 abcdef 02 00000000") == [
        (0, 1, "value", 1, "field"), (1, 4, "next", 8, "field"),
        (8, 1, "next.value", 2, "field"), (9, 4, "next.next", 0, "field"),
    ]  # fmt: skip


class Padded(Record):
    """Two bytes of padding after the first."""

    first: bytes = padding("zero", 1)
    second: bytes = padding("also zero", 1)


def test_padding_with_other_bytes_is_raw() -> None:
    assert [each[4] for each in of(Padded, "00 01")] == ["padding", "raw"]
    assert [each[4] for each in of(Padded, "02 00")] == ["raw", "padding"]


def span(offset: int, length: int, value: object = 0) -> Span:
    return Span(offset, length, f"at{offset}", value, "")


@pytest.mark.parametrize(
    ("outer", "inner", "joined"),
    [("a", "b", "a.b"), ("a", "", "a"), ("", "b", "b"), ("", "", "")],
)
def test_a_span_in_a_structure(outer: str, inner: str, joined: str) -> None:
    given = Span(3, 2, inner, 7, "doc", (1, 2), "raw")
    assert given.shifted(10, outer) == Span(13, 2, joined, 7, "doc", (1, 2), "raw")


@pytest.mark.parametrize(
    ("spans", "size", "found"),
    [
        ([], 0, []),
        ([], 1, [(0, 1)]),
        ([(0, 4)], 4, []),
        ([(0, 4)], 5, [(4, 5)]),
        ([(1, 3)], 4, [(0, 1)]),
        ([(5, 1), (0, 4)], 6, [(4, 5)]),
        ([(0, 4), (3, 2)], 6, [(5, 6)]),
        ([(0, 6), (1, 2)], 8, [(6, 8)]),  # one in the other
        ([(0, 2), (2, 2)], 4, []),
    ],
)
def test_gaps(spans: list[tuple[int, int]], size: int, found: list[tuple[int, int]]) -> None:
    assert gaps([span(*each) for each in spans], size) == found


@pytest.mark.parametrize(
    ("spans", "data", "found"),
    [
        ([(0, 4)], "00000000", []),
        # short ones of the padding's byte; at the end also longer ones
        ([(0, 1), (4, 1)], "01000000 01", [(1, 3, "padding")]),
        ([(0, 4)], "01010101 00000000 00", [(4, 5, "padding")]),
        # as long as the alignment, with data after it
        ([(0, 4), (8, 1)], "01010101 00000000 01", [(4, 4, "raw")]),
        ([(0, 4), (7, 1)], "01010101 000000 01", [(4, 3, "padding")]),
        # with another byte
        ([(0, 1), (4, 1)], "01000200 01", [(1, 3, "raw")]),
        ([(0, 1)], "01 0002", [(1, 2, "raw")]),
    ],
)
def test_kinds_of_gaps(
    spans: list[tuple[int, int]], data: str, found: list[tuple[int, int, str]]
) -> None:
    given = [span(*each) for each in spans]
    raw = bytes.fromhex(data)
    filled = with_padding(given, raw, 0)
    new = [each for each in filled if each not in given]
    assert [(each.offset, each.length, each.kind) for each in new] == found
    assert all(each.value == raw[each.offset : each.offset + each.length] for each in new)
    assert [each.offset for each in filled] == sorted(each.offset for each in filled)


def test_fill_of_another_byte_and_alignment() -> None:
    raw = b"\1\xab\xab\xab\xab\xab\xab\xab\1"
    given = [span(0, 1), span(8, 1)]
    for pad, align, kind in (
        (0xAB, 4, "raw"),
        (0xAB, 7, "raw"),
        (0xAB, 8, "padding"),
        (0, 8, "raw"),
    ):
        filled = with_padding(given, raw, pad, align)
        assert [each.kind for each in filled] == ["field", kind, "field"]
    assert with_padding(given, raw, 0xAB, 8)[1].doc == "fills up to a multiple of 8"


def test_fill_after_a_text_is_part_of_it() -> None:
    given = [span(0, 2, "a"), span(4, 1), span(5, 3, "bc")]
    filled = with_padding(given, b"a\0\0\0\1bc\0\0\0\0\0", 0)
    assert [(each.offset, each.length, each.kind) for each in filled] == [
        (0, 4, "field"), (4, 1, "field"), (5, 3, "field"), (8, 4, "padding"),
    ]  # fmt: skip
    (text,) = with_padding([span(0, 2, "a")], b"a\0\0\0\0", 0)
    assert text.length == 5
