"""The inputs of a command line, in this process and then shared among workers (jobs.py)."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .jobs import called, patience, processes

if TYPE_CHECKING:
    from .messages import Outcome


def shared(
    items: Iterable[Any],
    total: int,
    alone: Callable[[Any], int],
    repeat: "Callable[[Outcome], int]",
    chosen: frozenset[str] | None,
) -> Iterator[int]:
    """Yield the exit code of each input, in order, from this process and then from workers.

    Args:
        items: The inputs.
        total: About the number of inputs.
        alone: Processes an input in this process.
        repeat: Repeats the effects of an outcome in this process and returns its exit code.
        chosen: As in `Start`.
    """
    options = called.get()
    count = 1 if options is None or total < 2 else min(processes(options), total)
    items = iter(items)
    alone_for = 0.0 if options is None else patience(options)
    if count < 2 or alone_for:
        began = time.monotonic()
        for item in items:
            yield alone(item)
            if count > 1 and time.monotonic() - began > alone_for:
                break
        else:
            return
    assert options is not None
    from .messages import Start
    from .pool import WorkerPool

    out = sys.stdout
    start = Start(options, chosen, out.isatty(), getattr(out, "encoding", None) or "utf-8")
    with WorkerPool(start, count, total) as pool:
        for outcome in pool.outcomes(items):
            yield repeat(outcome)
