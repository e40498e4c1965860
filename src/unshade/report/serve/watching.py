"""The files that were read for the page: a number counts their changes."""

import time
from collections.abc import Iterable
from threading import Condition, Event, Thread

from ... import files

__all__ = ["FileChanges"]

PAUSE = 0.2  # seconds between two looks
PATIENCE = 20.0  # seconds that a request waits for a change


class FileChanges:
    """Files with their stamps, checked for changes by a separate thread."""

    def __init__(self) -> None:
        self.version = 0
        self._seen: dict[str, files.Stamp] = {}
        self._changed = Condition()
        self._closed = Event()
        self._thread = Thread(target=self._look, name="files", daemon=True)
        self._thread.start()

    def see(self, read: Iterable[tuple[str, files.Stamp]]) -> None:
        """Add files that were read, with the stamps that they had."""
        with self._changed:
            self._seen.update(read)

    def wait(self, version: int) -> int:
        """Return the number of changes as soon as it is not `version`, or after some seconds."""
        end = time.monotonic() + PATIENCE
        with self._changed:
            while self.version == version and not self._closed.is_set():
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            return self.version

    def close(self) -> None:
        """End the thread, and wake all waiting requests."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join()

    def _look(self) -> None:
        before: dict[str, files.Stamp] = {}
        while not self._closed.wait(PAUSE):
            with self._changed:
                paths = list(self._seen)
            now = {path: files.stamp(path) for path in paths}
            with self._changed:
                changed = {path: now[path] for path in paths if self._seen[path] != now[path]}
                if changed and changed == before:  # editors write in several steps
                    self._seen.update(changed)
                    self.version += 1
                    self._changed.notify_all()
            before = changed
