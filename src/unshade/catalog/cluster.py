"""A scan by the workers of a Dask cluster, on this machine or on many.

    this process       a worker                            the storage
    a batch of files ─► load: bytes and hashes
    which are new?   ◄─ hashes
    their numbers    ─► search, and write the rows       ─► pending/8c5f…-shaders.parquet
    read             ◄─ names of what was written
    the files, once their contents are complete          ─► pending/000001-files.parquet

Bytes stay where they were read, and rows go from the worker to the storage. If a worker dies, Dask
gives its batches to other workers. Batches that end several workers are searched again at the end,
one after the other and in smaller batches, until contents that end a worker alone are recorded in a
row.
"""

import secrets
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..errors import UnshadeError, UsageError, not_installed
from ..tuples import NamedTuple
from .facts import Rows
from .listing import ListedFile
from .loading import ContentTask, load
from .pending import write_segment
from .storage import storage_of
from .store import library_version
from .workers import (
    ENDED,
    ContentResult,
    ScanBook,
    ScanSettings,
    ended,
    forget,
    remember,
    searched,
)

__all__ = ["DaskWorkers"]

Future = Any  # of distributed, whose functions have no types
LOCAL = "local"
AHEAD = 2  # batches for each thread of a worker, so that none waits for this process
PARTS = 8  # batches that a batch becomes if it ends the workers
CONNECT = 20  # s
QUIET = {  # what a cluster of this machine does besides: it is not shown to anybody
    "distributed.worker.profile.enabled": False,  # looks at the stack every 10 ms
    "distributed.admin.tick.interval": "1s",  # 20 ms
    "distributed.admin.system-monitor.interval": "10s",  # 500 ms
    "distributed.worker.memory.monitor-interval": "1s",  # 100 ms
}

_scan = ""  # that this process remembers the shaders of


class ScanBatch(NamedTuple):
    """Files whose contents a worker has read, or is about to read."""

    files: Sequence[ListedFile]
    loaded: Future  # the contents, on a worker


class SearchedBatch(NamedTuple):
    """Contents that a worker searches."""

    files: Sequence[ListedFile]
    loaded: Future
    numbers: Sequence[int]  # of the contents that are searched
    tasks: Sequence[ContentTask]  # these, without their bytes


def version_of_worker() -> str:
    """Return the version of this library, on a worker."""
    return library_version()


def heads(tasks: Sequence[ContentTask]) -> list[ContentTask]:
    """Return contents without their bytes."""
    return [each._replace(data=b"") for each in tasks]


def write_contents(
    scan: str, settings: ScanSettings, to: str, tasks: Sequence[ContentTask], numbers: Sequence[int]
) -> tuple[list[ContentResult], list[str]]:
    """Search contents and write their rows; return results without rows, and names of files."""
    global _scan  # noqa: PLW0603  of the process, which outlives a scan
    if _scan != scan:
        forget()
        _scan = scan
    new: set[str] = set()
    rows: Rows = {}
    results = []
    for each in searched(settings, [tasks[number] for number in numbers], new):
        for table, more in each.rows.items():
            rows.setdefault(table, []).extend(more)
        results.append(each._replace(rows={}))
    written = write_segment(storage_of(to), secrets.token_hex(8), rows)
    remember(new)
    return results, written


class DaskWorkers:
    """The workers of a cluster, which read batches of files.

    Args:
        settings: Settings that every process gets.
        address: Address of the scheduler, or `local`.
        jobs: The number of processes of a local cluster.
        to: The folder of the catalogue, which the workers write to.
        book: Chooses the contents to search, and takes each batch with its results, in any order.
    """

    size = 500  # files of a batch
    bytes = 64 << 20  # and their bytes

    def __init__(
        self, settings: ScanSettings, address: str, jobs: int, to: str, book: ScanBook
    ) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise not_installed("a cluster", "Dask", "dask") from None
        self.settings = settings
        self.to = to
        self.book = book
        self.scan = secrets.token_hex(8)
        self.cluster: Any = None
        self.client: Any = None
        self.batches: dict[Future, ScanBatch | SearchedBatch] = {}
        self.suspects: list[ScanBatch | SearchedBatch] = []
        try:
            with import_module("dask").config.set(QUIET if address == LOCAL else {}):
                if address == LOCAL:
                    self.cluster = distributed.LocalCluster(
                        n_workers=jobs, threads_per_worker=1, processes=True,
                        dashboard_address=None, silence_logs=50,
                    )  # fmt: skip
                self.client = distributed.Client(
                    address if self.cluster is None else self.cluster, timeout=CONNECT,
                    set_as_default=False,
                )  # fmt: skip
            self.client.wait_for_workers(1, timeout=CONNECT)
        except (OSError, ValueError) as error:
            self._end()
            reason = str(error) or type(error).__name__
            raise UsageError(f"{address}: expected a scheduler of Dask: {reason}") from None
        self.completed = distributed.as_completed([], loop=self.client.loop)

    def __enter__(self) -> "DaskWorkers":
        try:
            self._check()
        except BaseException:
            self._end()
            raise
        return self

    def _check(self) -> None:
        """Raise UsageError unless the workers have this version of the library."""
        ours = library_version()
        for worker, version in self.client.run(version_of_worker).items():
            if version != ours:
                raise UsageError(f"{worker}: expected unshade {ours}, got {version}")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self._end()

    def _end(self) -> None:
        if self.client is not None:
            self.client.cancel([*self.batches])
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()

    def read(self, batch: Sequence[ListedFile]) -> None:
        """Give a batch of files to a worker, once one has little to do."""
        while len(self.batches) >= AHEAD * max(sum(self.client.nthreads().values()), 1):
            self._take_next()
        self._load(batch)

    def _load(self, batch: Sequence[ListedFile]) -> None:
        loaded = self.client.submit(load, batch, pure=False)
        known = self.client.submit(heads, loaded, pure=False, priority=1)
        self.batches[known] = ScanBatch(batch, loaded)
        self.completed.add(known)

    def _take_next(self) -> None:
        future = next(self.completed)
        batch = self.batches.pop(future)
        if future.status != "finished":
            self._failed(future, batch)
        elif isinstance(batch, ScanBatch):
            tasks = future.result()
            numbers = self.book.chosen(batch.files, tasks)
            if numbers:
                heads_of = [tasks[number] for number in numbers]
                self._search(SearchedBatch(batch.files, batch.loaded, numbers, heads_of))
        else:
            results, written = future.result()
            self.book.take(batch.tasks, results, written)

    def _search(self, batch: SearchedBatch) -> None:
        future = self.client.submit(
            write_contents, self.scan, self.settings, self.to, batch.loaded, batch.numbers,
            pure=False, priority=2,
        )  # fmt: skip
        self.batches[future] = batch
        self.completed.add(future)

    def _failed(self, future: Future, batch: ScanBatch | SearchedBatch) -> None:
        """Put a batch whose workers died aside, or raise the error of a worker."""
        error: object = future.exception()
        if type(error).__name__ == "KilledWorker":
            self.suspects.append(batch)
        elif isinstance(error, UnshadeError):
            raise error
        else:
            raise UsageError(f"a worker of Dask ended with {type(error).__name__}: {error}")

    def finish(self) -> None:
        """Wait for everything that is being read."""
        while self.batches:
            self._take_next()
        suspects, self.suspects = self.suspects, []
        while suspects:  # one after the other: any batch of a worker that dies is suspected
            self._again(suspects.pop())
            while self.batches:
                self._take_next()
            for batch in self.suspects:
                suspects += self._cut(batch)
            self.suspects = []

    def _again(self, batch: ScanBatch | SearchedBatch) -> None:
        if isinstance(batch, ScanBatch):
            self._load(batch.files)
        else:
            loaded = self.client.submit(load, batch.files, pure=False)
            self._search(batch._replace(loaded=loaded))

    def _cut(self, batch: ScanBatch | SearchedBatch) -> list[ScanBatch | SearchedBatch]:
        """Return the pieces of a batch that ends workers; a single one gets its row."""
        if isinstance(batch, ScanBatch):
            if len(batch.files) > 1:
                pieces = _pieces(len(batch.files))
                return [batch._replace(files=batch.files[some]) for some in pieces]
            self.book.chosen(batch.files, [ContentTask("", error=ENDED)])
            return []
        if len(batch.tasks) > 1:
            return [
                batch._replace(numbers=batch.numbers[some], tasks=batch.tasks[some])
                for some in _pieces(len(batch.tasks))
            ]
        self.book.take(batch.tasks, [ended(batch.tasks[0])])
        return []


def _pieces(count: int) -> list[slice]:
    """Return the pieces of a batch that is cut."""
    size = -(-count // PARTS)
    return [slice(first, first + size) for first in range(0, count, size)]
