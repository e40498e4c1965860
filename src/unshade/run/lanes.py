"""Names of lanes: threads of a dispatch, vertices, pixels, primitives, patches.

lane number of the engine  <->  (3, 0, 0)  vertex 17  pixel (120, 64)  point 5 of patch 2: (2, 5)
"""

from collections.abc import Callable
from functools import cached_property
from math import prod
from operator import index
from typing import Protocol

import numpy as np

from ..errors import UsageError
from ..ir.sources import lane_in_group, thread_in_group
from ..vm.launch import Array
from ..vocab.words import Stage
from .binding.numbers import shown

Thread = tuple[int, ...]


def thread_name(thread: Thread) -> str:
    """`(3, 0, 0)`, `17`."""
    return str(thread[0]) if len(thread) == 1 else str(thread)


def thread_title(stage: Stage, thread: Thread) -> str:
    """Return the name of a thread: `thread (3, 0, 0)`, `pixel (40, 40) of triangle 2`."""
    if stage is not Stage.PIXEL or len(thread) < 2:
        return f"thread {thread_name(thread)}"
    name = f"pixel {thread_name(thread[:2])}"
    return f"{name} of triangle {thread[2]}" if len(thread) > 2 else name


def group_counts(groups: int | tuple[int, ...]) -> tuple[int, int, int]:
    """Return the number of thread groups along each axis; UsageError for anything else."""
    try:
        given = [index(each) for each in (groups if np.iterable(groups) else [groups])]
    except TypeError:
        given = []
    if not 1 <= len(given) <= 3:
        raise UsageError(f"groups: expected one to three integers, got {shown(groups)}")
    x, y, z = [*given, 1, 1][:3]
    if min(x, y, z) < 0 or max(x, y, z) > 65535:
        raise UsageError(f"groups: expected 0 to 65535 along each axis, got {shown(groups)}")
    return x, y, z


class Lanes(Protocol):
    """The lanes of one call of an engine."""

    @property
    def count(self) -> int:
        """The number of lanes."""

    def lane(self, thread: Thread) -> int | None:
        """Return the lane of a thread, None if this call has no such thread."""

    def thread(self, lane: int) -> Thread:
        """Return the thread that runs as a lane."""


class ThreadLanes:
    """Threads of a dispatch, lanes in the order of groups and of threads in a group.

    With `quads`, threads of a group are ordered by quads of 2 x 2 (ir/sources.py).
    """

    def __init__(
        self, group: tuple[int, int, int], groups: tuple[int, int, int], *, quads: bool = False
    ) -> None:
        self.group = group
        self.groups = groups
        self.quads = quads

    @property
    def count(self) -> int:
        x, y, z = self.group
        gx, gy, gz = self.groups
        return x * y * z * gx * gy * gz

    def lane(self, thread: Thread) -> int | None:
        """Return the lane of a thread (x, y, z) of the dispatch, None outside of it."""
        at = (*thread, 0, 0)[:3]
        group, factor, inside = 0, 1, []
        for place, size, count in zip(at, self.group, self.groups, strict=True):
            if not 0 <= place < size * count:
                return None
            group += place // size * factor
            factor *= count
            inside.append(place % size)
        x, y, z = inside
        own: int = lane_in_group((x, y, z), self.group, self.quads)
        return group * prod(self.group) + own

    def numbers(self, x: Array, y: Array, z: Array) -> Array:
        """Return the lanes of threads of the dispatch."""
        group, factor = np.zeros(len(x), np.int64), 1
        inside = []
        for place, size, count in zip((x, y, z), self.group, self.groups, strict=True):
            group += place // size * factor
            factor *= count
            inside.append(place % size)
        own: Array = lane_in_group((inside[0], inside[1], inside[2]), self.group, self.quads)
        return group * prod(self.group) + own

    def thread(self, lane: int) -> Thread:
        """Return the thread that runs as a lane."""
        group, local = divmod(lane, prod(self.group))
        inside = thread_in_group(local, self.group, self.quads)
        found = []
        for place, extent, count in zip(inside, self.group, self.groups, strict=True):
            group, at_group = divmod(group, count)
            found.append(at_group * extent + place)
        return tuple(found)


class RowLanes:
    """Rows of arrays; each row runs as one or more lanes, and the first lane represents the row."""

    def __init__(self, rows: int, copies: int = 1) -> None:
        self.rows = rows
        self.copies = copies

    @property
    def count(self) -> int:
        return self.rows * self.copies

    def lane(self, thread: Thread) -> int | None:
        """Return the first lane of a row."""
        return thread[0] * self.copies if 0 <= thread[0] < self.rows else None

    def thread(self, lane: int) -> Thread:
        """Return the row of a lane."""
        return (lane // self.copies,)


class PrimitiveLanes:
    """Primitives or patches from `first` on, with `each` lanes of instances or points."""

    def __init__(self, first: int, rows: int, each: int = 1) -> None:
        self.first = first
        self.rows = rows
        self.each = each

    @property
    def count(self) -> int:
        return self.rows * self.each

    def lane(self, thread: Thread) -> int | None:
        """Return the lane of (primitive, instance) or (patch, point)."""
        row, number = (*thread, 0)[:2]
        row -= self.first
        if not (0 <= row < self.rows and 0 <= number < self.each):
            return None
        return row * self.each + number

    def thread(self, lane: int) -> Thread:
        """Return the primitive or patch of a lane, and the number of the lane in it."""
        row, number = divmod(lane, self.each)
        return (row + self.first, number) if self.each > 1 else (row + self.first,)


class PixelLanes:
    """Pixels as lanes, found by position and, in a mesh, also by the triangle that covers them."""

    def __init__(self, x: Array, y: Array, triangle: Array | None = None) -> None:
        self.x = x
        self.y = y
        self.triangle = triangle

    @property
    def count(self) -> int:
        return len(self.x)

    def lane(self, thread: Thread) -> int | None:
        """Return the first lane of a pixel (x, y), or of one of its triangles (x, y, triangle)."""
        found = self.lanes(thread)
        return int(found[0]) if len(found) else None

    def lanes(self, thread: Thread) -> Array:
        """Return every lane of a pixel."""
        x, y = (*thread, 0)[:2]
        here = (self.x == x) & (self.y == y)
        if self.triangle is not None and len(thread) > 2:
            here &= self.triangle == thread[2]
        return np.flatnonzero(here)

    def thread(self, lane: int) -> Thread:
        """Return the pixel of a lane, and its triangle."""
        place = int(self.x[lane]), int(self.y[lane])
        return place if self.triangle is None else (*place, int(self.triangle[lane]))


class QuadLanes:
    """The pixels of quads as lanes, four each.

    `quads` returns x and y of the first pixel of each quad, and its triangle, when they are asked
    for.
    """

    def __init__(self, quads: Callable[[], tuple[Array, Array, Array]], quad_count: int) -> None:
        self._quads = quads
        self.count = 4 * quad_count

    @cached_property
    def _pixels(self) -> PixelLanes:
        x, y, triangle = (np.repeat(each, 4) for each in self._quads())
        lane = np.arange(self.count)
        return PixelLanes(x + (lane & 1), y + (lane >> 1 & 1), triangle)

    def lane(self, thread: Thread) -> int | None:
        """Return the first lane of a pixel, or of one of its triangles."""
        return self._pixels.lane(thread)

    def thread(self, lane: int) -> Thread:
        """Return the pixel of a lane, and its triangle."""
        return self._pixels.thread(lane)
