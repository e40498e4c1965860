"""Unique names.

names = UniqueNames(kernel.variables)
names.unique("x")          x, then x.1, x.2, …
names.numbered("kept")     kept0, kept1, …
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
        self._next: dict[str, int] = {}  # the next number of each numbered name

    def unique(self, stem: str) -> str:
        """Return an unused name; it is not returned again."""
        self._read_declared()
        name = stem
        while name in self._taken:
            self._numbers[stem] = number = self._numbers.get(stem, 0) + 1
            name = f"{stem}.{number}"
        self._taken.add(name)
        return name

    def numbered(self, stem: str) -> str:
        """Return an unused name that ends in a number; it is not returned again."""
        self._read_declared()
        number = self._next.get(stem, 0)
        while f"{stem}{number}" in self._taken:
            number += 1
        self._next[stem] = number + 1
        self._taken.add(f"{stem}{number}")
        return f"{stem}{number}"

    def _read_declared(self) -> None:
        """Take the names of declarations that are new."""
        for at, each in enumerate(self._declared):
            read = self._read[at]
            if len(each) != read:
                self._taken.update([new.name for new in each[read:]])
                self._read[at] = len(each)
