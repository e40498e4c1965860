"""JSON Schema and documentation of records.

The schema describes the results of `data.to_data`; the Markdown tables are used in docs/formats.
"""

from typing import Any

from .codegen import least
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
    Reference,
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
MOST_PLACES = 2  # offsets of one field that a page shows
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
    cases = sorted(set(_choices(layout, node)), key=lambda case: case.__name__)
    return {"anyOf": [_define(case, known) for case in cases]}


def _choices(layout: RecordLayout, node: TaggedUnion) -> list[type[Record]]:
    """Return the records that a tag may choose, `other` last."""
    other = [] if node.other is None else [node.other]
    return [layout.resolve(case) for case in (*node.cases.values(), *other)]


def markdown(record: type[Record]) -> str:
    """Return a heading, the record's docstring and a table of its fields; then nested records."""
    pages: dict[str, str] = {}
    _page(record, pages)
    return "\n".join(pages.values())


def _page(record: type[Record], pages: dict[str, str]) -> None:
    if record.__name__ in pages:
        return
    pages[record.__name__] = ""
    layout = record.layout
    lines = [f"### {record.__name__}", "", layout.doc, ""]
    if layout.source:
        lines += [f"Source: {layout.source}.", ""]
    lines += ["| offset | type | field | meaning |", "|---|---|---|---|"]
    for f, place in zip(layout.fields, _places(layout), strict=True):
        note = f" Only if `{f.when}`." if f.when else ""
        note += f" Derived: `{f.derive}`." if f.derive else ""
        note += f" Values: {_values(f)}." if f.enum else ""
        lines.append(f"| {place} | {describe(layout, f.type)} | `{f.name}` | {f.doc}.{note} |")
    pages[record.__name__] = "\n".join([*lines, ""])
    for f in layout.fields:
        for inner in _records(layout, f.type):
            _page(inner, pages)


Way = dict[str, bool]  # the truth of each condition of a record's fields


def _places(layout: RecordLayout) -> list[str]:
    """Return the offset of each field, `0x00 or 0x04` if it depends on optional fields."""
    varies = next((i for i, f in enumerate(layout.fields) if not _fixed_size(layout, f.type)), None)
    first = layout.fields[: None if varies is None else varies + 1]  # later offsets are unknown
    conditions = {each.removeprefix("not ") for f in first for each in _conditions(f)}
    ways: list[tuple[Way, int | None]] = [({}, 0)]
    for condition in sorted(conditions):
        ways = [({**way, condition: holds}, 0) for way, _ in ways for holds in (False, True)]
    found = []
    for f in first:
        there = [at for way, at in ways if _holds(f, way)]
        known = sorted({at for at in there if at is not None})
        offsets = " or ".join(f"{at:#04x}" for at in known)
        found.append("" if None in there or len(known) > MOST_PLACES else offsets)
        size = _fixed_size(layout, f.type)
        ways = [(way, _behind(at, size) if _holds(f, way) else at) for way, at in ways]
    return found + [""] * (len(layout.fields) - len(found))


def _conditions(f: Field) -> list[str]:
    return f.when.split(" and ") if f.when else []


def _holds(f: Field, way: Way) -> bool:
    return all(
        way[each.removeprefix("not ")] is not each.startswith("not ") for each in _conditions(f)
    )


def _behind(at: int | None, size: int) -> int | None:
    return None if at is None or not size else at + size


def _fixed_size(layout: RecordLayout, node: WireType) -> int:
    """Return the size of a field in bytes, 0 if it varies."""
    fixed = isinstance(node, Scalar | Pointer | Blob)
    if isinstance(node, Array):
        fixed = (node.count or "").isdigit() and node.stride is None
        fixed = fixed and isinstance(node.item, Scalar)
    if isinstance(node, TaggedUnion):
        cases = [each.layout for each in _choices(layout, node)]
        sizes = {sum(_fixed_size(case, f.type) for f in case.fields) for case in cases}
        return sizes.pop() if len(sizes) == 1 else 0
    known: dict[str, Any] = {}
    return least(layout, node, known, 0) if fixed else 0


def _values(f: Field) -> str:
    assert f.enum is not None
    return ", ".join(f"{value.value} {name}" for name, value in f.enum.__members__.items())


def describe(layout: RecordLayout, node: WireType) -> str:
    """Return a short description of the wire type."""
    if isinstance(node, Pool):
        return f"{node.slot.name} offset of texts"
    if isinstance(node, Reference):
        return f"{node.slot.name} reference in `{node.table}`"
    if isinstance(node, SharedTable):
        return "table"
    if isinstance(node, Integer):
        return f"number of {node.size} bytes"
    if isinstance(node, Pointer):
        place = f" in `{node.pool}`" if node.pool else ""
        return f"{node.slot.name} offset{place} of {describe(layout, node.target)}"
    if isinstance(node, Scalar):
        return node.name
    if isinstance(node, Align):
        return f"zeros to a multiple of {node.to} bytes"
    if isinstance(node, Blob):
        return "bytes to the end" if node.size is None else f"{node.size} bytes"
    if isinstance(node, CString):
        return "text, NUL"
    if isinstance(node, Text):
        return f"text of {node.size} bytes"
    if isinstance(node, Array):
        return f"{describe(layout, node.item)} × {node.count or 'to the end'}"
    if isinstance(node, Nested):
        return layout.resolve(node).__name__
    assert isinstance(node, TaggedUnion)
    return " or ".join(dict.fromkeys(case.__name__ for case in _choices(layout, node)))


def _records(layout: RecordLayout, node: WireType) -> list[type[Record]]:
    if isinstance(node, Pointer):
        return _records(layout, node.target)
    if isinstance(node, Array):
        return _records(layout, node.item)
    if isinstance(node, Nested):
        return [layout.resolve(node)]
    if isinstance(node, TaggedUnion):
        return _choices(layout, node)
    return []
