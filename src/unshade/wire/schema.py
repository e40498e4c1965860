"""JSON Schema and documentation of records.

The schema describes the results of `data.to_data`; the Markdown tables are used in docs/formats.
"""

from .data import Plain
from .field import Field
from .record import Record, RecordLayout
from .types import (
    Align,
    Array,
    Blob,
    CString,
    Integer,
    Nested,
    Pointer,
    Pool,
    Scalar,
    SharedTable,
    TaggedUnion,
    Text,
    WireType,
)

HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
TEXT = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"bytes": HEX},
            "required": ["bytes"],
            "additionalProperties": False,
        },
    ]
}
NUMBER = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": "^(-?inf|nan:[0-9a-f]{8})$"},
    ]
}
PLACEMENT: dict[str, Plain] = {
    "type": "object",
    "description": "where a file put things, if not where the writer would",
    "properties": {
        "size": {"type": "integer", "description": "bytes in all"},
        "at": {
            "type": "object",
            "description": "offset of what the pointer at each dotted path points at",
            "additionalProperties": {"type": "integer"},
        },
        "fill": {
            "type": "object",
            "description": "bytes that belong to no field, by their offset in hex",
            "additionalProperties": HEX,
        },
    },
    "required": ["size"],
    "additionalProperties": False,
}


def json_schema(record: type[Record]) -> dict[str, Plain]:
    """Return the JSON Schema (2020-12) of the record's plain data, with all records it uses."""
    known: dict[str, Plain] = {}
    _define(record, known)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": f"#/$defs/{record.__name__}",
        "$defs": known,
    }


def _define(record: type[Record], known: dict[str, Plain]) -> dict[str, Plain]:
    name = record.__name__
    if name not in known:
        known[name] = {}  # a record may contain its own class
        layout = record.layout
        known[name] = {
            "type": "object",
            "description": layout.doc,
            "properties": {f.name: _schema(layout, f, f.type, known) for f in layout.fields},
            "required": [f.name for f in layout.fields if _required(f)],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _required(f: Field) -> bool:
    nullable = isinstance(f.type, Pointer) and f.type.null is not None
    optional = (
        f.unknown or f.is_rest or f.is_padding or f.magic or isinstance(f.type, Pool | SharedTable)
    )
    return not (f.derive or f.when or optional or nullable)


def _schema(
    layout: RecordLayout, f: Field, node: WireType, known: dict[str, Plain]
) -> dict[str, Plain]:
    found = _type_schema(layout, f, node, known)
    return {**found, "description": f.doc} if node is f.type else found


def _type_schema(
    layout: RecordLayout, f: Field, node: WireType, known: dict[str, Plain]
) -> dict[str, Plain]:
    if isinstance(node, Pointer):
        node = node.target
    if isinstance(node, SharedTable):
        node = Array(node.form.item)
    if isinstance(node, Scalar | Integer):
        if node.is_float:
            return dict(NUMBER)
        if f.spell is not None:
            return f.spell.schema()
        number = {"type": "integer", "minimum": node.low, "maximum": node.high}
        return number if f.enum is None else {"anyOf": [{"enum": list(f.enum.__members__)}, number]}
    if isinstance(node, Blob | Align):
        return dict(HEX)
    if isinstance(node, CString | Text):
        return dict(TEXT)
    if isinstance(node, Array):
        return {"type": "array", "items": _schema(layout, f, node.item, known)}
    if isinstance(node, Nested):
        return _define(layout.resolve(node), known)
    assert isinstance(node, TaggedUnion)
    cases = sorted(set(layout.choices(node)), key=lambda case: case.__name__)
    return {"anyOf": [_define(case, known) for case in cases]}
