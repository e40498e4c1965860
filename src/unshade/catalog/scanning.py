"""A scan: the shaders in folders, archives and files become rows of a catalogue.

list ──► files that changed ──► contents ──► workers ──► segments ──► a run, made visible at once
         (size and time)        (SHA-256, once for all copies)
"""

import os
from collections.abc import Callable, Sequence
from hashlib import sha256

from .. import files
from ..errors import UsageError
from ..limits import DEFAULT, Limits
from .facts import Rows
from .listing import ListedFile, listed
from .merging import ScanResult, merge
from .pending import PendingRun
from .store import LOCK, Manifest, library_version, load, need_packages, remove_others, storable
from .workers import ContentResult, ContentTask, ScanSettings, ScanWorkers

__all__ = ["ScanResult", "scan"]

SMALL = 1 << 20  # bytes of a file that is read by the parent, which knows copies
BATCH = 32  # contents that a process gets at once
BATCH_SIZE = 4 << 20  # bytes of them
SEGMENT = 4096  # files of a segment
SEGMENT_ROWS = 400_000  # rows of a segment
SEEN = 200_000  # contents that the parent remembers


def scan(
    paths: Sequence[str],
    to: str,
    *,
    quick: bool = False,
    again: bool = False,
    limits: Limits = DEFAULT,
    jobs: int = 1,
    progress: Callable[[int, int], object] | None = None,
    tell: Callable[[str], object] = lambda problem: None,
) -> ScanResult:
    """Add the shaders in files to a catalogue, which is created if it does not exist.

    Files whose size and time are those of the catalogue are not read. Files below the paths that
    are not there any more leave it. A scan that is interrupted goes on when it is called again.

    Args:
        paths: Folders and files.
        to: The folder of the catalogue.
        quick: Leave out findings, operations, shapes and sketches.
        again: Read files again that have not changed.
        limits: Bounds on unpacking, for each file.
        jobs: The number of processes. A script that uses several must protect its main module, as
            for `multiprocessing`.
        progress: Takes the number of files that were read, and of all that have to be.
        tell: Takes a sentence about a folder that cannot be read.

    Raises:
        UsageError: A path does not exist, or the catalogue was made with another `quick`.
        UnsupportedError: PyArrow or DuckDB is not installed.
    """
    need_packages()
    given: object = paths
    if isinstance(given, str | os.PathLike):
        raise UsageError(f"expected a list of paths, got {type(given).__name__}")
    names = [os.path.normpath(os.fspath(each)) for each in paths]
    for each in names:
        if files.stamp(each) is None:
            raise UsageError(f"{each}: no such file or folder{files.similar(each)}")
    files.check_output(to)
    files.make_folder(to)
    with files.locked(os.path.join(to, LOCK)) as ours:
        if not ours:
            raise UsageError(f"{to}: another process scans into this catalogue")
        manifest = load(to) or Manifest(quick)
        if manifest.runs and manifest.quick != quick:
            kind = "a quick catalogue" if manifest.quick else "a catalogue that is not quick"
            raise UsageError(f"{to}: expected the settings of the first scan: it is {kind}")
        remove_others(to, manifest)
        return _scan(names, to, manifest, ScanSettings(quick, limits), again, jobs, progress, tell)


def _scan(
    paths: Sequence[str],
    to: str,
    manifest: Manifest,
    settings: ScanSettings,
    again: bool,
    jobs: int,
    progress: Callable[[int, int], object] | None,
    tell: Callable[[str], object],
) -> ScanResult:
    what = {
        "run": manifest.next_number,
        "paths": [storable(each) for each in paths],
        "quick": settings.quick,
        "again": again,
        "limits": repr(settings.limits),
        "unshade": library_version(),
    }
    pending = PendingRun(to, manifest, what)
    try:
        found = listed(paths, to, tell)
        total = pending.list(found, again)
        reading = _Reading(pending, total, progress)
        with ScanWorkers(settings, jobs, reading.take) as pool:
            for each in pending.todo():
                reading.read(each, pool)
            reading.send(pool)
        reading.flush()
        roots = dict.fromkeys(_root(each) for each in paths)
        return merge(pending, [*roots], settings.quick)[1]
    finally:
        pending.close()


def _root(path: str) -> str:
    root = path if os.path.isdir(path) else os.path.dirname(path) or os.curdir
    return storable(os.path.normpath(root)).replace(os.sep, "/")


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
        self.count = 0  # rows of the segment
        self.seen: dict[str, None] = {}
        self.waiting: dict[str, list[ListedFile]] = {}  # for the rows of their contents
        self.large: dict[str, ListedFile] = {}
        self.batch: list[ContentTask] = []
        self.size = 0

    def read(self, file: ListedFile, pool: ScanWorkers) -> None:
        """Read a file, or send it to be read."""
        if file.size > SMALL:
            self.large[file.place] = file
            self._give(ContentTask("", place=file.place), 0, pool)
            return
        try:
            with files.opened(file.place, protected=False) as opened:
                data = opened.read(SMALL + 1)
        except (OSError, ValueError) as error:
            self._file(file, None, files.reason(error))
            return
        if len(data) > SMALL:  # it has grown
            self.large[file.place] = file
            self._give(ContentTask("", place=file.place), 0, pool)
            return
        content = sha256(data).hexdigest()
        if content in self.seen:
            self._file(file, content)
        elif content in self.waiting:
            self.waiting[content].append(file)
        else:
            self.waiting[content] = [file]
            self._give(ContentTask(content, data), len(data), pool)

    def _give(self, task: ContentTask, size: int, pool: ScanWorkers) -> None:
        self.batch.append(task)
        self.size += size
        if len(self.batch) >= BATCH or self.size >= BATCH_SIZE or task.place:
            self.send(pool)

    def send(self, pool: ScanWorkers) -> None:
        """Send the contents that were collected."""
        batch, self.batch, self.size = self.batch, [], 0
        if batch:
            pool.give(batch)

    def take(self, tasks: Sequence[ContentTask], results: Sequence[ContentResult]) -> None:
        """Take the rows about contents, and about the files that have them."""
        for task, result in zip(tasks, results, strict=True):
            for table, more in result.rows.items():
                self.rows.setdefault(table, []).extend(more)
                self.count += len(more)
            if task.place:
                self._file(self.large.pop(task.place), result.content or None, result.error)
                continue
            self.seen[result.content] = None
            for each in self.waiting.pop(result.content):
                self._file(each, result.content)
        while len(self.seen) > SEEN:
            del self.seen[next(iter(self.seen))]

    def _file(self, file: ListedFile, content: str | None, error: str | None = None) -> None:
        row = (file.path, file.root, file.name, file.size, file.modified, content, error, False)
        self.rows.setdefault("files", []).append(row)
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)
        if len(self.rows["files"]) >= SEGMENT or self.count >= SEGMENT_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that were collected as a segment."""
        if self.rows.get("files"):
            self.pending.add(self.rows)
        self.rows, self.count = {}, 0
