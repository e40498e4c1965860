"""One run at a time, in a process that is ended when its time is over.

A waiting request is dropped when the same client sends a newer request of its kind, such as the
next picture while a slider moves; so is a running request, unless it has only just begun, since it
may end before another process has started.
"""

import time
from collections.abc import Callable
from threading import Condition, Timer
from typing import Protocol

from ...tuples import NamedTuple
from .bodies import LiveRequest

__all__ = ["LiveAnswer", "LiveProcess", "Runs"]

SECONDS = 20.0  # of a run
GRACE = 1.0  # seconds that an outdated run may still take
WAITING = 8  # requests
LARGEST = 64 << 20  # bytes of an answer


class LiveAnswer(NamedTuple):
    """The answer to a request: JSON, and the status of HTTP."""

    status: int
    data: bytes | dict[str, object]


class LiveProcess(Protocol):
    """A process that opens and runs the files named on the command line."""

    def ask(self, request: LiveRequest) -> LiveAnswer:
        """Answer a request; raise EOFError or OSError if the process has ended."""

    def end(self) -> None:
        """End the process at once; called in another thread than `ask`, too."""


class Runs:
    """The runs of one server; `start` makes a process."""

    def __init__(self, start: Callable[[], LiveProcess], seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._start = start
        self._process: LiveProcess | None = None
        self._turn = Condition()
        self._latest: dict[tuple[str, str], object] = {}  # the ticket of each client and kind
        self._running: object = None
        self._since = 0.0
        self._waiting = 0
        self._reason = ""  # why the process was ended
        self._closed = False

    def ask(self, request: LiveRequest) -> LiveAnswer:
        """Run a request when its turn comes, and return its answer."""
        key = request.client, request.kind
        ticket = object()
        with self._turn:
            if self._waiting >= WAITING:
                return _failed(503, "too many requests wait for their turn")
            before = self._latest.get(key)
            self._latest[key] = ticket
            if before is not None:
                self._turn.notify_all()
                if before is self._running and time.monotonic() - self._since > GRACE:
                    self._end("a newer request took its place")
            self._waiting += 1
            outdated = self._wait(key, ticket)
            self._waiting -= 1
            if outdated:
                return outdated
            self._running, self._since, self._reason = ticket, time.monotonic(), ""
        timer = Timer(self.seconds, self._late, [ticket])
        timer.daemon = True
        timer.start()
        try:
            return self._run(request)
        finally:
            timer.cancel()
            with self._turn:
                self._running = None
                if self._latest.get(key) is ticket:
                    del self._latest[key]
                self._turn.notify_all()

    def _wait(self, key: tuple[str, str], ticket: object) -> LiveAnswer | None:
        """Wait for the turn; return an answer if it does not come."""
        while self._running is not None or self._closed:
            if self._closed:
                return _failed(503, "the server ends")
            self._turn.wait()
            if self._latest.get(key) is not ticket:
                return _failed(409, "a newer request took its place")
        return None

    def _run(self, request: LiveRequest) -> LiveAnswer:
        try:
            with self._turn:
                if self._closed:
                    return _failed(503, "the server ends")
                if self._process is None:
                    self._process = self._start()
                process = self._process
            found = process.ask(request)
        except (EOFError, OSError):
            with self._turn:
                self._end("")
                status = 409 if self._reason.startswith("a newer") else 422
                return _failed(status, self._reason or "the process that ran it has ended")
        if isinstance(found.data, bytes) and len(found.data) > LARGEST:
            return _failed(422, f"the answer exceeds {LARGEST >> 20} MiB")
        return found

    def _late(self, ticket: object) -> None:
        with self._turn:
            if self._running is ticket:
                self._end(
                    f"the run was ended after {self.seconds:g} seconds; a smaller picture takes"
                    " less time, and --budget limits the iterations of loops"
                )

    def _end(self, reason: str) -> None:
        """End the process; the caller holds the lock."""
        self._reason = reason or self._reason
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def close(self) -> None:
        """End the process and answer the waiting requests."""
        with self._turn:
            self._closed = True
            self._end("the server ends")
            self._turn.notify_all()


def _failed(status: int, problem: str) -> LiveAnswer:
    return LiveAnswer(status, {"error": problem})
