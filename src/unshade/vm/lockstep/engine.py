"""The lockstep engine: NumPy over all lanes of a batch, one operation at a time.

    kernel  ──  program (compile.py)  ──  batch (batch.py)  ──  active lanes (lanes.py)
                steps, made once          memories, sources     registers, variables

A batch is as many whole thread groups (or quads) as fit into some ten thousand lanes. Every
operation completes in all active lanes before the next one begins, so barriers need no work. Where
lanes diverge, each path runs with a subset of the active lanes (lanes.py).

A `Watcher` lets a debugger observe the run: it receives each operation and its result.
"""

from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from ...ir.kernel import KernelIR
from ..flush_mode import flushing
from ..launch import Launch, Report
from .batch import Watcher, batches
from .compile import LaneProgram, compile_kernel

# Programs by kernel, and by whether they are recorded.
_PROGRAMS: WeakKeyDictionary[KernelIR, dict[bool, LaneProgram]] = WeakKeyDictionary()
_LOCK = Lock()


class Lockstep:
    """An engine that runs kernels with NumPy."""

    name = "lockstep"

    def run(self, kernel: KernelIR, launch: Launch, watcher: Watcher | None = None) -> Report:
        """Run a kernel; the arrays of the launch are written in place.

        Args:
            kernel: A prepared kernel (`unshade.vm.prepare`).
            launch: The size of the call, its memories and its ports.
            watcher: An observer of every operation.

        Raises:
            UsageError: An array is missing or does not match the kernel.
            LimitError: The call has too many lanes or needs too much memory.
            BudgetError: A loop exceeds the iteration budget.
        """
        launch.check(kernel)
        report = Report(self.name)
        program = _program(kernel, watcher is not None)
        with np.errstate(all="ignore"), flushing(kernel.mode):
            for batch in batches(kernel, program, launch, watcher):
                if watcher is not None:
                    watcher.begin(batch)
                batch.run()
                report.lanes += batch.count
                report.discarded += int(np.count_nonzero(batch.killed)) - batch.helping
                for store in batch.stores.values():
                    if store.out_of_bounds:
                        name = store.memory.name
                        report.out_of_bounds[name] = (
                            report.out_of_bounds.get(name, 0) + store.out_of_bounds
                        )
        return report


def _program(kernel: KernelIR, recorded: bool) -> LaneProgram:
    """Return the program of a kernel, compiled at its first call."""
    with _LOCK:
        known = _PROGRAMS.setdefault(kernel, {})
        if recorded not in known:
            known[recorded] = compile_kernel(kernel, recorded=recorded)
        return known[recorded]
