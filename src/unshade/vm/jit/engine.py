"""The jit engine: kernels compiled by LLVM, lanes on vector registers, groups on threads.

Same bits as lockstep. Text and machine code are kept for each kernel, so that a second call only
costs the call. What cannot be compiled well (lanes that part and then meet a barrier, kernels or
memories beyond bounds) is an UnsupportedError: lockstep runs it.

Threads take pieces of the call in turn. Only what they do to one place in memory depends on their
order: atomics, and stores that race.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import BudgetError, UnsupportedError
from ...ir.copying import copied_kernel
from ...ir.kernel import Kernel
from ..launch import Array, Launch, Report
from ..subnormals import flushing
from .analyse import facts_of
from .compile import Compiled, compile_text, processor, triple
from .layout import ERROR, FIRST, HELPERS, Layout, layout, slots
from .module import module_text
from .segments import check_together, keep_values
from .tally import counted, words
from .width import check_size, level_of, width_of

SMALL = 1 << 15  # lanes: fewer are not worth waking a thread for
ALIGNED = 16  # bytes that memories start at a multiple of
PIECES = 4  # of the work for each thread
SCRATCH = 1 << 28  # bytes of a thread for the memories of lanes and groups
FAR = 1 << 31  # bytes: memories below this are addressed with 32 bits


class Code:
    """A kernel in one layout, compiled."""

    __slots__ = ("compiled", "layout", "scratch", "text")

    def __init__(self, kernel: Kernel, layout: Layout, fast: bool = False) -> None:
        check_size(kernel)
        if layout.grouped:
            check_together(kernel)
            kernel = copied_kernel(kernel)
            keep_values(kernel)
        self.layout = layout
        facts, estimates = facts_of(kernel, layout), processor()[2] if fast else None
        self.text, self.scratch = module_text(kernel, layout, facts, triple(), estimates)
        if self.scratch > SCRATCH:
            raise UnsupportedError(
                f"lanes that run together have {self.scratch} bytes of memories of their own, more "
                f"than {SCRATCH}; the lockstep engine runs them"
            )
        self.compiled: Compiled = compile_text(self.text, level_of(kernel, self.text))


class Jit:
    """Runs kernels as machine code; with `fast` as estimates.py says, and not bit for bit."""

    name = "jit"

    def __init__(
        self, threads: int | None = None, width: int | None = None, fast: bool = False
    ) -> None:
        self.fast = fast
        self.threads = threads or _processors()
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
                width = self.width or width_of(kernel, processor()[2])
                found = known[flat, small] = Code(
                    kernel, layout(kernel, flat, small, width), self.fast
                )
            return found

    def run(self, kernel: Kernel, launch: Launch) -> Report:
        """Run the kernel; arrays of the launch are written in place.

        LimitError where a loop does not end within the budget.
        """
        launch.check(kernel)
        flat = launch.groups[1] == launch.groups[2] == 1
        small = all(len(array) < FAR for array in launch.memories.values())
        code = self.code(kernel, flat, small)
        plan = code.layout
        groups = launch.groups[0] * launch.groups[1] * launch.groups[2]
        lanes = launch.items if not kernel.dispatched else groups * plan.size
        units = groups if plan.grouped else -(-lanes // plan.width)
        if not units:
            return Report(self.name)
        arrays = Arrays()
        context = arrays.context(kernel, launch, lanes)
        pieces = 1
        if self.threads > 1 and lanes > SMALL:
            pieces = min(units, PIECES * self.threads)
        bounds = [units * at // pieces for at in range(pieces + 1)]
        given = address(context)

        def work(at: int) -> list[int]:
            scratch = np.empty(code.scratch + 64, np.uint8)
            place = address(scratch)
            start = -place % 64
            with flushing(kernel.mode):
                code.compiled.run(given, place + start, bounds[at], bounds[at + 1])
            return words(kernel, scratch[start:])

        found = [work(0)] if pieces == 1 else self._threads().map(work, range(pieces))
        outside, discarded = counted(kernel, found)
        arrays.put_back()
        if arrays.error[0]:
            raise BudgetError(launch.budget, int(arrays.error[0]) - 1)
        return Report(self.name, lanes, outside, discarded)

    def _threads(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="unshade")
            return self._pool


def address(array: Array) -> int:
    """Where an array begins: a fourth of the time that `ctypes.data` takes."""
    found: int = array.__array_interface__["data"][0]
    return found


def _processors() -> int:
    """How many of them this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Arrays:
    """The arrays of one call as the function gets them: contiguous, aligned, alive."""

    def __init__(self) -> None:
        self.error = np.zeros(1, np.int64)
        self._moved: dict[tuple[int, int], Array] = {}
        self._back: list[tuple[Array, Array]] = []  # given, copy
        self._keep: list[Array] = []

    def context(self, kernel: Kernel, launch: Launch, lanes: int) -> Array:
        """The words that the function reads (layout.py)."""
        memories, inputs, outputs = slots(kernel)
        context = [0] * FIRST
        context[:ERROR] = (*launch.groups, lanes, launch.budget)
        context[ERROR] = address(self.error)
        if launch.helpers is not None:
            context[HELPERS] = self._address(np.asarray(launch.helpers, np.uint8), 1, False)
        for memory, at in memories.items():
            array = launch.memories[memory.key]
            count = len(array) // memory.stride
            if memory.count is not None:
                count = min(count, memory.count)
            assert at == len(context)
            context += self._address(array, ALIGNED, memory.writable), count
        assert inputs == len(context)
        for port in kernel.inputs:
            size = max(port.type.size, 1)
            context.append(self._address(launch.inputs[port.key], size, False))
        assert outputs == len(context)
        for port in kernel.outputs:
            size = max(port.type.size, 1)
            context.append(self._address(launch.outputs[port.key], size, True))
        return np.array(context, np.int64)

    def _address(self, array: Array, align: int, written: bool) -> int:
        """Where the array is, or a copy of it that stands as it should."""
        found, start = array, address(array)
        if not array.flags.c_contiguous or start % align:
            key = start, array.nbytes  # bound twice it is still one
            known = self._moved.get(key) if array.flags.c_contiguous else None
            found = known if known is not None else _aligned(array)
            self._moved[key] = found
            start = address(found)
            if written:
                self._back.append((array, found))
        self._keep.append(found)
        return start

    def put_back(self) -> None:
        """What was written into copies is written where it belongs."""
        for given, twin in self._back:
            given[...] = twin.view(given.dtype)


def _aligned(array: Array) -> Array:
    """A copy where accesses of any size may be."""
    room = np.empty(array.nbytes + ALIGNED, np.uint8)
    start = -address(room) % ALIGNED
    found: Array = room[start : start + array.nbytes].view(array.dtype)
    found[...] = array
    return found
