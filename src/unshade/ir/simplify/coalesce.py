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
(Chaitin). Only floats are merged: the counter of a loop, which lanes share, must not become one
with a copy that differs between lanes.
"""

from dataclasses import dataclass, field

from ..analysis.flow import VariableBits, assigned
from ..analysis.liveness import BackwardWalker
from ..kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, leaves
from ..memory import Var
from ..ops import OPS

__all__ = ["coalesce"]

Held = dict[Var, Value]  # the value that a variable is known to hold


def coalesce(kernel: KernelIR) -> bool:
    """Merge variables in place; return True if there were any."""
    pairs = _pairs(kernel)
    if not pairs:
        return False
    bits = VariableBits(kernel.variables)
    live = LiveAtSets(bits)
    live.run(kernel.body)
    finder = InterferenceFinder(bits, live.at, {var for pair in pairs for var in pair})
    finder.region(kernel.body, {})
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
    while var in into:
        var = into[var]
    return var


def _pairs(kernel: KernelIR) -> list[tuple[Var, Var]]:
    """Return the pairs of float variables of one type between which a value is copied."""
    holders: dict[Value, Var] = {}
    found: dict[tuple[Var, Var], None] = {}
    for value in kernel.values():
        if value.op is OPS.get:
            source, var = value, value.attr
        elif value.op is OPS.set and value.args[0].op is not OPS.const:
            source, var = value.args[0], value.attr
        else:
            continue
        if var.type.kind != "f":
            continue
        first = holders.setdefault(source, var)
        if first is not var and first.type == var.type:
            found[first, var] = None
    return list(found)


class LiveAtSets(BackwardWalker):
    """The backward pass of liveness, which also notes what is live after each set."""

    def __init__(self, bits: VariableBits) -> None:
        super().__init__(bits)
        self.at: dict[Value, int] = {}

    def _value(self, value: Value, live: int) -> int:
        if value.op is OPS.set:
            self.at[value] = live
        return super()._value(value, live)


@dataclass(slots=True)
class ConstructHeld:
    """An enclosing loop, switch or block: what variables hold where it is left."""

    statement: Statement
    left: list[Held] = field(default_factory=list)


class InterferenceFinder:
    """The forward pass: which variables interfere, of those that may be merged."""

    def __init__(self, bits: VariableBits, live: dict[Value, int], wanted: set[Var]) -> None:
        self.bits = bits
        self.live = live
        self.wanted = wanted
        self.mask = sum(bits[var] for var in wanted)
        self.edges: dict[Var, int] = {}
        self.copied: dict[Value, Value] = {}  # the values that gets are known to read
        self.around: list[ConstructHeld] = []

    def region(self, region: Region, held: Held) -> Held | None:
        """Return what variables hold at the end of a region; None if it is unreachable."""
        found: Held | None = held
        for statement in region:
            if found is None:
                found = {}
            match statement:
                case Value():
                    found = self._value(statement, found)
                case If():
                    ways = [
                        self.region(statement.then, dict(found)),
                        self.region(statement.otherwise, dict(found)),
                    ]
                    found = _common(ways)
                case Loop():
                    changing = set(assigned(statement))
                    inner = {var: value for var, value in found.items() if var not in changing}
                    left, _ = self._construct(statement, [(statement.body, inner)])
                    found = _common(left)
                case Switch():
                    bodies = [(case.body, dict(found)) for case in statement.cases]
                    left, ends = self._construct(statement, bodies)
                    if not any(case.default for case in statement.cases):
                        ends.append(found)
                    found = _common([*left, *ends])
                case Block():
                    left, ends = self._construct(statement, [(statement.body, dict(found))])
                    found = _common([*left, *ends])
        return found

    def _construct(
        self, statement: Statement, bodies: list[tuple[Region, Held]]
    ) -> "tuple[list[Held | None], list[Held | None]]":
        """Return what variables hold where lanes leave a construct, and where its bodies end."""
        construct = ConstructHeld(statement)
        self.around.append(construct)
        ends = [self.region(body, held) for body, held in bodies]
        self.around.pop()
        return list(construct.left), ends

    def _value(self, value: Value, held: Held) -> Held | None:
        op = value.op
        if op is OPS.get:
            if value.attr in self.wanted:
                self.copied[value] = held.setdefault(value.attr, value)
        elif op is OPS.set:
            if value.attr in self.wanted:
                self._set(value, held)
        elif op.ends:
            for around in reversed(self.around):
                if leaves(value, around.statement):
                    if op is not OPS.continue_:
                        around.left.append(dict(held))
                    break
            return None
        return held

    def _set(self, value: Value, held: Held) -> None:
        var, given = value.attr, self.copied.get(value.args[0], value.args[0])
        others = self.live.get(value, 0) & self.mask & ~self.bits[var]
        for other in self.bits.variables(others):
            if held.get(other) is not given:
                self.edges[var] = self.edges.get(var, 0) | self.bits[other]
        held[var] = given


def _common(ways: "list[Held | None]") -> Held | None:
    """Return what variables hold after a join of paths; None if it is unreachable."""
    given = [each for each in ways if each is not None]
    if not given:
        return None
    first, *others = given
    return {
        var: value for var, value in first.items() if all(each.get(var) is value for each in others)
    }
