"""Generated readers and writers cope with every value in a declaration."""

from enum import IntEnum

import pytest

from unshade.errors import FormatError
from unshade.wire import (
    Array,
    Record,
    array,
    blob,
    derived,
    field,
    magic,
    nested,
    pointer,
    read,
    switch,
    trace,
    u8,
    write,
)
from unshade.wire.types import U8


class Kind(IntEnum):
    """Its repr is not Python."""

    FIRST = 1
    OTHER = 2


MAGICS = (b"VBC\0", b"'\"\\\n", b"{x}!", b"\xff\xfe{'")


@pytest.mark.parametrize("start", MAGICS)
def test_a_magic_with_quotes_and_braces(start: bytes) -> None:
    class Header(Record):
        tag: bytes = magic("any bytes", start, b"none")
        value: u8 = field("value")

    data = start + b"\7"
    assert read(Header, data) == Header(value=7)
    assert trace(Header, data).spans[0][:3] == (0, 4, ".tag")
    assert write(Header(value=7)) == data
    with pytest.raises(FormatError) as caught:
        read(Header, b"oddly")
    assert caught.value.problem == f"expected {start!r} or b'none', got b'oddl'"
    assert (caught.value.offset, caught.value.path) == (0, "tag")


def test_a_default_without_a_literal() -> None:
    class Versioned(Record, params=("version",)):
        kind: u8 = field("kind", enum=Kind, default=Kind.OTHER, when="version >= 2")
        late: u8 = field("late", enum=Kind, default=Kind.FIRST, when="kind == 1")

    first = read(Versioned, b"", (("version", 1),))
    assert first.kind is Kind.OTHER
    assert first.late is Kind.FIRST
    assert write(first, (("version", 1),)) == b""


def test_an_argument_without_a_literal() -> None:
    class Inner(Record, params=("kind",)):
        value: u8 = field("value", when="kind == 2")
        again: u8 = derived("the same", "kind")

    class Outer(Record, params=("kind",)):
        inner: Inner = nested("inner", Inner, kind="kind")

    arguments = (("kind", Kind.OTHER),)
    assert write(Outer(inner=Inner(value=5)), arguments) == b"\5\2"
    assert read(Outer, b"\5\2", arguments).inner == Inner(value=5)


class Derived(Record):
    """Expressions of the lowest precedence, which generated code uses as operands."""

    count: u8 = derived("items, at least 1", "len(items) or 1")
    wide: u8 = derived("2 for many, 1 for few", "2 if len(items) > 1 else 1")
    items: list[int] = array("items", U8)


@pytest.mark.parametrize(
    ("data", "count", "wide"),
    [
        (b"\1\1", None, None),
        (b"\2\2ab", None, None),
        (b"\5\1", 5, None),  # the file's own numbers are kept
        (b"\1\7a", None, 7),
        (b"\0\2", 0, 2),
    ],
)
def test_derived_by_a_conditional(data: bytes, count: int | None, wide: int | None) -> None:
    found = read(Derived, data)
    assert (found.count, found.wide) == (count, wide)
    assert trace(Derived, data).record == found
    assert write(found) == data


class Circle(Record):
    """One case."""

    radius: u8 = field("radius")


class Box(Record):
    """The other."""

    width: u8 = field("width")
    height: u8 = field("height")


class Chosen(Record):
    """A tag, a size and a stride that are expressions of the lowest precedence."""

    kind: u8 = field("kind")
    size: u8 = field("size")
    body: Circle | Box = switch("body", "kind if size else 0", {0: Circle, 1: Box})
    raw: bytes = blob("raw", "size if kind else 0")
    wide: list[Circle] = array("wide", Circle, count=2, stride="size if kind else 1")
    far: list[int] = pointer("far", Array(U8, count="size if kind else 2"), slot=U8)


@pytest.mark.parametrize("data", [b"\0\3r12\x08\0\0ab", b"\1\1whr12\x08c"])
def test_conditionals_in_every_expression(data: bytes) -> None:
    found = read(Chosen, data)
    assert trace(Chosen, data).record == found
    assert write(found) == data


def test_a_field_that_the_version_lacks() -> None:
    class Grown(Record, params=("version",)):
        total: u8 = derived("items of both", "len(old) + len(new)")
        old: list[int] = array("old", U8, count=1)
        new: list[int] = array("new", U8, when="version >= 2")

    for version, data in ((1, b"\1a"), (2, b"\3abc")):
        found = read(Grown, data, (("version", version),))
        assert found.total is None
        assert write(found, (("version", version),)) == data


def test_quoted_words_are_not_names() -> None:
    class Quoted(Record, params=("mode",)):
        mode_of: u8 | None = field("named as the text is", when="mode == 'mode_of mode'")
        other: u8 | None = field("other", when='mode != "mode_of mode"')

    assert read(Quoted, b"\1", (("mode", "mode_of mode"),)) == Quoted(mode_of=1, other=None)
    assert read(Quoted, b"\1", (("mode", "'"),)) == Quoted(mode_of=None, other=1)


def test_a_missing_size_is_reported_as_declared() -> None:
    class Cut(Record):
        size: u8 = field("size")
        raw: bytes = blob("raw", "{'a': 7}['a'] if size else 0")

    with pytest.raises(FormatError) as caught:
        read(Cut, b"\1abc")
    assert caught.value.problem == "expected 7 bytes for {'a': 7}['a'] if size else 0, got 3"
