"""Plain data: its contents, omitted fields, and errors of the way back."""
# ruff: noqa: E501  (the tables are columns)

import pytest

from tests.wire import records as r
from unshade.errors import FormatError, LimitError, UnshadeError
from unshade.formats.dxcontainer.parts.signature import SignatureElement
from unshade.limits import Limits
from unshade.wire import NanBits, Record, write
from unshade.wire.data import check_fields, from_data, to_data


def test_numbers_names_and_defaults() -> None:
    record = r.Numbers(a=1, colour=2, h=0.1)
    data = to_data(record)
    assert data["a"] == 1
    assert data["colour"] == "BLUE"
    assert "odd" not in data, "unknown fields are left out at their default"
    assert data["b"] == 0, "others are not"
    assert to_data(r.Numbers(colour=1))["colour"] == 1
    assert to_data(r.Numbers(odd=3))["odd"] == 3


def test_floats() -> None:
    inf = float("inf")
    values = [0.5, -0.0, inf, -inf, NanBits(0x7FC00000), NanBits(0xFFC00001)]
    data = to_data(r.Fixed(words=[0, 0], floats=values))
    assert data["floats"] == [0.5, -0.0, "inf", "-inf", "nan:7fc00000", "nan:ffc00001"]
    back = from_data(r.Fixed, data)
    assert write(back) == write(r.Fixed(words=[0, 0], floats=values))


def test_derived_fields_appear_only_if_they_disagree() -> None:
    assert to_data(r.Loose(value=1)) == {"value": 1}
    assert to_data(r.Loose(value=1, twice=5)) == {"value": 1, "twice": 5}


def test_bytes_and_text() -> None:
    assert to_data(r.Tail(kind=1, raw=b"\xff\0")) == {"kind": 1, "raw": "ff00"}
    assert to_data(r.Named(name="é\udcff")) == {
        "before": 0,
        "name": {"bytes": "c3a9ff"},
        "after": 0,
    }


def test_optional_fields() -> None:
    assert to_data(r.Versioned(inner=r.Item(first=3))) == {"flags": 0, "inner": {"first": 3}}
    assert to_data(r.Words(first="a", second="b")) == {"first": "a", "second": "b"}


def test_an_enumeration_takes_names_and_numbers() -> None:
    data = to_data(r.Numbers())
    assert from_data(r.Numbers, data | {"colour": "BLUE"}).colour == 2
    assert from_data(r.Numbers, data | {"colour": 77}).colour == 77


NUMBERS = to_data(r.Numbers())
# fmt: off
REFUSALS: list[tuple[type[Record], object, str, str]] = [
    (r.Loose,    [],                              "Loose",             "expected a mapping, got list"),
    (r.Loose,    None,                            "Loose",             "expected a mapping, got NoneType"),
    (r.Loose,    {"valu": 1},                     "Loose",             "unknown field 'valu' of Loose: expected one of value, twice"),
    (r.Loose,    {1: 1},                          "Loose",             "unknown field '1' of Loose"),
    (r.Loose,    {},                              "Loose",             "value is missing"),
    (r.Loose,    {"value": "1"},                  "Loose.value",       "expected an integer, got '1'"),
    (r.Loose,    {"value": True},                 "Loose.value",       "expected an integer, got True"),
    (r.Loose,    {"value": None},                 "Loose.value",       "expected an integer, got None"),
    (r.Loose,    {"value": 1.0},                  "Loose.value",       "expected an integer, got 1.0"),
    (r.Loose,    {"value": 256},                  "Loose.value",       "256 does not fit u8 (0 to 255)"),
    (r.Numbers,  NUMBERS | {"colour": "GREEN"},   "Numbers.colour",    "expected one of RED, BLUE, got 'GREEN'"),
    (r.Numbers,  NUMBERS | {"h": "nan"},          "Numbers.h",         "expected a number, got 'nan'"),
    (r.Numbers,  NUMBERS | {"h": "nan:zzzzzzzz"}, "Numbers.h",         "expected a number"),
    (r.Numbers,  NUMBERS | {"h": "nan:7fc0000000"}, "Numbers.h",       "expected a number"),
    (r.Numbers,  NUMBERS | {"h": 10**400},        "Numbers.h",         "expected a number"),
    (r.Tail,     {"kind": 1, "raw": "xyz"},       "Tail.raw",          "expected hex text, got 'xyz'"),
    (r.Tail,     {"kind": 1, "raw": 5},           "Tail.raw",          "expected hex text, got 5"),
    (r.Named,    {"before": 1, "name": 5, "after": 1}, "Named.name",   "expected text, got 5"),
    (r.Named,    {"before": 1, "name": {"bytes": "x"}, "after": 1}, "Named.name", "expected hex text"),
    (r.Pairs,    {"pairs": {}},                   "Pairs.pairs",       "expected a list, got dict"),
    (r.Pairs,    {"pairs": [{"low": 1}]},         "Pairs.pairs[0]",    "high is missing"),
    (r.Pairs,    {"pairs": [{"low": 1, "high": -1}]}, "Pairs.pairs[0].high", "-1 does not fit u8"),
    (r.Shape,    {"kind": 9, "body": {}},         "Shape.body",        "unexpected field: kind is 9"),
    (r.Shape,    {"kind": 0, "body": {"width": 1}}, "Shape.body",      "unknown field 'width' of Circle"),
    (r.Branches, {"rows": [{"name": "a"}]},       "Branches.rows[0]",  "value is missing"),
    (r.Ordered,  {"late": {"low": 1, "high": 2}}, "Ordered",           "early is missing"),
]
# fmt: on


@pytest.mark.parametrize(
    ("cls", "data", "path", "words"), REFUSALS, ids=[f"{c[2]} {c[3]}" for c in REFUSALS]
)
def test_refusals(cls: type[Record], data: object, path: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_data(cls, data)
    assert caught.value.path == path
    assert words in caught.value.problem


def test_paths_start_with_the_path_of_the_caller() -> None:
    with pytest.raises(FormatError) as caught:
        from_data(r.Loose, {"value": 300}, path="parts[3].LOOS")
    assert caught.value.path == "parts[3].LOOS.value"


def test_shared_records_are_repeated_and_counted() -> None:
    """Thirty links, each reached twice, would be a thousand million values."""
    link = r.Command(tag=0, body=r.Circle())
    for _ in range(30):
        link = r.Command(tag=1, body=r.Sum(left=link, right=link))
    with pytest.raises(LimitError) as caught:
        to_data(link, Limits(nodes=10_000))
    assert (caught.value.limit, caught.value.allowed) == ("nodes", 10_000)


def test_a_record_that_contains_itself_has_no_plain_data() -> None:
    chain = r.Chain()
    chain.next = chain
    with pytest.raises(UnshadeError):
        to_data(chain)


def test_plain_data_nested_too_deeply() -> None:
    data: dict[str, object] = {"value": 0}
    for _ in range(20_000):
        data = {"value": 0, "next": data}
    with pytest.raises(FormatError, match="nested too deeply"):
        from_data(r.Chain, data)
    while "next" in data:  # taken apart by hand: so deep a dictionary must not be freed at once
        data = data.pop("next")  # type: ignore[assignment]


def test_repr_names_enumerated_values() -> None:
    element = SignatureElement(name="SV_Position", system_value=1, component_type=77)
    assert "system_value=POSITION" in repr(element)
    assert "component_type=77" in repr(element)


def test_an_unknown_field_is_told_with_the_known_ones() -> None:
    check_fields({"format": 1}, ("format", "parts"))
    with pytest.raises(FormatError) as caught:
        check_fields({"partss": 1, "z": 2}, ("format", "parts"), " of a file")
    said = "unknown field 'partss' of a file: expected one of format, parts; did you mean parts?"
    assert str(caught.value).endswith(said)
