"""Numbers of ids: in the order of first mention, or as in the text."""

import re

__all__ = ["Ids"]

NAME = re.compile(r"[A-Za-z0-9_]+\Z")
MOST = (1 << 22) - 1  # the specification's limit of the bound
NUMBER = re.compile(r"[0-9]{1,10}\Z")


class Ids:
    """Numbers given to names.

    With `preserve`, a name that is a number is that number; `taken` are all numbers in the text.
    """

    def __init__(self, preserve: bool, taken: frozenset[int]) -> None:
        self.preserve = preserve
        self.taken = taken
        self.by_name: dict[str, int] = {}
        self.next = 1
        self.bound = 1

    @staticmethod
    def valid(name: str) -> bool:
        """Return True if a name has only letters, digits and _."""
        return NAME.match(name) is not None

    def of(self, name: str) -> int:
        """Return the number of a name."""
        found = self.by_name.get(name)
        if found is None:
            if self.preserve and number_of(name) in self.taken:
                found = number_of(name) or 0
            else:
                while self.preserve and self.next in self.taken:
                    self.next += 1
                found = self.next
                self.next += 1
            self.by_name[name] = found
            self.bound = max(self.bound, found + 1)
        return found


def number_of(name: str) -> int | None:
    """Return the number that a name spells; None if it is not a number."""
    if not NUMBER.match(name):
        return None
    value = int(name)
    return value if 0 < value < 1 << 32 else None
