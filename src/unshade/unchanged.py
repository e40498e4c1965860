"""Work on an object that is done once, while nothing changes.

    with unchanged():               the caller changes no shader in the block
        shader.verify()             makes the index of a module
        shader.reflect()            uses it

Objects can be edited, so that an index of an object is made anew for each use. Code that reads many
shaders without changing them, such as a scan into a catalogue, uses the block, so that each index
is made once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

__all__ = ["once", "unchanged"]

Given = TypeVar("Given")
Result = TypeVar("Result")

# By function and identity of the object, which is kept alive with the result.
_done: ContextVar[dict[tuple[object, int], tuple[object, Any]] | None] = ContextVar(
    "done", default=None
)


@contextmanager
def unchanged() -> Iterator[None]:
    """Keep the results of functions that are marked with `once`, in the block."""
    token = _done.set({})
    try:
        yield
    finally:
        _done.reset(token)


def once(function: Callable[[Given], Result]) -> Callable[[Given], Result]:
    """Return the function, which is called once for each object in a block of `unchanged`."""

    @wraps(function)
    def called(given: Given) -> Result:
        done = _done.get()
        if done is None:
            return function(given)
        key = function, id(given)
        if key not in done:
            done[key] = given, function(given)
        result: Result = done[key][1]
        return result

    return called
