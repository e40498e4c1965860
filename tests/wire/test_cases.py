"""Every kind of field, read, written, traced, and converted to plain data and back."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.wire.cases import CASES, Case
from unshade.errors import FormatError
from unshade.wire import placement_of, read, read_prefix, trace, write
from unshade.wire.data import from_data, to_data
from unshade.wire.spans import spans_of, with_padding

every = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@every
def test_read(case: Case) -> None:
    assert read(type(case.record), case.bytes, case.arguments) == case.record


@every
def test_write(case: Case) -> None:
    assert write(case.record, case.arguments).hex() == case.bytes.hex()


@every
def test_the_traced_reader_reads_the_same(case: Case) -> None:
    traced = trace(type(case.record), case.bytes, case.arguments)
    assert traced.record == case.record
    assert traced.end == read_prefix(type(case.record), case.bytes, case.arguments)[1]


@every
def test_plain_data_and_back(case: Case) -> None:
    data = to_data(case.record)
    assert from_data(type(case.record), data, case.arguments) == case.record


@every
def test_plain_data_is_plain(case: Case) -> None:
    def check(value: object) -> None:
        if isinstance(value, dict):
            assert all(type(key) is str for key in value)
            for each in value.values():
                check(each)
        elif isinstance(value, list):
            for each in value:
                check(each)
        else:
            assert type(value) in (int, float, str)

    check(to_data(case.record))


@every
def test_spans_cover_each_byte_once(case: Case) -> None:
    found = trace(type(case.record), case.bytes, case.arguments)
    spans = with_padding(spans_of(found), case.bytes, 0, align=8)
    at = 0
    for span in spans:
        assert span.offset == at, span
        at += span.length
    assert at == len(case.bytes)
    padding = sum(span.length for span in spans if span.kind == "padding")
    assert padding == case.padding
    assert all(span.doc for span in spans)


@every
def test_the_default_layout_has_no_placement(case: Case) -> None:
    assert placement_of(type(case.record), case.bytes, case.arguments) is None


def outcome(function: Callable[..., Any], case: Case, size: int) -> object:
    """Return the record, or the offset, path and problem of the error."""
    try:
        return function(type(case.record), case.bytes[:size], case.arguments)
    except FormatError as error:
        return error.offset, error.path, error.problem


@every
def test_readers_agree_on_every_truncation(case: Case) -> None:
    """The fast and the traced reader agree on truncation; the error has an offset."""
    for size in range(len(case.bytes)):
        fast = outcome(read, case, size)
        traced = outcome(lambda *given: trace(*given).record, case, size)
        assert fast == traced
        if isinstance(fast, tuple):
            offset, path, problem = fast
            assert 0 <= offset <= size
            assert path.split(".")[0].split("[")[0] in {f.name for f in case.record.layout.fields}
            assert problem


@every
def test_equality_is_by_value(case: Case) -> None:
    assert copy.deepcopy(case.record) == case.record
    assert case.record != object()
    assert repr(case.record).startswith(type(case.record).__name__ + "(")
