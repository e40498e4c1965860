"""Steps of operations with effects or that depend on the lane: memories, ports, variables, quads.

Each row of `EFFECTS` makes the step of one operation. A step receives its data as default
arguments: a closure would need a cell for each value, and give the garbage collector six times as
many objects to visit.
"""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ...ir.kernel import Value
from ...ir.memory import Memory, Var
from ...ir.ops import OPS, Op
from ...ir.types import Type
from ...tuples import NamedTuple
from ..launch import dtype
from .control import Step
from .lanes import ActiveLanes, LaneValues, selected
from .operations import UFUNCS, Pure
from .ramps import flat
from .waves import wave


class OperationSite(NamedTuple):
    """An operation in a program.

    args   the registers of its operands
    out    the register of its result
    type   the type of its result
    memo   the register that keeps the places of an access, or None
    read   its result is not used after a write to memory
    """

    value: Value
    args: tuple[int, ...]
    out: int
    type: Type
    memo: int | None
    read: bool


Effect = Callable[[OperationSite], Step]


def recorded_step(step: Step, value: Value, out: int) -> Step:
    """Return a step that reports its result to the watcher of the batch."""
    has_result = value.type.kind != "v"

    def recorded(active: ActiveLanes) -> None:
        step(active)
        batch = active.batch
        assert batch.watcher is not None
        result = flat(active.registers[out]) if has_result else None
        batch.watcher.step(batch, active, value, result)

    return recorded


def _whole(lanes: LaneValues, active: ActiveLanes) -> LaneValues:
    """Return the elements of an array over the batch that belong to the active lanes."""
    return lanes if active.whole else selected(lanes, active.positions())


def writing_step(op: Op, pure: Pure, args: tuple[int, ...], out: int) -> Step:
    """Return the step of a pure operation that writes into the array of its register."""
    ufunc = UFUNCS[op]
    if len(args) == 1:

        def one(
            active: ActiveLanes,
            pure: Pure = pure,
            ufunc: Pure = ufunc,
            out: int = out,
            a: int = args[0],
        ) -> None:
            r = active.registers
            x, old = r[a], r[out]
            if old is None or not old.ndim or not x.ndim:
                r[out] = pure(x)
            else:
                ufunc(x, old)

        return one
    first, second = args

    def two(
        active: ActiveLanes,
        pure: Pure = pure,
        ufunc: Pure = ufunc,
        out: int = out,
        a: int = first,
        b: int = second,
    ) -> None:
        r = active.registers
        x, y, old = r[a], r[b], r[out]
        if old is None or not old.ndim or not (x.ndim or y.ndim):
            r[out] = pure(x, y)
        else:
            ufunc(x, y, old)

    return two


def pure_step(pure: Pure, args: tuple[int, ...], out: int) -> Step:
    """Return the step of a pure operation."""
    if len(args) == 2:
        first, second = args

        def two(
            active: ActiveLanes, pure: Pure = pure, out: int = out, a: int = first, b: int = second
        ) -> None:
            r = active.registers
            r[out] = pure(r[a], r[b])

        return two
    if len(args) == 1:

        def one(active: ActiveLanes, pure: Pure = pure, out: int = out, a: int = args[0]) -> None:
            r = active.registers
            r[out] = pure(r[a])

        return one

    def more(
        active: ActiveLanes, pure: Pure = pure, out: int = out, args: tuple[int, ...] = args
    ) -> None:
        r = active.registers
        r[out] = pure(*[r[each] for each in args])

    return more


def _source(site: OperationSite) -> Step:
    def step(active: ActiveLanes, name: str = site.value.attr, out: int = site.out) -> None:
        active.registers[out] = _whole(active.batch.sources[name], active)

    return step


def _input(site: OperationSite) -> Step:
    def step(active: ActiveLanes, key: Hashable = site.value.attr.key, out: int = site.out) -> None:
        batch = active.batch
        given = batch.launch.inputs[key][batch.first : batch.first + batch.count]
        active.registers[out] = _whole(given, active)

    return step


def _output(site: OperationSite) -> Step:
    (value,) = site.args

    def step(active: ActiveLanes, key: Hashable = site.value.attr.key, value: int = value) -> None:
        batch = active.batch
        lanes = batch.lanes_with_effects(active)
        written = selected(active.registers[value], lanes)
        batch.launch.outputs[key][active.positions()[lanes] + batch.first] = written

    return step


def _get(site: OperationSite) -> Step:
    def step(active: ActiveLanes, var: Var = site.value.attr, out: int = site.out) -> None:
        found = active.variables.get(var)
        if found is None or active.unshared:
            found = active.get(var)
        active.registers[out] = found

    return step


def _set(site: OperationSite) -> Step:
    (value,) = site.args

    def step(active: ActiveLanes, var: Var = site.value.attr, value: int = value) -> None:
        lanes = flat(active.registers[value])
        if active.suspended or active.unshared:
            active.set(var, lanes)
        else:
            active.variables[var] = lanes
            active.modified.add(var)

    return step


def _load(site: OperationSite) -> Step:
    kind, (element, byte) = dtype(site.type), site.args

    def step(
        active: ActiveLanes,
        memory: Memory = site.value.attr,
        kind: np.dtype[Any] = kind,
        element: int = element,
        byte: int = byte,
        out: int = site.out,
        memo: int | None = site.memo,
        read: bool = site.read,
    ) -> None:
        r = active.registers
        store = active.batch.stores[memory]
        places = None if memo is None else r[memo]
        if places is None:
            places = store.places(r[element], r[byte], kind.itemsize, active)
            if memo is not None:
                r[memo] = places
        found = store.load(places, kind, active)
        r[out] = found if read or type(places) is not slice else found.copy()

    return step


def _store(site: OperationSite) -> Step:
    size = site.value.args[2].type.size

    def step(active: ActiveLanes, site: OperationSite = site, size: int = size) -> None:
        value, (element, byte, given), _, _, memo, _ = site
        r = active.registers
        batch = active.batch
        store = batch.stores[value.attr]
        places = None if memo is None else r[memo]
        if places is None:
            places = store.places(r[element], r[byte], size, active)
            if memo is not None:
                r[memo] = places
        everywhere = batch.all_write(active, value.attr)
        which = None if everywhere else batch.writing_lanes(active, value.attr)
        store.store(places, flat(r[given]), active, which)

    return step


def _rare(effect: Callable[[Value, ActiveLanes, list[LaneValues]], LaneValues]) -> Effect:
    """Return the row of an operation whose operands are all taken in the same way."""

    def made(site: OperationSite) -> Step:
        def step(active: ActiveLanes, site: OperationSite = site) -> None:
            r = active.registers
            args = [flat(r[each]) for each in site.args]
            r[site.out] = effect(site.value, active, args)

        return step

    return made


def _count(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    return np.uint32(active.batch.stores[value.attr].count & 0xFFFF_FFFF)


def _atomic(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    batch = active.batch
    store = batch.stores[value.attr]
    operands = args[0], args[1]
    lanes = active.positions()
    which = batch.writing_lanes(active, value.attr)
    return store.atomic(value.op, operands, tuple(args[2:]), lanes, which, batch.kernel.flush)


def _quad_swap(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    """Return the partner's value, or the lane's own value if its partner is not active."""
    given = args[0]
    if not given.ndim:
        return given
    batch = active.batch
    row, lane = batch.wave_of(active.positions())
    places = row * batch.kernel.wave + lane
    where = np.full((int(row.max(initial=0)) + 1) * batch.kernel.wave, -1, np.int64)
    mask = active.indices()
    where[places[mask]] = mask
    partner = where[places ^ value.attr]
    return np.where(partner >= 0, given[partner], given)


def _discard(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    condition = np.broadcast_to(args[0], (active.count,))
    active.batch.discard(active.positions()[active.masked(condition)])
    return None


def _is_helper(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    return _whole(active.batch.killed.copy(), active)


def _wave(value: Value, active: ActiveLanes, args: list[LaneValues]) -> LaneValues:
    return wave(active.batch, value, active, args)


def _nothing(value: Value, active: ActiveLanes, args: list[LaneValues]) -> Any:
    return None


EFFECTS: dict[Op, Effect] = {
    OPS.source: _source,
    OPS.input: _input,
    OPS.output: _output,
    OPS.get: _get,
    OPS.set: _set,
    OPS.load: _load,
    OPS.store: _store,
    OPS.count: _rare(_count),
    OPS.quad_swap: _rare(_quad_swap),
    OPS.discard: _rare(_discard),
    **{op: _rare(_wave) for op in OPS if op.attribute == "wave"},
    OPS.is_helper: _rare(_is_helper),
    OPS.barrier: _rare(_nothing),
    OPS.message: _rare(_nothing),
    **{op: _rare(_atomic) for op in OPS if op.atomic},
}
