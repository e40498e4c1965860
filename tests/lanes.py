"""Which lane a test runs in, and which cases of a parametrised test the fast lane takes.

    conformance   tests/conformance, and what is marked conformance
    slow          tests/hostile, tests/properties, what is marked slow, and the cases left by fast
    fast          all other tests; of a function with n cases, 1 + isqrt(n - 1) of them

A function of four cases has two of them in the fast lane, one of 24 five, one of 231 sixteen. They
are chosen so that together they have as many different values of each parameter as they can. Where
each case compiles or draws something, the function or its module is marked heavy: the fast lane
takes the first case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Any

FAST, SLOW, CONFORMANCE, HEAVY = "fast", "slow", "conformance", "heavy"
FOLDERS = {"conformance": CONFORMANCE, "hostile": SLOW, "properties": SLOW}
GOLDEN = (5**0.5 - 1) / 2


def folder_lane(nodeid: str) -> str | None:
    """Return the lane of everything in the folder of `tests` that a test is in, if it has one."""
    return FOLDERS.get(nodeid.removeprefix("tests/").partition("/")[0])


def size(cases: int) -> int:
    """Return how many of so many cases the fast lane takes."""
    return 1 + isqrt(cases - 1) if cases else 0


def sample(cases: Sequence[Mapping[Any, object]], taken: int) -> list[int]:
    """Return the positions of so many cases, given the values of each case's parameters.

    The next one is the case with most values that none before it has; of equals, the first in an
    order that spreads over the table and is not periodic, so that a product of parameters written
    as one list is not always met at the same factor.
    """
    waiting = sorted(range(len(cases)), key=lambda at: at * GOLDEN % 1)
    found: list[int] = []
    seen: set[tuple[Any, object]] = set()
    while waiting and len(found) < taken:
        best = max(waiting, key=lambda at: len(cases[at].items() - seen))
        waiting.remove(best)
        found.append(best)
        seen.update(cases[best].items())
    return sorted(found)
