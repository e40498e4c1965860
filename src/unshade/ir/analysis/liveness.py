"""Liveness of variables, and sets that must not affect waiting lanes.

    if %c {            lanes with c            the others wait: they still need @a below
      set @a, …        needs a mask
      set @t, …        does not: @t is not read before it is set again
    }
    %1 = get @a

An engine that runs lanes together may write a variable in all lanes, including inactive ones,
unless an inactive lane still reads the old value: in the other side of an if or switch, after it,
after a loop or block that the lane has left, or at the head of a loop after `continue`. The sides
of an if run in the order of the text, the cases of a switch in any order.
"""

from collections.abc import Collection
from itertools import accumulate
from operator import or_

from ...dataclass import dataclass, field
from ..kernel import (
    Block,
    If,
    KernelIR,
    Loop,
    Region,
    Statement,
    Switch,
    Value,
    ended,
    leaves,
    regions,
)
from ..memory import Var
from ..ops import OPS
from .flow import EarlyExits, VariableBits

__all__ = ["Liveness", "live_variables", "liveness", "read_first", "unread_sets"]


# Where control goes: a construct, and whether to its head or to what follows it.
Target = tuple[Statement, bool] | None
END = None  # the end of the region
# Operations that do not change liveness.
INERT = frozenset(op for op in OPS if not op.ends) - {OPS.get, OPS.set, OPS.barrier}


@dataclass(slots=True)
class Liveness:
    """The result of the analysis.

    masked      sets that must not affect waiting lanes
    backward    the live variables at each place, as bits
    """

    masked: set[Value] = field(default_factory=set)
    backward: "BackwardWalker" = field(default_factory=lambda: BackwardWalker(VariableBits(())))

    @property
    def dead(self) -> set[Value]:
        """The sets whose value is never read."""
        return self.backward.dead

    def after(self, statement: Statement) -> frozenset[Var]:
        """Return the variables that are live after a construct or barrier."""
        return self.backward.bits.variables(self.backward.after.get(statement, 0))


def liveness(kernel: KernelIR, divergent: Collection[Statement] | None = None) -> Liveness:
    """Analyse the liveness of all variables.

    Args:
        kernel: the kernel.
        divergent: the constructs and the break, continue and exit operations where lanes diverge
            (`uniformity`); None for all.
    """
    backward = live_variables(kernel)
    masks = MaskFinder(backward.bits, backward, divergent)
    masks.region(kernel.body, 0)
    return Liveness(masks.masked, backward)


def live_variables(kernel: KernelIR) -> "BackwardWalker":
    """Return the live variables at each place, as bits."""
    backward = BackwardWalker(VariableBits(kernel.variables))
    backward.run(kernel.body)
    return backward


def read_first(kernel: KernelIR) -> frozenset[Var]:
    """Return the variables that may be read before they are set."""
    backward = live_variables(kernel)
    return backward.bits.variables(backward.start)


def unread_sets(kernel: KernelIR) -> set[Value]:
    """Return the sets whose value is never read."""
    return live_variables(kernel).dead


Passing = tuple[int, dict[Target, int]]


class LoopSummaries:
    """Variables live at the head of each loop, as a function of the variables live at its exits.

    The variables live at a place are those read from there on, and, for each target (the end of the
    region, the head of a loop or the end of a construct), the variables live at the target and not
    set on the way. A loop that comes back to its head without a set adds nothing that the head did
    not contain, so its own head is left out, and no iteration is needed.

    live = read | live at target & mask | …                        a summary: read, {target: mask}
    """

    def __init__(self, bits: VariableBits) -> None:
        self.bits = bits
        self.heads: dict[Loop, Passing] = {}
        self._around: list[Statement] = []

    def region(self, region: Region) -> Passing:
        """Return the summary of a region."""
        read: int = 0
        masks: dict[Target, int] = {END: -1}
        for statement in reversed(region):
            if isinstance(statement, Value):
                op = statement.op
                if op is OPS.get:
                    read |= self.bits[statement.attr]
                elif op is OPS.set:
                    kept = ~self.bits[statement.attr]
                    read &= kept
                    masks = {target: mask & kept for target, mask in masks.items()}
                elif op.ends:
                    read, masks = 0, self._target(statement)
                continue
            read, masks = self._construct(statement, read, masks)
        return read, masks

    def _target(self, value: Value) -> dict[Target, int]:
        for statement in reversed(self._around):
            if leaves(value, statement):
                return {(statement, value.op is OPS.continue_): -1}
        return {}

    def _construct(self, statement: Statement, read: int, masks: dict[Target, int]) -> Passing:
        after: Target = (statement, False)
        self._around.append(statement)
        ways = [self.region(each) for each in regions(statement)]
        self._around.pop()
        if isinstance(statement, Loop):
            for _, passed in ways:
                passed.pop(END, None)
                passed.pop((statement, True), None)
            self.heads[statement] = ways[0][0], dict(ways[0][1])
        elif isinstance(statement, Switch) and not any(case.default for case in statement.cases):
            ways.append((0, {END: -1}))
        found, through = 0, 0  # what goes on after the statement
        targets: dict[Target, int] = {}
        for used, passed in ways:
            found |= used
            through |= passed.pop(END, 0) | passed.pop(after, 0)
            for target, mask in passed.items():
                targets[target] = targets.get(target, 0) | mask
        for target, mask in masks.items() if through else ():
            targets[target] = targets.get(target, 0) | mask & through
        return found | read & through, targets


class BackwardWalker:
    """The backward pass, which computes live variables.

    `summaries` are the summaries of the whole kernel if only a part is visited.
    """

    def __init__(self, bits: VariableBits, summaries: LoopSummaries | None = None) -> None:
        self.bits = bits
        self.start = 0
        self.heads: dict[Loop, int] = {}
        self.after: dict[Statement, int] = {}
        self.starts: dict[tuple[Statement, int], int] = {}  # live at the start of a side or case
        self.dead: set[Value] = set()
        # The enclosing constructs: what is live after each, and at its head.
        self.leave: list[tuple[Statement, int, int]] = []
        self.summaries = summaries or LoopSummaries(bits)

    def run(self, body: Region) -> None:
        """Visit the body of a kernel."""
        self.summaries.region(body)
        self.start = self.region(body, 0)

    def region(self, region: Region, live: int) -> int:
        """Return the variables that are live at the start, given those at the end."""
        for statement in reversed(region):
            if isinstance(statement, Value):
                if statement.op not in INERT:
                    live = self._value(statement, live)
                continue
            match statement:
                case If():
                    self.after[statement] = live
                    then = self.region(statement.then, live)
                    otherwise = self.region(statement.otherwise, live)
                    self.starts[statement, 0], self.starts[statement, 1] = then, otherwise
                    live = then | otherwise
                case Loop():
                    live = self._loop(statement, live)
                case Switch():
                    live = self._switch(statement, live)
                case Block():
                    self.after[statement] = live
                    self.leave.append((statement, live, 0))
                    live = self.starts[statement, 0] = self.region(statement.body, live)
                    self.leave.pop()
        return live

    def live_at_target(self, value: Value) -> int:
        """Return the variables that are live at the target of a break, continue or exit."""
        for statement, after, head in reversed(self.leave):
            if leaves(value, statement):
                return head if value.op is OPS.continue_ else after
        return 0

    def _value(self, value: Value, live: int) -> int:
        match value.op:
            case OPS.get:
                return live | self.bits[value.attr]
            case OPS.set:
                bit = self.bits[value.attr]
                if not live & bit:
                    self.dead.add(value)
                return live & ~bit
            case OPS.break_ | OPS.continue_ | OPS.exit:
                return self.live_at_target(value)
            case OPS.return_:
                return 0
            case OPS.barrier:
                self.after[value] = live
        return live

    def _loop(self, loop: Loop, live: int) -> int:
        self.after[loop] = live
        head, masks = self.summaries.heads[loop]
        at: dict[Target, int] = {(loop, False): live}
        for statement, after, again in self.leave if masks else ():
            at[statement, False], at[statement, True] = after, again
        for target, mask in masks.items():
            head |= at.get(target, 0) & mask
        self.heads[loop] = head
        self.leave.append((loop, live, head))
        self.region(loop.body, head)
        self.leave.pop()
        return head

    def _switch(self, switch: Switch, live: int) -> int:
        self.after[switch] = live
        self.leave.append((switch, live, 0))
        found = live if not any(case.default for case in switch.cases) else 0
        for number, case in enumerate(switch.cases):
            begin = self.region(case.body, live)
            self.starts[switch, number] = begin
            found |= begin
        self.leave.pop()
        return found


@dataclass(slots=True)
class ConstructMasks:
    """An enclosing construct: variables needed by lanes that have left it or continued."""

    statement: Statement
    after: int
    head: int
    waiting: int = 0


class MaskFinder:
    """The forward pass, which finds the sets that need masks."""

    def __init__(
        self, bits: VariableBits, backward: BackwardWalker, divergent: Collection[Statement] | None
    ) -> None:
        self.bits = bits
        self.backward = backward
        self.divergent = divergent
        self.masked: set[Value] = set()
        self.around: list[ConstructMasks] = []
        self.leaves = EarlyExits()

    def _diverges(self, statement: Statement) -> bool:
        return self.divergent is None or statement in self.divergent

    def region(self, region: Region, waiting: int) -> None:
        """Visit a region; `waiting` are the variables that lanes waiting outside need."""
        for statement in region:
            if isinstance(statement, Value):
                if statement.op not in INERT:
                    self._value(statement, waiting)
                    if statement.op.ends:
                        return
                continue
            match statement:
                case If():
                    self._if(statement, waiting)
                case Loop():
                    after = self.backward.after[statement]
                    around = ConstructMasks(statement, after, self.backward.heads[statement])
                    around.waiting = after if self._diverges(statement) else 0
                    for leave in self.leaves.out_of(statement):  # in an earlier iteration
                        if leave.op is OPS.exit and self._diverges(leave):
                            self._wait(leave)
                    self.around.append(around)
                    self.region(statement.body, waiting)
                    self.around.pop()
                case Switch():
                    self._switch(statement, waiting)
                case Block():
                    self.around.append(ConstructMasks(statement, self.backward.after[statement], 0))
                    self.region(statement.body, waiting)
                    self.around.pop()

    def _wait(self, value: Value) -> None:
        """Note that lanes that left by an operation may be waiting from here on."""
        for around in reversed(self.around):
            if leaves(value, around.statement):
                continues = value.op is OPS.continue_
                around.waiting |= around.head if continues else around.after
                return

    def _value(self, value: Value, waiting: int) -> None:
        op = value.op
        if op is OPS.set:
            for around in self.around:
                waiting |= around.waiting
            if waiting & self.bits[value.attr]:
                self.masked.add(value)
        elif value.op.ends and self._diverges(value):
            self._wait(value)

    def _if(self, statement: If, waiting: int) -> None:
        diverges = self._diverges(statement)
        live = self.backward.starts[statement, 1] if diverges else 0
        self.region(statement.then, waiting | live)
        after = self.backward.after[statement] if diverges and not ended(statement.then) else 0
        self.region(statement.otherwise, waiting | after)

    def _switch(self, switch: Switch, waiting: int) -> None:
        after = self.backward.after[switch]
        around = ConstructMasks(switch, after, 0)
        self.around.append(around)
        diverges = self._diverges(switch)
        for leave in self.leaves.out_of(switch) if diverges else ():  # in an earlier case
            if self._diverges(leave):
                self._wait(leave)
        if diverges:
            waiting |= after
        starts = [self.backward.starts[switch, number] for number in range(len(switch.cases))]
        following = [*accumulate(reversed(starts), or_, initial=0)]
        before = 0
        for case, start in zip(switch.cases, starts, strict=True):
            following.pop()
            self.region(case.body, waiting | (before | following[-1] if diverges else 0))
            before |= start
        self.around.pop()
