"""Sets of variables: which a piece of code sets, and many of them as bits of one number."""

from collections.abc import Iterable

from ..kernel import Loop, walk
from ..memory import Var
from ..ops import OPS

__all__ = ["Bits", "assigned"]


def assigned(loop: Loop) -> list[Var]:
    """The variables that are set anywhere in a loop, in the order of the text."""
    found: dict[Var, None] = {}
    for value in walk(loop.body):
        if value.op is OPS.set:
            found[value.attr] = None
    return list(found)


class Bits:
    """A bit for each variable."""

    __slots__ = ("_bits", "_variables")

    def __init__(self, variables: Iterable[Var]) -> None:
        self._variables = list(variables)
        self._bits = {var: 1 << number for number, var in enumerate(self._variables)}

    def __getitem__(self, var: Var) -> int:
        return self._bits[var]

    def variables(self, bits: int) -> frozenset[Var]:
        """The variables of a set."""
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self._variables[lowest.bit_length() - 1])
            bits ^= lowest
        return frozenset(found)
