"""The processes that read the contents of files.

    parent     reads small files, and sends contents that it has not seen
    workers    return the rows about them; large files they map themselves

A process that ends while it reads, killed for its memory or by a fault of an extension, loses only
the contents that were being read: each of these is read again alone, and contents that end a
process again get a row that records this.
"""

import gc
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from multiprocessing import get_context
from typing import TYPE_CHECKING, Protocol

from ..errors import UsageError
from ..limits import Limits, limit_memory
from ..tuples import NamedTuple
from .deadlines import Watch, end_late_process, watched
from .digests import DigestCache
from .facts import Rows, content_rows
from .listing import ListedFile
from .loading import ContentTask, load, reason, whole

if TYPE_CHECKING:
    from mmap import mmap

__all__ = ["ContentResult", "ScanBook", "ScanSettings", "ScanWorkers"]

KNOWN = 1 << 17  # shaders that a process remembers, 4 MB
WAITING = 3  # batches for each process, so that none waits for the parent
BATCH = 32  # contents that a process gets at once
BATCH_SIZE = 4 << 20  # bytes of them
COLLECTED = 50_000  # objects after which garbage is collected
ENDED = "the process that read it ended"
PROCESS = "process"  # in place of the class of an error


class ScanSettings(NamedTuple):
    """Settings that every process gets."""

    quick: bool
    limits: Limits


class ContentResult(NamedTuple):
    """The rows about contents, or the reason why a file could not be read."""

    content: str
    rows: Rows
    error: str | None = None


class ScanBook(Protocol):
    """The parent's knowledge of the contents that have been read."""

    def chosen(self, batch: Sequence[ListedFile], tasks: Sequence[ContentTask]) -> list[int]:
        """Take files and their contents; return the numbers of the contents to search."""

    def take(
        self,
        tasks: Sequence[ContentTask],
        results: Sequence[ContentResult],
        written: Sequence[str] = (),
    ) -> None:
        """Take the rows about contents, and the names of files of rows that were written."""


_done = DigestCache(KNOWN)  # shaders whose rows this process has returned
_changing = threading.Lock()


def remember(shaders: Iterable[str]) -> None:
    """Remember the shaders whose rows were returned."""
    with _changing:
        for each in shaders:
            _done.add(each)


def forget() -> None:
    """Forget the shaders whose rows were returned, before another scan."""
    with _changing:
        _done.clear()


def _begin(memory: int) -> None:
    """Prepare a process, which is watched; Ctrl-C is not its."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory, mapped=False)
    end_late_process()
    gc.set_threshold(COLLECTED)


def searched(
    settings: ScanSettings, tasks: Iterable[ContentTask], new: set[str]
) -> list[ContentResult]:
    """Return the results of tasks, without the shaders that this process knows already.

    Args:
        settings: The settings of the scan.
        tasks: The contents.
        new: Gets the shaders with rows, to be remembered when the rows are safe.
    """
    with watched() as watch, _rare_collections():
        return [_read(settings, each, new, watch) for each in tasks]


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Let the garbage be collected more rarely, as in the command line, in the block."""
    first, *more = gc.get_threshold()
    gc.set_threshold(max(first, COLLECTED), *more)
    try:
        yield
    finally:
        gc.set_threshold(first, *more)


def read_contents(settings: ScanSettings, tasks: Sequence[ContentTask]) -> list[ContentResult]:
    """Return the results of tasks, and remember their shaders."""
    new: set[str] = set()
    results = searched(settings, tasks, new)
    remember(new)
    return results


def _read(settings: ScanSettings, task: ContentTask, new: set[str], watch: Watch) -> ContentResult:
    if not task.place:
        return _rows(settings, task.content, task.data, new, watch)
    try:
        with whole(task.place) as data:
            return _rows(settings, sha256(data).hexdigest(), data, new, watch)
    except (OSError, ValueError, UsageError) as error:
        return ContentResult("", {}, reason(error))


def _rows(
    settings: ScanSettings, content: str, data: "bytes | mmap", new: set[str], watch: Watch
) -> ContentResult:
    rows = content_rows(
        content, data, quick=settings.quick, limits=settings.limits,
        known=lambda shader: shader in new or shader in _done, watch=watch,
    )  # fmt: skip
    new.update(row[0] for row in rows.get("shaders", ()))
    return ContentResult(content, rows)


class ScanWorkers:
    """Processes that read contents, or this process alone.

    Args:
        settings: Settings that every process gets.
        jobs: The number of processes.
        book: Chooses the contents to search, and takes each batch with its results, in any order.
    """

    size = 256  # files of a batch
    bytes = 16 << 20  # and their bytes

    def __init__(self, settings: ScanSettings, jobs: int, book: ScanBook) -> None:
        self.settings = settings
        self.jobs = jobs
        self.book = book
        self.running: deque[
            tuple[Sequence[ContentTask], Future[list[ContentResult]]]
        ] = deque()  # fmt: skip
        self.executor: ProcessPoolExecutor | None = None
        self._open = ExitStack()
        forget()

    def __enter__(self) -> "ScanWorkers":
        if self.jobs == 1:
            self._open.enter_context(_rare_collections())
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._open:
            if kind is None:
                self.finish()
            self._end()

    def _end(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor = None

    def _start(self) -> ProcessPoolExecutor:
        if self.executor is None:
            memory = (self.settings.limits.scan_memory,)
            self.executor = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin, memory)
        return self.executor

    def read(self, batch: Sequence[ListedFile]) -> None:
        """Read files: this process reads small ones, and leaves out the copies."""
        loaded = load(batch)
        ahead: list[ContentTask] = []
        size = 0
        for number in self.book.chosen(batch, loaded):
            task = loaded[number]
            ahead.append(task)
            size += len(task.data)
            if len(ahead) == BATCH or size > BATCH_SIZE or task.place:
                self.give(ahead)
                ahead, size = [], 0
        if ahead:
            self.give(ahead)

    def give(self, tasks: Sequence[ContentTask]) -> None:
        """Read a batch, now or soon."""
        if self.jobs == 1:
            self.book.take(tasks, read_contents(self.settings, tasks))
            return
        while len(self.running) >= self.jobs * WAITING:
            self._take_first()
        try:
            future = self._start().submit(read_contents, self.settings, tasks)
        except BrokenProcessPool:
            self._alone([*self._broken(), tasks])
            return
        self.running.append((tasks, future))

    def finish(self) -> None:
        """Wait for everything that is being read."""
        while self.running:
            self._take_first()

    def _take_first(self) -> None:
        tasks, future = self.running.popleft()
        try:
            results = future.result()
        except BrokenProcessPool:
            self._alone([tasks, *self._broken()])
            return
        self.book.take(tasks, results)

    def _broken(self) -> Iterator[Sequence[ContentTask]]:
        """Yield the batches that were lost with the processes, and take the finished batches."""
        while self.running:
            tasks, future = self.running.popleft()
            if future.done() and future.exception() is None:
                self.book.take(tasks, future.result())
            else:
                yield tasks

    def _alone(self, batches: Sequence[Sequence[ContentTask]]) -> None:
        """Read the contents of batches one after the other, each in a process that may end."""
        self._end()
        for tasks in batches:
            for each in tasks:
                try:
                    results = self._start().submit(read_contents, self.settings, [each]).result()
                except BrokenProcessPool:
                    self._end()
                    results = [ended(each)]
                self.book.take([each], results)


def ended(task: ContentTask) -> ContentResult:
    """Return the result for contents that end the process that reads them."""
    if task.place:
        return ContentResult("", {}, ENDED)
    row = (task.content, 0, PROCESS, ENDED)
    return ContentResult(task.content, {"contents": [row]})
