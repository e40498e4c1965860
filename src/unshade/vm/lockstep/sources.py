"""The sources of the lanes of a batch: numbers, ramps and arrays."""

from math import prod
from typing import Any

import numpy as np

from ...ir.kernel import KernelIR
from ...ir.sources import SOURCES, flattened, thread_in_group
from ..launch import Array, Launch
from .lanes import LaneValues
from .ramps import Ramp, repeated


class LaneSources:
    """The sources of `count` lanes, starting with lane `first` of the call."""

    def __init__(self, kernel: KernelIR, launch: Launch, first: int, count: int) -> None:
        self.kernel = kernel
        self.launch = launch
        self.first = first
        self.count = count
        self._known: dict[str, LaneValues] = {}

    def __getitem__(self, name: str) -> LaneValues:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._source(name)
        return found

    def wave_of(self, places: Array) -> tuple[Array, Array]:
        """Return the wave in the batch, and the lane in that wave, of positions in the batch."""
        wave = self.kernel.wave
        if not self.kernel.dispatched:
            return places // wave, places % wave
        x, y, z = self.kernel.group
        size = x * y * z
        local = places % size
        return places // size * -(-size // wave) + local // wave, local % wave

    def _source(self, name: str) -> LaneValues:
        source = SOURCES[name]
        at = source.axis or 0
        match source.word:
            case "thread_id":
                return self._thread(at)
            case "thread_group_id":
                return self._of_groups(self._groups(at))
            case "thread_id_in_group":
                if self._has_axes:
                    return repeated(self._along(at), self._shape)
                return self._of_lanes(self._in_group(at))
            case "thread_id_in_group_flattened":
                group = self.kernel.group
                return self._of_lanes(flattened(np.arange(prod(group)), group, self.kernel.quads))
            case "group_count":
                return np.uint32(self.launch.groups[at])
            case "wave_lane":
                return self.wave_of(np.arange(self.count))[1].astype(np.uint32)
            case "wave_size":
                return np.uint32(self.kernel.wave)
            case "quad_lane":
                if self.kernel.dispatched:
                    return self._of_lanes(np.arange(prod(self.kernel.group)) & 3)
                return np.arange(self.first, self.first + self.count, dtype=np.uint32) & 3
            case "helper":
                if self.launch.helpers is None:
                    return np.uint32(0)
                some = self.launch.helpers[self.first : self.first + self.count]
                return some.astype(np.uint32)
            case _:
                return Ramp(self.first, 1, self.count)

    def _thread(self, axis: int) -> LaneValues:
        """Return the thread in the dispatch along an axis."""
        x, y, z = self.kernel.group
        size = self.kernel.group[axis]
        row = self.launch.groups[0] * x
        if axis == 0 and y == z == 1 and self.first % row + self.count <= row:
            return Ramp(self.first % row, 1, self.count)
        groups = self._groups(axis)
        if size == 1:
            return self._of_groups(groups)
        if self._has_axes:
            few = groups.reshape(-1, 1, 1, 1) * np.uint32(size) + self._along(axis)
            return repeated(few, self._shape)
        found = groups[:, np.newaxis] * np.uint32(size) + self._in_group(axis)
        return found.reshape(-1)[: self.count]

    def _groups(self, axis: int) -> Array:
        """Return the position of each group of the batch along an axis."""
        x, y, z = self.kernel.group
        first = self.first // (x * y * z)
        groups = np.arange(first, first + -(-self.count // (x * y * z)))
        gx, gy, _ = self.launch.groups
        if axis == 0:
            found = groups % gx
        else:
            found = groups // gx % gy if axis == 1 else groups // (gx * gy)
        return found.astype(np.uint32)

    def _in_group(self, axis: int) -> Array:
        """Return the position of each thread of a group along an axis."""
        group = self.kernel.group
        threads = thread_in_group(np.arange(prod(group)), group, self.kernel.quads)
        found: Array = threads[axis].astype(np.uint32)
        return found

    def _of_groups(self, groups: Array) -> LaneValues:
        """Return a number of each group for its lanes."""
        if (groups == groups[0]).all():
            return groups[0]
        if self._has_axes:
            return repeated(groups.reshape(-1, 1, 1, 1), self._shape)
        return np.repeat(groups, prod(self.kernel.group))[: self.count]

    @property
    def _has_axes(self) -> bool:
        """True if lanes are numbered along the axes of their groups, and the groups are whole."""
        kernel = self.kernel
        return kernel.dispatched and not kernel.quads and not self.count % prod(kernel.group)

    @property
    def _shape(self) -> tuple[int, ...]:
        """The number of groups, and the threads of a group along z, y and x."""
        group = self.kernel.group
        return self.count // prod(group), *reversed(group)

    def _along(self, axis: int) -> Array:
        """Return the position of each thread along an axis, as an array with that axis alone."""
        shape = [1, 1, 1, 1]
        shape[3 - axis] = -1
        return np.arange(self.kernel.group[axis], dtype=np.uint32).reshape(shape)

    def _of_lanes(self, lanes: Any) -> Array:
        """Return a number of each thread of a group for all groups."""
        groups = -(-self.count // len(lanes))
        return np.tile(lanes.astype(np.uint32), groups)[: self.count]
