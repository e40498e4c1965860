"""What a piece of code sets and how lanes leave it; sets of variables as bits of one number."""

from collections.abc import Iterable

from ..kernel import Loop, Statement, Value, leaves, regions, walk
from ..memory import Var
from ..ops import OPS, Op

__all__ = ["EarlyExits", "VariableBits", "assigned"]


def assigned(loop: Loop) -> list[Var]:
    """The variables that are set anywhere in a loop, in the order of the text."""
    found: dict[Var, None] = {}
    for value in walk(loop.body):
        if value.op is OPS.set:
            found[value.attr] = None
    return list(found)


class VariableBits:
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


class EarlyExits:
    """By which break, continue, exit and return lanes may leave a statement otherwise than by its
    end.
    """

    def __init__(self) -> None:
        self._known: dict[Statement, tuple[Value, ...]] = {}

    def out_of(self, statement: Statement) -> tuple[Value, ...]:
        """Return those operations."""
        if isinstance(statement, Value):
            return (statement,) if statement.op.ends else ()
        found = self._known.get(statement)
        if found is None:
            found = self._known[statement] = tuple(
                leave
                for inner in regions(statement)
                for each in inner
                for leave in self.out_of(each)
                if not leaves(leave, statement)
            )
        return found

    def kinds(self, statement: Statement) -> set[Op]:
        """Return which operations they are."""
        return {each.op for each in self.out_of(statement)}
