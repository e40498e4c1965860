"""Maps from variables to facts, one for each place of a program, which share equal entries.

    before = FactMap(variables)
    then, otherwise = before.fork(), before.fork()     in constant time
    then[a] = x
    list(differences(then, otherwise))                 [(a, x, None)]: visits changed facts only

A pass keeps a map for each path and compares the maps where paths join. With dictionaries each
branch would copy all variables, so n branches over n variables took n² steps. The map is a tree of
nodes with `WIDTH` entries. A fork shares all nodes with its origin; whichever of the two is changed
first copies the nodes on the way to the entry (a *persistent* map; Okasaki, Purely Functional Data
Structures, 1998). Parts that two forks share are identical, and are skipped as a whole when they
are compared.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

__all__ = ["FactMap", "changes", "differences"]

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
BITS = 4
WIDTH = 1 << BITS
MASK = WIDTH - 1
OWNER = WIDTH  # the entry of a node that names the map that may change it

Node = list[Any]


class FactMap(Generic[K, T]):
    """A map from a fixed set of keys to facts; an absent fact is None."""

    __slots__ = ("_keys", "_numbers", "_owner", "_root", "_shifts")

    def __init__(self, keys: Iterable[K]) -> None:
        self._keys: Sequence[K] = list(keys)
        self._numbers = {key: number for number, key in enumerate(self._keys)}
        levels = max(1, -(-max(len(self._keys) - 1, 1).bit_length() // BITS))
        self._shifts = tuple(BITS * level for level in range(levels - 1, 0, -1))
        self._owner = object()
        node: Node = [None] * WIDTH + [None]
        for _ in self._shifts:
            node = [node] * WIDTH + [None]
        self._root = node

    def fork(self) -> "FactMap[K, T]":
        """Return an independent copy."""
        made: FactMap[K, T] = FactMap.__new__(FactMap)
        made._keys, made._numbers, made._shifts = self._keys, self._numbers, self._shifts
        made._root = self._root
        self._owner = object()
        made._owner = object()
        return made

    def get(self, key: K) -> T | None:
        """Return the fact for a key, or None."""
        number = self._numbers[key]
        node = self._root
        for shift in self._shifts:
            node = node[number >> shift & MASK]
        found: T | None = node[number & MASK]
        return found

    def __setitem__(self, key: K, fact: T | None) -> None:
        number = self._numbers[key]
        owner = self._owner
        node = self._root
        if node[OWNER] is not owner:
            self._root = node = _copied(node, owner)
        for shift in self._shifts:
            at = number >> shift & MASK
            below: Node = node[at]
            if below[OWNER] is not owner:
                below = node[at] = _copied(below, owner)
            node = below
        node[number & MASK] = fact


def _copied(node: Node, owner: object) -> Node:
    made = node[:]
    made[OWNER] = owner
    return made


def differences(one: FactMap[K, T], other: FactMap[K, T]) -> Iterator[tuple[K, T | None, T | None]]:
    """Yield the keys of two forks whose facts are not identical, and both facts, in order."""
    keys, levels = one._keys, len(one._shifts)
    stack = [(0, levels, one._root, other._root)]
    while stack:
        first, level, left, right = stack.pop()
        if left is right:
            continue
        if level:
            size = 1 << BITS * level
            stack += [
                (first + at * size, level - 1, left[at], right[at])
                for at in range(WIDTH - 1, -1, -1)
                if left[at] is not right[at]
            ]
            continue
        for at in range(WIDTH):
            if left[at] is not right[at]:
                yield keys[first + at], left[at], right[at]


def changes(
    ways: Sequence[FactMap[K, T]],
) -> Iterator[tuple[K, T | None, T | None]]:
    """Yield where each path differs from the path before it.

    A key that is never yielded has one fact on all paths. Paths are in the order of the text, so
    neighbours have more in common than each path has with the first.
    """
    for at in range(1, len(ways)):
        yield from differences(ways[at - 1], ways[at])
