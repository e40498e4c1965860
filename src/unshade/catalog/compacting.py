"""The runs of a catalogue as one, without the rows that no file needs any more."""

import os

from .. import files
from ..errors import UsageError
from .pending import PENDING
from .store import (
    LOCK,
    Manifest,
    Run,
    batches_of,
    existing,
    need_packages,
    remove_others,
    save,
    visible,
    write_run,
)
from .tables import TABLES, column_names

__all__ = ["compact"]

MEMORY = "512MB"  # of DuckDB, which sorts the rest on disk


def compact(folder: str) -> Manifest:
    """Replace the runs of a catalogue by one, whose rows are those that are visible.

    Questions are answered faster, and what has left the catalogue leaves its folder. A catalogue
    of one run is left alone. The old files are removed after the new ones are visible.

    Raises:
        UsageError: There is no catalogue, or a scan into it is running or was interrupted.
    """
    need_packages()
    import duckdb

    with files.locked(os.path.join(folder, LOCK)) as ours:
        manifest = existing(folder)
        if not ours:
            raise UsageError(f"{folder}: another process scans into this catalogue")
        if files.stamp(os.path.join(folder, PENDING)) is not None:
            raise UsageError(f"{folder}: a scan was interrupted; call it again first")
        if len(manifest.runs) == 1:
            return manifest
        place = os.path.join(folder, PENDING)
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": MEMORY, "threads": 1, "temp_directory": place,
        }  # fmt: skip
        made = duckdb.connect(":memory:", config=settings)
        try:
            number = manifest.next_number
            written = {}
            for table, query in visible(os.path.realpath(folder), manifest).items():
                columns = ", ".join(f'"{each}"' for each in column_names(table))
                order = ", ".join(f'"{each}"' for each in TABLES[table].sorted_by)
                rows = batches_of(made, f"SELECT {columns} FROM {query} ORDER BY {order}")
                new = write_run(folder, table, number, rows)
                if new:
                    written[table] = new
        finally:
            made.close()
            files.remove_folder(place)
        roots = dict.fromkeys(root for run in manifest.runs for root in run.roots)
        run = Run(number, tuple(roots), False, written)
        manifest = Manifest(manifest.quick, manifest.version, (run,))
        save(folder, manifest)
        remove_others(folder, manifest)
    return manifest
