"""Ranges of variables that count up to a constant.

    loop {                                 @n is at most 15: it is 0 at the start, and incremented
      %1 = get @n                          only where it is not 15
      …
      %2 = ieq %1, i32 15
      if %2 {
        break
      }
      %3 = iadd %1, i32 1
      set @n, %3
    }

The range holds for a lane that runs alone, and for a variable that all lanes share. Where lanes
diverge, a lane that waits may have any number.
"""

from ..kernel import If, KernelIR, Region, Value, ended, regions
from ..memory import Var
from ..ops import OPS
from ..types import I32, I64
from .ranges import ValueRange

__all__ = ["counters"]

LARGEST = (1 << 31) - 1  # below, signed comparisons are equal to unsigned ones
LESS, LESS_OR_EQUAL = (OPS.ult, OPS.ilt), (OPS.ule, OPS.ile)
COMPARISONS = (*LESS, *LESS_OR_EQUAL, OPS.ieq, OPS.ine)


def counters(kernel: KernelIR) -> dict[Var, ValueRange]:
    """Return the ranges of variables that are set to constants and counted up to a constant."""
    finder = CounterFinder()
    finder.region(kernel.body)
    return {
        var: ValueRange(0, most)
        for var, most in finder.most.items()
        if var not in finder.other and most <= finder.ends.get(var, -1)
    }


class CounterFinder:
    """A walk over a kernel.

    `facts` are the conditions that hold, or do not, at the current statement, by the operands that
    they compare with a constant.
    """

    def __init__(self) -> None:
        self.most: dict[Var, int] = {}
        self.ends: dict[Var, int] = {}  # numbers that counting does not go beyond
        self.other: set[Var] = set()  # set to something else
        self.facts: dict[Value, list[tuple[Value, bool]]] = {}

    def region(self, region: Region, condition: Value | None = None, holds: bool = True) -> None:
        """Visit a region, throughout which a condition holds or does not."""
        mine: list[Value] = []
        if condition is not None:
            self._note(condition, holds, mine)
        for statement in region:
            if isinstance(statement, Value):
                if statement.op is OPS.set and statement.attr.type in (I32, I64):
                    self._set(statement)
            elif isinstance(statement, If):
                self.region(statement.then, statement.condition)
                self.region(statement.otherwise, statement.condition, holds=False)
                if ended(statement.then):
                    self._note(statement.condition, False, mine)
            else:
                for inner in regions(statement):
                    self.region(inner)
        for operand in mine:
            self.facts[operand].pop()

    def _note(self, condition: Value, holds: bool, mine: list[Value]) -> None:
        """Note a condition until the end of a region, which forgets the conditions in `mine`."""
        compared = condition
        while compared.op is OPS.not_:
            compared = compared.args[0]
        if compared.op in COMPARISONS:
            for operand in dict.fromkeys(compared.args):
                self.facts.setdefault(operand, []).append((condition, holds))
                mine.append(operand)

    def _set(self, value: Value) -> None:
        var, given = value.attr, value.args[0]
        most = None
        if given.op is OPS.const:
            most = given.attr
        elif given.op is OPS.iadd:
            before, step = given.args
            if before.op is OPS.get and before.attr is var and step.op is OPS.const:
                most = self._counted(before, step.attr)
        if most is None or not 0 <= most <= LARGEST:
            self.other.add(var)
        else:
            self.most[var] = max(self.most.get(var, 0), most)

    def _counted(self, counter: Value, step: int) -> int | None:
        """Return the greatest value of a counter after a step; None if unknown."""
        var = counter.attr
        for condition, holds in self.facts.get(counter, ()):
            limit = _limit(condition, holds, counter)
            if limit is not None:
                self.ends[var] = self.ends.get(var, LARGEST)
                return limit + step
            end = _unequal(condition, holds, counter) if step == 1 else None
            if end is not None:  # if it does not start above
                self.ends[var] = min(self.ends.get(var, LARGEST), end)
                return end
        return None


def _limit(condition: Value, holds: bool, counter: Value) -> int | None:
    """Return the greatest value of a counter, given the result of a comparison with a constant."""
    if condition.op is OPS.not_:
        return _limit(condition.args[0], not holds, counter)
    if condition.op not in LESS + LESS_OR_EQUAL:
        return None
    one, two = condition.args if holds else condition.args[::-1]
    if one is not counter or two.op is not OPS.const:
        return None
    return two.attr - (holds is (condition.op in LESS))  # type: ignore[no-any-return]


def _unequal(condition: Value, holds: bool, counter: Value) -> int | None:
    """Return the constant that a counter is known to differ from."""
    if condition.op is not (OPS.ine if holds else OPS.ieq):
        return None
    one, two = condition.args
    return two.attr if one is counter and two.op is OPS.const else None
