"""The public kernel: a `Runner` plus `debug()`, whose debugger is a `Runner` too."""

from typing import TYPE_CHECKING

from .runner import CALLS, Runner

if TYPE_CHECKING:
    from ..vm.lockstep.debug import Coverage
    from .debugging.debugger import Debugger

__all__ = ["CALLS", "Kernel"]


class Kernel(Runner):
    """A program to be called: see `Runner`."""

    def debug(
        self,
        thread: int | tuple[int, ...] | None = None,
        *,
        checks: bool = True,
        coverage: "Coverage | None" = None,
    ) -> "Debugger":
        """The same kernel under the debugger, which runs it in lockstep.

        Args:
            thread: The lane to trace: a thread of a dispatch, a pixel (x, y), or the number of a
                row.
            checks: Look for faults in all threads.
            coverage: The counter of lines that run; it may count the calls of several kernels.
        """
        from .debugging.debugger import Debugger

        return Debugger(self, thread, checks=checks, coverage=coverage)
