"""A scan: the shaders in folders, archives and files become rows of a catalogue.

list ──► files that changed ──► contents ──► workers ──► segments ──► a run, made visible at once
         (size and time)        (SHA-256, once for all copies)
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import files
from ..errors import UsageError
from ..limits import DEFAULT, Limits
from .digests import DigestCache
from .facts import Rows
from .listing import ListedFile, folders_of, listed, normal
from .loading import ContentTask
from .merging import ScanResult, merge
from .pending import PendingRun
from .storage import is_remote, storage_of
from .store import (
    Manifest,
    library_version,
    load,
    need_packages,
    remove_others,
    sparing_memory,
    storable,
)
from .workers import ContentResult, ScanBook, ScanSettings, ScanWorkers

if TYPE_CHECKING:
    from .cluster import DaskWorkers

__all__ = ["ScanResult", "scan"]

SEGMENT = 4096  # files of a segment
SEGMENT_ROWS = 400_000  # rows of a segment
PIECE_ROWS = 50_000  # rows that are objects at once
CHANGED = "it changed while it was read"
SEEN = 1 << 18  # contents that the parent remembers, 8 MB


def scan(
    paths: Sequence[str],
    to: str,
    *,
    quick: bool = False,
    again: bool = False,
    limits: Limits = DEFAULT,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int, int], object] | None = None,
    tell: Callable[[str], object] = lambda problem: None,
) -> ScanResult:
    """Add the shaders in files to a catalogue, which is created if it does not exist.

    Files whose size and time are those of the catalogue are not read. Files below the paths that no
    longer exist are removed from the catalogue. A scan that is interrupted goes on when it is
    called again.

    Args:
        paths: Folders and files, of this machine or as URLs of object stores.
        to: The folder of the catalogue, or its URL.
        quick: Leave out findings, operations, shapes and sketches.
        again: Read files again that have not changed.
        limits: Bounds on unpacking, for each file.
        jobs: The number of processes. A script that uses several must protect its main module, as
            for `multiprocessing`.
        scheduler: Address of the scheduler of a Dask cluster, whose workers read the files and
            write the rows; `local` starts one of `jobs` processes.
        progress: Takes the number of files that were read, and of all that have to be.
        tell: Takes a sentence about a folder that cannot be read.

    Raises:
        UsageError: A path does not exist, or the catalogue was made with another `quick`.
        UnsupportedError: PyArrow, DuckDB or NumPy is not installed.
    """
    need_packages()
    given: object = paths
    if isinstance(given, str | os.PathLike):
        raise UsageError(f"expected a list of paths, got {type(given).__name__}")
    names = [normal(os.fspath(each)) for each in paths]
    for each in names:
        if not is_remote(each) and files.stamp(each) is None:
            raise UsageError(f"{each}: no such file or folder{files.similar(each)}")
    storage = storage_of(to)
    storage.prepare()
    with storage.locked() as ours, sparing_memory():
        if not ours:
            raise UsageError(f"{to}: another process scans into this catalogue")
        manifest = load(storage) or Manifest(quick)
        if manifest.runs and manifest.quick != quick:
            kind = "a quick catalogue" if manifest.quick else "a catalogue that is not quick"
            raise UsageError(f"{to}: expected the settings of the first scan: it is {kind}")
        remove_others(storage, manifest)
        settings = ScanSettings(quick, limits)

        def pool(book: ScanBook) -> "ScanWorkers | DaskWorkers":
            if scheduler is None:
                return ScanWorkers(settings, jobs, book)
            from .cluster import DaskWorkers

            return DaskWorkers(settings, scheduler, jobs, to, book)

        what = _described(manifest.next_number, names, settings, again)
        pending = PendingRun(storage, manifest, what)
        return _scan(names, to, pending, again, pool, progress, tell)


def _described(
    number: int, paths: Sequence[str], settings: ScanSettings, again: bool
) -> dict[str, Any]:
    """Return the settings of a scan as plain data."""
    return {
        "run": number,
        "paths": [storable(each) for each in paths],
        "quick": settings.quick,
        "again": again,
        "limits": repr(settings.limits),
        "unshade": library_version(),
    }


def _scan(
    paths: Sequence[str],
    to: str,
    pending: PendingRun,
    again: bool,
    pool: "Callable[[ScanBook], ScanWorkers | DaskWorkers]",
    progress: Callable[[int, int], object] | None,
    tell: Callable[[str], object],
) -> ScanResult:
    import duckdb

    try:
        total = pending.list(listed(paths, to, tell), again)
        pending.release()
        book = _Reading(pending, total, progress)
        with pool(book) as workers:
            for batch in _batches(pending.todo(), workers.size, workers.bytes):
                workers.read(batch)
        book.flush()
        return merge(pending, [*dict.fromkeys(folders_of(paths))])[1]
    except duckdb.Error as error:
        raise UsageError(f"{to}: the rows that were read cannot be joined: {error}") from error
    finally:
        pending.close()


def _batches(todo: Iterator[ListedFile], most: int, size: int) -> Iterator[list[ListedFile]]:
    """Yield files in batches of at most so many, which end at so many bytes."""
    batch: list[ListedFile] = []
    sizes = 0
    for each in todo:
        batch.append(each)
        sizes += each.size
        if len(batch) == most or sizes >= size:
            yield batch
            batch, sizes = [], 0
    if batch:
        yield batch


class _Reading:
    """The state of a scan: what is known, what is being read, and the rows of the next segment."""

    def __init__(
        self, pending: PendingRun, total: int, progress: Callable[[int, int], object] | None
    ) -> None:
        self.pending = pending
        self.total = total
        self.progress = progress
        self.done = 0
        self.rows: Rows = {}
        self.files = 0  # of the segment
        self.count = 0  # rows of the segment
        self.waits = 0  # those among them that are objects
        self.seen = DigestCache(SEEN)
        self.waiting: dict[str, list[ListedFile]] = {}  # for the rows of their contents
        self.large: dict[str, ListedFile] = {}

    def chosen(self, batch: Sequence[ListedFile], tasks: Sequence[ContentTask]) -> list[int]:
        """Take files and their contents; return the numbers of the contents to search."""
        wanted = []
        for number, (file, task) in enumerate(zip(batch, tasks, strict=True)):
            if task.error is not None:
                self._file(file, None, task.error)
            elif task.place:
                self.large[task.place] = file
                wanted.append(number)
            elif task.content in self.seen:
                self._file(file, task.content)
            elif task.content in self.waiting:
                self.waiting[task.content].append(file)
            else:
                self.waiting[task.content] = [file]
                wanted.append(number)
        return wanted

    def take(
        self,
        tasks: Sequence[ContentTask],
        results: Sequence[ContentResult],
        written: Sequence[str] = (),
    ) -> None:
        """Take the rows about contents, and the names of files of rows that were written."""
        self.pending.written(written)
        for task, result in zip(tasks, results, strict=True):
            for table, more in result.rows.items():
                self.rows.setdefault(table, []).extend(more)
                self.count += len(more)
                self.waits += len(more)
            if task.place:
                self._file(self.large.pop(task.place), result.content or None, result.error)
                continue
            same = result.content == task.content  # else a worker has read it again
            if same:
                self.seen.add(result.content)
            for each in self.waiting.pop(task.content):
                self._file(each, result.content if same else None, None if same else CHANGED)

    def _file(self, file: ListedFile, content: str | None, error: str | None = None) -> None:
        row = (file.path, file.root, file.name, file.size, file.modified, content, error, False)
        self.rows.setdefault("files", []).append(row)
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)
        self.files += 1
        if self.files >= SEGMENT or self.count >= SEGMENT_ROWS:
            self.flush()
        elif self.waits >= PIECE_ROWS:
            self._keep()

    def _keep(self) -> None:
        self.pending.keep(self.rows)
        self.rows, self.waits = {}, 0

    def flush(self) -> None:
        """Write the rows that were collected as a segment."""
        self._keep()
        if self.files:
            self.pending.add()
        self.files = self.count = 0
