"""Assigned variables and early exits of statements, and variable sets as bit masks."""

from collections.abc import Iterable

from ..kernel import Loop, Region, Statement, Value, leaves, regions
from ..memory import Var
from ..ops import OPS, Op

__all__ = ["AssignedVariables", "EarlyExits", "VariableBits"]


class AssignedVariables:
    """The variables that are set anywhere in each loop; an inner loop is visited once."""

    def __init__(self) -> None:
        self._known: dict[Loop, tuple[Var, ...]] = {}

    def of(self, loop: Loop) -> tuple[Var, ...]:
        """Return the variables that are set in a loop, in the order of the text."""
        found = self._known.get(loop)
        if found is None:
            seen: dict[Var, None] = {}
            self._collect(loop.body, seen)
            found = self._known[loop] = tuple(seen)
        return found

    def _collect(self, region: Region, seen: dict[Var, None]) -> None:
        for statement in region:
            match statement:
                case Value():
                    if statement.op is OPS.set:
                        seen[statement.attr] = None
                case Loop():
                    seen.update(dict.fromkeys(self.of(statement)))
                case _:
                    for inner in regions(statement):
                        self._collect(inner, seen)


class VariableBits:
    """A bit for each variable, so that sets of variables are integers."""

    __slots__ = ("_bits", "_variables")

    def __init__(self, variables: Iterable[Var]) -> None:
        self._variables = list(variables)
        self._bits = {var: 1 << number for number, var in enumerate(self._variables)}

    def __getitem__(self, var: Var) -> int:
        return self._bits[var]

    def variables(self, bits: int) -> frozenset[Var]:
        """Return the variables of a set."""
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self._variables[lowest.bit_length() - 1])
            bits ^= lowest
        return frozenset(found)


class EarlyExits:
    """The break, continue, exit and return operations by which lanes may leave statements early."""

    def __init__(self) -> None:
        self._known: dict[Statement, tuple[Value, ...]] = {}

    def out_of(self, statement: Statement) -> tuple[Value, ...]:
        """Return the operations that may leave a statement."""
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
        """Return the kinds of the operations that may leave a statement."""
        return {each.op for each in self.out_of(statement)}
