"""Separate variables for values that lanes take out of a loop in different iterations.

    loop {                            loop {
      %1 = get @n                       %1 = get @n
      …                                 …
      if %3 {                           if %3 {
        break                    ->       %7 = get @n
      }                                   set @n.left, %7
      %4 = iadd %1, i32 1                 break
      set @n, %4                        }
    }                                   %4 = iadd %1, i32 1
                                        set @n, %4
    %5 = get @n                       }
                                      %6 = get @n.left
                                      set @n.1, %6
                                      %5 = get @n.1

Inside, @n is the same in all lanes that are still in the loop, but it has one storage, which is a
vector if it is read after the loop. With a separate variable for reads after the loop, a counter
remains a scalar, and its increments and comparisons cost next to nothing.
"""

from ...ir.analysis.flow import AssignedVariables, EarlyExits
from ...ir.analysis.liveness import live_variables
from ...ir.analysis.uniformity import KnownFacts, Uniformity, UniformityWalker
from ...ir.kernel import KernelIR, Loop, Region, Switch, Value, regions
from ...ir.memory import Var
from ...ir.ops import OPS
from ...ir.simplify.variables import split_variables
from ...ir.transforms.copying import copied_kernel
from ...ir.types import VOID
from .layout import statements


def split_loop_exits(kernel: KernelIR) -> KernelIR:
    """Return the kernel, or a copy in which values that leave loops have separate variables."""
    if not _counters(kernel):
        return kernel
    kernel = copied_kernel(kernel)
    found = UniformityWalker(kernel, {}, {}, KnownFacts(0), {}).walk()
    counters = _counters(kernel)
    varying = VaryingVariables(found)
    varying.region(kernel.body)
    split: dict[Loop, list[tuple[Var, Var]]] = {}
    for loop, variables in counters.items():
        if loop not in found.divergent:
            continue
        for var in variables:
            if var not in varying.of[loop]:
                left = Var(f"{var.name}.left", var.type)
                kernel.variables.append(left)
                split.setdefault(loop, []).append((var, left))
    if split:
        _split(kernel.body, split, [])
        split_variables(kernel)
    return kernel


def _counters(kernel: KernelIR) -> dict[Loop, list[Var]]:
    """Return the integers that a loop changes and that are read after it."""
    loops = [each for each in statements(kernel.body) if isinstance(each, Loop)]
    if not loops:
        return {}
    live = live_variables(kernel)
    exits, assigned = EarlyExits(), AssignedVariables()
    found = {}
    for loop in loops:
        if any(each.op is OPS.exit for each in exits.out_of(loop)):
            continue
        after = live.after[loop]
        variables = [
            var for var in assigned.of(loop) if var.type.kind == "i" and live.bits[var] & after
        ]
        if variables:
            found[loop] = variables
    return found


class VaryingVariables:
    """The variables that are not the same in all lanes that are in a loop."""

    def __init__(self, found: Uniformity) -> None:
        self.found = found
        self.of: dict[Loop, set[Var]] = {}

    def region(self, region: Region) -> set[Var]:
        """Visit a region; return the variables that vary in it."""
        varying: set[Var] = set()
        for statement in region:
            if not isinstance(statement, Value):
                inside = set[Var]().union(*map(self.region, regions(statement)))
                if isinstance(statement, Loop):
                    self.of[statement] = inside
                varying |= inside
            elif statement.op.attribute == "var":
                value = statement.args[0] if statement.op is OPS.set else statement
                if not self.found.of(value).uniform:
                    varying.add(statement.attr)
        return varying


Pairs = list[tuple[Var, Var]]  # a variable, and the one that takes its value out of the loop


def _split(region: Region, split: dict[Loop, Pairs], leaving: Pairs) -> None:
    """Copy variables where lanes break from a loop, and back after it.

    `leaving` are the pairs of the loop that a break in this region refers to.
    """
    made: Region = []
    for statement in region:
        if isinstance(statement, Value):
            if statement.op is OPS.break_:
                made += [each for var, left in leaving for each in _copy(var, left)]
            made.append(statement)
            continue
        made.append(statement)
        pairs = leaving
        if isinstance(statement, Loop):
            pairs = split.get(statement, [])
        elif isinstance(statement, Switch):
            pairs = []
        for inner in regions(statement):
            _split(inner, split, pairs)
        if isinstance(statement, Loop):
            made += [each for var, left in reversed(pairs) for each in _copy(left, var)]
    region[:] = made


def _copy(source: Var, target: Var) -> Region:
    got = Value(OPS.get, source.type, (), source)
    return [got, Value(OPS.set, VOID, (got,), target)]
