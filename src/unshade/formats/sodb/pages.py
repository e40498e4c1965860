"""The structure of SQLite files: the header, and the pages of tables and indexes.

    page 1      header of the file (100 bytes), then the page of the table `sqlite_schema`
    a page      kind, first free block, number of cells, start of the cells … 8 or 12 bytes
                offsets of the cells, u16 each; free space; the cells
    a cell      [u32 child] [size of the payload] [row id] payload [u32 first overflow page]
    payload     size of the header, type of each column, values; what does not fit continues on
                overflow pages, each of which starts with the number of the next one

All numbers are big-endian; sizes, row ids and types are varints of one to nine bytes. Rows are
read by the library of SQLite (`database.py`); this module finds their places in the file.

Source: sqlite.org, fileformat2.html, checked on files of SQLite 3.40.
"""

from collections.abc import Iterator, Sequence
from struct import unpack

from ...errors import FormatError, UnsupportedError
from ...tuples import NamedTuple
from .about import APPLICATION_ID, MAGIC
from .schema import USER_VERSION

__all__ = [
    "FIELDS",
    "HEADER",
    "Cell",
    "DatabaseHeader",
    "Page",
    "Run",
    "Stored",
    "cells_of",
    "page_of",
    "pages_of",
    "read_header",
    "sliced",
    "values_of",
]

HEADER = 100
FIELDS: tuple[tuple[int, int, str, str], ...] = (
    (0, 16, "magic", "magic number"),
    (16, 2, "page_size", "size of a page in bytes; 1 is 65,536"),
    (18, 1, "write_version", "version of the file for writing: 1, or 2 with a write-ahead log"),
    (19, 1, "read_version", "version of the file for reading: 1, or 2 with a write-ahead log"),
    (20, 1, "reserved_size", "bytes at the end of each page that are not used"),
    (21, 1, "max_fraction", "64"),
    (22, 1, "min_fraction", "32"),
    (23, 1, "leaf_fraction", "32"),
    (24, 4, "change_counter", "number of changes"),
    (28, 4, "page_count", "number of pages, if it was written by the last change"),
    (32, 4, "free_trunk", "number of the first page of the list of free pages, or 0"),
    (36, 4, "free_count", "number of free pages"),
    (40, 4, "schema_cookie", "number of changes of the schema"),
    (44, 4, "schema_format", "format of the schema: 1 to 4"),
    (48, 4, "cache_size", "suggested size of the cache in pages"),
    (52, 4, "largest_root", "largest root page, of a file that shrinks by itself; else 0"),
    (56, 4, "encoding", "encoding of texts: 1 UTF-8, 2 UTF-16LE, 3 UTF-16BE"),
    (60, 4, "user_version", "version of the schema of State Object Databases"),
    (64, 4, "incremental_vacuum", "whether the file shrinks on request"),
    (68, 4, "application_id", "0x0D3D50DB: State Object Database"),
    (72, 20, "reserved", "0"),
    (92, 4, "valid_for", "change counter at which the next number was written"),
    (96, 4, "sqlite_version", "version of the library that wrote the file: 3040001 is 3.40.1"),
)
ENCODINGS = {0: "utf-8", 1: "utf-8", 2: "utf-16-le", 3: "utf-16-be"}
PAGE_SIZES = tuple(1 << bits for bits in range(9, 17))
LEAST_USED = 480  # bytes of a page
INDEX, TABLE = 2, 5  # interior pages; leaves are 8 more
LEAF = 8
INTERIOR_HEADER = 12
RESERVED = (10, 11)  # serial types
FIRST_BLOB = 12  # even types from here are blobs, odd ones texts
SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes of a value by its serial type; 8 and 9 are 0 and 1
MOST_TYPES = 512  # bytes of the header of a row: at most nine for each of 27 columns, and nine

Run = tuple[int, int]  # start and end in the file


class DatabaseHeader(NamedTuple):
    """The header of a file: sizes in bytes, numbers of pages from 1."""

    page_size: int
    page_count: int
    reserved: int
    encoding: str
    logged: bool  # the file may have a write-ahead log beside it
    free_trunk: int
    free_count: int

    @property
    def usable(self) -> int:
        """Bytes of a page in use."""
        return self.page_size - self.reserved

    @property
    def size(self) -> int:
        """Size of all pages in bytes."""
        return self.page_size * self.page_count


def _number(data: bytes | memoryview, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big")


def read_header(data: bytes | memoryview) -> DatabaseHeader:
    """Return the header of a file.

    Raises:
        FormatError: The file is not a State Object Database, or its header is malformed.
        UnsupportedError: The schema has another version than 2.
    """
    if len(data) < HEADER:
        raise FormatError(f"expected a header of {HEADER} bytes, got {len(data)}", path="header")
    if bytes(data[:16]) != MAGIC:
        raise FormatError(f"expected {MAGIC!r}, got {bytes(data[:16])!r}", path="header.magic")
    if bytes(data[68:72]) != APPLICATION_ID:
        got = bytes(data[68:72]).hex()
        problem = f"expected the application id {APPLICATION_ID.hex()}, got {got}"
        raise FormatError(problem, offset=68, path="header.application_id")
    size = _number(data, 16, 2)
    size = 1 << 16 if size == 1 else size
    if size not in PAGE_SIZES:
        problem = f"expected a power of two from 512 to 65536, got {size}"
        raise FormatError(problem, offset=16, path="header.page_size")
    if size - data[20] < LEAST_USED:
        problem = f"expected at most {size - LEAST_USED} unused bytes, got {data[20]}"
        raise FormatError(problem, offset=20, path="header.reserved_size")
    version = _number(data, 60, 4)
    if version != USER_VERSION:
        raise UnsupportedError(
            f"0x3c: header.user_version: expected version {USER_VERSION} of the schema of State"
            f" Object Databases, the only one that is published, got {version}"
        )
    encoding = _number(data, 56, 4)
    if encoding not in ENCODINGS:
        problem = f"expected an encoding from 1 to 3, got {encoding}"
        raise FormatError(problem, offset=56, path="header.encoding")
    if not {data[18], data[19]} <= {1, 2}:
        problem = f"expected versions 1 or 2, got {data[18]} and {data[19]}"
        raise FormatError(problem, offset=18, path="header.write_version")
    count = _number(data, 28, 4)
    if not count or _number(data, 24, 4) != _number(data, 92, 4):
        count = len(data) // size
    if not count or count * size > len(data):
        problem = f"expected at most {len(data) // size} pages of {size} bytes, got {count}"
        raise FormatError(problem, offset=28, path="header.page_count")
    return DatabaseHeader(
        size,
        count,
        data[20],
        ENCODINGS[encoding],
        2 in (data[18], data[19]),
        _number(data, 32, 4),
        _number(data, 36, 4),
    )


def page_of(header: DatabaseHeader, number: int, where: int) -> int:
    """Return the offset of a page; FormatError with the offset `where` if there is none."""
    if not 1 <= number <= header.page_count:
        problem = f"expected a page from 1 to {header.page_count}, got {number}"
        raise FormatError(problem, offset=where, path="pages")
    return (number - 1) * header.page_size


class Cell(NamedTuple):
    """A cell: where it is, and where its payload is; a row of a table has an id."""

    start: int
    end: int  # in the page
    child: int  # a page number, 0 in a leaf
    rowid: int | None
    payload: tuple[Run, ...]
    overflow: tuple[int, ...]  # offsets of the overflow pages


class Page(NamedTuple):
    """A page of a table or index: its number and offset, its kind, offsets of its cells."""

    number: int
    start: int
    at: int  # of its header: `start`, but for page 1
    kind: int
    cells: tuple[int, ...]
    last_child: int  # a page number, 0 in a leaf

    @property
    def leaf(self) -> bool:
        """True if the page has no children."""
        return self.kind >= LEAF

    @property
    def table(self) -> bool:
        """True if the page belongs to a table, not to an index."""
        return self.kind in (TABLE, TABLE + LEAF)

    @property
    def head(self) -> int:
        """Size of its header in bytes."""
        return 8 if self.leaf else INTERIOR_HEADER


def _page(data: memoryview, header: DatabaseHeader, number: int, where: int) -> Page:
    start = page_of(header, number, where)
    at = start + HEADER if number == 1 else start
    kind = data[at]
    if kind not in (INDEX, TABLE, INDEX + LEAF, TABLE + LEAF):
        problem = f"expected a kind of page, 2, 5, 10 or 13, got {kind}"
        raise FormatError(problem, offset=at, path=f"pages[{number}].kind")
    head = 8 if kind >= LEAF else INTERIOR_HEADER
    count = _number(data, at + 3, 2)
    first = at + head
    if first + 2 * count > start + header.usable:
        most = (start + header.usable - first) // 2
        problem = f"expected at most {most} cells, got {count}"
        raise FormatError(problem, offset=at + 3, path=f"pages[{number}].count")
    cells = []
    for index in range(count):
        cell = start + _number(data, first + 2 * index, 2)
        if not first + 2 * count <= cell < start + header.usable:
            problem = f"expected an offset in the page, got {cell - start}"
            raise FormatError(
                problem, offset=first + 2 * index, path=f"pages[{number}].cells[{index}]"
            )
        cells.append(cell)
    last = _number(data, at + 8, 4) if head == INTERIOR_HEADER else 0
    return Page(number, start, at, kind, tuple(cells), last)


def pages_of(
    data: memoryview, header: DatabaseHeader, root: int, seen: set[int] | None = None
) -> Iterator[Page]:
    """Yield the pages of a table or index, a page before its children.

    Raises:
        FormatError: A page is malformed, or is reached twice.
    """
    seen = set() if seen is None else seen
    waiting = [(root, 0)]
    while waiting:
        number, where = waiting.pop()
        if number in seen:
            raise FormatError(f"page {number} is in use twice", offset=where, path="pages")
        seen.add(number)
        page = _page(data, header, number, where)
        yield page
        if not page.leaf:
            children = [(_number(data, at, 4), at) for at in page.cells]
            waiting += reversed([*children, (page.last_child, page.at + 8)])


def cells_of(
    data: memoryview, header: DatabaseHeader, page: Page, seen: set[int] | None = None
) -> Iterator[Cell]:
    """Yield the cells of a page in its order.

    Raises:
        FormatError: A cell is malformed, or shares an overflow page with another.
    """
    seen = set() if seen is None else seen
    end = page.start + header.usable
    for start in page.cells:
        at, child = start, 0
        if not page.leaf:
            child = _number(data, at, 4)
            at += 4
        size = 0
        if page.leaf or not page.table:
            size, at = _varint(data, at, end, page.number)
        rowid = None
        if page.table:
            rowid, at = _varint(data, at, end, page.number)
            rowid -= (rowid >> 63) << 64
        if page.table and not page.leaf:
            yield Cell(start, at, child, rowid, (), ())
            continue
        local = _local(size, header.usable, page.table)
        if at + local + (4 if local < size else 0) > end:
            problem = f"expected a payload within the page, got {size} bytes"
            raise FormatError(problem, offset=at, path=f"pages[{page.number}]")
        runs: list[Run] = [(at, at + local)] if local else []
        chain: list[int] = []
        left, at = size - local, at + local
        place = at
        if left:
            at += 4
        while left:
            number = _number(data, place, 4)
            place = page_of(header, number, place)
            if number in seen:
                raise FormatError(f"page {number} is in use twice", offset=place, path="pages")
            seen.add(number)
            chain.append(place)
            step = min(left, header.usable - 4)
            runs.append((place + 4, place + 4 + step))
            left -= step
        yield Cell(start, at, child, rowid, tuple(runs), tuple(chain))


def _varint(data: memoryview, at: int, end: int, page: int) -> tuple[int, int]:
    """Return a varint, and the offset after it."""
    value = 0
    for index in range(9):
        if at + index >= end:
            raise FormatError(
                "expected a number, got the end of the page", offset=at, path=f"pages[{page}]"
            )
        byte = data[at + index]
        if index == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise AssertionError


def _local(size: int, usable: int, table: bool) -> int:
    """Return the number of bytes of a payload that are in the page of its cell."""
    most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if size <= most:
        return size
    least = (usable - 12) * 32 // 255 - 23
    kept = least + (size - least) % (usable - 4)
    return kept if kept <= most else least


def sliced(runs: Sequence[Run], start: int, end: int) -> list[Run]:
    """Return the places in the file of the bytes from `start` to `end` of a payload."""
    found = []
    at = 0
    for first, last in runs:
        low, high = max(start, at), min(end, at + last - first)
        if low < high:
            found.append((first + low - at, first + high - at))
        at += last - first
    return found


class Stored(NamedTuple):
    """A value of a row: its serial type, and its places in the file."""

    type: int
    runs: tuple[Run, ...]

    def value(self, data: memoryview, encoding: str) -> int | float | str | bytes | None:
        """Return the value."""
        raw = b"".join(data[start:end] for start, end in self.runs)
        if self.type == 7:
            found: float = unpack(">d", raw)[0]
            return found
        if self.type < FIRST_BLOB:
            constant = {0: None, 8: 0, 9: 1}
            return constant.get(self.type, int.from_bytes(raw, "big", signed=True))
        if self.type % 2:
            return raw.decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")
        return raw


def values_of(data: memoryview, cell: Cell) -> tuple[tuple[Run, ...], list[Stored]]:
    """Return the places of the header of a row, and the value of each column.

    Raises:
        FormatError: The header or a type is malformed.
    """
    total = sum(end - start for start, end in cell.payload)
    raw = b"".join(data[start:end] for start, end in sliced(cell.payload, 0, MOST_TYPES))
    view = memoryview(raw)
    where = cell.payload[0][0] if cell.payload else cell.start
    found = []
    try:
        size, at = _varint(view, 0, len(raw), 0)
        if not at <= size <= len(raw):
            raise FormatError(f"expected a header of at most {len(raw)} bytes, got {size}")
        place = size
        while at < size:
            kind, at = _varint(view, at, size, 0)
            if kind in RESERVED:
                raise FormatError(f"expected the type of a value, got {kind}")
            width = SIZES[kind] if kind < FIRST_BLOB else (kind - FIRST_BLOB) // 2
            if place + width > total:
                raise FormatError(f"expected values of at most {total} bytes, got {place + width}")
            found.append(Stored(kind, tuple(sliced(cell.payload, place, place + width))))
            place += width
    except FormatError as error:
        raise FormatError(f"malformed row: {error.problem}", offset=where) from None
    return tuple(sliced(cell.payload, 0, size)), found
