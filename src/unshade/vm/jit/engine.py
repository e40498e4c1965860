"""The jit engine: kernels compiled by LLVM, lanes on vector registers, groups on threads.

Same bits as lockstep. Text and machine code are kept for each kernel, so that a second call only
costs the call.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import LimitError
from ...ir.kernel import Kernel
from ..launch import Array, Launch, Report
from ..prepare import copy
from ..subnormals import flushing
from .analyse import facts_of
from .compile import Compiled, compile_text, native_bits, triple
from .layout import ERROR, FIRST, Layout, layout, slots
from .module import module_text
from .segments import check_together, keep_values

SMALL = 1 << 15  # lanes: fewer are not worth waking a thread for
ALIGNED = 16  # bytes that memories start at a multiple of
PIECES = 4  # of the work for each thread


class Code:
    """A kernel in one layout, compiled."""

    __slots__ = ("compiled", "layout", "scratch", "text")

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        if layout.grouped:
            check_together(kernel)
            kernel = copy(kernel)
            keep_values(kernel)
        self.layout = layout
        self.text, self.scratch = module_text(kernel, layout, facts_of(kernel, layout), triple())
        self.compiled: Compiled = compile_text(self.text)


class Jit:
    """Runs kernels as machine code."""

    name = "jit"

    def __init__(self, threads: int | None = None, width: int | None = None) -> None:
        self.threads = threads or len(os.sched_getaffinity(0))
        self.width = width
        self.codes: WeakKeyDictionary[Kernel, dict[tuple[bool, bool], Code]] = WeakKeyDictionary()
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def code(self, kernel: Kernel, flat: bool, small: bool) -> Code:
        """The kernel's machine code; `flat` where the groups stand in one row, `small` where no
        memory has 2^31 bytes.
        """
        with self._lock:
            known = self.codes.setdefault(kernel, {})
            found = known.get((flat, small))
            if found is None:
                width = self.width or width_of(kernel)
                found = known[flat, small] = Code(kernel, layout(kernel, flat, small, width))
            return found

    def run(self, kernel: Kernel, launch: Launch) -> Report:
        """Run the kernel; arrays of the launch are written in place.

        LimitError where a loop does not end within the budget.
        """
        launch.check(kernel)
        flat = launch.groups[1] == launch.groups[2] == 1
        small = all(len(array) < 1 << 31 for array in launch.memories.values())
        code = self.code(kernel, flat, small)
        plan = code.layout
        groups = launch.groups[0] * launch.groups[1] * launch.groups[2]
        lanes = launch.items if kernel.stage != "compute" else groups * plan.size
        moved: list[tuple[Array, Array, bool]] = []
        context, keep = self._context(kernel, launch, lanes, moved)
        units = groups if plan.grouped else -(-lanes // plan.width)
        pieces = 1
        if self.threads > 1 and lanes > SMALL:
            pieces = min(units, PIECES * self.threads)
        bounds = [units * at // pieces for at in range(pieces + 1)]
        address = context.ctypes.data

        def work(at: int) -> None:
            scratch = np.empty(code.scratch + 64, np.uint8)
            start = -scratch.ctypes.data % 64 + scratch.ctypes.data
            with flushing(kernel.flush):
                code.compiled.run(address, start, bounds[at], bounds[at + 1])

        if pieces == 1:
            work(0)
        else:
            list(self._threads().map(work, range(pieces)))
        for given, twin, writable in moved:
            if writable:
                given[:] = twin
        if keep[0][0]:
            raise LimitError(
                "budget", launch.budget, f"more than {launch.budget} iterations of loops"
            )
        return Report(self.name, lanes)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="unshade")
        return self._pool

    def _aligned(self, array: Array) -> Array:
        """A copy where loads and atomics of any size may be."""
        room = np.empty(len(array) + ALIGNED, np.uint8)
        start = -room.ctypes.data % ALIGNED
        found: Array = room[start : start + len(array)]
        found[:] = array
        return found

    def _context(
        self,
        kernel: Kernel,
        launch: Launch,
        lanes: int,
        moved: list[tuple[Array, Array, bool]],
    ) -> tuple[Array, list[Array]]:
        """The words that the function reads, and what must live as long; `moved` are memories that
        had to be copied: given, copy, whether to copy back.
        """
        memories, inputs, outputs = slots(kernel)
        context = np.zeros(outputs + len(kernel.outputs) + 1, np.int64)
        error = np.zeros(1, np.int64)
        keep: list[Array] = [error]
        context[:5] = (*launch.groups, lanes, launch.budget)
        context[ERROR] = error.ctypes.data
        if launch.helpers is not None:
            helpers = np.ascontiguousarray(launch.helpers, np.uint8)
            keep.append(helpers)
            context[FIRST - 2] = helpers.ctypes.data
        for memory, at in memories.items():
            array = launch.memories[memory.name]
            if array.ctypes.data % ALIGNED:
                array = self._aligned(array)
                moved.append((launch.memories[memory.name], array, memory.writable))
            keep.append(array)
            count = len(array) // memory.stride
            if memory.count is not None:
                count = min(count, memory.count)
            context[at], context[at + 1] = array.ctypes.data, count
        for port, at in zip(kernel.inputs, range(inputs, outputs), strict=True):
            given = np.ascontiguousarray(launch.inputs[port.name])
            keep.append(given)
            context[at] = given.ctypes.data
        for port, at in zip(kernel.outputs, range(outputs, len(context) - 1), strict=True):
            context[at] = launch.outputs[port.name].ctypes.data
        return context, keep


def width_of(kernel: Kernel) -> int:
    """Lanes of a chunk: as many registers for a value as the kernel's variables leave room for."""
    native = native_bits() // 32
    x, y, z = kernel.group
    size = x * y * z if kernel.stage == "compute" else 1 << 20
    heavy = len(kernel.variables) > 24
    wanted = native * (1 if heavy else 4 if native == 16 else 2)
    if kernel.stage == "compute" and x < size and x >= 8:
        wanted = min(wanted, x & -x)  # a row of the group: y is then the same for all lanes
    while wanted > 8 and wanted > size:
        wanted //= 2
    return max(8, min(64, wanted))
