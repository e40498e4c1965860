"""Results for edge values (NaN, infinity, 0, overflow), as rows of a table.

    edges("udiv", BASES, '''
        s  7, 0 = all, all   by zero
    ''')

A row consists of a letter for the basis of the result, sources, results, and a note after three
spaces.
"""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Edge", "edges", "terms"]


class Edge(NamedTuple):
    """One execution of an operation that calculates."""

    op: str
    sources: tuple[str, ...]
    results: tuple[str, ...]
    basis: str
    note: str


def edges(op: str, bases: Mapping[str, str], text: str) -> list[Edge]:
    """Return the rows of one operation; `bases` maps the letters to words."""
    found = []
    for line in text.strip().splitlines():
        letter, rest = line.strip().split(maxsplit=1)
        values, _, note = rest.partition("   ")
        left, _, right = values.partition(" = ")
        found.append(Edge(op, terms(left), terms(right), bases[letter], note.strip()))
    return found


def terms(text: str) -> tuple[str, ...]:
    """Return the parts between commas."""
    return tuple(each.strip() for each in text.split(","))
