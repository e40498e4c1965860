"""Fragments at the same place, one after another.

    place   4 4 7 4 7
    turn    0 1 0 2 1

Fragments come in the order of their primitives. Fragments of one turn are at different places, so
an operation that reads and writes places is one array operation for each turn.
"""

from collections.abc import Iterator

import numpy as np

from ...vm.launch import Array

__all__ = ["turns"]


def turns(place: Array) -> Iterator[Array]:
    """Yield the numbers of the fragments of each turn; `place` is a number for each fragment."""
    count = len(place)
    if not count:
        return
    order = np.argsort(place, kind="stable")
    number = np.arange(count)
    again = np.concatenate([[False], place[order][1:] == place[order][:-1]])
    if not again.any():
        yield number
        return
    first = np.maximum.accumulate(np.where(again, 0, number))
    turn = np.empty(count, np.int64)
    turn[order] = number - first
    by_turn = np.argsort(turn, kind="stable")
    ends = np.cumsum(np.bincount(turn))
    start = 0
    for end in ends:
        yield by_turn[start:end]
        start = end
