"""Data races: accesses of a word of shared memory without a barrier between them.

    word     0    1    2    3        for each word of each group, since its last barrier:
    writer   -    7    7    -        the lane and line of the last write
    reader   3    -    *    -        the lane and line of a read; * several lanes

The accesses are from two lanes of a thread group, and at least one is a write. Atomic operations do
not race with each other. A barrier that only some lanes of a group reach is a separate finding.
"""

from typing import Any

import numpy as np

from ....ir.barriers import waits_for_group
from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ....ir.memory import Space
from ....ir.ops import OPS
from ...launch import Array
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .findings import Finding, FindingLog
from .watching import PlaceNames, accessed_size, accessing_lanes, broadcast, is_access

NOBODY = -1
SEVERAL = -2


class _Shadow:
    """The accesses of each word since the last barrier."""

    def __init__(self, words: int) -> None:
        self.writer = np.full(words, NOBODY, np.int64)
        self.writer_line = np.zeros(words, np.int32)
        self.atomic = np.zeros(words, np.bool_)
        self.reader = np.full(words, NOBODY, np.int64)
        self.reader_line = np.zeros(words, np.int32)

    def clear(self, words: Any) -> None:
        self.writer[words] = NOBODY
        self.reader[words] = NOBODY
        self.atomic[words] = False


class Races:
    """A watcher that collects races in shared memory."""

    def __init__(self, places: PlaceNames | None = None) -> None:
        self.places = places or PlaceNames()
        self.findings = FindingLog()
        self._shadows: dict[Any, _Shadow] = {}

    def begin(self, batch: LaneBatch) -> None:
        """Forget all accesses."""
        self._shadows = {
            memory: _Shadow(len(store.data) // 4)
            for memory, store in batch.stores.items()
            if memory.space is Space.SHARED
        }

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Check one operation."""
        if value.op is OPS.barrier and waits_for_group(value.attr):
            self._barrier(batch, active, value)
        elif is_access(value) and value.attr in self._shadows:
            self._access(batch, active, value)

    def _barrier(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        x, y, z = batch.kernel.group
        size = x * y * z
        places = active.positions()[active.indices()]
        groups, counts = np.unique(places // size, return_counts=True)
        partly = groups[counts < size]
        if len(partly):
            lane = batch.first + int(places[places // size == partly[0]][0])
            message = "only some lanes of a thread group reach this barrier"
            self.findings.add(
                Finding(
                    "barrier", value.line, lane, SymbolName(), message,
                    count=len(partly), location=value.location,
                )
            )  # fmt: skip
        for memory, shadow in self._shadows.items():
            words = memory.stride * (memory.count or 0) // 4
            shadow.clear((groups[:, np.newaxis] * words + np.arange(words)).reshape(-1))

    def _access(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        store = batch.stores[value.attr]
        shadow = self._shadows[value.attr]
        which = accessing_lanes(batch, active, value)
        element = broadcast(batch.operand(value.args[0], active), active)
        byte = broadcast(batch.operand(value.args[1], active), active)
        size = accessed_size(value)
        place, valid = store.locate(element, byte, size, active.positions())
        which = which[broadcast(valid, active)[which]]
        lanes = active.positions()[which]
        first = broadcast(place, active)[which] // 4
        for more in range(max(1, size // 4)):
            self._touch(batch, value, shadow, lanes, first + more, element[which], byte[which])

    def _touch(
        self,
        batch: LaneBatch,
        value: Value,
        shadow: _Shadow,
        lanes: Array,
        words: Array,
        element: Array,
        byte: Array,
    ) -> None:
        op = value.op
        atomic = op.atomic
        other, line = shadow.writer[words], shadow.writer_line[words]
        clash = (other != NOBODY) & (other != lanes)
        if atomic:
            clash &= ~shadow.atomic[words]
        if op is not OPS.load:
            reader = shadow.reader[words]
            read = (reader != NOBODY) & (reader != lanes) & ~clash
            other = np.where(read, reader, other)
            line = np.where(read, shadow.reader_line[words], line)
            clash |= read
        if clash.any():
            self._found(batch, value, clash, lanes, other, line, element, byte)
        if op is OPS.load:
            before = shadow.reader[words]
            shadow.reader[words] = np.where((before == NOBODY) | (before == lanes), lanes, SEVERAL)
            now = shadow.reader[words]
            shadow.reader[words[(now >= 0) & (now != lanes)]] = SEVERAL
            shadow.reader_line[words] = value.line
            return
        if not atomic:
            order = np.argsort(words, kind="stable")
            same = words[order][1:] == words[order][:-1]
            if same.any():  # written twice by one instruction
                pairs = np.zeros(len(words), np.bool_)
                partner = np.zeros(len(words), np.int64)
                pairs[order[1:][same]] = True
                partner[order[1:][same]] = lanes[order[:-1][same]]
                lines = np.full(len(words), value.line)
                self._found(batch, value, pairs, lanes, partner, lines, element, byte)
        shadow.writer[words] = lanes
        shadow.writer_line[words] = value.line
        shadow.atomic[words] = atomic

    def _found(
        self,
        batch: LaneBatch,
        value: Value,
        clash: Array,
        lanes: Array,
        others: Array,
        lines: Array,
        element: Array,
        byte: Array,
    ) -> None:
        for line in np.unique(lines[clash]):
            here = np.flatnonzero(clash & (lines == line))
            at = here[0]
            place = self.places.name(value.attr, int(element[at]), int(byte[at]))
            other = int(others[at])
            does = "reads" if value.op is OPS.load else "writes"
            self.findings.add(
                Finding(
                    "race", value.line, batch.first + int(lanes[at]), value.attr.label,
                    f"{does} {place}, which another lane accesses without a barrier in between",
                    int(line), batch.first + other if other >= 0 else -1, len(here), value.location,
                )
            )  # fmt: skip
