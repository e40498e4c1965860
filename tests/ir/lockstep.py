"""The interpreter in lockstep: the reference for analyses.

All lanes of a group (or quad) run a statement before any runs the next, as in an engine. A set that
needs no mask corrupts the variable in inactive lanes; `watch` sees the result of each statement in
its active lanes.
"""

from collections.abc import Callable, Collection

from tests.ir.generate import Program
from tests.oracle.interpret import Lane, Result, Run, between
from unshade.ir.kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, leaves
from unshade.ir.memory import Space
from unshade.ir.waves import QUAD
from unshade.vocab.words import Stage

Watch = Callable[[Value, dict[int, int]], None]
SPOIL = 0x5A5A_5A5A_5A5A_5A5A


def lockstep(
    kernel: KernelIR,
    program: Program,
    memories: dict[str, bytearray],
    masked: Collection[Value] | None = None,
    watch: Watch | None = None,
) -> Result:
    """Run a program; `masked` are the sets that do not affect other lanes, None for all."""
    run = Run(kernel, memories, program.groups, program.inputs, program.helpers, 1 << 16)
    x, y, z = kernel.group
    size = x * y * z if kernel.stage is Stage.COMPUTE else max(QUAD, kernel.wave)
    total = size * program.groups[0] * program.groups[1] * program.groups[2]
    if kernel.stage is not Stage.COMPUTE:
        total = program.items
    run.result.outputs = {port.name: [0] * total for port in kernel.outputs}
    for first in range(0, total, size):
        shared = {**run.bound, **run.fresh(Space.SHARED)}
        lanes = [Lane(run, number, shared) for number in range(first, min(first + size, total))]
        Together(lanes, masked, watch).region(kernel.body, lanes)
        run.result.discarded += sum(lane.discarded for lane in lanes)
    return run.result


class Together:
    """The lanes of one group."""

    def __init__(
        self, lanes: list[Lane], masked: Collection[Value] | None, watch: Watch | None
    ) -> None:
        self.lanes = lanes
        self.masked = masked
        self.watch = watch
        self.left: list[tuple[Statement, set[Lane], set[Lane]]] = []  # left, continued

    def region(self, region: Region, here: list[Lane]) -> list[Lane]:
        """Return the lanes that reach the end of a region."""
        for statement in region:
            if not here:
                return here
            match statement:
                case Value():
                    if statement.op.ends:
                        self._leave(statement, here)
                        return []
                    self._value(statement, here)
                case If():
                    chosen = [lane for lane in here if lane.operand(statement.condition)]
                    others = [lane for lane in here if lane not in chosen]
                    remaining = self.region(statement.then, chosen)
                    remaining = remaining + self.region(statement.otherwise, others)
                    here = [lane for lane in here if lane in remaining]
                case Loop():
                    here = self._loop(statement, here)
                case Switch():
                    here = self._switch(statement, here)
                case Block():
                    left: set[Lane] = set()
                    self.left.append((statement, left, set()))
                    left.update(self.region(statement.body, here))
                    self.left.pop()
                    here = [lane for lane in here if lane in left]
        return here

    def _leave(self, value: Value, here: list[Lane]) -> None:
        for statement, broke, went_on in reversed(self.left):
            if leaves(value, statement):
                (went_on if value.op.name == "continue" else broke).update(here)
                return

    def _loop(self, loop: Loop, here: list[Lane]) -> list[Lane]:
        broke: set[Lane] = set()
        inside = here
        while inside:
            went_on: set[Lane] = set()
            self.left.append((loop, broke, went_on))
            went_on.update(self.region(loop.body, inside))
            self.left.pop()
            inside = [lane for lane in inside if lane in went_on]
        return [lane for lane in here if lane in broke]

    def _switch(self, switch: Switch, here: list[Lane]) -> list[Lane]:
        left = here
        remaining: set[Lane] = set()
        mask = switch.value.type.mask
        default: Region = []
        self.left.append((switch, remaining, set()))
        for case in switch.cases:
            labels = [label & mask for label in case.labels]
            chosen = [lane for lane in left if lane.operand(switch.value) in labels]
            if case.default:
                default = case.body
                continue
            left = [lane for lane in left if lane not in chosen]
            remaining.update(self.region(case.body, chosen))
        remaining.update(self.region(default, left))
        self.left.pop()
        return [lane for lane in here if lane in remaining]

    def _value(self, value: Value, here: list[Lane]) -> None:
        if value.op.convergent:
            first = self.lanes[0].number
            given = {lane.number - first: tuple(map(lane.operand, value.args)) for lane in here}
            acting = {lane.number - first for lane in here if lane.acting}
            found = between(value, self.lanes[0].run.kernel, given, acting)
            for lane in here:
                lane.values[value] = found[lane.number - first]
        elif value.op.name != "barrier":
            for lane in here:
                lane.step(value)
        if value.op.name == "set" and self.masked is not None and value not in self.masked:
            for lane in self.lanes:
                if lane not in here:
                    lane.variables[value.attr] = SPOIL & value.attr.type.mask
        if self.watch is not None and value.type.kind in "bif":
            self.watch(value, {lane.number: lane.values[value] for lane in here})
