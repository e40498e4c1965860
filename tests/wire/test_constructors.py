"""Annotations and constructor signatures of records, for type checkers and editors."""

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import NoneType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

import pytest

from tests.wire import records as r
from unshade import formats
from unshade.wire import Nested, Pointer, Record, TaggedUnion
from unshade.wire.field import Field


def _records(base: type[Record] = Record) -> Iterator[type[Record]]:
    for each in base.__subclasses__():
        yield each
        yield from _records(each)


for _module in pkgutil.walk_packages(formats.__path__, "unshade.formats."):
    import_module(_module.name)
RECORDS = [each for each in _records() if each.__module__.startswith("unshade.")]


def _needed(f: Field) -> bool:
    """Return True if a field is a record that must be set before writing."""
    null = isinstance(f.type, Pointer) and f.type.null is not None
    node = f.type.target if isinstance(f.type, Pointer) else f.type
    return isinstance(node, Nested | TaggedUnion) and not null and f.when is None


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_optional_fields_are_annotated(record: type[Record]) -> None:
    hints = get_type_hints(record)
    for f in record.layout.fields:
        hint = hints[f.name]
        optional = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
        can_be = f.default is None and not f.is_list and not _needed(f)
        assert optional == can_be, f"{record.__name__}.{f.name}: {hint}"


def test_the_constructor_has_a_signature() -> None:
    assert len(RECORDS) > 30
    for record in RECORDS:
        assert list(inspect.signature(record).parameters) == [f.name for f in record.layout.fields]


def test_defaults_by_kind_of_field() -> None:
    """Numbers are 0, texts and bytes empty; what may be absent or derived is None."""
    numbers = r.Numbers()
    assert [getattr(numbers, f.name) for f in numbers.layout.fields] == [0] * 10
    words, blobs, chain = r.Words(), r.Blobs(), r.Chain()
    assert (words.first, words.second, words.third) == ("", "", None)
    assert (blobs.size, blobs.raw, blobs.count, blobs.numbers) == (None, b"", None, [])
    assert (chain.value, chain.next) == (0, None)
    assert (r.Tail().kind, r.Tail().raw, r.Named().name) == (0, b"", "")
    assert (r.Fixed().magic, r.Fixed().words, r.Prefixed().code) == (b"MAGI", [], "abc")
    assert r.Tree().children is not r.Tree().children
