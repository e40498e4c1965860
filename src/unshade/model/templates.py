"""Templates of facts: values that many objects have, with their plain data.

    row = FactsTemplate(SignatureParameter(semantic="TEXCOORD", index=0, …))
    reflection.defer(inputs=[row, row.changed(index=1)])

    reflection.inputs           [SignatureParameter(…), …], made when somebody asks for the list
    reflection.to_dict()        if nobody has: copies of the rows' plain data

Shaders share rows of signatures and resources. An object made of a template is changed alone.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ..limits import DEFAULT
from .plain import Facts, plain_of, scalar_of

__all__ = ["FactsTemplate"]

F = TypeVar("F", bound=Facts)


class FactsTemplate(Generic[F]):
    """The immutable values of an object, and its plain data.

    `cost` is the work that `to_dict` counts for the object, against the limits.
    """

    __slots__ = ("cost", "kind", "plain", "values")

    def __init__(self, facts: F) -> None:
        self.kind = type(facts)
        self.values: dict[str, Any] = vars(facts)
        self.plain, self.cost = plain_of(facts, DEFAULT)

    def made(self) -> F:
        """Return an object with these values."""
        return self.kind.of_values(self.values)

    def changed(self, **values: Any) -> FactsTemplate[F]:
        """Return the template with other numbers, words and texts."""
        found: FactsTemplate[F] = FactsTemplate.__new__(FactsTemplate)
        found.kind = self.kind
        found.values = {**self.values, **values}
        found.plain = plain = self.plain.copy()
        found.cost = self.cost
        for name, value in values.items():
            plain[name] = scalar_of(value)
            found.cost += _letters(value) - _letters(self.values.get(name))
        return found


def _letters(value: object) -> int:
    return len(value) if type(value) is str else 0
