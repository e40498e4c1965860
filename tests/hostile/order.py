"""Whether what a kernel leaves depends on the order of its lanes.

    (u0, word 7)    lanes 0 3    load store      it does
    (u0, word 8)    lane 3       load store
    (g0, word 0)    lanes 0 … 7  load
    (g0, word 1)    lanes 0 … 7  atomic_add      where nobody asks for the answer

A barrier that all lanes reach begins anew: of shared memory, and of all where there is one group.
What is not found out of order here may still be called so, never the other way round.
"""

from typing import Any

from unshade.ir.kernel import If, Region, Switch, Value, regions
from unshade.ir.memory import Space
from unshade.vm.lockstep.debug.watching import accessed_size, acting, is_access, living, spread
from unshade.vm.lockstep.engine import Block
from unshade.vm.lockstep.lanes import Lanes, Party

TURNABLE = frozenset({
    "atomic_add", "atomic_and", "atomic_or", "atomic_xor", "atomic_umin", "atomic_umax",
    "atomic_imin", "atomic_imax",
})  # fmt: skip


class Order:
    """Looks on while lockstep runs; `matters` tells."""

    def __init__(self) -> None:
        self.found = False
        self.asked: set[Value] = set()
        self.touched: dict[tuple[Any, int], tuple[set[int], set[str]]] = {}

    @property
    def matters(self) -> bool:
        """Whether lanes met at a word, and one of them changed it."""
        self.found = self.found or any(
            len(lanes) > 1 and kinds != {"load"} and not (len(kinds) == 1 and kinds <= TURNABLE)
            for lanes, kinds in self.touched.values()
        )
        return self.found

    def block(self, block: Block) -> None:
        """A block begins: it has shared memories of its own."""
        self.asked = answers(block.kernel.body)
        self._forget(shared=True)

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        name = value.op.name
        if name == "barrier" and value.attr == "group" and len(living(party)) == block.count:
            x, y, z = block.launch.groups
            self._forget(shared=x * y * z != 1)
        elif is_access(value) and value.attr.space in (Space.SHARED, Space.BUFFER):
            self._access(block, party, value)

    def _access(self, block: Block, party: Party, value: Value) -> None:
        memory = value.attr
        element = spread(block.operand(value.args[0], party), party)
        byte = spread(block.operand(value.args[1], party), party)
        size = accessed_size(value)
        place, valid = block.stores[memory]._place(element, byte, size, party.positions())
        place, valid = spread(place, party), spread(valid, party)
        kind = value.op.name + ("!" if value in self.asked and value.op.name != "load" else "")
        for at in acting(block, party, value):
            if not valid[at]:
                continue
            lane = block.first + int(party.positions()[at])
            for word in range(int(place[at]) // 4, (int(place[at]) + size + 3) // 4):
                lanes, kinds = self.touched.setdefault((memory, word), (set(), set()))
                lanes.add(lane)
                kinds.add(kind)

    def _forget(self, *, shared: bool) -> None:
        if not self.matters:
            for key in [*self.touched]:
                if not shared or key[0].space is Space.SHARED:
                    del self.touched[key]


def answers(region: Region) -> set[Value]:
    """The values that something is done with."""
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
            found |= answers(inner)
    return found
