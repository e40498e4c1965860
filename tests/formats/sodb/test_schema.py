"""The schema, against statements of the specification and against SQLite itself."""

import sqlite3

import pytest

from unshade.formats.sodb.schema import TABLES, normalised, statements

pytestmark = pytest.mark.fast

# DirectX-Specs, d3d/StateObjectDatabase.md, letter for letter.
PUBLISHED = {
    "root_signatures": (
        "CREATE TABLE root_signatures (Key BLOB NOT NULL PRIMARY KEY , value BLOB NOT NULL )"
    ),
    "state_objects": (
        "CREATE TABLE state_objects (Key BLOB NOT NULL PRIMARY KEY , Type INTEGER  ,NodeMask"
        " INTEGER  ,Flags INTEGER  ,AddToStateObjectParent BLOB  ,FOREIGN KEY("
        "AddToStateObjectParent) REFERENCES state_objects(Key))"
    ),
    "so_to_dxil_lib_associations_partial_index": (
        "CREATE UNIQUE INDEX so_to_dxil_lib_associations_partial_index ON"
        " so_to_dxil_lib_associations(StateObjectKey,DxilLibKey) WHERE ExportKey IS NULL"
    ),
    "string_associations": (
        "CREATE TABLE string_associations (OwningTableKey BLOB  ,Value TEXT NOT NULL"
        " ,UNIQUE(OwningTableKey, Value))"
    ),
    "app_id": (
        "CREATE TABLE app_id (id INTEGER NOT NULL PRIMARY KEY , exe TEXT NOT NULL ,app_name TEXT"
        " NOT NULL ,engine_name TEXT  ,app_version INTEGER NOT NULL ,engine_version INTEGER NOT"
        " NULL )"
    ),
}
COLUMNS = {  # with the key
    "pipeline_states": 25, "shader_nodes": 16, "render_target_blend_descs": 11,
    "rasterizer_descs": 11, "depth_stencil_descs": 8, "input_element_descs": 8,
    "view_instancing_descs": 11, "groups": 4, "app_id": 6,
}  # fmt: skip


def test_statements_are_the_published_ones() -> None:
    found = statements()
    assert {name: found[name] for name in PUBLISHED} == PUBLISHED


def test_44_tables_and_three_indexes() -> None:
    assert len(TABLES) == 44
    others = [name for name in statements() if name not in TABLES]
    assert others == [
        "so_to_dxil_lib_associations_partial_index",
        "so_to_existing_so_associations_partial_index",
        "string_associations_partial_index",
    ]
    assert {name: len(TABLES[name].columns) for name in COLUMNS} == COLUMNS


def test_sqlite_takes_the_statements() -> None:
    with sqlite3.connect(":memory:") as connection:
        for sql in statements().values():
            connection.execute(sql)
        for name, table in TABLES.items():
            rows = connection.execute(f"PRAGMA table_info({name})").fetchall()
            assert [row[1] for row in rows] == [each.name for each in table.columns]
            assert [not row[3] for row in rows] == [each.nullable for each in table.columns]
            assert [row[1] for row in rows if row[5]] == ([table.key] if table.key else [])
            keys = connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()
            assert {(row[3], row[2]) for row in keys} == {
                (each.name, each.refers) for each in table.columns if each.refers
            }


def test_white_space_makes_no_difference() -> None:
    assert normalised("CREATE TABLE a (b\n BLOB );") == normalised("CREATE TABLE a(b BLOB)")
    assert normalised("CREATE TABLE a (b BLOB)") != normalised("CREATE TABLE a (B BLOB)")
