"""Time limits of code that cannot be asked to stop.

    with watched() as watch:
        watch.until = watch.now() + 60          OutOfTime is raised here after 60 s
        …
        watch.until = None

Time is the processor time of the thread where the system provides it, so that limits do not depend
on the load of the machine. A thread looks at the clock and raises OutOfTime in the thread that is
late, between two instructions of Python. Nothing that catches errors of the library catches it. A
process that was made for such work ends itself if the exception does not help, since the thread
runs C code.
"""

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["OutOfTime", "Watch", "end_late_process", "watched"]

PAUSE = 0.1  # s between looks at the clock
AGAIN = 1.0  # s until it is raised again: what a destructor raises is lost
GRACE = 30.0  # s after which a process that is still late ends itself


class OutOfTime(BaseException):
    """The time of a watched block is over."""


class Watch:
    """The time when the block of this thread has to end; None if it may go on."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        clock = getattr(time, "pthread_getcpuclockid", None)  # not on Windows
        self._clock = None if clock is None else clock(self._thread)
        self._lock = threading.Lock()
        self._until: float | None = None
        self._raised: float | None = None

    def now(self) -> float:
        """Return the time of the thread."""
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)

    @property
    def until(self) -> float | None:
        """The time of the thread at which its block is late."""
        return self._until

    @until.setter
    def until(self, when: float | None) -> None:
        while True:
            try:
                with self._lock:
                    self._until = self._raised = None
                for _ in range(2):  # an exception on its way arrives at a jump back, here at last
                    pass
                break
            except OutOfTime:
                continue
        self._until = when

    def look(self) -> None:
        """Raise OutOfTime in the thread if it is late."""
        with self._lock:
            if self._until is None or (now := self.now()) < self._until:
                return
            if _fatal and now > self._until + GRACE:
                os._exit(1)
            if self._raised is None or now > self._raised + AGAIN:
                self._raised = now
                # No exception is taken back: CPython 3.11 would look for it at every instruction
                # from then on, and a function that is traced or profiled would never begin.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(OutOfTime)
                )


_watches: list[Watch] = []
_changing = threading.Lock()
_looking: threading.Thread | None = None
_fatal = False


def end_late_process() -> None:
    """End this process, which was made to be watched, if it is late and cannot be interrupted."""
    global _fatal  # noqa: PLW0603  of the process
    _fatal = True


@contextmanager
def watched() -> Iterator[Watch]:
    """Yield the watch of this thread."""
    global _looking  # noqa: PLW0603  one for all threads
    made = Watch()
    with _changing:
        _watches.append(made)
        if _looking is None:
            _looking = threading.Thread(target=_look, name="unshade deadlines", daemon=True)
            _looking.start()
    try:
        yield made
    finally:
        while made in _watches:
            with suppress(OutOfTime):
                made.until = None
                with _changing:
                    _watches.remove(made)


def _look() -> None:
    """Check the clock until no thread is watched."""
    global _looking  # noqa: PLW0603  one for all threads
    while True:
        time.sleep(PAUSE)
        with _changing:
            if not _watches:
                _looking = None
                return
            listed = [*_watches]
        for each in listed:
            with suppress(OSError):  # of a thread that has ended
                each.look()
