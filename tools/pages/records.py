"""Records as Markdown: a table of the fields of each."""

from typing import Any

from unshade.wire.codegen import least
from unshade.wire.field import Field
from unshade.wire.record import Record, RecordLayout
from unshade.wire.types import (
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

__all__ = ["markdown"]

MOST_PLACES = 2  # offsets of one field that a page shows


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
        for inner in layout.records_in(f.type):
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
        cases = [each.layout for each in layout.choices(node)]
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
    return " or ".join(dict.fromkeys(case.__name__ for case in layout.choices(node)))
