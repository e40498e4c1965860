"""The rows that a scan has read so far, and the work that is left of it.

    pending/scan.json                what is scanned, and how
    pending/000001-shaders.parquet   rows of a table, in segment 1
    pending/000001-files.parquet     written last: these files have been read
    pending/8c5f…-shaders.parquet    rows that a process of a cluster has written
    pending/work.duckdb              lists of this process alone, removed at its end

A segment has the rows of some thousand files. Rows about contents do not depend on the process that
wrote them, and a file counts as read when the rows about its contents are complete. So an
interrupted scan continues from there; a scan with other settings starts anew.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from .. import files
from ..errors import LimitError
from .facts import Rows
from .listing import ListedFile
from .storage import CatalogStorage, is_remote
from .store import (
    LAYOUTS,
    USUAL,
    GrowingParquet,
    Manifest,
    arrow_schema,
    arrow_table,
    current_files,
    literal,
    release_memory,
    stored,
)
from .tables import TABLES

if TYPE_CHECKING:
    import duckdb

__all__ = ["PENDING", "PendingRun", "write_segment"]

Result = TypeVar("Result")

PENDING = "pending"
SETTINGS = "scan.json"
WORK = "work.duckdb"
DIGITS = 6  # of the number of a segment
SEGMENT = re.compile(r"([0-9]{6}|[0-9a-f]{16})-(\w+)\.parquet", re.ASCII)
LISTED = 8192  # files that are listed at once
JOINED = 1 << 16  # files whose rows are joined at once
RANGES = 64  # ranges of so many at most, since each reads all rows
SAMPLE = 1 << 12  # paths that tell where ranges begin
LEAST, MEMORY, MOST = 1, 32, 4096  # MB of DuckDB while it is idle, at first, and at most
STREAMED = "1MB"  # rows that wait to be taken from it


class PendingRun:
    """The run that a scan is about to add to a catalogue.

    Args:
        storage: The place of the catalogue.
        manifest: The visible runs of the catalogue.
        settings: The paths and options of the scan, as plain data.
    """

    def __init__(
        self, storage: CatalogStorage, manifest: Manifest, settings: dict[str, Any]
    ) -> None:
        self.storage = storage
        self.manifest = manifest
        settings = json.loads(json.dumps(settings))
        if self._settings() != settings:
            storage.remove_folder(PENDING)
        storage.write(f"{PENDING}/{SETTINGS}", json.dumps(settings, indent=1).encode())
        self.names: dict[str, list[str]] = {table: [] for table in TABLES}  # of complete files
        self.last = 0  # number of the last segment of this process
        for each in sorted(storage.names(PENDING)):
            match = SEGMENT.fullmatch(each)
            if match is not None and match[2] in TABLES:
                self.names[match[2]].append(f"{PENDING}/{each}")
                self.last = max(self.last, int(match[1]) if len(match[1]) == DIGITS else 0)
        self.segment = SegmentFiles()
        self.files = 0  # listed, each path once
        self.ranges = ["true"]  # conditions for `path`, in the order of paths
        self.replaces = False  # rows of files in earlier runs
        self._memory = MEMORY
        self._open = ExitStack()
        self.connection = self._connect(self._open.enter_context(storage.scratch(PENDING)))

    def _settings(self) -> object:
        try:
            data = self.storage.read(f"{PENDING}/{SETTINGS}")
            return None if data is None else json.loads(data)
        except (ValueError, LimitError):
            return None

    def _connect(self, folder: str) -> "duckdb.DuckDBPyConnection":
        import duckdb

        path = os.path.join(folder, WORK)
        for each in (path, f"{path}.wal"):
            files.remove_file(each)
        files.remove_folder(f"{path}.tmp")
        made = duckdb.connect(path, config={"memory_limit": f"{MEMORY}MB", "threads": 1})
        made.execute(f"SET streaming_buffer_size = '{STREAMED}'")
        self.storage.attach(made)
        return made

    def patiently(self, work: Callable[[], Result]) -> Result:
        """Return the result of work on the lists, which is begun again with twice the memory.

        What DuckDB keeps in memory grows with the number of files, if slowly.
        """
        import duckdb

        while True:
            try:
                return work()
            except duckdb.OutOfMemoryException:
                if self._memory >= MOST:
                    raise
            self._memory *= 2
            self.connection.execute(f"SET memory_limit = '{self._memory}MB'")

    def execute(self, query: str) -> None:
        """Execute a statement."""
        self.patiently(lambda: self.connection.execute(query))

    def release(self) -> None:
        """Let DuckDB write its lists to their file, and give their memory back to the system."""
        import duckdb

        with suppress(duckdb.OutOfMemoryException):
            self.connection.execute(f"SET memory_limit = '{LEAST}MB'")
        self._memory = MEMORY
        self.connection.execute(f"SET memory_limit = '{MEMORY}MB'")
        release_memory()

    def close(self) -> None:
        """Close the lists, and keep the segments."""
        self.connection.close()
        self._open.close()

    def remove(self) -> None:
        """Remove everything, once the run is visible or has nothing new."""
        self.close()
        self.storage.remove_folder(PENDING)

    # ------------------------------------------------------------ lists

    def rows(self, table: str) -> str:
        """Return the query for the rows of a table in all segments."""
        return stored(self.storage, table, self.names[table])

    def list(self, found: Iterable[ListedFile], again: bool) -> int:
        """Take the list of all files; return the number of those that have to be read."""
        made = self.connection
        made.execute(
            "CREATE TABLE listing (number BIGINT, path VARCHAR, root VARCHAR, name VARCHAR,"
            " size BIGINT, modified BIGINT, raw BLOB)"
        )
        sample = PathSample()
        for rows in _pieces(sample.of(found)):
            made.execute("INSERT INTO listing SELECT * FROM rows")
            del rows
        if not is_remote(self.storage.path("")):  # segments would be fetched again
            self.ranges = sample.ranges()
        known = [f"SELECT path, size, modified FROM {self.rows('files')} WHERE "]
        if not again:
            current = current_files(self.storage, self.manifest)
            known.append(f"SELECT path, size, modified FROM {current} WHERE error IS NULL AND ")
        self.create(
            "todo",
            lambda inside: (
                "SELECT * FROM listing AS each SEMI JOIN (SELECT min(number) AS number FROM listing"
                f" WHERE {inside} GROUP BY path) AS chosen USING (number) ANTI JOIN"
                f" ({' UNION ALL '.join(each + inside for each in known)}) AS known"
                " USING (path, size, modified) ORDER BY number"
            ),
        )
        self.files = sum(
            int(_one(made, f"SELECT count(DISTINCT path) FROM listing WHERE {inside}"))
            for inside in self.ranges
        )
        return int(_one(made, "SELECT count(*) FROM todo"))

    def create(self, table: str, query: Callable[[str], str]) -> None:
        """Make a table of the rows of a query, given the condition for `path`, in each range.

        What DuckDB needs for joining and sorting grows with the number of rows.
        """
        for number, inside in enumerate(self.ranges):
            into = f"INSERT INTO {table}" if number else f"CREATE TABLE {table} AS"
            self.execute(f"{into} {query(inside)}")

    def todo(self) -> Iterator[ListedFile]:
        """Yield the files that have to be read, in the order of the table."""
        query = "SELECT path, root, name, size, modified, raw FROM todo"
        cursor = self.connection.cursor()
        reader = cursor.sql(query).to_arrow_reader(4096)
        for batch in reader:
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield ListedFile(*row)

    # ------------------------------------------------------------ segments

    def keep(self, rows: Rows) -> None:
        """Take rows of the next segment, which are kept as the bytes of its files."""
        self.segment.add(rows)

    def add(self) -> None:
        """Write the rows that were kept as a segment."""
        self.last += 1
        self.written(self.segment.write(self.storage, f"{self.last:0{DIGITS}}"))

    def written(self, names: Iterable[str]) -> None:
        """Take the names of files of a segment that were written."""
        for each in names:
            match = SEGMENT.fullmatch(each.rpartition("/")[2])
            assert match is not None
            self.names[match[2]].append(each)


class PathSample:
    """Some of the paths of a list, evenly spaced."""

    def __init__(self) -> None:
        self.count = 0
        self._step = 1
        self._paths: list[str] = []

    def of(self, found: Iterable[ListedFile]) -> Iterator[ListedFile]:
        """Yield files, and keep some of their paths."""
        for each in found:
            if self.count % self._step == 0:
                self._paths.append(each.path)
                if len(self._paths) == 2 * SAMPLE:
                    self._paths, self._step = self._paths[::2], 2 * self._step
            self.count += 1
            yield each

    def ranges(self) -> list[str]:
        """Return conditions for ranges of `path`, in order, of about `JOINED` files each."""
        paths = sorted({*self._paths})
        number = min(-(-self.count // JOINED), RANGES, len(paths)) or 1
        starts = [literal(paths[at * len(paths) // number]) for at in range(1, number)]
        after = [f"path >= {each}" for each in starts]
        before = [f"path < {each}" for each in starts]
        return [
            " AND ".join(filter(None, pair))
            for pair in zip(["", *after], [*before, ""], strict=True)
        ] if starts else ["true"]  # fmt: skip


class SegmentFiles:
    """The files of a segment in memory, where rows take a tenth of the bytes of objects."""

    def __init__(self) -> None:
        self._files: dict[str, GrowingParquet] = {}

    def add(self, rows: Rows) -> None:
        """Add rows of tables."""
        for table, more in rows.items():
            if more:
                file = self._files.get(table)
                if file is None:
                    layout = LAYOUTS.get(table, USUAL)
                    file = self._files[table] = GrowingParquet(arrow_schema(table), layout)
                file.add(arrow_table(table, more))

    def write(self, storage: CatalogStorage, segment: str) -> list[str]:
        """Write the files, that of rows about files last; return their names."""
        written = []
        for table in [*(each for each in self._files if each != "files"), "files"]:
            file = self._files.pop(table, None)
            if file is not None:
                name = f"{PENDING}/{segment}-{table}.parquet"
                storage.write(name, file.taken())
                written.append(name)
        return written


def write_segment(storage: CatalogStorage, segment: str, rows: Rows) -> list[str]:
    """Write the rows of a segment, those about files last; return the names of the files."""
    files = SegmentFiles()
    files.add(rows)
    return files.write(storage, segment)


def _pieces(found: Iterable[ListedFile]) -> "Iterator[Any]":
    """Yield the list as tables of PyArrow."""
    import pyarrow as pa

    names = ("number", *ListedFile._fields)
    types = (pa.int64(), pa.string(), pa.string(), pa.string(), pa.int64(), pa.int64(),
             pa.binary())  # fmt: skip
    schema = pa.schema(list(zip(names, types, strict=True)))
    piece: list[tuple[Any, ...]] = []

    def made() -> Any:
        columns = zip(*piece, strict=True)
        arrays = [pa.array(each, kind) for each, kind in zip(columns, types, strict=True)]
        return pa.Table.from_arrays(arrays, schema=schema)

    for number, each in enumerate(found):
        piece.append((number, *each))
        if len(piece) == LISTED:
            yield made()
            piece.clear()
    if piece:
        yield made()


def _one(made: "duckdb.DuckDBPyConnection", query: str) -> Any:
    row = made.execute(query).fetchone()
    assert row is not None
    return row[0]
