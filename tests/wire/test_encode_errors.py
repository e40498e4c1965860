"""Errors of values that do not fit their field, with path and expected range."""
# ruff: noqa: E501  (the tables are columns)

from collections.abc import Callable
from typing import Any

import pytest

from tests.wire import records as r
from unshade.errors import EncodeError
from unshade.limits import Limits
from unshade.wire import Record, write
from unshade.wire.explain import explain


def odd(cls: Any, **values: Any) -> Any:
    """Return a record with a value of the wrong type."""
    return cls(**values)


def leaf_branch(**values: Any) -> Record:
    return r.Branches(rows=[r.Leaf(name="a", value=1), r.Leaf(**values)])


# fmt: off
CASES: list[tuple[str, Callable[[], Record], str, str]] = [
    ("too large",             lambda: r.Numbers(a=256),              "a",             "256 does not fit u8 (0 to 255)"),
    ("negative",              lambda: r.Numbers(c=-1),               "c",             "-1 does not fit u32 (0 to 4294967295)"),
    ("too small",             lambda: r.Numbers(e=-129),             "e",             "-129 does not fit i8 (-128 to 127)"),
    ("text for a number",     lambda: odd(r.Numbers, b="x"),              "b",             "expected an integer, got str 'x'"),
    ("a float for a number",  lambda: odd(r.Numbers, b=1.5),              "b",             "expected an integer, got float 1.5"),
    ("None for a number",     lambda: odd(r.Numbers, b=None),             "b",             "expected an integer, got NoneType"),
    ("text for a float",      lambda: odd(r.Numbers, h="x"),              "h",             "expected a number, got str"),
    ("a float too large",     lambda: r.Numbers(h=1e39),             "h",             "1e+39 does not fit f32"),
    ("a derived number",      lambda: r.Loose(value=200),            "twice",         "400 does not fit u8"),
    ("text for bytes",        lambda: odd(r.Tail, raw="x"),               "raw",           "expected bytes, got str"),
    ("too few bytes",         lambda: r.Fixed(magic=b"abc", words=[1, 2]), "magic",   "expected 4 bytes, got 3"),
    ("too few items",         lambda: r.Fixed(words=[1]),            "words",         "expected 2 items, got 1"),
    ("too many items",        lambda: r.Matrix(names=["a"], sized=[r.Sized()] * 2), "sized", "expected 1 items, got 2"),
    ("a number for text",     lambda: odd(r.Named, name=5),               "name",          "expected text, got int"),
    ("a NUL inside text",     lambda: r.Named(name="a\0b"),          "name",          "text contains a NUL"),
    ("too little text",       lambda: r.Prefixed(code="é"),          "code",          "expected 3 bytes, got 2"),
    ("bytes for text",        lambda: odd(r.Prefixed, name=b"a"),         "name",          "expected text, got bytes"),
    ("too much text",         lambda: r.Prefixed(name="a" * 256),    "Prefixed",      "255"),
    ("None for a list",       lambda: _with(r.Pairs(), "pairs", None), "pairs",       "expected a list, got NoneType"),
    ("an item",               lambda: r.Pairs(pairs=[r.Pair(), r.Pair(low=300)]), "pairs[1].low", "300 does not fit u8"),
    ("no record as item",     lambda: odd(r.Pairs, pairs=[5]),            "pairs[0]",      "expected a Pair, got int 5"),
    ("a number in a list",    lambda: r.Sized(items=[1, 70000]),     "items[1]",      "70000 does not fit u16"),
    ("behind a pointer",      lambda: leaf_branch(value=-1),         "rows[1].value", "-1 does not fit u32"),
    ("text behind pointers",  lambda: leaf_branch(name=None),        "rows[1].name",  "expected text, got NoneType"),
    ("no record where needed",lambda: r.Ordered(early=r.Pair()),     "late",          "expected a Pair, got NoneType"),
    ("the wrong record",      lambda: r.Shape(kind=0, body=r.Box()), "body",          "expected a Circle"),
    ("no such case",          lambda: r.Shape(kind=7, body=r.Box()), "body",          "kind: expected one of 0, 1, got 7"),
    ("the wrong far record",  lambda: r.FarShape(kind=0, body=r.Box()), "body",       "expected a Circle"),
    ("no such far case",      lambda: r.FarShape(kind=9, body=r.Box()), "body",       "kind: expected one of 0, 1, got 9"),
    ("the wrong nested record", lambda: r.Command(tag=1, body=odd(r.Sum, left=r.Pair(), right=r.Pair())), "body.left", "expected a Command"),
    ("not of this version",   lambda: r.Versioned(flags=1, name="a", number=5, inner=r.Item()), "number", "5 is allowed only if flags & 2"),
    ("an item too long",      lambda: r.Strided(stride=3, items=[r.Item(more=b"abc")]), "Strided", "longer than the stride"),
]
# fmt: on


def _with(record: Record, name: str, value: object) -> Record:
    setattr(record, name, value)
    return record


@pytest.mark.parametrize(
    ("make", "path", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_values_that_do_not_fit(make: Callable[[], Record], path: str, words: str) -> None:
    with pytest.raises(EncodeError) as caught:
        write(make())
    assert caught.value.path == path
    assert words in caught.value.problem
    assert str(caught.value) == f"{path}: {caught.value.problem}"


def test_a_slot_too_narrow_for_the_offset() -> None:
    with pytest.raises(EncodeError, match="does not fit u16") as caught:
        write(r.NarrowSlots(first=b"x" * 70000, second=b"y"))
    assert caught.value.path == "second"


def holding_itself(cls: type[Record], name: str) -> Record:
    record = cls()
    setattr(record, name, record)
    return record


@pytest.mark.heavy
@pytest.mark.parametrize(
    "make",
    [
        lambda: holding_itself(r.Chain, "next"),
        lambda: holding_itself(r.Inward, "next"),
        lambda: holding_itself(r.SharedChain, "next"),
        lambda: holding_itself(r.LaterChain, "next"),
        lambda: _with(node := r.Tree(), "children", [node]),
    ],
    ids=["pointer", "children first", "shared", "placed after", "in place"],
)
def test_a_record_that_contains_itself(make: Callable[[], Record]) -> None:
    with pytest.raises(EncodeError, match="does a record contain itself"):
        write(make())


def nested(depth: int) -> Record:
    """Return a tree of so many records in one another, of which the innermost cannot be written."""
    made = r.Tree(value=256)
    for _ in range(depth - 1):
        made = r.Tree(children=[made])
    return made


def test_the_depth_at_which_a_record_seems_to_contain_itself() -> None:
    """Records of twice the depth that can be read are looked through, for the wrong value."""
    deepest = 2 * Limits().depth + 1
    path = "children[0]." * (deepest - 1) + "value"
    with pytest.raises(EncodeError, match="256 does not fit u8") as caught:
        explain(nested(deepest), ())
    assert caught.value.path == path
    with pytest.raises(EncodeError, match="nested more than 128 deep"):
        explain(nested(deepest + 1), ())
