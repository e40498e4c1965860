"""Operations of waves on arrays: a row for each wave of the block, a column for each of its lanes.

lanes of the party      0 1 2 3 4 5 | 0 1 2 3 4 5       groups of six lanes
waves of four           0 1 2 3                         a cell that no lane of the party fills,
                        4 5 . .                         or only one that takes no part, is empty
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
from .lanes import Lanes, Party
from .operations import PURE, calculate, quiet

if TYPE_CHECKING:
    from .engine import Block


class Rows:
    """The waves of a block, and the lanes of a party in them that take part."""

    def __init__(self, block: "Block", party: Party, helpers: bool) -> None:
        self.size = block.kernel.wave
        self.row, self.lane = block.wave_of(party.positions())
        self.shape = int(self.row.max(initial=-1)) + 1, self.size
        taking = np.ones(party.count, np.bool_) if party.alive is None else party.alive
        if not helpers:
            taking = taking & ~block.killed[party.positions()]
        self.taking = np.zeros(self.shape, np.bool_)
        self.taking[self.row[taking], self.lane[taking]] = True
        self.chosen = taking

    def spread(self, lanes: Lanes, empty: Lanes) -> Array:
        """Return the values of lanes that take part, `empty` in all other cells."""
        found = np.full(self.shape, empty)
        values = np.broadcast_to(lanes, self.chosen.shape)[self.chosen]
        found[self.row[self.chosen], self.lane[self.chosen]] = values
        return found

    def lanes(self, cells: Any) -> Any:
        """Return what each lane of the party has in a cell for each lane, or for each wave."""
        return cells[self.row] if cells.ndim == 1 else cells[self.row, self.lane]


def wave(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    """Return what an operation of waves gives the lanes of a party."""
    attr: Wave = value.attr
    rows = Rows(block, party, attr.helpers)
    match value.op:
        case OPS.wave_elect:
            first = rows.taking.argmax(axis=1)
            return (rows.lane == rows.lanes(first)) & rows.lanes(rows.taking)
        case OPS.wave_all:
            return rows.lanes(rows.spread(args[0], np.True_).all(axis=1))
        case OPS.wave_any:
            return rows.lanes(rows.spread(args[0], np.False_).any(axis=1))
        case OPS.wave_equal:
            own = np.broadcast_to(args[0], (party.count,))
            first = _read(rows, own, rows.lanes(rows.taking.argmax(axis=1)))
            of = value.args[0].type
            if of.kind == "f":
                same = calculate(OPS.feq, of, block.kernel.flush, own, first)
            else:
                same = own == first
            return rows.lanes(rows.spread(same, np.True_).all(axis=1))
        case OPS.wave_ballot:
            return rows.lanes(_ballot(rows.spread(args[0], np.False_), attr.word))
        case OPS.wave_first:
            own = np.broadcast_to(args[0], (party.count,))
            return _read(rows, own, rows.lanes(rows.taking.argmax(axis=1)))
        case OPS.wave_read:
            own = np.broadcast_to(args[0], (party.count,))
            return _read(rows, own, np.broadcast_to(args[1], (party.count,)))
        case _:
            return _combined(rows, value, attr, args[0], block.kernel.flush)


def _read(rows: Rows, own: Array, asked: Array) -> Array:
    """Return the values of the lanes that are asked for; the own one where there is no such."""
    cells = rows.spread(own, own.dtype.type(0))
    there = asked < rows.size
    column = np.where(there, asked, 0)
    there = there & rows.taking[rows.row, column]
    return np.where(there, cells[rows.row, column], own)


def _ballot(cells: Array, word: int) -> Lanes:
    some = cells[:, WORD * word : WORD * (word + 1)]
    bits = np.uint32(1) << np.arange(some.shape[1], dtype=np.uint32)
    return np.where(some, bits, np.uint32(0)).sum(axis=1, dtype=np.uint32)


def _combined(rows: Rows, value: Value, attr: Wave, given: Lanes, flush: Widths) -> Lanes:
    """Return the values combined, from the lowest lane upward."""
    assert attr.op is not None
    type = value.type
    floats = type.kind == "f"
    combine = PURE[attr.op]
    if floats:
        combine = partial(calculate, attr.op, type, flush)
        given = calculate(OPS.fcanonicalise, type, flush, given)
    bits = np.array(NEUTRAL[attr.op](type), f"<u{max(type.size, 1)}")
    neutral = bits.view(dtype(type)) if type.kind != "b" else bits != 0
    cells = rows.spread(given, neutral[()])
    cluster = attr.cluster or rows.size
    apart = cells.reshape(-1, cluster)
    taking = rows.taking.reshape(-1, cluster)
    before, upto = np.empty_like(apart), np.empty_like(apart)
    total = np.full(len(apart), neutral[()])
    begun = np.zeros(len(apart), np.bool_)
    for lane in range(cluster):
        before[:, lane] = total
        here, each = taking[:, lane], apart[:, lane]
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
    given = rows.lanes(found.reshape(rows.shape))
    return quiet(given) if floats else given
