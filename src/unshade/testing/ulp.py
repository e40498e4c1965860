"""Arrays that are compared by the number of floats between them, with an explanation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UsageError
from ..run.ulp import ulp_distance
from ..vm.launch import Array


@dataclass(slots=True)
class Failure:
    """The last failed comparison: the arrays, and the place of the first difference."""

    actual: Array
    index: tuple[int, ...]
    lines: list[str]


class _Last:
    """The plugin reads the failure when a test has failed."""

    failure: Failure | None = None


class approx_ulp:
    """An object that equals arrays within `ulp` floats of `expected`, or within `absolute` of it.

    Integers have to be equal. The shape must equal the shape of `expected`, or broadcast to it.
    """

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # so that array == approx_ulp asks here

    def __init__(self, expected: Any, ulp: float = 4, absolute: float = 0.0) -> None:
        self.expected = np.asarray(expected)
        self.ulp = ulp
        self.absolute = absolute
        self.lines: list[str] = []
        self.what = ""  # what was compared last

    def __repr__(self) -> str:
        near = f"{self.ulp:g} ulp"
        if self.absolute:
            near += f" or {self.absolute:g}"
        one = self.expected.ndim == 0
        return f"{self.expected if one else _kind(self.expected)} ± {near}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            names = ", ".join(map(str, other))
            raise UsageError(f"expected an array, got a mapping of {names}; select one by its name")
        actual = np.asarray(other)
        self.lines = []
        self.what = _kind(actual)
        _Last.failure = None
        try:
            expected = np.broadcast_to(self.expected, actual.shape)
        except ValueError:
            self.lines = [f"the shape is {actual.shape}, not {self.expected.shape}"]
            return False
        bad = self._different(actual, expected)
        if not bad.any():
            return True
        index = tuple(int(at) for at in np.argwhere(bad)[0])
        self.lines = self._described(actual, expected, bad, index)
        _Last.failure = Failure(actual, index, self.lines)
        return False

    def _different(self, actual: Array, expected: Array) -> Array:
        if actual.dtype.kind != "f":
            return np.asarray(actual != expected)
        distance = ulp_distance(actual, expected)
        with np.errstate(all="ignore"):
            close = np.abs(actual.astype(np.float64) - expected) <= self.absolute
        return (distance > self.ulp) & ~close

    def _described(
        self, actual: Array, expected: Array, bad: Array, index: tuple[int, ...]
    ) -> list[str]:
        """Return the places that differ, then a line of each array, abbreviated."""
        more = f" by more than {self.ulp:g} ulp" if actual.dtype.kind == "f" else ""
        lines = [f"{int(bad.sum()):,} of {bad.size:,} differ{more}"]
        for place in np.argwhere(bad)[:PLACES]:
            at = tuple(int(each) for each in place)
            got, want = actual[at], expected[at]
            line = f"[{', '.join(map(str, at))}] is {got!s}, expected {want!s}"
            if actual.dtype.kind == "f":
                line += f": {float(ulp_distance(got, want)):g} ulp"
            lines.append(line)
        if actual.size > PLACES:
            lines += [f"is       {_line(actual)}", f"expected {_line(expected)}"]
        return lines


PLACES = 4  # that are listed; pytest shows eight lines


def _kind(array: Array) -> str:
    """`float32 (64,)`."""
    return f"{array.dtype} {array.shape}" if array.ndim else str(array.dtype)


def _line(array: Array) -> str:
    """Return an array's first and last numbers in a line."""
    return np.array2string(array.reshape(-1), threshold=6, edgeitems=3, max_line_width=1 << 16)


def last_failure() -> Failure | None:
    """Return the last comparison if it failed."""
    return _Last.failure


def forget() -> None:
    """Discard the last failure, before a test."""
    _Last.failure = None
