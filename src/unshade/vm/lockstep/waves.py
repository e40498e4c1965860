"""Wave operations on arrays: a row for each wave of the batch, a column for each of its lanes.

active lanes            0 1 2 3 4 5 | 0 1 2 3 4 5       groups of six lanes
waves of four           0 1 2 3                         a cell is empty if its lane is inactive or
                        4 5 . .                         does not participate
                        0 1 2 3
                        4 5 . .
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.kernel import Value
from ...ir.ops import OPS
from ...ir.types import Widths
from ...ir.waves import NEUTRAL, WORD, Wave
from ..launch import Array, dtype
from .lanes import ActiveLanes, LaneValues
from .operations import PURE, calculate, quiet

if TYPE_CHECKING:
    from .batch import LaneBatch


class WaveGrid:
    """The waves of a batch as a grid, and which lanes participate in a wave operation."""

    def __init__(self, batch: "LaneBatch", active: ActiveLanes, helpers: bool) -> None:
        self.size = batch.kernel.wave
        self.row, self.lane = batch.wave_of(active.positions())
        self.shape = int(self.row.max(initial=-1)) + 1, self.size
        participating = np.ones(active.count, np.bool_) if active.mask is None else active.mask
        if not helpers:
            participating = participating & ~batch.killed[active.positions()]
        self.participating = np.zeros(self.shape, np.bool_)
        self.participating[self.row[participating], self.lane[participating]] = True
        self.participants = participating

    def scatter(self, lanes: LaneValues, empty: LaneValues) -> Array:
        """Return a grid with the values of participating lanes, and `empty` in all other cells."""
        found = np.full(self.shape, empty)
        values = np.broadcast_to(lanes, self.participants.shape)[self.participants]
        found[self.row[self.participants], self.lane[self.participants]] = values
        return found

    def gather(self, cells: Any) -> Any:
        """Return for each active lane the value of its cell, or of its wave."""
        return cells[self.row] if cells.ndim == 1 else cells[self.row, self.lane]


def wave(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    """Return the result of a wave operation in the active lanes."""
    attr: Wave = value.attr
    grid = WaveGrid(batch, active, attr.helpers)
    match value.op:
        case OPS.wave_elect:
            first = grid.participating.argmax(axis=1)
            return (grid.lane == grid.gather(first)) & grid.gather(grid.participating)
        case OPS.wave_all:
            return grid.gather(grid.scatter(args[0], np.True_).all(axis=1))
        case OPS.wave_any:
            return grid.gather(grid.scatter(args[0], np.False_).any(axis=1))
        case OPS.wave_equal:
            own = np.broadcast_to(args[0], (active.count,))
            first = _read(grid, own, grid.gather(grid.participating.argmax(axis=1)))
            of = value.args[0].type
            if of.kind == "f":
                same = calculate(OPS.feq, of, batch.kernel.flush, own, first)
            else:
                same = own == first
            return grid.gather(grid.scatter(same, np.True_).all(axis=1))
        case OPS.wave_ballot:
            return grid.gather(_ballot(grid.scatter(args[0], np.False_), attr.word))
        case OPS.wave_first:
            own = np.broadcast_to(args[0], (active.count,))
            return _read(grid, own, grid.gather(grid.participating.argmax(axis=1)))
        case OPS.wave_read:
            own = np.broadcast_to(args[0], (active.count,))
            return _read(grid, own, np.broadcast_to(args[1], (active.count,)))
        case _:
            return _combined(grid, value, attr, args[0], batch.kernel.flush)


def _read(grid: WaveGrid, own: Array, asked: Array) -> Array:
    """Return the values of the requested lanes, or a lane's own value if there is none."""
    cells = grid.scatter(own, own.dtype.type(0))
    there = asked < grid.size
    column = np.where(there, asked, 0)
    there = there & grid.participating[grid.row, column]
    return np.where(there, cells[grid.row, column], own)


def _ballot(cells: Array, word: int) -> LaneValues:
    some = cells[:, WORD * word : WORD * (word + 1)]
    bits = np.uint32(1) << np.arange(some.shape[1], dtype=np.uint32)
    return np.where(some, bits, np.uint32(0)).sum(axis=1, dtype=np.uint32)


def _combined(
    grid: WaveGrid, value: Value, attr: Wave, given: LaneValues, flush: Widths
) -> LaneValues:
    """Return the values combined from the lowest lane upward."""
    assert attr.op is not None
    type = value.type
    floats = type.kind == "f"
    combine = PURE[attr.op]
    if floats:
        combine = partial(calculate, attr.op, type, flush)
        given = calculate(OPS.fcanonicalise, type, flush, given)
    bits = np.array(NEUTRAL[attr.op](type), f"<u{max(type.size, 1)}")
    neutral = bits.view(dtype(type)) if type.kind != "b" else bits != 0
    cells = grid.scatter(given, neutral[()])
    cluster = attr.cluster or grid.size
    apart = cells.reshape(-1, cluster)
    participating = grid.participating.reshape(-1, cluster)
    before, upto = np.empty_like(apart), np.empty_like(apart)
    total = np.full(len(apart), neutral[()])
    begun = np.zeros(len(apart), np.bool_)
    for lane in range(cluster):
        before[:, lane] = total
        here, each = participating[:, lane], apart[:, lane]
        made = np.where(begun, combine(total, each), each)
        total = np.where(here, made, total)
        begun |= here
        upto[:, lane] = total
    match value.op:
        case OPS.wave_scan:
            found = upto
        case OPS.wave_before:
            found = before
        case _:
            found = np.repeat(total[:, np.newaxis], cluster, axis=1)
    given = grid.gather(found.reshape(grid.shape))
    return quiet(given) if floats else given
