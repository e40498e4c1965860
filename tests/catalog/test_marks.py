"""The rows of marks are those that a search of all rows finds, and common marks are not read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from unshade.catalog import marks, store
from unshade.catalog.marks import MarkIndex
from unshade.catalog.storage import storage_of
from unshade.catalog.tables import TABLES

pyarrow = pytest.importorskip("pyarrow")
pytestmark = pytest.mark.slow  # pyarrow is loaded


@pytest.fixture
def rows() -> list[tuple[int, int, int]]:
    """Return rows of sketches: rare marks, some that fill groups, and negative ones."""
    chance = random.Random(4)
    found = {(mark, chance.getrandbits(59), 9) for mark in range(-300, 300) for _ in range(4)}
    found |= {(7, chance.getrandbits(59), 9) for _ in range(500)}
    return sorted(found)


@pytest.fixture
def index(rows: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MarkIndex:
    monkeypatch.setattr(store, "GROUP", 16)
    storage = storage_of(str(tmp_path))
    pieces = [
        store.arrow_table("sketches", rows[first : first + 200])
        for first in range(0, len(rows), 200)
    ]
    files = store.write_run(storage, "sketches", 1, pieces, largest=4000)
    assert len(files) > 2
    return MarkIndex(storage, [each.name for each in files])


def rows_found(index: MarkIndex, wanted: Iterable[int], most: int, enough: int) -> list[Any]:
    """Return the rows of marks as tuples, sorted."""
    found = index.rows(wanted, most, enough)
    of = [found.marks[number] for number in found.number]
    return sorted(zip(of, found.key.tolist(), found.words.tolist(), strict=True))


def test_rows_of_marks(rows: list[Any], index: MarkIndex) -> None:
    wanted = {-300, -1, 0, 6, 7, 8, 299, 1000}
    assert rows_found(index, wanted, 1000, 0) == [each for each in rows if each[0] in wanted]
    assert index.rows(wanted, 1000, 0).common == frozenset()


def test_a_common_mark_is_not_read(index: MarkIndex) -> None:
    found = index.rows([6, 7, 8], 100, 2)
    assert found.common == {7}
    assert Counter(found.marks[each] for each in found.number) == {6: 4, 8: 4}


def test_common_marks_are_read_if_too_few_are_rare(
    rows: list[Any], index: MarkIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rarest first, until enough rows are read."""
    wanted = {6, 7, 8}
    assert rows_found(index, wanted, 100, 3) == [each for each in rows if each[0] in wanted]
    monkeypatch.setattr(marks, "ROWS", 0)
    assert index.rows(wanted, 100, 3).common == {7}


def test_rare_marks_are_read_until_there_are_plenty_of_rows(
    rows: list[Any], index: MarkIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All marks are rare here; the last one is the one that has the most rows."""
    wanted = {6, 7, 8}
    assert rows_found(index, wanted, 1000, 2) == [each for each in rows if each[0] in wanted]
    monkeypatch.setattr(marks, "PLENTY", 0)
    assert index.rows(wanted, 1000, 2).common == {7}
    assert index.rows(wanted, 1000, 3).common == frozenset()


def test_nothing_is_there(index: MarkIndex, tmp_path: Path) -> None:
    assert rows_found(index, [5000, -5000], 10, 8) == []
    assert rows_found(MarkIndex(storage_of(str(tmp_path)), []), [1], 10, 8) == []
    assert rows_found(index, [], 10, 8) == []


def test_footers_have_statistics_of_marks_alone(
    rows: list[Any], index: MarkIndex, tmp_path: Path
) -> None:
    """Footers are read before the first row; keys, which are hashes, have no dictionary."""
    (path, *_) = sorted((tmp_path / "sketches").iterdir())
    group = pyarrow.parquet.read_metadata(path).row_group(0)
    columns = [group.column(at) for at in range(3)]
    assert [each.path_in_schema for each in columns if each.is_stats_set] == ["mark"]
    assert "DELTA_BINARY_PACKED" in columns[1].encodings


def test_values_that_are_all_different_have_no_dictionary(made: Path) -> None:
    for table, columns in {
        "files": {"path", "name", "removed"},  # booleans never have one
        "paths": {"content", "path", "name"},
        "places": {"content", "shader"},
        "shaders": {"shader", "program"},
        "sketches": {"key"},
    }.items():
        [path] = (made / table).iterdir()
        group = pyarrow.parquet.read_metadata(path).row_group(0)
        found = [group.column(number) for number in range(group.num_columns)]
        plain = {each.path_in_schema for each in found if not each.has_dictionary_page}
        assert plain == columns


@pytest.mark.parametrize("table", ["paths", "places"])
def test_values_that_are_looked_up_are_in_small_pages(table: str, tmp_path: Path) -> None:
    """DuckDB skips the pages without the row; each one is compressed by itself."""
    columns = TABLES[table].columns
    rows = [
        tuple(f"{number:064x}" if each.type == "text" else number for each in columns)
        for number in range(4096)
    ]
    made = store.arrow_table(table, rows)
    [file] = store.write_run(storage_of(str(tmp_path)), table, 1, [made])
    data = (tmp_path / file.name).read_bytes()
    assert data.count(b"\x28\xb5\x2f\xfd") >= 2 * len(columns)


def test_memory_for_a_group_writes_a_run(tmp_path: Path) -> None:
    schema = store.arrow_schema("sketches")
    before = pyarrow.total_allocated_bytes()
    most = 0

    def groups() -> Iterator[Any]:
        nonlocal most
        chance = random.Random(5)
        for _ in range(20):
            columns = [[chance.getrandbits(60) for _ in range(store.GROUP)] for _ in range(3)]
            most = max(most, pyarrow.total_allocated_bytes() - before)
            yield pyarrow.Table.from_arrays(
                [pyarrow.array(each) for each in columns], schema=schema
            )

    [file] = store.write_run(storage_of(str(tmp_path)), "sketches", 1, groups())
    assert file.rows == 20 * store.GROUP
    assert file.size == (tmp_path / file.name).stat().st_size > 4 << 20
    assert most < 2 << 20
