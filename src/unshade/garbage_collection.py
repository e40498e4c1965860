"""Work without the collector of cyclic garbage.

    @uncollected
    def lower(program): …          many new objects, all of them alive, none of them garbage

CPython looks at all objects of the process whenever their number has grown by a quarter. Lowering
or simplifying a kernel triggers many collections, which free nothing and take up to a quarter of
the time. So the collector is off until the outermost such function of all threads returns; a
process that has turned it off itself is left alone.
"""

import gc
import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class CollectorPause:
    """The calls during which the collector is off, in all threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a collection inside may run code that calls this
        self._running = 0
        self._was_enabled = False

    def begin(self) -> None:
        """Turn the collector off, unless another call has done so."""
        with self._lock:
            if not self._running:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._running += 1

    def end(self) -> None:
        """Turn the collector on again, if this was the last call and it was on before."""
        with self._lock:
            self._running -= 1
            if not self._running and self._was_enabled:
                gc.enable()


PAUSE = CollectorPause()


def uncollected(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return the function, with the collector off while it runs."""

    @wraps(function)
    def called(*args: Arguments.args, **options: Arguments.kwargs) -> Result:
        PAUSE.begin()
        try:
            return function(*args, **options)
        finally:
            PAUSE.end()

    return called
