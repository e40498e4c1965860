"""The rows of a run, from the segments that a scan has written.

The written files do not depend on how the scan was cut into segments, by how many processes, or how
often it was interrupted: rows are unique and sorted, and only those remain that belong to a file of
the list. DuckDB sorts, on disk if there is not enough memory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING

from ..tuples import NamedTuple
from .pending import PendingRun
from .sketches import KEY
from .storage import is_remote
from .store import (
    GROUP,
    Manifest,
    Run,
    RunFile,
    batches_of,
    current_files,
    library_version,
    save,
    stored,
    write_run,
)
from .tables import TABLES, column_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ScanResult", "merge"]

# Tables whose rows decide which rows of others are needed: that table, and the column.
FIRST = {
    "files": ("files", "path"),
    "contents": ("files", "content"),
    "places": ("contents", "content"),
    "shaders": ("places", "shader"),
}
CELLS = 1 << 17  # values that are sorted at once
RANGES = 64  # ranges of the first column of a table at most, since each reads all segments
READ = 8192  # rows that are taken from DuckDB at once: a part of a group
CHANGED = "is_changed"  # columns of rows of files while they are merged
REPLACES = "replaces_another"


class ScanResult(NamedTuple):
    """The changes that a scan made.

    Attributes:
        run: Number of the run that it added; None if nothing has changed.
        files: Number of files below the paths.
        read: Files that were read, in this and in interrupted scans.
        removed: Files of the catalogue that are not there any more.
        shaders: Shaders that the catalogue did not have.
        damaged: Damaged ones among them.
        failed: Files that could not be read, or not to their end.
    """

    run: int | None
    files: int
    read: int
    removed: int
    shaders: int
    damaged: int
    failed: int


def merge(pending: PendingRun, folders: Sequence[str]) -> tuple[Manifest, ScanResult]:
    """Write the files of the run, make it visible, and remove the segments.

    Args:
        pending: The run.
        folders: The folders all of whose files were listed.
    """
    made, storage, manifest = pending.connection, pending.storage, pending.manifest
    storage.refresh()
    pending.release()
    _prepare(pending, folders)
    number = manifest.next_number
    made_files: dict[str, tuple[RunFile, ...]] = {}
    new = {table: stored(storage, table, []) for table in TABLES}  # queries for rows of the run
    for table in (*FIRST, *(TABLES.keys() - FIRST.keys())):
        pending.release()
        made_files[table] = pending.patiently(partial(_written, pending, table, new))
        new[table] = stored(storage, table, [each.name for each in made_files[table]])
    storage.refresh()

    def count(query: str) -> int:
        return int(made.sql(query).fetchall()[0][0])

    removed = count(f"SELECT count(*) FROM {new['files']} WHERE removed")
    changed = bool(made_files["files"])
    result = ScanResult(
        number if changed else None,
        pending.files,
        count("SELECT count(*) FROM read"),
        removed,
        count(f"SELECT count(*) FROM {new['shaders']}"),
        count(f"SELECT count(*) FROM {new['shaders']} WHERE damage IS NOT NULL"),
        count(f"SELECT count(*) FROM {new['files']} WHERE error IS NOT NULL")
        + count(f"SELECT count(*) FROM {new['files']} AS file JOIN {new['contents']} AS inside"
                " USING (content) WHERE inside.error IS NOT NULL"),
    )  # fmt: skip
    if changed:
        written = {table: made_files[table] for table in TABLES if made_files[table]}
        run = Run(number, tuple(folders), pending.replaces, written)
        manifest = Manifest(manifest.quick, library_version(), (*manifest.runs, run))
        save(storage, manifest, pending.manifest)
    pending.remove()
    return manifest, result


def _written(pending: PendingRun, table: str, new: Mapping[str, str]) -> tuple[RunFile, ...]:
    """Write the files of a table in the run."""
    rows = _changed(pending) if table == "files" else _in_ranges(pending, table, new)
    number = pending.manifest.next_number
    whole = unique(rows, TABLES[table].sorted_by)
    return write_run(pending.storage, table, number, whole)


def unique(
    batches: "Iterable[pa.RecordBatch]", keys: Sequence[str], group: int = GROUP
) -> "Iterator[pa.Table]":
    """Yield sorted rows in groups, without those whose keys are those of the row before.

    Memory for a group is needed, whatever the number of rows. (`DISTINCT ON` of DuckDB keeps every
    value of every row in memory.)
    """
    import pyarrow as pa
    from pyarrow import compute

    last: tuple[object, ...] | None = None
    waiting: list[pa.Table] = []
    for batch in batches:
        table = pa.Table.from_batches([batch])
        if not table.num_rows:
            continue
        columns = [batch.column(key) for key in keys]
        differs = [compute.not_equal(each[1:], each[:-1]) for each in columns]
        kept = reduce(compute.or_, differs)
        first = pa.array([tuple(each[0].as_py() for each in columns) != last])
        last = tuple(each[-1].as_py() for each in columns)
        kept = pa.concat_arrays([first, kept])
        waiting.append(table if compute.all(kept).as_py() else table.filter(kept))
        if sum(each.num_rows for each in waiting) >= group:
            whole = pa.concat_tables(waiting)
            waiting, whole = [whole[group:]], whole[:group]
            whole = whole.combine_chunks()  # else pages depend on the batches
            yield whole
            del whole
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


def _changed(pending: PendingRun) -> "Iterator[pa.RecordBatch]":
    """Yield the sorted rows of files that are not those of the catalogue."""
    from pyarrow import compute

    for inside in pending.ranges:
        for each in batches_of(pending.connection, _files(inside), READ):
            changed = each.filter(each[CHANGED])
            if compute.any(changed[REPLACES]).as_py():
                pending.replaces = True
            yield changed.drop_columns([CHANGED, REPLACES])


def _in_ranges(
    pending: PendingRun, table: str, new: Mapping[str, str]
) -> "Iterator[pa.RecordBatch]":
    """Yield the sorted rows of a table, of one range of its first column after the other.

    That column is a hash, so that the ranges have about as many rows. DuckDB needs the more memory
    for sorting the more rows there are, and the wider they are.
    """
    made = pending.connection
    of = new["files"] if table == "paths" else pending.rows(table)
    count = made.sql(f"SELECT count(*) FROM {of}").fetchall()[0][0]
    most = 1 if is_remote(pending.storage.path("")) else RANGES  # segments would be fetched again
    ranges = min(-(-count * len(TABLES[table].columns) // CELLS), most)
    for number in range(ranges):
        inside = _range(TABLES[table].sorted_by[0], number, ranges)
        if table == "paths":
            rows = f"SELECT {_columns(table)} FROM {of} AS each WHERE content IS NOT NULL{inside}"
        else:
            rows = _rows(pending, table, new, inside)
        order = ", ".join(f'"{name}"' for name in _order(table))
        yield from batches_of(made, f"{rows} ORDER BY {order}", READ)


def _order(table: str) -> "Iterable[str]":
    return dict.fromkeys((*TABLES[table].sorted_by, *column_names(table)))


def _range(column: str, number: int, ranges: int) -> str:
    """Return the condition that a hash, in hexadecimal or of 64 bits, is in one of the ranges."""
    if ranges == 1:
        return ""
    bits, least = (64, -(1 << 63)) if column == "mark" else (32, 0)
    bounds = [least + (each << bits) // ranges for each in (number, number + 1)]
    first, after = (f"{each}" if column == "mark" else f"'{each:08x}'" for each in bounds)
    found = f' AND each."{column}" >= {first}'
    return found if number + 1 == ranges else f'{found} AND each."{column}" < {after}'


def _prepare(pending: PendingRun, folders: Sequence[str]) -> None:
    """Make tables of rows of files: those in the catalogue, those that were read or are gone.

    Each is a statement of its own, so that DuckDB needs the memory for one of them at a time.
    """
    before = current_files(pending.storage, pending.manifest)
    pending.create("current", lambda inside: f"SELECT * FROM {before} WHERE {inside}")
    segments = pending.rows("files")
    pending.create(
        "read",
        lambda inside: (
            f"SELECT * FROM (SELECT * FROM {segments} WHERE {inside}) AS each SEMI JOIN"
            f" (SELECT path, size, modified FROM listing WHERE {inside}) AS listed"
            " USING (path, size, modified)"
        ),
    )
    made = pending.connection
    made.execute("CREATE TABLE folders (folder VARCHAR)")
    if folders:
        made.executemany("INSERT INTO folders VALUES (?)", [[each] for each in folders])
    pending.create(
        "gone",
        lambda inside: (
            "SELECT * REPLACE (true AS removed, NULL AS content, NULL AS error)"
            f" FROM (SELECT * FROM current WHERE {inside}) AS old ANTI JOIN"
            f" (SELECT path FROM listing WHERE {inside}) AS listed USING (path) WHERE EXISTS"
            " (FROM folders WHERE folder = root OR starts_with(path, folder || '/'))"
        ),
    )


def _columns(table: str, of: str = "each") -> str:
    return ", ".join(f'{of}."{name}"' for name in column_names(table))


def _files(inside: str) -> str:
    """Return the query for the rows of files of a range that were read, or are gone."""
    differs = " OR ".join(
        f'each."{name}" IS DISTINCT FROM old."{name}"' for name in column_names("files")
    )
    return (
        f"SELECT {_columns('files')}, {differs} AS {CHANGED}, old.path IS NOT NULL AS {REPLACES}"
        f" FROM (SELECT * FROM read WHERE {inside}) AS each LEFT JOIN"
        f" (SELECT * FROM current WHERE {inside}) AS old ON each.path = old.path"
        f" UNION ALL SELECT {_columns('files')}, true, true FROM gone AS each WHERE {inside}"
        f" ORDER BY {', '.join(column_names('files'))}"
    )


def _rows(pending: PendingRun, table: str, new: Mapping[str, str], inside: str) -> str:
    """Return the query for the needed rows of a range that no earlier run contains."""
    needed, key = FIRST.get(table, ("shaders", "shader"))
    wanted, earlier = f"SELECT {key} FROM {new[needed]} AS each", ""
    if TABLES[table].sorted_by[0] == key:
        wanted += f" WHERE true{inside}"
    if table == "sketches":
        wanted, key = f"SELECT {KEY} AS key FROM {new[needed]}", "key"
    if table in FIRST:
        before = stored(pending.storage, table, pending.manifest.paths(table))
        earlier = f" ANTI JOIN {before} AS earlier USING ({key})"
    return (
        f"SELECT {_columns(table)} FROM {pending.rows(table)} AS each"
        f" SEMI JOIN ({wanted}) AS needed USING ({key}){earlier} WHERE true{inside}"
    )
