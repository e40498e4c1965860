"""Control flow of lanes: code of regions, and the steps of branches, loops, switches and blocks.

code       segment  step step step … construct      each step works on all active lanes
           segment  step step … construct
           segment  step
"""

from collections.abc import Callable
from itertools import count as numbers

import numpy as np

from ...dataclass import dataclass, field
from ...errors import BudgetError
from ...ir.kernel import Block, Loop, Switch
from ...ir.ops import OPS, Op
from ..launch import Array
from .batch import EnteredConstruct
from .lanes import ActiveLanes
from .ramps import flat

COMPACT_BELOW = 0.75  # compact arrays when a smaller share of their lanes is active
MIN_COMPACTED = 256  # lanes: smaller arrays are not compacted

Step = Callable[[ActiveLanes], None]


@dataclass(slots=True)
class CodeSegment:
    """Steps, and a construct after them, which lanes may leave early.

    `mark` is the length of the region's log (`AliveValues`) of the code after the construct.
    """

    steps: list[Step] = field(default_factory=list)
    construct: Step | None = None
    mark: int = 0


class RegionCode:
    """The code of a region; `needed` are the registers from outside that it reads."""

    __slots__ = ("_log", "needed", "segments")

    def __init__(self, segments: list[CodeSegment], log: tuple[int, ...]) -> None:
        self.segments = segments
        self._log = log
        self.needed = self.needed_after(len(log))

    def needed_after(self, mark: int) -> tuple[int, ...]:
        """Return the registers that the code after a place of the log reads.

        The time is proportional to the log of that code, which is about to run. A tuple for each
        segment would take n² memory for n values that are used after n constructs.
        """
        found: dict[int, None] = {}
        for register in self._log[:mark]:
            if register >= 0:
                found[register] = None
            else:
                del found[~register]
        return tuple(found)

    def run(self, active: ActiveLanes, start: int = 0) -> None:
        """Run the code in the active lanes, from a segment on."""
        segments = self.segments
        for number in range(start, len(segments)):
            segment = segments[number]
            for step in segment.steps:
                step(active)
            if segment.construct is None:
                return
            segment.construct(active)
            if active.mask is None:
                continue
            remaining = np.count_nonzero(active.mask)
            if not remaining:
                return
            if (
                remaining < COMPACT_BELOW * active.count
                and active.count > MIN_COMPACTED
                and number + 1 < len(segments)
            ):
                rest = active.remaining(self.needed_after(segment.mark))
                self.run(rest, number + 1)
                rest.reconverge()
                return

    def run_subset(self, active: ActiveLanes, chosen: Array) -> None:
        """Run the code in the lanes with these indices."""
        some = active.subset(chosen, self.needed)
        self.run(some)
        some.reconverge()


def branch(condition: int, then: RegionCode, otherwise: RegionCode) -> Step:
    """Return the step of an If whose condition is in a register."""

    def step(active: ActiveLanes) -> None:
        given = active.registers[condition]
        if not given.ndim:
            (then if given else otherwise).run(active)
            return
        mask = active.mask
        taken = given if mask is None else given & mask
        here = np.count_nonzero(taken)
        if not here:
            otherwise.run(active)
        elif here == (active.count if mask is None else np.count_nonzero(mask)):
            then.run(active)
        else:
            others = ~given if mask is None else mask & ~given
            if then.segments:
                then.run_subset(active, np.flatnonzero(taken))
            if otherwise.segments:
                otherwise.run_subset(active, np.flatnonzero(others))

    return step


def loop(statement: Loop, body: RegionCode, strips: Step | None = None) -> Step:
    """Return the step of a loop, whose first iterations `strips` may run."""

    def step(active: ActiveLanes) -> None:
        batch = active.batch
        lanes = active.remaining(body.needed)
        if strips is not None:
            strips(lanes)
        construct = EnteredConstruct(statement, lanes)
        for construct.iteration in numbers(1):
            if lanes.empty:
                return
            _run_body(construct, body)
            batch.iterations += 1
            if batch.iterations > batch.launch.budget:
                raise _over_budget(statement, lanes)
            if lanes.mask is not None and lanes.count > MIN_COMPACTED:
                if np.count_nonzero(lanes.mask) >= COMPACT_BELOW * lanes.count:
                    continue
                remaining = np.flatnonzero(lanes.mask)
                if not len(remaining):
                    return
                lanes.write_back(remaining)
                indices = lanes.parent_indices
                chosen = remaining if indices is None else indices[remaining]
                construct.active = lanes = active.subset(chosen, body.needed)

    return step


def _over_budget(statement: Loop, active: ActiveLanes) -> BudgetError:
    """Return the error for a loop that exceeds the budget, with its line and first lane."""
    batch = active.batch
    positions = active.positions()[active.indices()]
    lane = batch.first + int(positions[0]) if len(positions) else -1
    return BudgetError(batch.launch.budget, statement.line, lane)


def block(statement: Block, body: RegionCode) -> Step:
    """Return the step of a labelled block."""

    def step(active: ActiveLanes) -> None:
        lanes = active.remaining(body.needed)
        _run_body(EnteredConstruct(statement, lanes), body)
        lanes.reconverge()

    return step


def switch(statement: Switch, value: int, cases: list[RegionCode]) -> Step:
    """Return the step of a switch whose value is in a register."""
    mask = statement.value.type.mask
    labels = [[label & mask for label in case.labels] for case in statement.cases]
    default = next((at for at, case in enumerate(statement.cases) if case.default), None)
    others = [at for at in range(len(cases)) if at != default]

    def step(active: ActiveLanes) -> None:
        given = np.broadcast_to(flat(active.registers[value]), (active.count,))
        left = np.ones(active.count, np.bool_) if active.mask is None else active.mask.copy()
        chosen: list[tuple[RegionCode, Array]] = []
        for at in others:
            here = np.isin(given, np.array(labels[at], given.dtype)) & left
            left &= ~here
            chosen.append((cases[at], here))
        if default is not None:
            chosen.append((cases[default], left))
        for body, lanes in chosen:
            if lanes.any():
                indices = None if lanes.all() else np.flatnonzero(lanes)
                some = active.subset(indices, body.needed)
                _run_body(EnteredConstruct(statement, some), body)
                some.reconverge()

    return step


def _run_body(construct: EnteredConstruct, body: RegionCode) -> None:
    """Run the body of a construct, then reactivate the lanes that left only the body."""
    active = construct.active
    constructs = active.batch.constructs
    constructs.append(construct)
    try:
        body.run(active)
    finally:
        constructs.pop()
    if construct.suspended:
        assert active.mask is not None
        for lanes in construct.suspended:
            active.mask[lanes] = True
        construct.suspended.clear()
        active.suspended = False
        if active.mask.all():
            active.mask = None


def leave(op: Op, outward: int) -> Step:
    """Return the step of a break, continue or exit, which leaves `outward` constructs."""

    def step(active: ActiveLanes) -> None:
        construct = active.batch.constructs[-outward]
        owner = construct.active
        gone = active.deactivate(owner, write_back=True)
        assert gone is not None
        if op is OPS.break_ and isinstance(construct.statement, Loop):
            owner.write_back(gone)
        else:
            construct.suspended.append(gone)
            owner.suspended = True

    return step


def end(active: ActiveLanes) -> None:
    """End the active lanes."""
    active.deactivate(None, write_back=False)
