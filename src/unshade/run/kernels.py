"""A kernel, as one gets it: what a runner can do, and the debugger, which is a runner itself."""

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
        """The same kernel, run in lockstep and looked at.

        `thread` is what to trace: of a dispatch, or a pixel (x, y), or the number of a row.
        """
        from .debugging.debugger import Debugger

        return Debugger(self, thread, checks=checks, coverage=coverage)
