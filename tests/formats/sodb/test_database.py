"""Rows written and read, and files that are no State Object Databases."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from tests.fixtures.databases import DatabaseMaker, application
from unshade import FormatError, LimitError, UnsupportedError, UsageError, loads
from unshade.formats.sodb import Sodb, database
from unshade.formats.sodb.database import DatabaseRow, build, read_rows
from unshade.formats.sodb.pages import read_header
from unshade.formats.sodb.schema import TABLES


def changed(*statements: str, data: bytes | None = None) -> bytes:
    """Return a database after some SQL."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(application().data() if data is None else data)
        for sql in statements:
            connection.execute(sql)
        return connection.serialize()


@pytest.mark.parametrize("size", [512, 4096, 65536])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_rows_come_back(size: int, encoding: str) -> None:
    made = DatabaseMaker()
    made.add("exports", b"\0\xff", Name="é 鈴", Flags=-1)
    made.add("rasterizer_descs", "r", DepthBias=0.1, FillMode=(1 << 63) - 1)
    made.add("shader_bytecode", "none")
    made.add("shader_bytecode", "long", Bytecode=bytes(range(256)) * 2000)
    data = build(made.tables, size, encoding)
    header = read_header(data)
    assert (header.page_size, header.encoding) == (size, encoding)
    found = read_rows(data, header)
    assert found.keys() == TABLES.keys()
    assert {name: rows for name, rows in found.items() if rows} == made.tables


def test_each_field_of_the_header_has_its_place() -> None:
    """SQLite database file format, section 1.3: big-endian numbers."""
    data = bytearray(build({}, 512, "utf-8"))
    data[20] = 16
    data[32:40] = bytes.fromhex("01020304 05060708")
    header = read_header(bytes(data))
    assert header[:4] == (512, len(data) // 512, 16, "utf-8")
    assert (header.free_trunk, header.free_count) == (0x01020304, 0x05060708)
    for versions in (b"\1\1", b"\1\2", b"\2\1", b"\2\2"):
        data[18:20] = versions
        assert read_header(bytes(data)).logged == (b"\2" in versions)
    data[24:28], data[92:96] = b"\0\0\0\3", b"\0\0\0\3"
    data[28:32] = b"\0\0\0\1"
    assert read_header(bytes(data)).page_count == 1
    data[92:96] = b"\0\0\0\2"  # the count is of an older version of SQLite's
    assert read_header(bytes(data)).page_count == len(data) // 512


def test_numbers_of_rows_are_kept() -> None:
    row = {"Key": b"k", "Name": "n", "ArrayIndex": 1}
    rows = {"node_ids": [DatabaseRow(7, row), DatabaseRow(1 << 40, row | {"Key": b"l"})]}
    data = build(rows)
    assert read_rows(data, read_header(data))["node_ids"] == rows["node_ids"]


def test_a_text_that_is_no_unicode_is_kept() -> None:
    made = DatabaseMaker()
    made.add("exports", "k", Name="a\udcffb")
    data = made.data()
    assert b"a\xffb" in data
    assert loads(data).to_bytes() == data
    assert read_rows(data, read_header(data))["exports"] == made.tables["exports"]


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("Name", None, r"exports\[1\].Name: expected TEXT, got NULL"),
        ("Name", b"x", r"exports\[1\].Name: expected TEXT, got BLOB b'x'"),
        ("Flags", 1.5, r"exports\[1\].Flags: expected INTEGER, got REAL 1.5"),
        ("Flags", True, r"exports\[1\].Flags: expected INTEGER, got bool True"),
        ("Flags", 1 << 63, r"exports\[1\].Flags: expected an integer of 64 bits, got 9223372"),
        ("Key", "x", r"exports\[1\].Key: expected BLOB, got TEXT 'x'"),
    ],
)
def test_values_of_other_types_are_not_written(column: str, value: Any, problem: str) -> None:
    made = DatabaseMaker()
    made.add("exports", "k")
    made.tables["exports"][0].values[column] = value
    with pytest.raises(FormatError, match=problem):
        made.data()


def test_two_rows_with_one_key_are_not_written() -> None:
    made = DatabaseMaker()
    made.add("exports", "k")
    made.add("exports", "k")
    with pytest.raises(FormatError, match=r"exports\[2\]: SQLite: UNIQUE constraint failed"):
        made.data()


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown table 'exprots': expected one of root_sig"):
        Sodb({"exprots": []})


# ---------------------------------------------------------------- attacks

VIEW = (
    "WITH RECURSIVE n(a, b) AS (SELECT x'00', x'00' UNION ALL SELECT a, b FROM n)"
    " SELECT a AS Key, b AS value FROM n"
)


@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        (
            ("DROP TABLE root_signatures", f"CREATE VIEW root_signatures AS {VIEW}"),
            "expected the published SQL of root_signatures, got .CREATE VIEW",
        ),
        (("CREATE VIEW other AS SELECT 1",), "published tables alone, got the view 'other'"),
        (("CREATE TABLE other (a)",), "published tables alone, got the table 'other'"),
        (
            ("CREATE TRIGGER t AFTER INSERT ON exports BEGIN DELETE FROM groups; END",),
            "published tables alone, got the trigger 't'",
        ),
        (("CREATE INDEX other ON exports(Name)",), "published tables alone, got the index 'other'"),
        (("DROP TABLE exports",), "expected the table or index exports, got none"),
        (
            ("ALTER TABLE exports ADD COLUMN more INTEGER AS (length(Name))",),
            "expected the published SQL of exports",
        ),
        (("ANALYZE",), "published tables alone, got the table 'sqlite_stat1'"),
    ],
)
def test_other_schemas_are_refused(statements: tuple[str, ...], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        loads(changed(*statements))


@pytest.mark.parametrize(
    ("statement", "problem", "stored"),
    [
        ("UPDATE groups SET Key='text' WHERE rowid=2", r"groups\[2\].Key: expected BLOB", b"text"),
        ("UPDATE groups SET Version='two' WHERE rowid=1", r"groups\[1\].Version: exp", b"two"),
        ("UPDATE app_id SET exe=x'0102'", r"app_id\[1\].exe: expected TEXT, got BLOB", b"\1\2"),
    ],
)
def test_values_of_other_types_are_refused_with_their_place(
    statement: str, problem: str, stored: bytes
) -> None:
    data = changed(statement)
    with pytest.raises(FormatError, match=problem) as caught:
        loads(data)
    assert data[caught.value.offset :].startswith(stored)


def test_null_where_it_is_not_allowed_is_refused() -> None:
    data = changed(
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_schema SET sql=replace(sql, 'exe TEXT NOT NULL', 'exe TEXT') WHERE"
        " name='app_id'",
        "PRAGMA writable_schema=RESET",
        "UPDATE app_id SET exe=NULL",
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_schema SET sql=replace(sql, 'exe TEXT', 'exe TEXT NOT NULL') WHERE"
        " name='app_id'",
    )
    with pytest.raises(FormatError, match="NULL"):
        loads(data)


@pytest.mark.parametrize("cut", [71, 99, 512, 40_000])
def test_a_truncated_file_is_refused(cut: int) -> None:
    data = application().data()[:cut]
    with pytest.raises(FormatError):
        Sodb.loads(data)


def test_a_circle_of_overflow_pages_is_refused() -> None:
    data = bytearray(application().data())
    links = [each for each in loads(bytes(data)).spans() if each.path.endswith("Bytecode.next")]
    links = links or [each for each in loads(bytes(data)).spans() if each.path.endswith(".next")]
    first = next(each for each in links if each.value)
    data[first.offset : first.offset + 4] = (first.offset // 512 + 1).to_bytes(4, "big")
    with pytest.raises(FormatError, match="SQLite: "):
        loads(bytes(data))


def test_a_page_with_two_parents_is_refused() -> None:
    """Twenty levels of pages, each of which is its parent's child many times, would not end."""
    data = bytearray(application().data())
    parents = [each for each in loads(bytes(data)).spans() if each.path.endswith(".child")]
    first, second = parents[:2]
    data[second.offset : second.offset + 4] = data[first.offset : first.offset + 4]
    with pytest.raises(FormatError, match="SQLite: "):
        loads(bytes(data))


def test_the_number_of_steps_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LEAST_STEPS", 0)
    monkeypatch.setattr(database, "STEPS_PER_BYTE", 0)
    monkeypatch.setattr(database, "STEP", 1)
    with pytest.raises(LimitError, match="steps of SQLite"):
        loads(application().data())


def header_with(at: int, *values: int) -> Callable[[], bytes]:
    def made() -> bytes:
        data = bytearray(application().data())
        data[at : at + len(values)] = bytes(values)
        return bytes(data)

    return made


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (header_with(16, 0, 100), "at 0x10, header.page_size: expected a power of two from 512"),
        (header_with(20, 200), "at 0x14, header.reserved_size: expected at most 32 unused bytes"),
        (
            header_with(18, 3),
            "at 0x12, header.write_version: expected versions 1 or 2, got 3 and 1",
        ),
        (header_with(56, 0, 0, 0, 9), "at 0x38, header.encoding: expected an encoding from 1 to 3"),
        (header_with(28, 9), "at 0x1c, header.page_count: expected at most"),
    ],
)
def test_headers_are_checked(given: Callable[[], bytes], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        loads(given())


def test_another_version_is_unsupported_by_name() -> None:
    with pytest.raises(UnsupportedError, match=r"expected version 2 .* got 3"):
        loads(header_with(60, 0, 0, 0, 3)())


def test_a_file_of_another_application_is_not_identified() -> None:
    with pytest.raises(FormatError, match="expected the magic of"):
        loads(header_with(68, 0)())


def test_a_file_in_wal_mode_is_read_and_kept() -> None:
    data = header_with(18, 2, 2)()
    file = loads(data)
    assert isinstance(file, Sodb)
    assert file.to_bytes() == data
    assert len(file.shaders) == 4
    assert [each.code for each in file.verify() if each.code == "sodb.logged"] == ["sodb.logged"]
