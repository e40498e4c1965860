"""Longest increasing subsequence of pairs of positions, for the alignment of two texts.

    before  a b c d         (0, 2) (1, 0) (2, 1) (3, 3)     a moved after c
    after   b c a d                (1, 0) (2, 1) (3, 3)     the longest increasing selection

Patience diff pairs the lines that occur once in both texts and keeps such a selection of the pairs.

Source: Fredman, On computing the length of longest increasing subsequences, 1975.
"""

from bisect import bisect_left
from collections.abc import Iterable

__all__ = ["longest_increasing"]


def longest_increasing(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence of pairs in which both numbers increase strictly."""
    ordered = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    tails: list[int] = []  # least second number that ends a selection of each length
    ends: list[int] = []  # index of its pair
    previous: list[int] = []
    for at, (_, y) in enumerate(ordered):
        length = bisect_left(tails, y)
        previous.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [y]
        ends[length : length + 1] = [at]
    found = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(ordered[at])
        at = previous[at]
    return found[::-1]
