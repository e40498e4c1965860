"""Questions read the catalogue and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.catalog.places import state
from tests.cli.terminal import unshade
from unshade import catalog
from unshade.catalog.store import literal
from unshade.catalog.tables import JOINS, TABLES, VIEWS, asked_columns
from unshade.errors import FormatError, UsageError

OUTSIDE = [
    "COPY shaders TO '{out}'",
    "COPY (SELECT 1) TO '{out}' (FORMAT parquet)",
    "COPY shaders TO '{inside}'",
    "COPY shaders FROM '{secret}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{inside}' (FORMAT parquet)",
    "EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1",
    "EXPLAIN /* */ ANALYZE COPY (SELECT 1) TO '{inside}' (FORMAT parquet)",
    "explain (ANALYZE) COPY (SELECT 1) TO '{inside}' (FORMAT parquet)",
    "EXPLAIN COPY (SELECT 1) TO '{inside}' (FORMAT parquet)",
    "EXPORT DATABASE '{out}'",
    "ATTACH '{out}'",
    "ATTACH '{out}' AS other (TYPE sqlite)",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_blob('{secret}')",
    "SELECT * FROM read_json('{secret}')",
    "SELECT * FROM read_parquet('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_text('{cat}/../secret.csv')",
    "SELECT * FROM read_csv('https://localhost:9/a.csv')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''{out}''')",
    "SELECT * FROM OUTSIDE",
    "SELECT getenv('HOME')",
    "SET enable_external_access = true",
    "SET allowed_directories = ['/']",
    "RESET lock_configuration",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CREATE TABLE t AS SELECT 1",
    "DROP VIEW shaders",
    "SELECT 1; SELECT 2",
    "",
    "SELECT",
]


def test_nothing_else_is_read_or_written(made: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    before = state(tmp_path)
    named = {"out": tmp_path / "out", "inside": made / "shaders" / "x.parquet", "cat": made,
             "secret": tmp_path / "secret.csv", "folder": tmp_path}  # fmt: skip
    with catalog.Catalog(str(made)) as opened:
        for sql in OUTSIDE:
            with pytest.raises(UsageError, match=r"^SQL: "):
                [*opened.query(sql.format(**named))]
            assert state(tmp_path) == before, sql


@pytest.mark.parametrize("how", ["EXPLAIN", " explain ANALYZE", "EXPLAIN (FORMAT json)"])
def test_the_plan_of_a_question(made: Path, how: str) -> None:
    with catalog.Catalog(str(made)) as opened:
        ((_, plan),) = opened.query(f"{how} SELECT shader FROM shaders WHERE size > 10")
        assert "shader" in plan


def test_every_table_and_view_answers(made: Path) -> None:
    with catalog.Catalog(str(made)) as opened:
        for name in TABLES:
            rows = opened.query(f"SELECT * FROM {name}")
            own = {each.name for each in asked_columns(name)}
            assert own == set(rows.columns), name
            assert list(rows) or name == "sources"
        for view in VIEWS:
            assert opened.query(f"SELECT * FROM {view.name}").columns


def test_the_page_lists_tables_and_columns() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "catalogue.md"
    _, *sections = page.read_text("utf-8").split("\n### `")
    found = {each.partition("`")[0]: each for each in sections}
    for name, table in TABLES.items():
        for each in table.columns:
            shown = f"| `{each.name}` | {each.type} | {each.doc} |"
            assert shown in found[name] or each.name in ("removed", "error"), (name, each.name)
    for key, of in JOINS.items():
        assert f"| `{key}` | `{'`, `'.join(of)}` |" in page.read_text("utf-8")
    for view in VIEWS:
        assert f"| `{view.name}` | {view.doc} |" in page.read_text("utf-8")


def test_parameters_and_two_answers_at_once(made: Path) -> None:
    with catalog.Catalog(str(made)) as opened:
        first = opened.query("SELECT stage FROM shaders WHERE size = ?", [1236])
        second = opened.query("SELECT count(*) FROM shaders")
        assert [*first] == [("compute",)]
        assert [*second] == [(4,)]
        assert second.types == ["BIGINT"]


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        ("[]", "TypeError"),
        ("{", "JSONDecodeError"),
        ('{"catalog": 9}', "version 9 of the format, expected 2"),
        ('{"catalog": 2, "unshade": "", "quick": false, "runs": [{"run": 1, "roots": [],'
         ' "replaces": false, "files": {"shaders": [{"name": "../secret.csv", "rows": 1,'
         ' "size": 1}]}}]}', "name of a file '../secret.csv'"),
        ('{"catalog": 2, "unshade": "", "quick": false, "runs": [{"run": 1, "roots": [],'
         ' "replaces": false, "files": {"shaders": [{"name": "shaders/000009-00.parquet",'
         ' "rows": 1, "size": 1}]}}]}', "expected a file that the manifest names, got none"),
    ],
)  # fmt: skip
def test_a_malformed_manifest(manifest: str, problem: str, made: Path) -> None:
    (made / "catalog.json").write_text(manifest)
    with pytest.raises(FormatError) as raised:
        catalog.Catalog(str(made))
    assert problem in str(raised.value)


def test_links_and_malformed_files(made: Path, tmp_path: Path) -> None:
    path = made / "shaders" / "000001-00.parquet"
    data = path.read_bytes()
    path.write_bytes(b"PAR1" + bytes(50))
    with pytest.raises(FormatError, match="expected the tables of a catalogue"):
        catalog.Catalog(str(made))
    path.unlink()
    (tmp_path / "other").write_bytes(data)
    os.symlink(tmp_path / "other", path)
    with pytest.raises(FormatError, match="expected a file in the catalogue, got a link"):
        catalog.Catalog(str(made))


def test_no_catalogue(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a catalogue"):
        catalog.Catalog(str(tmp_path))


def test_forms_of_an_answer(made: Path, tmp_path: Path) -> None:
    sql = "SELECT stage, size, [1, 2] AS both, NULL::VARCHAR AS none FROM shaders WHERE size = 1236"
    line: list[str | Path] = ["catalog", "query", made, sql]
    assert unshade(*line).out == "stage    size  both  none\ncompute  1236  1, 2  -\n"
    assert json.loads(unshade(*line, "--json").out) == [
        {"stage": "compute", "size": 1236, "both": [1, 2], "none": None}
    ]
    assert unshade(*line, "--csv").out == 'stage,size,both,none\ncompute,1236,"[1, 2]",\n'
    assert unshade(*line, "--parquet", tmp_path / "a.parquet").code == 0
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "a.parquet").to_pylist()[0]["size"] == 1236
    assert unshade(*line, "--json", "--csv").code == 2
    assert unshade("catalog", "query", made, "SELECT 1 WHERE false").code == 1


def test_a_text_is_a_literal_whatever_it_contains() -> None:
    import duckdb

    for text in ("a", "it's", "' OR true --", "\\'", "\u202e"):
        with duckdb.connect(":memory:") as made:
            assert made.execute(f"SELECT {literal(text)}").fetchall() == [(text,)]


def test_a_table_that_is_not_there(made: Path) -> None:
    """DuckDB suggests tables of its own, such as pg_am."""
    with catalog.Catalog(str(made)) as opened:
        with pytest.raises(UsageError) as caught:
            opened.query("SELECT path FROM programs")
        text = str(caught.value)
        assert text.startswith("SQL: there is no table programs; the tables are files, contents,")
        names = text.partition("the tables are ")[2].split(", ")
        for name in names:
            assert opened.query(f"SELECT * FROM {name} LIMIT 1").columns
        with pytest.raises(UsageError, match="nope"):
            opened.query("SELECT nope FROM shaders")


def test_a_column_that_is_not_there(made: Path) -> None:
    """The error names the columns of the tables in question, and what joins several."""
    with catalog.Catalog(str(made)) as opened:
        with pytest.raises(UsageError) as caught:
            opened.query("SELECT pth FROM Files")
        first, *_, last = str(caught.value).splitlines()
        assert first.startswith("SQL: Binder Error: ")
        assert "pth" in first
        columns = opened.query("SELECT * FROM files").columns
        assert last == f"the columns of files are {', '.join(columns)}"
        for ask in (opened.query, opened.parquet):
            with pytest.raises(UsageError) as caught:
                ask("SELECT path FROM files JOIN copies USING (shader)")
            lines = str(caught.value).splitlines()[-4:]
            assert lines[1] == "the columns of copies are shader, places, files, size, saved"
            assert lines[2] == "join files, contents, paths, places by content"
            assert lines[3].startswith("join places, shaders, parts,")
        for key, (first, *others) in JOINS.items():
            joins = " ".join(f"JOIN {each} USING ({key})" for each in others)
            assert opened.query(f"SELECT {key} FROM {first} {joins} LIMIT 0").columns == [key]


def test_the_tables_with_what_joins_them(made: Path) -> None:
    shown = json.loads(unshade("catalog", "show", made, "--tables", "--json").out)
    assert shown["joins"] == {key: [*of] for key, of in JOINS.items()}
    assert "run" in shown["tables"]["files"]
    assert "path" in shown["tables"]["places"]
    text = unshade("catalog", "show", made, "--tables").out
    assert "\ncontent  files, contents, paths, places\n" in text
