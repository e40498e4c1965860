"""Who wrote a place last: one array of lanes beside a memory's bytes."""

from collections.abc import Hashable

import numpy as np

from ....ir.kernel import Value
from ....ir.ops import OPS
from ...launch import Array
from ..engine import Block
from ..lanes import Lanes, Party
from .watching import accessed_size, acting, is_access, spread


class Writers:
    """The last writer of each word of the memories that are bound, by key; -1 for nobody."""

    def __init__(self) -> None:
        self.lanes: dict[Hashable, Array] = {}

    def block(self, block: Block) -> None:
        """Nothing to prepare."""

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        if value.op is OPS.load or not is_access(value):
            return
        store = block.stores[value.attr]
        if store.base is not None:
            return
        lanes = self.lanes.get(value.attr.key)
        if lanes is None:
            lanes = self.lanes[value.attr.key] = np.full(-(-len(store.data) // 4), -1, np.int64)
        which = acting(block, party, value)
        element = spread(block.operand(value.args[0], party), party)
        byte = spread(block.operand(value.args[1], party), party)
        place, valid = store._place(element, byte, accessed_size(value), party.positions())
        which = which[spread(valid, party)[which]]
        words = spread(place, party)[which] // 4
        lanes[words] = block.first + party.positions()[which]
