"""The worker processes of a command line, as the parent sees them (jobs.py)."""

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from .. import exits
from .messages import Outcome, Start

AHEAD = 4  # chunks per worker that are sent before the first is done
CHUNK = 16  # most inputs in a chunk


class WorkerProcess:
    """A process that handles inputs."""

    def __init__(self, start: Start) -> None:
        # The path is an argument, so that the process imports this package from where it is here.
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; from {__package__}.worker import main; main()"
        )
        environment: Mapping[str, str] = os.environ
        if start.terminal:
            from shutil import get_terminal_size

            size = get_terminal_size()
            environment = {**os.environ, "COLUMNS": str(size.columns), "LINES": str(size.lines)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
        )  # fmt: skip
        self._send(start)

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def outcomes(self, items: Sequence[Any]) -> list[Outcome]:
        """Return the outcome of each input; raise EOFError or OSError if the process ends."""
        assert self._process.stdout is not None
        self._send(items)
        found: list[Outcome] = pickle.load(self._process.stdout)
        return found

    def ended(self) -> str:
        """Return how the process ended."""
        code = self._process.wait()
        return f"by signal {-code}" if code < 0 else f"with exit code {code}"

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes to a process that has ended."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent cannot be
                    pipe.close()


class WorkerPool:
    """The workers of one command line, as a context: leaving it ends them."""

    def __init__(self, start: Start, count: int, total: int) -> None:
        self._start = start
        self._count = count
        self._size = max(1, min(CHUNK, total // (count * AHEAD)))
        self._idle: SimpleQueue[WorkerProcess | None] = SimpleQueue()
        self._workers: list[WorkerProcess] = []
        self._closed = False
        for _ in range(count):
            self._idle.put(None)
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:  # those started meanwhile, too
            worker.end()
            worker.close()

    def outcomes(self, items: Iterable[Any]) -> Iterator[Outcome]:
        """Yield the outcome of each input, in order."""
        items = iter(items)
        waiting: deque[Future[list[Outcome]]] = deque()
        while chunk := list(islice(items, self._size)):
            waiting.append(self._threads.submit(self._outcomes, chunk))
            if len(waiting) >= AHEAD * self._count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _outcomes(self, items: list[Any]) -> list[Outcome]:
        """Return the outcomes of one chunk; called in a thread."""
        worker = self._idle.get()
        try:
            if worker is None:
                worker = WorkerProcess(self._start)
                self._workers.append(worker)
            found = worker.outcomes(items)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self._idle.put(None)
            if self._closed:
                return []
            if len(items) > 1:  # one of them ended it: which one is found by trying each
                return [outcome for each in items for outcome in self._outcomes([each])]
            reason = str(error) if worker is None else f"its process ended {worker.ended()}"
            text = f"unshade: {items[0].name}: not processed: {reason}"
            return [Outcome(exits.BUG, (("tell", (text, "\n")),))]
        self._idle.put(worker)
        return found
