"""The rows that a scan has read so far, and the work that is left of it.

    pending/scan.json                what is scanned, and how
    pending/000001-shaders.parquet   rows of a table, in segment 1
    pending/000001-files.parquet     written last: the segment is complete
    pending/work.duckdb              lists of this process alone, removed at its end

A segment has the rows of some thousand files. A scan that was ended by anything goes on from the
last complete segment; one with other settings starts anew.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .. import files
from .facts import Rows
from .listing import ListedFile
from .store import (
    Manifest,
    arrow_schema,
    arrow_table,
    current_files,
    encoded,
    stored,
)

if TYPE_CHECKING:
    import duckdb

__all__ = ["PENDING", "PendingRun"]

PENDING = "pending"
SETTINGS = "scan.json"
WORK = "work.duckdb"
SEGMENT = re.compile(r"([0-9]{6})-(\w+)\.parquet", re.ASCII)
LISTED = 50_000  # files that are listed at once
MEMORY = "256MB"  # of DuckDB, which writes the rest to its file


class PendingRun:
    """The run that a scan is about to add to a catalogue.

    Args:
        folder: The folder of the catalogue.
        manifest: The visible runs of the catalogue.
        settings: The paths and options of the scan, as plain data.
    """

    def __init__(self, folder: str, manifest: Manifest, settings: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.place = os.path.join(folder, PENDING)
        settings = json.loads(json.dumps(settings))
        if self._settings() != settings:
            files.remove_folder(self.place)
        files.make_folder(self.place)
        text = json.dumps(settings, indent=1)
        files.write_atomically(os.path.join(self.place, SETTINGS), text.encode(), in_place=True)
        self.segments = self._complete()
        self.connection = self._connect()

    def _settings(self) -> object:
        path = os.path.join(self.place, SETTINGS)
        if files.stamp(path) is None:
            return None
        try:
            return json.loads(files.read(path))
        except ValueError:
            return None

    def _complete(self) -> list[int]:
        """Return the numbers of the segments that are complete; remove what is left of others."""
        found: dict[int, set[str]] = {}
        for each in files.entries(self.place):
            match = SEGMENT.fullmatch(each.name)
            if match is not None:
                found.setdefault(int(match[1]), set()).add(match[2])
        for number, tables in found.items():
            if "files" not in tables:
                for table in tables:
                    files.remove_file(self._segment(number, table))
        return sorted(number for number, tables in found.items() if "files" in tables)

    def _segment(self, number: int, table: str) -> str:
        return os.path.join(self.place, f"{number:06}-{table}.parquet")

    def _connect(self) -> "duckdb.DuckDBPyConnection":
        import duckdb

        path = os.path.join(self.place, WORK)
        for each in (path, f"{path}.wal"):
            files.remove_file(each)
        files.remove_folder(f"{path}.tmp")
        return duckdb.connect(path, config={"memory_limit": MEMORY, "threads": 1})

    def close(self) -> None:
        """Close the lists, and keep the segments."""
        self.connection.close()

    def remove(self) -> None:
        """Remove everything, once the run is visible or has nothing new."""
        self.close()
        files.remove_folder(self.place)

    # ------------------------------------------------------------ lists

    def rows(self, table: str) -> str:
        """Return the query for the rows of a table in all complete segments."""
        paths = (self._segment(each, table) for each in self.segments)
        names = [os.path.relpath(each, self.folder) for each in paths if files.stamp(each)]
        return stored(self.folder, table, names)

    def list(self, found: Iterable[ListedFile], again: bool) -> int:
        """Take the list of all files; return the number of those that have to be read."""
        made = self.connection
        made.execute(
            "CREATE TABLE listing (number BIGINT, path VARCHAR, root VARCHAR, name VARCHAR,"
            " size BIGINT, modified BIGINT, raw BLOB)"
        )
        for rows in _pieces(found):
            made.execute("INSERT INTO listing SELECT * FROM rows")
            del rows
        known = [
            f"SELECT path, size, modified FROM {self.rows('files')}",
        ]
        if not again:
            current = current_files(self.folder, self.manifest)
            known.append(f"SELECT path, size, modified FROM {current} WHERE error IS NULL")
        made.execute(
            "CREATE TABLE todo AS SELECT * FROM"
            " (SELECT DISTINCT ON (path) * FROM listing ORDER BY path, number) AS each"
            f" ANTI JOIN ({' UNION ALL '.join(known)}) AS known USING (path, size, modified)"
            " ORDER BY number"
        )
        return int(_one(made, "SELECT count(*) FROM todo"))

    def todo(self) -> Iterator[ListedFile]:
        """Yield the files that have to be read."""
        query = "SELECT path, root, name, size, modified, raw FROM todo ORDER BY number"
        cursor = self.connection.cursor()
        reader = cursor.sql(query).to_arrow_reader(4096)
        for batch in reader:
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield ListedFile(*row)

    # ------------------------------------------------------------ segments

    def add(self, rows: Rows) -> None:
        """Write a segment."""
        number = self.segments[-1] + 1 if self.segments else 1
        for table in [*(each for each in rows if each != "files"), "files"]:
            if rows.get(table) or table == "files":
                data = encoded([arrow_table(table, rows.get(table, ()))], arrow_schema(table))
                files.write_atomically(self._segment(number, table), data, in_place=True)
        self.segments.append(number)


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
