"""Values that are used beyond a barrier: variables hold their scalars.

    (%a, %b)                   set where it is made; where it is used, its scalars are read
    pointer to v[%i]           its indices are kept
    constants, images          need no variables

Code between barriers is lowered once for each invocation (`tessellation`), and parts of it several
times (`barriers`), so a use may have several definitions.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Var
from ....ir.ops import OPS
from ....ir.types import Type
from .pointers import ChosenRoot, TypedPointer

__all__ = ["KeptValue", "KeptValues", "MakeVariable"]

MakeVariable = Callable[[int, int, Type], Var]  # for an id, the number of a scalar and its type


class KeptValue:
    """A value in variables; `like` is a value of the same shape."""

    def __init__(self, variables: Sequence[Var], like: Any) -> None:
        self.variables = variables
        self.like = like

    def set(self, b: Builder, found: Any) -> None:
        """Append stores of a value."""
        scalars = _scalars(found)
        if [each.type for each in scalars] != [each.type for each in self.variables]:
            raise UnsupportedError("a value has several shapes")
        for var, value in zip(self.variables, scalars, strict=True):
            b.set(var, value)

    def get(self, b: Builder) -> Any:
        """Append reads of the value."""
        return _rebuilt(self.like, [b.get(each) for each in self.variables])


class KeptValues:
    """The values of one invocation that are used beyond a barrier, by id."""

    def __init__(self, ids: frozenset[int], variable: MakeVariable) -> None:
        self.ids = ids
        self.variable = variable
        self.values: dict[int, Any] = {}

    def declared(self, number: int, found: Any) -> Any:
        """Return the placeholder of a value in later code; its variables are not set yet."""
        known = self.values.get(number)
        if known is not None:
            return known
        scalars = _scalars(found)
        if any(each.op is not OPS.const for each in scalars):
            types = enumerate(each.type for each in scalars)
            found = KeptValue([self.variable(number, at, type) for at, type in types], found)
        self.values[number] = found
        return found

    def kept(self, b: Builder, number: int, found: Any) -> Any:
        """Return the placeholder of a value in later code, and append stores to its variables."""
        made = self.declared(number, found)
        if isinstance(made, KeptValue):
            made.set(b, found)
        return made

    def add(self, values: Iterable[tuple[int, Any]]) -> None:
        """Add values that are the same in all code, such as pointers to variables."""
        for number, found in values:
            if number in self.ids:
                self.values.setdefault(number, found)


def _scalars(found: Any) -> list[Value]:
    """Return the scalars that a value consists of, or that a pointer depends on."""
    if isinstance(found, TypedPointer):
        indices = [each.index for each in found.offset.terms]
        return [found.root.which, *indices] if isinstance(found.root, ChosenRoot) else indices
    return list(found) if isinstance(found, tuple) else []


def _rebuilt(like: Any, values: Sequence[Value]) -> Any:
    """Return a value of the same shape from other scalars."""
    if not isinstance(like, TypedPointer):
        return tuple(values)
    root, rest = like.root, list(values)
    if isinstance(root, ChosenRoot):
        root = ChosenRoot(root.roots, rest.pop(0))
    terms = zip(like.offset.terms, rest, strict=True)
    moved = tuple(replace(each, index=index) for each, index in terms)
    return replace(like, root=root, offset=replace(like.offset, terms=moved))
