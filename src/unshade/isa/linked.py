"""Lines of a listing that carry the paths of the fields that they show.

A printer makes a `LinkedLine` where it knows the field; the other lines stay plain strings. Text
put before a line keeps its paths:

    "\\t" + LinkedLine("add r0, r1, r2", "code[3]", "descriptors[1]")
"""

from collections.abc import Callable, Iterable
from typing import Self

__all__ = ["LinkedLine", "paths_of", "relinked"]


class LinkedLine(str):
    """A line of text; `paths` are the fields that it shows, beginning with its main field."""

    __slots__ = ("paths",)
    paths: tuple[str, ...]

    def __new__(cls, text: str, *paths: str) -> Self:
        made = super().__new__(cls, text)
        made.paths = paths
        return made

    def __radd__(self, before: str) -> Self:
        return type(self)(str(before) + str(self), *self.paths)


def relinked(lines: Iterable[str], path: Callable[[str], str]) -> list[str]:
    """Return the lines with other paths: `path` of each one."""
    return [
        LinkedLine(line, *map(path, line.paths)) if isinstance(line, LinkedLine) else line
        for line in lines
    ]


def paths_of(lines: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the paths of each line, empty for lines that are not linked.

    A text with line ends, in a name for example, is several lines with the same paths.
    """
    found: list[tuple[str, ...]] = []
    for line in lines:
        paths = line.paths if isinstance(line, LinkedLine) else ()
        found += [paths] * (1 + line.count("\n"))
    return found
