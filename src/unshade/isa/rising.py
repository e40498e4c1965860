"""Which pairs of places in two texts can hold at once, when both are read from the left.

    before  a b c d         (0, 2) (1, 0) (2, 1) (3, 3)     a moved behind c
    after   b c a d                (1, 0) (2, 1) (3, 3)     the longest selection that rises

It is the core of patience comparison: lines that stand once in both texts are paired, and of the
pairs those that cross fewest others stay. Source: Fredman, On computing the length of longest
increasing subsequences, 1975.
"""

from bisect import bisect_left
from collections.abc import Iterable

__all__ = ["rising"]


def rising(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection in which both numbers rise."""
    ordered = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    tails: list[int] = []  # second numbers that end a selection of each length
    ends: list[int] = []  # which pair that is
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
