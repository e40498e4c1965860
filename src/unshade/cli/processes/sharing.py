"""The inputs of a command line, in this process and then shared among workers (jobs.py)."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .jobs import Outcome, Start, called


def shared(
    items: Iterable[Any],
    total: int,
    alone: Callable[[Any], int],
    repeat: Callable[[Outcome], int],
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
    call = called.get()
    processes = 1 if call is None or total < 2 else min(call.processes, total)
    items = iter(items)
    patience = 0.0 if call is None else call.patience
    if processes < 2 or patience:
        began = time.monotonic()
        for item in items:
            yield alone(item)
            if processes > 1 and time.monotonic() - began > patience:
                break
        else:
            return
    assert call is not None
    out = sys.stdout
    start = Start(call, chosen, out.isatty(), getattr(out, "encoding", None) or "utf-8")
    from .pool import WorkerPool

    with WorkerPool(start, processes, total) as pool:
        for outcome in pool.outcomes(items):
            yield repeat(outcome)
