"""Tables in place that all records of a region refer to: strings, lists of numbers, raw bytes.

    +----------------+---------------------+--------------------------------+
    |  record: 1, 0  |  "" "main" "COLOR"  |  0 1 2 3                       |
    +----------│--│--+----▲----------------+--▲-----------------------------+
               └──│───────┘ offset of a text  └ index of the first of several numbers

A record holds the contents instead of the number. The writer builds the tables from the references
of the whole region, in the order of the fields. A table that differs from the table that the writer
would build is kept as a list of all its items.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ..errors import FormatError
from ..limits import DEFAULT
from .field import Field
from .record import Record, RecordLayout
from .source import ByteSource
from .types import (
    Reference,
    SharedTable,
    TableForm,
)

__all__ = [
    "NO_TABLES",
    "RegionTables",
    "resolve",
    "tables_of",
]


# ---------------------------------------------------------------- reading


def resolve(src: ByteSource, root: Record) -> None:
    """Replace the numbers of all references below `root` by the contents of the tables."""
    for record, fields, path in src.references:
        for f in fields:
            _resolve(src, record, f, f"{path}.{f.name}")
    made = tables_of(root).content if src.tables else {}
    for name, (content, listed, form) in src.tables.items():
        if made.get(name, b"") != content:
            src.repeat(len(content))
            listed.extend(form.items(content))


def _resolve(src: ByteSource, record: Record, f: Field, path: str) -> None:
    """Replace one number."""
    node = f.type
    assert isinstance(node, Reference)
    number = getattr(record, f.name)
    if src.spans is not None:
        src.pointers.append((path, number))
    if node.null == number:
        setattr(record, f.name, [] if f.is_list else node.empty)
        return
    length = 0 if node.length is None else getattr(record, node.length)
    try:
        value = node.form.get(src.content(node.table), number, length)
        src.repeat(4 * len(value) if isinstance(value, list) else len(value))
        if node.of is not None:
            texts = src.content(node.of.table)
            value = [node.of.form.get(texts, each, 0) for each in value]
            src.repeat(sum(map(len, value)))
    except ValueError as error:
        slot = next((span[0] for span in src.spans or () if span[2] == path), 0)
        raise FormatError(str(error), offset=slot, path=path) from None
    setattr(record, f.name, value)
    if node.length is not None and record.layout.derives_from(node.length, f):
        setattr(record, node.length, None)


def traced_table(src: ByteSource, start: int, end: int, path: str, f: Field) -> list[Any]:
    """Register a table and record the spans of its items; return its list."""
    assert isinstance(f.type, SharedTable)
    assert src.spans is not None
    form, at = f.type.form, start
    listed = src.table(f.name, form, start, end, path)
    try:
        items = form.items(src.data[start:end])
    except ValueError as error:
        raise FormatError(str(error), offset=start, path=path) from None
    for index, item in enumerate(items):
        stop = at + len(form.encode([item]))
        src.spans.append((at, stop, f"{path}[{index}]", item, f))
        at = stop
    return listed


# ---------------------------------------------------------------- writing


class RegionTables:
    """The tables of a region that is being written, and the number of each reference.

    Tables in `listed` begin with those bytes.
    """

    def __init__(
        self, references: Sequence[tuple[Record, Field]], listed: Mapping[str, bytes]
    ) -> None:
        self.content: dict[str, bytes] = dict(listed)
        self.numbers: dict[tuple[int, str], int] = {}
        texts: dict[str, dict[str, int]] = {}
        forms: dict[str, TableForm] = {}
        uses: dict[str, list[tuple[tuple[int, str], Any]]] = {}
        lists: list[tuple[tuple[int, str], Reference, Any]] = []
        for record, f in references:
            node, value, key = f.type, getattr(record, f.name), (id(record), f.name)
            assert isinstance(node, Reference)
            if node.null is not None and (not value or value == node.empty):
                self.numbers[key] = node.null
                continue
            if node.of is None:
                forms[node.table] = node.form
                uses.setdefault(node.table, []).append((key, value))
                continue
            forms[node.of.table] = node.of.form
            uses.setdefault(node.of.table, []).extend(((0, ""), text) for text in value)
            lists.append((key, node, value))
        for name in [*uses]:
            texts[name] = self._build(name, forms[name], uses.pop(name))
        for key, node, value in lists:
            of = node.of
            assert of is not None
            numbers = [texts[of.table][text] for text in value]
            forms[node.table] = node.form
            uses.setdefault(node.table, []).append((key, numbers))
        for name, used in uses.items():
            self._build(name, forms[name], used)

    def _build(
        self, name: str, form: TableForm, used: list[tuple[tuple[int, str], Any]]
    ) -> dict[Any, int]:
        """Build or extend one table; return the places of its texts."""
        values = [value for _, value in used]
        self.content[name], places = form.build(values, self.content.get(name, b""))
        found: dict[Any, int] = {}
        for (key, value), place in zip(used, places, strict=True):
            self.numbers.setdefault(key, place)
            if isinstance(value, str):
                found.setdefault(value, place)
        return found

    def number(self, record: Record, name: str | int) -> int:
        """Return the number of the reference in that field of the record."""
        return self.numbers[id(record), str(name)]

    def fits(self, record: Record, name: str | int, number: int) -> bool:
        """Return True if a reference's stored number also refers to the value of its field."""
        f = next(each for each in record.layout.fields if each.name == name)
        node, value = f.type, getattr(record, f.name)
        assert isinstance(node, Reference)
        if node.null == number:
            return value in (None, [], node.empty)
        try:
            found = node.form.get(self.content.get(node.table, b""), number, len(value))
            if node.of is not None:
                texts = self.content.get(node.of.table, b"")
                found = [node.of.form.get(texts, each, 0) for each in found]
        except ValueError:
            return False
        return bool(found == value)


@cache
def has_tables(layout: RecordLayout) -> bool:
    """Return True if a record of this class can contain a table or a reference."""
    seen: set[type[Record]] = set()
    open_ = [layout]
    while open_:
        outer = open_.pop()
        for f in outer.fields:
            if isinstance(f.type, SharedTable | Reference):
                return True
            for cls in outer.records_in(f.type):
                if cls not in seen:
                    seen.add(cls)
                    open_.append(cls.layout)
    return False


def tables_of(record: Record) -> RegionTables:
    """Return the tables that the references in a record and all records below it need."""
    if not has_tables(record.layout):
        return NO_TABLES
    references: list[tuple[Record, Field]] = []
    listed: dict[str, bytes] = {}
    for holder, f in _walk(record, 0):
        if isinstance(f.type, SharedTable):
            if items := getattr(holder, f.name):
                listed[f.name] = f.type.form.encode(items)
        else:
            references.append((holder, f))
    references.sort(key=_order)
    return RegionTables(references, listed)


def _order(reference: tuple[Record, Field]) -> int:
    node = reference[1].type
    assert isinstance(node, Reference)
    return int(node.order)


def _walk(record: Record, depth: int) -> Iterator[tuple[Record, Field]]:
    """Yield the tables and references below a record in the order in which they are read."""
    if depth > DEFAULT.depth:
        raise RecursionError(f"nested more than {DEFAULT.depth} deep")
    inner = has_tables(record.layout)
    for f in record.layout.fields if inner else ():
        if isinstance(f.type, SharedTable | Reference):
            yield record, f
            continue
        value = getattr(record, f.name)
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, Record):
                yield from _walk(each, depth + 1)


NO_TABLES = RegionTables((), {})
