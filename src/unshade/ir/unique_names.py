"""Unique names: `x`, then `x.1`, `x.2`, …

Names(kernel.variables).unique("x")
"""

from collections.abc import Sequence
from typing import Protocol

__all__ = ["UniqueNames"]


class HasName(Protocol):
    """A declaration with a name."""

    name: str


class UniqueNames:
    """The names of some sequences of declarations, which may grow."""

    def __init__(self, *declared: Sequence[HasName]) -> None:
        self._declared = declared
        self._read = [0] * len(declared)
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last number of each name

    def unique(self, stem: str) -> str:
        """Return an unused name; it is not returned again."""
        for at, each in enumerate(self._declared):
            self._taken.update(new.name for new in each[self._read[at] :])
            self._read[at] = len(each)
        name = stem
        while name in self._taken:
            self._numbers[stem] = number = self._numbers.get(stem, 0) + 1
            name = f"{stem}.{number}"
        self._taken.add(name)
        return name
