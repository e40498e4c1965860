"""Loops that can be run in strips: the dependences of their operations.

    loop {
      %2 = get @i                       counter
      %3 = ule %1, %2                   head     decides how many iterations a strip has
      if %3 { break }
      %4 = load:f32 %t0[%2, i32 0]      rest     computed for the whole strip
      %5 = fmul %0, %4                  rest
      %6 = get @sum
      %7 = fadd %5, %6                  sum      of the rows of %5, in their order
      %8 = get @far
      %9 = fmax %8, %5                  turn     computed iteration by iteration
      set @sum, %7
      set @far, %9
      %10 = iadd %2, i32 1
      set @i, %10
    }

A loop has no strips if it writes memory, has constructs besides the branch that leaves, leaves on a
condition that is loaded or depends on variables other than counters, or loads what could be loaded
before it.
"""

from collections import Counter
from collections.abc import Sequence

from ...dataclass import dataclass, field
from ...ir.kernel import If, Loop, Value
from ...ir.memory import Var
from ...ir.ops import OPS
from .operations import UFUNCS, function

SUMS = frozenset({OPS.fadd, OPS.iadd})


@dataclass(slots=True)
class LoopSum:
    """A variable that each iteration adds a value to, and that the loop does not use otherwise.

    `unshared` is true if nothing else refers to the array of the value.
    """

    var: Var
    value: Value
    unshared: bool


@dataclass(slots=True)
class LoopPattern:
    """A loop that can be run in strips.

    inside     the operations of the loop
    condition  the condition on which lanes leave
    leaves     its value if they do
    same       the value that a `get` returns, if the iteration has set the variable before
    last       the value of each variable at the end of an iteration
    counters   variables that change by the same number in each iteration: the sum or difference
    sums       variables that are sums
    head       the operations that the condition needs, in their order
    rest       others that depend on no variables but counters
    turns      those that depend on other variables
    """

    inside: set[Value]
    condition: Value
    leaves: bool
    same: dict[Value, Value] = field(default_factory=dict)
    last: dict[Var, Value] = field(default_factory=dict)
    counters: dict[Var, Value] = field(default_factory=dict)
    sums: list[LoopSum] = field(default_factory=list)
    head: list[Value] = field(default_factory=list)
    rest: list[Value] = field(default_factory=list)
    turns: list[Value] = field(default_factory=list)

    def resolved(self, value: Value) -> Value:
        """Return a value itself, in place of an operation that gets it from a variable."""
        return self.same.get(value, value)


def loop_pattern(loop: Loop) -> LoopPattern | None:
    """Return the dependences of the operations of a loop; None if it has no strips."""
    found = _branch(loop)
    if found is None:
        return None
    operations = [each for each in loop.body if isinstance(each, Value)]
    _variables(found, operations)
    in_turn, invariant = _dependent(found, operations)
    head = _head(found, in_turn)
    if not found.counters or head is None or any(each.op is OPS.load for each in invariant):
        return None
    uses = _uses(found, operations)
    _sums(found, uses, in_turn, invariant)
    sums = {found.last[each.var] for each in found.sums}
    for value in operations:
        if value.op in (OPS.get, OPS.set) or value in sums or not uses[value]:
            continue
        if value in in_turn:
            found.turns.append(value)
        else:
            (found.head if value in head else found.rest).append(value)
    return found if found.rest and len(found.rest) >= len(found.turns) else None


def _branch(loop: Loop) -> LoopPattern | None:
    """Return the beginning of a pattern; None if strips do not support an operation."""
    found = None
    inside = {each for each in loop.body if isinstance(each, Value)}
    for each in loop.body:
        if isinstance(each, If):
            ways = [way for way in (each.then, each.otherwise) if way]
            if found is not None or len(ways) != 1 or len(ways[0]) != 1:
                return None
            (only,) = ways[0]
            if not isinstance(only, Value) or only.op is not OPS.break_:
                return None
            found = LoopPattern(inside, each.condition, bool(each.then))
        elif not isinstance(each, Value) or not _is_repeatable(each):
            return None
    return found


def _is_repeatable(value: Value) -> bool:
    """Return True if an operation can be done for several iterations at once."""
    return value.op in (OPS.get, OPS.set, OPS.load) or function(value.op, value.type) is not None


def _variables(found: LoopPattern, operations: Sequence[Value]) -> None:
    """Follow the variables through an iteration."""
    times: Counter[Var] = Counter()
    for value in operations:
        var = value.attr
        if value.op is OPS.get and var in found.last:
            found.same[value] = found.last[var]
        elif value.op is OPS.set:
            found.last[var] = found.resolved(value.args[0])
            times[var] += 1
    for var, value in found.last.items():
        if times[var] == 1 and value.op in (OPS.iadd, OPS.isub):
            before, step = value.args
            if before in found.inside and step not in found.inside and _before(found, before, var):
                found.counters[var] = value


def _before(found: LoopPattern, value: Value, var: Var) -> bool:
    """Return True if an operation gets a variable before the iteration sets it."""
    return value.op is OPS.get and value.attr is var and value not in found.same


def _dependent(found: LoopPattern, operations: Sequence[Value]) -> tuple[set[Value], set[Value]]:
    """Return the operations that depend on variables besides counters, and invariant operations."""
    in_turn: set[Value] = set()
    invariant: set[Value] = set()
    for value in operations:
        if value.op is OPS.set:
            continue
        if value.op is OPS.get and value not in found.same:
            if value.attr not in found.last:
                invariant.add(value)
            elif value.attr not in found.counters:
                in_turn.add(value)
            continue
        args = [found.resolved(each) for each in (value.args or (value,))]
        if not in_turn.isdisjoint(args):
            in_turn.add(value)
        elif all(each in invariant or each not in found.inside for each in args):
            invariant.add(value)
    return in_turn, invariant


def _head(found: LoopPattern, in_turn: set[Value]) -> set[Value] | None:
    """Return the operations that the condition needs; None if no strip can compute it."""
    head: set[Value] = set()
    stack = [found.resolved(found.condition)]
    while stack:
        value = stack.pop()
        if value not in found.inside:
            continue
        if value in in_turn or value.op is OPS.load:
            return None
        if value not in head:
            head.add(value)
            stack.extend(map(found.resolved, value.args))
    return head


def _uses(found: LoopPattern, operations: Sequence[Value]) -> Counter[Value]:
    """Count the uses of each operation by needed operations; loads are always needed."""
    uses = Counter(value for var, value in found.last.items() if var not in found.counters)
    uses[found.resolved(found.condition)] += 1
    for value in reversed(operations):
        if value.op is OPS.load:
            uses[value] += 1  # accesses out of bounds are counted
        if value.op is not OPS.set and uses[value]:
            for each in value.args:
                uses[found.resolved(each)] += 1
    return uses


def _sums(
    found: LoopPattern, uses: Counter[Value], in_turn: set[Value], invariant: set[Value]
) -> None:
    """Find the variables that are sums."""
    reads = Counter(value.attr for value in in_turn if value.op is OPS.get and uses[value])
    for var, value in found.last.items():
        if value.op not in SUMS or uses[value] != 1 or var.type.bits < 32 or reads[var] != 1:
            continue
        for before, other in (value.args, value.args[::-1]):
            added = found.resolved(other)
            first = before in in_turn and _before(found, before, var)
            if first and uses[before] == 1 and added not in in_turn:
                unshared = added.op in UFUNCS and uses[added] == 1 and added not in invariant
                found.sums.append(LoopSum(var, added, unshared))
                break
