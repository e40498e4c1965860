"""Places in a database file: spans of its header, pages and rows.

header.page_size                    a field of the header
shader_bytecode.pages[9].count      a field of a page of a table
shader_bytecode[2].Bytecode         a value of row 2; of several runs if it has overflow pages
shader_bytecode[2].Bytecode.SHEX…   a field of a shader in it, in as many pieces as needed
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from ...shader import Shader
from ...tuples import NamedTuple
from ...wire import Span
from ...wire.spans import gaps
from .pages import (
    FIELDS,
    Cell,
    DatabaseHeader,
    Page,
    Run,
    Stored,
    cells_of,
    page_of,
    pages_of,
    values_of,
)
from .schema import TABLES

__all__ = ["Tree", "extents", "spans", "trees", "value_runs"]

SCHEMA = "sqlite_schema"
SCHEMA_COLUMNS = ("type", "name", "tbl_name", "rootpage", "sql")
MOST_SHOWN = 64  # bytes of a value in a span of several runs

Inner = Callable[[str, int, str], Shader | None]  # table, number of the row, column


class Tree(NamedTuple):
    """A table or index: its name, the table that it belongs to, its first page."""

    name: str
    table: str
    root: int


def trees(data: memoryview, header: DatabaseHeader) -> list[Tree]:
    """Return every table and index, the table of the schema first.

    Raises:
        FormatError: A page or a row of the schema is malformed.
    """
    found = [Tree(SCHEMA, SCHEMA, 1)]
    for page in pages_of(data, header, 1):
        for cell in cells_of(data, header, page):
            if page.leaf:
                row = [each.value(data, header.encoding) for each in values_of(data, cell)[1]]
                if len(row) == len(SCHEMA_COLUMNS) and isinstance(row[3], int) and row[3]:
                    found.append(Tree(str(row[1]), str(row[2]), row[3]))
    return found


def _columns(tree: Tree) -> tuple[str, ...]:
    if tree.name == SCHEMA:
        return SCHEMA_COLUMNS
    table = TABLES.get(tree.name)
    return tuple(each.name for each in table.columns) if table else ()


def value_runs(
    data: bytes, header: DatabaseHeader, table: str
) -> dict[tuple[int, str], tuple[Run, ...]]:
    """Return the places of the values of a table, by the number of the row and the column.

    The runs of a value are in its order, which need not be the order in the file. A value without
    bytes has an empty run at its row.
    """
    view = memoryview(data)
    found = {}
    for tree in trees(view, header):
        if tree.name == table:
            for page in pages_of(view, header, tree.root):
                for cell in cells_of(view, header, page) if page.leaf else ():
                    values = zip(_columns(tree), values_of(view, cell)[1], strict=False)
                    for name, stored in values:
                        runs = stored.runs or ((cell.start, cell.start),)
                        found[cell.rowid or 0, name] = runs
    return found


def extents(data: bytes, header: DatabaseHeader) -> dict[str, list[Run]]:
    """Return the runs of pages of each table, of its indexes and of its overflow pages."""
    view, size = memoryview(data), header.page_size
    used: dict[str, set[int]] = {}
    for tree in trees(view, header):
        pages = used.setdefault(tree.table, set())
        for page in pages_of(view, header, tree.root):
            pages.add(page.start)
            for cell in cells_of(view, header, page):
                pages.update(cell.overflow)
    found: dict[str, list[Run]] = {}
    for name, starts in used.items():
        runs = found.setdefault(name, [])
        for start in sorted(starts):
            if runs and runs[-1][1] == start:
                runs[-1] = (runs[-1][0], start + size)
            else:
                runs.append((start, start + size))
    return found


def spans(data: bytes, header: DatabaseHeader, inner: Inner) -> list[Span]:
    """Return the spans of the pages, in file order.

    Args:
        data: The pages of the database.
        header: The header of the file.
        inner: Return the shader in a value of a row, or None.

    Raises:
        FormatError: A page or a row is malformed.
    """
    view = memoryview(data)
    found = list(_header(data))
    seen: set[int] = set()
    for tree in trees(view, header):
        for page in pages_of(view, header, tree.root, seen):
            found += _page(view, page, f"{tree.name}.pages[{page.number}]")
            cells = cells_of(view, header, page, seen)
            for index, cell in enumerate(cells):
                found += _cell(view, header, tree, page, index, cell, inner)
    found += _free(view, header)
    for start, end in gaps(found, len(data)):
        raw = data[start:end]
        kind = "raw" if any(raw) else "padding"
        found.append(Span(start, end - start, "unused", raw, "in no cell", None, kind))
    return sorted(found, key=lambda span: (span.offset, -span.length))


def _header(data: bytes) -> Iterator[Span]:
    for at, size, name, doc in FIELDS:
        raw = data[at : at + size]
        value: object = raw.rstrip(b"\0").decode("latin-1") if size == 16 else raw
        if size <= 4:
            value = int.from_bytes(raw, "big")
        kind = "padding" if name == "reserved" and not any(raw) else "field"
        yield Span(at, size, f"header.{name}", value, doc, None, kind)


def _numbers(
    view: memoryview, at: int, fields: Iterable[tuple[str, int, str]], path: str
) -> Iterator[Span]:
    for name, size, doc in fields:
        value = int.from_bytes(view[at : at + size], "big")
        yield Span(at, size, f"{path}.{name}", value, doc)
        at += size


PAGE_FIELDS = (
    ("kind", 1, "2 index, 5 table, with children; 10 index, 13 table, a leaf"),
    ("free_block", 2, "offset of the first free block, or 0"),
    ("count", 2, "number of cells"),
    ("content", 2, "offset of the first cell; 0 is 65,536"),
    ("fragments", 1, "free bytes between cells"),
    ("last_child", 4, "page with what is greater than every cell"),
)


def _page(view: memoryview, page: Page, path: str) -> Iterator[Span]:
    fields = PAGE_FIELDS[:5] if page.leaf else PAGE_FIELDS
    yield from _numbers(view, page.at, fields, path)
    at = page.at + page.head
    for index, cell in enumerate(page.cells):
        yield Span(at, 2, f"{path}.cells[{index}]", cell - page.start, "offset of a cell")
        at += 2


def _cell(
    view: memoryview,
    header: DatabaseHeader,
    tree: Tree,
    page: Page,
    index: int,
    cell: Cell,
    inner: Inner,
) -> Iterator[Span]:
    row = page.table and page.leaf
    path = f"{tree.name}[{cell.rowid}]" if row else f"{tree.name}.pages[{page.number}][{index}]"
    at = cell.start
    if cell.child:
        yield Span(at, 4, f"{path}.child", cell.child, "page with what is less than this cell")
        at += 4
    first = cell.payload[0][0] if cell.payload else cell.end
    if at < first:
        doc = "size of the row and its number" if row else "size of the entry"
        yield Span(at, first - at, f"{path}.head", bytes(view[at:first]), doc)
    for place in cell.overflow:
        number = int.from_bytes(view[place : place + 4], "big")
        yield Span(place, 4, f"{path}.next", number, "next overflow page, or 0")
    if cell.overflow:
        number = int.from_bytes(view[cell.end - 4 : cell.end], "big")
        yield Span(cell.end - 4, 4, f"{path}.overflow", number, "first overflow page")
    if not cell.payload:
        return
    types, values = values_of(view, cell)
    names = _columns(tree) if row else ()
    for start, end in types:
        yield Span(
            start, end - start, f"{path}.types", bytes(view[start:end]), "types of the values"
        )
    for at, stored in enumerate(values):
        name = names[at] if at < len(names) else f"values[{at}]"
        shader = inner(tree.name, cell.rowid or 0, name) if row else None
        if shader is None:
            yield from _stored(view, header, stored, f"{path}.{name}")
        else:
            yield from _moved(shader.spans(), stored.runs, f"{path}.{name}")


def _stored(view: memoryview, header: DatabaseHeader, stored: Stored, path: str) -> Iterator[Span]:
    if len(stored.runs) == 1:
        start, end = stored.runs[0]
        yield Span(start, end - start, path, stored.value(view, header.encoding), "a value")
        return
    for start, end in stored.runs:
        yield Span(start, end - start, path, bytes(view[start:end][:MOST_SHOWN]), "part of a value")


def _moved(inner: Iterable[Span], runs: Sequence[Run], path: str) -> Iterator[Span]:
    """Yield spans of a structure at their places in the file, cut where a run ends."""
    lows = [0, *accumulate(end - start for start, end in runs)]
    for span in inner:
        moved = span.shifted(0, path)
        at, last = span.offset, span.offset + span.length
        index = max(0, bisect_right(lows, at) - 1)
        if at == last:
            start = runs[min(index, len(runs) - 1)][0] if runs else 0
            yield moved._replace(offset=start + at - lows[min(index, len(runs) - 1)])
        while at < last and index < len(runs):
            end = min(last, lows[index + 1])
            bits = None if span.bits is None else _bits(span, at, end)
            if bits is None or bits[1] > 0:
                place = runs[index][0] + at - lows[index]
                yield moved._replace(offset=place, length=end - at, bits=bits)
            at, index = end, index + 1


def _bits(span: Span, start: int, end: int) -> tuple[int, int]:
    """Return the bits of a span in the bytes from `start` to `end`: the lowest, and how many."""
    low, count = span.bits or (0, 0)
    first = 8 * span.offset + low
    at = max(first, 8 * start)
    return at - 8 * start, min(first + count, 8 * end) - at


def _free(view: memoryview, header: DatabaseHeader) -> Iterator[Span]:
    """Yield the fields of the list of free pages, up to the first invalid entry."""
    number, seen = header.free_trunk, set[int]()
    while number and number not in seen and number <= header.page_count:
        seen.add(number)
        at = page_of(header, number, 32)
        path = f"free[{number}]"
        yield from _numbers(view, at, (("next", 4, "next page of the list, or 0"),), path)
        yield from _numbers(view, at + 4, (("count", 4, "free pages listed here"),), path)
        count = int.from_bytes(view[at + 4 : at + 8], "big")
        for index in range(min(count, header.usable // 4 - 2)):
            yield from _numbers(
                view, at + 8 + 4 * index, ((f"pages[{index}]", 4, "a free page"),), path
            )
        number = int.from_bytes(view[at : at + 4], "big")
