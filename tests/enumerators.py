"""Enumerations as headers of C list them, to compare those of the library with.

enumerators("A B D=3 E")     {"A": 0, "B": 1, "D": 3, "E": 4}
"""

from enum import IntEnum

__all__ = ["enumerators", "members"]


def enumerators(text: str) -> dict[str, int]:
    """Return names and numbers; a name without a number has the next one."""
    found: dict[str, int] = {}
    following = 0
    for each in text.split():
        name, _, number = each.partition("=")
        found[name] = int(number, 0) if number else following
        following = found[name] + 1
    return found


def members(enumeration: type[IntEnum]) -> dict[str, int]:
    """Return names and numbers of an enumeration of the library."""
    return {each.name: each.value for each in enumeration}
