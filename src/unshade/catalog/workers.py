"""The processes that read the contents of files.

    parent     reads small files, and sends contents that it has not seen
    workers    return the rows about them; large files they map themselves

A process that ends while it reads, killed for its memory or by a fault of an extension, costs its
contents only: those that were being read are read again alone, and the one that ends a process
again gets a row that says so.
"""

import gc
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from .. import files
from ..limits import Limits
from .facts import Rows, content_rows

if TYPE_CHECKING:
    from mmap import mmap

__all__ = ["ContentTask", "ScanSettings", "ScanWorkers"]

KNOWN = 100_000  # shaders that a process remembers
WAITING = 3  # batches for each process, so that none waits for the parent


class ScanSettings(NamedTuple):
    """Settings that every process gets."""

    quick: bool
    limits: Limits


class ContentTask(NamedTuple):
    """Contents to read: the bytes, or the path of a large file."""

    content: str  # SHA-256; empty if it is not known yet
    data: bytes = b""
    place: str = ""


class ContentResult(NamedTuple):
    """The rows about contents, or the reason why a file could not be read."""

    content: str
    rows: Rows
    error: str | None = None


_done: dict[str, None] = {}  # shaders whose rows this process has returned


def _begin() -> None:
    """Prepare a process: rarer garbage collections, as in the command line; Ctrl-C is not its."""
    gc.set_threshold(50_000)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def read_contents(settings: ScanSettings, tasks: Sequence[ContentTask]) -> list[ContentResult]:
    """Return the results of tasks."""
    return [_read(settings, each) for each in tasks]


def _read(settings: ScanSettings, task: ContentTask) -> ContentResult:
    if not task.place:
        return _rows(settings, task.content, task.data)
    try:
        with files.opened(task.place, protected=False) as file:
            data = files.mapped(file)
            return _rows(settings, sha256(data).hexdigest(), data)
    except (OSError, ValueError) as error:
        return ContentResult("", {}, files.reason(error))


def _rows(settings: ScanSettings, content: str, data: "bytes | mmap") -> ContentResult:
    rows = content_rows(
        content, data, quick=settings.quick, limits=settings.limits, known=_done.__contains__
    )
    for each in rows.get("shaders", ()):
        _done[each[0]] = None
    while len(_done) > KNOWN:
        del _done[next(iter(_done))]
    return ContentResult(content, rows)


def forget() -> None:
    """Forget the shaders whose rows were returned, before another scan."""
    _done.clear()


class ScanWorkers:
    """Processes that read contents, or this process alone.

    Args:
        settings: Settings that every process gets.
        jobs: The number of processes.
        take: Takes each batch with its results, in any order.
    """

    def __init__(
        self,
        settings: ScanSettings,
        jobs: int,
        take: Callable[[Sequence[ContentTask], list[ContentResult]], None],
    ) -> None:
        self.settings = settings
        self.jobs = jobs
        self.take = take
        self.running: deque[
            tuple[Sequence[ContentTask], Future[list[ContentResult]]]
        ] = deque()  # fmt: skip
        self.executor: ProcessPoolExecutor | None = None
        forget()

    def __enter__(self) -> "ScanWorkers":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.finish()
        self._end()

    def _end(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor = None

    def _start(self) -> ProcessPoolExecutor:
        if self.executor is None:
            self.executor = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin)
        return self.executor

    def give(self, tasks: Sequence[ContentTask]) -> None:
        """Read a batch, now or soon."""
        if self.jobs == 1:
            self.take(tasks, read_contents(self.settings, tasks))
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
        self.take(tasks, results)

    def _broken(self) -> Iterator[Sequence[ContentTask]]:
        """Yield the batches that were lost with the processes, and take those that were not."""
        while self.running:
            tasks, future = self.running.popleft()
            if future.done() and future.exception() is None:
                self.take(tasks, future.result())
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
                    results = [_ended(each)]
                self.take([each], results)


def _ended(task: ContentTask) -> ContentResult:
    """Return the result for contents that end the process that reads them."""
    problem = "the process that read it ended"
    if task.place:
        return ContentResult("", {}, problem)
    row = (task.content, 0, "ProcessError", problem)
    return ContentResult(task.content, {"contents": [row]})
