"""A batch: as many whole thread groups, or quads, as run at once."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...dataclass import dataclass, field
from ...errors import LimitError
from ...ir.kernel import Block, KernelIR, Loop, Switch, Value
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.waves import QUAD
from ..launch import Array, Launch
from .lanes import ActiveLanes, LaneValues
from .operations import constant
from .sources import LaneSources
from .store import Store, create_store

if TYPE_CHECKING:
    from .compile import LaneProgram

# Of a batch; fewer if many values are in use at once.
MOST_LANES = 62 << 10
LEAST_LANES = 1 << 14  # measured: batches of 4k lanes are half as fast
BATCH_VALUES = 1 << 21  # values of all lanes: four bytes each are eight megabytes
MAX_MEMORY = 1 << 28  # bytes of shared and local memories in a batch

# glibc maps arrays of 128 KiB and more anew each time, until a larger one has been freed: from then
# on it keeps the memory of arrays of that size. Nothing is written to this one.
np.empty(1 << 24, np.uint8)


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


class LaneBatch:
    """A batch of lanes that run in lockstep: `count` lanes, starting with lane `first`."""

    def __init__(
        self,
        kernel: KernelIR,
        program: "LaneProgram",
        launch: Launch,
        first: int,
        count: int,
        watcher: Watcher | None = None,
    ) -> None:
        self.kernel = kernel
        self.program = program
        self.launch = launch
        self.first = first
        self.count = count
        self.watcher = watcher
        x, y, z = kernel.group
        size = x * y * z
        groups = -(-count // size)
        self.stores: dict[Memory, Store] = {
            memory: create_store(memory, launch.memories, count, groups, size)
            for memory in kernel.memories
        }
        self.killed = np.zeros(count, np.bool_)
        if launch.helpers is not None:
            self.killed |= launch.helpers[first : first + count]
        self.helping = int(np.count_nonzero(self.killed))
        self.some_killed = self.helping > 0
        self.iterations = 0
        self.sources = LaneSources(kernel, launch, first, count)
        self.constructs: list[EnteredConstruct] = []  # from the outermost inward

    @cached_property
    def numbers(self) -> Array:
        """The positions of all lanes in the batch."""
        return np.arange(self.count)

    def run(self) -> None:
        """Run all lanes of the batch."""
        self.program.body.run(ActiveLanes(self, self.count))

    def operand(self, value: Value, active: ActiveLanes) -> LaneValues:
        """Return the value of an operand in the active lanes, in a recorded program."""
        if value.op is OPS.const:
            return constant(value.attr, value.type)
        return active.result(self.program.registers[value])

    # ------------------------------------------------------------ lanes

    def discard(self, positions: Array) -> None:
        """Discard the lanes at these positions."""
        self.killed[positions] = True
        self.some_killed = self.some_killed or len(positions) > 0

    def lanes_with_effects(self, active: ActiveLanes) -> Array:
        """Return the indices of active lanes that are neither discarded nor helpers."""
        if not self.some_killed:
            return active.indices()
        return np.flatnonzero(active.masked(~self.killed[active.positions()]))

    def writing_lanes(self, active: ActiveLanes, memory: Memory) -> Array:
        """Return the indices of the lanes that write a memory; helpers write their local memory."""
        if memory.space is not Space.LOCAL:
            return self.lanes_with_effects(active)
        return active.indices()

    def all_write(self, active: ActiveLanes, memory: Memory) -> bool:
        """Return True if every lane writes a memory."""
        return active.mask is None and (not self.some_killed or memory.space is Space.LOCAL)

    def wave_of(self, places: Array) -> tuple[Array, Array]:
        """Return the wave in the batch, and the lane in that wave, of positions in the batch."""
        return self.sources.wave_of(places)


def batches(
    kernel: KernelIR, program: "LaneProgram", launch: Launch, watcher: Watcher | None
) -> Iterator[LaneBatch]:
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
    values = program.most_values + own // size // 4
    most = min(max(BATCH_VALUES // (values + 1), LEAST_LANES), MOST_LANES)
    step = max(1, min(most // size, MAX_MEMORY // max(own, 1)))
    for first in range(0, total, step):
        lanes = min(step, total - first) * size
        if not kernel.dispatched:
            lanes = min(lanes, launch.items - first * size)
        yield LaneBatch(kernel, program, launch, first * size, lanes, watcher)
