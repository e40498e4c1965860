"""The inputs of a command line, in this process and then shared among workers (jobs.py)."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .jobs import called, patience, processes

if TYPE_CHECKING:
    from .messages import Outcome

MARGIN = 2.0  # times its start that workers have to save
OWN = 0.75  # part of the time that this process has a processor, or the machine has none to spare


def worth_starting(left: int, each: float, start: float, count: int) -> bool:
    """Return True if workers end the inputs that are left sooner than this process alone.

    Args:
        left: The number of inputs.
        each: Seconds that one takes.
        start: Seconds until a worker is as quick as this process.
        count: The number of workers.
    """
    return left * each * (1 - 1 / count) > MARGIN * start


class Progress:
    """The time that the inputs have taken so far in this process.

    A worker imports what this process imported, and its first input is as slow as the first one
    here. Where this process waits for a processor, workers would wait, too.
    """

    def __init__(self, total: int, count: int) -> None:
        self.total = total
        self.count = count
        self.done = 0
        self.began = self.warm = time.monotonic()
        self.own = self.start = time.process_time()

    def asks_for_workers(self, patience: float) -> bool:
        """Count an input that has ended; return True if workers are worth their start now."""
        self.done += 1
        now, own = time.monotonic(), time.process_time()
        if self.done == 1:
            self.warm, self.start = now, own
            return False
        if now - self.began < patience or own - self.own < OWN * (now - self.began):
            return False
        each = (now - self.warm) / (self.done - 1)
        return worth_starting(self.total - self.done, each, self.start, self.count)


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
    progress = Progress(total, count)
    alone_for = 0.0 if options is None else patience(options)
    for item in items:
        yield alone(item)
        if count > 1 and progress.asks_for_workers(alone_for):
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
