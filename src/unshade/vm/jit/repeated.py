"""Repeated calls of one kernel, with the fewest steps for each call.

    call = jit.repeated(kernel, budget)      what every call has in common: code, context, scratch
    call.bind(key, address, bytes)           a memory of this call
    call.run((1, 1, 1), lanes)               the counts, or None if a loop exceeds the budget

`Jit.run` checks the arrays of a call, and finds code, threads and the mode of the processor anew,
which takes ten times as long as the code itself if there are few lanes. Here the caller answers for
the arrays: aligned, contiguous, of the sizes that it gives, and alive.
"""

import ctypes
import threading
from collections.abc import Hashable

import numpy as np

from ...ir.kernel import KernelIR
from ..flush_mode import flushing
from .codegen.tally import read_counts, sum_counts
from .compile import MachineCode
from .layout import BUDGET, ERROR, FIRST, LANES, LaneLayout, slots

__all__ = ["RepeatedCall"]

LINE = 64  # bytes, of the alignment of scratch memory


class RepeatedCall:
    """A kernel without ports that is called again and again.

    `lock` is held by the caller from the first `bind` to the end of `run`. `keys` are the memories
    that each call has to bind, and `most` is the number of lanes from which threads are better.
    """

    def __init__(
        self,
        kernel: KernelIR,
        code: MachineCode,
        layout: LaneLayout,
        scratch: int,
        budget: int,
        most: int,
    ) -> None:
        self.most = most
        self.lock = threading.Lock()
        self._kernel = kernel
        self._code = code
        self._layout = layout
        memories, end, _ = slots(kernel)
        self._places: dict[Hashable, list[tuple[int, int, int | None]]] = {}
        for memory, at in memories.items():
            self._places.setdefault(memory.key, []).append((at, memory.stride, memory.count))
        self.keys = frozenset(self._places)
        self._context = (ctypes.c_int64 * max(end, FIRST))()
        self._error = ctypes.c_int64()
        self._context[BUDGET] = budget
        self._context[ERROR] = ctypes.addressof(self._error)
        self._at = ctypes.addressof(self._context)
        self._scratch = np.empty(scratch + LINE, np.uint8)
        place: int = self._scratch.__array_interface__["data"][0]
        self._start = -place % LINE
        self._scratch_at = place + self._start
        self._counts = self._scratch[self._start :]

    def bind(self, key: Hashable, address: int, size: int) -> None:
        """Set the address and the size in bytes of a memory; others than `keys` are ignored."""
        for at, stride, most in self._places.get(key, ()):
            count = size // stride
            self._context[at] = address
            self._context[at + 1] = count if most is None else min(count, most)

    def run(self, groups: tuple[int, int, int], lanes: int) -> tuple[dict[str, int], int] | None:
        """Run the lanes in this thread.

        Return the invalid accesses by memory and the number of discarded lanes; None if a loop
        exceeded the budget, so that results are incomplete.
        """
        context = self._context
        context[0], context[1], context[2] = groups
        context[LANES] = lanes
        self._error.value = 0
        with flushing(self._kernel.mode):
            self._code.run(self._at, self._scratch_at, 0, self._layout.units(lanes))
        if self._error.value:
            return None
        return sum_counts(self._kernel, [read_counts(self._kernel, self._counts)])
