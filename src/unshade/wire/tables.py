"""Tables in place that all records of a region refer to: strings, lists of numbers, raw bytes.

    +----------------+---------------------+--------------------------------+
    |  record: 1, 0  |  "" "main" "COLOR"  |  0 1 2 3                       |
    +----------│--│--+----▲----------------+--▲-----------------------------+
               └──│───────┘ offset of a text  └ index of the first of several numbers

A record holds the contents instead of the number. The writer builds the tables from the references
of the whole region, in the order of the fields. A table that is not the one that the writer would
build is kept as a list of all its items.
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
    U32,
    Array,
    Blob,
    Built,
    CString,
    Nested,
    Pointer,
    Reference,
    SharedTable,
    TableForm,
    TaggedUnion,
    WireType,
)

__all__ = [
    "NO_TABLES",
    "ByteTable",
    "ListTable",
    "RegionTables",
    "TextTable",
    "WordTable",
    "resolve",
    "tables_of",
]


class TextTable:
    """NUL-terminated texts, referred to by byte offset, filled up with NUL to four bytes.

    The table begins with an empty text, to which all empty texts refer. Unless `shared`, equal
    texts are stored once for each reference.
    """

    item: WireType = CString()
    value: WireType = CString()
    unit = 1

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared

    def items(self, data: bytes) -> list[Any]:
        if data and data[-1]:
            raise ValueError("expected NUL at the end of the texts")
        return data.decode("utf-8", "surrogateescape").split("\0")[:-1]

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_encoded(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> str:
        end = data.find(0, place)
        if end < 0 and (place or data):  # the empty text needs no table
            raise ValueError(f"expected an offset of text below 0x{len(data):x}, got 0x{place:x}")
        return data[place : max(end, 0)].decode("utf-8", "surrogateescape")

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        known: dict[str, int] = {}
        out = bytearray(listed)
        at = 0
        for text in self.items(listed):
            known.setdefault(text, at)
            at += len(_encoded(text))
        shared = self.shared or bool(listed)
        places = []
        for text in values:
            if not out:
                out += b"\0"
            if not text and not listed:
                places.append(0)
                continue
            place = known.get(text) if shared else None
            if place is None:
                place = known[text] = len(out)
                out += _encoded(text)
            places.append(place)
        return bytes(out) + bytes(-len(out) % 4 if not listed or out != listed else 0), places


class WordTable:
    """Numbers of 32 bits, referred to by the index of the first; the record states the number.

    A sequence that is already in the table is not added again.
    """

    item: WireType = U32
    value: WireType = Array(U32)
    unit = 4

    def items(self, data: bytes) -> list[Any]:
        return _words(data)

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_word(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> list[int]:
        end = place + length
        if end > len(data) // 4:
            raise ValueError(f"expected an end of at most {len(data) // 4}, got {end}")
        return _words(data[4 * place : 4 * end])

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        places = []
        for each in values:
            wanted = self.encode(each)
            at = out.find(wanted)
            while at % 4 and at > 0:
                at = out.find(wanted, at + 1)
            if at < 0:
                at = len(out)
                out += wanted
            places.append(at // 4)
        return bytes(out), places


class ListTable:
    """Lists of numbers, each preceded by its length, referred to by the index of the length."""

    item: WireType = U32
    value: WireType = Array(U32)
    unit = 1

    def items(self, data: bytes) -> list[Any]:
        if len(data) % 4:
            raise ValueError(f"expected a multiple of 4 bytes, got {len(data)}")
        return _words(data)

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_word(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> list[int]:
        count = int.from_bytes(data[4 * place : 4 * place + 4], "little")
        end = place + 1 + count
        if end > len(data) // 4:
            raise ValueError(f"expected an end of at most {len(data) // 4}, got {end}")
        return _words(data[4 * place + 4 : 4 * end])

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        known: dict[bytes, int] = {}
        at = 0
        while at + 4 <= len(listed):
            end = at + 4 + 4 * int.from_bytes(listed[at : at + 4], "little")
            known.setdefault(listed[at:end], at // 4)
            at = end
        places = []
        for each in values:
            wanted = _word(len(each)) + self.encode(each)
            place = known.get(wanted)
            if place is None:
                place = known[wanted] = len(out) // 4
                out += wanted
            places.append(place)
        return bytes(out), places


class ByteTable:
    """Raw bytes, referred to by offset; the record states the size. Filled up to four bytes."""

    item: WireType = Blob()
    value: WireType = Blob()
    unit = 1

    def items(self, data: bytes) -> list[Any]:
        return [data]

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(items)

    def get(self, data: bytes, place: int, length: int) -> bytes:
        if place + length > len(data):
            raise ValueError(f"expected an end of at most {len(data)}, got {place + length}")
        return data[place : place + length]

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        known: dict[bytes, int] = {}
        places = []
        for each in values:
            place = known.get(each)
            if place is None and listed:
                place = listed.find(each)
            if place is None or place < 0:
                place = len(out)
                out += each
            known[each] = place
            places.append(place)
        return bytes(out) + bytes(-len(out) % 4 if not listed or out != listed else 0), places


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") + b"\0"


def _word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


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
        """Return True if the number refers to the value of the field, too."""
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
            for cls in _records(outer, f.type):
                if cls not in seen:
                    seen.add(cls)
                    open_.append(cls.layout)
    return False


def _records(layout: RecordLayout, node: WireType) -> list[type[Record]]:
    """Return the classes of the records in a field."""
    if isinstance(node, Pointer):
        return _records(layout, node.target)
    if isinstance(node, Array):
        return _records(layout, node.item)
    if isinstance(node, Nested):
        return [layout.resolve(node)]
    if isinstance(node, TaggedUnion):
        other = [] if node.other is None else [node.other]
        return [layout.resolve(case) for case in (*node.cases.values(), *other)]
    return []


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
        raise RecursionError
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
