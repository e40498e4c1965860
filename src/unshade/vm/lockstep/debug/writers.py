"""The last writer of each place: an array of lanes, parallel to the bytes of a memory."""

from collections.abc import Hashable

import numpy as np

from ....ir.kernel import Value
from ....ir.ops import OPS
from ...launch import Array
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .watching import accessed_size, accessing_lanes, broadcast, is_access


class Writers:
    """The last writer of each word of the bound memories, by key; -1 if no lane wrote it."""

    def __init__(self) -> None:
        self.lanes: dict[Hashable, Array] = {}

    def begin(self, batch: LaneBatch) -> None:
        """Do nothing: writers are kept over all batches."""

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Record the lanes of a write."""
        if value.op is OPS.load or not is_access(value):
            return
        store = batch.stores[value.attr]
        if store.base is not None:
            return
        lanes = self.lanes.get(value.attr.key)
        if lanes is None:
            lanes = self.lanes[value.attr.key] = np.full(-(-len(store.data) // 4), -1, np.int64)
        which = accessing_lanes(batch, active, value)
        element = broadcast(batch.operand(value.args[0], active), active)
        byte = broadcast(batch.operand(value.args[1], active), active)
        place, valid = store.locate(element, byte, accessed_size(value), active.positions())
        which = which[broadcast(valid, active)[which]]
        words = broadcast(place, active)[which] // 4
        lanes[words] = batch.first + active.positions()[which]
