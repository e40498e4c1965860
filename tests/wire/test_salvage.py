"""Records of damaged regions: the fields before the damage are kept."""

import pytest

from tests.wire import records as r
from tests.wire.test_refusals import REFUSALS
from unshade.errors import FormatError, LimitError
from unshade.limits import Limits
from unshade.wire import Record, read
from unshade.wire.salvage import ReadResult, SalvageReader
from unshade.wire.spans import spans_of


def paths(found: ReadResult) -> list[str]:
    return [span.path for span in spans_of(found.trace)]


@pytest.mark.parametrize(
    ("cls", "data", "offset", "path", "words"),
    REFUSALS,
    ids=[f"{case[0].__name__} {case[3]}" for case in REFUSALS],
)
def test_the_error_is_the_one_of_read(
    cls: type[Record], data: str, offset: int, path: str, words: str
) -> None:
    found = SalvageReader(bytes.fromhex(data)).read(cls)
    assert found.record is None
    assert isinstance(found.error, FormatError)
    assert (found.error.offset, found.error.path) == (offset, path)
    assert words in found.error.problem


def test_undamaged_records_are_read_in_full() -> None:
    data = bytes.fromhex("02 01 0100 0200 41")
    found = SalvageReader(data).read(r.Sized)
    assert found.error is None
    assert found.record == read(r.Sized, data)


def test_the_first_items_of_a_truncated_array_are_read() -> None:
    found = SalvageReader(bytes.fromhex("09 00 0100 0200 03")).read(r.Sized)
    assert paths(found) == ["count", "size", "items[0]", "items[1]"]
    assert [span.value for span in spans_of(found.trace)] == [9, 0, 1, 2]
    assert str(found.error) == "at 0x2, items: expected 18 bytes for 9 items, got 5"
    assert paths(SalvageReader(bytes.fromhex("ffffffff 08000000")).read(r.Branches)) == [
        "count",
        "rows",
    ]


def test_an_unreadable_record_does_not_affect_others() -> None:
    """The first contains itself: reading it again fails again."""
    data = bytes.fromhex("01 05000000 02 05000000 01 00000000")
    reading = SalvageReader(data)
    for _ in range(2):
        looped = reading.read(r.Chain, 0, path="first")
        assert isinstance(looped.error, FormatError)
        assert looped.error.path == "first.next.next"
        assert paths(looped)[:2] == ["first.value", "first.next"]
    again = reading.read(r.Loose, 5)
    assert (again.error, again.record.value) == (None, 2)


def test_limits_are_shared() -> None:
    data = bytes.fromhex("0d000000" * 3) + b"\0" + b"a" * 90 + b"\0"
    reading = SalvageReader(data, Limits(overlap=0, string_size=50))
    assert isinstance(reading.read(r.Words).error, LimitError | FormatError)
    depth = SalvageReader(bytes.fromhex("00 01 00 01 00 01 00 00"), Limits(depth=2))
    for _ in range(3):
        error = depth.read(r.Tree).error
        assert isinstance(error, LimitError)
        assert error.limit == "depth"
    assert depth.read(r.Tree, 6).error is None, "how deep it was does not stay"


def test_depth_is_counted_from_the_record_that_is_read() -> None:
    """A chain of three records has a depth of 2, before and after another was too deep."""
    fits, deep = "01 05000000 02 0a000000 03 00000000", "00 01 00 01 00 01 00 00"
    reading = SalvageReader(bytes.fromhex(fits), Limits(depth=2))
    for _ in range(2):
        assert reading.read(r.Chain).error is None
        reading.source.cache.clear()
    reading = SalvageReader(bytes.fromhex(deep), Limits(depth=2))
    assert isinstance(reading.read(r.Tree).error, LimitError)
    assert reading.read(r.Tree, 2).error is None
    deeper = SalvageReader(bytes.fromhex(fits), Limits(depth=1))
    assert isinstance(deeper.read(r.Chain).error, LimitError)
