"""Merging of variables that always hold the same value.

    set @kept, %1      ->     set @kept, %1       every set of one has a set of the other beside it,
    set @x, %1                                    with the same value
    … get @x                  … get @kept

A value that is used outside of its region and stored in a variable as well would take two
registers.
"""

from bisect import bisect_right
from collections.abc import Hashable

from ..kernel import KernelIR, Region, Value, every_region
from ..memory import Var
from ..ops import OPS

__all__ = ["merge_copies"]

Places = list[tuple[Region, int]]


def merge_copies(kernel: KernelIR) -> bool:
    """Merge variables in place; return True if there were any."""
    sets: dict[Var, Places] = {}
    accesses = VariableAccesses()
    for region in every_region(kernel.body):
        accesses.add(region)
        for at, each in enumerate(region):
            if isinstance(each, Value) and each.op is OPS.set:
                sets.setdefault(each.attr, []).append((region, at))
    same: dict[Hashable, list[Var]] = {}
    for var, places in sets.items():
        key = (var.type, *((id(region), _content(region[at])) for region, at in places))
        same.setdefault(key, []).append(var)
    into: dict[Var, Var] = {}
    for first, *others in same.values():
        for other in others:
            if all(
                accesses.adjacent(region, at, end, first, other)
                for (region, at), (_, end) in zip(sets[first], sets[other], strict=True)
            ):
                into[other] = first
    if not into:
        return False
    for region in every_region(kernel.body):
        region[:] = [
            each
            for each in region
            if not (isinstance(each, Value) and each.op is OPS.set and each.attr in into)
        ]
    for value in kernel.values():
        if value.op is OPS.get:
            value.attr = into.get(value.attr, value.attr)
    kernel.variables = [each for each in kernel.variables if each not in into]
    return True


def _content(statement: object) -> Hashable:
    """Return a key of the value that a variable is set to."""
    assert isinstance(statement, Value)
    (value,) = statement.args
    return (value.type, value.attr) if value.op is OPS.const else id(value)


class VariableAccesses:
    """Reads and sets of variables in each region, and places where lanes may leave."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, Var], list[int]] = {}
        self._breaks: dict[int, list[int]] = {}  # constructs, and operations that end a region

    def add(self, region: Region) -> None:
        """Note the places in a region."""
        breaks = self._breaks[id(region)] = []
        for at, each in enumerate(region):
            if not isinstance(each, Value) or each.op.ends:
                breaks.append(at)
            elif each.op in (OPS.get, OPS.set):
                self._of.setdefault((id(region), each.attr), []).append(at)

    def adjacent(self, region: Region, one: int, other: int, first: Var, second: Var) -> bool:
        """Return True if nothing between two sets can read either variable."""
        key = id(region)
        places = self._breaks[key], self._of[key, first], self._of[key, second]
        return not any(_between(each, *sorted((one, other))) for each in places)


def _between(places: list[int], first: int, last: int) -> bool:
    """Return True if any of the sorted places is between two given places."""
    at = bisect_right(places, first)
    return at < len(places) and places[at] < last
