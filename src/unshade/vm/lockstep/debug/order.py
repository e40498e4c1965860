"""A watcher that finds kernels whose result depends on the order of their lanes.

    (u0, word 7)    lanes 0 3    load store      depends on it
    (u0, word 8)    lane 3       load store
    (g0, word 0)    lanes 0 … 7  load
    (g0, word 1)    lanes 0 … 7  atomic_add      the result is not used

A barrier that all lanes reach starts anew: for shared memory, and for all memories if there is only
one group. The check is conservative: it may report a kernel whose result is independent of order.
"""

from typing import Any

from ....ir.barriers import waits_for_group
from ....ir.kernel import If, Region, Switch, Value, regions
from ....ir.memory import Space
from ....ir.ops import OPS
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .watching import accessed_size, accessing_lanes, broadcast, is_access

TURNABLE = frozenset({
    "atomic_add", "atomic_and", "atomic_or", "atomic_xor", "atomic_umin", "atomic_umax",
    "atomic_imin", "atomic_imax",
})  # fmt: skip


class Order:
    """A watcher; `matters` is True if the order of lanes may matter."""

    def __init__(self) -> None:
        self.found = False
        self.asked: set[Value] = set()
        self.touched: dict[tuple[Any, int], tuple[set[int], set[str]]] = {}

    @property
    def matters(self) -> bool:
        """True if two lanes accessed one word and one of them changed it."""
        self.found = self.found or any(
            len(lanes) > 1 and kinds != {"load"} and not (len(kinds) == 1 and kinds <= TURNABLE)
            for lanes, kinds in self.touched.values()
        )
        return self.found

    def begin(self, batch: LaneBatch) -> None:
        """Forget shared memory: each batch has its own."""
        self.asked = used_values(batch.kernel.body)
        self._forget(shared=True)

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Record one operation."""
        of_all = len(active.indices()) == batch.count
        if value.op is OPS.barrier and waits_for_group(value.attr) and of_all:
            x, y, z = batch.launch.groups
            self._forget(shared=x * y * z != 1)
        elif is_access(value) and value.attr.space in (Space.SHARED, Space.BUFFER):
            self._access(batch, active, value)

    def _access(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        memory = value.attr
        element = broadcast(batch.operand(value.args[0], active), active)
        byte = broadcast(batch.operand(value.args[1], active), active)
        size = accessed_size(value)
        place, valid = batch.stores[memory].locate(element, byte, size, active.positions())
        place, valid = broadcast(place, active), broadcast(valid, active)
        kind = value.op.name + ("!" if value in self.asked and value.op is not OPS.load else "")
        for at in accessing_lanes(batch, active, value):
            if not valid[at]:
                continue
            lane = batch.first + int(active.positions()[at])
            for word in range(int(place[at]) // 4, (int(place[at]) + size + 3) // 4):
                lanes, kinds = self.touched.setdefault((memory, word), (set(), set()))
                lanes.add(lane)
                kinds.add(kind)

    def _forget(self, *, shared: bool) -> None:
        if not self.matters:
            for key in [*self.touched]:
                if not shared or key[0].space is Space.SHARED:
                    del self.touched[key]


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
