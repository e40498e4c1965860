"""Coalescing of variables between which values are copied, and which are not needed together.

    loop {                               loop {
      %1 = get @outer                      %1 = get @sum
      set @inner, %1
      loop {                               loop {
        %2 = get @inner          ->          %2 = get @sum
        %3 = fadd %2, …                      %3 = fadd %2, …
        set @kept, %3                        set @sum, %3
        …                                    …
        set @inner, %3
      }                                    }
      %4 = get @kept
      set @outer, %4
    }                                    }

SSA form has a phi for each loop that a value passes through, and each phi becomes a variable. Two
variables interfere if one is set where the other is live and is not known to hold the same value
(Chaitin). Kernels that run merge only floats: the counter of a loop, which lanes share, must not
become one with a copy that differs between lanes. Source merges all but counters, so that `for`
loops keep theirs.
"""

from ...dataclass import dataclass, field
from ..analysis.fact_maps import FactMap, changes
from ..analysis.flow import AssignedVariables, VariableBits
from ..analysis.liveness import BackwardWalker
from ..kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, leaves, regions
from ..memory import Var
from ..ops import OPS

__all__ = ["coalesce"]

Held = FactMap[Var, Value]  # the value that a variable is known to hold
Holders = FactMap[Value, int]  # the variables that are known to hold a value, as bits


def coalesce(kernel: KernelIR, *, floats_only: bool = True) -> bool:
    """Merge variables in place; return True if there were any."""
    pairs = _pairs(kernel, floats_only)
    if not pairs:
        return False
    bits = VariableBits(kernel.variables)
    live = LiveAtSets(bits)
    live.run(kernel.body)
    finder = InterferenceFinder(kernel, live, {var for pair in pairs for var in pair})
    finder.region(kernel.body)
    into: dict[Var, Var] = {}
    members: dict[Var, int] = {}
    for pair in pairs:
        one, two = (_root(into, var) for var in pair)
        if one is two:
            continue
        ones, twos = members.get(one, bits[one]), members.get(two, bits[two])
        if finder.edges.get(one, 0) & twos or finder.edges.get(two, 0) & ones:
            continue
        into[two] = one
        members[one] = ones | twos
        finder.edges[one] = finder.edges.get(one, 0) | finder.edges.get(two, 0)
    if not into:
        return False
    for value in kernel.values():
        if value.op.attribute == "var":
            value.attr = _root(into, value.attr)
    kernel.variables[:] = [each for each in kernel.variables if each not in into]
    return True


def _root(into: dict[Var, Var], var: Var) -> Var:
    """Return the variable that a variable was merged into, with path compression."""
    way = []
    while var in into:
        way.append(var)
        var = into[var]
    for each in way:
        into[each] = var
    return var


def _pairs(kernel: KernelIR, floats_only: bool) -> list[tuple[Var, Var]]:
    """Return the pairs of variables of one type between which a value is copied."""
    counters = set() if floats_only else _counters(kernel)
    holders: dict[Value, Var] = {}
    found: dict[tuple[Var, Var], None] = {}
    for value in kernel.values():
        if value.op is OPS.get:
            source, var = value, value.attr
        elif value.op is OPS.set and value.args[0].op is not OPS.const:
            source, var = value.args[0], value.attr
        else:
            continue
        if var in counters or (floats_only and var.type.kind != "f"):
            continue
        first = holders.setdefault(source, var)
        if first is not var and first.type == var.type:
            found[first, var] = None
    return list(found)


def _counters(kernel: KernelIR) -> set[Var]:
    """Return the variables that are stepped by a constant."""
    return {
        value.attr
        for value in kernel.values()
        if value.op is OPS.set and _steps(value.args[0], value.attr)
    }


def _steps(value: Value, var: Var) -> bool:
    """Return True for the sum of a variable and a constant."""
    if value.op not in (OPS.iadd, OPS.isub):
        return False
    ops = {each.op for each in value.args if each.op is not OPS.get or each.attr is var}
    return ops == {OPS.get, OPS.const}


class LiveAtSets(BackwardWalker):
    """The backward pass of liveness, which also notes the variables live after each set."""

    def __init__(self, bits: VariableBits) -> None:
        super().__init__(bits)
        self.at: dict[Value, int] = {}

    def _value(self, value: Value, live: int) -> int:
        if value.op is OPS.set:
            self.at[value] = live
        return super()._value(value, live)


class Knowledge:
    """The known values of wanted variables, at one place."""

    __slots__ = ("_held", "_holders")

    def __init__(self, held: Held, holders: Holders) -> None:
        self._held = held
        self._holders = holders

    def fork(self) -> "Knowledge":
        """Return an independent copy."""
        return Knowledge(self._held.fork(), self._holders.fork())

    def get(self, var: Var) -> Value | None:
        """Return the value that a variable holds, or None."""
        return self._held.get(var)

    def holders(self, value: Value) -> int:
        """Return the variables that hold a value, as bits."""
        return self._holders.get(value) or 0

    def put(self, var: Var, bit: int, value: Value | None) -> None:
        """Note the value that a variable holds from here on; None if that is not known."""
        before = self._held.get(var)
        if before is not None:
            self._holders[before] = (self._holders.get(before) or 0) & ~bit
        if value is not None:
            self._holders[value] = (self._holders.get(value) or 0) | bit
        self._held[var] = value

    def common(self, ways: "list[Knowledge]", bits: VariableBits) -> None:
        """Keep the facts that are equal on this path and all of the given paths."""
        for var, _, _ in changes([each._held for each in ways]):
            self.put(var, bits[var], None)


@dataclass(slots=True)
class ConstructHeld:
    """An enclosing loop, switch or block: the values of variables at its exits."""

    statement: Statement
    left: list[Knowledge] = field(default_factory=list)


class InterferenceFinder:
    """The forward pass, which finds the pairs of candidate variables that interfere."""

    def __init__(self, kernel: KernelIR, live: LiveAtSets, wanted: set[Var]) -> None:
        self.kernel = kernel
        self.bits = live.bits
        self.live = live.at
        self.wanted = wanted
        self.mask = sum(self.bits[var] for var in wanted)
        self.edges: dict[Var, int] = {}
        self.copied: dict[Value, Value] = {}  # the values that gets are known to read
        self.around: list[ConstructHeld] = []
        self.assigned = AssignedVariables()
        variables = [var for var in kernel.variables if var in wanted]
        self._nothing = Knowledge(FactMap(variables), FactMap(_values(kernel, wanted)))

    def region(self, region: Region, held: Knowledge | None = None) -> Knowledge | None:
        """Return the values of variables at the end of a region; None if it is unreachable."""
        found = self._nothing.fork() if held is None else held
        reached = True
        for statement in region:
            if not reached:
                found = self._nothing.fork()
            after: Knowledge | None
            match statement:
                case Value():
                    after = found if self._value(statement, found) else None
                case If():
                    after = self._common(
                        [self.region(each, found.fork()) for each in regions(statement)]
                    )
                case Loop():
                    inner = found.fork()
                    for var in self.assigned.of(statement):
                        if var in self.wanted:
                            inner.put(var, self.bits[var], None)
                    left, _ = self._construct(statement, [inner])
                    after = self._common(left)
                case Switch():
                    left, ends = self._construct(statement, [found.fork() for _ in statement.cases])
                    if not any(case.default for case in statement.cases):
                        ends.append(found)
                    after = self._common([*left, *ends])
                case Block():
                    left, ends = self._construct(statement, [found.fork()])
                    after = self._common([*left, *ends])
            reached = after is not None
            found = after or found
        return found if reached else None

    def _construct(
        self, statement: Statement, held: list[Knowledge]
    ) -> "tuple[list[Knowledge | None], list[Knowledge | None]]":
        """Return the values of variables at the exits of a construct and the ends of its bodies."""
        construct = ConstructHeld(statement)
        self.around.append(construct)
        ends = [
            self.region(body, each) for body, each in zip(regions(statement), held, strict=True)
        ]
        self.around.pop()
        return list(construct.left), ends

    def _value(self, value: Value, held: Knowledge) -> bool:
        """Note the effect of an operation; return False if it ends its region."""
        op = value.op
        if op is OPS.get:
            if value.attr in self.wanted:
                known = held.get(value.attr)
                if known is None:
                    known = value
                    held.put(value.attr, self.bits[value.attr], value)
                self.copied[value] = known
        elif op is OPS.set:
            if value.attr in self.wanted:
                self._set(value, held)
        elif op.ends:
            for around in reversed(self.around):
                if leaves(value, around.statement):
                    if op is not OPS.continue_:
                        around.left.append(held.fork())
                    break
            return False
        return True

    def _set(self, value: Value, held: Knowledge) -> None:
        var, given = value.attr, self.copied.get(value.args[0], value.args[0])
        bit = self.bits[var]
        others = self.live.get(value, 0) & self.mask & ~bit & ~held.holders(given)
        if others:
            self.edges[var] = self.edges.get(var, 0) | others
        held.put(var, bit, given)

    def _common(self, ways: "list[Knowledge | None]") -> Knowledge | None:
        """Return the values of variables after a join of paths; None if it is unreachable."""
        given = [each for each in ways if each is not None]
        if not given:
            return None
        found = given[0].fork()
        found.common(given, self.bits)
        return found


def _values(kernel: KernelIR, wanted: set[Var]) -> list[Value]:
    """Return the values that could be known of variables."""
    found: dict[Value, None] = {}
    for value in kernel.values():
        if value.op is OPS.set and value.attr in wanted:
            found[value.args[0]] = None
        elif value.op is OPS.get and value.attr in wanted:
            found[value] = None
    return list(found)
