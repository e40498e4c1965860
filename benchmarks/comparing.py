"""Numbers of both sides, and where they differ."""

from collections import Counter
from typing import Any

import numpy as np

from unshade.vm.launch import Array


def closeness(letter: str, a: Array, b: Array) -> Array:
    """Compare words as numbers: letter f floats, w words of any kind, others integers."""
    same: Array = a == b
    if letter not in "fw":
        return same
    x, y = a.view(np.float32), b.view(np.float32)
    with np.errstate(all="ignore"):
        near = np.abs(x.astype(np.float64) - y) <= 1e-5 + 1e-4 * np.abs(y)
        near |= np.isnan(x) & np.isnan(y) | (x == y) | same
        if letter == "w":
            ordinary = ~(np.abs(x) < 1e-30) & ~(np.abs(y) < 1e-30) | (x == y)
            near = same | near & ordinary
    return near


def distance(a: Array, b: Array, otherwise: float) -> Array:
    """Return the distances of two arrays of floats, `otherwise` where either is no number."""
    with np.errstate(all="ignore"):
        found: Array = np.abs(a.view(np.float32).astype(np.float64) - b.view(np.float32))
    return np.where(np.isfinite(found), found, otherwise)


def small(words: Array) -> Array:
    """Find words that are most likely integers: as floats they would be subnormal or NaN."""
    exponent = words >> 23 & 0xFF
    found: Array = (exponent == 0) | (exponent == 0xFF)
    return found


class Difference:
    """The differences of one run."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, str]] = []
        self.wrong: dict[str, Array] = {}
        self.known: Counter[str] = Counter()
        self.unseen: list[str] = []  # outputs that the device cannot be asked for
        self.equal = self.near = 0

    def add(self, name: str, letter: str, ours: Array, theirs: Array) -> None:
        """Words of one output or memory."""
        same = ours == theirs
        near = closeness(letter, ours, theirs)
        self.equal += int(same.sum())
        self.near += int((near & ~same).sum())
        self.wrong[name] = ~near

    def add_rows(self, ours: dict[str, Array], theirs: dict[str, tuple[str, Array]]) -> None:
        """Add a row for each result with unexplained differences."""
        for name, where in self.wrong.items():
            if where.any():
                letter, data = theirs[name]
                at = int(np.flatnonzero(where)[0])
                values = [_shown(ours[name][at], letter), _shown(data[at], letter)]
                text = f"at {at}: {values[0]} here, {values[1]} there"
                self.rows.append((name, int(where.sum()), text))


def _shown(word: Any, letter: str) -> str:
    number = np.uint32(word).view(np.float32)
    if letter == "f":
        return f"{number:.9g}"
    return f"{word:#x} ({number:.6g})" if letter == "w" else str(int(np.int32(word)))
