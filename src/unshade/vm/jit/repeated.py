"""Repeated calls of one kernel, with the fewest steps for each call.

    call = jit.repeated(kernel, budget)      what every call has in common: code, context, scratch
    call.bind(key, address, bytes)           a memory of this call
    call.run((1, 1, 1), lanes)               the counts, or None if a loop exceeds the budget

    call = jit.ready(kernel, True, budget)   the same of a kernel with ports, whose code is made
    call.bind_ports(inputs, outputs, helpers)

`Jit.run` checks the arrays of a call, and finds code, threads and the mode of the processor anew,
which takes ten times as long as the code itself if there are few lanes. Here the caller answers for
the arrays: aligned, contiguous, of the sizes that it gives, and alive.
"""

import ctypes
import threading
from collections.abc import Hashable, Mapping

import numpy as np

from ...ir.kernel import KernelIR
from ..flush_mode import set_flushing
from .codegen.tally import size_of, sum_counts
from .compile import MachineCode
from .layout import BUDGET, ERROR, FIRST, HELPERS, LANES, LaneLayout, slots

__all__ = ["RepeatedCall"]

LINE = 64  # bytes, of the alignment of scratch memory


class RepeatedCall:
    """A kernel that is called again and again.

    `lock` is held by the caller from the first `bind` to the end of `run`. `keys` are the memories
    that each call has to bind, and `most` is the number of lanes from which threads are better, of
    which the engine has `threads`. `settled` is false if faster code may take the place of this.
    """

    def __init__(
        self,
        kernel: KernelIR,
        code: MachineCode,
        layout: LaneLayout,
        scratch: int,
        budget: int,
        most: int,
        threads: int = 1,
        *,
        settled: bool = True,
    ) -> None:
        self.most = most
        self.threads = threads
        self.settled = settled
        self.lock = threading.Lock()
        self._kernel = kernel
        self._code = code
        self._layout = layout
        memories, end, _ = slots(kernel)
        self._ports = end
        end += len(kernel.inputs) + len(kernel.outputs)
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
        self._scratch_at = place + -place % LINE
        words = size_of(kernel) // 8
        self._counts = (ctypes.c_int64 * words).from_address(self._scratch_at)
        self._helpers = 0

    def bind(self, key: Hashable, address: int, size: int) -> None:
        """Set the address and the size in bytes of a memory; others than `keys` are ignored."""
        for at, stride, most in self._places.get(key, ()):
            count = size // stride
            self._context[at] = address
            self._context[at + 1] = count if most is None else min(count, most)

    def bind_ports(
        self, inputs: Mapping[Hashable, int], outputs: Mapping[Hashable, int], helpers: int
    ) -> None:
        """Set the addresses of the arrays of ports, by their keys, and of the marks of helpers."""
        kernel = self._kernel
        ports = [*((inputs, each) for each in kernel.inputs),
                 *((outputs, each) for each in kernel.outputs)]  # fmt: skip
        for at, (places, port) in enumerate(ports, self._ports):
            self._context[at] = places[port.key]
        self._helpers = helpers

    def use_helpers(self, used: bool) -> None:
        """Set whether some of the lanes are helpers, as marked."""
        self._context[HELPERS] = self._helpers if used else 0

    def run(self, groups: tuple[int, int, int], lanes: int) -> tuple[dict[str, int], int] | None:
        """Run the lanes in this thread.

        Return the invalid accesses by memory and the number of discarded lanes; None if a loop
        exceeded the budget, so that results are incomplete.
        """
        context = self._context
        context[0], context[1], context[2] = groups
        context[LANES] = lanes
        self._error.value = 0
        before = set_flushing(self._kernel.mode)
        try:
            self._code.run(self._at, self._scratch_at, 0, self._layout.units(lanes))
        finally:
            if before is not None and before != self._kernel.mode:
                set_flushing(before)
        if self._error.value:
            return None
        counts: list[int] = self._counts[:]
        return sum_counts(self._kernel, [counts]) if any(counts) else ({}, 0)
