"""The lockstep engine: NumPy over all lanes of a block, one operation after the other.

A block is as many whole thread groups (or quads) as make some ten thousand lanes. Every operation
is done for all lanes of a party before the next begins, so a barrier is nothing to wait for; where
lanes part, the party is divided (lanes.py).

`Watcher` is how a debugger looks on: it is told each operation and what it gave.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as numbers
from typing import Any, Protocol

import numpy as np

from ...errors import BudgetError, LimitError, UnsupportedError
from ...ir.kernel import Block as Labelled
from ...ir.kernel import If, Kernel, Loop, Region, Switch, Value, leaves
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.sources import SOURCES
from ...ir.waves import QUAD
from ..launch import Array, Launch, Report, dtype
from ..subnormals import flushing
from .effects import EFFECTS
from .lanes import Lanes, Party
from .operations import CONVERSIONS, PURE, convert
from .store import Store, space_of

BLOCK = 1 << 14  # lanes that are run together, measured: 4k blocks are half as fast
THIN = 0.75  # of a party: when fewer live, those are taken out
ROOM = 1 << 28  # bytes of a block for memories of groups and lanes
LEAST = 256  # lanes: smaller parties stay as they are


class Watcher(Protocol):
    """Looks on while a kernel runs."""

    def block(self, block: "Block") -> None:
        """A block begins."""

    def step(self, block: "Block", party: Party, value: Value, result: Lanes) -> None:
        """An operation was done; `result` is None for those that only have effects."""


@dataclass(slots=True)
class Construct:
    """Something that lanes may leave, while they are in it.

    iteration   of a loop, from 1
    slept       positions in the party of those that sleep until it is left, or until the next
                iteration
    """

    statement: Loop | Switch | Labelled
    party: Party
    iteration: int = 0
    slept: list[Array] = field(default_factory=list)


class Lockstep:
    """Runs kernels without compiling anything."""

    name = "lockstep"

    def run(self, kernel: Kernel, launch: Launch, watcher: Watcher | None = None) -> Report:
        """Run the kernel; arrays of the launch are written in place.

        LimitError where a loop does not end within the budget.
        """
        launch.check(kernel)
        report = Report(self.name)
        with np.errstate(all="ignore"), flushing(kernel.mode):
            for block in blocks(kernel, launch):
                if watcher is not None:
                    watcher.block(block)
                block.watcher = watcher
                block.run()
                report.lanes += block.count
                report.discarded += int(np.count_nonzero(block.killed)) - block.helping
                for store in block.stores.values():
                    if store.outside:
                        name = store.memory.name
                        report.out_of_bounds[name] = (
                            report.out_of_bounds.get(name, 0) + store.outside
                        )
        return report


def blocks(kernel: Kernel, launch: Launch) -> "Iterator[Block]":
    """The work, cut into blocks; LimitError where memories of one group or lane are too large."""
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
    if own > ROOM:
        raise LimitError("memory", ROOM, own)
    step = max(1, min(BLOCK // size, ROOM // max(own, 1)))
    for first in range(0, total, step):
        lanes = min(step, total - first) * size
        if not kernel.dispatched:
            lanes = min(lanes, launch.items - first * size)
        yield Block(kernel, launch, first * size, lanes)


class Block:
    """Lanes that run in lockstep: `count` of them from `first` on."""

    def __init__(self, kernel: Kernel, launch: Launch, first: int, count: int) -> None:
        self.kernel = kernel
        self.launch = launch
        self.first = first
        self.count = count
        self.watcher: Watcher | None = None
        x, y, z = kernel.group
        size = x * y * z
        groups = -(-count // size)
        self.stores: dict[Any, Store] = {
            memory: space_of(memory, launch.memories, count, groups, size)
            for memory in kernel.memories
        }
        self.killed = np.zeros(count, np.bool_)
        if launch.helpers is not None:
            self.killed |= launch.helpers[first : first + count]
        self.helping = int(np.count_nonzero(self.killed))
        self.iterations = 0
        self._sources: dict[str, Lanes] = {}
        self.constructs: list[Construct] = []  # from the outside in

    def run(self) -> None:
        """Do all of it."""
        self.region(self.kernel.body, Party(self.count))

    # ------------------------------------------------------------ structure

    def region(self, region: Region, party: Party) -> None:
        """The statements, for those of the party that live."""
        for number, statement in enumerate(region):
            if isinstance(statement, Value):
                self.step(statement, party)
                if statement.op.ends:
                    return
                continue
            if isinstance(statement, If):
                self._if(statement, party)
            elif isinstance(statement, Loop):
                self._loop(statement, party)
            elif isinstance(statement, Switch):
                self._switch(statement, party)
            else:
                lanes = party.living()
                self._inside(Construct(statement, lanes), statement.body)
                lanes.end()
            if party.alive is None:
                continue
            living = int(np.count_nonzero(party.alive))
            if not living:
                return
            if living < THIN * party.count and party.count > LEAST and number + 1 < len(region):
                rest = party.living()
                self.region(region[number + 1 :], rest)
                rest.end()
                return

    def _apart(self, region: Region, party: Party, chosen: Array) -> None:
        """A region for some lanes of the party."""
        if not region:
            return
        some = party.part(chosen)
        self.region(region, some)
        some.end()

    def _if(self, statement: If, party: Party) -> None:
        condition = self.operand(statement.condition, party)
        if not np.ndim(condition):
            self.region(statement.then if condition else statement.otherwise, party)
            return
        then = party.where(condition)
        others = party.where(~condition)
        if not others.any():
            self.region(statement.then, party)
        elif not then.any():
            self.region(statement.otherwise, party)
        else:
            self._apart(statement.then, party, np.flatnonzero(then))
            self._apart(statement.otherwise, party, np.flatnonzero(others))

    def _loop(self, statement: Loop, party: Party) -> None:
        lanes = party.living()
        for number in numbers(1):
            if lanes.dead:
                return
            self._inside(Construct(statement, lanes, number), statement.body)
            self.iterations += 1
            if self.iterations > self.launch.budget:
                raise self._over_budget(statement, lanes)
            if lanes.alive is not None and lanes.count > LEAST:
                living = np.flatnonzero(lanes.alive)
                if len(living) < THIN * lanes.count:
                    lanes.hand_over(living)
                    chosen = living if lanes.chosen is None else lanes.chosen[living]
                    lanes = party.part(chosen)

    def _over_budget(self, statement: Loop, party: Party) -> BudgetError:
        """The loop, and the first lane that is in it."""
        places = party.positions()
        living = places if party.alive is None else places[party.alive]
        lane = self.first + int(living[0]) if len(living) else -1
        return BudgetError(self.launch.budget, statement.line, lane)

    def _switch(self, statement: Switch, party: Party) -> None:
        value = np.broadcast_to(self.operand(statement.value, party), (party.count,))
        left = np.ones(party.count, np.bool_) if party.alive is None else party.alive.copy()
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
            else:  # its labels are those of the default, too
                left |= here
        if default is not None:
            chosen.append((default, left))
        for body, lanes in chosen:
            if not lanes.any():
                continue
            some = party.part(None if lanes.all() else np.flatnonzero(lanes))
            self._inside(Construct(statement, some), body)
            some.end()

    def _inside(self, construct: Construct, body: Region) -> None:
        """The body of something that lanes may leave; those that only left the body go on."""
        party = construct.party
        self.constructs.append(construct)
        try:
            self.region(body, party)
        finally:
            self.constructs.pop()
        party.sleeping = False
        for lanes in construct.slept:
            assert party.alive is not None
            party.alive[lanes] = True
        if party.alive is not None and party.alive.all():
            party.alive = None

    def leave(self, value: Value, party: Party) -> None:
        """The lanes of a party leave a construct by a break, continue or exit."""
        construct = next(c for c in reversed(self.constructs) if leaves(value, c.statement))
        owner = construct.party
        gone = party.leave(owner, hand_over=True)
        assert gone is not None
        if value.op is OPS.break_ and isinstance(construct.statement, Loop):
            owner.hand_over(gone)
        else:
            construct.slept.append(gone)
            owner.sleeping = True

    # ------------------------------------------------------------ operations

    def operand(self, value: Value, party: Party) -> Lanes:
        """What an operand is for these lanes."""
        if value.op is OPS.const:
            return constant(value)
        return party.value(value)

    def step(self, value: Value, party: Party) -> None:
        """Do one operation."""
        op = value.op
        args = [self.operand(each, party) for each in value.args]
        result: Lanes = None
        pure = PURE.get(op)
        if pure is not None:
            result = pure(*args)
        elif op in CONVERSIONS:
            result = convert(op, args[0], value.type)
        else:
            effect = EFFECTS.get(op)
            if effect is None:
                raise UnsupportedError(f"the lockstep engine has no {op.name}")
            result = effect(self, value, party, args)
        if result is not None:
            party.values[value] = result
        if self.watcher is not None:
            self.watcher.step(self, party, value, result)

    def acting(self, party: Party) -> Array:
        """The lanes of the party that have effects: alive, and neither discarded nor helping."""
        here = ~self.killed[party.positions()]
        return np.flatnonzero(party.where(here))

    def writing(self, party: Party, memory: Memory) -> Array:
        """The lanes that write a memory: its own a lane writes even if nobody else sees it."""
        if memory.space is not Space.LOCAL:
            return self.acting(party)
        return np.arange(party.count) if party.alive is None else np.flatnonzero(party.alive)

    def wave_of(self, places: Array) -> tuple[Array, Array]:
        """Return the wave in the block, and the lane in the wave, of places in the block."""
        wave = self.kernel.wave
        if not self.kernel.dispatched:
            return places // wave, places % wave
        x, y, z = self.kernel.group
        size = x * y * z
        local = places % size
        return places // size * -(-size // wave) + local // wave, local % wave

    def source(self, name: str) -> Lanes:
        """A source for all lanes of the block."""
        found = self._sources.get(name)
        if found is None:
            found = self._sources[name] = self._source(name)
        return found

    def _source(self, name: str) -> Lanes:
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


def constant(value: Value) -> Lanes:
    """A constant as a NumPy scalar."""
    kind = value.type
    if kind.kind == "f":
        return np.dtype(f"<u{kind.size}").type(value.attr).view(dtype(kind))
    return dtype(kind).type(value.attr)
