"""Any record of any declaration round-trips through bytes and plain data."""

from itertools import count
from types import new_class
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sampling import fewer
from tests.wire.cases import CASES, Case
from unshade.errors import FormatError, UnshadeError
from unshade.wire import (
    U16,
    U32,
    Array,
    Blob,
    CString,
    NanBits,
    Nested,
    Record,
    Scalar,
    array,
    blob,
    derived,
    field,
    nested,
    placement_of,
    pointer,
    read,
    text,
    trace,
    write,
)
from unshade.wire import types as t
from unshade.wire.data import from_data, to_data
from unshade.wire.spans import gaps, spans_of

SCALARS = (t.U8, t.U16, t.U32, t.U64, t.I8, t.I16, t.I32, t.F32)
ANNOTATIONS = (t.u8, t.u16, t.u32, t.u64, t.i8, t.i16, t.i32, t.f32)
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)
NAMES = (f"Made{number}" for number in count())


def numbers(node: Scalar) -> st.SearchStrategy[Any]:
    if not node.is_float:
        return st.integers(node.low, node.high)
    nans = st.integers(1, (1 << 23) - 1).map(lambda bits: NanBits(0x7F80_0000 | bits))
    return st.floats(width=32, allow_nan=False) | nans


Made = tuple[type[Record], st.SearchStrategy[Record]]


@st.composite
def declarations(draw: st.DrawFn, depth: int = 2) -> Made:
    """Return a random record class, and values of it."""
    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
    values: dict[str, st.SearchStrategy[Any]] = {}
    kinds = ["scalar", "scalar", "blob", "text", "numbers", "far text", "far bytes", "far numbers"]
    if depth:
        kinds += ["nested", "records", "far record", "far records"]

    def declare(name: str, annotation: Any, what: Any) -> None:
        namespace["__annotations__"][name] = annotation
        namespace[name] = what

    def counted(name: str) -> str:
        declare(f"count_{name}", t.u8, derived("a count", f"len({name})"))
        return f"count_{name}"

    for index, kind in enumerate(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=5))):
        name = f"f{index}"
        if kind == "scalar":
            which = draw(st.integers(0, len(SCALARS) - 1))
            declare(name, ANNOTATIONS[which], field("a number"))
            values[name] = numbers(SCALARS[which])
        elif kind == "blob":
            size = draw(st.integers(1, 5))
            declare(name, bytes, blob("bytes", size))
            values[name] = st.binary(min_size=size, max_size=size)
        elif kind == "text":
            declare(name, str, text("text"))
            values[name] = TEXT
        elif kind == "numbers":
            declare(name, list, array("numbers", U16, count=counted(name)))
            values[name] = st.lists(numbers(U16), max_size=4)
        elif kind == "far text":
            declare(name, str, pointer("text", CString()))
            values[name] = TEXT
        elif kind == "far bytes":
            share = draw(st.booleans())
            declare(name, bytes, pointer("bytes", Blob(counted(name)), share=share))
            values[name] = st.binary(max_size=5)
        elif kind == "far numbers":
            far = Array(U32, count=counted(name))
            declare(name, list, pointer("numbers", far, null=draw(st.sampled_from([None, 0]))))
            values[name] = st.lists(numbers(U32), max_size=4)
        else:
            cls, inner = draw(declarations(depth - 1))
            how: dict[str, Any] = {
                "children_first": draw(st.booleans()),
                "placed_after": draw(st.integers(0, 2)),
                "share": draw(st.booleans()),
                "order": draw(st.integers(-1, 1)),
            }
            if kind == "nested":
                declare(name, cls, nested("a record", cls))
                values[name] = inner
            elif kind == "records":
                declare(name, list, array("records", cls, count=counted(name)))
                values[name] = st.lists(inner, max_size=3)
            elif kind == "far record":
                declare(name, cls, pointer("a record", Nested(cls), null=0, **how))
                values[name] = st.none() | inner
            else:
                far = Array(Nested(cls), count=counted(name))
                declare(name, list, pointer("records", far, **how))
                values[name] = st.lists(inner, max_size=3)
    made = new_class(next(NAMES), (Record,), exec_body=lambda body: body.update(namespace))
    return made, st.builds(made, **values)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Return a value of a random record class."""
    _, values = draw(declarations())
    return draw(values)


@settings(max_examples=fewer(400), deadline=None)
@given(records())
def test_bytes_and_back(record: Record) -> None:
    raw = write(record)
    assert read(type(record), raw) == record
    assert trace(type(record), raw).record == record
    assert placement_of(type(record), raw) is None


@settings(max_examples=fewer(200), deadline=None)
@given(records())
def test_plain_data_and_back(record: Record) -> None:
    back = from_data(type(record), to_data(record))
    assert back == record
    assert write(back) == write(record)


@settings(max_examples=fewer(200), deadline=None)
@given(records(), st.integers(0, 255))
def test_spans_leave_only_padding(record: Record, pad: int) -> None:
    raw = write(record, pad=pad)
    spans = spans_of(trace(type(record), raw))
    for start, end in gaps(spans, len(raw)):
        assert end - start < 4
        assert raw[start:end] == bytes([pad]) * (end - start)


@settings(max_examples=fewer(200), deadline=None)
@given(records(), st.data())
def test_damage_is_refused_or_kept(record: Record, data: st.DataObject) -> None:
    """Whatever still reads is written back byte for byte, by its placement."""
    raw = bytearray(write(record))
    for _ in range(data.draw(st.integers(1, 3))):
        if raw:
            at = data.draw(st.integers(0, len(raw) - 1))
            raw[at] = data.draw(st.integers(0, 255))
    check_kept(type(record), bytes(raw), ())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@settings(max_examples=fewer(100), deadline=None)
@given(st.binary(max_size=64))
def test_any_bytes_are_refused_or_kept(case: Case, raw: bytes) -> None:
    check_kept(type(case.record), raw, case.arguments)


def check_kept(cls: type[Record], raw: bytes, arguments: tuple[tuple[str, object], ...]) -> None:
    try:
        record = read(cls, raw, arguments)
    except UnshadeError:
        return
    assert trace(cls, raw, arguments).record == record
    try:
        placement = placement_of(cls, raw, arguments)
    except FormatError:
        return  # one byte is part of two values: such a region stays raw
    assert write(record, arguments, placement=placement) == raw
