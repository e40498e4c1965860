"""Numbers of ids: in the order of first mention, or as in the text."""

import re
from collections.abc import Callable

__all__ = ["Ids"]

NAME = re.compile(r"[A-Za-z0-9_]+\Z")
MOST = (1 << 22) - 1  # the specification's limit of the bound
DIGITS = 10  # of a number of 32 bits


class IdNumbers(dict[str, int]):
    """The numbers of names; a name that is not known gets one."""

    def __init__(self, of: Callable[[str], int]) -> None:
        self.of = of

    def __missing__(self, name: str) -> int:
        return self.of(name)


class Ids:
    """Numbers given to names.

    With `preserve`, a name that is a number is that number; `taken` are all numbers in the text,
    or a function that finds them once a name needs a free one.
    """

    def __init__(
        self, preserve: bool, taken: frozenset[int] | Callable[[], frozenset[int]]
    ) -> None:
        self.preserve = preserve
        self.by_name = IdNumbers(self.of)
        self.next = 1
        self.bound = 1
        self._taken = taken

    @property
    def taken(self) -> frozenset[int]:
        """The numbers that names without one cannot have."""
        if callable(self._taken):
            self._taken = self._taken()
        return self._taken

    @staticmethod
    def valid(name: str) -> bool:
        """Return True if a name has only letters, digits and _."""
        return NAME.match(name) is not None

    def of(self, name: str) -> int:
        """Return the number of a name."""
        found = self.by_name.get(name)
        if found is None:
            number = number_of(name) if self.preserve else None
            if number is not None and (callable(self._taken) or number in self._taken):
                found = number  # a number of the text, since it is in the text
            else:
                while self.preserve and self.next in self.taken:
                    self.next += 1
                found = self.next
                self.next += 1
            self.by_name[name] = found
            if found >= self.bound:
                self.bound = found + 1
        return found


def number_of(name: str) -> int | None:
    """Return the number that a name spells; None if it is not a number."""
    if len(name) > DIGITS or not (name.isdecimal() and name.isascii()):
        return None
    value = int(name)
    return value if 0 < value < 1 << 32 else None
