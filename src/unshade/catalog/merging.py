"""The rows of a run, from the segments that a scan has written.

The written files do not depend on how the scan was cut into segments, by how many processes, or how
often it was interrupted: rows are unique and sorted, and only those remain that belong to a file of
the list. DuckDB sorts, on disk if there is not enough memory.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .pending import PendingRun
from .sketches import KEY
from .store import (
    Manifest,
    Run,
    batches_of,
    current_files,
    library_version,
    save,
    stored,
    write_run,
)
from .tables import TABLES, column_names

__all__ = ["ScanResult", "merge"]


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


def merge(pending: PendingRun, roots: Sequence[str]) -> tuple[Manifest, ScanResult]:
    """Write the files of the run, make it visible, and remove the segments."""
    made, storage, manifest = pending.connection, pending.storage, pending.manifest
    storage.refresh()
    _new_files(pending, roots)
    for table in ("contents", "places", "shaders"):
        _new_rows(pending, table)
    number = manifest.next_number
    written = {}
    for table, each in TABLES.items():
        order = ", ".join(f'"{name}"' for name in each.sorted_by)
        columns = ", ".join(f'"{name}"' for name in column_names(table))
        if table in ("files", "contents", "shaders", "places"):
            source = f"SELECT {columns} FROM new_{table}"
        else:
            key, wanted = ("key", f"{KEY} AS key") if table == "sketches" else ("shader", "shader")
            source = (
                f"SELECT DISTINCT ON ({order}) {columns} FROM {pending.rows(table)} AS each"
                f" SEMI JOIN (SELECT {wanted} FROM new_shaders) AS needed USING ({key})"
                f" ORDER BY {order}, {columns}"
            )
        rows = batches_of(made, f"SELECT * FROM ({source}) ORDER BY {order}")
        made_files = write_run(storage, table, number, rows)
        if made_files:
            written[table] = made_files

    def count(query: str) -> int:
        return int(made.sql(query).fetchall()[0][0])

    removed = count("SELECT count(*) FROM new_files WHERE removed")
    replaces = count("SELECT count(*) FROM new_files SEMI JOIN current USING (path)") > 0
    changed = bool(written.get("files"))
    result = ScanResult(
        number if changed else None,
        count("SELECT count(DISTINCT path) FROM listing"),
        count(f"SELECT count(*) FROM {pending.rows('files')} AS each SEMI JOIN listing"
              " USING (path, size, modified)"),
        removed,
        count("SELECT count(*) FROM new_shaders"),
        count("SELECT count(*) FROM new_shaders WHERE damage IS NOT NULL"),
        count("SELECT count(*) FROM new_files WHERE error IS NOT NULL")
        + count("SELECT count(*) FROM new_files JOIN new_contents USING (content)"
                " WHERE new_contents.error IS NOT NULL"),
    )  # fmt: skip
    if changed:
        run = Run(number, tuple(roots), replaces, written)
        manifest = Manifest(manifest.quick, library_version(), (*manifest.runs, run))
        save(storage, manifest, pending.manifest)
    pending.remove()
    return manifest, result


def _new_files(pending: PendingRun, roots: Sequence[str]) -> None:
    """Make the table of the rows of files that are new, that have changed, or are gone."""
    made = pending.connection
    columns = ", ".join(f'"{name}"' for name in column_names("files"))
    made.execute(
        f"CREATE TABLE current AS SELECT * FROM {current_files(pending.storage, pending.manifest)}"
    )
    made.execute(
        f"CREATE TABLE new_files AS SELECT {columns} FROM"
        f" (SELECT DISTINCT ON (path) {columns} FROM {pending.rows('files')} AS each"
        " SEMI JOIN listing USING (path, size, modified)"
        f" ORDER BY path, {columns})"
        f" EXCEPT SELECT {columns} FROM current"
    )
    made.execute("CREATE TABLE roots (root VARCHAR)")
    made.executemany("INSERT INTO roots VALUES (?)", [[each] for each in roots])
    made.execute(
        f"INSERT INTO new_files SELECT {columns} FROM"
        " (SELECT * REPLACE (true AS removed, NULL AS content, NULL AS error) FROM current"
        " SEMI JOIN roots USING (root) ANTI JOIN listing USING (path))"
    )


def _new_rows(pending: PendingRun, table: str) -> None:
    """Make the table of the needed rows that no earlier run contains."""
    made = pending.connection
    order = ", ".join(TABLES[table].sorted_by)
    columns = ", ".join(f'"{name}"' for name in column_names(table))
    needed, key = {
        "contents": ("SELECT DISTINCT content FROM new_files", "content"),
        "places": ("SELECT content FROM new_contents", "content"),
        "shaders": ("SELECT DISTINCT shader FROM new_places", "shader"),
    }[table]
    earlier = stored(pending.storage, table, pending.manifest.paths(table))
    made.execute(
        f"CREATE TABLE new_{table} AS SELECT DISTINCT ON ({order}) {columns}"
        f" FROM {pending.rows(table)} AS each SEMI JOIN ({needed}) AS needed USING ({key})"
        f" ANTI JOIN {earlier} AS earlier USING ({key}) ORDER BY {order}, {columns}"
    )
