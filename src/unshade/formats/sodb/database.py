"""Rows of a database: read from the bytes of an untrusted file, and written to new ones.

SQLite reads the bytes in memory: no file is opened or created. Before any row is read, the schema
is compared with the published one, so that no view, trigger or virtual table exists, and
`quick_check` must find every page in use once. The library may take a number of steps for each
byte; it gets no write access, no attached database and no functions in the schema.

Source: sqlite.org, "Defense Against The Dark Arts" (security.html).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import FormatError, LimitError, UnsupportedError
from ...tuples import NamedTuple
from .about import APPLICATION_ID
from .pages import DatabaseHeader
from .schema import KINDS, TABLES, USER_VERSION, SchemaColumn, SchemaTable, normalised, statements

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["DatabaseRow", "Rows", "Value", "build", "problem_of", "problem_of_indexes", "read_rows"]

Value = int | float | str | bytes | None
STEP = 4096  # instructions of SQLite between two looks at the count
STEPS_PER_BYTE = 16
LEAST_STEPS = 1 << 22
ENCODINGS = {"utf-8": "UTF-8", "utf-16-le": "UTF-16le", "utf-16-be": "UTF-16be"}
VERSIONS = 18  # bytes 18 and 19: versions for writing and reading


class DatabaseRow(NamedTuple):
    """A row: its number, by which rows are ordered, and its values by column."""

    rowid: int
    values: dict[str, Any]


Rows = dict[str, list[DatabaseRow]]


def problem_of(column: SchemaColumn, value: object) -> str:
    """Return the error in a value for a column, as *expected …, got …*; empty if it is valid."""
    if value is None:
        return "" if column.nullable else f"expected {KINDS[column.kind][0]}, got NULL"
    if type(value) is KINDS[column.kind][1]:
        if column.kind == "int" and not -(1 << 63) <= value < 1 << 63:  # type: ignore[operator]
            return f"expected an integer of 64 bits, got {value}"
        return ""
    names = {kind: name for name, kind in KINDS.values()}
    got = names.get(type(value), type(value).__name__)
    return f"expected {KINDS[column.kind][0]}, got {got} {value!r:.40}"


def _library() -> Any:
    """Return the library of SQLite; UnsupportedError if this Python has none."""
    try:
        import sqlite3
    except ImportError as error:
        raise UnsupportedError(f"this Python has no module sqlite3: {error}") from None
    if not hasattr(sqlite3.Connection, "deserialize"):
        raise UnsupportedError("the SQLite of this Python cannot read bytes in memory (serialize)")
    return sqlite3


@contextmanager
def _opened(data: bytes) -> Iterator[Connection]:
    """Open the bytes of an untrusted database for reading."""
    sqlite3 = _library()
    steps = max(LEAST_STEPS, STEPS_PER_BYTE * len(data))
    taken = 0

    def count() -> bool:
        nonlocal taken
        taken += STEP
        return taken > steps

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for name, most in (
            ("LENGTH", max(len(data), 1 << 16)), ("SQL_LENGTH", 20_000), ("ATTACHED", 0),
            ("COLUMN", 100), ("TRIGGER_DEPTH", 0), ("VDBE_OP", 100_000),
        ):  # fmt: skip
            connection.setlimit(getattr(sqlite3, f"SQLITE_LIMIT_{name}"), most)
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        connection.set_progress_handler(count, STEP)
        try:
            connection.deserialize(data)
            for setting in (
                "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "query_only=ON",
            ):  # fmt: skip
                connection.execute(f"PRAGMA {setting}")
            yield connection
        except sqlite3.Error as error:
            if taken > steps:
                raise LimitError("overlap", steps, f"{taken} steps of SQLite") from None
            raise FormatError(f"SQLite: {error}", path="tables") from None
        except UnicodeDecodeError:  # a message of SQLite that quotes the file
            raise FormatError(
                "SQLite: malformed, with texts that are no UTF-8", path="tables"
            ) from None


def read_rows(data: bytes, header: DatabaseHeader) -> Rows:
    """Return the rows of every table, in the order of their numbers.

    Args:
        data: The pages of the database, without bytes after them.
        header: The header of the file.

    Raises:
        FormatError: The schema is not the published one, a page is malformed, or a value has
            another type than its column.
        LimitError: The file takes too many steps to read.
        UnsupportedError: This Python has no library of SQLite.
    """
    found: Rows = {}
    with _opened(_unlogged(data, header)) as connection:
        _check_schema(connection)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise FormatError(f"SQLite: {verdict}", path="tables")
        for table in TABLES.values():
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            query = f"SELECT rowid, {names} FROM {table.name} ORDER BY rowid"
            rows = connection.execute(query)
            found[table.name] = [_row(table, number, values) for number, *values in rows]
    return found


def problem_of_indexes(data: bytes, header: DatabaseHeader) -> str:
    """Return the disagreement of an index with its table, in SQLite's words; empty if none."""
    with _opened(_unlogged(data, header)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if verdict == "ok" else str(verdict)


def _unlogged(data: bytes, header: DatabaseHeader) -> bytes:
    """Return the data as a database without a log, since a database in memory has no log."""
    return data[:VERSIONS] + b"\1\1" + data[VERSIONS + 2 :] if header.logged else data


def _row(table: SchemaTable, number: int, values: Sequence[Value]) -> DatabaseRow:
    for column, value in zip(table.columns, values, strict=True):
        problem = problem_of(column, value)
        if problem:
            raise FormatError(problem, path=f"{table.name}[{number}].{column.name}")
    return DatabaseRow(number, {c.name: v for c, v in zip(table.columns, values, strict=True)})


def _check_schema(connection: Connection) -> None:
    """Raise FormatError unless the schema consists of the published tables and indexes."""
    left = {name: normalised(sql) for name, sql in statements().items()}
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    for kind, name, table, sql in connection.execute(query):
        if sql is None and kind == "index" and table in TABLES:
            continue  # the index of a primary key or of UNIQUE, which SQLite makes itself
        if not isinstance(name, str) or not isinstance(sql, str):
            raise FormatError(f"expected a name and SQL, got {name!r:.40}", path="sqlite_schema")
        expected = left.pop(name, None)
        if expected is None:
            problem = f"expected the published tables alone, got the {kind} {name!r:.60}"
            raise FormatError(problem, path="sqlite_schema")
        if normalised(sql) != expected:
            problem = f"expected the published SQL of {name}, got {sql!r:.200}"
            raise FormatError(problem, path=f"sqlite_schema.{name}")
    if left:
        problem = f"expected the table or index {min(left)}, got none"
        raise FormatError(problem, path="sqlite_schema")


def build(
    rows: Mapping[str, Sequence[DatabaseRow]], page_size: int = 4096, encoding: str = "utf-8"
) -> bytes:
    """Return a new database with the published schema and the given rows.

    The same rows give the same bytes with one version of SQLite.

    Args:
        rows: The rows of each table; tables may be missing.
        page_size: Size of a page in bytes, a power of two from 512 to 65,536.
        encoding: Encoding of texts: `utf-8`, `utf-16-le` or `utf-16-be`.

    Raises:
        FormatError: A value has another type than its column, or two rows have the same key.
        UnsupportedError: This Python has no library of SQLite.
    """
    sqlite3 = _library()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size={page_size}")
        connection.execute(f"PRAGMA encoding='{ENCODINGS[encoding]}'")
        connection.execute("BEGIN")
        connection.execute(f"PRAGMA user_version={USER_VERSION}")
        connection.execute(f"PRAGMA application_id={int.from_bytes(APPLICATION_ID, 'big')}")
        for sql in statements().values():
            connection.execute(sql)
        for table in TABLES.values():
            _insert(connection, table, rows.get(table.name, ()), sqlite3.Error)
        connection.execute("COMMIT")
        made: bytes = connection.serialize()
    return made


def _insert(
    connection: Connection,
    table: SchemaTable,
    rows: Sequence[DatabaseRow],
    failure: type[Exception],
) -> None:
    columns = table.columns
    names = ", ".join(each.name for each in columns)
    # A text that is no Unicode is given as its bytes, which only SQL can call a text.
    marks = ", ".join("CAST(? AS TEXT)" if each.kind == "text" else "?" for each in columns)
    query = f"INSERT INTO {table.name} (rowid, {names}) VALUES (?, {marks})"
    for row in rows:
        path = f"{table.name}[{row.rowid}]"
        for column in columns:
            if column.name not in row.values:
                raise FormatError(f"expected a column {column.name}, got none", path=path)
            problem = problem_of(column, row.values[column.name])
            if problem:
                raise FormatError(problem, path=f"{path}.{column.name}")
        given = [_bound(row.values[each.name]) for each in columns]
        try:
            connection.execute(query, [row.rowid, *given])
        except (failure, OverflowError) as error:
            raise FormatError(f"SQLite: {error}", path=path) from None


def _bound(value: Value) -> Value:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogateescape")
    return value
