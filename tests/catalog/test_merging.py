"""The rows of segments become a run: unique, sorted, within bounded memory."""

from __future__ import annotations

import gc
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from unshade.catalog import merging, pending
from unshade.catalog.facts import Rows
from unshade.catalog.listing import ListedFile
from unshade.catalog.merging import ScanResult, merge, unique
from unshade.catalog.pending import PendingRun
from unshade.catalog.queries import Catalog
from unshade.catalog.storage import storage_of
from unshade.catalog.store import Manifest, load
from unshade.catalog.tables import TABLES

PLAIN: dict[str, Any] = {
    "text": "x" * 40,
    "int": 7,
    "float": 1.5,
    "bool": False,
    "texts": ["a", "b"],
}


def name_of(number: int) -> str:
    return sha256(b"%d" % number).hexdigest()


def row(table: str, **values: Any) -> tuple[Any, ...]:
    """Return a row with these values; the others have one of their type."""
    columns = TABLES[table].columns
    return tuple(values.get(each.name, PLAIN[each.type]) for each in columns)


def rows_of(files: list[ListedFile], start: int) -> Rows:
    """Return the rows about files with a shader each, numbered from `start`."""
    found: Rows = {name: [] for name in ("files", "contents", "places", "shaders", "parts")}
    for number, each in enumerate(files, start):
        shader, content = name_of(number), name_of(-number)
        found["files"].append(
            (each.path, each.root, each.name, each.size, each.modified, content, None, False)
        )
        found["contents"].append(row("contents", content=content, error=None))
        found["places"].append(row("places", content=content, number=0, shader=shader))
        found["shaders"].append(row("shaders", shader=shader, damage=None))
        found["parts"] += (row("parts", shader=shader, number=part) for part in range(3))
    return found


def merged(folder: Path, count: int) -> tuple[Manifest, ScanResult]:
    """Return the catalogue of so many files, whose rows are written twice."""
    storage = storage_of(str(folder))
    storage.prepare()
    files = [ListedFile(f"a/{n:06}", "a", f"{n:06}", 9, 1) for n in range(count)]
    made = PendingRun(storage, load(storage) or Manifest(), {"number": count})
    assert made.list(iter([*files, *files]), again=False) == count
    assert [each.path for each in made.todo()] == [each.path for each in files]
    for _ in range(2):
        for at in range(0, count, 1000):
            made.keep(rows_of(files[at : at + 1000], at))
            made.add()
    return merge(made, ["a"])


@pytest.mark.slow
def test_rows_are_joined_within_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`DISTINCT ON` needed 25 KB for each shader."""
    for name in ("MEMORY", "MOST"):
        monkeypatch.setattr(pending, name, 48)
    count = 4000
    manifest, result = merged(tmp_path, count)
    assert result == ScanResult(1, count, 2 * count, 0, count, 0, 0)
    assert manifest.rows("shaders") == manifest.rows("files") == count
    assert manifest.rows("parts") == 3 * count
    with Catalog(str(tmp_path)) as opened:
        found = [each for (each,) in opened.query("SELECT shader FROM shaders")]
    assert found == sorted(map(name_of, range(count)))


@pytest.mark.slow
@pytest.mark.parametrize("cells", [1, 500])
def test_the_files_do_not_depend_on_the_ranges_that_are_sorted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cells: int
) -> None:
    merged(tmp_path / "whole", 60)
    monkeypatch.setattr(merging, "CELLS", cells)
    merged(tmp_path / "ranges", 60)
    whole, ranges = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}
        for folder in (tmp_path / "whole", tmp_path / "ranges")
    )
    assert len(whole) == 6
    assert whole == ranges


@pytest.mark.slow
@pytest.mark.parametrize("joined", [1, 7])
def test_the_files_do_not_depend_on_the_ranges_that_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, joined: int
) -> None:
    """Files are added, changed and removed in the second run."""
    results, written = [], []
    for name, size in (("whole", pending.JOINED), ("ranges", joined)):
        monkeypatch.setattr(pending, "JOINED", size)
        merged(tmp_path / name, 30)
        storage = storage_of(str(tmp_path / name))
        files = [ListedFile(f"a/{n:06}", "a", f"{n:06}", 9 + n % 2, 1) for n in range(10, 40)]
        made = PendingRun(storage, load(storage) or Manifest(), {})
        assert made.list(iter(files), again=False) == 20
        assert len(made.ranges) == -(-30 // size)
        made.keep(rows_of(files, 100))
        made.add()
        manifest, result = merge(made, ["a"])
        results.append((result, [each.replaces for each in manifest.runs]))
        paths = sorted((tmp_path / name).rglob("*.parquet"))
        written.append([(each.relative_to(tmp_path / name), each.read_bytes()) for each in paths])
    assert results[0] == (ScanResult(2, 30, 30, 10, 30, 0, 0), [False, True])
    assert results[0] == results[1]
    assert written[0] == written[1]


def test_ranges_of_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each path is in one range, also one that was not sampled; the ranges are in order."""
    monkeypatch.setattr(pending, "JOINED", 10)
    monkeypatch.setattr(pending, "SAMPLE", 8)
    names = [f"it's {number}/ä" for number in range(100)]
    sample = pending.PathSample()
    assert len([*sample.of(ListedFile(each, "", "", 0, 0) for each in names)]) == 100
    ranges = sample.ranges()
    with duckdb.connect() as made:
        made.execute("CREATE TABLE all_paths AS SELECT unnest(?) AS path", [[*names, "", "z"]])
        parts = [
            [path for (path,) in made.sql(f"FROM all_paths WHERE {each} ORDER BY path").fetchall()]
            for each in ranges
        ]
    assert [path for each in parts for path in each] == sorted([*names, "", "z"])
    assert len(ranges) == 10
    assert max(map(len, parts)) < 30
    monkeypatch.setattr(pending, "RANGES", 3)
    assert sample.ranges()[0].startswith("path < ")
    assert len(sample.ranges()) == 3
    assert pending.PathSample().ranges() == ["true"]


@pytest.mark.parametrize("ranges", [1, 2, 3, 32])
@pytest.mark.parametrize("column", ["shader", "mark"])
def test_each_hash_is_in_one_range(column: str, ranges: int) -> None:
    values = [str(each) for each in (-(1 << 63), -1, 0, 12345 << 40, (1 << 63) - 1)]
    if column == "shader":
        hashes = "0" * 64, "7" + "f" * 63, "8" + "0" * 63, name_of(5), "f" * 64
        values = [f"'{each}'" for each in hashes]
    inside = " UNION ALL ".join(
        f'SELECT {value} AS value FROM (SELECT {value} AS "{column}") AS each'
        f" WHERE true{merging._range(column, number, ranges)}"
        for value in values
        for number in range(ranges)
    )
    with duckdb.connect() as made:
        found = made.execute(inside).fetchall()
        assert found == made.execute(f"VALUES ({'), ('.join(values)})").fetchall()


def test_work_that_needs_more_memory_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "MOST", 4 * pending.MEMORY)
    storage = storage_of(str(tmp_path))
    storage.prepare()
    made = PendingRun(storage, Manifest(), {})
    begun = []

    def work(fails: int) -> str:
        begun.append(fails)
        if len(begun) <= fails:
            raise duckdb.OutOfMemoryException
        return "done"

    assert made.patiently(lambda: work(2)) == "done"
    assert len(begun) == 3
    [(limit,)] = made.connection.sql("SELECT current_setting('memory_limit')").fetchall()
    assert float(limit.split()[0]) == pytest.approx(4 * pending.MEMORY / 1.048576, rel=0.01)
    with pytest.raises(duckdb.OutOfMemoryException):
        made.patiently(lambda: work(9))
    made.close()


def test_rows_of_earlier_runs_are_not_written_again(tmp_path: Path) -> None:
    merged(tmp_path, 5)
    manifest, result = merged(tmp_path / "other", 5)
    assert result.shaders == 5
    storage = storage_of(str(tmp_path))
    more = [ListedFile(f"a/{n:06}", "a", f"{n:06}", 9, 1) for n in range(2, 8)]
    made = PendingRun(storage, load(storage) or Manifest(), {})
    assert made.list(iter(more), again=False) == 3
    made.keep(rows_of(more, 2))
    made.add()
    manifest, result = merge(made, ["a"])
    assert result == ScanResult(2, 6, 6, 2, 3, 0, 0)
    assert [each.replaces for each in manifest.runs] == [False, True]  # two are gone
    assert [run.files["shaders"][0].rows for run in manifest.runs] == [5, 3]
    assert [run.files["files"][0].rows for run in manifest.runs] == [5, 5]


def test_unique_rows_in_groups() -> None:
    """Rows with the same keys stand together, also at the edge of a batch."""
    keys = [1, 1, 2, 3, 3, 3, 4, 5, 5, 6]
    texts = [*"abcdefghij"]
    whole = pa.table({"key": keys, "text": texts})
    for size in range(1, 11):
        found = [*unique(iter(whole.to_batches(size)), ["key"], group=4)]
        assert [each["key"].to_pylist() for each in found] == [[1, 2, 3, 4], [5, 6]]
        assert "".join(text for each in found for text in each["text"].to_pylist()) == "acdghj"
    both = [*unique(iter(whole.to_batches(3)), ["key", "text"], group=4)]
    assert [each.num_rows for each in both] == [4, 4, 2]
    assert [*unique(iter(whole[:0].to_batches()), ["key"])] == []


def test_rows_that_are_kept_are_not_objects(tmp_path: Path) -> None:
    """A segment in memory takes the bytes of its files, and they are those of its rows."""
    storage = storage_of(str(tmp_path / "cat"))
    storage.prepare()
    files = [ListedFile(f"a/{n:06}", "a", f"{n:06}", 9, 1) for n in range(3000)]
    made = PendingRun(storage, Manifest(), {})
    for at in range(0, 3000, 1000):
        rows = rows_of(files[at : at + 1000], at)
        made.keep(rows)
        assert len(gc.get_referrers(rows["files"][0])) == 1  # the list
        assert storage.names("pending") == ["scan.json", "work.duckdb"]
    made.add()
    count = made.connection.sql(f"SELECT count(*) FROM {made.rows('files')}").fetchall()
    assert count == [(3000,)]
    assert made.segment.write(storage, "000009") == []
    made.remove()
