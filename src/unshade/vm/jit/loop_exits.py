"""Variables of their own for values that lanes take out of a loop in different iterations.

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
vector if it is read after the loop. With a variable of its own for that, a counter remains a
scalar, and its increments and comparisons cost next to nothing.
"""

from ...ir.analysis.flow import EarlyExits, assigned
from ...ir.analysis.liveness import liveness
from ...ir.analysis.uniformity import KnownFacts, Uniformity, UniformityWalker
from ...ir.kernel import KernelIR, Loop, Region, Switch, Value, regions, walk
from ...ir.memory import Var
from ...ir.ops import OPS
from ...ir.simplify.variables import split_variables
from ...ir.transforms.copying import copied_kernel
from ...ir.types import VOID
from .layout import statements


def split_loop_exits(kernel: KernelIR) -> KernelIR:
    """Return the kernel, or a copy of it in which such values have variables of their own."""
    if not _counters(kernel):
        return kernel
    kernel = copied_kernel(kernel)
    found = UniformityWalker(kernel, {}, {}, KnownFacts(0), {}).walk()
    counters = _counters(kernel)
    split = {loop: vars for loop, vars in counters.items() if loop in found.divergent}
    changed = False
    for loop, variables in split.items():
        for var in variables:
            if _is_shared(loop, var, found):
                left = Var(f"{var.name}.left", var.type)
                kernel.variables.append(left)
                _split(kernel.body, loop, var, left)
                changed = True
    if changed:
        split_variables(kernel)
    return kernel


def _counters(kernel: KernelIR) -> dict[Loop, list[Var]]:
    """Return the integers that a loop changes and that are read after it."""
    loops = [each for each in statements(kernel.body) if isinstance(each, Loop)]
    if not loops:
        return {}
    after = liveness(kernel).after
    exits = EarlyExits()
    found = {}
    for loop in loops:
        if any(each.op is OPS.exit for each in exits.out_of(loop)):
            continue
        variables = [var for var in assigned(loop) if var in after[loop] and var.type.kind == "i"]
        if variables:
            found[loop] = variables
    return found


def _is_shared(loop: Loop, var: Var, found: Uniformity) -> bool:
    """Return True if a variable is the same in all lanes that are in the loop."""
    for value in walk(loop.body):
        if value.op is OPS.get and value.attr is var and not found.of(value).uniform:
            return False
        if value.op is OPS.set and value.attr is var and not found.of(value.args[0]).uniform:
            return False
    return True


def _split(region: Region, loop: Loop, var: Var, left: Var) -> bool:
    """Copy a variable where lanes break from a loop, and back after it; return True once done."""
    for at, statement in enumerate(region):
        if statement is loop:
            _leave(loop.body, var, left)
            region[at + 1 : at + 1] = _copy(left, var)
            return True
        if any(_split(inner, loop, var, left) for inner in regions(statement)):
            return True
    return False


def _leave(region: Region, var: Var, left: Var) -> None:
    """Copy the variable before every break that refers to the loop around the region."""
    breaks = []
    for at, statement in enumerate(region):
        if isinstance(statement, Value):
            if statement.op is OPS.break_:
                breaks.append(at)
        elif not isinstance(statement, Loop | Switch):
            for inner in regions(statement):
                _leave(inner, var, left)
    for at in reversed(breaks):
        region[at:at] = _copy(var, left)


def _copy(source: Var, target: Var) -> Region:
    got = Value(OPS.get, source.type, (), source)
    return [got, Value(OPS.set, VOID, (got,), target)]
