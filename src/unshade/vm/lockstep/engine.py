"""The lockstep engine: NumPy over all lanes of a batch, one operation at a time.

A batch is as many whole thread groups (or quads) as fit into some ten thousand lanes. Every
operation completes in all active lanes before the next one begins, so barriers need no work. Where
lanes diverge, each path runs with a subset of the active lanes (lanes.py).

A `Watcher` lets a debugger observe the run: it receives each operation and its result.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as numbers
from typing import Any, Protocol

import numpy as np

from ...errors import BudgetError, LimitError, UnsupportedError
from ...ir.kernel import Block, If, KernelIR, Loop, Region, Switch, Value, leaves
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.sources import SOURCES
from ...ir.waves import QUAD
from ..flush_mode import flushing
from ..launch import Array, Launch, Report, dtype
from .effects import EFFECTS
from .lanes import ActiveLanes, LaneValues
from .operations import CONVERSIONS, PURE, convert
from .store import Store, create_store

BATCH_LANES = 1 << 14  # measured: batches of 4k lanes are half as fast
COMPACT_BELOW = 0.75  # compact arrays when a smaller share of their lanes is active
MAX_MEMORY = 1 << 28  # bytes of shared and local memories in a batch
MIN_COMPACTED = 256  # lanes: smaller arrays are not compacted


class Watcher(Protocol):
    """An observer of a running kernel."""

    def begin(self, batch: "LaneBatch") -> None:
        """A batch is about to run."""

    def step(
        self, batch: "LaneBatch", active: ActiveLanes, value: Value, result: LaneValues
    ) -> None:
        """An operation has completed; `result` is None if it only has effects."""


@dataclass(slots=True)
class EnteredConstruct:
    """A construct that lanes are in and may leave.

    iteration   of a loop, from 1
    suspended   indices of lanes that are inactive until the construct ends, or until its next
                iteration
    """

    statement: Loop | Switch | Block
    active: ActiveLanes
    iteration: int = 0
    suspended: list[Array] = field(default_factory=list)


class Lockstep:
    """An engine that interprets kernels with NumPy, without compiling anything."""

    name = "lockstep"

    def run(self, kernel: KernelIR, launch: Launch, watcher: Watcher | None = None) -> Report:
        """Run a kernel; the arrays of the launch are written in place.

        Args:
            kernel: A prepared kernel (`unshade.vm.prepare`).
            launch: The size of the call, its memories and its ports.
            watcher: An observer of every operation.

        Raises:
            UsageError: An array is missing or does not match the kernel.
            LimitError: The call has too many lanes or needs too much memory.
            BudgetError: A loop exceeds the iteration budget.
        """
        launch.check(kernel)
        report = Report(self.name)
        with np.errstate(all="ignore"), flushing(kernel.mode):
            for batch in batches(kernel, launch):
                if watcher is not None:
                    watcher.begin(batch)
                batch.watcher = watcher
                batch.run()
                report.lanes += batch.count
                report.discarded += int(np.count_nonzero(batch.killed)) - batch.helping
                for store in batch.stores.values():
                    if store.out_of_bounds:
                        name = store.memory.name
                        report.out_of_bounds[name] = (
                            report.out_of_bounds.get(name, 0) + store.out_of_bounds
                        )
        return report


def batches(kernel: KernelIR, launch: Launch) -> "Iterator[LaneBatch]":
    """Split a launch into batches; LimitError if one group or quad needs too much memory."""
    x, y, z = kernel.group
    size = x * y * z
    if not kernel.dispatched:
        waves = any(value.op.attribute == "wave" for value in kernel.values())
        size = max(QUAD, kernel.wave) if waves else QUAD
    total = launch.groups[0] * launch.groups[1] * launch.groups[2]
    if not kernel.dispatched:
        total = -(-launch.items // size)
    own = sum(
        memory.stride * (memory.count or 0) * (size if memory.space is Space.LOCAL else 1)
        for memory in kernel.memories
        if memory.space in (Space.LOCAL, Space.SHARED)
    )
    if own > MAX_MEMORY:
        raise LimitError("memory", MAX_MEMORY, own)
    step = max(1, min(BATCH_LANES // size, MAX_MEMORY // max(own, 1)))
    for first in range(0, total, step):
        lanes = min(step, total - first) * size
        if not kernel.dispatched:
            lanes = min(lanes, launch.items - first * size)
        yield LaneBatch(kernel, launch, first * size, lanes)


class LaneBatch:
    """A batch of lanes that run in lockstep: `count` lanes, of which `first` is the first."""

    def __init__(self, kernel: KernelIR, launch: Launch, first: int, count: int) -> None:
        self.kernel = kernel
        self.launch = launch
        self.first = first
        self.count = count
        self.watcher: Watcher | None = None
        x, y, z = kernel.group
        size = x * y * z
        groups = -(-count // size)
        self.stores: dict[Any, Store] = {
            memory: create_store(memory, launch.memories, count, groups, size)
            for memory in kernel.memories
        }
        self.killed = np.zeros(count, np.bool_)
        if launch.helpers is not None:
            self.killed |= launch.helpers[first : first + count]
        self.helping = int(np.count_nonzero(self.killed))
        self.iterations = 0
        self._sources: dict[str, LaneValues] = {}
        self.constructs: list[EnteredConstruct] = []  # from the outermost inward

    def run(self) -> None:
        """Run all lanes of the batch."""
        self.region(self.kernel.body, ActiveLanes(self.count))

    # ------------------------------------------------------------ structure

    def region(self, region: Region, active: ActiveLanes) -> None:
        """Run a region in the active lanes."""
        for number, statement in enumerate(region):
            if isinstance(statement, Value):
                self.step(statement, active)
                if statement.op.ends:
                    return
                continue
            if isinstance(statement, If):
                self._if(statement, active)
            elif isinstance(statement, Loop):
                self._loop(statement, active)
            elif isinstance(statement, Switch):
                self._switch(statement, active)
            else:
                lanes = active.remaining()
                self._run_body(EnteredConstruct(statement, lanes), statement.body)
                lanes.reconverge()
            if active.mask is None:
                continue
            remaining = int(np.count_nonzero(active.mask))
            if not remaining:
                return
            if (
                remaining < COMPACT_BELOW * active.count
                and active.count > MIN_COMPACTED
                and number + 1 < len(region)
            ):
                rest = active.remaining()
                self.region(region[number + 1 :], rest)
                rest.reconverge()
                return

    def _run_subset(self, region: Region, active: ActiveLanes, chosen: Array) -> None:
        """Run a region in the lanes with these indices."""
        if not region:
            return
        some = active.subset(chosen)
        self.region(region, some)
        some.reconverge()

    def _if(self, statement: If, active: ActiveLanes) -> None:
        condition = self.operand(statement.condition, active)
        if not np.ndim(condition):
            self.region(statement.then if condition else statement.otherwise, active)
            return
        then = active.masked(condition)
        others = active.masked(~condition)
        if not others.any():
            self.region(statement.then, active)
        elif not then.any():
            self.region(statement.otherwise, active)
        else:
            self._run_subset(statement.then, active, np.flatnonzero(then))
            self._run_subset(statement.otherwise, active, np.flatnonzero(others))

    def _loop(self, statement: Loop, active: ActiveLanes) -> None:
        lanes = active.remaining()
        for number in numbers(1):
            if lanes.empty:
                return
            self._run_body(EnteredConstruct(statement, lanes, number), statement.body)
            self.iterations += 1
            if self.iterations > self.launch.budget:
                raise self._over_budget(statement, lanes)
            if lanes.mask is not None and lanes.count > MIN_COMPACTED:
                remaining = np.flatnonzero(lanes.mask)
                if len(remaining) < COMPACT_BELOW * lanes.count:
                    lanes.write_back(remaining)
                    chosen = (
                        remaining
                        if lanes.parent_indices is None
                        else lanes.parent_indices[remaining]
                    )
                    lanes = active.subset(chosen)

    def _over_budget(self, statement: Loop, active: ActiveLanes) -> BudgetError:
        """Return the error for a loop that exceeds the budget, with its line and first lane."""
        positions = active.positions()[active.indices()]
        lane = self.first + int(positions[0]) if len(positions) else -1
        return BudgetError(self.launch.budget, statement.line, lane)

    def _switch(self, statement: Switch, active: ActiveLanes) -> None:
        value = np.broadcast_to(self.operand(statement.value, active), (active.count,))
        left = np.ones(active.count, np.bool_) if active.mask is None else active.mask.copy()
        chosen: list[tuple[Region, Array]] = []
        default: Region | None = None
        for case in statement.cases:
            if case.default:
                default = case.body
            labels = [label & statement.value.type.mask for label in case.labels]
            here = np.isin(value, np.array(labels, value.dtype)) & left
            left &= ~here
            if not case.default:
                chosen.append((case.body, here))
            else:  # the labels of the default case select it, too
                left |= here
        if default is not None:
            chosen.append((default, left))
        for body, lanes in chosen:
            if not lanes.any():
                continue
            some = active.subset(None if lanes.all() else np.flatnonzero(lanes))
            self._run_body(EnteredConstruct(statement, some), body)
            some.reconverge()

    def _run_body(self, construct: EnteredConstruct, body: Region) -> None:
        """Run the body of a construct, then reactivate the lanes that left only the body."""
        active = construct.active
        self.constructs.append(construct)
        try:
            self.region(body, active)
        finally:
            self.constructs.pop()
        active.suspended = False
        for lanes in construct.suspended:
            assert active.mask is not None
            active.mask[lanes] = True
        if active.mask is not None and active.mask.all():
            active.mask = None

    def leave(self, value: Value, active: ActiveLanes) -> None:
        """Deactivate the lanes that execute a break, continue or exit."""
        construct = next(c for c in reversed(self.constructs) if leaves(value, c.statement))
        owner = construct.active
        gone = active.deactivate(owner, write_back=True)
        assert gone is not None
        if value.op is OPS.break_ and isinstance(construct.statement, Loop):
            owner.write_back(gone)
        else:
            construct.suspended.append(gone)
            owner.suspended = True

    # ------------------------------------------------------------ operations

    def operand(self, value: Value, active: ActiveLanes) -> LaneValues:
        """Return the value of an operand in the active lanes."""
        if value.op is OPS.const:
            return constant(value)
        return active.value(value)

    def step(self, value: Value, active: ActiveLanes) -> None:
        """Execute one operation."""
        op = value.op
        args = [self.operand(each, active) for each in value.args]
        result: LaneValues = None
        pure = PURE.get(op)
        if pure is not None:
            result = pure(*args)
        elif op in CONVERSIONS:
            result = convert(op, args[0], value.type)
        else:
            effect = EFFECTS.get(op)
            if effect is None:
                raise UnsupportedError(f"the lockstep engine does not support {op.name}")
            result = effect(self, value, active, args)
        if result is not None:
            active.values[value] = result
        if self.watcher is not None:
            self.watcher.step(self, active, value, result)

    def lanes_with_effects(self, active: ActiveLanes) -> Array:
        """Return the indices of active lanes that are neither discarded nor helpers."""
        here = ~self.killed[active.positions()]
        return np.flatnonzero(active.masked(here))

    def writing_lanes(self, active: ActiveLanes, memory: Memory) -> Array:
        """Return the indices of the lanes that write a memory; helpers write their local memory."""
        if memory.space is not Space.LOCAL:
            return self.lanes_with_effects(active)
        return active.indices()

    def wave_of(self, places: Array) -> tuple[Array, Array]:
        """Return the wave in the batch, and the lane in that wave, of positions in the batch."""
        wave = self.kernel.wave
        if not self.kernel.dispatched:
            return places // wave, places % wave
        x, y, z = self.kernel.group
        size = x * y * z
        local = places % size
        return places // size * -(-size // wave) + local // wave, local % wave

    def source(self, name: str) -> LaneValues:
        """Return a source for all lanes of the batch."""
        found = self._sources.get(name)
        if found is None:
            found = self._sources[name] = self._source(name)
        return found

    def _source(self, name: str) -> LaneValues:
        x, y, z = self.kernel.group
        size = x * y * z
        gx, gy, gz = self.launch.groups
        lanes = np.arange(self.first, self.first + self.count, dtype=np.int64)
        group = lanes // size
        local = lanes % size
        source = SOURCES[name]
        at = source.axis or 0
        in_group = (local % x, local // x % y, local // (x * y))
        in_grid = (group % gx, group // gx % gy, group // (gx * gy))
        match source.word:
            case "thread_id":
                found = in_grid[at] * self.kernel.group[at] + in_group[at]
            case "thread_group_id":
                found = in_grid[at]
            case "thread_id_in_group":
                found = in_group[at]
            case "thread_id_in_group_flattened":
                found = local
            case "group_count":
                return np.uint32((gx, gy, gz)[at])
            case "wave_lane":
                return self.wave_of(np.arange(self.count))[1].astype(np.uint32)
            case "wave_size":
                return np.uint32(self.kernel.wave)
            case "quad_lane":
                found = lanes & 3
            case "helper":
                if self.launch.helpers is None:
                    return np.uint32(0)
                found = self.launch.helpers[self.first : self.first + self.count]
            case _:
                found = lanes
        return found.astype(np.uint32)


def constant(value: Value) -> LaneValues:
    """Return a constant as a NumPy scalar."""
    kind = value.type
    if kind.kind == "f":
        return np.dtype(f"<u{kind.size}").type(value.attr).view(dtype(kind))
    return dtype(kind).type(value.attr)
