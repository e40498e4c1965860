"""A bar on standard error while many files, or many pixels, are worked on.

There is one at a time, and only where standard error is a terminal. What is written beside it takes
it away for that long (`aside`): rich would break what is printed under a bar at the width of the
terminal, paths too.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

Advance = Callable[[int, int], None]  # takes how much is done, and of how much

_shown: "Progress | None" = None


@contextmanager
def bar(total: int | None = None) -> Iterator[Advance | None]:
    """Show a bar that counts to `total`, else in percent; give None where there is none."""
    global _shown  # noqa: PLW0603  there is one standard error
    if _shown is not None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TimeRemainingColumn,
    )

    sys.stdout.flush()
    shown = Progress(
        BarColumn(None),
        TaskProgressColumn() if total is None else MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = shown.add_task("", total=total)
    with shown:
        _shown = shown
        try:
            yield lambda done, total: shown.update(task, completed=done, total=total)
        finally:
            _shown = None


def is_shown() -> bool:
    """Return whether a bar stands on the terminal now."""
    return _shown is not None


@contextmanager
def aside() -> Iterator[None]:
    """Take the bar away while something else is written."""
    if _shown is None:
        yield
        return
    _shown.stop()
    try:
        yield
    finally:
        _shown.start()
