"""A watcher that finds kernels whose result depends on the order of their lanes.

    (u0, word 7)    lanes 0 3    load store      depends on it
    (u0, word 8)    lane 3       load store
    (g0, word 0)    lanes 0 … 7  load
    (g0, word 1)    lanes 0 … 7  atomic_add      the result is not used

A barrier that all lanes reach starts anew: for shared memory, and for all memories if there is only
one group. The check is conservative: it may report a kernel whose result is independent of order.
"""

import numpy as np

from ....ir.barriers import waits_for_group
from ....ir.kernel import If, KernelIR, Region, Switch, Value, regions, walk
from ....ir.memory import Memory, Space
from ....ir.ops import OPS
from ...launch import Array, Launch, Report
from ..batch import LaneBatch
from ..engine import Lockstep
from ..lanes import ActiveLanes, LaneValues
from .watching import accessed_size, accessing_lanes, broadcast, is_access

TURNABLE = frozenset({
    "atomic_add", "atomic_and", "atomic_or", "atomic_xor", "atomic_umin", "atomic_umax",
    "atomic_imin", "atomic_imax",
})  # fmt: skip
SEVERAL = (Space.SHARED, Space.BUFFER)  # spaces that several lanes access


class Order:
    """A watcher; `matters` is True if the order of lanes may matter.

    Accesses of memories that the kernel does not change are not recorded.
    """

    def __init__(self) -> None:
        self.found = False
        self.asked: set[Value] = set()
        self.changed: set[Memory] = set()
        self.touched: dict[Memory, TouchedWords] = {}

    @property
    def matters(self) -> bool:
        """True if two lanes accessed one word and one of them changed it."""
        self.found = self.found or any(each.matter() for each in self.touched.values())
        return self.found

    def begin(self, batch: LaneBatch) -> None:
        """Forget shared memory: each batch has its own."""
        body = batch.kernel.body
        self.asked = used_values(body)
        self.changed = {
            each.attr
            for each in walk(body)
            if is_access(each) and each.op is not OPS.load and each.attr.space in SEVERAL
        }
        self._forget(shared=True)

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Record one operation."""
        if value.op is OPS.barrier and waits_for_group(value.attr):
            if len(active.indices()) == batch.count:
                x, y, z = batch.launch.groups
                self._forget(shared=x * y * z != 1)
        elif is_access(value) and value.attr in self.changed:
            self._access(batch, active, value)

    def _access(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        memory = value.attr
        element = broadcast(batch.operand(value.args[0], active), active)
        byte = broadcast(batch.operand(value.args[1], active), active)
        size = accessed_size(value)
        positions = active.positions()
        place, valid = batch.stores[memory].locate(element, byte, size, positions)
        at = accessing_lanes(batch, active, value)
        at = at[broadcast(valid, active)[at]]
        if not len(at):
            return
        words = self.touched.setdefault(memory, TouchedWords())
        is_used = value in self.asked and value.op is not OPS.load
        lanes = batch.first + positions[at]
        first = broadcast(place, active)[at]
        bit = words.bit(value.op.name, used=is_used)
        for offset in range(0, size + 3, 4):  # of bytes; the last is in the word of the last byte
            last = np.minimum(first + offset, first + size - 1)
            words.add(last // 4, lanes, bit)

    def _forget(self, *, shared: bool) -> None:
        if not self.matters:
            for key in [*self.touched]:
                if not shared or key.space is Space.SHARED:
                    del self.touched[key]


class TouchedWords:
    """The words of a memory that lanes accessed, each with a lane and the kinds of accesses."""

    def __init__(self) -> None:
        self.lane = np.zeros(0, np.int64)  # one of them, or -1
        self.several = np.zeros(0, bool)  # other lanes accessed it, too
        self.kinds = np.zeros(0, np.uint64)  # a bit for each kind
        self.bits: dict[tuple[str, bool], int] = {("load", False): 1}

    def bit(self, name: str, *, used: bool) -> np.uint64:
        """Return the bit of an operation whose result is used or not."""
        return np.uint64(self.bits.setdefault((name, used), 1 << len(self.bits)))

    def add(self, words: Array, lanes: Array, bit: np.uint64) -> None:
        """Record that each lane accessed the word at its place."""
        most = int(words.max()) + 1
        if most > len(self.lane):
            more = max(most, 2 * len(self.lane)) - len(self.lane)
            self.lane = np.append(self.lane, np.full(more, -1))
            self.several = np.append(self.several, np.zeros(more, bool))
            self.kinds = np.append(self.kinds, np.zeros(more, np.uint64))
        new = self.lane[words] == -1
        self.lane[words[new]] = lanes[new]
        self.several[words[self.lane[words] != lanes]] = True
        self.kinds[words] |= bit

    def matter(self) -> bool:
        """Return True if the order matters of the accesses of some word."""
        kinds = self.kinds[self.several]
        harmless = [
            np.uint64(bit)
            for (name, used), bit in self.bits.items()
            if name == "load" or (name in TURNABLE and not used)
        ]
        return not np.isin(kinds, harmless).all()


class WatchedLockstep:
    """The lockstep engine; `matters` is True if the order of lanes may matter in a run of it."""

    name = "lockstep"

    def __init__(self) -> None:
        self.matters = False

    def run(self, kernel: KernelIR, launch: Launch) -> Report:
        order = Order()
        try:
            return Lockstep().run(kernel, launch, order)
        finally:
            self.matters |= order.matters


def used_values(region: Region) -> set[Value]:
    """Return the values that are used as operands."""
    found: set[Value] = set()
    for each in region:
        if isinstance(each, Value):
            found.update(each.args)
            continue
        if isinstance(each, If):
            found.add(each.condition)
        elif isinstance(each, Switch):
            found.add(each.value)
        for inner in regions(each):
            found |= used_values(inner)
    return found
