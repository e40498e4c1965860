"""A progress bar on standard error, for many files or pixels.

There is at most one progress bar, and only if standard error is a terminal. Other output hides it
meanwhile (`aside`): rich would wrap text printed under a bar, paths included, at the terminal's
width. A page that runs command lines draws a bar of its own (`reported`).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

Advance = Callable[[int, int], None]  # takes the amount done and the total

_shown: "Progress | None" = None
_listener: Advance | None = None


@contextmanager
def reported(listener: Advance | None) -> Iterator[None]:
    """Call a function instead of drawing bars."""
    global _listener  # noqa: PLW0603
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextmanager
def bar(total: int | None = None, rate: str = "") -> Iterator[Advance | None]:
    """Show a bar that counts to `total`, or in percent; yield None if none is shown.

    `rate` is a unit, whose number per second is shown: `files`.
    """
    global _shown  # noqa: PLW0603  there is one standard error
    if _listener is not None:
        yield _listener
        return
    if _shown is not None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        Task,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    def speed(task: Task) -> str:
        return f"{task.speed:,.0f} {rate}/s" if rate and task.speed is not None else ""

    sys.stdout.flush()
    shown = Progress(
        BarColumn(None),
        TaskProgressColumn() if total is None else MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    number = shown.add_task("", total=total, speed="")
    [task] = shown.tasks
    with shown:
        _shown = shown
        try:
            yield lambda done, total: shown.update(
                number, completed=done, total=total, speed=speed(task)
            )
        finally:
            _shown = None


def is_shown() -> bool:
    """Return True if a bar is on the terminal."""
    return _shown is not None


@contextmanager
def aside() -> Iterator[None]:
    """Hide the bar while other output is written."""
    if _shown is None:
        yield
        return
    _shown.stop()
    try:
        yield
    finally:
        _shown.start()
