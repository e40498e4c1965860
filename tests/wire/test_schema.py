"""The JSON Schema of a record, of every kind of field: the whole of it."""

from __future__ import annotations

import pytest

from tests.wire.records import (
    Circle,
    Fixed,
    Numbers,
    Prefixed,
    Shape,
    Sized,
    StridedAway,
    Versioned,
)
from unshade.wire import Record
from unshade.wire.data import Plain
from unshade.wire.schema import PLACEMENT, json_schema

pytestmark = pytest.mark.fast

HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
STRICT = {"additionalProperties": False}
BYTES = {"type": "object", "properties": {"bytes": HEX}, "required": ["bytes"], **STRICT}
TEXT = {"anyOf": [{"type": "string"}, BYTES]}
FLOAT = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": "^(-?inf|nan:[0-9a-f]{8})$"},
    ]
}


def integer(low: int, high: int) -> dict[str, Plain]:
    return {"type": "integer", "minimum": low, "maximum": high}


def unsigned(bits: int) -> dict[str, Plain]:
    return integer(0, (1 << bits) - 1)


def signed(bits: int) -> dict[str, Plain]:
    return integer(-(1 << bits - 1), (1 << bits - 1) - 1)


U8, U16, U32 = unsigned(8), unsigned(16), unsigned(32)
EXPECTED: list[tuple[type[Record], dict[str, dict[str, Plain]], list[str]]] = [
    (
        Numbers,
        {
            "a": U8, "b": U16, "c": U32, "d": unsigned(64),
            "e": signed(8), "f": signed(16), "g": signed(32),
            "h": FLOAT, "colour": {"anyOf": [{"enum": ["RED", "BLUE"]}, U8]}, "odd": U16,
        },
        ["a", "b", "c", "d", "e", "f", "g", "h", "colour"],
    ),
    (
        Sized,
        {"count": U8, "size": U8, "items": {"type": "array", "items": U16}, "raw": HEX},
        ["items"],  # plain data may leave out derived numbers and opaque bytes
    ),
    (Prefixed, {"size": U8, "name": TEXT, "code": TEXT}, ["name", "code"]),
    (
        Fixed,
        {
            "magic": HEX,
            "words": {"type": "array", "items": U32},
            "floats": {"type": "array", "items": FLOAT},
        },
        ["words", "floats"],
    ),
    (
        StridedAway,
        {
            "stride": U8, "count": U8,
            "items": {"type": "array", "items": {"$ref": "#/$defs/Plain"}},
        },
        ["stride", "items"],
    ),
    (
        Versioned,
        {
            "flags": U8, "size": U16, "name": TEXT, "number": U32,
            "inner": {"$ref": "#/$defs/Item"},
        },
        ["flags", "inner"],
    ),
    (
        Shape,
        {"kind": U8, "body": {"anyOf": [{"$ref": "#/$defs/Box"}, {"$ref": "#/$defs/Circle"}]}},
        ["kind", "body"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "properties", "required"), EXPECTED, ids=[each.__name__ for each, *_ in EXPECTED]
)
def test_records(
    record: type[Record], properties: dict[str, dict[str, Plain]], required: list[str]
) -> None:
    found = json_schema(record)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$ref"] == f"#/$defs/{record.__name__}"
    defined = found["$defs"]
    assert isinstance(defined, dict)
    described = {
        name: {**each, "description": record.layout.by_name[name].doc}
        for name, each in properties.items()
    }
    assert defined[record.__name__] == {
        "type": "object",
        "description": record.layout.doc,
        "properties": described,
        "required": required,
        **STRICT,
    }


def test_a_schema_defines_every_record_that_it_uses() -> None:
    defined = json_schema(Shape)["$defs"]
    assert isinstance(defined, dict)
    assert list(defined) == ["Shape", "Box", "Circle"]
    assert defined["Circle"] == {
        "type": "object",
        "description": Circle.layout.doc,
        "properties": {"radius": {**U16, "description": "radius"}},
        "required": ["radius"],
        **STRICT,
    }


def test_a_placement() -> None:
    properties = PLACEMENT["properties"]
    assert isinstance(properties, dict)
    shapes = [
        {name: value for name, value in each.items() if name != "description"}
        for each in properties.values()
        if isinstance(each, dict)
    ]
    assert list(properties) == ["size", "at", "fill"]
    assert shapes == [
        {"type": "integer"},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "additionalProperties": HEX},
    ]
    assert PLACEMENT["required"] == ["size"]
    assert PLACEMENT["additionalProperties"] is False
