"""Operations with effects: memories, ports, variables, quads, and lanes that leave a construct."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...ir.kernel import Value
from ...ir.ops import OPS, Op
from .lanes import ActiveLanes, LaneValues
from .waves import wave

if TYPE_CHECKING:
    from .engine import LaneBatch

Effect = Callable[["LaneBatch", Value, ActiveLanes, list[LaneValues]], LaneValues]


def _select(found: LaneValues, active: ActiveLanes) -> LaneValues:
    """Return the elements of an array over the batch that belong to the active lanes."""
    if not np.ndim(found) or active.parent is None:
        return found
    return found[active.positions()]


def _source(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    return _select(batch.source(value.attr), active)


def _input(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    given = batch.launch.inputs[value.attr.key]
    return _select(given[batch.first : batch.first + batch.count], active)


def _output(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    lanes = batch.lanes_with_effects(active)
    given = args[0]
    written = given[lanes] if np.ndim(given) else given
    batch.launch.outputs[value.attr.key][active.positions()[lanes] + batch.first] = written
    return None


def _get(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    return active.get(value.attr)


def _set(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    active.set(value.attr, args[0])
    return None


def _load(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    store = batch.stores[value.attr]
    return store.load(args[0], args[1], value.type, active.positions(), active.mask)


def _store(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    store = batch.stores[value.attr]
    which = batch.writing_lanes(active, value.attr)
    store.store(args[0], args[1], args[2], active.positions(), which)
    return None


def _count(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    return np.uint32(batch.stores[value.attr].count & 0xFFFF_FFFF)


def _atomic(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    store = batch.stores[value.attr]
    operands = args[0], args[1]
    lanes = active.positions()
    which = batch.writing_lanes(active, value.attr)
    flush = batch.kernel.flush
    return store.atomic(value.op, operands, tuple(args[2:]), lanes, which, flush)


def _quad_swap(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    """Return the partner's value, or the lane's own value if its partner is not active."""
    given = args[0]
    if not np.ndim(given):
        return given
    row, lane = batch.wave_of(active.positions())
    places = row * batch.kernel.wave + lane
    where = np.full((int(row.max(initial=0)) + 1) * batch.kernel.wave, -1, np.int64)
    mask = active.indices()
    where[places[mask]] = mask
    partner = where[places ^ value.attr]
    return np.where(partner >= 0, given[partner], given)


def _discard(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    condition = np.broadcast_to(args[0], (active.count,))
    batch.killed[active.positions()[active.masked(condition)]] = True
    return None


def _is_helper(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    return _select(batch.killed.copy(), active)


def _nothing(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    return None


def _leave(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    batch.leave(value, active)
    return None


def _return(
    batch: "LaneBatch", value: Value, active: ActiveLanes, args: list[LaneValues]
) -> LaneValues:
    active.deactivate(None, write_back=False)
    return None


EFFECTS: dict[Op, Effect] = {
    OPS.source: _source,
    OPS.input: _input,
    OPS.output: _output,
    OPS.get: _get,
    OPS.set: _set,
    OPS.load: _load,
    OPS.store: _store,
    OPS.count: _count,
    OPS.quad_swap: _quad_swap,
    OPS.discard: _discard,
    **{op: wave for op in OPS if op.attribute == "wave"},
    OPS.is_helper: _is_helper,
    OPS.barrier: _nothing,
    OPS.message: _nothing,
    OPS.break_: _leave,
    OPS.continue_: _leave,
    OPS.exit: _leave,
    OPS.return_: _return,
    **{op: _atomic for op in OPS if op.atomic},
}
