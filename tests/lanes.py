"""The lanes of the tests, and the choice of tests for the fast lane.

    conformance   tests/conformance, and what is marked conformance
    slow          tests/hostile, tests/properties, what is marked slow, and what fast leaves out
    fast          what is marked fast, and a choice of all other tests

A mark of a test overrides everything but its folder. A test that starts a process, or a driver of
the GPU, is slow.

tests/fast.txt has the choice: the tests that together execute most lines in the time of the lane,
by module (tools/fast_lane.py makes it). Of a module that is not in that list, since it is newer,
the lane takes a sample.

Of a function with n cases the sample has 1 + isqrt(n - 1) // 2: one up to four, two up to 16,
three of 24, eight of 231. They are chosen so that together they have as many different values of
each parameter as they can.

A heavy test compiles, runs, draws or compares something whole, or is a command line: it costs ten
times as much as one that reads or writes a structure. The folders that FOLDERS calls heavy are of
this kind; elsewhere a function or its module is marked. Of n heavy functions of a module the sample
has 1 + isqrt(n - 1) // 2, too, and of each of them the first case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from inspect import unwrap
from math import isqrt
from pathlib import Path
from types import FunctionType
from typing import Any

LANES = CONFORMANCE, SLOW, FAST = "conformance", "slow", "fast"
HEAVY = "heavy"
FOLDERS = {
    "conformance": CONFORMANCE,
    "hostile": SLOW,
    "properties": SLOW,
    "analysis": HEAVY,
    "cli": HEAVY,
    "contract": HEAVY,
    "families": HEAVY,
    "formats/dxcontainer/dxc": HEAVY,
    "formats/dxcontainer/fxc/assemble": HEAVY,
    "formats/vbc": HEAVY,
    "ir/cfg": HEAVY,
    "ir/library": HEAVY,
    "programs/*/assembler": HEAVY,
    "programs/*/editing": HEAVY,
    "programs/*/lower": HEAVY,
    "programs/dxil/text": HEAVY,
    "report": HEAVY,
    "run": HEAVY,
    "screens": HEAVY,
    "testing": HEAVY,
    "vm": HEAVY,
}
OUTSIDE = {"subprocess", "wgpu"}  # what starts a process, or loads a driver in a second
GOLDEN = (5**0.5 - 1) / 2
CHOSEN = Path(__file__).with_name("fast.txt")


@cache
def chosen() -> dict[str, frozenset[str]]:
    """Return the names of the tests that the fast lane takes, by the path of their module."""
    found: dict[str, list[str]] = {}
    module = ""
    lines = CHOSEN.read_text(encoding="utf-8").splitlines() if CHOSEN.exists() else []
    for line in lines:
        if line.startswith(" "):
            found[module].append(line.strip())
        elif not line.startswith("#"):
            module = line
            found[module] = []
    return {module: frozenset(names) for module, names in found.items()}


@cache
def chosen_functions(module: str) -> frozenset[str] | None:
    """Return the functions of a module with a chosen case; None if the list lacks the module."""
    names = chosen().get(module)
    return None if names is None else frozenset(each.partition("[")[0] for each in names)


@cache
def folder_mark(path: str) -> str | None:
    """Return the mark of everything in the folder of `tests` that a file is in, if it has one."""
    inside = path.removeprefix("tests/")
    return next((mark for each, mark in FOLDERS.items() if fnmatch(inside, f"{each}/*")), None)


@cache
def starts_process(function: Callable[..., object]) -> bool:
    """Return whether a test, or a function of its module that it names, uses one of `OUTSIDE`."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    named = map(function.__globals__.get, code.co_names)
    called = (unwrap(each) for each in named if callable(each))
    return not OUTSIDE.isdisjoint(code.co_names) or any(
        isinstance(each, FunctionType)
        and each.__module__ == function.__module__
        and not OUTSIDE.isdisjoint(each.__code__.co_names)
        for each in called
    )


def size(alike: int) -> int:
    """Return the number of cases, or heavy functions, that the fast lane takes of `alike`."""
    return 1 + isqrt(alike - 1) // 2 if alike else 0


def sample(cases: Sequence[Mapping[Any, object]], taken: int) -> list[int]:
    """Return the positions of `taken` cases, given the values of each case's parameters.

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
