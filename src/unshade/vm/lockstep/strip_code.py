"""Strip mining: several iterations of a loop at once, where few lanes are active.

    counter  column  8 9 10         a row for each iteration, one number for all lanes
    grid     8 9 10 x all lanes     a row for each iteration, an element for each lane

NumPy takes about half a microsecond for an operation on a small array, whatever it does, so a strip
has enough rows to make its grids worth that time. A strip ends before the first iteration in which
a lane leaves the loop, and the loop continues from there.
"""

from collections.abc import Mapping

import numpy as np

from ...ir.kernel import Loop, Value
from ...ir.memory import Var
from ...ir.ops import OPS
from ..launch import dtype
from .control import Step
from .effects import EFFECTS, OperationSite, pure_step
from .lanes import ActiveLanes, LaneValues
from .operations import UFUNCS, constant, function
from .ramps import flat
from .strips import LoopPattern, loop_pattern

STRIP_VALUES = 62 << 10  # elements of a grid
MOST_ROWS = 1 << 10
LEAST_ROWS = 4  # with fewer, an operation on a grid saves too little
TRIES = 8  # strips in a row that were of no use, after which few more are tried
AGAIN = 64  # runs of the loop after which one is tried all the same: it may be longer now


def loop_strips(loop: Loop, outside: Mapping[Value, int]) -> "LoopStrips | None":
    """Return the code of a loop's strips; None if it cannot run in strips.

    Args:
        loop: The loop.
        outside: The registers of operands that are computed outside of the loop.
    """
    pattern = loop_pattern(loop)
    return None if pattern is None else LoopStrips(pattern, outside)


class LoopStrips:
    """The code of a loop's strips, which uses separate registers."""

    def __init__(self, pattern: LoopPattern, outside: Mapping[Value, int]) -> None:
        self.pattern = pattern
        self._outside = outside
        self._initial: list[LaneValues] = [None]
        self._taken: list[tuple[int, int]] = []  # registers here, and those of the lanes
        self._registers: dict[Value, int] = {}
        self._variables: dict[Var, int] = {}  # registers of their values before an iteration
        self._head = [self._step(value) for value in pattern.head]
        self._rest = [self._step(value) for value in pattern.rest]
        self._turns = [self._step(value) for value in pattern.turns]
        self._condition = self._register(pattern.condition)
        self._counters = [
            (var, self._variable(var), UFUNCS[value.op], self._register(value.args[1]))
            for var, value in pattern.counters.items()
        ]
        self._sums = [
            (self._register(each.value), self._variable(each.var), each) for each in pattern.sums
        ]
        single = {each.var for each in pattern.sums} | pattern.counters.keys()
        self._results = [
            (var, self._register(value)) for var, value in pattern.last.items() if var not in single
        ]
        self._moves = [
            (self._variables[var], register)
            for var, register in self._results
            if var in self._variables
        ]
        self._before_end = [register for _, register, _, _ in self._counters]
        self._before_end += [self._registers[value] for value in pattern.head]
        computed = {*self._before_end, *(self._registers[value] for value in pattern.rest)}
        used = {self._register(each) for value in pattern.turns for each in value.args}
        used.update(register for _, register in self._moves)
        self._by_row = sorted(used & computed)
        self._useless = 0

    def _new(self, initial: LaneValues = None) -> int:
        self._initial.append(initial)
        return len(self._initial) - 1

    def _variable(self, var: Var) -> int:
        if var not in self._variables:
            self._variables[var] = self._new()
        return self._variables[var]

    def _register(self, value: Value) -> int:
        """Return the register of a value."""
        value = self.pattern.resolved(value)
        found = self._registers.get(value)
        if found is None:
            if value.op is OPS.const:
                found = self._new(constant(value.attr, value.type))
            elif value not in self.pattern.inside:
                found = self._new()
                self._taken.append((found, self._outside[value]))
            else:
                found = self._variable(value.attr) if value.op is OPS.get else self._new()
            self._registers[value] = found
        return found

    def _step(self, value: Value) -> Step:
        """Return the step of an operation."""
        args = tuple([self._register(each) for each in value.args])
        out = self._register(value)
        pure = function(value.op, value.type)
        if pure is not None:
            return pure_step(pure, args, out)
        return EFFECTS[OPS.load](OperationSite(value, args, out, value.type, None, False))

    # ------------------------------------------------------------ execution

    def run(self, lanes: ActiveLanes) -> None:
        """Run as many iterations in strips as no lane leaves in; all lanes are active."""
        batch = lanes.batch
        if self._useless >= TRIES:
            self._useless += 1
            if self._useless % AGAIN:
                return
        while True:
            left = batch.launch.budget - batch.iterations
            rows = min(STRIP_VALUES // max(lanes.count, 1), MOST_ROWS, left)
            if rows < LEAST_ROWS:
                return
            done = self._strip(lanes, rows)
            batch.iterations += done
            self._useless = 0 if done else self._useless + 1
            if done < rows:
                return

    def _strip(self, lanes: ActiveLanes, rows: int) -> int:
        """Run a strip of at most so many iterations, and return their number."""
        strip = ActiveLanes(lanes.batch, lanes.count, lanes)
        r = strip.registers = self._initial.copy()
        for mine, theirs in self._taken:
            r[mine] = flat(lanes.registers[theirs])
        for var, register in self._variables.items():
            r[register] = flat(lanes.get(var))
        numbers = np.arange(rows)[:, np.newaxis]
        for var, register, change, step in self._counters:
            r[register] = change(r[register], numbers.astype(dtype(var.type)) * r[step])
        for operation in self._head:
            operation(strip)
        done = self._complete(r[self._condition])
        if done < LEAST_ROWS:
            return 0
        if done < rows:
            for register in self._before_end:
                if r[register].ndim > 1:
                    r[register] = r[register][:done]
        for operation in self._rest:
            operation(strip)
        for value, register, each in self._sums:
            lanes.set(each.var, _sum(r[register], r[value], done, lanes.count, each.unshared))
        if self._turns or self._moves:
            self._run_turns(strip, done)
        for var, register in self._results:
            lanes.set(var, _rows(r[register])[-1])
        for var, register, change, step in self._counters:
            lanes.set(var, change(_rows(r[register])[-1], r[step]))
        return done

    def _complete(self, condition: LaneValues) -> int:
        """Return how many iterations all lanes complete; 0 if the condition is always the same."""
        if condition.ndim < 2:
            return 0
        leaving = (condition if self.pattern.leaves else ~condition).any(axis=1)
        first = int(leaving.argmax())
        return first if leaving[first] else len(leaving)

    def _run_turns(self, strip: ActiveLanes, count: int) -> None:
        """Run the operations that are computed for one iteration after the other.

        Afterwards registers hold the values of the last iteration; registers of variables, their
        values at its beginning.
        """
        r = strip.registers
        rows = [(register, _rows(r[register])) for register in self._by_row if r[register].ndim > 1]
        for at in range(count):
            if at:
                results = [r[register] for _, register in self._moves]
                for (register, _), result in zip(self._moves, results, strict=True):
                    r[register] = result
            for register, each in rows:
                r[register] = each[at]
            for operation in self._turns:
                operation(strip)


def _rows(lanes: LaneValues) -> LaneValues:
    """Return the values of each iteration: of a column numbers, of a grid its rows."""
    if lanes.ndim < 2:
        return [lanes]
    return lanes[:, 0] if lanes.shape[1] == 1 else lanes


def _sum(total: LaneValues, added: LaneValues, rows: int, lanes: int, unshared: bool) -> LaneValues:
    """Return a variable after a strip: the values are added in the order of the iterations."""
    columns = added.shape[-1] if added.ndim else 1
    if columns == 1 and (lanes == 1 or not total.ndim):
        chain = np.empty(rows + 1, added.dtype)
        chain[:1], chain[1:] = total, added.reshape(-1)
        return np.add.accumulate(chain, dtype=chain.dtype)[-1]
    if not unshared or added.shape != (rows, lanes) or not added.flags.c_contiguous:
        given, added = added, np.empty((rows, lanes), added.dtype)
        added[...] = given
    added[0] += total
    return np.add.reduce(added, axis=0, dtype=added.dtype)  # row by row, if rows are contiguous
