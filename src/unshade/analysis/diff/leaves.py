"""Differences of two trees of plain data."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from .result import ChangeKind

__all__ = ["Difference", "differences"]

LEVELS = 64  # of dicts and lists that are compared element by element
Difference = tuple[str, Any, Any, ChangeKind]


def differences(before: Any, after: Any, path: str = "", depth: int = 0) -> Iterator[Difference]:
    """Yield the leaves of two trees of plain data that differ: path, both values, kind."""
    if before == after:
        return
    lead = f"{path}." if path else ""
    if depth < LEVELS and isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            where = f"{lead}{key}"
            if key not in after:
                yield where, before[key], None, ChangeKind.REMOVED
            elif key not in before:
                yield where, None, after[key], ChangeKind.ADDED
            else:
                yield from differences(before[key], after[key], where, depth + 1)
    elif (
        depth < LEVELS
        and isinstance(before, list)
        and isinstance(after, list)
        and len(before) == len(after)
    ):
        for at, (x, y) in enumerate(zip(before, after, strict=True)):
            yield from differences(x, y, f"{path}[{at}]", depth + 1)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(path, before, after)
    else:
        yield path, before, after, ChangeKind.CHANGED


def _lists(path: str, before: list[Any], after: list[Any]) -> Iterator[Difference]:
    """Yield the elements between the equal ends of two lists as removed or added."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    for at, x in islice(enumerate(before), start, len(before) - end):
        yield f"{path}[{at}]", x, None, ChangeKind.REMOVED
    for at, y in islice(enumerate(after), start, len(after) - end):
        yield f"{path}[{at}]", None, y, ChangeKind.ADDED
