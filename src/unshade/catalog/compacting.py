"""The runs of a catalogue as one, without the rows that no file needs any more."""

from ..errors import UsageError
from .pending import PENDING
from .storage import storage_of
from .store import (
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

    Queries become faster, and rows that have left the catalogue are removed from its folder. A
    catalogue of one run is left alone. The old files are removed after the new ones are visible.

    Raises:
        UsageError: There is no catalogue, or a scan into it is running or was interrupted.
    """
    need_packages()
    import duckdb

    storage = storage_of(folder)
    with storage.locked() as ours:
        before = existing(storage, folder)
        if not ours:
            raise UsageError(f"{folder}: another process scans into this catalogue")
        if storage.names(PENDING):
            raise UsageError(f"{folder}: a scan was interrupted; call it again first")
        if len(before.runs) == 1:
            return before
        number = before.next_number
        written = {}
        with (
            storage.scratch(PENDING) as place,
            duckdb.connect(
                ":memory:", config={"memory_limit": MEMORY, "threads": 1, "temp_directory": place}
            ) as made,
        ):
            storage.attach(made)
            for table, query in visible(storage, before).items():
                columns = ", ".join(f'"{each}"' for each in column_names(table))
                order = ", ".join(f'"{each}"' for each in TABLES[table].sorted_by)
                rows = batches_of(made, f"SELECT {columns} FROM {query} ORDER BY {order}")
                new = write_run(storage, table, number, rows)
                if new:
                    written[table] = new
        storage.remove_folder(PENDING)
        roots = dict.fromkeys(root for run in before.runs for root in run.roots)
        run = Run(number, tuple(roots), False, written)
        manifest = Manifest(before.quick, before.version, (run,))
        save(storage, manifest, before)
        remove_others(storage, manifest)
    return manifest
